/**
 * Keywords that calls give for the keys of a mapping, where a function takes these one by one (Python
 * `**options: Unpack[Options]`): a key that is gone, has another name or another type, and one that must be given now.
 *
 *     class Options(TypedDict): depth: int        def walk(**options: Unpack[Options])        walk(depth=1)
 *
 * Such a call says neither the mapping nor its key. Errs towards missing: functions that hand their own keywords on.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { isUnpacked } from '../graph/resolve/declaration-types.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import { isKeyed } from '../graph/resolve/keyed.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn, type Counterpart } from './counterparts.js';
import type { Graphs } from './graphs.js';
import { askedAnew } from './lacking-mappings.js';
import type { Question } from './question.js';

export function* unpackedKeys(question: Question): Turns<readonly AffectedBlock[]> {
  const { graphs, edit } = question;
  const { after } = graphs;
  const now = counterpartsIn(question);
  const out = new AffectedBlocks();
  for (const change of edit.changes) {
    const lost = yield* piece(() => lostKey(graphs, now, change));
    const asked = yield* piece(() => askedAnew(graphs, change));
    const type = lost?.type ?? asked[0]?.type;
    if (type === undefined) continue;
    for (const call of yield* callsUnpacking(after, type)) {
      const given = after.summary(call.file).exprs.argumentsOf(call.expr);
      for (const argument of given)
        if (lost !== undefined && argument.keyword === lost.key)
          add(out, after, change, { ...call, ...lost, expr: argument.expr });
      for (const { key } of asked)
        if (given.every(({ keyword, spread }) => keyword !== key && spread !== 'keywords'))
          add(out, after, change, { ...call, tier: 'breaks', fact: `no key ${key}` });
    }
  }
  return out.sorted();
}

interface Lost {
  readonly type: DeclRef;
  readonly key: string;
  readonly tier: 'breaks' | 'may';
  readonly fact: string;
}

/** The key that calls may still give as it was, and the class that has it no more. */
function lostKey({ before }: Graphs, now: Counterpart, change: AtomicChange): Lost | undefined {
  const { label, before: was, detail } = change;
  const isOther = label === 'DF' || detail.rename !== undefined || detail.type !== undefined;
  const old = isOther && was !== undefined && was.decl >= 0 ? was : undefined;
  if (old === undefined) return undefined;
  const summary = before.summary(old.file);
  const owner = classOfMember(summary, old.decl);
  if (owner === undefined || !isKeyed(before, { file: old.file, decl: owner })) return undefined;
  const type = now({ file: old.file, decl: owner });
  if (type === undefined) return undefined;
  const key = summary.decls.nameOf(old.decl);
  if (label === 'DF') return { type, key, tier: 'breaks', fact: `no key ${key}` };
  return detail.rename === undefined
    ? { type, key, tier: 'may', fact: `type of ${key}: ${detail.type?.from} → ${detail.type?.to}` }
    : { type, key, tier: 'breaks', fact: `renamed: ${detail.rename.from} → ${detail.rename.to}` };
}

interface Place {
  readonly file: string;
  readonly expr: number;
}

/** Calls of functions that take the keys of the class, or of one below it, by keyword. */
function* callsUnpacking(after: Resolver, type: DeclRef): Turns<readonly Place[]> {
  const out: Place[] = [];
  for (const each of [type, ...(yield* piece(() => descendantsOf(after, type)))])
    for (const { file, expr } of yield* sitesInTurns(after, each)) {
      const { exprs, decls, scopes } = after.summary(file);
      const whole = expr < 0 ? undefined : exprs.wholesOf(expr).find((row) => isUnpacked(after.summary(file), row));
      for (const param of whole === undefined ? [] : exprs.holdersOf(whole)) {
        const owner = { file, decl: scopes.ownerOf(decls.scopeOf(param)) };
        if (owner.decl < 0) continue;
        for (const site of yield* sitesInTurns(after, owner)) {
          const call =
            site.expr < 0 || !sameDecl(site.target, owner) ? -1 : after.summary(site.file).exprs.callOf(site.expr);
          if (call >= 0 && (site.kind === 'call' || site.kind === 'instantiate'))
            out.push({ file: site.file, expr: call });
        }
      }
    }
  return out;
}

function add(
  out: AffectedBlocks,
  after: Resolver,
  cause: AtomicChange,
  { file, expr, tier, fact }: Place & Pick<Lost, 'tier' | 'fact'>,
): void {
  const summary = after.summary(file);
  const block = blockOf(summary, expr);
  out.addOnce(file, block, {
    expr,
    tier,
    confidence: 'certain',
    reason:
      `${block < 0 ? '<module>' : summary.decls.pathOf(block)} gives by keyword what are keys of a mapping: ` +
      `${fact} (${cause.block}).`,
    fact,
    rule: 'unpacked-key',
    relation: 'CalledBy',
    cause,
  });
}
