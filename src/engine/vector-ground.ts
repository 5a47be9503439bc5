/**
 * Looking intents up by words and by vectors together, where somebody gives vectors.
 *
 * What the words find, and what they found for the whole request, is ranked anew by how near its vector is to the
 * intent's, and both rankings are fused. Vectors are kept by embedder and text, so an edit costs the vectors of what it
 * changed and a moved file none. Where vectors cannot be had, the words alone answer, and that is said.
 */
import { LRUCache } from 'lru-cache';
import { hashText } from '../base/hash.js';
import type { Embedder } from '../model/model.js';
import { fused } from '../search/fusion.js';
import type { PlanSymbol } from '../search/plan.js';
import type { Ground } from '../search/successor.js';
import type { PlanSymbols } from './plan-symbols.js';

/** Vectors that are kept; some 6 kB each. */
const VECTORS_MOST = 20_000;
/** Symbols that the words give to be ranked anew. */
const CANDIDATES = 50;
/** Of a symbol so much is what its vector is of, in characters. */
const TEXT_MOST = 1200;

/** Vectors by embedder and text. */
export type VectorMemory = LRUCache<string, Float32Array>;
/** Counted as sizes: `max` would take the room for all of them at once, for every client. */
export const vectorMemory = (): VectorMemory => new LRUCache({ maxSize: VECTORS_MOST, sizeCalculation: () => 1 });

export interface VectorGround {
  readonly ground: Ground;
  /** Why vectors were not used, or no more, in words. */
  problem(): string | undefined;
}

/** `starting`: symbols that the whole request leads to. */
export function vectorGround(
  symbols: PlanSymbols,
  starting: readonly PlanSymbol[],
  embedder: Embedder,
  memory: VectorMemory,
  signal: AbortSignal,
): VectorGround {
  let problem: string | undefined;
  const vectorsOf = async (texts: readonly string[]): Promise<readonly Float32Array[] | undefined> => {
    const keys = texts.map((text) => `${embedder.name}\0${hashText(text)}\0${text.length}`);
    const missing = texts.filter((_, at) => !memory.has(keys[at] as string));
    const embedded = missing.length === 0 ? undefined : await embedder.embed(missing, signal);
    if (embedded?.ok === false) {
      problem = `vectors were not used: ${embedded.error.message}`;
      return undefined;
    }
    const fresh = new Map(missing.map((text, at) => [text, embedded?.vectors[at]]));
    return texts.flatMap((text, at) => {
      const vector = fresh.get(text) ?? memory.get(keys[at] as string) ?? [];
      if (vector instanceof Float32Array) memory.set(keys[at] as string, vector);
      return vector;
    });
  };
  const ground: Ground = async (intent, most) => {
    const byWords = symbols.ground(intent, Math.max(CANDIDATES, most));
    if (problem !== undefined) return byWords.slice(0, most);
    const pool = [...new Map([...byWords, ...starting].map((symbol) => [symbol.id, symbol])).values()];
    const texts = pool.map((symbol) => `${symbol.qualifiedName}\n${symbols.definitionOf(symbol)}`.slice(0, TEXT_MOST));
    const [own, ...others] = (await vectorsOf([intent, ...texts])) ?? [];
    if (own === undefined || others.length !== pool.length) return byWords.slice(0, most);
    const near = pool.map((symbol, at) => ({ symbol, nearness: product(own, others[at]) }));
    near.sort((a, b) => b.nearness - a.nearness || (a.symbol.id < b.symbol.id ? -1 : 1));
    return fused(
      byWords,
      near.map(({ symbol }) => symbol),
      ({ id }) => id,
    ).slice(0, most);
  };
  return { ground, problem: () => problem };
}

function product(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b?.[at] ?? 0);
  return sum;
}
