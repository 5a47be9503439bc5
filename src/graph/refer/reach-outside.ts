/**
 * Which files may hold something of a library outside of the root: those whose imports lead to it, directly or through
 * other files. What says a member's name in any other file means none of the library's.
 */
import { isOutside } from '../../base/outside.js';
import type { DeclRef } from '../../languages/language.js';
import type { LanguageId } from '../../syntax/summary.js';
import type { Resolver } from '../resolve/resolver.js';

/** Files of the target's language that say the name, and can mean the target by it. */
export function filesThatMayMean(resolver: Resolver, target: DeclRef, name: string): string[] {
  const { id, importsFiles } = resolver.language(target.file);
  const files = [...resolver.repo.filesMentioning(name)].filter((file) => resolver.summary(file).language === id);
  if (!importsFiles || !isOutside(target.file)) return files;
  const reaching = resolver.repo.memo(`files that lead outside ${id}`, () => importersOf(resolver, id));
  return files.filter((file) => reaching.has(file));
}

/** Of the files of one language, those from which imports lead to what is outside. */
function importersOf(resolver: Resolver, language: LanguageId): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  const open: string[] = [];
  for (const file of resolver.repo.filesOf(language)) {
    if (isOutside(file)) open.push(file);
    for (const module of modulesNamed(resolver, file))
      for (const entity of resolver.language(file).resolveModule(module, file, resolver))
        if (entity.kind === 'module') {
          const known = importers.get(entity.file);
          if (known === undefined) importers.set(entity.file, [file]);
          else known.push(file);
        }
  }
  const out = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (out.has(file)) continue;
    out.add(file);
    open.push(...(importers.get(file) ?? []));
  }
  return out;
}

function modulesNamed(resolver: Resolver, file: string): ReadonlySet<string> {
  const { imports, exports } = resolver.summary(file);
  const hasSubmodules = resolver.language(file).submodule !== undefined;
  return new Set([
    ...imports.flatMap(({ module, name, kind }) =>
      // What is imported from a package may be a module in it.
      kind === 'name' && hasSubmodules
        ? [module, module.endsWith('.') ? module + name : `${module}.${name}`]
        : [module],
    ),
    ...exports.flatMap(({ module }) => module ?? []),
  ]);
}
