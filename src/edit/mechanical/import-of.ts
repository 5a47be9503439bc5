/**
 * Edits that let a file say the name of something declared elsewhere: an import in the style of
 * those that it has, or nothing where the name means it already.
 */
import type { TextEdit } from '../../base/text-edit.js';
import { lookUp } from '../../graph/names.js';
import type { DeclRef } from '../../languages/language.js';
import { nameOf, R } from '../../syntax/summary.js';
import { importEdits } from '../import-merge.js';
import { fileOf, moduleNameOf } from './module-name.js';
import type { RewriteSite } from './rewrite.js';

export type ImportOf = { readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' };

/** The edits, or why the name would mean something else. `scope`: where the name is to be said. */
export function importOf(context: RewriteSite, target: DeclRef, scope: number): ImportOf {
  const { graphs, block, summary } = context;
  const name = nameOf(graphs.after.summary(target.file), target.decl);
  const [here] = lookUp(graphs.after, block.file, summary, scope, name, R.type).targets;
  if (here === undefined) return target.file === block.file ? { cannot: `${name} cannot be said here`, needs: 'model' } : addedImport(context, target);
  return here.file === target.file && here.decl === target.decl ? { edits: [] } : { cannot: `${name} means something else in ${block.file}`, needs: 'model' };
}

/** An import of a declaration of another file, whatever its name means so far. */
export function addedImport({ graphs, block, summary, text, summarise }: RewriteSite, target: DeclRef): ImportOf {
  const name = nameOf(graphs.after.summary(target.file), target.decl);
  const like = summary.imports.find((entry) => entry.kind === 'name' && fileOf(graphs.after, entry.module, block.file) !== undefined);
  const module = moduleNameOf(graphs, block.file, block.file, target, like?.module);
  if (module === undefined) return { cannot: `no module name leads from ${block.file} to where ${name} is now`, needs: 'model' };
  const written = like === undefined ? undefined : text.slice(like.statementStart, like.statementEnd);
  const statement = graphs.after.language(block.file).writing.importStatement(module, name, undefined, written);
  const result = importEdits(text, summary, `${statement}\n`, text.includes('\r\n') ? '\r\n' : '\n', summarise);
  return result.ok ? { edits: result.edits } : { cannot: result.reason, needs: 'model' };
}
