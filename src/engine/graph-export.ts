/**
 * The whole graph as a list of edges.
 */
import type { GraphExport } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { EXPORT_LIST } from '../graph/names.js';
import { sitesIn } from '../graph/references.js';
import type { Resolver } from '../graph/resolver.js';
import { blockPath, E } from '../syntax/summary.js';
import type { Call } from './service.js';

/** How many files are exported before other work gets a turn. */
const TURN_FILES = 50;

export async function exportGraph(resolver: Resolver, confidence: 'certain' | 'all', call: Call): Promise<GraphExport> {
  const edges: GraphExport['edges'] = [];
  const seen = new Set<string>();
  const files = [...resolver.repo.files.keys()].sort();
  for (const [i, file] of files.entries()) {
    if (i % TURN_FILES === 0) {
      call.progress('resolving references', i / files.length);
      await new Promise((resolve) => setImmediate(resolve));
      call.signal.throwIfAborted();
    }
    const summary = resolver.summary(file);
    for (const site of sitesIn(resolver, file)) {
      // Calls that syntax makes without a name (`with`, operators) and lists of exported names are followed by impact; here an edge is a name's.
      if (site.via === EXPORT_LIST || (site.via === 'syntax' && summary.exprs.op[site.expr] !== E.call)) continue;
      if (confidence === 'certain' && site.confidence !== 'certain') continue;
      const from = { file, block: blockPath(summary, site.block) };
      const to = { file: site.target.file, block: blockPath(resolver.summary(site.target.file), site.target.decl) };
      const key = `${file}\0${from.block}\0${to.file}\0${to.block}\0${site.kind}\0${site.confidence}`;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push({ from, to, kind: site.kind, confidence: site.confidence });
    }
  }
  return { schema: SCHEMA_VERSION, edges };
}
