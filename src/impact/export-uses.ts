/**
 * Uses, in other files, of what a file exported under a name by an entry of a list.
 */
import { blockOf, sitesOf } from '../graph/refer/references.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { Related } from './related.js';

/** Names that one entry may pass on: more are not looked at. */
const NAMES_MOST = 200;

/** Read where the entry still stands. `name` is `*` for all that another module exports. */
export function usesOfExport(resolver: Resolver, file: string, name: string): readonly Related[] {
  const targets = name === '*' ? passedOn(resolver, file) : declared(resolver, file, name);
  return targets
    .flatMap((target) => sitesOf(resolver, target))
    .filter((site) => site.file !== file && site.expr >= 0)
    .map((site) => ({
      file: site.file,
      expr: site.expr,
      block: blockOf(resolver.summary(site.file), site.expr),
      confidence: site.confidence,
    }));
}

const declared = (resolver: Resolver, file: string, name: string): DeclRef[] =>
  resolver
    .exported(file, name)
    .flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : []));

/** What the modules that the file passes on whole declare at their top. */
function passedOn(resolver: Resolver, file: string): DeclRef[] {
  const modules = resolver
    .summary(file)
    .exports.flatMap(({ name, module }) =>
      name === '*' && module !== undefined ? resolver.language(file).resolveModule(module, file, resolver) : [],
    );
  const names = modules.flatMap((entity) => {
    if (entity.kind !== 'module') return [];
    const summary = resolver.summary(entity.file);
    return [
      ...new Set([
        ...summary.exports.map((entry) => entry.name),
        ...Array.from({ length: summary.decls.count }, (_, decl) => decl)
          .filter((decl) => summary.decls.scopeOf(decl) === 0)
          .map((decl) => summary.decls.nameOf(decl)),
      ]),
    ];
  });
  return names.slice(0, NAMES_MOST).flatMap((each) => declared(resolver, file, each));
}
