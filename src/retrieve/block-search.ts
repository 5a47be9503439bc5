/**
 * Blocks of the repository whose names and texts share words with a sentence: BM25, computed when asked.
 *
 * A block is a document: its own name counts most, then the names around it and its path, then what
 * its text says. Identifiers fall apart into their words (`maxRetryCount`: max, retry, count), and
 * plural forms meet their singular. Nothing is kept between searches: a task is begun seldom.
 * Linear in the texts that are searched.
 *
 * Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, with weights for fields.
 */
import { type Summary } from '../syntax/summary.js';

export interface Searched {
  readonly file: string;
  readonly summary: Summary;
  readonly text: string;
  /** Rows of the blocks that may be found. */
  readonly blocks: readonly number[];
}

export interface BlockHit {
  readonly file: string;
  /** Row of the block. */
  readonly decl: number;
  readonly score: number;
}

const NAME_WEIGHT = 6;
const PATH_WEIGHT = 2;
/** How soon a word that is said again stops to count, and how much a long text is held against a block. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Of a long block only its beginning says what it is. */
const TEXT_MOST = 4000;

/** The best `most` blocks, best first; ties by file and place. None for a sentence whose words nobody uses. */
export function searchBlocks(files: Iterable<Searched>, sentence: string, most: number): BlockHit[] {
  const wanted = new Set(wordsOf(sentence));
  const documents: { file: string; decl: number; counts: Map<string, number>; length: number }[] = [];
  const within = new Map<string, number>();
  let total = 0;
  for (const { file, summary, text, blocks } of files) {
    const path = wordsOf(file);
    for (const decl of blocks) {
      const counts = new Map<string, number>();
      const add = (words: readonly string[], weight: number): void => {
        for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
      };
      const start = summary.decls.startOf(decl);
      const body = wordsOf(text.slice(start, Math.min(summary.decls.endOf(decl), start + TEXT_MOST)));
      add(wordsOf(summary.decls.nameOf(decl)), NAME_WEIGHT);
      add([...wordsOf(summary.decls.pathOf(decl)), ...path], PATH_WEIGHT);
      add(body, 1);
      total += body.length;
      for (const word of counts.keys()) within.set(word, (within.get(word) ?? 0) + 1);
      documents.push({ file, decl, counts, length: body.length });
    }
  }
  const average = Math.max(1, total / Math.max(1, documents.length));
  const rarity = (word: string): number =>
    Math.log(1 + (documents.length - (within.get(word) ?? 0) + 0.5) / ((within.get(word) ?? 0) + 0.5));
  const scored = documents
    .filter(({ counts }) => counts.size > 0)
    .map(({ file, decl, counts, length }): BlockHit => {
      const held = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average);
      let score = 0;
      for (const [word, count] of counts) score += (rarity(word) * count * (SATURATION + 1)) / (count + held);
      return { file, decl, score };
    });
  return scored
    .sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl))
    .slice(0, most);
}

/** Words of a text in lower case, identifiers taken apart, the commonest plural endings dropped. */
function wordsOf(text: string): string[] {
  const parts = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\x00-\x7f]+/g) ?? [];
  return parts
    .map((part) => part.toLowerCase())
    .filter((word) => word.length > 1)
    .map((word) => (word.length < 4 ? word : word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')));
}
