/**
 * Sentences grounded by words, as their document.
 */
import type { GroundedSymbol, GroundParams, GroundReport } from '#protocol/tools.js';
import type { BlockKind } from '#protocol/words.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { globPattern } from '../base/glob.js';
import type { Turns } from '../base/turns.js';
import { ground, type Grounded } from '../retrieve/ground.js';
import type { SearchIndex } from '../retrieve/search-index.js';
import { SYMBOLS_UNLESS_SAID } from '../tools/ground-tool.js';
import { symbolEntry } from '../tools/symbol.js';
import type { SearchMemory } from './search-memory.js';
import type { WorkingTree } from './working-tree.js';

export function* groundDocument(tree: WorkingTree, memory: SearchMemory, params: GroundParams): Turns<GroundReport> {
  const index = left(yield* memory.of(tree), params.exclude);
  const results: GroundReport['results'] = [];
  for (const intent of params.intents) {
    yield;
    const found = ground(index, tree.snapshot, intent, params.k ?? SYMBOLS_UNLESS_SAID);
    results.push({ intent, symbols: entriesOf(tree, found) });
  }
  return { schema: SCHEMA_VERSION, results };
}

export const entriesOf = (tree: WorkingTree, found: readonly Grounded[]): GroundedSymbol[] =>
  found.map((symbol): GroundedSymbol => {
    const entry = symbolEntry({ resolver: tree.resolver, text: (file) => tree.text(file) }, symbol);
    return { ...entry, kind: entry.kind as BlockKind };
  });

const leftOver = new WeakMap<SearchIndex, Map<string, SearchIndex>>();

/** The index without excluded files, remembered: a batch asks many times. */
export function left(index: SearchIndex, exclude: readonly string[] = []): SearchIndex {
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
