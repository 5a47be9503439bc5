/**
 * What code takes of a value, by name: `timings.phases.wait`, `const { wait } = timings.phases`. Where the type of the
 * value is written out in place, its keys are no declarations, and this says which of them a site lives by.
 *
 * Follows casts and the locals that hold the value, within the file. What goes on whole (an argument, a result, what is
 * stored) may have any key taken of it.
 */
import type { SignatureDelta } from '../change/signature-delta.js';
import { changedKeys, keyWords, type ChangedKeys } from '../change/written-object.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { D, E, R } from '../syntax/summary.js';
import { breaks, may, type Verdict } from './verdict.js';

/** Locals that hold one another are followed so far. */
const HOLDERS_MOST = 8;

/**
 * Names that are taken of the value of a row; undefined where it goes on whole, or where nothing is known to be taken
 * of it.
 */
function membersTaken(resolver: Resolver, file: string, row: number): ReadonlySet<string> | undefined {
  const { exprs, decls } = resolver.summary(file);
  const taken = new Set<string>();
  const seen = new Set([row]);
  const rows = [row];
  let holders = 0;
  for (let at = rows.pop(); at !== undefined; at = rows.pop()) {
    for (const use of exprs.usesOf(at)) {
      if (use.kind === 'receiver') taken.add(exprs.nameOf(use.row));
      else if (use.kind === 'same') rows.push(use.row);
      else if (use.kind !== 'value' || decls.kindOf(use.decl) !== D.local || decls.typeOf(use.decl) >= 0)
        return undefined;
      else if (++holders > HOLDERS_MOST) return undefined;
      else
        for (const mention of exprs.named(decls.nameIdOf(use.decl))) {
          if (exprs.opOf(mention) !== E.name || exprs.roleOf(mention) === R.declares || seen.has(mention)) continue;
          const { targets } = resolver.resolve(file, mention);
          if (!targets.some((target) => target.file === file && target.decl === use.decl)) continue;
          seen.add(mention);
          rows.push(mention);
        }
    }
  }
  return taken.size === 0 ? undefined : taken;
}

/** Those of the changed keys that the site takes of the value; undefined where that cannot be told. */
export function keysTaken(
  { removed, retyped, isWhole }: ChangedKeys,
  resolver: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
): ChangedKeys | undefined {
  const taken = isWhole ? membersTaken(resolver, file, expr) : undefined;
  if (taken === undefined) return undefined;
  const isTaken = (key: string): boolean => taken.has(key);
  return { added: [], removed: removed.filter(isTaken), retyped: retyped.filter(isTaken), isWhole };
}

/** `whose`: what the value is to the site, before the words for the keys. */
export function ofKeysTaken(keys: ChangedKeys, whose: string): Verdict {
  if (keys.removed.length > 0) return breaks(`${whose} ${keyWords({ ...keys, retyped: [] })}`);
  return keys.retyped.length > 0 ? may(`${whose} ${keyWords(keys)}`) : 'fine';
}

/** What a call hears of a result whose type is written out in place; undefined where that cannot be told. */
export function ofResultTaken(
  { from, to }: NonNullable<SignatureDelta['returnType']>,
  resolver: Resolver,
  file: string,
  call: number,
): Verdict | undefined {
  const awaited = resolver.summary(file).exprs.wholeBy(call, E.await);
  const keys = awaited < 0 ? changedKeys(from, to) : changedKeys(argumentOf(from), argumentOf(to));
  const taken =
    keys === undefined ? undefined : keysTaken(keys, resolver, { file, expr: awaited < 0 ? call : awaited });
  return taken === undefined ? undefined : ofKeysTaken(taken, 'what it returns');
}

/** The one argument of a written type: what awaiting it gives. */
const argumentOf = (type: string): string => /^\s*[\w.]+<(?<inside>[^]*)>\s*$/u.exec(type)?.groups?.inside ?? type;
