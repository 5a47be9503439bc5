/**
 * Postings of some files, in typed arrays: which documents say a word, in which fields, how often; and what a
 * question's words are worth in each of them (BM25F). Never changes.
 */
import { countOf, FIELD_COUNT, fieldOf, FIELDS, wordOf, type Field, type FileDocuments } from './documents.js';
import { listsOf, Uses, type FileUses, type Lists } from './uses.js';

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
  intents: 2,
};
/** What a word is worth that is said beside uses of a block's name; the more is said there, the less each word. */
const BESIDE_WEIGHT = 0.4;
/** Computed once for lengths that nearly all fields have; longer ones are computed when met. */
const LENGTHS_KNOWN = 256;
const WEIGHT_OF = Float64Array.from(FIELDS, (field) => WEIGHTS[field]);

/** A file as the index keeps it. */
export interface IndexedFile extends FileDocuments {
  readonly uses: FileUses;
}

/** Weight of each word of a question, by its number. */
export type Query = ReadonlyMap<number, number>;

/** Names that a word is said beside, and for each which share of the words that are said there is this one. */
export interface Shares {
  readonly names: Uint32Array;
  readonly shares: Float64Array;
}

/** What is said beside uses of names, over all segments. */
export interface Besides {
  /** By word. */
  readonly shares: ReadonlyMap<number, Shares>;
  readonly averageLength: number;
  /** Names have lower numbers. */
  readonly nameCount: number;
}

/** Documents of one segment that a query touches, with their scores by document. */
export interface Scored {
  readonly segment: Segment;
  readonly touched: readonly number[];
  readonly scores: Float64Array;
}

/** Postings of word w: `docs` and `said` from `wordStart[w]` to `wordStart[w + 1]`, by document. */
export class Segment {
  private readonly nameOf: Uint32Array;
  private byName: Lists | undefined;

  private constructor(
    readonly count: number,
    private readonly paths: readonly string[],
    /** The first document of each path, and one behind the last. */
    private readonly first: Uint32Array,
    private readonly documents: readonly IndexedFile[],
    private readonly pathOf: Uint32Array,
    private readonly lengths: Uint16Array,
    private readonly wordStart: Uint32Array,
    /** Document, and beside it field and count. */
    private readonly docs: Uint32Array,
    private readonly said: Uint16Array,
    private readonly sums: Float64Array,
    readonly uses: Uses,
  ) {
    this.nameOf = new Uint32Array(count);
    documents.forEach(({ names }, i) => this.nameOf.set(names, first[i]));
  }

  static of(files: ReadonlyMap<string, IndexedFile>): Segment {
    const paths = [...files.keys()].sort();
    const documents = paths.map((path) => files.get(path) as IndexedFile);
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
    const postings = postingsOf(documents, first, words);
    const uses = new Uses(documents.map((file) => file.uses));
    return new Segment(count, paths, first, documents, pathOf, lengths, ...postings, sums, uses);
  }

  fileOf(doc: number): string {
    return this.paths[this.pathOf[doc] as number] as string;
  }

  declOf(doc: number): number {
    const path = this.pathOf[doc] as number;
    return (this.documents[path] as IndexedFile).decls[doc - (this.first[path] as number)] as number;
  }

  /** 1 for each of the files, by its place. */
  placesOf(files: Iterable<string>): Uint8Array {
    const places = new Uint8Array(this.paths.length);
    for (const file of files) {
      const at = positionOf(this.paths, file);
      if (at >= 0) places[at] = 1;
    }
    return places;
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

  /** The living documents that say any of the words, or have a name beside which one is said. */
  // eslint-disable-next-line complexity -- runs for every node or entry: its state lives in local variables
  score(
    query: Query,
    dead: Uint8Array,
    average: Float64Array,
    rarityOf: (word: number) => number,
    besides: Besides | undefined,
  ): Scored {
    const scores = new Float64Array(this.count);
    const touched: number[] = [];
    // The last word, counted from 1, that each document was scored for.
    const scoredFor = new Uint16Array(this.count);
    const { docs, said: entries, nameOf, lengths } = this;
    const besideWeight = BESIDE_WEIGHT * (besides?.averageLength ?? 0);
    const saidBeside = new Float64Array(besides?.nameCount ?? 0);
    const worths = new FieldWorths(average);
    let turn = 0;
    for (const [word, weight] of query) {
      turn++;
      const worth = rarityOf(word) * weight * (SATURATION + 1);
      const names = besides?.shares.get(word)?.names ?? NO_NAMES;
      const shares = besides?.shares.get(word)?.shares ?? NO_SHARES;
      for (let i = 0; i < names.length; i++) saidBeside[names[i] as number] = besideWeight * (shares[i] as number);
      const end = this.wordStart[word + 1] ?? 0;
      for (let at = this.wordStart[word] ?? end; at < end;) {
        const doc = docs[at] as number;
        let said = names.length === 0 ? 0 : (saidBeside[nameOf[doc] as number] ?? 0);
        for (; at < end && docs[at] === doc; at++) {
          const entry = entries[at] as number;
          const field = fieldOf(entry);
          said += countOf(entry) * worths.of(field, lengths[doc * FIELD_COUNT + field] as number);
        }
        scoredFor[doc] = turn;
        if (dead[doc] === 1) continue;
        if (scores[doc] === 0) touched.push(doc);
        scores[doc] = (scores[doc] as number) + (worth * said) / (said + SATURATION);
      }
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as number;
        const said = saidBeside[name] as number;
        saidBeside[name] = 0;
        const { start, items } = this.docsByName();
        const last = start[name + 1] ?? 0;
        for (let at = start[name] ?? last; at < last; at++) {
          const doc = items[at] as number;
          if (scoredFor[doc] === turn || dead[doc] === 1) continue;
          if (scores[doc] === 0) touched.push(doc);
          scores[doc] = (scores[doc] as number) + (worth * said) / (said + SATURATION);
        }
      }
    }
    return { segment: this, touched, scores };
  }

  /** Documents by the number of their name: those of name n are `items[start[n] .. start[n + 1])`. */
  private docsByName(): Lists {
    return (this.byName ??= listsOf(this.nameOf, Uint32Array.from(this.nameOf.keys())));
  }

  get bytes(): number {
    const { first, pathOf, lengths, wordStart, docs, said, nameOf } = this;
    const columns = [first, pathOf, lengths, wordStart, docs, said, nameOf];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, this.uses.bytes);
  }
}

const NO_NAMES = new Uint32Array(0);
const NO_SHARES = new Float64Array(0);

/** What a word counts that is said once in a field of some length: weight / (fixed + slope * length). */
class FieldWorths {
  /** Of the lengths that nearly all fields have. */
  private readonly known = new Float64Array(FIELD_COUNT * LENGTHS_KNOWN);
  private readonly slopes: Float64Array;

  constructor(average: Float64Array) {
    this.slopes = average.map((length) => LENGTH_SHARE / length);
    for (let field = 0; field < FIELD_COUNT; field++)
      for (let length = 0; length < LENGTHS_KNOWN; length++)
        this.known[field * LENGTHS_KNOWN + length] = this.computed(field, length);
  }

  of(field: number, length: number): number {
    return length < LENGTHS_KNOWN
      ? (this.known[field * LENGTHS_KNOWN + length] as number)
      : this.computed(field, length);
  }

  private computed(field: number, length: number): number {
    return (WEIGHT_OF[field] as number) / (1 - LENGTH_SHARE + (this.slopes[field] as number) * length);
  }
}

/** Entries of all documents sorted by word, by counting. */
function postingsOf(
  files: readonly IndexedFile[],
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
