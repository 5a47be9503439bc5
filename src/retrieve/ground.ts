/**
 * From a sentence of intent to the blocks that implement it, without a model.
 *
 * What the index finds (BM25F) is weighed by what the repository shows of each block:
 *
 *     coverage    how much of the block's own name the sentence says
 *     popularity  how many of the repository's tests use the name: they show what is meant to be used
 *     tests, private names, what is deprecated: less
 *
 * A word that no block says stands for the words that are spelt nearly like it. The answer is a function of
 * the snapshot and the sentence; ties are broken by path and place.
 *
 * Source: MutaGReP (arXiv 2502.15872), where a model writes what each block could be asked for by.
 */
import { isTestFile } from '../languages/test-file.js';
import { languageById } from '../languages/registry.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import { D, F, type Summary } from '../syntax/summary.js';
import { documentAround, isDocument } from './documents.js';
import { spelledLike } from './likeness.js';
import type { Hit, Query, SearchIndex } from './search-index.js';
import { identifiersIn, wordsOfIdentifier } from './words.js';

export interface Grounded {
  readonly file: string;
  /** Row of the block. */
  readonly decl: number;
  readonly score: number;
  /** What of the block the sentence meets. */
  readonly via: 'name' | 'doc';
}

/** How much of a block's score hangs on its name being said. */
const COVERAGE_SHARE = 0.4;
const POPULARITY_WEIGHT = 0.3;
/** No block is worth more than so many times what its words are. */
const POPULARITY_MOST = 3;
const TEST_WEIGHT = 0.3;
const PRIVATE_WEIGHT = 0.8;
const DEPRECATED_WEIGHT = 0.7;
/** Weight of a word that is only spelt like one of the sentence. */
const LIKE_WEIGHT = 0.5;

/** Words of a sentence as the index knows them, each with how often it is said. */
export function queryOf(index: SearchIndex, sentence: string): Query {
  const query = new Map<number, number>();
  const add = (word: number, weight: number): void => void query.set(word, (query.get(word) ?? 0) + weight);
  const unknown = new Set<string>();
  for (const identifier of identifiersIn(sentence))
    for (const word of wordsOfIdentifier(identifier)) {
      const number = index.lexicon.known(word);
      if (number !== undefined && index.rarityOf(number) > 0) add(number, 1);
      else if (!word.startsWith('=')) unknown.add(word);
    }
  for (const word of unknown)
    for (const { name, likeness } of spelledLike(word, index.lexicon.words(), 2)) {
      const number = index.lexicon.known(name);
      if (number !== undefined && !query.has(number)) add(number, LIKE_WEIGHT * likeness);
    }
  return query;
}

/**
 * At most `most` blocks, best first; none for a sentence whose words nobody uses. `isLeftOut`: files whose blocks are
 * no answer, though what they say of others counts.
 */
export function ground(
  index: SearchIndex,
  snapshot: Snapshot,
  sentence: string,
  most: number,
  isLeftOut: (file: string) => boolean = () => false,
): Grounded[] {
  const query = queryOf(index, sentence);
  const priors = priorsOf(index, snapshot);
  const hits = index.search(query, most, {
    weightMost: POPULARITY_MOST,
    weigh: (hit) => (isLeftOut(hit.file) ? 0 : priors.of(hit) * coverage(index, query, nameIn(snapshot, hit))),
  });
  return hits.map((hit) => {
    const saysName = partsOfName(index, nameIn(snapshot, hit)).some((word) => query.has(word));
    return { ...hit, via: saysName ? 'name' : 'doc' };
  });
}

/** From 1 - share to 1: how much of the name's parts, by what they tell, the sentence has. */
export function coverage(index: SearchIndex, query: Query, name: string): number {
  let said = 0;
  let all = 0;
  for (const word of partsOfName(index, name)) {
    const worth = index.rarityOf(word);
    all += worth;
    if (query.has(word)) said += worth;
  }
  return 1 - COVERAGE_SHARE + (all === 0 ? 0 : (COVERAGE_SHARE * said) / all);
}

const nameIn = (snapshot: Snapshot, { file, decl }: Hit): string => snapshot.summary(file)?.decls.nameOf(decl) ?? '';

/** Each part of a name once; the whole of it is no part. */
function partsOfName(index: SearchIndex, name: string): number[] {
  const parts = new Set(wordsOfIdentifier(name).filter((word) => !word.startsWith('=')));
  return [...parts].flatMap((word) => index.lexicon.known(word) ?? []);
}

const priorsMemo = new WeakMap<SearchIndex, Priors>();

function priorsOf(index: SearchIndex, snapshot: Snapshot): Priors {
  let priors = priorsMemo.get(index);
  if (priors?.snapshot !== snapshot) priorsMemo.set(index, (priors = new Priors(index, snapshot)));
  return priors;
}

/** What a block is worth before anything is asked. */
class Priors {
  private readonly popularities = new Map<string, number>();
  private readonly tests = new Map<string, boolean>();

  constructor(
    private readonly index: SearchIndex,
    readonly snapshot: Snapshot,
  ) {}

  of({ file, decl }: Hit): number {
    const summary = this.snapshot.summary(file);
    if (summary === undefined) return 0;
    const name = summary.decls.nameOf(decl);
    const { isPrivate } = languageById(summary.language);
    return (
      (this.isTest(file) ? TEST_WEIGHT : 1) *
      (isPrivate(name, summary.decls.flagsOf(decl)) ? PRIVATE_WEIGHT : 1) *
      (isDeprecated(summary, decl) ? DEPRECATED_WEIGHT : 1) *
      this.popularity(summary, name)
    );
  }

  private isTest(file: string): boolean {
    let is = this.tests.get(file);
    if (is === undefined) this.tests.set(file, (is = isTestFile(file)));
    return is;
  }

  /** By how many functions of tests mention the name, shared among the blocks that have it. */
  private popularity(summary: Summary, name: string): number {
    const key = `${summary.language}\0${name}`;
    let popularity = this.popularities.get(key);
    if (popularity === undefined) {
      let mentions = 0;
      for (const file of this.snapshot.filesMentioning(name))
        if (this.isTest(file) && this.index.has(file)) mentions += usersIn(this.snapshot.summary(file), name);
      let bearers = 0;
      if (mentions > 0)
        for (const file of this.snapshot.filesDeclaring(summary.language, name)) {
          const of = this.snapshot.summary(file);
          if (of !== undefined && this.index.has(file))
            for (const decl of of.decls.named(of.idOf(name))) if (isDocument(of, decl)) bearers++;
        }
      popularity = Math.min(POPULARITY_MOST, 1 + POPULARITY_WEIGHT * Math.log(1 + mentions / Math.max(1, bearers)));
      this.popularities.set(key, popularity);
    }
    return popularity;
  }
}

/** How many functions of a file say a name. */
function usersIn(summary: Summary | undefined, name: string): number {
  if (summary === undefined) return 0;
  const users = new Set<number>();
  for (const row of summary.exprs.named(summary.idOf(name)))
    users.add(documentAround(summary, summary.scopes.blockOf(summary.exprs.scopeOf(row))));
  users.delete(-1);
  return users.size;
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
