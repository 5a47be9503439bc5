/**
 * Uses, in other files, of what a file exported under a name by an entry of a list.
 */
import { sitesOf } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { Related } from './related.js';

/** Read where the entry still stands. Nothing for `*`: each name that it passed on is asked about. */
export function usesOfExport(resolver: Resolver, file: string, name: string): readonly Related[] {
  return declared(resolver, file, name)
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
