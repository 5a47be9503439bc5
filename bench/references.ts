/**
 * "Who refers to this?" for definitions spread evenly over the repository.
 *
 * Twice: with a resolver that is new for each question, which is what an edit leaves behind at
 * worst, and with one that keeps its answers.
 */
import { Resolver } from '#src/graph/resolve/resolver.js';
import { sitesOf } from '#src/graph/refer/references.js';
import type { Snapshot } from '#src/graph/files/snapshot.js';
import { isOwnBlock } from '#src/change/match-blocks.js';
import type { DeclRef } from '#src/languages/language.js';
import type { Figure } from './figure.js';
import { percentile, spread, wallMs } from './timing.js';

const DEFINITIONS = 200;

export function measureReferences(snapshot: Snapshot): Figure[] {
  const group = 'References of one definition';
  const chosen = spread(definitions(snapshot), DEFINITIONS);
  const fresh = chosen.map((ref) => wallMs(() => sitesOf(new Resolver(snapshot), ref)));
  const resolver = new Resolver(snapshot);
  const kept = chosen.map((ref) => wallMs(() => sitesOf(resolver, ref)));
  const on = `${chosen.length} definitions`;
  return [
    { group, name: 'nothing known, median', value: percentile(fresh, 0.5), unit: 'ms', aim: 10, on },
    { group, name: 'nothing known, p95', value: percentile(fresh, 0.95), unit: 'ms', aim: 50 },
    { group, name: 'one after the other, median', value: percentile(kept, 0.5), unit: 'ms', aim: 10 },
    { group, name: 'one after the other, p95', value: percentile(kept, 0.95), unit: 'ms', aim: 50 },
  ];
}

function definitions(snapshot: Snapshot): DeclRef[] {
  const out: DeclRef[] = [];
  for (const file of [...snapshot.files.keys()].sort()) {
    const summary = snapshot.files.get(file);
    if (summary === undefined) continue;
    for (let decl = 0; decl < summary.decls.count; decl++) if (isOwnBlock(summary, decl)) out.push({ file, decl });
  }
  return out;
}
