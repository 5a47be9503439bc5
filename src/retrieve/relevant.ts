/**
 * From a text about code, or a piece of it, to the blocks that it is about, and to windows of their texts.
 *
 * As grounding, but a block whose name the text says letter by letter counts for more, since a line of code or a
 * compiler's message names what it means; and what a library offers to its users does not count.
 */
import { isTestFile } from '../languages/test-file.js';
import { lineAt } from '../syntax/line-at.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import { coverage, queryOf, TEST_WEIGHT } from './ground.js';
import type { Hit, SearchIndex } from './search-index.js';
import { IDENTIFIER, wordsOfIdentifier } from './words.js';

/** A name that is said letter by letter makes a block worth so many times more: one that only code says, or any. */
const SAID_WEIGHT = 3;
const SAID_WORD_WEIGHT = 1.5;

const isCodeName = (name: string): boolean => /[_\d]|\p{Ll}\p{Lu}|^\p{Lu}/u.test(name);

/** At most `most` blocks, best first. */
export function relevantBlocks(index: SearchIndex, snapshot: Snapshot, text: string, most: number): Hit[] {
  const said = new Set(text.match(IDENTIFIER) ?? []);
  const query = queryOf(index, text);
  return index.search(query, most, {
    weightMost: SAID_WEIGHT,
    usesCount: false,
    weigh: (segment, doc) => {
      const file = segment.fileOf(doc);
      const summary = snapshot.summary(file);
      if (summary === undefined) return 0;
      const name = summary.decls.nameOf(segment.declOf(doc));
      const exact = said.has(name) ? (isCodeName(name) ? SAID_WEIGHT : SAID_WORD_WEIGHT) : 1;
      return exact * (isTestFile(file) ? TEST_WEIGHT : 1) * coverage(index, query, name);
    },
  });
}

export interface Window {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
}

/** Lines of a window, and how far the next one begins behind it. */
const WINDOW_LINES = 20;
const STRIDE = 10;
/** Windows that share so much of the shorter are the same to a reader. */
const OVERLAP_MOST = 0.5;
/** Blocks whose texts are looked through. */
const BLOCKS_MOST = 40;

/** At most `most` windows of 20 lines out of the blocks that the text is about, best first. */
export function relevantWindows(
  index: SearchIndex,
  snapshot: Snapshot,
  textOf: (file: string) => string | undefined,
  text: string,
  most: number,
): Window[] {
  const told = new Told(index, text);
  const files = new Map<string, ToldLines | undefined>();
  const found: Window[] = [];
  for (const hit of relevantBlocks(index, snapshot, text, BLOCKS_MOST)) {
    const summary = snapshot.summary(hit.file);
    if (!files.has(hit.file)) {
      const source = textOf(hit.file);
      files.set(hit.file, source === undefined ? undefined : new ToldLines(told, source.split('\n')));
    }
    const lines = files.get(hit.file);
    if (summary === undefined || lines === undefined) continue;
    const first = lineAt(summary, summary.decls.startOf(hit.decl));
    const last = lineAt(summary, Math.max(summary.decls.startOf(hit.decl), summary.decls.endOf(hit.decl) - 1));
    let best: Window | undefined;
    for (let line = first; line === first || line + STRIDE <= last; line += STRIDE) {
      const endLine = Math.min(last, line + WINDOW_LINES - 1);
      const score = hit.score * (1 + told.share(lines.from(line, endLine)));
      if (best === undefined || score > best.score) best = { file: hit.file, startLine: line, endLine, score };
    }
    if (best !== undefined) found.push(best);
  }
  found.sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.startLine - b.startLine));
  const chosen: Window[] = [];
  for (const window of found) {
    if (chosen.length === most) break;
    if (chosen.every((other) => overlap(other, window) < OVERLAP_MOST)) chosen.push(window);
  }
  return chosen;
}

/** What lines of code say of a query. Windows overlap and code repeats its names, so each is looked up once. */
class Told {
  /** How much each word of the query tells. */
  private readonly weights: ReadonlyMap<number, number>;
  private readonly all: number;
  private readonly known = new Map<string, readonly number[]>();

  constructor(
    private readonly index: SearchIndex,
    query: string,
  ) {
    this.weights = new Map([...queryOf(index, query).keys()].map((word) => [word, index.rarityOf(word)]));
    this.all = [...this.weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  /** Words of the query. */
  wordsIn(line: string): readonly number[] {
    return (line.match(IDENTIFIER) ?? []).flatMap((identifier) => this.wordsOf(identifier));
  }

  private wordsOf(identifier: string): readonly number[] {
    let words = this.known.get(identifier);
    if (words === undefined) {
      words = wordsOfIdentifier(identifier).flatMap((word) => {
        const number = this.index.lexicon.known(word);
        return number !== undefined && this.weights.has(number) ? [number] : [];
      });
      this.known.set(identifier, words);
    }
    return words;
  }

  /** How much of what the query's words tell the lines say, from 0 to 1. */
  share(lines: readonly (readonly number[])[]): number {
    const said = new Set(lines.flat());
    let told = 0;
    // In one order, so that windows which say the same are worth the same to the last digit.
    for (const [word, weight] of this.weights) if (said.has(word)) told += weight;
    return this.all === 0 ? 0 : told / this.all;
  }
}

class ToldLines {
  private readonly known: (readonly number[] | undefined)[] = [];

  constructor(
    private readonly told: Told,
    private readonly lines: readonly string[],
  ) {}

  /** What the lines say, from 1, the last one included. */
  from(first: number, last: number): (readonly number[])[] {
    return this.lines.slice(first - 1, last).map((line, i) => (this.known[first + i] ??= this.told.wordsIn(line)));
  }
}

function overlap(a: Window, b: Window): number {
  if (a.file !== b.file) return 0;
  const shared = Math.min(a.endLine, b.endLine) - Math.max(a.startLine, b.startLine) + 1;
  return shared <= 0 ? 0 : shared / Math.min(a.endLine - a.startLine + 1, b.endLine - b.startLine + 1);
}
