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
    if (weigh === undefined) return found.best(most).hits();
    // What the best come to is the least that any other has to reach.
    const first = found.best(most * LOOKED_FOR_EACH).weighed(most, weigh);
    return found.weighed(most, weigh, first.least()).hits();
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
  weigh(segment: Segment, doc: number): number;
}

/** What each document is worth before anything is asked, found when it is wanted. */
export class Worths {
  /** Below nothing for a document that was not asked about. */
  private readonly known = new Map<Segment, Float64Array>();

  constructor(private readonly worthOf: (segment: Segment, doc: number) => number) {}

  ofAll(segment: Segment): Float64Array {
    let worths = this.known.get(segment);
    if (worths === undefined) this.known.set(segment, (worths = new Float64Array(segment.count).fill(-1)));
    return worths;
  }

  of(segment: Segment, doc: number): number {
    const worths = this.ofAll(segment);
    const known = worths[doc] as number;
    if (known >= 0) return known;
    return (worths[doc] = this.worthOf(segment, doc));
  }
}

const NONE = new Uint8Array(0);

/** All that a query found, as numbers: only the best become hits. */
class Found {
  constructor(private readonly parts: readonly Scored[]) {}

  best(most: number): Best {
    const best = new Best(most, this.parts);
    this.parts.forEach(({ touched, scores }, part) => {
      for (const doc of touched) best.offer(scores[doc] as number, part, doc);
    });
    return best;
  }

  /** The best by their weighed scores, of those that come to `least`. */
  weighed(most: number, how: Weigh, least: number): Best {
    const best = new Best(most, this.parts);
    const { weightMost, worths } = how;
    this.parts.forEach(({ segment, touched, scores }, part) => {
      for (const doc of touched) {
        const score = scores[doc] as number;
        const wanted = Math.max(least, best.least());
        if (score * weightMost < wanted) continue;
        if (worths !== undefined && score * worths.of(segment, doc) < wanted) continue;
        best.offerWeighed(score * how.weigh(segment, doc), part, doc);
      }
    });
    return best;
  }
}

/**
 * The best so many documents: a heap in columns whose root is the worst that is kept. Ties are broken by path and
 * place, which is the order of documents within a part.
 */
class Best {
  private count = 0;
  private readonly scores: Float64Array;
  private readonly docs: Uint32Array;
  private readonly partOf: Uint8Array;

  constructor(
    private readonly most: number,
    private readonly parts: readonly Scored[],
  ) {
    const room = Math.min(
      most,
      parts.reduce((sum, { touched }) => sum + touched.length, 0),
    );
    this.scores = new Float64Array(room);
    this.docs = new Uint32Array(room);
    this.partOf = new Uint8Array(room);
  }

  /** What a document has to reach: the worst score that is kept, 0 while there is room. */
  least(): number {
    return this.count < this.most ? 0 : (this.scores[0] as number);
  }

  offer(score: number, part: number, doc: number): void {
    const { scores, docs, partOf } = this;
    if (this.count < this.most) {
      let at = this.count++;
      // The last goes up to its place.
      for (; at > 0;) {
        const parent = (at - 1) >> 1;
        if (!this.isBehind(score, part, doc, parent)) break;
        this.copy(parent, at);
        at = parent;
      }
      scores[at] = score;
      docs[at] = doc;
      partOf[at] = part;
      return;
    }
    if (this.most === 0 || score < (scores[0] as number) || this.isBehind(score, part, doc, 0)) return;
    this.putDown(score, part, doc, this.count);
  }

  /** Leaves out what comes to nothing. */
  offerWeighed(score: number, part: number, doc: number): void {
    if (score > 0) this.offer(score, part, doc);
  }

  /** The best of these by their weighed scores. */
  weighed(most: number, how: Weigh): Best {
    const best = new Best(most, this.parts);
    for (let at = 0; at < this.count; at++) {
      const [part, doc] = [this.partOf[at] as number, this.docs[at] as number];
      const { segment } = this.parts[part] as Scored;
      best.offerWeighed((this.scores[at] as number) * how.weigh(segment, doc), part, doc);
    }
    return best;
  }

  /** Best first. */
  hits(): Hit[] {
    const { scores, docs, partOf } = this;
    const hits: Hit[] = [];
    for (let left = this.count; left > 0;) {
      const { segment } = this.parts[partOf[0] as number] as Scored;
      const doc = docs[0] as number;
      hits.push({ file: segment.fileOf(doc), decl: segment.declOf(doc), score: scores[0] as number });
      left--;
      if (left > 0) this.putDown(scores[left] as number, partOf[left] as number, docs[left] as number, left);
    }
    this.count = 0;
    return hits.reverse();
  }

  /** Puts a document in the place of the root, among the first `count`, and down from there. */
  private putDown(score: number, part: number, doc: number, count: number): void {
    const { scores, docs, partOf } = this;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= count) break;
      const right = left + 1;
      const worst =
        right < count && this.isBehind(scores[right] as number, partOf[right] as number, docs[right] as number, left)
          ? right
          : left;
      if (!this.isBefore(score, part, doc, worst)) break;
      this.copy(worst, at);
      at = worst;
    }
    scores[at] = score;
    docs[at] = doc;
    partOf[at] = part;
  }

  private copy(from: number, to: number): void {
    this.scores[to] = this.scores[from] as number;
    this.docs[to] = this.docs[from] as number;
    this.partOf[to] = this.partOf[from] as number;
  }

  /** Whether a document comes behind the one at a place. */
  private isBehind(score: number, part: number, doc: number, at: number): boolean {
    const other = this.scores[at] as number;
    return score === other ? this.isLater(part, doc, at) : score < other;
  }

  private isBefore(score: number, part: number, doc: number, at: number): boolean {
    const other = this.scores[at] as number;
    return score === other ? !this.isLater(part, doc, at) : score > other;
  }

  private isLater(part: number, doc: number, at: number): boolean {
    const otherPart = this.partOf[at] as number;
    const other = this.docs[at] as number;
    if (part === otherPart) return doc > other;
    const fileOf = (which: number, row: number): string => (this.parts[which] as Scored).segment.fileOf(row);
    return fileOf(part, doc) > fileOf(otherPart, other);
  }
}

/** Average length of each field over what is alive, never 0. */
function averages(base: Segment, dead: Uint8Array, delta: Segment): Float64Array {
  const sums = new Float64Array(FIELD_COUNT);
  const count = base.addLengths(dead, sums) + delta.addLengths(NONE, sums);
  return sums.map((sum) => sum / Math.max(1, count) || 1);
}
