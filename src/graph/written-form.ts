/**
 * Whether two types are written alike, perhaps in different files: by the names and the structure
 * of their rows. Qualifiers do not count, and nothing is resolved.
 */
import { E, listAt, type Summary } from '../syntax/summary.js';

/** -1 for no type: alike only with another missing one. */
export function sameWritten(a: Summary, rowA: number, b: Summary, rowB: number): boolean {
  if (rowA < 0 || rowB < 0) return rowA < 0 && rowB < 0;
  const opA = operatorOf(a, rowA);
  if (opA !== operatorOf(b, rowB) || nameAt(a, rowA) !== nameAt(b, rowB)) return false;
  const hasBase = opA === E.index || opA === E.array || opA === E.functionType;
  if (hasBase && !sameWritten(a, a.exprs.a[rowA] as number, b, b.exprs.a[rowB] as number)) return false;
  if (opA !== E.index && opA !== E.union && opA !== E.list && opA !== E.functionType) return true;
  const listA = listAt(a, a.exprs.b[rowA] as number);
  const listB = listAt(b, b.exprs.b[rowB] as number);
  return listA.length === listB.length && listA.every((row, i) => sameWritten(a, row, b, listB[i] as number));
}

/** A qualified name is its last part. */
const operatorOf = ({ exprs }: Summary, row: number): number =>
  exprs.op[row] === E.member ? E.name : (exprs.op[row] as number);

const nameAt = (summary: Summary, row: number): string => summary.names[summary.exprs.name[row] as number] ?? '';
