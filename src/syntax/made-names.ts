/**
 * Names of members that are made at run time, of which a part is written:
 *
 *     getattr(self, "visit_" + kind)      this[`on${event}`]()
 *
 * Such a place has an operator row: the object, and beside it a row whose name is the written parts with `…` for the
 * others (`visit_…`). It gives no reference; what is spelled so may be meant.
 */
import { E, type Summary } from './summary.js';
import type { SummaryBuilder } from './summary-builder.js';

/** Name of these operator rows. No identifier has a space, so that the files that have one are found by it. */
const MADE_NAME = 'made name';
/** Stands for what is not written. */
export const MADE_PART = '…';
/** With fewer characters written it may be nearly any name. */
const WRITTEN_LEAST = 3;

export interface MadeName {
  /** The row of the place. */
  readonly expr: number;
  /** The row of the object whose member is taken. */
  readonly object: number;
  readonly pattern: string;
}

/** Notes such a place. `pattern`: '' or without anything written, for a name of which nothing is known. */
export function noteMadeName(
  build: SummaryBuilder,
  at: { readonly start: number; readonly end: number; readonly scope: number },
  object: number,
  pattern: string,
): void {
  const written = pattern.replaceAll(MADE_PART, '');
  if (object === -1 || written.length < WRITTEN_LEAST || written === pattern || !/^[\p{L}\p{N}_]+$/u.test(written))
    return;
  const name = build.expr(E.other, at.start, at.start, at.scope, pattern);
  build.expr(E.operator, at.start, at.end, at.scope, MADE_NAME, object, name);
}

export const filesWithMadeNames = (repo: {
  readonly filesMentioning: (name: string) => readonly string[];
}): readonly string[] => repo.filesMentioning(MADE_NAME);

export function madeNamesOf(summary: Summary): readonly MadeName[] {
  const { exprs } = summary;
  const id = summary.idOf(MADE_NAME);
  if (id < 0) return [];
  return exprs
    .ofOp(E.operator)
    .filter((expr) => exprs.nameIdOf(expr) === id)
    .map((expr) => ({ expr, object: exprs.operandOf(expr), pattern: exprs.nameOf(exprs.secondOf(expr)) }));
}

/** Whether a name can be made so. */
export function canBeMade(pattern: string, name: string): boolean {
  let at = 0;
  const parts = pattern.split(MADE_PART);
  const last = parts.pop() ?? '';
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
