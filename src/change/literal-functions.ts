/**
 * Functions that stand under the keys of an object literal within a value: no blocks, and called by these keys all the
 * same.
 *
 *     const config = { retry: { on: (n: number) => n > 1 } };        config.retry.on(2)
 */
import { keysOfLiteral, membersOfLiteral } from '../graph/resolve/literal-keys.js';
import { D, E, isFunctionLike, type Summary } from '../syntax/summary.js';
import { kindName, type AtomicChange } from './atomic-change.js';
import { changeOf } from './compare-block.js';
import { childrenOf } from './match-blocks.js';
import { isEmptyDelta, signatureDelta } from './signature-delta.js';
import type { BlockVersion } from './version.js';

/** Changes of the signatures of functions that a field or variable holds under the same keys before and after. */
export function literalFunctionChanges(
  from: BlockVersion,
  to: BlockVersion,
  path = to.version.summary.decls.pathOf(to.decl),
): AtomicChange[] {
  const [old, now] = [membersHeld(from), membersHeld(to)];
  return [...now].flatMap(([name, member]): AtomicChange[] => {
    const was = old.get(name);
    if (was === undefined) return [];
    const [oldFunction, newFunction] = [functionOf(from.version.summary, was), functionOf(to.version.summary, member)];
    const [before, after] = [
      { version: from.version, decl: was },
      { version: to.version, decl: member },
    ];
    if (oldFunction < 0 || newFunction < 0) return literalFunctionChanges(before, after, `${path}.${name}`);
    const signature = signatureDelta(from.version, oldFunction, to.version, newFunction);
    return isEmptyDelta(signature)
      ? []
      : [{ ...changeOf('MMS', before, after, { signature }), block: `${path}.${name}`, kind: kindName(D.method) }];
  });
}

/** The members of the literal that a declaration holds, by name; none where something is spread into it. */
function membersHeld({ version: { summary }, decl }: BlockVersion): ReadonlyMap<string, number> {
  const { decls, exprs } = summary;
  let row = decls.valueOf(decl);
  while (row >= 0 && exprs.opOf(row) === E.cast) row = exprs.operandOf(row);
  if (row < 0 || keysOfLiteral(summary, row) === undefined) return new Map();
  // A member that is a block is compared by itself.
  const blocks = new Set(childrenOf(summary, decl));
  return new Map(
    membersOfLiteral(summary, exprs.closureOf(row))
      .filter((member) => !blocks.has(member))
      .map((member) => [decls.nameOf(member), member]),
  );
}

/** The function that a member is, or holds; -1 for anything else. */
function functionOf({ decls, exprs }: Summary, member: number): number {
  if (isFunctionLike(decls.kindOf(member))) return member;
  const value = decls.valueOf(member);
  const held = value >= 0 && exprs.opOf(value) === E.closure ? exprs.closureOf(value) : -1;
  return held >= 0 && isFunctionLike(decls.kindOf(held)) ? held : -1;
}
