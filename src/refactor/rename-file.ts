/**
 * A file gets another path. What a path says in the file itself follows at once: the package that
 * a folder means (Java), the namespace that has followed the folders so far (C#), and the type
 * that a file is called after.
 */
import { folderOf, stemOf } from '../base/paths.js';
import type { TextEdit } from '../base/text-edit.js';
import { applyEdits } from '../base/text-edit.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { languageOf } from '../languages/registry.js';
import { D, F, isClassLike, nameOf } from '../syntax/summary.js';
import { checkWritten } from './new-name.js';
import { renameSeed } from './rename.js';
import { Refused, textOf, type Seed, type Sources } from './seed.js';

export function renameFileSeed(sources: Sources, from: string, to: string): Seed {
  const { resolver } = sources;
  if (!resolver.repo.hasFile(from))
    throw new Refused(
      `the index has no file ${from}; give a path relative to the root, of a language that is indexed`,
      [from],
    );
  checkNewFile(resolver, from, to);
  checkWritten(sources, from);
  const title = `move ${from} to ${to}`;
  const type = typeOfFile(resolver, from);
  if (type !== undefined && stemOf(from) !== stemOf(to)) {
    // The type is renamed, and its file with it; what is left is the folder.
    const renamed = renameSeed(sources, [{ file: from, decl: type }], stemOf(to), { keepExports: false });
    const now = renamed.renames.get(from) ?? from;
    const text = renamed.texts.get(now) ?? '';
    const texts = new Map([...renamed.texts].filter(([path]) => path !== now));
    texts.set(to, withSpace(sources, from, to, text));
    return { ...renamed, texts, renames: new Map([[from, to]]), title };
  }
  return {
    texts: new Map([[to, withSpace(sources, from, to, textOf(sources, from))]]),
    renames: new Map([[from, to]]),
    title,
    subjects: [],
  };
}

/** Throws Refused for a path that no new file of the same language can have. */
export function checkNewFile(resolver: Resolver, like: string, to: string): void {
  if (to === like) throw new Refused(`${to} is where it is already`, [to]);
  if (resolver.repo.hasFile(to))
    throw new Refused(`${to} exists; give a path that is free, or move what is in ${like} there`, [to]);
  const [language, now] = [resolver.language(like).id, languageOf(to)?.id];
  if (now !== language)
    throw new Refused(
      `${to} is of another language than ${like}; give an ending of ${resolver.language(like).extensions.join(', ')}`,
      [to],
    );
}

/** The one type that a file is called after, where the language wants it. */
function typeOfFile(resolver: Resolver, file: string): number | undefined {
  if (resolver.language(file).writing.filesSpellClass !== true) return undefined;
  const summary = resolver.summary(file);
  for (let decl = 0; decl < summary.decls.count; decl++)
    if (
      summary.decls.parentOf(decl) < 0 &&
      isClassLike(summary.decls.kindOf(decl)) &&
      nameOf(summary, decl) === stemOf(file)
    )
      return decl;
  return undefined;
}

/** A text of `from` as it stands at `to`: in the package or namespace of its new folder. */
function withSpace(sources: Sources, from: string, to: string, text: string): string {
  const { resolver } = sources;
  if (resolver.language(from).importsFiles) return text;
  const summary = sources.summarise(from, text) ?? resolver.summary(from);
  // The parts of one type stay in one namespace.
  if (hasPartsElsewhere(resolver, from)) return text;
  const edits: TextEdit[] = [];
  for (const { name, start } of spacesIn(summary, text)) {
    const now = spaceAt(name, folderOf(from), folderOf(to));
    if (now !== undefined && now !== name) edits.push({ start, end: start + name.length, text: now });
  }
  return applyEdits(text, edits);
}

function hasPartsElsewhere(resolver: Resolver, file: string): boolean {
  const { decls } = resolver.summary(file);
  for (let decl = 0; decl < decls.count; decl++)
    if (
      decls.has(decl, F.partial) &&
      isClassLike(decls.kindOf(decl)) &&
      resolver.bodies({ file, decl }).some((part) => part.file !== file)
    )
      return true;
  return false;
}

/** The package, or each namespace at the top, with where it is written. */
export function spacesIn(
  summary: ReturnType<Resolver['summary']>,
  text: string,
): { readonly name: string; readonly start: number }[] {
  const { decls } = summary;
  if (summary.package !== '') {
    const found = /^[ \t]*package\s+([\w.]+)/m.exec(text);
    return found?.[1] === undefined ? [] : [{ name: found[1], start: found.index + found[0].length - found[1].length }];
  }
  return Array.from({ length: decls.count }, (_, row) => row)
    .filter((row) => decls.kindOf(row) === D.namespace && decls.scopeOf(row) === 0)
    .map((row) => ({ name: nameOf(summary, row), start: decls.nameStartOf(row) }))
    .filter(({ name, start }) => start >= 0 && text.startsWith(name, start));
}

/**
 * What a package or namespace becomes in another folder: where it ends as its folder does, it goes on to;
 * undefined where it does not.
 */
export function spaceAt(space: string, from: string, to: string): string | undefined {
  const [parts, old, now] = [
    space.split('.'),
    from.split('/').filter((part) => part !== ''),
    to.split('/').filter((part) => part !== ''),
  ];
  let shared = 0;
  while (shared < old.length && shared < now.length && old[shared] === now[shared]) shared++;
  // The parts of the old path that change must be the last ones of the name.
  const changing = old.slice(shared);
  if (changing.length > parts.length || changing.some((part, i) => part !== parts[parts.length - changing.length + i]))
    return undefined;
  const kept = parts.slice(0, parts.length - changing.length);
  // A folder above says nothing of the name unless it is a part of it.
  if (kept.length > 0 && shared > 0 && changing.length === 0 && old[shared - 1] !== kept[kept.length - 1])
    return undefined;
  const result = [...kept, ...now.slice(shared)];
  return result.length === 0 || result.some((part) => !/^\w+(?:\.\w+)*$/.test(part)) ? undefined : result.join('.');
}
