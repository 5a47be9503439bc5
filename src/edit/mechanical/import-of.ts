/**
 * Edits that let a file say the name of something declared elsewhere: an import in the style of
 * those that it has.
 */
import type { TextEdit } from '../../base/text-edit.js';
import type { DeclRef } from '../../languages/language.js';
import { nameOf } from '../../syntax/summary.js';
import { importEdits } from '../import-merge.js';
import { importInto, importStatements, listsValues } from './import-statement.js';
import { fileOf, moduleNameOf } from './module-name.js';
import type { RewriteSite } from './rewrite.js';

export type ImportOf = { readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' };

/** An import of a declaration of another file, whatever its name means so far; it joins one of the same module that can list it. */
export function addedImport({ graphs, block, summary, text, summarise }: RewriteSite, target: DeclRef): ImportOf {
  const name = nameOf(graphs.after.summary(target.file), target.decl);
  const like = summary.imports.find((entry) => entry.kind === 'name' && fileOf(graphs.after, entry.module, block.file) !== undefined);
  const module = moduleNameOf(graphs, block.file, block.file, target, like?.module);
  if (module === undefined) return { cannot: `no module name leads from ${block.file} to where ${name} is now`, needs: 'model' };
  const { writing } = graphs.after.language(block.file);
  const alike = writing.listsNames ? importStatements(summary, text).filter((statement) => listsValues(text, statement)) : [];
  const joined = importInto(text, alike, [name], module);
  if (joined !== undefined) return { edits: joined };
  const written = like === undefined ? undefined : text.slice(like.statementStart, like.statementEnd);
  const statement = writing.importStatement(module, name, undefined, written);
  const result = importEdits(text, summary, `${statement}\n`, text.includes('\r\n') ? '\r\n' : '\n', summarise);
  return result.ok ? { edits: result.edits } : { cannot: result.reason, needs: 'model' };
}

/** Whether a file imports the site's own: what moves to it does not count. */
export function importsBack({ graphs, block, changes }: RewriteSite, target: string): boolean {
  const moving = new Set(changes.filter((change) => change.before?.file === block.file && change.after?.file === target).map((change) => change.block));
  return graphs.after.summary(target).imports.some((entry) => !moving.has(entry.name) && fileOf(graphs.after, entry.module, target) === block.file);
}
