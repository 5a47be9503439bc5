/**
 * The table of rewrites. The first that answers for a site decides; one line a rewrite.
 */
import { addParameter } from './add-parameter.js';
import { addThrows } from './add-throws.js';
import { bringImports } from './bring-imports.js';
import { dropImport } from './drop-import.js';
import { dropUnread } from './drop-unread.js';
import { followFile } from './follow-file.js';
import { followMove } from './follow-move.js';
import { followSpace } from './follow-space.js';
import { implementMember } from './implement-member.js';
import { importForm } from './import-form.js';
import { importMoved } from './import-moved.js';
import { keywordArguments } from './keyword-arguments.js';
import { makeAsync } from './make-async.js';
import { makeProperty } from './make-property.js';
import { makeStatic } from './make-static.js';
import { overrideSignature } from './override-signature.js';
import { removeParameter } from './remove-parameter.js';
import { rename } from './rename.js';
import { renameBinding } from './rename-binding.js';
import { renameParameter } from './rename-parameter.js';
import { renameSpelled } from './rename-spelled.js';
import { renameTypeParameter } from './rename-type-parameter.js';
import { reorderParameters } from './reorder-parameters.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';
import { turnMethod } from './turn-method.js';

export const REWRITES: readonly Rewrite[] = [
  dropUnread,
  renameSpelled,
  followSpace,
  followFile,
  makeStatic,
  turnMethod,
  followMove,
  dropImport,
  importMoved,
  bringImports,
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
  overrideSignature,
  implementMember,
];

/** What rules make of a site: edits, a reason against, or undefined when no rule is about it. */
export function rewriteSite(
  site: RewriteSite,
): { readonly rewrite: Rewrite; readonly result: RewriteResult } | undefined {
  for (const rewrite of REWRITES) {
    const result = rewrite.rewrite(site);
    if (result !== undefined) return { rewrite, result };
  }
  return undefined;
}
