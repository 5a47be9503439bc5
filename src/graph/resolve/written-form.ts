/**
 * Whether two types are written alike, perhaps in different files: by the names and the structure
 * of their rows. Qualifiers do not count, and nothing is resolved.
 */
import { E, type Summary } from '../../syntax/summary.js';

/** -1 for no type: alike only with another missing one. */
export function sameWritten(a: Summary, rowA: number, b: Summary, rowB: number): boolean {
  if (rowA < 0 || rowB < 0) return rowA < 0 && rowB < 0;
  const opA = operatorOf(a, rowA);
  if (opA !== operatorOf(b, rowB) || nameAt(a, rowA) !== nameAt(b, rowB)) return false;
  const hasBase = opA === E.index || opA === E.array || opA === E.functionType;
  if (hasBase && !sameWritten(a, a.exprs.operandOf(rowA), b, b.exprs.operandOf(rowB))) return false;
  if (opA !== E.index && opA !== E.union && opA !== E.list && opA !== E.functionType) return true;
  const listA = a.exprs.partsOf(rowA);
  const listB = b.exprs.partsOf(rowB);
  return listA.length === listB.length && listA.every((row, i) => sameWritten(a, row, b, listB[i] as number));
}

/** A qualified name is its last part. */
const operatorOf = ({ exprs }: Summary, row: number): number =>
  exprs.opOf(row) === E.member ? E.name : exprs.opOf(row);

const nameAt = (summary: Summary, row: number): string => summary.exprs.nameOf(row);
