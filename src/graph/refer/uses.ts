/**
 * Where the value of a row goes in its own file: what it is part of, less what only looks at it.
 */
import type { Use } from '../../syntax/parts.js';
import type { ExprRow } from '../../syntax/rows.js';
import type { Summary } from '../../syntax/summary.js';

/** As what a value is handed on, changed, or run. */
const CARRIES: ReadonlySet<Use['kind']> = new Set<Use['kind']>([
  'callee',
  'argument',
  'value',
  'result',
  'entry',
  'part',
  'same',
  'operand',
  'place',
  'stored',
  'receiver',
  'decorator',
]);

export const usesOf = ({ exprs }: Summary, row: ExprRow): readonly Use[] =>
  exprs.usesOf(row).filter((use) => CARRIES.has(use.kind));
