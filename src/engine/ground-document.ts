/**
 * Grounded sentences as their document.
 */
import type { GroundedSymbol, GroundParams, GroundReport } from '#protocol/tools.js';
import type { BlockKind } from '#protocol/words.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { globPattern } from '../base/glob.js';
import type { Turns } from '../base/turns.js';
import { ground } from '../retrieve/ground.js';
import type { SearchIndex } from '../retrieve/search-index.js';
import { symbolEntry } from '../tools/symbol.js';
import type { SearchMemory } from './search-memory.js';
import type { WorkingTree } from './working-tree.js';

const SYMBOLS_UNLESS_SAID = 5;

export function* groundDocument(tree: WorkingTree, memory: SearchMemory, params: GroundParams): Turns<GroundReport> {
  const index = left(yield* memory.of(tree), params.exclude ?? []);
  const repository = { resolver: tree.resolver, text: (file: string) => tree.text(file) };
  const results: GroundReport['results'] = [];
  for (const intent of params.intents) {
    yield;
    const found = ground(index, tree.snapshot, intent, params.k ?? SYMBOLS_UNLESS_SAID);
    const symbols = found.map((symbol): GroundedSymbol => {
      const entry = symbolEntry(repository, symbol);
      return { ...entry, kind: entry.kind as BlockKind };
    });
    results.push({ intent, symbols });
  }
  return { schema: SCHEMA_VERSION, results };
}

const leftOver = new WeakMap<SearchIndex, Map<string, SearchIndex>>();

/** The index without excluded files, remembered: a batch asks many times. */
function left(index: SearchIndex, exclude: readonly string[]): SearchIndex {
  if (exclude.length === 0) return index;
  const key = exclude.join('\0');
  let known = leftOver.get(index);
  if (known === undefined) leftOver.set(index, (known = new Map<string, SearchIndex>()));
  let rest = known.get(key);
  if (rest === undefined) {
    const patterns = exclude.map(globPattern);
    known.set(key, (rest = index.without((file) => patterns.some((pattern) => pattern.test(file)))));
  }
  return rest;
}
