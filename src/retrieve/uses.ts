/**
 * What people wrote beside the uses of a name: a repository's own examples of what the name is for.
 *
 *     a test       its title or name, the first sentence of its documentation; the names that it says
 *     a comment    its words; the names that the two lines below it say
 *
 * Each is a *context*: some words beside some names. A test counts as a user of its names even where it has no words.
 * Contexts belong to the file that they stand in, whatever files declare the names, so that an edit of one file
 * changes its contexts alone; which names are blocks is asked only of those that a search comes by.
 */
import { documentationOf } from '../languages/documentation.js';
import { languageById } from '../languages/registry.js';
import { isTestFile } from '../languages/test-file.js';
import { D, isFunctionLike, type Summary } from '../syntax/summary.js';
import { documentAround } from './documents.js';
import type { Lexicon } from './lexicon.js';
import { firstSentence, identifiersIn } from './words.js';

/** The contexts of one file; words and names by their numbers in the lexicon. */
export interface FileUses {
  readonly count: number;
  /** 1 for a test, 0 for a comment. */
  readonly isTest: Uint8Array;
  /** Words of context i are `words[wordStart[i] .. wordStart[i + 1])`; a word that is said twice stands twice. */
  readonly wordStart: Uint32Array;
  readonly words: Uint32Array;
  /** Names of context i, each once. */
  readonly nameStart: Uint32Array;
  readonly names: Uint32Array;
}

/** Lines of code below a comment that it is taken to speak of. */
const LINES_BELOW = 2;
/** A title as the first argument, right before the function that is the test. */
const TITLE = /(["'`])((?:(?!\1)[^\\\n])+)\1\s*,\s*(?:async\b\s*)?$/;
/** In characters before the function: titles of tests are sentences, and the expression backs over no more. */
const TITLE_MOST = 200;
/** Full lines of comment, one or several below each other. */
const HASHES = /(?:^|\n)((?:[ \t]*#[^\n]*(?:\n|$))+)/g;
const SLASHES = /(?:^|\n)((?:[ \t]*\/\/[^\n]*(?:\n|$))+)/g;

interface Context {
  readonly isTest: boolean;
  readonly words: readonly number[];
  readonly names: ReadonlySet<number>;
}

export function readUses(file: string, summary: Summary, text: string, lexicon: Lexicon): FileUses {
  const numbers = new Map<number, number>();
  const nameOf = (row: number): number => {
    const id = summary.exprs.nameIdOf(row);
    let number = numbers.get(id);
    if (number === undefined) numbers.set(id, (number = lexicon.nameNumber(summary.names[id] ?? '')));
    return number;
  };
  const contexts = [
    ...(isTestFile(file) ? testsIn(summary, text, lexicon, nameOf) : []),
    ...commentsIn(summary, text, lexicon, nameOf),
  ];
  const wordStart = new Uint32Array(contexts.length + 1);
  const nameStart = new Uint32Array(contexts.length + 1);
  contexts.forEach(({ words, names }, i) => {
    wordStart[i + 1] = (wordStart[i] as number) + words.length;
    nameStart[i + 1] = (nameStart[i] as number) + names.size;
  });
  return {
    count: contexts.length,
    isTest: Uint8Array.from(contexts, ({ isTest }) => Number(isTest)),
    wordStart,
    words: Uint32Array.from(contexts.flatMap(({ words }) => words)),
    nameStart,
    names: Uint32Array.from(contexts.flatMap(({ names }) => [...names])),
  };
}

/** One for each function that says a name; what stands outside of all of them is one. */
function testsIn(summary: Summary, text: string, lexicon: Lexicon, nameOf: (row: number) => number): Context[] {
  const { decls, exprs, scopes } = summary;
  const titled = new Map<number, string>();
  const owners = new Map<number, number>();
  const ownerOf = (scope: number): number => {
    let owner = owners.get(scope);
    if (owner === undefined) {
      owner = documentAround(summary, scopes.blockOf(scope));
      for (let at = scope; owner < 0 && at >= 0; at = scopes.parentOf(at)) {
        const lambda = scopes.ownerOf(at);
        if (lambda < 0 || decls.kindOf(lambda) !== D.lambda) break;
        const start = decls.startOf(lambda);
        const title = TITLE.exec(text.slice(Math.max(0, start - TITLE_MOST), start))?.[2];
        if (title === undefined) continue;
        titled.set(lambda, title);
        owner = lambda;
      }
      owners.set(scope, owner);
    }
    return owner;
  };
  const names = new Map<number, Set<number>>();
  for (let row = 0; row < exprs.count; row++) {
    if (exprs.nameIdOf(row) <= 0) continue;
    const owner = ownerOf(exprs.scopeOf(row));
    const known = names.get(owner);
    if (known === undefined) names.set(owner, new Set([nameOf(row)]));
    else known.add(nameOf(row));
  }
  return [...names].map(([owner, said]) => ({ isTest: true, words: wordsOf(titleOf(owner), lexicon), names: said }));

  function titleOf(owner: number): string {
    if (owner < 0) return '';
    const title = titled.get(owner);
    if (title !== undefined) return title;
    if (!isFunctionLike(decls.kindOf(owner))) return '';
    const name = decls.nameOf(owner).replace(/^tests?(?=[_\p{Lu}])/iu, '');
    return `${name} ${firstSentence(documentationOf(text, summary, owner))}`;
  }
}

function commentsIn(summary: Summary, text: string, lexicon: Lexicon, nameOf: (row: number) => number): Context[] {
  const contexts: (Context & { readonly from: number; readonly to: number; readonly names: Set<number> })[] = [];
  for (const found of text.matchAll(languageById(summary.language).docstrings ? HASHES : SLASHES)) {
    const words = wordsOf(found[1] as string, lexicon);
    const from = found.index + found[0].length;
    if (words.length > 0) contexts.push({ isTest: false, words, names: new Set(), from, to: linesBelow(text, from) });
  }
  if (contexts.length === 0) return [];
  const { exprs } = summary;
  for (let row = 0; row < exprs.count; row++) {
    if (exprs.nameIdOf(row) <= 0) continue;
    const at = exprs.startOf(row);
    const above = contexts[lastWhere(contexts, ({ from }) => from <= at)];
    if (above !== undefined && at < above.to) above.names.add(nameOf(row));
  }
  return contexts.filter(({ names }) => names.size > 0);
}

/** Where the lines end that a comment which ends at `from` speaks of; empty lines are not counted. */
function linesBelow(text: string, from: number): number {
  let to = from;
  for (let lines = 0; lines < LINES_BELOW && to < text.length;) {
    const found = text.indexOf('\n', to);
    const end = found < 0 ? text.length : found + 1;
    if (text.slice(to, end).trim() !== '') lines++;
    to = end;
  }
  return to;
}

/** Place of the last item of those at the front that a test tells; -1 for none. */
function lastWhere<T>(items: readonly T[], isFront: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFront(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Without wholes of identifiers, which a context says of itself. */
const wordsOf = (text: string, lexicon: Lexicon): number[] =>
  identifiersIn(text).flatMap((identifier) => lexicon.partsOf(identifier));

/** Counts by name, for the names that some block has. Used again from word to word. */
export class NameCounts {
  private readonly counts: Uint32Array;
  private readonly names: Uint32Array;
  private size = 0;

  /** `isBlocks`: 1 for a name that some block has. */
  constructor(private readonly isBlocks: Uint8Array) {
    this.counts = new Uint32Array(isBlocks.length);
    this.names = new Uint32Array(isBlocks.length);
  }

  add(name: number): void {
    if (this.isBlocks[name] !== 1) return;
    if (this.counts[name] === 0) this.names[this.size++] = name;
    this.counts[name] = (this.counts[name] as number) + 1;
  }

  /** All names that were counted, and how often; the counts are 0 again afterwards. */
  taken(): { readonly names: Uint32Array; readonly counts: Float64Array } {
    const names = this.names.slice(0, this.size);
    const counts = new Float64Array(this.size);
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as number;
      counts[i] = this.counts[name] as number;
      this.counts[name] = 0;
    }
    this.size = 0;
    return { names, counts };
  }
}

/** The contexts of many files, by word and by name. */
export class Uses {
  private readonly fileOf: Uint32Array;
  private readonly isTest: Uint8Array;
  private readonly wordCount: Uint32Array;
  /** Contexts of each word, one entry for each time that it is said. */
  private readonly byWord: Lists;
  private readonly namesOf: Lists;
  private readonly byName: Lists;

  constructor(files: readonly FileUses[]) {
    const count = files.reduce((sum, file) => sum + file.count, 0);
    this.fileOf = new Uint32Array(count);
    this.isTest = new Uint8Array(count);
    this.wordCount = new Uint32Array(count);
    const words: Pairs = { from: [], to: [] };
    const names: Pairs = { from: [], to: [] };
    let at = 0;
    files.forEach((file, number) => {
      for (let own = 0; own < file.count; own++, at++) {
        this.fileOf[at] = number;
        this.isTest[at] = file.isTest[own] as number;
        this.wordCount[at] = (file.wordStart[own + 1] as number) - (file.wordStart[own] as number);
        put(words, at, file.words, file.wordStart[own] as number, file.wordStart[own + 1] as number);
        put(names, at, file.names, file.nameStart[own] as number, file.nameStart[own + 1] as number);
      }
    });
    this.byWord = listsOf(words.to, words.from);
    this.namesOf = listsOf(names.from, names.to);
    this.byName = listsOf(names.to, names.from);
  }

  /** Adds how often a word is said beside each name. `gone`: 1 for the files, by their places, that do not count. */
  addCounts(word: number, gone: Uint8Array, counts: NameCounts): void {
    const { start, items } = this.namesOf;
    const end = this.byWord.start[word + 1] ?? 0;
    for (let at = this.byWord.start[word] ?? end; at < end; at++) {
      const context = this.byWord.items[at] as number;
      if (gone[this.fileOf[context] as number] === 1) continue;
      const last = start[context + 1] as number;
      for (let i = start[context] as number; i < last; i++) counts.add(items[i] as number);
    }
  }

  /** How often a word is said beside uses. */
  saying(word: number, gone: Uint8Array): number {
    let count = 0;
    each(this.byWord, word, (context) => {
      if (gone[this.fileOf[context] as number] !== 1) count++;
    });
    return count;
  }

  /** How many words are said beside a name. */
  wordsBeside(name: number, gone: Uint8Array): number {
    let sum = 0;
    each(this.byName, name, (context) => {
      if (gone[this.fileOf[context] as number] !== 1) sum += this.wordCount[context] as number;
    });
    return sum;
  }

  /** How many tests say a name, and with `other` both names. */
  tests(name: number, gone: Uint8Array, other = name): number {
    const { start, items } = this.byName;
    const end = start[name + 1] ?? 0;
    const otherEnd = start[other + 1] ?? 0;
    let second = start[other] ?? otherEnd;
    let count = 0;
    // Both lists ascend.
    for (let at = start[name] ?? end; at < end; at++) {
      const context = items[at] as number;
      if (this.isTest[context] !== 1 || gone[this.fileOf[context] as number] === 1) continue;
      while (second < otherEnd && (items[second] as number) < context) second++;
      if (second < otherEnd && items[second] === context) count++;
    }
    return count;
  }

  get bytes(): number {
    const lists = [this.byWord, this.namesOf, this.byName];
    return lists.reduce((sum, { start, items }) => sum + start.byteLength + items.byteLength, this.fileOf.byteLength);
  }
}

interface Pairs {
  readonly from: number[];
  readonly to: number[];
}

function put(pairs: Pairs, from: number, items: Uint32Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    pairs.from.push(from);
    pairs.to.push(items[at] as number);
  }
}

/** Items of list i are `items[start[i] .. start[i + 1])`. */
export interface Lists {
  readonly start: Uint32Array;
  readonly items: Uint32Array;
}

export function listsOf(keys: ArrayLike<number>, values: ArrayLike<number>): Lists {
  let most = -1;
  for (let i = 0; i < keys.length; i++) most = Math.max(most, keys[i] as number);
  const start = new Uint32Array(most + 2);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    start[key + 1] = (start[key + 1] as number) + 1;
  }
  for (let key = 1; key < start.length; key++) start[key] = (start[key] as number) + (start[key - 1] as number);
  const next = start.slice();
  const items = new Uint32Array(values.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    const at = next[key] as number;
    next[key] = at + 1;
    items[at] = values[i] as number;
  }
  return { start, items };
}

function each({ start, items }: Lists, key: number, visit: (item: number) => void): void {
  const end = start[key + 1] ?? 0;
  for (let at = start[key] ?? end; at < end; at++) visit(items[at] as number);
}
