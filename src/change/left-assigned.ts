/**
 * A field whose declaration is gone while an assignment of it is left, in a language where that
 * assignment declares it (Python). An edit that moves the declaration into the constructor looks
 * the same, so it has to be an assignment that was there before, and that does not always run, since
 * it stands under a condition or in another method: when it did not, what is read is missing.
 *
 *     class A:
 *         delay = None                  # deleted
 *         def __init__(self, n):
 *             if n: self.delay = 1 / n  # what is left
 */
import { D, F, isFieldLike, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { languageById } from '../languages/registry.js';
import { childrenOf } from './match-blocks.js';

/** Whether the blocks are such a field before, and the assignment that is left of it. */
export function isOnlyLeftAssigned(before: Summary, b: number, after: Summary, a: number): boolean {
  const { decls } = before;
  if (!isFieldLike(decls.kindOf(b)) || decls.valueOf(b) < 0 || methodAround(before, b) !== undefined) return false;
  const now = methodAround(after, a);
  if (now === undefined || alwaysRuns(after, a, now)) return false;
  const then = childrenOf(before, decls.parentOf(b)).find(
    (other) => isFunctionLike(decls.kindOf(other)) && before.decls.nameOf(other) === after.decls.nameOf(now),
  );
  return then !== undefined && isAssignedIn(before, before.decls.nameOf(b), then);
}

/** Whether whoever makes an object runs the assignment. */
const alwaysRuns = ({ decls, language }: Summary, field: number, method: number): boolean =>
  !decls.has(field, F.conditional) && decls.nameOf(method) === languageById(language).constructorName;

/** The method of the same class in whose body the field is declared. */
function methodAround(summary: Summary, field: number): number | undefined {
  const owner = summary.decls.parentOf(field);
  if (owner < 0 || summary.decls.kindOf(owner) !== D.class) return undefined;
  return childrenOf(summary, owner).find(
    (other) => isFunctionLike(summary.decls.kindOf(other)) && isWithin(summary, summary.decls.startOf(field), other),
  );
}

function isAssignedIn(summary: Summary, name: string, method: number): boolean {
  const row = summary.idOf(name);
  if (row < 0) return false;
  return summary.exprs
    .named(row)
    .some((expr) => summary.exprs.roleOf(expr) === R.write && isWithin(summary, summary.exprs.startOf(expr), method));
}

const isWithin = ({ decls }: Summary, at: number, method: number): boolean =>
  at >= decls.bodyStartOf(method) && at < decls.endOf(method);
