/**
 * What stands in front of a member: `store` in `store.put(1)`.
 */
import { E, type Summary } from '../../syntax/summary.js';

/** Where the expression of a row begins; the row of a member or of a call covers no more than its own end. */
export function startOfRow({ exprs }: Summary, expr: number): number {
  let first = expr;
  while ((exprs.op[first] === E.member || exprs.op[first] === E.call || exprs.op[first] === E.index) && (exprs.a[first] as number) >= 0) first = exprs.a[first] as number;
  return Math.min(exprs.start[first] as number, exprs.start[expr] as number);
}

/** Whether nothing happens when the row is evaluated: a name, the instance itself, or members of these. */
export function isPlainRow({ exprs }: Summary, expr: number): boolean {
  const op = exprs.op[expr];
  return op === E.name || op === E.this || op === E.super || (op === E.member && (exprs.a[expr] as number) >= 0 && isPlainRow({ exprs } as Summary, exprs.a[expr] as number));
}
