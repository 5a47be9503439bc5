/**
 * What modules export and what import bindings mean, through re-exports, barrels and star imports.
 *
 * Errs towards nothing: a name that no followed path declares is not guessed.
 */
import type { Entity } from '../../languages/language.js';
import { declKey } from '../../syntax/rows.js';
import { D, E, F, type ImportEntry, type Summary } from '../../syntax/summary.js';
import type { Resolver } from './resolver.js';

/** Declarations and bindings of a name at the top of a file, bindings followed. */
export function topLevelEntities(resolver: Resolver, file: string, name: string): readonly Entity[] {
  const summary = resolver.repo.summary(file);
  if (summary === undefined) return [];
  const row = summary.idOf(name);
  if (row < 0) return [];
  const out: Entity[] = [];
  for (const decl of summary.decls.inScope(0, row)) out.push(...entityOfDecl(resolver, file, summary, decl));
  return distinct(out);
}

/** The declaration itself, or what an import binding stands for. */
export function entityOfDecl(resolver: Resolver, file: string, summary: Summary, decl: number): readonly Entity[] {
  if (summary.decls.kindOf(decl) !== D.importBinding) return [{ kind: 'decl', file, decl }];
  return resolver.answer<readonly Entity[]>('import', file, decl, [], () => {
    const entry = summary.imports.find((candidate) => candidate.decl === decl);
    return entry === undefined ? [] : importedEntities(resolver, file, entry, summary.decls.nameOf(decl));
  });
}

/** What an import entry imports; `binding` is the local name. */
export function importedEntities(
  resolver: Resolver,
  file: string,
  entry: ImportEntry,
  binding: string,
): readonly Entity[] {
  const language = resolver.language(file);
  if (entry.kind === 'module') {
    // `import a.b.c` without an alias binds the first segment and makes the rest reachable as members.
    const dot = entry.module.indexOf('.');
    const bindsHead =
      dot > 0 && entry.module.slice(0, dot) === binding && entry.end - entry.start === entry.module.length;
    return language.resolveModule(bindsHead ? binding : entry.module, file, resolver);
  }
  return moduleMembers(resolver, file, entry.module, entry.name);
}

/** What `name` of the module `specifier`, as written in `file`, means. */
export function moduleMembers(resolver: Resolver, file: string, specifier: string, name: string): readonly Entity[] {
  const language = resolver.language(file);
  const modules = language.resolveModule(specifier, file, resolver);
  const out: Entity[] = [];
  let isAdded = false;
  for (const module of modules) {
    if (module.kind === 'external') {
      // What is added here to a module from outside is known, and meant.
      if (!isAdded) out.push({ kind: 'external', name });
      continue;
    }
    if (module.kind === 'decl') {
      const members = resolver.member(module, name);
      isAdded ||= members.length > 0;
      out.push(...members);
      continue;
    }
    const found = module.kind === 'module' ? resolver.exported(module.file, name) : [];
    if (found.length > 0) {
      // The very list: what is kept by it is kept once for all files that import the name.
      if (modules.length === 1) return found;
      out.push(...found);
      continue;
    }
    // A submodule, a type of the package, a nested namespace.
    const dotted = specifier.endsWith('.') ? `${specifier}${name}` : `${specifier}.${name}`;
    out.push(...language.resolveModule(dotted, file, resolver).filter((entity) => entity.kind !== 'external'));
  }
  return distinct(out);
}

/** What a file offers under a name. See {@link Resolver.exported}. */
export function exportedEntities(resolver: Resolver, file: string, name: string): readonly Entity[] {
  const summary = resolver.repo.summary(file);
  if (summary === undefined) return [];
  const language = resolver.language(file);
  const out: Entity[] = [];
  for (const entry of summary.exports) {
    if (entry.name !== name) continue;
    if (entry.module === undefined) out.push(...topLevelEntities(resolver, file, entry.local));
    else if (entry.local === '*') out.push(...language.resolveModule(entry.module, file, resolver));
    else out.push(...moduleMembers(resolver, file, entry.module, entry.local));
  }
  if (out.length > 0) return distinct(out);
  if (name === 'default') {
    for (let decl = 0; decl < summary.decls.count; decl++) {
      if (summary.decls.scopeOf(decl) === 0 && summary.decls.has(decl, F.defaultExport))
        out.push({ kind: 'decl', file, decl });
    }
    return out.length === 0 ? (language.ownDefault?.(file, resolver) ?? out) : out;
  }
  if (language.importsAreOffered || !isImportAlone(summary, name)) out.push(...topLevelEntities(resolver, file, name));
  if (out.length > 0) return out;
  for (const entry of summary.exports)
    if (entry.name === '*' && entry.module !== undefined) out.push(...fromModule(resolver, file, entry.module, name));
  for (const entry of summary.imports)
    if (entry.kind === 'star') out.push(...fromModule(resolver, file, entry.module, name));
  const stub = out.length > 0 ? undefined : language.stubOf?.(file, resolver.repo);
  if (stub !== undefined) out.push(...exportedEntities(resolver, stub, name));
  return distinct(out);
}

function fromModule(resolver: Resolver, file: string, specifier: string, name: string): readonly Entity[] {
  const out: Entity[] = [];
  for (const module of resolver.language(file).resolveModule(specifier, file, resolver)) {
    if (module.kind === 'module' && !keepsToItself(resolver.repo.summary(module.file), name))
      out.push(...resolver.exported(module.file, name));
  }
  return out;
}

/**
 * Whether a module has a list of exports, and the name is an import of its own that the list leaves out. Other names
 * are passed on, since lists are also computed.
 */
function keepsToItself(summary: Summary | undefined, name: string): boolean {
  if (summary === undefined) return false;
  const hasList = summary.exports.some((entry) => entry.expr >= 0 && summary.exprs.opOf(entry.expr) === E.string);
  if (!hasList || summary.exports.some((entry) => entry.name === name)) return false;
  return isImportAlone(summary, name);
}

/** Whether all that a file declares by a name is an import which it does not pass on by itself. */
function isImportAlone(summary: Summary, name: string): boolean {
  const { decls } = summary;
  const row = summary.idOf(name);
  const own = row < 0 ? [] : [...decls.inScope(0, row)];
  return own.length > 0 && own.every((decl) => decls.kindOf(decl) === D.importBinding && !decls.has(decl, F.exported));
}

function distinct(entities: readonly Entity[]): readonly Entity[] {
  if (entities.length < 2) return entities;
  const seen = new Set<string>();
  return entities.filter((entity) => {
    const key =
      entity.kind === 'decl'
        ? declKey(entity)
        : entity.kind === 'module'
          ? `m${entity.file}`
          : `${entity.kind}${entity.name}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
