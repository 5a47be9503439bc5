/**
 * Who refers to a block, with the path of resolution of each reference.
 */
import type { RefsParams, RefsReport } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { hiddenUses } from '../graph/hidden-uses.js';
import { sitesOf } from '../graph/references.js';
import { findBlock, withoutModule } from './block-names.js';
import { blockEntry, hiddenEntries, Paths, referenceEntry, type GraphQuestion } from './graph-entries.js';

export async function refsDocument({ resolver, problems, confirmation }: GraphQuestion, params: RefsParams): Promise<RefsReport> {
  const targets = withoutModule(findBlock(resolver, params.block), params.block);
  const paths = new Paths(resolver);
  const all = targets.flatMap((target) => sitesOf(resolver, target));
  const { sites, denied } = confirmation === undefined ? { sites: all, denied: [] } : await confirmation.of(targets, all);
  return {
    schema: SCHEMA_VERSION, blocks: targets.map((target) => blockEntry(resolver, target)),
    references: sites.filter((site) => params.certain !== true || site.confidence === 'certain').map((site) => referenceEntry(resolver, site, paths.of(site))),
    denied: denied.map((site) => referenceEntry(resolver, site, paths.of(site))),
    undecided: hiddenEntries(resolver, targets.flatMap((target) => hiddenUses(resolver, target))),
    complete: problems.length === 0, problems: [...problems, ...(confirmation?.problems ?? [])],
  };
}
