/**
 * What a type expression calls its type.
 */
import type { Summary } from '../syntax/summary.js';

/** Last identifier of a type expression. */
export function rowName(summary: Summary, row: number): string {
  const name = summary.exprs.nameOf(row);
  const a = summary.exprs.operandOf(row);
  return name !== '' || a < 0 ? name : rowName(summary, a);
}
