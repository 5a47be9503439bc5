/**
 * A field whose declaration is gone while an assignment of it is left, in a language where that
 * assignment declares it (Python). An edit that moves the declaration into the constructor looks
 * the same, so it has to be an assignment that was there before, and that does not always run: when
 * it did not, what is read is missing.
 *
 *     class A:
 *         delay = None                  # deleted
 *         def __init__(self, n):
 *             if n: self.delay = 1 / n  # what is left
 */
import { D, F, isFieldLike, isFunctionLike, nameId, nameOf, R, type Summary } from '../syntax/summary.js';
import { childrenOf } from './match-blocks.js';

/** Whether the blocks are such a field before, and the assignment that is left of it. */
export function isOnlyLeftAssigned(before: Summary, b: number, after: Summary, a: number): boolean {
  const { decls } = before;
  if (
    !isFieldLike(decls.kind[b] as number) ||
    (decls.value[b] as number) < 0 ||
    methodAround(before, b) !== undefined ||
    ((after.decls.flags[a] as number) & F.conditional) === 0
  )
    return false;
  const now = methodAround(after, a);
  if (now === undefined) return false;
  const then = childrenOf(before, decls.parent[b] as number).find(
    (other) => isFunctionLike(decls.kind[other] as number) && nameOf(before, other) === nameOf(after, now),
  );
  return then !== undefined && isAssignedIn(before, nameOf(before, b), then);
}

/** The method of the same class in whose body the field is declared. */
function methodAround(summary: Summary, field: number): number | undefined {
  const owner = summary.decls.parent[field] as number;
  if (owner < 0 || summary.decls.kind[owner] !== D.class) return undefined;
  return childrenOf(summary, owner).find(
    (other) =>
      isFunctionLike(summary.decls.kind[other] as number) &&
      isWithin(summary, summary.decls.start[field] as number, other),
  );
}

function isAssignedIn(summary: Summary, name: string, method: number): boolean {
  const row = nameId(summary, name);
  if (row < 0) return false;
  return summary.refs
    .subarray(summary.refStart[row], summary.refStart[row + 1])
    .some(
      (expr) => summary.exprs.role[expr] === R.write && isWithin(summary, summary.exprs.start[expr] as number, method),
    );
}

const isWithin = ({ decls }: Summary, at: number, method: number): boolean =>
  at >= (decls.bodyStart[method] as number) && at < (decls.end[method] as number);
