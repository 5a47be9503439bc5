/**
 * A block gets another name: all that declares it does, its constructors where they are called
 * like the class, and its file where the language wants that (Java).
 */
import { folderOf, stemOf } from '../base/paths.js';
import { NOTHING_TOLD } from '../change/version.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { blockPath, D, F, isBlockKind, isClassLike, nameOf, type Summary } from '../syntax/summary.js';
import { keptExports } from './kept-exports.js';
import { definingPlaces } from './members-apart.js';
import { checkFree, checkName, checkOutside, checkWritten, mayBeOutside } from './new-name.js';
import { Edits, editedTexts, Refused, textOf, type Seed, type Sources } from './seed.js';

export interface RenameWish {
  /** Whether packages go on to export it under its old name. */
  readonly keepExports: boolean;
}

/** `found`: declarations of one block. */
export function renameSeed(
  sources: Sources,
  found: readonly DeclRef[],
  asked: string,
  { keepExports }: RenameWish,
): Seed {
  const [first] = found;
  if (first === undefined || first.decl < 0)
    throw new Refused('a file as a whole is renamed with rename-file', first === undefined ? [] : [first.file]);
  const { resolver } = sources;
  const summary = resolver.summary(first.file);
  const old = nameOf(summary, first.decl);
  // The sign of what is private to a class is a part of its name.
  const to = old.startsWith('#') && !asked.startsWith('#') ? `#${asked}` : asked;
  if (to.startsWith('#') && !old.startsWith('#'))
    throw new Refused(`${to} would be private to its class; give a name without the sign`);
  checkName(summary.language, to.replace(/^#/, ''));
  if (to === old) throw new Refused(`${blockPath(summary, first.decl)} is called ${to} already`);
  if (summary.decls.kindOf(first.decl) === D.constructor)
    throw new Refused('a constructor is called as its class says; rename the class');
  if (summary.decls.nameStartOf(first.decl) < 0)
    throw new Refused(`${blockPath(summary, first.decl)} has no name of its own`);
  const refs = found.flatMap((ref) =>
    resolver.language(ref.file).overloads ? [ref] : allOfPath(resolver.summary(ref.file), ref),
  );
  const declared = isClassLike(summary.decls.kindOf(first.decl)) ? refs.flatMap((ref) => resolver.bodies(ref)) : refs;
  const edits = new Edits();
  for (const ref of [...refs, ...declared]) {
    checkWritten(sources, ref.file);
    checkOutside(sources, ref, 'name');
    for (const start of namePlaces(resolver, ref, textOf(sources, ref.file), old))
      edits.add(ref.file, { start, end: start + old.length, text: to });
  }
  checkFree(sources, [...refs, ...declared], to);
  if (edits.byFile.size === 0)
    throw new Refused(`${old} is not written as one word where it is declared, ${first.file}`);
  const told = new Map(
    [...edits.byFile].map(([file, list]) => [
      file,
      { ...NOTHING_TOLD, blocks: new Map(list.map(({ start }) => [start, to])) },
    ]),
  );
  if (keepExports) for (const [file, kept] of keptExports(sources, refs, { from: old, to })) edits.add(file, ...kept);
  const texts = editedTexts(sources, edits.byFile);
  const renames = fileOfClass(sources, first, old, to);
  for (const [from, now] of renames) {
    texts.set(now, texts.get(from));
    texts.delete(from);
  }
  return {
    texts,
    renames,
    title: `rename ${blockPath(summary, first.decl)} to ${to}`,
    subjects: [{ before: first, name: old, newName: to }],
    told,
    notes: refs.flatMap((ref) => mayBeOutside(sources, ref)).slice(0, 1),
  };
}

/** An annotation and a callee fit in so many characters. */
const VALUE_HEAD_MOST = 400;

/** Every declaration of the block's path in the file: overloads, accessors, further assignments. */
function allOfPath(summary: Summary, { file, decl }: DeclRef): DeclRef[] {
  const path = blockPath(summary, decl);
  const { decls } = summary;
  return [...decls.named(decls.nameIdOf(decl))]
    .filter(
      (row) =>
        (isBlockKind(decls.kindOf(row)) || decls.has(row, F.reassigned)) &&
        decls.kindOf(row) !== D.namespace &&
        blockPath(summary, row) === path &&
        decls.scopeOf(row) === decls.scopeOf(decl),
    )
    .map((row) => ({ file, decl: row }));
}

/**
 * Where a declaration says its name: itself, constructors and finalisers that are called like it, and the string that
 * says it in its value.
 */
function namePlaces(resolver: Resolver, { file, decl }: DeclRef, text: string, name: string): number[] {
  const { decls } = resolver.summary(file);
  const end = decls.nameStartOf(decl) + name.length;
  const inValue = resolver.language(file).writing.namedInValue?.exec(text.slice(end, end + VALUE_HEAD_MOST));
  const again = inValue == null ? -1 : end + inValue[0].length;
  const isSaid = /["']/.test(text[again + name.length] ?? '');
  const starts = [decls.nameStartOf(decl), ...(again >= 0 && isSaid ? [again] : [])];
  if (isClassLike(decls.kindOf(decl)))
    for (let row = 0; row < decls.count; row++)
      if (decls.parentOf(row) === decl && decls.kindOf(row) !== D.anonymousClass) {
        const at = decls.nameStartOf(row);
        const isConstructor = decls.kindOf(row) === D.constructor || (at > 0 && text[at - 1] === '~');
        if (isConstructor) starts.push(at);
      }
  starts.push(...definingPlaces(resolver, { file, decl }, text));
  return starts.filter((start) => start >= 0 && text.startsWith(name, start));
}

/** The file that has to be called like the class at its top. */
function fileOfClass({ resolver }: Sources, { file, decl }: DeclRef, old: string, to: string): Map<string, string> {
  const summary = resolver.summary(file);
  const isOne =
    resolver.language(file).writing.filesSpellClass === true &&
    summary.decls.parentOf(decl) < 0 &&
    stemOf(file) === old;
  if (!isOne) return new Map();
  const folder = folderOf(file);
  const now = `${folder === '' ? '' : `${folder}/`}${to}${file.slice(file.lastIndexOf('.'))}`;
  if (resolver.repo.hasFile(now)) throw new Refused(`${now} exists, and ${to} would have to be in it`, [now]);
  return new Map([[file, now]]);
}
