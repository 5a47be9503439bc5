/**
 * Whether a block has something of a name, such as that of a new parameter: likelier than others to
 * follow what changed there.
 */
import { type Summary } from '../syntax/summary.js';

/**
 * It mentions or declares the name, stands in a declaration with such a type parameter, or in a file that is named
 * after it. `decl` -1 is the whole file.
 */
export function hasAtHand(file: string, summary: Summary, decl: number, name: string): boolean {
  const { decls, exprs } = summary;
  const isInside = (at: number): boolean => decl < 0 || (at >= decls.startOf(decl) && at < decls.endOf(decl));
  const row = summary.idOf(name);
  const isSaid =
    row >= 0 &&
    ([...summary.exprs.named(row)].some((expr) => isInside(exprs.startOf(expr))) ||
      [...summary.decls.named(row)].some((other) => isInside(decls.nameStartOf(other))));
  return (
    isSaid ||
    isTypeParameterAround(summary, decl, name) ||
    wordsOf(file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')).includes(name.toLowerCase())
  );
}

function isTypeParameterAround(summary: Summary, decl: number, name: string): boolean {
  for (let at = decl < 0 ? -1 : summary.decls.parentOf(decl); at >= 0; at = summary.decls.parentOf(at)) {
    if ([...summary.decls.typeParamsOf(at)].some((param) => summary.decls.nameOf(param) === name)) return true;
  }
  return false;
}

/** `expect-task.test.ts` and `ExpectTaskTest.java`: expect, task, test. */
const wordsOf = (fileName: string): string[] =>
  fileName.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
