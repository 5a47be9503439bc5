/**
 * A field that is declared by assignment, was given another name where it is assigned first, and is
 * still assigned under the old one elsewhere.
 *
 *     def __init__(self): self.count = 1        def __init__(self): self.total = 1
 *     def reset(self):    self.count = 1   ->   def reset(self):    self.count = 1
 *
 * By name alone `count` is declared in `reset` now and `total` is new. It counts as renamed where the
 * assignment is otherwise the same, and stands at the same place among those of its function.
 */
import { D, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import type { Version } from './version.js';

export interface RenamedInPlace {
  readonly before: number;
  readonly after: number;
  /** Row that the old name has now: what is left of the field. */
  readonly left: number;
}

/** `oldRows`, `newRows`: the fields, or variables, of one class or module. */
export function renamedInPlace(
  before: Version,
  oldRows: readonly number[],
  after: Version,
  newRows: readonly number[],
): RenamedInPlace[] {
  const oldNames = new Set(oldRows.map((row) => before.summary.decls.nameOf(row)));
  const newNames = new Set(newRows.map((row) => after.summary.decls.nameOf(row)));
  const out: RenamedInPlace[] = [];
  for (const row of oldRows) {
    const name = before.summary.decls.nameOf(row);
    const left = newRows.find((other) => after.summary.decls.nameOf(other) === name);
    if (left === undefined || !isAssignedAgain(before.summary, row)) continue;
    const place = placeOf(before.summary, row, oldRows);
    const now = newRows.find(
      (other) =>
        !isDeclaredBeside(before.summary, row, after.summary.decls.nameOf(other)) &&
        placeOf(after.summary, other, newRows) === place &&
        assignment(before, row) === assignment(after, other),
    );
    const isMoved = now !== undefined && placeOf(after.summary, left, newRows) !== place;
    if (isMoved && [...oldNames].every((other) => newNames.has(other))) out.push({ before: row, after: now, left });
  }
  return out;
}

/** Whether the scope of a declaration has the name, by an import too. */
function isDeclaredBeside(summary: Summary, decl: number, name: string): boolean {
  const row = summary.idOf(name);
  return row >= 0 && summary.decls.inScope(summary.decls.scopeOf(decl), row).length > 0;
}

/** Whether the name is assigned in another place too. */
function isAssignedAgain({ exprs, decls }: Summary, decl: number): boolean {
  const row = decls.nameIdOf(decl);
  const at = decls.nameStartOf(decl);
  return (
    exprs
      .named(row)
      .some(
        (expr) => (exprs.roleOf(expr) === R.write || exprs.roleOf(expr) === R.declares) && exprs.startOf(expr) !== at,
      ) || decls.named(row).some((other) => other !== decl && decls.scopeOf(other) === decls.scopeOf(decl))
  );
}

/**
 * Whether two fields that are assigned in a function stand alike in it: as many in front of them, or behind the same
 * one, or in front of the same one. Of `self.size = None` and `self.mode = None` nothing else says that one became the
 * other.
 */
export function standAlike(
  before: Version,
  b: number,
  oldRows: readonly number[],
  after: Version,
  a: number,
  newRows: readonly number[],
): boolean {
  if (functionAround(before.summary, b) < 0 || functionAround(after.summary, a) < 0) return true;
  const [old, now] = [neighbours(before.summary, b, oldRows), neighbours(after.summary, a, newRows)];
  return old.index === now.index || old.previous === now.previous || old.next === now.next;
}

/** The place among the fields that the same function assigns, and the names that stand beside. */
function neighbours(summary: Summary, decl: number, rows: readonly number[]) {
  const around = functionAround(summary, decl);
  const all = rows
    .filter((row) => functionAround(summary, row) === around)
    .sort((x, y) => summary.decls.startOf(x) - summary.decls.startOf(y));
  const index = all.indexOf(decl);
  const nameAt = (at: number): string => (all[at] === undefined ? '' : summary.decls.nameOf(all[at]));
  return { index, previous: nameAt(index - 1), next: nameAt(index + 1) };
}

/** The function that the assignment stands in, and how many stand in front of it there. */
function placeOf(summary: Summary, decl: number, rows: readonly number[]): string {
  const around = functionAround(summary, decl);
  const before = rows.filter(
    (row) => summary.decls.startOf(row) < summary.decls.startOf(decl) && functionAround(summary, row) === around,
  ).length;
  return `${around < 0 ? '' : summary.decls.nameOf(around)} ${before}`;
}

/** The innermost function whose text holds the declaration; -1 for none. */
function functionAround({ decls }: Summary, decl: number): number {
  const at = decls.startOf(decl);
  let found = -1;
  for (let row = 0; row < decls.count; row++) {
    if (
      isFunctionLike(decls.kindOf(row)) &&
      decls.kindOf(row) !== D.lambda &&
      decls.startOf(row) <= at &&
      decls.endOf(row) > at
    )
      found = row;
  }
  return found;
}

/** The assignment's text without the name. */
function assignment({ summary, text }: Version, decl: number): string {
  const { decls } = summary;
  const nameStart = decls.nameStartOf(decl);
  return (
    text.slice(decls.startOf(decl), nameStart) +
    text.slice(nameStart + summary.decls.nameOf(decl).length, decls.endOf(decl))
  );
}
