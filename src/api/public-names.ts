/**
 * What users of a library can name, and by which path.
 */
import type { Snapshot } from '../graph/files/snapshot.js';
import { namespaceOfScope } from '../graph/files/snapshot.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { LANGUAGES, languageById } from '../languages/registry.js';
import { D, F, isBlockKind, isClassLike, type Summary } from '../syntax/summary.js';

export interface PublicName {
  readonly file: string;
  readonly decl: number;
  /** Package, module or namespace, then the block, with dots between. */
  readonly path: string;
}

/** In order of file and position. */
export function publicNames(snapshot: Snapshot, resolver: Resolver): PublicName[] {
  const shortest = shortestPaths(snapshot, resolver);
  const handed = new Set(entriesOf(snapshot).flatMap((file) => [...handedOn(file, resolver)]));
  return [...snapshot.files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, summary]) => {
      const out: PublicName[] = [];
      for (let decl = 0; decl < summary.decls.count; decl++)
        if (isPublic(summary, decl) && isReached(file, summary, decl, handed))
          out.push({ file, decl, path: pathOf(file, summary, decl, shortest) });
      return out;
    });
}

/** Whether the declaration is a block that code outside of the library can name. */
export function isPublic(summary: Summary, decl: number): boolean {
  const { decls } = summary;
  if (decl < 0 || !isBlockKind(decls.kindOf(decl)) || decls.kindOf(decl) === D.namespace) return false;
  const owner = decls.parentOf(decl);
  if (owner >= 0 && !(isClassLike(decls.kindOf(owner)) && isPublic(summary, owner))) return false;
  const language = languageById(summary.language);
  const name = decls.nameOf(decl);
  // A convention where the language has no rule: what begins with an underscore is nobody else's.
  if (/^_(?!_.*__$)/u.test(name) || language.isPrivate(name, decls.flagsOf(decl))) return false;
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

function topOf({ decls }: Summary, decl: number): number {
  let top = decl;
  while (decls.parentOf(top) >= 0) top = decls.parentOf(top);
  return top;
}

const entriesOf = (snapshot: Snapshot): readonly string[] =>
  LANGUAGES.flatMap(({ entryFiles }) => entryFiles?.(snapshot) ?? []);

/** Keys of the declarations that a file hands on under any name, all that it hands on as a whole included. */
function handedOn(file: string, resolver: Resolver, seen = new Set<string>()): ReadonlySet<string> {
  const out = new Set<string>();
  const summary = resolver.repo.summary(file);
  if (summary === undefined || seen.has(file)) return out;
  seen.add(file);
  const take = (name: string): void => {
    for (const entity of resolver.exported(file, name))
      if (entity.kind === 'decl') out.add(keyOf(entity.file, entity.decl));
      else if (entity.kind === 'module') for (const key of handedOn(entity.file, resolver, seen)) out.add(key);
  };
  for (const entry of summary.exports)
    if (entry.name !== '*') take(entry.name);
    else if (entry.module !== undefined)
      for (const entity of resolver.language(file).resolveModule(entry.module, file, resolver))
        if (entity.kind === 'module') for (const key of handedOn(entity.file, resolver, seen)) out.add(key);
  for (let decl = 0; decl < summary.decls.count; decl++)
    if (summary.decls.parentOf(decl) < 0 && summary.decls.has(decl, F.exported | F.defaultExport))
      out.add(keyOf(file, decl));
  return out;
}

function isExported(summary: Summary, decl: number): boolean {
  if (summary.decls.has(decl, F.exported | F.defaultExport) || !summary.isModule) return true;
  const name = summary.decls.nameOf(decl);
  return summary.exports.some((entry) => entry.module === undefined && entry.local === name);
}

/**
 * The path of a top-level name where a shorter one than its own file's hands it on: `httpx.Client` for
 * `httpx._client.Client`.
 */
function shortestPaths(snapshot: Snapshot, resolver: Resolver): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const [file, summary] of snapshot.files) {
    if (!languageById(summary.language).importsFiles) continue;
    const module = moduleOf(file);
    const names = new Set([
      ...summary.exports.map((entry) => entry.name),
      ...summary.imports.flatMap((entry) => (entry.decl < 0 ? [] : [summary.decls.nameOf(entry.decl)])),
    ]);
    for (const name of names) {
      if (name === '*' || name.startsWith('_')) continue;
      for (const entity of resolver.exported(file, name)) {
        if (entity.kind !== 'decl') continue;
        const key = keyOf(entity.file, entity.decl);
        const path = module === '' ? name : `${module}.${name}`;
        const known = out.get(key) ?? ownPath(resolver, entity);
        if (parts(path) < parts(known)) out.set(key, path);
      }
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

/** `src/httpx/_client.py` is `httpx._client`; an index or `__init__` is its folder. */
const moduleOf = (file: string): string =>
  file
    .replace(/(?:\.d)?\.\w+$/u, '')
    .replace(/^(?:.*\/)?(?:src|lib|source)\//u, '')
    .replace(/(?:^|\/)(?:__init__|index)$/u, '')
    .replaceAll('/', '.');
