/**
 * The search index over all blocks of a snapshot: BM25F, immutable, updated by files.
 *
 *     base     postings of every word over all documents of some time, in typed arrays
 *     dead     documents of the base whose file has changed since
 *     delta    a small index of the files that changed, made anew with each of them
 *
 * As with names (`name-index.ts`), an index shares its base with those before and behind it, and becomes a new
 * base when many files have changed; the documents of files that did not change are never read again. What is
 * answered is the same as from an index that is built afresh: all sums are of whole numbers, and ties are
 * broken by path and place. A word's postings are scanned once a search; nothing is kept for it between searches.
 *
 * Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, section on BM25F.
 */
import {
  countOf,
  FIELD_COUNT,
  fieldOf,
  FIELDS,
  readDocuments,
  wordOf,
  type Field,
  type FileDocuments,
} from './documents.js';
import { Lexicon } from './lexicon.js';
import type { Summary } from '../syntax/summary.js';

/** How soon a word that is said again stops to count, and how much a long field is held against a block. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.4;
/** What a word is worth in each field. */
const WEIGHTS: Readonly<Record<Field, number>> = {
  name: 3,
  container: 1,
  path: 0.7,
  doc: 1.5,
  first: 1,
  params: 0.5,
  body: 0.3,
};
/** So many times as many as are wanted are weighed at first, and again where that may not be enough. */
const LOOKED_FOR_EACH = 8;
/** Changed files that are kept beside the base before it is made anew. */
const CHANGED_MOST = 64;

/** A file as the index reads it. */
export interface SourceText {
  readonly summary: Summary;
  readonly text: string;
}

export interface Hit {
  readonly file: string;
  /** Row of the block. */
  readonly decl: number;
  readonly score: number;
}

/** Weight of each word of a question, by its number. */
export type Query = ReadonlyMap<number, number>;

export class SearchIndex {
  private readonly rarities = new Map<number, number>();

  private constructor(
    readonly lexicon: Lexicon,
    private readonly files: ReadonlyMap<string, FileDocuments>,
    private readonly base: Segment,
    private readonly changed: ReadonlySet<string>,
    private readonly dead: Uint8Array,
    private readonly delta: Segment,
  ) {
    let alive = base.count + delta.count;
    for (const isDead of dead) alive -= isDead;
    this.size = alive;
  }

  static empty(): SearchIndex {
    const none = Segment.of(new Map());
    return new SearchIndex(new Lexicon(), new Map(), none, new Set(), new Uint8Array(0), none);
  }

  /** The index after some files changed, came or (undefined) went. */
  with(changes: ReadonlyMap<string, SourceText | undefined>): SearchIndex {
    const read = new Map<string, FileDocuments | undefined>();
    for (const [file, source] of changes) read.set(file, source === undefined ? undefined : this.read(file, source));
    return this.withDocuments(read);
  }

  /** A file's documents, to be put in by `withDocuments`: long work is cut between files. */
  read(file: string, { summary, text }: SourceText): FileDocuments {
    return readDocuments(file, summary, text, this.lexicon);
  }

  withDocuments(changes: ReadonlyMap<string, FileDocuments | undefined>): SearchIndex {
    if (changes.size === 0) return this;
    const files = new Map(this.files);
    for (const [file, documents] of changes) {
      if (documents === undefined) files.delete(file);
      else files.set(file, documents);
    }
    const changed = new Set([...this.changed, ...changes.keys()]);
    const none = Segment.of(new Map());
    if (changed.size > CHANGED_MOST) {
      const base = Segment.of(files);
      return new SearchIndex(this.lexicon, files, base, new Set(), new Uint8Array(base.count), none);
    }
    const dead = new Uint8Array(this.base.count);
    for (const file of changed) this.base.mark(file, dead);
    const kept = new Map<string, FileDocuments>();
    for (const file of changed) {
      const documents = files.get(file);
      if (documents !== undefined) kept.set(file, documents);
    }
    return new SearchIndex(this.lexicon, files, this.base, changed, dead, Segment.of(kept));
  }

  /** The index without the files that a test tells, for a question that must not be answered from them. */
  without(isLeftOut: (file: string) => boolean): SearchIndex {
    const files = new Map([...this.files].filter(([file]) => !isLeftOut(file)));
    if (files.size === this.files.size) return this;
    const base = Segment.of(files);
    const none = Segment.of(new Map());
    return new SearchIndex(this.lexicon, files, base, new Set(), new Uint8Array(base.count), none);
  }

  /** Documents that are searched. */
  readonly size: number;

  has(file: string): boolean {
    return this.files.has(file);
  }

  /** How much a word tells: 0 for one that no document has. */
  rarityOf(word: number): number {
    let rarity = this.rarities.get(word);
    if (rarity === undefined) {
      const within = this.base.within(word, this.dead) + this.delta.within(word, NONE);
      rarity = within === 0 ? 0 : Math.log(1 + (this.size - within + 0.5) / (within + 0.5));
      this.rarities.set(word, rarity);
    }
    return rarity;
  }

  /**
   * The best `most` documents, best first; ties by path and place. `weigh` gives what a document's score is
   * taken times; documents whose score it makes 0 are left out. It is asked of the best documents and of those
   * that could still come among them, given that it never gives more than `weightMost`.
   */
  search(query: Query, most: number, weigh?: Weigh): Hit[] {
    const found = this.scored(query);
    if (weigh === undefined) return found.best(most);
    for (let looked = most * LOOKED_FOR_EACH; ; looked *= LOOKED_FOR_EACH) {
      const candidates = found.best(looked);
      const hits = weighed(candidates, most, weigh);
      const least = hits.length < most ? 0 : (hits[most - 1] as Hit).score;
      const next = candidates.length < looked ? 0 : (candidates[looked - 1] as Hit).score;
      if (next === 0 || next * weigh.weightMost < least) return hits;
    }
  }

  private scored(query: Query): Found {
    const lengths = averages(this.base, this.dead, this.delta);
    const rarityOf = (word: number): number => this.rarityOf(word);
    return new Found([
      this.base.score(query, this.dead, lengths, rarityOf),
      this.delta.score(query, NONE, lengths, rarityOf),
    ]);
  }

  /** Bytes that the index holds, without the lexicon. */
  get bytes(): number {
    let bytes = this.base.bytes + this.delta.bytes;
    for (const { decls, start, entries, lengths } of this.files.values())
      bytes += decls.byteLength + start.byteLength + entries.byteLength + lengths.byteLength;
    return bytes;
  }
}

export interface Weigh {
  readonly weightMost: number;
  weigh(hit: Hit): number;
}

const NONE = new Uint8Array(0);

/** Best first. */
const byScore = (a: Hit, b: Hit): number =>
  b.score - a.score || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl);

/** Documents of one segment that a query touches, with their scores by document. */
interface Scored {
  readonly segment: Segment;
  readonly touched: readonly number[];
  readonly scores: Float64Array;
}

/** All that a query found, of which only the best are ever put in order. */
class Found {
  constructor(private readonly parts: readonly Scored[]) {}

  /** The best so many, best first: a heap whose root is the worst that is kept. */
  best(most: number): Hit[] {
    const heap: Hit[] = [];
    for (const { segment, touched, scores } of this.parts)
      for (const doc of touched) {
        const score = scores[doc] as number;
        const worst = heap[0];
        if (heap.length >= most && worst !== undefined && score < worst.score) continue;
        const hit = { file: segment.fileOf(doc), decl: segment.declOf(doc), score };
        if (heap.length < most) {
          heap.push(hit);
          rise(heap);
        } else if (worst !== undefined && byScore(hit, worst) < 0) {
          heap[0] = hit;
          sink(heap);
        }
      }
    return heap.sort(byScore);
  }
}

/** Moves the last of a heap up to its place; the worst is the root. */
function rise(heap: Hit[]): void {
  for (let at = heap.length - 1; at > 0;) {
    const parent = (at - 1) >> 1;
    if (byScore(heap[at] as Hit, heap[parent] as Hit) <= 0) return;
    swap(heap, at, parent);
    at = parent;
  }
}

/** Moves the root of a heap down to its place. */
function sink(heap: Hit[]): void {
  for (let at = 0; ;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && byScore(heap[child] as Hit, heap[worst] as Hit) > 0) worst = child;
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: Hit[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as Hit, heap[a] as Hit];
}

function weighed(candidates: readonly Hit[], most: number, { weigh }: Weigh): Hit[] {
  return candidates
    .map((hit): Hit => ({ ...hit, score: hit.score * weigh(hit) }))
    .filter(({ score }) => score > 0)
    .sort(byScore)
    .slice(0, most);
}

/** Average length of each field over what is alive, never 0. */
function averages(base: Segment, dead: Uint8Array, delta: Segment): Float64Array {
  const sums = new Float64Array(FIELD_COUNT);
  const count = base.addLengths(dead, sums) + delta.addLengths(NONE, sums);
  return sums.map((sum) => sum / Math.max(1, count) || 1);
}

/** Postings of some files: `postings[start[w] .. start[w + 1])` are those of word w, by document. */
class Segment {
  private constructor(
    readonly count: number,
    private readonly paths: readonly string[],
    /** The first document of each path, and one behind the last. */
    private readonly first: Uint32Array,
    private readonly documents: readonly FileDocuments[],
    private readonly pathOf: Uint32Array,
    private readonly lengths: Uint16Array,
    private readonly wordStart: Uint32Array,
    /** Document, and beside it field and count. */
    private readonly docs: Uint32Array,
    private readonly said: Uint16Array,
    private readonly sums: Float64Array,
  ) {}

  static of(files: ReadonlyMap<string, FileDocuments>): Segment {
    const paths = [...files.keys()].sort();
    const documents = paths.map((path) => files.get(path) as FileDocuments);
    const first = new Uint32Array(paths.length + 1);
    documents.forEach(({ decls }, i) => (first[i + 1] = (first[i] as number) + decls.length));
    const count = first[paths.length] as number;
    const pathOf = new Uint32Array(count);
    const lengths = new Uint16Array(count * FIELD_COUNT);
    let words = 0;
    documents.forEach((file, i) => {
      pathOf.fill(i, first[i], first[i + 1]);
      lengths.set(file.lengths, (first[i] as number) * FIELD_COUNT);
      for (const entry of file.entries) words = Math.max(words, wordOf(entry) + 1);
    });
    const sums = new Float64Array(FIELD_COUNT);
    for (let i = 0; i < lengths.length; i++)
      sums[i % FIELD_COUNT] = (sums[i % FIELD_COUNT] as number) + (lengths[i] as number);
    return new Segment(count, paths, first, documents, pathOf, lengths, ...postingsOf(documents, first, words), sums);
  }

  fileOf(doc: number): string {
    return this.paths[this.pathOf[doc] as number] as string;
  }

  declOf(doc: number): number {
    const path = this.pathOf[doc] as number;
    return (this.documents[path] as FileDocuments).decls[doc - (this.first[path] as number)] as number;
  }

  /** Marks the documents of a file. */
  mark(file: string, dead: Uint8Array): void {
    const at = positionOf(this.paths, file);
    if (at >= 0) dead.fill(1, this.first[at], this.first[at + 1]);
  }

  /** How many living documents have the word. */
  within(word: number, dead: Uint8Array): number {
    let count = 0;
    let last = -1;
    const end = this.wordStart[word + 1] ?? 0;
    for (let at = this.wordStart[word] ?? end; at < end; at++) {
      const doc = this.docs[at] as number;
      if (doc === last) continue;
      last = doc;
      if (dead[doc] !== 1) count++;
    }
    return count;
  }

  /** Adds the lengths of the living documents' fields; gives how many live. */
  addLengths(dead: Uint8Array, sums: Float64Array): number {
    let count = this.count;
    for (let field = 0; field < FIELD_COUNT; field++)
      sums[field] = (sums[field] as number) + (this.sums[field] as number);
    for (let doc = 0; doc < dead.length; doc++) {
      if (dead[doc] !== 1) continue;
      count--;
      for (let field = 0; field < FIELD_COUNT; field++)
        sums[field] = (sums[field] as number) - (this.lengths[doc * FIELD_COUNT + field] as number);
    }
    return count;
  }

  /** The living documents that say any of the words. */
  score(query: Query, dead: Uint8Array, average: Float64Array, rarityOf: (word: number) => number): Scored {
    const scores = new Float64Array(this.count);
    const touched: number[] = [];
    const { docs, said: entries, lengths } = this;
    // Of a field of so many words one word counts weight / (fixed + slope * length).
    const weights = Float64Array.from(FIELDS, (field) => WEIGHTS[field]);
    const slopes = average.map((length) => LENGTH_SHARE / length);
    for (const [word, weight] of query) {
      const end = this.wordStart[word + 1] ?? 0;
      let at = this.wordStart[word] ?? end;
      if (at >= end) continue;
      const worth = rarityOf(word) * weight * (SATURATION + 1);
      while (at < end) {
        const doc = docs[at] as number;
        let said = 0;
        for (; at < end && docs[at] === doc; at++) {
          const entry = entries[at] as number;
          const field = fieldOf(entry);
          const length = lengths[doc * FIELD_COUNT + field] as number;
          said +=
            ((weights[field] as number) * countOf(entry)) / (1 - LENGTH_SHARE + (slopes[field] as number) * length);
        }
        if (dead[doc] === 1) continue;
        if (scores[doc] === 0) touched.push(doc);
        scores[doc] = (scores[doc] as number) + (worth * said) / (said + SATURATION);
      }
    }
    return { segment: this, touched, scores };
  }

  get bytes(): number {
    const { first, pathOf, lengths, wordStart, docs, said } = this;
    return [first, pathOf, lengths, wordStart, docs, said].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

/** Entries of all documents sorted by word, by counting. */
function postingsOf(
  files: readonly FileDocuments[],
  first: Uint32Array,
  words: number,
): [Uint32Array, Uint32Array, Uint16Array] {
  const wordStart = new Uint32Array(words + 2);
  for (const { entries } of files)
    for (const entry of entries) {
      const at = wordOf(entry) + 2;
      wordStart[at] = (wordStart[at] as number) + 1;
    }
  for (let word = 1; word < wordStart.length; word++)
    wordStart[word] = (wordStart[word] as number) + (wordStart[word - 1] as number);
  const total = wordStart[words + 1] as number;
  const docs = new Uint32Array(total);
  const said = new Uint16Array(total);
  // The start of each word moves on while its postings are put in, and ends where the next begins.
  files.forEach(({ start, entries }, i) => {
    for (let own = 0; own + 1 < start.length; own++) {
      const doc = (first[i] as number) + own;
      for (let at = start[own] as number; at < (start[own + 1] as number); at++) {
        const entry = entries[at] as number;
        const to = wordStart[wordOf(entry) + 1] as number;
        wordStart[wordOf(entry) + 1] = to + 1;
        docs[to] = doc;
        said[to] = entry & 0x3ff;
      }
    }
  });
  return [wordStart.subarray(0, words + 1), docs, said];
}

/** Place of a path among sorted ones; -1 for none. */
function positionOf(paths: readonly string[], path: string): number {
  let low = 0;
  let high = paths.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = paths[middle] as string;
    if (at === path) return middle;
    if (at < path) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
