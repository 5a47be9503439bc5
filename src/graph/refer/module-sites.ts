/**
 * Who imports a file: import statements, and entries of re-exports, that lead to its module.
 * Languages whose imports name packages and types, Java and C#, have none.
 */
import type { Entity } from '../../languages/language.js';
import type { ImportEntry, Summary } from '../../syntax/summary.js';
import { moduleMembers } from '../resolve/imports.js';
import type { Resolver } from '../resolve/resolver.js';

/** One statement or entry that leads to a module. */
export interface ModuleSite {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Over the whole snapshot, the file itself left out; sorted by file and position. */
export function moduleSites(resolver: Resolver, module: string): ModuleSite[] {
  const { language } = resolver.summary(module);
  const out: ModuleSite[] = [];
  for (const [file, summary] of resolver.repo.files) {
    if (summary.language !== language || file === module) continue;
    const known = new Map<string, boolean>();
    for (const { specifier, name, start, end } of entriesOf(summary)) {
      const key = `${specifier}\0${name ?? ''}`;
      let leads = known.get(key);
      if (leads === undefined) known.set(key, (leads = leadsTo(resolver, file, specifier, name, module)));
      if (leads && !out.some((site) => site.file === file && site.start === start)) out.push({ file, start, end });
    }
  }
  return out.sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
}

/** What a file imports from a module by the module's own path, or of it as a whole. */
export const importsFrom = (resolver: Resolver, file: string, module: string): readonly ImportEntry[] =>
  resolver
    .summary(file)
    .imports.filter((entry) =>
      resolver.language(file).resolveModule(entry.module, file, resolver).some(isModuleOf(module)),
    );

const isModuleOf =
  (module: string) =>
  (entity: Entity): boolean =>
    entity.kind === 'module' && entity.file === module;

interface Entry {
  readonly specifier: string;
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

function* entriesOf(summary: Summary): Generator<Entry> {
  for (const { module, name, statementStart: start, statementEnd: end } of summary.imports)
    yield { specifier: module, name: name === '' ? undefined : name, start, end };
  for (const { module, local, start, end } of summary.exports)
    if (module !== undefined) yield { specifier: module, name: local === '*' ? undefined : local, start, end };
}

/** Through the specifier itself, or through a name that is a module: `from package import module`. */
function leadsTo(
  resolver: Resolver,
  from: string,
  specifier: string,
  name: string | undefined,
  module: string,
): boolean {
  const isModule = isModuleOf(module);
  return (
    resolver.language(from).resolveModule(specifier, from, resolver).some(isModule) ||
    (name !== undefined && moduleMembers(resolver, from, specifier, name).some(isModule))
  );
}
