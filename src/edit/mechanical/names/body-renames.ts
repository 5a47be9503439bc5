/**
 * A parameter's new name in the body of its function, nested functions included.
 *
 * Refused where the body says the new name already: it means something else there, and one of the
 * two would be captured.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { E, type Summary } from '../../../syntax/summary.js';
import type { RewriteResult } from '../rewrite.js';
import { mentionEdit } from './shorthand.js';

/**
 * `rows`: mentions of the old name that mean the parameter; `saysNew`: whether the body mentioned the new name before.
 */
export function bodyRenames(
  summary: Summary,
  names: { readonly from: string; readonly to: string },
  rows: readonly number[],
  saysNew: boolean,
): RewriteResult {
  if (saysNew) return { cannot: `its body uses the name ${names.to} for something else`, needs: 'model' };
  return { edits: rows.map((row): TextEdit => mentionEdit(summary, row, names)) };
}

/** Bare mentions of a name inside a block. */
export function mentionsIn(summary: Summary, decl: number, name: string): number[] {
  const row = summary.idOf(name);
  if (row < 0) return [];
  const out: number[] = [];
  for (const expr of summary.exprs.named(row)) {
    const at = summary.exprs.startOf(expr);
    if (summary.exprs.opOf(expr) === E.name && at >= summary.decls.startOf(decl) && at < summary.decls.endOf(decl))
      out.push(expr);
  }
  return out;
}
