/**
 * From a sentence of intent to the blocks that implement it, without a model.
 *
 * What the index finds (BM25F) is weighed by what the repository shows of each block:
 *
 *     coverage    how much of the block's own name the sentence says, and of the class around; somewhat more where it
 *                 says the name as code does (`max_retry_count`, and not "count")
 *     popularity  how many of the repository's tests use the name, alone and beside its class: they show what is
 *                 meant to be used
 *     tests, private names, what is deprecated: less
 *     company     how much of what was found best lies in the same file: what a sentence speaks of lies together
 *
 * Two words of the sentence beside each other are one word too (`color bar`, `colorbar`), and a long one stands for
 * what names cut it to (`configuration`, `config`). A word that no block says stands for the words that are spelt
 * nearly like it. The answer is a function of the snapshot and the sentence; ties are broken by path and place.
 *
 * Source: MutaGReP (arXiv 2502.15872), where a model writes what each block could be asked for by.
 */
import { isTestFile } from '../languages/test-file.js';
import { languageById } from '../languages/registry.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import { D, F, type Summary } from '../syntax/summary.js';
import { isDocument } from './documents.js';
import { Worths, type Hit, type Query, type SearchIndex, type Weigh } from './search-index.js';
import type { Segment } from './segment.js';
import { identifiersIn, joinedWordsIn, wholeWord, wordsOfIdentifier } from './words.js';

export interface Grounded {
  readonly file: string;
  /** Row of the block. */
  readonly decl: number;
  readonly score: number;
  /**
   * What of the block the sentence meets; `spelling`: no word of the sentence is known, and the block has one that is
   * spelt nearly like it; `vectors`: it is near, and the words say nothing of it.
   */
  readonly via: 'name' | 'doc' | 'spelling' | 'vectors';
}

/** A test says the words of what it tests, and is seldom what is looked for: three of them weigh about one block. */
export const TEST_WEIGHT = 0.3;

// The shares and weights below are those of which no single change gained anything: docs/evaluation.md, "Looking a
// sentence up".

/** How much of a block's score hangs on its name being said. */
const COVERAGE_SHARE = 0.4;
/** The same of the name of the class around. */
const CLASS_COVERAGE_SHARE = 0.1;
/** What it counts that the whole of a name of several words is said, spelt as code spells it. */
const WHOLE_NAME_WEIGHT = 0.25;
/** What tests count that say the name, and that say it beside the name of its class. */
const NAME_POPULARITY_WEIGHT = 0.2;
const OWN_POPULARITY_WEIGHT = 0.1;
/** No block is worth more than so many times what its words are. */
const POPULARITY_MOST = 3;
/** What nobody is meant to call counts for less, by how seldom a sentence means it. */
const PRIVATE_WEIGHT = 0.8;
const DEPRECATED_WEIGHT = 0.7;
/** So many times as many as are wanted are looked for at first: of overloads only the best is given. */
const LOOKED_FOR_EACH = 3;
/** What the best blocks of a file count for each other, of how many of all, and how many may change their places. */
const COMPANY_WEIGHT = 0.5;
const COMPANY_OF = 20;
const MOVED_MOST = 50;
/** Weight of a word that is only spelt like one of the sentence. */
const LIKE_WEIGHT = 0.5;
/** A word that a sentence says again and again counts for more, and less each time. */
const REPEATED_POWER = 0.75;
/** Weight of one that a word of the sentence begins with, where that were all of it, and letters of such words. */
const SHORT_WEIGHT = 0.3;
const SHORT_LETTERS = 4;
const LONG_LETTERS = 6;

/** Whether a word of the sentence is one that a block says; of a sentence without one, all that is found is a guess. */
export const saysKnownWord = (index: SearchIndex, sentence: string): boolean =>
  identifiersIn(sentence).some((identifier) =>
    wordsOfIdentifier(identifier).some((word) => {
      const number = index.lexicon.known(word);
      return number !== undefined && index.rarityOf(number) > 0;
    }),
  );

/** Words of a sentence as the index knows them, each with its weight. */
export function queryOf(index: SearchIndex, sentence: string): Query {
  const query = new Map<number, number>();
  const add = (word: number, weight: number): void => void query.set(word, (query.get(word) ?? 0) + weight);
  const said = (word: string): number | undefined => {
    const number = index.lexicon.known(word);
    return number !== undefined && index.rarityOf(number) > 0 ? number : undefined;
  };
  const words = identifiersIn(sentence).flatMap(wordsOfIdentifier);
  const unknown = new Set<string>();
  for (const word of words) {
    const number = said(word);
    if (number !== undefined) add(number, 1);
    else if (!word.startsWith('=')) unknown.add(word);
  }
  for (const [word, count] of query) query.set(word, count ** REPEATED_POWER);
  for (const word of joinedWordsIn(sentence)) {
    const number = said(word);
    if (number !== undefined) add(number, 1);
  }
  const addLike = (number: number | undefined, weight: number): void => {
    if (number !== undefined && !query.has(number)) query.set(number, weight);
  };
  for (const word of words)
    for (const short of beginningsOf(word)) addLike(said(short), (SHORT_WEIGHT * short.length) / word.length);
  for (const word of unknown)
    for (const { name, likeness } of index.lexicon.spelledLike(word, 2, (number) => index.rarityOf(number) > 0))
      addLike(index.lexicon.known(name), LIKE_WEIGHT * likeness);
  return query;
}

/** `config` for `configuration`, `dist` for `distance`: names are cut short, and have other endings than sentences. */
const beginningsOf = (word: string): string[] =>
  word.length < LONG_LETTERS || word.startsWith('=')
    ? []
    : Array.from({ length: word.length - SHORT_LETTERS }, (_, i) => word.slice(0, SHORT_LETTERS + i));

/**
 * At most `most` blocks, best first, of overloads the best one; none for a sentence whose words nobody uses.
 * `isLeftOut`: files whose blocks are no answer, though what they say of others counts.
 */
export function ground(
  index: SearchIndex,
  snapshot: Snapshot,
  sentence: string,
  most: number,
  isLeftOut: (file: string) => boolean = () => false,
): Grounded[] {
  const query = queryOf(index, sentence);
  const isGuess = !saysKnownWord(index, sentence);
  const priors = priorsOf(index, snapshot);
  const how: Weigh = {
    weightMost: POPULARITY_MOST,
    usesCount: true,
    worths: priors.worths,
    weigh: (segment, doc) => {
      if (isLeftOut(segment.fileOf(doc))) return 0;
      const { worth, name, whole, container } = priors.of(segment, doc);
      const said = whole !== undefined && query.has(whole) ? 1 + WHOLE_NAME_WEIGHT : 1;
      return (
        said *
        worth *
        covered(index, query, name, COVERAGE_SHARE) *
        covered(index, query, container, CLASS_COVERAGE_SHARE)
      );
    },
  };
  // The first so many are the same ones whatever is asked for, so that fewer are the beginning of more.
  const wanted = Math.max(most, MOVED_MOST);
  for (let asked = wanted * LOOKED_FOR_EACH; ; asked *= LOOKED_FOR_EACH) {
    const hits = index.search(query, asked, how);
    const named = firstOfEachName(snapshot, hits);
    if (named.length >= wanted || hits.length < asked)
      return inCompany(named.slice(0, wanted), most).map((hit) => ({
        ...hit,
        via: isGuess
          ? 'spelling'
          : partsOfName(index, nameOf(snapshot, hit)).some((word) => query.has(word))
            ? 'name'
            : 'doc',
      }));
  }
}

const nameOf = (snapshot: Snapshot, { file, decl }: Hit): string => snapshot.summary(file)?.decls.nameOf(decl) ?? '';

/**
 * The first `most`, after the best gained by what lies in their files; equal ones stay as they were. The best of all
 * gains as much as any: what fits the sentence best by itself stays first.
 */
function inCompany(hits: readonly Hit[], most: number): Hit[] {
  const best = hits.slice(0, COMPANY_OF);
  const all = best.reduce((sum, { score }) => sum + score, 0);
  const ofFile = new Map<string, number>();
  for (const { file, score } of best) ofFile.set(file, (ofFile.get(file) ?? 0) + score);
  const near = hits.slice(0, MOVED_MOST);
  const gains = near.map(({ file, score }, place) => {
    const others = (ofFile.get(file) ?? 0) - (place < COMPANY_OF ? score : 0);
    return 1 + (COMPANY_WEIGHT * others) / all;
  });
  const greatest = Math.max(1, ...gains);
  const moved = near.map((hit, place) => ({
    ...hit,
    score: hit.score * (place === 0 ? greatest : (gains[place] ?? 1)),
  }));
  return [...moved.sort((a, b) => b.score - a.score), ...hits.slice(MOVED_MOST)].slice(0, most);
}

/** Overloads are one answer. */
function firstOfEachName(snapshot: Snapshot, hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ file, decl }) => {
    const name = `${file}\0${snapshot.summary(file)?.decls.pathOf(decl) ?? decl}`;
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  });
}

/** From 1 - share to 1: how much of a name's parts, by what they tell, the sentence has. */
export const coverage = (index: SearchIndex, query: Query, name: string): number =>
  covered(index, query, partsOfName(index, name), COVERAGE_SHARE);

function covered(index: SearchIndex, query: Query, parts: readonly number[] | undefined, share: number): number {
  if (parts === undefined) return 1;
  let said = 0;
  let all = 0;
  for (const word of parts) {
    const worth = index.rarityOf(word);
    all += worth;
    if (query.has(word)) said += worth;
  }
  return 1 - share + (all === 0 ? 0 : (share * said) / all);
}

/** Each part of a name once; the whole of it is no part. */
const partsOfName = (index: SearchIndex, name: string): readonly number[] => {
  const parts = index.lexicon.partsOf(name);
  return parts.length < 2 ? parts : [...new Set(parts)];
};

const priorsMemo = new WeakMap<SearchIndex, Priors>();

function priorsOf(index: SearchIndex, snapshot: Snapshot): Priors {
  let priors = priorsMemo.get(index);
  if (priors?.snapshot !== snapshot) priorsMemo.set(index, (priors = new Priors(index, snapshot)));
  return priors;
}

/** What is known of a block before anything is asked. */
interface Prior {
  readonly worth: number;
  /** Parts of its name, and of that of the block around; undefined for none. */
  readonly name: readonly number[];
  /** The name as one word; undefined where no text spells it so. */
  readonly whole: number | undefined;
  readonly container: readonly number[] | undefined;
}

const UNKNOWN: Prior = { worth: 0, name: [], whole: undefined, container: undefined };

class Priors {
  private readonly known = new Map<Segment, (Prior | undefined)[]>();
  private readonly popularities = new Map<string, number>();
  private readonly bearers = new Map<string, number>();
  private readonly tests = new Map<string, boolean>();
  readonly worths = new Worths((segment, doc) => this.of(segment, doc).worth);

  constructor(
    private readonly index: SearchIndex,
    readonly snapshot: Snapshot,
  ) {}

  of(segment: Segment, doc: number): Prior {
    let ofSegment = this.known.get(segment);
    if (ofSegment === undefined) this.known.set(segment, (ofSegment = new Array<Prior | undefined>(segment.count)));
    return (ofSegment[doc] ??= this.priorOf(segment.fileOf(doc), segment.declOf(doc)));
  }

  private priorOf(file: string, decl: number): Prior {
    const summary = this.snapshot.summary(file);
    if (summary === undefined) return UNKNOWN;
    const { decls } = summary;
    const name = decls.nameOf(decl);
    const parent = decls.parentOf(decl);
    const container = parent < 0 ? undefined : decls.nameOf(parent);
    const { isPrivate } = languageById(summary.language);
    return {
      worth:
        (this.isTest(file) ? TEST_WEIGHT : 1) *
        (isPrivate(name, decls.flagsOf(decl)) ? PRIVATE_WEIGHT : 1) *
        (isDeprecated(summary, decl) ? DEPRECATED_WEIGHT : 1) *
        this.popularity(summary, name, container),
      name: partsOfName(this.index, name),
      whole: this.index.lexicon.known(wholeWord(name)),
      container: container === undefined ? undefined : partsOfName(this.index, container),
    };
  }

  private isTest(file: string): boolean {
    let is = this.tests.get(file);
    if (is === undefined) this.tests.set(file, (is = isTestFile(file)));
    return is;
  }

  /** By how many tests say the name, shared among the blocks that have it, and how many say its class too. */
  private popularity(summary: Summary, name: string, container: string | undefined): number {
    const key = `${summary.language}\0${name}\0${container ?? ''}`;
    let popularity = this.popularities.get(key);
    if (popularity === undefined) {
      const tests = this.index.testsSaying(name);
      const each = tests === 0 ? 0 : tests / Math.max(1, this.bearersOf(summary.language, name));
      const own = tests === 0 ? 0 : container === undefined ? each : this.index.testsSaying(name, container);
      popularity = Math.min(
        POPULARITY_MOST,
        (1 + NAME_POPULARITY_WEIGHT * Math.log(1 + each)) * (1 + OWN_POPULARITY_WEIGHT * Math.log(1 + own)),
      );
      this.popularities.set(key, popularity);
    }
    return popularity;
  }

  private bearersOf(language: Summary['language'], name: string): number {
    const key = `${language}\0${name}`;
    const known = this.bearers.get(key);
    if (known !== undefined) return known;
    let bearers = 0;
    for (const file of this.snapshot.filesDeclaring(language, name)) {
      const of = this.snapshot.summary(file);
      if (of !== undefined && this.index.has(file))
        for (const decl of of.decls.named(of.idOf(name))) if (isDocument(of, decl)) bearers++;
    }
    this.bearers.set(key, bearers);
    return bearers;
  }
}

function isDeprecated(summary: Summary, decl: number): boolean {
  const { decls, exprs } = summary;
  if (decls.kindOf(decl) > D.namespace || decls.has(decl, F.reassigned)) return false;
  for (const row of decls.decoratorsOf(decl)) {
    const name = exprs.nameOf(row) || exprs.nameOf(exprs.calleeOf(row));
    if (/^(?:deprecated|obsolete)/i.test(name)) return true;
  }
  return false;
}
