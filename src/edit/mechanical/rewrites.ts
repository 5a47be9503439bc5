/**
 * The table of rewrites. The first that answers for a site decides; one line a rewrite.
 */
import type { TextEdit } from '../../base/text-edit.js';
import { addParameter } from './rewrites/add-parameter.js';
import { addThrows } from './rewrites/add-throws.js';
import { bringImports } from './rewrites/bring-imports.js';
import { defaultImport } from './rewrites/default-import.js';
import { dropImport } from './rewrites/drop-import.js';
import { dropMark } from './rewrites/drop-mark.js';
import { dropResult } from './rewrites/drop-result.js';
import { dropUnread } from './rewrites/drop-unread.js';
import { followBound } from './rewrites/follow-bound.js';
import { followFile } from './rewrites/follow-file.js';
import { followMove } from './rewrites/follow-move.js';
import { followSpace } from './rewrites/follow-space.js';
import { implementMember } from './rewrites/implement-member.js';
import { importForm } from './rewrites/import-form.js';
import { importMoved } from './rewrites/import-moved.js';
import { keywordArguments } from './rewrites/keyword-arguments.js';
import { makeAsync } from './rewrites/make-async.js';
import { makeProperty } from './rewrites/make-property.js';
import { makeStatic } from './rewrites/make-static.js';
import { overrideSignature } from './rewrites/override-signature.js';
import { readdressImport } from './rewrites/readdress-import.js';
import { readdressTable } from './rewrites/readdress-table.js';
import { removeParameter } from './rewrites/remove-parameter.js';
import { rename } from './rewrites/rename.js';
import { renameBinding } from './rewrites/rename-binding.js';
import { renameParameter } from './rewrites/rename-parameter.js';
import { renameSpelled } from './rewrites/rename-spelled.js';
import { renameTypeParameter } from './rewrites/rename-type-parameter.js';
import { reorderParameters } from './rewrites/reorder-parameters.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';
import { turnMethod } from './rewrites/turn-method.js';

export const REWRITES: readonly Rewrite[] = [
  dropUnread,
  renameSpelled,
  followSpace,
  followFile,
  readdressTable,
  makeStatic,
  turnMethod,
  defaultImport,
  dropMark,
  followMove,
  dropImport,
  importMoved,
  bringImports,
  readdressImport,
  renameBinding,
  importForm,
  addThrows,
  rename,
  makeProperty,
  makeAsync,
  renameParameter,
  renameTypeParameter,
  removeParameter,
  reorderParameters,
  addParameter,
  keywordArguments,
  dropResult,
  overrideSignature,
  followBound,
  implementMember,
];

/** What rules make of a site: edits, a reason against, or undefined when no rule is about it. */
export function rewriteSite(
  site: RewriteSite,
): { readonly rewrite: Rewrite; readonly result: RewriteResult } | undefined {
  // A name that is imported, or spelled anew, is out of reach all the same.
  // What a class is handed to calls it: no arguments are written there.
  if (site.site.rule === 'moved-out-of-reach' || site.site.rule.endsWith('/handed-UsedBy')) return undefined;
  for (const rewrite of REWRITES) {
    const result = rewrite.rewrite(site);
    if (result === undefined) continue;
    if ('edits' in result && isHandedByPlace(site, result.edits))
      return {
        rewrite,
        result: { cannot: 'another function decides which parameter its arguments are for', needs: 'model' },
      };
    const isEdited = 'edits' in result && result.edits.length > 0;
    const other = isEdited ? boundOutside(site) : undefined;
    return other === undefined
      ? { rewrite, result }
      : { rewrite, result: { cannot: `${other} stands for something from outside on another way`, needs: 'person' } };
  }
  return undefined;
}

/** Whether the edits are of arguments by place in a call of something that hands its arguments on, among others. */
function isHandedByPlace(
  { site: { rule, expr }, summary: { exprs } }: RewriteSite,
  edits: readonly TextEdit[],
): boolean {
  const call = rule !== 'handed-arguments' || expr < 0 ? -1 : exprs.callOf(expr);
  if (call < 0) return false;
  const byPlace = exprs.argumentsOf(call).filter((argument) => argument.keyword === '');
  return edits.some(
    ({ start, end, text }) =>
      (start === end && !text.includes('=')) ||
      byPlace.some((argument) => start < exprs.endOf(argument.expr) && exprs.startOf(argument.expr) < end),
  );
}

/**
 * What changed, or the type around it, if its file binds the same name to something from outside as well, which keeps
 * its own: `try: from fast import dumps`, `except ImportError: def dumps(…)`.
 */
function boundOutside({ graphs: { before }, site: { cause } }: RewriteSite): string | undefined {
  if (cause.before === undefined || cause.before.decl < 0) return undefined;
  const { decls } = before.summary(cause.before.file);
  let top = cause.before.decl;
  while (decls.parentOf(top) >= 0) top = decls.parentOf(top);
  const name = decls.nameOf(top);
  return before.topLevel(cause.before.file, name).some(({ kind }) => kind === 'external') ? name : undefined;
}
