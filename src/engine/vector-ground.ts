/**
 * Looking intents up by words and by vectors, each a source of its own, where somebody gives vectors.
 *
 *     words      what the index finds
 *     vectors    what is nearest of all symbols whose vectors are known, by their text or by what a model said of them
 *
 * Both rankings are fused, so that a symbol is found that has no word of the intent. Known are the vectors of what the
 * words of a request and of the intents found, then and earlier, or of all symbols. They are kept by embedder and
 * text: an edit costs the vectors of what it changed and a moved file none. Where vectors cannot be had, the words
 * alone answer, and that is said.
 */
import { createHash } from 'node:crypto';
import type { DeclRef } from '../languages/language.js';
import type { Embedder } from '../model/model.js';
import type { Grounded } from '../retrieve/ground.js';
import { fused } from '../search/fusion.js';
import type { Ground } from '../search/successor.js';
import type { Effects, Kept } from './effects.js';
import type { PlanSymbols } from './plan-symbols.js';
import { ServiceError, type Call } from './service.js';

/** Places of each source that are fused. */
const CANDIDATES = 50;
/** Symbols that the words of each sentence give vectors to that the look-ups begin with. */
const FOUND_MOST = 200;
/** Symbols that are compared by vectors; each has some 6 kB of them. */
const SYMBOLS_MOST = 20_000;
/** Texts that are asked for at once: what came is kept before the next. */
const TEXTS_AT_ONCE = 256;
const UNIT_SEPARATOR = '\0';

export interface VectorParts {
  readonly symbols: PlanSymbols;
  readonly embedder: Embedder;
  readonly kept: Kept<Float32Array>;
  /** Of which symbols vectors are asked for: what words find, or all. */
  readonly which: 'found' | 'all';
  readonly call: Call;
  /** Ends the asking; what is known by then is used. */
  readonly stop: AbortSignal;
}

/** What is known before the first look-up. */
export interface Beginning {
  /** Sentences whose symbols get their vectors. */
  readonly sentences: readonly string[];
  /** What is going to be looked up: asked for with the first, and not one by one. */
  readonly intents: readonly string[];
}

export interface VectorGround {
  readonly ground: Ground;
  /** The same as blocks, with how each was found. */
  grounded(intent: string, most: number): Promise<readonly Grounded[]>;
  /** Why vectors were not used, or no more, in words. */
  problem(): string | undefined;
}

/** Who gives vectors. Throws ServiceError: settings, where they are asked for and nobody is configured. */
export async function embedderFor(
  asked: VectorParts['which'] | undefined,
  effects: Effects,
): Promise<Embedder | undefined> {
  const embedder = await effects.embedder();
  if (asked !== undefined && embedder === undefined)
    throw new ServiceError(
      'settings',
      'vectors are given by a model of the role embed, and none is configured: set model.roles.embed in your ' +
        'settings, or CODEPLAN_EMBED_BASE_URL and CODEPLAN_EMBED_MODEL',
    );
  return embedder;
}

export function vectorGround(beginning: Beginning, parts: VectorParts): VectorGround {
  const vectors = new SymbolVectors(beginning, parts);
  return {
    ground: async (intent, most) => (await vectors.grounded(intent, most)).map((block) => parts.symbols.symbol(block)),
    grounded: (intent, most) => vectors.grounded(intent, most),
    problem: () => vectors.problem,
  };
}

interface Near {
  readonly block: DeclRef;
  readonly nearness: number;
}

class SymbolVectors {
  problem: string | undefined;
  /** By block; those without a known vector are not in it. */
  private readonly known = new Map<string, { readonly block: DeclRef; readonly vectors: readonly Float32Array[] }>();
  /** Intents are looked up one after the other: what one asks for the next need not. */
  private last: Promise<unknown> = Promise.resolve();
  private isBegun = false;

  constructor(
    private readonly beginning: Beginning,
    private readonly parts: VectorParts,
  ) {}

  grounded(intent: string, most: number): Promise<readonly Grounded[]> {
    const found = this.last.then(() => this.found(intent, most));
    this.last = found.catch(() => undefined);
    return found;
  }

  private async found(intent: string, most: number): Promise<readonly Grounded[]> {
    const { symbols } = this.parts;
    const byWords = symbols.grounded(intent, Math.max(CANDIDATES, most));
    const own = this.problem === undefined ? await this.vectorOf(intent, byWords) : undefined;
    const found = own === undefined ? byWords : fused(byWords, this.nearest(own, byWords), keyOf);
    return found.slice(0, most);
  }

  /** The intent's vector, with those of all that is to be compared with it asked for too. */
  private async vectorOf(intent: string, byWords: readonly DeclRef[]): Promise<Float32Array | undefined> {
    const { symbols, which } = this.parts;
    const isFirst = !this.isBegun;
    this.isBegun = true;
    const earlier = isFirst ? symbols.documents().slice(0, SYMBOLS_MOST) : [];
    const { sentences, intents } = this.beginning;
    const begun = isFirst ? sentences.flatMap((sentence) => symbols.grounded(sentence, FOUND_MOST)) : [];
    const asked = isFirst && which === 'all' ? earlier : [...begun, ...byWords];
    const texts = asked.flatMap((block) => (this.known.has(keyOf(block)) ? [] : symbols.textsOf(block)));
    await this.embed([...(isFirst ? intents : []), intent, ...texts]);
    for (const block of [...earlier, ...begun, ...byWords]) this.take(block);
    return this.parts.kept.get(this.keyOfText(intent));
  }

  private take(block: DeclRef): void {
    const key = keyOf(block);
    if (this.known.has(key)) return;
    const { symbols, kept } = this.parts;
    const vectors = symbols.textsOf(block).flatMap((text) => kept.get(this.keyOfText(text)) ?? []);
    if (vectors.length > 0) this.known.set(key, { block, vectors });
  }

  /** Asks for those that are not kept yet, until somebody ends it or it fails. */
  private async embed(texts: readonly string[]): Promise<void> {
    const { embedder, kept, call, stop } = this.parts;
    const missing = [...new Set(texts)].filter((text) => kept.get(this.keyOfText(text)) === undefined);
    for (let from = 0; from < missing.length && !stop.aborted; from += TEXTS_AT_ONCE) {
      const some = missing.slice(from, from + TEXTS_AT_ONCE);
      const embedded = await embedder.embed(some, call.signal);
      if (!embedded.ok) {
        this.problem = `vectors were not used: ${embedded.error.message}`;
        return;
      }
      some.forEach((text, at) => {
        const vector = embedded.vectors[at];
        if (vector !== undefined) kept.put(this.keyOfText(text), vector);
      });
      if (missing.length > TEXTS_AT_ONCE)
        call.progress(`vectors of ${from + some.length} of ${missing.length} texts`, from / missing.length);
    }
  }

  private nearest(own: Float32Array, byWords: readonly Grounded[]): Grounded[] {
    const near = [...this.known.values()].map(({ block, vectors }): Near => {
      const nearness = vectors.reduce((best, vector) => Math.max(best, product(own, vector)), -Infinity);
      return { block, nearness };
    });
    near.sort(
      (a, b) =>
        b.nearness - a.nearness ||
        (a.block.file < b.block.file ? -1 : a.block.file > b.block.file ? 1 : 0) ||
        a.block.decl - b.block.decl,
    );
    const worded = new Map(byWords.map((found) => [keyOf(found), found]));
    return near
      .slice(0, CANDIDATES)
      .map(({ block, nearness }) => worded.get(keyOf(block)) ?? { ...block, score: nearness, via: 'vectors' });
  }

  private keyOfText(text: string): string {
    return createHash('sha256').update(`${this.parts.embedder.name}${UNIT_SEPARATOR}${text}`).digest('hex');
  }
}

const keyOf = ({ file, decl }: DeclRef): string => `${decl} ${file}`;

/** Vectors of different lengths are not of one kind. */
function product(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
