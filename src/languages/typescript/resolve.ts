/**
 * How TypeScript and JavaScript find what a module specifier, an undeclared name and an inherited
 * member mean. See module-files.ts for specifiers.
 *
 * Undeclared names are global: declared by scripts and `declare global` blocks of the repository,
 * else from outside. A script of plain JavaScript is only seen by other scripts. Names that the
 * platform defines are from outside even where the repository adds to them, since containers
 * such as Array are known by name.
 */
import type { DeclRef, Entity, NameLookup, Reach, RepoView } from '../language.js';
import { declKey } from '../../syntax/rows.js';
import { D, E, F, R, S, WHOLE_MODULE, type Summary } from '../../syntax/summary.js';
import { PLATFORM_NAMES } from './globals.js';
import { isRelative, moduleFile } from './module-files.js';

export function resolveModule(specifier: string, from: string, lookup: NameLookup): readonly Entity[] {
  const { repo } = lookup;
  const found = moduleFile(repo, specifier, from);
  if (typeof found === 'object') return [...wholeExport(found.file, lookup), { kind: 'module', file: found.file }];
  const declared = isRelative(specifier) ? [] : declaredModule(repo, specifier);
  // In a file that is a module itself it adds to one from outside, which has all else.
  const isWhole = declared.some((entity) => entity.kind === 'decl' && repo.summary(entity.file)?.isModule === false);
  if (declared.length > 0) return isWhole ? declared : [...declared, { kind: 'external', name: specifier }];
  return found === 'missing' ? [] : [{ kind: 'external', name: specifier }];
}

/**
 * What `export = x` makes a module mean besides the module itself; for `module.exports = require('./y')` what that one
 * means.
 */
function wholeExport(file: string, lookup: NameLookup, seen: ReadonlySet<string> = new Set()): readonly Entity[] {
  const { repo } = lookup;
  const { local, from } = repo.memo(`typescript whole ${file}`, () => wholeEntry(repo.summary(file)));
  if (local !== undefined) return lookup.topLevel(file, local);
  const passed = from === undefined || seen.has(file) ? 'missing' : moduleFile(repo, from, file);
  return typeof passed === 'object' ? wholeExport(passed.file, lookup, new Set([...seen, file])) : [];
}

/** The name in the file that is all of it, or the module that it passes on as it is. */
function wholeEntry(summary: Summary | undefined): { readonly local?: string; readonly from?: string } {
  const local = summary?.exports.find((entry) => entry.name === WHOLE_MODULE)?.local;
  if (summary === undefined || local !== undefined) return { ...(local === undefined ? {} : { local }) };
  const [from, ...others] = summary.exports.flatMap(({ name, module }) => (name === '*' ? (module ?? []) : []));
  return from !== undefined && others.length === 0 && isCommonJs(summary) ? { from } : {};
}

/** What the default of a CommonJS file is that says none: all that it exports. */
export function ownDefault(file: string, lookup: NameLookup): readonly Entity[] {
  const summary = lookup.repo.summary(file);
  return summary !== undefined && isCommonJs(summary) ? [...wholeExport(file, lookup), { kind: 'module', file }] : [];
}

/** `module.exports = { … }`, `exports.x = …`: who imports the default of such a file has all that it exports. */
function isCommonJs(summary: Summary): boolean {
  const { exprs } = summary;
  return [...exprs.named(summary.idOf(EXPORTS))].some((row) => {
    const member = exprs.wholeBy(row, E.member);
    const role = exprs.roleOf(member < 0 ? row : member);
    return exprs.opOf(row) === E.name && (role === R.write || role === R.declares);
  });
}

/** What a CommonJS file exports, in the file. */
const EXPORTS = 'exports';

/** `declare module 'x' { … }` somewhere in the repository. */
function declaredModule(repo: RepoView, specifier: string): readonly Entity[] {
  return repo.memo(`typescript declared ${specifier}`, () => {
    const out: Entity[] = [];
    for (const file of repo.filesDeclaring('typescript', specifier)) {
      const summary = repo.summary(file);
      if (summary !== undefined)
        for (const decl of declaredNamespaces(summary, specifier)) out.push({ kind: 'decl', file, decl });
    }
    return out;
  });
}

/** Namespaces at the top of a file that add to a module, or to what is global, of this name. */
function declaredNamespaces(summary: Summary, name: string): number[] {
  const row = summary.idOf(name);
  if (row < 0) return [];
  return [...summary.decls.inScope(0, row)].filter(
    (decl) => summary.decls.kindOf(decl) === D.namespace && summary.decls.has(decl, F.partial),
  );
}

export function ambient(name: string, from: string, scope: number, lookup: NameLookup): readonly Entity[] {
  const { repo } = lookup;
  const summary = repo.summary(from);
  const merged = summary === undefined ? [] : inMergedNamespaces(summary, from, scope, name);
  if (merged.length > 0) return merged;
  if (name === EXPORTS && summary !== undefined && isCommonJs(summary)) return [{ kind: 'module', file: from }];
  if (!PLATFORM_NAMES.has(name)) {
    const isScript = summary !== undefined && !summary.isModule;
    const global = repo.memo(`typescript ${isScript ? 'script' : 'module'} global ${name}`, () =>
      globals(repo, name, isScript),
    );
    if (global.length > 0) return global;
  }
  return [{ kind: 'external', name }];
}

/** Members that other blocks of a namespace around the use declare. */
function inMergedNamespaces(summary: Summary, file: string, scope: number, name: string): Entity[] {
  const { scopes, decls } = summary;
  const row = summary.idOf(name);
  if (row < 0) return [];
  for (let s = scope; s > 0; s = scopes.parentOf(s)) {
    if (scopes.kindOf(s) !== S.namespace) continue;
    const owner = scopes.ownerOf(s);
    const out: Entity[] = [];
    for (const other of summary.decls.inScope(decls.scopeOf(owner), decls.nameIdOf(owner))) {
      if (other === owner || (decls.kindOf(other) !== D.namespace && decls.kindOf(other) !== D.enum)) continue;
      for (const decl of summary.decls.inScope(decls.innerOf(other), row)) out.push({ kind: 'decl', file, decl });
    }
    if (out.length > 0) return out;
  }
  return [];
}

function globals(repo: RepoView, name: string, forScript: boolean): Entity[] {
  const out: Entity[] = [];
  for (const file of repo.filesDeclaring('typescript', name)) {
    const summary = repo.summary(file);
    if (summary === undefined) continue;
    for (const scope of globalScopes(summary)) {
      if (scope === 0 && !forScript && /\.[cm]?jsx?$/.test(file)) continue;
      for (const decl of summary.decls.inScope(scope, summary.idOf(name)))
        if (summary.decls.kindOf(decl) !== D.importBinding) out.push({ kind: 'decl', file, decl });
    }
  }
  return out;
}

const globalScopesMemo = new WeakMap<Summary, readonly number[]>();

/**
 * Scopes of a file whose names are global: its own if it is a script, and what `declare global` opens. Most files have
 * none.
 */
function globalScopes(summary: Summary): readonly number[] {
  let scopes = globalScopesMemo.get(summary);
  if (scopes === undefined) {
    scopes = [
      ...(summary.isModule ? [] : [0]),
      ...declaredNamespaces(summary, 'global').map((namespace) => summary.decls.innerOf(namespace)),
    ];
    globalScopesMemo.set(summary, scopes);
  }
  return scopes;
}

/** Depth first, `extends` before interfaces, since bases are given in that order. */
export function baseOrder(type: DeclRef, basesOf: (type: DeclRef) => readonly DeclRef[]): readonly DeclRef[] {
  const out: DeclRef[] = [];
  const seen = new Set([declKey(type)]);
  const stack = [...basesOf(type)].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const key = declKey(next);
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(next);
    stack.push(...[...basesOf(next)].reverse());
  }
  return out;
}

export function isPrivate(name: string, flags: number): boolean {
  return name.startsWith('#') || (flags & F.private) !== 0;
}

/** What a file exports is another matter. */
export const reach = (flags: number): Reach =>
  (flags & F.private) !== 0 ? 'class' : (flags & F.protected) !== 0 ? 'subclasses' : 'everywhere';
