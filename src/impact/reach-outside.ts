/**
 * Which files may hold something of a library outside of the root: those whose imports lead to it, directly or through
 * other files. A use that is only possible, by a member's name alone, is none of the library's in any other file.
 */
import { isOutside } from '../base/outside.js';
import type { LanguageId } from '../syntax/summary.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';

/** Without possible sites of changes outside, in files that lead to none of them. Languages that import no files keep theirs. */
export function withinReach(resolver: Resolver, blocks: readonly AffectedBlock[]): AffectedBlock[] {
  return blocks.flatMap((block) => {
    const sites = block.sites.filter(
      ({ confidence, cause }) =>
        confidence === 'certain' ||
        !isOutside(cause.before?.file ?? cause.file) ||
        !resolver.language(block.file).importsFiles ||
        reaching(resolver, resolver.language(block.file).id).has(block.file),
    );
    if (sites.length === block.sites.length) return [block];
    if (sites.length === 0) return [];
    const kept = new AffectedBlocks(block.depth);
    kept.add(block.file, block.decl, ...sites);
    return kept.sorted();
  });
}

const reaching = (resolver: Resolver, language: LanguageId): ReadonlySet<string> =>
  resolver.repo.memo(`files that lead outside ${language}`, () => importersOf(resolver, language));

/** Of the files of one language, those from which imports lead to what is outside. */
function importersOf(resolver: Resolver, language: LanguageId): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  const open: string[] = [];
  for (const file of resolver.repo.filesOf(language)) {
    if (isOutside(file)) open.push(file);
    const summary = resolver.summary(file);
    const { submodule, resolveModule } = resolver.language(file);
    const modules = new Set([
      ...summary.imports.flatMap(({ module, name, kind }) =>
        // What is imported from a package may be a module in it.
        kind === 'name' && submodule !== undefined
          ? [module, module.endsWith('.') ? module + name : `${module}.${name}`]
          : [module],
      ),
      ...summary.exports.flatMap(({ module }) => module ?? []),
    ]);
    for (const module of modules)
      for (const entity of resolveModule(module, file, resolver))
        if (entity.kind === 'module') importers.set(entity.file, [...(importers.get(entity.file) ?? []), file]);
  }
  const out = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (out.has(file)) continue;
    out.add(file);
    open.push(...(importers.get(file) ?? []));
  }
  return out;
}
