/**
 * Imports of a library's own paths that its change file says nothing of: what stood there may have changed or gone.
 */
import { isOutside } from '../base/outside.js';
import type { Turns } from '../base/turns.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Undecided } from './affected.js';
import type { Graphs } from './graphs.js';

export function* undescribedPaths({ before, after }: Graphs): Turns<readonly Undecided[]> {
  const files = [...after.repo.files.keys()];
  if (![...files, ...before.repo.files.keys()].some(isOutside)) return [];
  const out: Undecided[] = [];
  for (const file of files) {
    yield;
    if (isOutside(file)) continue;
    const seen = new Set<string>();
    for (const { module, expr, start } of after.summary(file).imports) {
      if (module === '' || seen.has(module)) continue;
      seen.add(module);
      if ([before, after].every((resolver) => leadsNowhere(resolver, file, module)) && isOfLibrary(after, file, module))
        out.push({ file, expr, start, reason: `${module} is no path that the library's change file describes` });
    }
  }
  return out;
}

const leadsNowhere = (resolver: Resolver, file: string, module: string): boolean =>
  resolver.language(file).resolveModule(module, file, resolver).length === 0;

/** Whether the beginning of a path leads into a library. */
function isOfLibrary(after: Resolver, file: string, module: string): boolean {
  for (let at = lastSeparator(module); at > 0; at = lastSeparator(module.slice(0, at))) {
    const entities = after.language(file).resolveModule(module.slice(0, at), file, after);
    if (entities.some((entity) => entity.kind !== 'external' && 'file' in entity && isOutside(entity.file)))
      return true;
  }
  return false;
}

const lastSeparator = (module: string): number => Math.max(module.lastIndexOf('/'), module.lastIndexOf('.'));
