/**
 * Uses, in other files, of what a file exported under a name by an entry of a list.
 */
import type { Given } from '../graph/refer/given.js';
import { importsFrom } from '../graph/refer/module-sites.js';
import { sitesOf } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { E } from '../syntax/summary.js';
import type { Related } from './related.js';

/** Read where the entry still stands. Nothing for `*`: each name that it passed on is asked about. */
export function usesOfExport(resolver: Resolver, file: string, name: string): readonly Related[] {
  const isModule = resolver.exported(file, name).some((entity) => entity.kind === 'module');
  return [
    ...declared(resolver, file, name).flatMap((target) => sitesOf(resolver, target)),
    ...(isModule ? namersOfModule(resolver, file, name) : []),
  ]
    .filter((site) => site.file !== file && site.expr >= 0)
    .map((site) => ({
      file: site.file,
      expr: site.expr,
      block: blockOf(resolver.summary(site.file), site.expr),
      confidence: site.confidence,
    }));
}

/** Rows that say the name by which a file passes a whole module on: imports of it, and `lib.tools` of `* as lib`. */
function namersOfModule(resolver: Resolver, file: string, name: string): (Given & Pick<Related, 'confidence'>)[] {
  return resolver.repo.filesOf(resolver.summary(file).language).flatMap((from) => {
    const summary = resolver.summary(from);
    const { exprs } = summary;
    const rows = exprs.named(summary.idOf(name));
    const imports = rows.length === 0 ? [] : importsFrom(resolver, from, file);
    if (imports.length === 0) return [];
    const members = [...rows].filter(
      (row) =>
        exprs.opOf(row) === E.member &&
        resolver
          .typeOf(from, exprs.operandOf(row))
          .values.some((value) => value.kind === 'module' && value.file === file),
    );
    return [...imports.filter((entry) => entry.name === name).map(({ expr }) => expr), ...members].map((expr) => ({
      file: from,
      expr,
      confidence: 'certain' as const,
    }));
  });
}

const declared = (resolver: Resolver, file: string, name: string): DeclRef[] =>
  resolver
    .exported(file, name)
    .flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : []));
