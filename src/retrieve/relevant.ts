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
  const query = queryOf(index, text);
  const found: Window[] = [];
  for (const hit of relevantBlocks(index, snapshot, text, BLOCKS_MOST)) {
    const summary = snapshot.summary(hit.file);
    const source = textOf(hit.file);
    if (summary === undefined || source === undefined) continue;
    const first = lineAt(summary, summary.decls.startOf(hit.decl));
    const last = lineAt(summary, Math.max(summary.decls.startOf(hit.decl), summary.decls.endOf(hit.decl) - 1));
    const lines = source.split('\n');
    let best: Window | undefined;
    for (let line = first; line === first || line + STRIDE <= last; line += STRIDE) {
      const endLine = Math.min(last, line + WINDOW_LINES - 1);
      const told = wordsIn(index, query, lines.slice(line - 1, endLine).join('\n'));
      const score = hit.score * (1 + told);
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

/** How much of what the query's words tell a text says, from 0 to 1. */
function wordsIn(index: SearchIndex, query: ReadonlyMap<number, number>, text: string): number {
  const said = new Set<number>();
  for (const identifier of text.match(IDENTIFIER) ?? [])
    for (const word of wordsOfIdentifier(identifier)) {
      const number = index.lexicon.known(word);
      if (number !== undefined && query.has(number)) said.add(number);
    }
  let told = 0;
  let all = 0;
  for (const word of query.keys()) {
    all += index.rarityOf(word);
    if (said.has(word)) told += index.rarityOf(word);
  }
  return all === 0 ? 0 : told / all;
}

function overlap(a: Window, b: Window): number {
  if (a.file !== b.file) return 0;
  const shared = Math.min(a.endLine, b.endLine) - Math.max(a.startLine, b.startLine) + 1;
  return shared <= 0 ? 0 : shared / Math.min(a.endLine - a.startLine + 1, b.endLine - b.startLine + 1);
}
