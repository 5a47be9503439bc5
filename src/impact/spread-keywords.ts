/**
 * Keywords that a call gives by way of a mapping that is written somewhere: `f(**{"ttl": 1})`, `opts = dict(ttl=1)` and
 * `f(**opts)`. What is put into the mapping later is not looked at, so that more may be given than is said here.
 */
import { heldBy } from '../graph/refer/flow-sites.js';
import { constantAt, SOME_STRING } from '../graph/refer/held.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { E, type Argument } from '../syntax/summary.js';

export interface SpreadCall {
  /** Each mapping as its keywords; the mappings stay behind them, for what they may hold besides. */
  readonly args: readonly Argument[];
  readonly confidence: 'certain' | 'possible';
}

/** A call for each mapping that it may give; none where it spreads none that is written. */
export function callsWithKeywords(resolver: Resolver, file: string, call: number): readonly SpreadCall[] {
  const args = resolver.summary(file).exprs.argumentsOf(call);
  const plain = args.filter(({ spread }) => spread === 'none');
  const spread = args.filter((argument) => argument.spread !== 'none');
  return spread.flatMap((argument) => {
    if (argument.spread !== 'keywords') return [];
    const { values, open } = heldBy(resolver, file, argument.expr);
    return [...values.values()].flatMap((value): SpreadCall[] => {
      if (value.kind !== 'holder' || value.as !== undefined) return [];
      const keywords = keysWritten(resolver, value.file, value.expr).map((keyword): Argument => ({
        expr: -1,
        keyword,
        spread: 'none',
        start: -1,
      }));
      const confidence = !open && values.size === 1 && spread.length === 1 ? 'certain' : 'possible';
      return keywords.length === 0 ? [] : [{ args: [...plain, ...keywords, ...spread], confidence }];
    });
  });
}

/** Plain keys of a mapping as it is written. */
function keysWritten(resolver: Resolver, file: string, row: number): readonly string[] {
  const summary = resolver.summary(file);
  if (summary.exprs.opOf(row) !== E.dict) return [];
  return [...summary.exprs.keysOf(row)].flatMap((key) => {
    const text = constantAt(summary, key);
    return text === undefined || text === SOME_STRING || !text.startsWith(SOME_STRING) ? [] : [text.slice(1)];
  });
}
