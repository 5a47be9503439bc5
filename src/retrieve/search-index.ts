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
 * broken by path and place. A word's postings are scanned once a search; beside which names it is
 * said is kept for some words.
 *
 * Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, section on BM25F.
 */
import { FIELD_COUNT, readDocuments, withIntents } from './documents.js';
import { Lexicon } from './lexicon.js';
import type { Summary } from '../syntax/summary.js';
import { Segment, type Besides, type IndexedFile, type Query, type Scored, type Shares } from './segment.js';
import { NameCounts, readUses } from './uses.js';

/** So many times as many as are wanted are weighed at first. */
const LOOKED_FOR_EACH = 8;
/** Changed files that are kept beside the base before it is made anew. */
const CHANGED_MOST = 64;
/** Names, with their shares, that are kept of words: 12 bytes each. */
const NAMES_KEPT_MOST = 1_000_000;

/** A file as the index reads it. */
export interface SourceText {
  readonly summary: Summary;
  readonly text: string;
}

export type { IndexedFile, Query } from './segment.js';

export interface Hit {
  readonly file: string;
  /** Row of the block. */
  readonly decl: number;
  readonly score: number;
}

export class SearchIndex {
  private readonly rarities = new Map<number, number>();
  /** By name, 0 where it was not asked for. */
  private besideLengths = new Float64Array(0);
  private nameCounts: NameCounts | undefined;
  private readonly sharesOf = new Map<number, Shares>();
  private namesKept = 0;
  private besideAverage: number | undefined;
  private isBlocks: Uint8Array | undefined;
  /** 1 for each file of the base that has changed. */
  private readonly gone: Uint8Array;

  private constructor(
    readonly lexicon: Lexicon,
    private readonly files: ReadonlyMap<string, IndexedFile>,
    private readonly base: Segment,
    private readonly changed: ReadonlySet<string>,
    private readonly dead: Uint8Array,
    private readonly delta: Segment,
  ) {
    this.gone = base.placesOf(changed);
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
    const read = new Map<string, IndexedFile | undefined>();
    for (const [file, source] of changes) read.set(file, source === undefined ? undefined : this.read(file, source));
    return this.withDocuments(read);
  }

  /** A file's documents, to be put in by `withDocuments`: long work is cut between files. */
  read(file: string, { summary, text }: SourceText): IndexedFile {
    return { ...readDocuments(file, summary, text, this.lexicon), uses: readUses(file, summary, text, this.lexicon) };
  }

  withDocuments(changes: ReadonlyMap<string, IndexedFile | undefined>): SearchIndex {
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
    const kept = new Map<string, IndexedFile>();
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

  /** The index with what is said of some blocks, by file and row, beside their own words. */
  saying(said: ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>): SearchIndex {
    const changes = new Map<string, IndexedFile>();
    for (const [file, ofFile] of said) {
      const documents = this.files.get(file);
      if (documents === undefined) continue;
      changes.set(file, { ...withIntents(documents, ofFile, this.lexicon), uses: documents.uses });
    }
    return this.withDocuments(changes);
  }

  /** All blocks that are searched, by path and place. */
  *blocks(): Iterable<{ readonly file: string; readonly decl: number }> {
    for (const file of [...this.files.keys()].sort())
      for (const decl of this.files.get(file)?.decls ?? []) yield { file, decl };
  }

  /** Documents that are searched. */
  readonly size: number;

  has(file: string): boolean {
    return this.files.has(file);
  }

  /** How much a word tells: 0 for one that no document has, and that is said beside no use. */
  rarityOf(word: number): number {
    let rarity = this.rarities.get(word);
    if (rarity === undefined) {
      const within =
        this.base.within(word, this.dead) + this.delta.within(word, NONE) ||
        Math.min(this.size, this.base.uses.saying(word, this.gone) + this.delta.uses.saying(word, NONE));
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
    const found = this.scored(query, weigh?.usesCount === true);
    if (weigh === undefined) return found.best(most);
    // What the best come to is the least that any other has to reach.
    const first = weighed(found.best(most * LOOKED_FOR_EACH), most, weigh, 0);
    const least = first.length < most ? 0 : (first[most - 1] as Hit).score;
    return weighed(found.from(least, weigh), most, weigh, least);
  }

  private scored(query: Query, usesCount: boolean): Found {
    const lengths = averages(this.base, this.dead, this.delta);
    const rarityOf = (word: number): number => this.rarityOf(word);
    const besides: Besides | undefined = usesCount ? this.besidesOf(query) : undefined;
    return new Found([
      this.base.score(query, this.dead, lengths, rarityOf, besides),
      this.delta.score(query, NONE, lengths, rarityOf, besides),
    ]);
  }

  /** How many tests say a name, or both names. */
  testsSaying(name: string, other?: string): number {
    const own = this.lexicon.nameNumber(name);
    const second = other === undefined ? own : this.lexicon.nameNumber(other);
    return this.base.uses.tests(own, this.gone, second) + this.delta.uses.tests(own, NONE, second);
  }

  /** Beside which names of blocks each word is said, as a share of all words that are said there. */
  private besidesOf(query: Query): Besides {
    const counts = (this.nameCounts ??= new NameCounts(this.blockNames()));
    const shares = new Map<number, Shares>();
    for (const word of query.keys()) {
      const known = this.sharesOf.get(word);
      if (known !== undefined) {
        shares.set(word, known);
        continue;
      }
      this.base.uses.addCounts(word, this.gone, counts);
      this.delta.uses.addCounts(word, NONE, counts);
      const { names, counts: said } = counts.taken();
      if (names.length === 0) continue;
      for (let i = 0; i < names.length; i++) said[i] = (said[i] as number) / this.lengthBeside(names[i] as number);
      shares.set(word, { names, shares: said });
      this.rememberShares(word, { names, shares: said });
    }
    return { shares, averageLength: this.averageBeside(), nameCount: this.blockNames().length };
  }

  /** Words that many things are said with are in many questions; the oldest go first. */
  private rememberShares(word: number, shares: Shares): void {
    if (shares.names.length > NAMES_KEPT_MOST) return;
    this.sharesOf.set(word, shares);
    this.namesKept += shares.names.length;
    for (const [oldest, { names }] of this.sharesOf) {
      if (this.namesKept <= NAMES_KEPT_MOST) return;
      this.sharesOf.delete(oldest);
      this.namesKept -= names.length;
    }
  }

  /** 1 for each name that a block has. */
  private blockNames(): Uint8Array {
    if (this.isBlocks === undefined) {
      this.isBlocks = new Uint8Array(this.lexicon.nameCount);
      for (const { names } of this.files.values()) for (const name of names) this.isBlocks[name] = 1;
    }
    return this.isBlocks;
  }

  private lengthBeside(name: number): number {
    if (this.besideLengths.length === 0) this.besideLengths = new Float64Array(this.blockNames().length);
    let length = this.besideLengths[name] as number;
    if (length === 0) {
      length = this.base.uses.wordsBeside(name, this.gone) + this.delta.uses.wordsBeside(name, NONE);
      this.besideLengths[name] = length;
    }
    return length;
  }

  /** How many words are said beside a block's name, on average over all blocks. */
  private averageBeside(): number {
    if (this.besideAverage === undefined) {
      let sum = 0;
      for (const { names } of this.files.values()) for (const name of names) sum += this.lengthBeside(name);
      this.besideAverage = sum / Math.max(1, this.size);
    }
    return this.besideAverage;
  }

  /** Bytes that the index holds, without the lexicon. */
  get bytes(): number {
    let bytes = this.base.bytes + this.delta.bytes;
    for (const { decls, names, start, entries, lengths, uses } of this.files.values())
      for (const column of [decls, names, start, entries, lengths, uses.words, uses.names]) bytes += column.byteLength;
    return bytes;
  }
}

export interface Weigh {
  readonly weightMost: number;
  /** The most that each document may be given, whatever is asked; `weightMost` when not given. */
  readonly worths?: Worths;
  /** Whether words count that stand beside uses of a block's name. */
  readonly usesCount: boolean;
  weigh(hit: Hit): number;
}

/** What each document is worth before anything is asked, found when it is wanted. */
export class Worths {
  /** Below nothing for a document that was not asked about. */
  private readonly known = new Map<Segment, Float64Array>();

  constructor(private readonly worthOf: (document: Pick<Hit, 'file' | 'decl'>) => number) {}

  ofAll(segment: Segment): Float64Array {
    let worths = this.known.get(segment);
    if (worths === undefined) this.known.set(segment, (worths = new Float64Array(segment.count).fill(-1)));
    return worths;
  }

  of(segment: Segment, doc: number): number {
    const worths = this.ofAll(segment);
    const known = worths[doc] as number;
    if (known >= 0) return known;
    return (worths[doc] = this.worthOf({ file: segment.fileOf(doc), decl: segment.declOf(doc) }));
  }
}

const NONE = new Uint8Array(0);

/** Best first. */
const byScore = (a: Hit, b: Hit): number =>
  b.score - a.score || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl);

/** All that a query found, of which only the best are ever put in order. */
class Found {
  constructor(private readonly parts: readonly Scored[]) {}

  /** Those that may come to so much once they are weighed, in no order. */
  from(least: number, { weightMost, worths }: Weigh): Hit[] {
    const hits: Hit[] = [];
    for (const { segment, touched, scores } of this.parts)
      for (const doc of touched) {
        const score = scores[doc] as number;
        if (score * weightMost < least) continue;
        if (worths !== undefined && score * worths.of(segment, doc) < least) continue;
        hits.push({ file: segment.fileOf(doc), decl: segment.declOf(doc), score });
      }
    return hits;
  }

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

/** The best of those that come to so much and to more than nothing. */
function weighed(candidates: readonly Hit[], most: number, { weigh }: Weigh, least: number): Hit[] {
  const hits: Hit[] = [];
  for (const hit of candidates) {
    const score = hit.score * weigh(hit);
    if (score > 0 && score >= least) hits.push({ ...hit, score });
  }
  return hits.sort(byScore).slice(0, most);
}

/** Average length of each field over what is alive, never 0. */
function averages(base: Segment, dead: Uint8Array, delta: Segment): Float64Array {
  const sums = new Float64Array(FIELD_COUNT);
  const count = base.addLengths(dead, sums) + delta.addLengths(NONE, sums);
  return sums.map((sum) => sum / Math.max(1, count) || 1);
}
