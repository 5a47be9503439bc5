/**
 * Who refers to a block, with the path of resolution of each reference.
 */
import type { RefsParams, RefsReport } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { hiddenUses } from '../graph/hidden-uses.js';
import { pathOf } from '../graph/path-of-resolution.js';
import { sitesOf } from '../graph/references.js';
import { TracingResolver } from '../graph/trace.js';
import { findBlock, withoutModule } from './block-names.js';
import { blockEntry, hiddenEntries, referenceEntry, type GraphQuestion } from './graph-entries.js';

export function refsDocument({ resolver, problems }: GraphQuestion, params: RefsParams): RefsReport {
  const targets = withoutModule(findBlock(resolver, params.block), params.block);
  const trace = new TracingResolver(resolver.repo.snapshot);
  const sites = targets.flatMap((target) => sitesOf(resolver, target)).filter((site) => params.certain !== true || site.confidence === 'certain');
  return {
    schema: SCHEMA_VERSION, blocks: targets.map((target) => blockEntry(resolver, target)),
    references: sites.map((site) => referenceEntry(resolver, site, pathOf(trace, site))),
    denied: [],
    undecided: hiddenEntries(resolver, targets.flatMap((target) => hiddenUses(resolver, target))),
    complete: problems.length === 0, problems: [...problems],
  };
}
