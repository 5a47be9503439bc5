/** Rows of a summary as arrays, for tests that look at all of them. */
import type { Summary } from '#src/syntax/summary.js';

/** All rows of a table, in their order. */
export const rowsOf = ({ count }: { readonly count: number }): number[] =>
  Array.from({ length: count }, (_, row) => row);

/** Offsets of the names of all declarations, -1 among them. */
export const nameStarts = ({ decls }: Summary): number[] => rowsOf(decls).map((decl) => decls.nameStartOf(decl));

/** The first declaration of a kind, -1 for none. */
export const ofKind = ({ decls }: Summary, kind: number): number =>
  rowsOf(decls).findIndex((decl) => decls.kindOf(decl) === kind);
