/**
 * What users of a library can name, and by which path.
 */
import type { Snapshot } from '../graph/files/snapshot.js';
import { namespaceOfScope } from '../graph/files/snapshot.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { isFolderFile, moduleParts } from '../languages/folder-file.js';
import type { DeclRef, Language } from '../languages/language.js';
import { LANGUAGES, languageById } from '../languages/registry.js';
import { D, F, isBlockKind, isClassLike, type Summary } from '../syntax/summary.js';

export interface PublicName {
  readonly file: string;
  readonly decl: number;
  /** Package, module or namespace, then the block, with dots between. */
  readonly path: string;
}

/** What top-level names stand for, by each path under which users reach them. */
export type PublicPaths = ReadonlyMap<string, DeclRef>;

/** In order of file and position. */
export function publicNames(snapshot: Snapshot, resolver: Resolver): PublicName[] {
  const shortest = shortestPaths(snapshot, resolver);
  const handed = new Set(
    entriesOf(snapshot).flatMap((file) => handedOn(file, resolver).map(([, ref]) => keyOf(ref.file, ref.decl))),
  );
  return [...snapshot.files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, summary]) => {
      const out: PublicName[] = [];
      for (let decl = 0; decl < summary.decls.count; decl++)
        if (isPublic(summary, decl) && isReached(file, summary, decl, handed)) {
          const path = pathOf(file, summary, decl, shortest);
          if (!isInside(path, languageById(summary.language))) out.push({ file, decl, path });
        }
      return out;
    });
}

/** Whether the path leads through a module that is nobody else's by its name, where modules have no entries. */
const isInside = (path: string, { importsFiles, entryFiles }: Language): boolean =>
  importsFiles && entryFiles === undefined && /(?:^|\.)_(?!_\w*__(?:\.|$))/u.test(path);

/** Whether the declaration is a block that code outside of the library can name. */
export function isPublic(summary: Summary, decl: number): boolean {
  const { decls } = summary;
  if (decl < 0 || !isBlockKind(decls.kindOf(decl)) || decls.kindOf(decl) === D.namespace) return false;
  const owner = decls.parentOf(decl);
  if (owner >= 0 && !(isClassLike(decls.kindOf(owner)) && isPublic(summary, owner))) return false;
  const language = languageById(summary.language);
  const name = decls.nameOf(decl);
  // A convention where the language has no rule: what begins with an underscore is nobody else's.
  if (/^_(?!_.*__$)/u.test(name) || name === '__all__' || language.isPrivate(name, decls.flagsOf(decl))) return false;
  const isImplied = owner >= 0 && (decls.kindOf(owner) === D.interface || decls.kindOf(decl) === D.enumMember);
  if (language.publishedBy !== undefined && !isImplied && !decls.has(decl, language.publishedBy)) return false;
  const reach = language.reach(decls.flagsOf(decl), owner < 0 ? undefined : decls.kindOf(owner));
  if (reach === 'class') return false;
  return owner >= 0 || language.entryFiles === undefined || isExported(summary, decl);
}

/** Where a language's packages say what they hand on, only what an entry hands on is public. */
function isReached(file: string, summary: Summary, decl: number, handed: ReadonlySet<string>): boolean {
  if (handed.size === 0 || languageById(summary.language).entryFiles === undefined) return true;
  return handed.has(keyOf(file, topOf(summary, decl)));
}

const keyOf = (file: string, decl: number): string => `${file}\0${decl}`;

/** The top-level declaration that another one stands in. */
export function topOf({ decls }: Summary, decl: number): number {
  let top = decl;
  while (decls.parentOf(top) >= 0) top = decls.parentOf(top);
  return top;
}

const entriesOf = (snapshot: Snapshot): readonly string[] =>
  LANGUAGES.flatMap(({ entryFiles }) => entryFiles?.(snapshot) ?? []);

/** The declarations that a file hands on, with the names that they have outside: those of whole modules with a dot. */
function handedOn(file: string, resolver: Resolver, seen: ReadonlySet<string> = new Set()): [string, DeclRef][] {
  const summary = resolver.repo.summary(file);
  if (summary === undefined || seen.has(file)) return [];
  const below = new Set([...seen, file]);
  const hasEntries = resolver.language(file).entryFiles !== undefined;
  const named = (name: string): [string, DeclRef][] =>
    resolver.exported(file, name).flatMap((entity): [string, DeclRef][] => {
      if (entity.kind === 'decl') return [[name, { file: entity.file, decl: entity.decl }]];
      if (entity.kind !== 'module' || !hasEntries) return [];
      return handedOn(entity.file, resolver, below).map(([inner, ref]) => [`${name}.${inner}`, ref]);
    });
  const all = (module: string): [string, DeclRef][] =>
    resolver
      .language(file)
      .resolveModule(module, file, resolver)
      .flatMap((entity) => (entity.kind === 'module' ? handedOn(entity.file, resolver, below) : []))
      .filter(([name]) => name !== 'default');
  const listed = summary.exports.flatMap((entry) => {
    if (entry.name !== '*') return named(entry.name);
    return entry.module === undefined ? [] : all(entry.module);
  });
  if (!hasEntries)
    return summary.exports.length > 0
      ? listed
      : [...ownNames(summary).flatMap(named), ...starred(summary).flatMap(all)];
  const { decls } = summary;
  for (let decl = 0; decl < decls.count; decl++)
    if (decls.parentOf(decl) < 0 && decls.has(decl, F.exported | F.defaultExport))
      listed.push([decls.has(decl, F.defaultExport) ? 'default' : decls.nameOf(decl), { file, decl }]);
  return listed;
}

/** What a file declares or imports at its top, where that alone hands it on; without modules that it imports whole. */
function ownNames({ decls, imports }: Summary): string[] {
  const whole = new Set(imports.filter(({ kind }) => kind === 'module').map(({ decl }) => decl));
  const out = new Set<string>();
  for (let decl = 0; decl < decls.count; decl++)
    if (decls.scopeOf(decl) === 0 && !whole.has(decl) && !decls.nameOf(decl).startsWith('_'))
      out.add(decls.nameOf(decl));
  return [...out];
}

const starred = ({ imports }: Summary): string[] =>
  imports.flatMap(({ kind, module }) => (kind === 'star' ? [module] : []));

/** `names`: all that is public. What is reached under no path of a door is not among them. */
export function publicPaths(snapshot: Snapshot, resolver: Resolver, names: readonly PublicName[]): PublicPaths {
  const out = new Map<string, DeclRef>();
  for (const { file, decl, path } of names)
    if (resolver.summary(file).decls.parentOf(decl) < 0) out.set(path, { file, decl });
  const known = new Set([...out.values()].map(({ file, decl }) => keyOf(file, decl)));
  for (const file of doorsOf(snapshot)) {
    const module = moduleOf(file);
    for (const [name, ref] of handedOn(file, resolver)) {
      const path = module === '' ? name : `${module}.${name}`;
      if (known.has(keyOf(ref.file, ref.decl)) && !out.has(path)) out.set(path, ref);
    }
  }
  return out;
}

/**
 * Every path under which a language lets users reach a name, what a file imports for itself too: where a definition was
 * and an import of it is now, nobody has to follow. Only for languages in which every file is for everybody.
 */
export function reachablePaths(snapshot: Snapshot, resolver: Resolver): PublicPaths {
  const out = new Map<string, DeclRef>();
  for (const [file, summary] of snapshot.files) {
    const { importsFiles, entryFiles } = languageById(summary.language);
    if (!importsFiles || entryFiles !== undefined) continue;
    const module = moduleOf(file);
    for (const [name, ref] of handedOn(file, resolver)) {
      const path = module === '' ? name : `${module}.${name}`;
      if (!out.has(path)) out.set(path, ref);
    }
  }
  return out;
}

/** Files whose names are for users: a package's entries; where it says none, those that stand for their folders. */
function doorsOf(snapshot: Snapshot): readonly string[] {
  const entries = entriesOf(snapshot);
  const isDoor = (file: string, language: Language): boolean =>
    language.entryFiles === undefined ? isFolderFile(file) && !/(?:^|\/)_(?!_)/u.test(file) : entries.includes(file);
  return [...snapshot.files]
    .filter(([file, { language }]) => languageById(language).importsFiles && isDoor(file, languageById(language)))
    .map(([file]) => file)
    .sort();
}

function isExported(summary: Summary, decl: number): boolean {
  if (summary.decls.has(decl, F.exported | F.defaultExport) || !summary.isModule) return true;
  const name = summary.decls.nameOf(decl);
  return summary.exports.some((entry) => entry.module === undefined && entry.local === name);
}

/**
 * The path of a top-level name where a door hands it on by a shorter one than its own file's: `httpx.Client` for
 * `httpx._client.Client`. What any other file imports for itself is no name of its own.
 */
function shortestPaths(snapshot: Snapshot, resolver: Resolver): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const file of doorsOf(snapshot)) {
    const module = moduleOf(file);
    for (const [name, entity] of handedOn(file, resolver)) {
      const key = keyOf(entity.file, entity.decl);
      const path = module === '' ? name : `${module}.${name}`;
      const known = out.get(key) ?? ownPath(resolver, entity);
      if (parts(path) < parts(known)) out.set(key, path);
    }
  }
  return out;
}

const parts = (path: string): number => path.split('.').length;

function ownPath(resolver: Resolver, { file, decl }: { readonly file: string; readonly decl: number }): string {
  const module = moduleOf(file);
  const path = resolver.summary(file).decls.pathOf(decl);
  return module === '' ? path : `${module}.${path}`;
}

function pathOf(file: string, summary: Summary, decl: number, shortest: ReadonlyMap<string, string>): string {
  const { decls } = summary;
  const top = topOf(summary, decl);
  const known = shortest.get(keyOf(file, top));
  const own = decls.pathOf(decl);
  if (known !== undefined) return known + own.slice(decls.nameOf(top).length);
  const space = languageById(summary.language).importsFiles
    ? moduleOf(file)
    : summary.package === ''
      ? namespaceOfScope(summary, decls.scopeOf(top))
      : summary.package;
  return space === '' ? own : `${space}.${own}`;
}

/** `src/httpx/_client.py` is `httpx._client`. */
const moduleOf = (file: string): string => moduleParts(file.replace(/^(?:.*\/)?(?:src|lib|source)\//u, '')).join('.');
