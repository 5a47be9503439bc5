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
import { isDefaultName } from '../../../change/compare-exports.js';
import { isReached, reachOf } from '../../../impact/judge-access.js';
import { D, F, type Summary } from '../../../syntax/summary.js';
import { importEdits } from '../../import-merge.js';
import { importInto, importStatements, listsValues } from './import-statement.js';
import { importPattern } from './import-pattern.js';
import { fileOf, moduleNameOf } from './module-name.js';
import type { RewriteSite } from '../rewrite.js';

export type AddedImport =
  { readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' };

/** What an import of a declaration says. */
export interface NewImport {
  readonly module: string;
  readonly name: string;
  /** False where it has to be imported as a type. */
  readonly isValue: boolean;
  /** A statement of its own, with the names listed. */
  readonly statement: (names: string) => string;
}

/** Edits of the site's file that import `target` under its own name. */
export function addImport(context: RewriteSite, target: DeclRef): AddedImport {
  const { summary, graphs, block, text } = context;
  const found = newImport(context, target);
  if ('cannot' in found) return found;
  const { module, name, isValue, statement } = found;
  const { writing } = graphs.after.language(block.file);
  const alike = writing.listsNames
    ? importStatements(summary, text).filter((one) => !one.isExport && listsValues(text, one) === isValue)
    : [];
  const joined = importInto(text, alike, [name], module);
  if (joined !== undefined) return { edits: joined };
  const result = importEdits(
    text,
    summary,
    `${statement(name)}\n`,
    text.includes('\r\n') ? '\r\n' : '\n',
    context.summarise,
  );
  return result.ok ? { edits: result.edits } : { cannot: result.reason, needs: 'model' };
}

/** How the site's file imports `target` under its own name, in the style of its own imports or of those beside it. */
export function newImport(
  context: RewriteSite,
  target: DeclRef,
): NewImport | { readonly cannot: string; readonly needs: 'model' } {
  const { graphs, block } = context;
  const cannot = (reason: string): { cannot: string; needs: 'model' } => ({ cannot: reason, needs: 'model' });
  const there = graphs.after.summary(target.file);
  const { writing } = graphs.after.language(block.file);
  const typesAlone = TYPES.has(there.decls.kindOf(target.decl)) ? writing.importsTypesAlone : undefined;
  // An import of a type is gone when the program runs, so a circle of them does no harm.
  const isErased = typesAlone !== undefined;
  if (!isErased && importsFrom(context, target.file))
    return cannot(`${shownName(target.file)} imports ${shownName(block.file)}: the two would import each other`);
  const name = there.decls.nameOf(target.decl);
  const pattern = importPattern(context);
  const module = moduleNameOf(graphs, block.file, pattern?.file ?? block.file, target, pattern?.module);
  if (module === undefined) return cannot(`no module name leads from ${shownName(block.file)} to where ${name} is now`);
  const reach = reachOf(graphs.after, target);
  if (!isReached(graphs.after, { ...context.site, file: block.file, block: -1 }, target, reach))
    return cannot(`${name} is kept to the package that it stands in`);
  if (isKept(there, target.decl, name)) return cannot(`${shownName(target.file)} does not export ${name}`);
  const isType = typesAlone?.(block.file, graphs.after.repo) === true;
  // What is imported or exported as a type alone is no pattern for what may be a value.
  const like = pattern?.statement.replace(/^(?:import|export)\s+(?:type\b\s*)?/, isType ? 'import type ' : 'import ');
  return {
    module,
    name,
    isValue: !isType,
    statement: (names) =>
      writing.importStatement(module, names, undefined, like ?? (isType ? "import type { } from '';" : undefined)),
  };
}

/** What is a type and nothing else. */
const TYPES: ReadonlySet<number> = new Set([D.interface, D.typeAlias]);

/** Whether the file says what it exports, and this is not among it. */
function isKept({ decls, exports }: Summary, decl: number, name: string): boolean {
  const isExported = (row: number): boolean => decls.has(row, F.exported);
  return (
    !isExported(decl) &&
    !exports.some((entry) => entry.module === undefined && entry.local === name) &&
    (Array.from({ length: decls.count }, (_, row) => row).some(isExported) ||
      exports.some((entry) => isDefaultName(entry.name)))
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
