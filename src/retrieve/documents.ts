/**
 * The blocks of one file as documents of a search: which words each of their fields says, how often.
 *
 *     name       of the block
 *     container  names of the blocks around it
 *     path       folders and name of the file
 *     doc        its docstring, or the comment above
 *     first      the first sentence of that
 *     params     names and types of parameters, result, bases
 *     body       everything else that its text says
 *     intents    what somebody says of it who is asked, not its own text: empty until then (`withIntents`)
 *
 * Documents are functions, methods, types and variables of modules. What is no document belongs to the one
 * around it: a constructor and fields to their class, a function inside a function to that. A class's own
 * text is what stands outside of its methods, of which it says the names.
 *
 * A pure function of path, summary and text. One entry is a number of 32 bits: word, field, count.
 */
import { documentationOf } from '../languages/documentation.js';
import { D, F, isClassLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import type { Lexicon } from './lexicon.js';
import { firstSentence, IDENTIFIER, isStopWord } from './words.js';

export const FIELDS = ['name', 'container', 'path', 'doc', 'first', 'params', 'body', 'intents'] as const;
export type Field = (typeof FIELDS)[number];
export const FIELD_COUNT = FIELDS.length;

/**
 * An entry is one number of 32 bits: word, field, count. Eight fields take three bits; a word that a block says 127
 * times is as good as said more often; what is left numbers four million words.
 */
const FIELD_BITS = 3;
const COUNT_BITS = 7;
const COUNT_MOST = (1 << COUNT_BITS) - 1;
/** Words that a lexicon can number. */
export const WORDS_MOST = 1 << (32 - FIELD_BITS - COUNT_BITS);

/** Of a longer block or documentation only so much says what it is, in characters. */
const BODY_MOST = 20_000;
const DOC_MOST = 4000;

export interface FileDocuments {
  /** Row of each document's block, in order. */
  readonly decls: Int32Array;
  /** Number of each block's name. */
  readonly names: Uint32Array;
  /** Entries of document i are `entries[start[i] .. start[i + 1])`. */
  readonly start: Uint32Array;
  readonly entries: Uint32Array;
  /** How many words each field of each document has: `lengths[i * FIELD_COUNT + field]`. */
  readonly lengths: Uint16Array;
}

export const wordOf = (entry: number): number => entry >>> (FIELD_BITS + COUNT_BITS);
export const fieldOf = (entry: number): number => (entry >>> COUNT_BITS) & ((1 << FIELD_BITS) - 1);
export const countOf = (entry: number): number => entry & COUNT_MOST;

/** Whether the block is found by itself; else it belongs to the one around it. */
export function isDocument({ decls, scopes }: Summary, decl: number): boolean {
  const kind = decls.kindOf(decl);
  if (decls.has(decl, F.reassigned) || decls.nameIdOf(decl) <= 0) return false;
  const parent = decls.parentOf(decl);
  const isInFunction = parent >= 0 && isFunctionLike(decls.kindOf(parent));
  if (isClassLike(kind) && kind !== D.anonymousClass) return !isInFunction;
  if (kind === D.method || kind === D.function) return !isInFunction;
  return kind === D.variable && parent < 0 && scopes.parentOf(decls.scopeOf(decl)) < 0;
}

/** The document that a block belongs to, itself or around it; -1 for none. */
export function documentAround(summary: Summary, decl: number): number {
  let at = decl;
  while (at >= 0 && !isDocument(summary, at)) at = summary.decls.parentOf(at);
  return at;
}

export function readDocuments(file: string, summary: Summary, text: string, lexicon: Lexicon): FileDocuments {
  const { decls } = summary;
  const rows: number[] = [];
  for (let decl = 0; decl < decls.count; decl++) if (isDocument(summary, decl)) rows.push(decl);
  const reader = new DocumentReader(summary, text, lexicon, file);
  const start = new Uint32Array(rows.length + 1);
  const lengths = new Uint16Array(rows.length * FIELD_COUNT);
  const entries: number[] = [];
  rows.forEach((decl, i) => {
    reader.read(decl, entries, lengths.subarray(i * FIELD_COUNT, (i + 1) * FIELD_COUNT));
    start[i + 1] = entries.length;
  });
  const names = Uint32Array.from(rows, (decl) => lexicon.nameNumber(decls.nameOf(decl)));
  return { decls: Int32Array.from(rows), names, start, entries: Uint32Array.from(entries), lengths };
}

/** The documents with what is said of some of them, by row of the block, in whole sentences. */
export function withIntents(
  documents: FileDocuments,
  said: ReadonlyMap<number, readonly string[]>,
  lexicon: Lexicon,
): FileDocuments {
  const field = FIELDS.indexOf('intents');
  const lengths = documents.lengths.slice();
  const start = new Uint32Array(documents.start.length);
  const entries: number[] = [];
  documents.decls.forEach((decl, i) => {
    const counts = new Map<number, number>();
    const words = (said.get(decl) ?? []).flatMap(sayingWords).flatMap((word) => lexicon.ofIdentifier(word));
    for (const word of words) if (word < WORDS_MOST) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const entry of documents.entries.subarray(documents.start[i], documents.start[i + 1]))
      if (fieldOf(entry) !== field) entries.push(entry);
    for (const [word, count] of counts)
      entries.push((((word << FIELD_BITS) | field) << COUNT_BITS) | Math.min(count, COUNT_MOST));
    lengths[i * FIELD_COUNT + field] = Math.min(words.length, 65_535);
    start[i + 1] = entries.length;
  });
  return { ...documents, start, entries: Uint32Array.from(entries), lengths };
}

class DocumentReader {
  /** Count by word and field, of the document under way. */
  private readonly counts = new Map<number, number>();
  private readonly path: readonly string[];
  private readonly constructors: ReadonlyMap<number, readonly number[]>;
  private readonly membersOf: ReadonlyMap<number, readonly number[]>;

  constructor(
    private readonly summary: Summary,
    private readonly text: string,
    private readonly lexicon: Lexicon,
    file: string,
  ) {
    this.path = file.replace(/\.\w+$/, '').match(IDENTIFIER) ?? [];
    const constructors = new Map<number, number[]>();
    const members = new Map<number, number[]>();
    const { decls } = summary;
    for (let decl = 0; decl < decls.count; decl++) {
      const parent = decls.parentOf(decl);
      const kind = decls.kindOf(decl);
      if (parent < 0 || kind > D.namespace || !isClassLike(decls.kindOf(parent))) continue;
      listIn(members, parent).push(decl);
      if (kind === D.constructor) listIn(constructors, parent).push(decl);
    }
    this.constructors = constructors;
    this.membersOf = members;
  }

  /** Adds the entries of a document, and sets the lengths of its fields. */
  read(decl: number, entries: number[], lengths: Uint16Array): void {
    const { summary, text } = this;
    const { decls } = summary;
    this.counts.clear();
    const put = (field: Field, words: string): void => {
      this.say(field, words.match(IDENTIFIER) ?? [], lengths);
    };
    this.say('name', [decls.nameOf(decl)], lengths);
    const container = decls.parentOf(decl) < 0 ? '' : decls.pathOf(decls.parentOf(decl));
    put('container', container);
    this.say('path', this.path, lengths);
    const doc = [decl, ...(this.constructors.get(decl) ?? [])]
      .map((row) => documentationOf(text, summary, row))
      .join('\n\n')
      .slice(0, DOC_MOST);
    this.say('doc', sayingWords(doc), lengths);
    this.say('first', sayingWords(firstSentence(doc)), lengths);
    put('params', this.header(decl));
    if (isClassLike(decls.kindOf(decl))) {
      this.say('body', this.memberNames(decl), lengths);
      for (const between of this.outsideOfMembers(decl)) put('body', between);
    } else {
      const from = decls.bodyStartOf(decl);
      put('body', text.slice(from, Math.min(decls.endOf(decl), from + BODY_MOST)));
    }
    for (const [key, count] of this.counts) entries.push((key << COUNT_BITS) | Math.min(count, COUNT_MOST));
  }

  private say(field: Field, identifiers: readonly string[], lengths: Uint16Array): void {
    const number = FIELDS.indexOf(field);
    let length = lengths[number] as number;
    for (const identifier of identifiers) {
      for (const word of this.lexicon.ofIdentifier(identifier)) {
        if (word >= WORDS_MOST) continue;
        const key = (word << FIELD_BITS) | number;
        this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
        length++;
      }
    }
    lengths[number] = Math.min(length, 65_535);
  }

  /** What stands behind a block's name up to its body; for a class also its constructors' parameters. */
  private header(decl: number): string {
    const { decls } = this.summary;
    const behindName = (row: number): string =>
      this.text.slice(
        Math.max(decls.nameStartOf(row), decls.startOf(row)) + decls.nameOf(row).length,
        decls.bodyStartOf(row),
      );
    return [decl, ...(this.constructors.get(decl) ?? [])].map(behindName).join(' ').slice(0, BODY_MOST);
  }

  private memberNames(decl: number): string[] {
    const { decls } = this.summary;
    return (this.membersOf.get(decl) ?? []).map((row) => decls.nameOf(row));
  }

  /** Pieces of a class's text that are no part of what has a body of its own. */
  private outsideOfMembers(decl: number): string[] {
    const { decls } = this.summary;
    const own = (this.membersOf.get(decl) ?? [])
      .filter((row) => isFunctionLike(decls.kindOf(row)) || isClassLike(decls.kindOf(row)))
      .sort((a, b) => decls.startOf(a) - decls.startOf(b));
    const out: string[] = [];
    let at = decls.bodyStartOf(decl);
    let left = BODY_MOST;
    for (const row of own) {
      if (decls.startOf(row) > at && left > 0) out.push(this.text.slice(at, Math.min(decls.startOf(row), at + left)));
      left -= Math.max(0, decls.startOf(row) - at);
      at = Math.max(at, decls.endOf(row));
    }
    if (left > 0) out.push(this.text.slice(at, Math.min(decls.endOf(decl), at + left)));
    return out;
  }
}

const sayingWords = (text: string): string[] => (text.match(IDENTIFIER) ?? []).filter((word) => !isStopWord(word));

function listIn(map: Map<number, number[]>, key: number): number[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}
