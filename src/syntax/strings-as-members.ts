/** Strings that name a member in a call such as `getattr(o, 'size')`, which has a row as `o.size` has. */
import { E, PERHAPS, type Summary } from './summary.js';

/** Whether the string's text is that of a member's row too: it says nothing more than that row. */
export function namesMember({ exprs }: Summary, string: number): boolean {
  if (exprs.opOf(string) !== E.string) return false;
  const start = exprs.startOf(string);
  return [...exprs.named(exprs.nameIdOf(string))].some(
    (row) => exprs.opOf(row) === E.member && exprs.startOf(row) === start,
  );
}

/** Whether the row takes a member that need not be there: another value is given in its place, or it is only asked. */
export function isAskedWhetherThere({ exprs }: Summary, row: number): boolean {
  const object = exprs.opOf(row) === E.member ? exprs.operandOf(row) : -1;
  return object >= 0 && exprs.opOf(object) === E.union && exprs.nameOf(object) === PERHAPS;
}
