/**
 * The name under which packages export a definition, kept when the definition gets another one:
 *
 *     from .helpers import send as send   ->   from .helpers import deliver as send      (Python)
 *     export { send } from './helpers'    ->   export { deliver as send } from './helpers'
 *
 * What exports is a package's own file, a re-export, `x as x`, and an import whose name the file lists among its
 * exports. Whoever takes the name from there means the same as before and is left alone; whoever takes it from where it
 * is defined follows. A file that passes on all that another one has cannot keep one name of it.
 */
import type { TextEdit } from '../base/text-edit.js';
import { fileOf } from '../edit/mechanical/imports/module-name.js';
import { entryEdit, isOwnAlias } from '../edit/mechanical/imports/rename-import.js';
import { isFolderFile } from '../languages/folder-file.js';
import type { DeclRef } from '../languages/language.js';
import { declKey } from '../syntax/rows.js';
import { blockPath, type Summary } from '../syntax/summary.js';
import { Refused, textOf, type Sources, type Texts } from './seed.js';

/** An entry by which a file exports the definition under its old name. */
interface Face {
  readonly file: string;
  readonly row: number;
  /** The file that it takes the name from. */
  readonly from: string | undefined;
}

/** Edits by file. `refs`: declarations of the one block that is called `old`. Throws Refused. */
export function keptExports(
  sources: Sources,
  refs: readonly DeclRef[],
  names: { readonly from: string; readonly to: string },
): ReadonlyMap<string, readonly TextEdit[]> {
  const { resolver } = sources;
  const [first] = refs;
  if (first === undefined) return new Map();
  const summary = resolver.summary(first.file);
  const path = blockPath(summary, first.decl);
  const { writing } = resolver.language(first.file);
  if (!writing.listsNames)
    throw new Refused(`${path} has one name for everybody: this language exports nothing under another`);
  if (summary.decls.parentOf(first.decl) >= 0)
    throw new Refused(`${path} is a member; only what stands by itself in a file is exported`);
  const faces = facesOf(sources, refs, first.file, names.from);
  const whole = [...resolver.repo.files].find(([file, of]) => passesOnAll(sources, file, of, first.file));
  if (whole !== undefined)
    throw new Refused(`${whole[0]} passes on all that ${first.file} has; name there what it exports first`, [whole[0]]);
  if (faces.length === 0)
    throw new Refused(`nothing exports ${names.from} but ${first.file} itself, so there is no other name to keep`);
  const exporting = new Set(faces.map(({ file }) => file));
  const edits = new Map<string, TextEdit[]>();
  for (const { file, row, from } of faces) {
    // What exports it from another such file finds the old name there.
    if (from !== undefined && exporting.has(from)) continue;
    const edit = entryEdit(resolver.summary(file), textOf(sources, file), row, names, 'old');
    edits.set(file, [...(edits.get(file) ?? []), edit]);
  }
  return edits;
}

/** Whether its exported name could be kept: something exports it, by its name, in a language that can. */
export function isExportedElsewhere(sources: Texts, refs: readonly DeclRef[]): boolean {
  const { resolver } = sources;
  const [first] = refs;
  if (first === undefined || !resolver.language(first.file).writing.listsNames) return false;
  const { decls } = resolver.summary(first.file);
  return decls.parentOf(first.decl) < 0 && facesOf(sources, refs, first.file, decls.nameOf(first.decl)).length > 0;
}

const facesOf = (sources: Texts, refs: readonly DeclRef[], home: string, name: string): Face[] =>
  sources.resolver.repo.snapshot
    .filesMentioning(name)
    .filter((file) => file !== home)
    .flatMap((file) => facesIn(sources, file, refs, name));

function facesIn(sources: Texts, file: string, refs: readonly DeclRef[], name: string): Face[] {
  const { resolver } = sources;
  const { imports, exports, decls } = resolver.summary(file);
  const text = textOf(sources, file);
  const meant = new Set(refs.map(declKey));
  const isMeant = (row: number): boolean =>
    row >= 0 && resolver.resolve(file, row).targets.some((target) => meant.has(declKey(target)));
  const isListed = exports.some((entry) => entry.module === undefined && entry.local === name);
  const isOffered = isFolderFile(file) && resolver.language(file).importsAreOffered;
  return [
    ...imports.filter(
      (entry) =>
        entry.kind === 'name' &&
        entry.name === name &&
        entry.decl >= 0 &&
        decls.nameOf(entry.decl) === name &&
        (isListed || isOffered || isOwnAlias(text.slice(entry.start, entry.end), name)),
    ),
    ...exports.filter((entry) => entry.module !== undefined && entry.local === name && entry.name === name),
  ].flatMap(({ expr, module }) =>
    isMeant(expr) ? [{ file, row: expr, from: module === undefined ? undefined : fileOf(resolver, module, file) }] : [],
  );
}

const passesOnAll = ({ resolver }: Sources, file: string, { imports, exports }: Summary, of: string): boolean =>
  (isFolderFile(file) &&
    imports.some((entry) => entry.kind === 'star' && fileOf(resolver, entry.module, file) === of)) ||
  exports.some(
    (entry) =>
      entry.module !== undefined &&
      entry.local === '*' &&
      entry.name === '*' &&
      fileOf(resolver, entry.module, file) === of,
  );
