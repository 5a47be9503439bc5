/**
 * Who refers to a block, with the path of resolution of each reference; of a module, who imports it.
 */
import type { Reference, RefsParams, RefsReport } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { inTurns, pieces, type Turns } from '../base/turns.js';
import { hiddenUses } from '../graph/refer/hidden-uses.js';
import { moduleSites } from '../graph/refer/module-sites.js';
import { sitesInTurns } from '../graph/refer/references.js';
import type { Site } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { findBlock, innermostAt, withoutModule } from './block-names.js';
import { blockEntry, endEntry, hiddenEntries, Paths, referenceEntry, type GraphQuestion } from './graph-entries.js';
import { spanOf } from './spans.js';

export async function refsDocument(
  { resolver, problems, confirmation, signal }: GraphQuestion,
  params: RefsParams,
): Promise<RefsReport> {
  const found = findBlock(resolver, params.block);
  const module = importedModule(resolver, found[0]);
  if (module !== undefined)
    return {
      schema: SCHEMA_VERSION,
      blocks: [blockEntry(resolver, found[0])],
      references: imports(resolver, module),
      denied: [],
      undecided: [],
      complete: problems.length === 0,
      problems: [...problems],
    };
  const targets = withoutModule(found, params.block);
  const paths = new Paths(resolver);
  const all = await inTurns(sitesOfAll(resolver, targets), signal);
  const { sites, denied } =
    confirmation === undefined ? { sites: all, denied: [] } : await confirmation.of(targets, all);
  const wanted = sites.filter((site) => params.certain !== true || site.confidence === 'certain');
  const references = await inTurns(entriesOf(resolver, wanted, paths), signal);
  const hidden = await inTurns(
    pieces(targets, (target) => hiddenUses(resolver, target)),
    signal,
  );
  return {
    schema: SCHEMA_VERSION,
    blocks: targets.map((target) => blockEntry(resolver, target)),
    references,
    denied: await inTurns(entriesOf(resolver, denied, paths), signal),
    undecided: hiddenEntries(resolver, hidden.flat()),
    complete: problems.length === 0,
    problems: [...problems, ...(confirmation?.problems ?? [])],
  };
}

function* sitesOfAll(resolver: Resolver, targets: readonly DeclRef[]): Turns<readonly Site[]> {
  const out: Site[] = [];
  for (const target of targets) out.push(...(yield* sitesInTurns(resolver, target)));
  return out;
}

/** One after the other, and none as a piece: their paths are counted. */
function* entriesOf(resolver: Resolver, sites: readonly Site[], paths: Paths): Turns<Reference[]> {
  const out: Reference[] = [];
  for (const site of sites) {
    out.push(referenceEntry(resolver, site, paths.of(site)));
    yield;
  }
  return out;
}

/** The file, where it was asked for as a module and its language imports files. */
function importedModule(resolver: Resolver, { file, decl }: DeclRef): string | undefined {
  return decl < 0 && resolver.language(file).importsFiles ? file : undefined;
}

function imports(resolver: Resolver, module: string): Reference[] {
  return moduleSites(resolver, module).map(({ file, start, end }) => {
    const summary = resolver.summary(file);
    return {
      ...endEntry(resolver, { file, decl: innermostAt(summary, start, end) }),
      relation: 'ImportedBy',
      confidence: 'certain',
      via: 'import',
      ...spanOf(summary, start, end),
    };
  });
}
