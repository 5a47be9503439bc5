/**
 * An import of a declaration that a rewrite names where its name meant nothing before.
 *
 *     from cart import Cart   ->   from cart import Cart, total
 *
 * It joins an import of the same module where that can list another name, and is a statement of its
 * own otherwise. Refused where the two files would import each other, where no name of a module
 * leads to the declaration, and where its file keeps it to itself.
 */
import { shownName } from '../../../base/shown.js';
import type { TextEdit } from '../../../base/text-edit.js';
import type { DeclRef } from '../../../languages/language.js';
import { isReached, reachOf } from '../../../impact/judge-access.js';
import { F, type Summary } from '../../../syntax/summary.js';
import { importEdits } from '../../import-merge.js';
import { importInto, importStatements, listsValues } from './import-statement.js';
import { fileOf, moduleNameOf } from './module-name.js';
import type { RewriteSite } from '../rewrite.js';

export type AddedImport =
  { readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' };

/** Edits of the site's file that import `target` under its own name. */
export function addImport(context: RewriteSite, target: DeclRef): AddedImport {
  const { summary, graphs, block, text } = context;
  const cannot = (reason: string): AddedImport => ({ cannot: reason, needs: 'model' });
  if (importsFrom(context, target.file))
    return cannot(`${shownName(target.file)} imports ${shownName(block.file)}: the two would import each other`);
  const name = graphs.after.summary(target.file).decls.nameOf(target.decl);
  const own = summary.imports.find(
    (entry) => entry.kind === 'name' && fileOf(graphs.after, entry.module, block.file) !== undefined,
  );
  // A file without imports of its own writes them as the one does that the definition comes from.
  const home = context.site.cause.before?.file;
  const theirs =
    own !== undefined || home === undefined || !graphs.before.repo.hasFile(home)
      ? undefined
      : graphs.before
          .summary(home)
          .imports.find((entry) => entry.kind === 'name' && fileOf(graphs.before, entry.module, home) !== undefined);
  const like = own ?? theirs;
  const likeFrom = theirs === undefined || home === undefined ? block.file : home;
  const module = moduleNameOf(graphs, block.file, likeFrom, target, like?.module);
  if (module === undefined) return cannot(`no module name leads from ${shownName(block.file)} to where ${name} is now`);
  const { writing } = graphs.after.language(block.file);
  const reach = reachOf(graphs.after, target);
  if (!isReached(graphs.after, { ...context.site, file: block.file, block: -1 }, target, reach))
    return cannot(`${name} is kept to the package that it stands in`);
  if (isKept(graphs.after.summary(target.file), target.decl, name))
    return cannot(`${shownName(target.file)} does not export ${name}`);
  const alike = writing.listsNames
    ? importStatements(summary, text).filter((statement) => listsValues(text, statement))
    : [];
  const joined = importInto(text, alike, [name], module);
  if (joined !== undefined) return { edits: joined };
  // What is imported as a type alone is no pattern for what may be a value.
  const written =
    own === undefined
      ? undefined
      : text.slice(own.statementStart, own.statementEnd).replace(/^import\s+type\b/, 'import');
  const result = importEdits(
    text,
    summary,
    `${writing.importStatement(module, name, undefined, written)}\n`,
    text.includes('\r\n') ? '\r\n' : '\n',
    context.summarise,
  );
  return result.ok ? { edits: result.edits } : cannot(result.reason);
}

/** Whether the file says what it exports, and this is not among it. */
function isKept({ decls, exports }: Summary, decl: number, name: string): boolean {
  const isExported = (row: number): boolean => decls.has(row, F.exported);
  return (
    !isExported(decl) &&
    !exports.some((entry) => entry.module === undefined && entry.local === name) &&
    Array.from({ length: decls.count }, (_, row) => row).some(isExported)
  );
}

/** Whether the target imports the site's file; an import of what moves along is dropped, and does not count. */
export function importsFrom({ graphs, block, changes }: RewriteSite, target: string): boolean {
  const moving = new Set(
    changes
      .filter((change) => change.before?.file === block.file && change.after?.file === target)
      .map((change) => change.block),
  );
  return graphs.after
    .summary(target)
    .imports.some((entry) => !moving.has(entry.name) && fileOf(graphs.after, entry.module, target) === block.file);
}
