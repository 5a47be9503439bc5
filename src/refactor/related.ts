/**
 * What goes by the name of a renamed block, and could follow: `fetchDataAsync` and `FetchDataTest`
 * for `fetchData`, files that are called like it, tests and fixtures. Offers only: none is made.
 */
import { stemOf } from '../base/paths.js';
import { WORD_OF_NAME } from '../base/words-of-name.js';
import { wordsOf } from '../base/words-of-name.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { isOwnBlock } from '../change/match-blocks.js';
import { blockPath, D } from '../syntax/summary.js';
import { type Subject } from './seed.js';

export interface Offer {
  readonly file: string;
  /** The block; undefined for the file itself. */
  readonly block: string | undefined;
  readonly name: string;
  readonly to: string;
}

/** A name of one short word is a part of too many others. */
const SINGLE_WORD_LEAST = 4;
/** What a person ticks off one by one in a list. */
const OFFERS_MOST = 50;

/** Nearest first: the same file, then files that are called like it, then all others. */
export function relatedNames(resolver: Resolver, { before, name, newName }: Subject): Offer[] {
  if (newName === undefined) return [];
  const words = wordsOf(name);
  if (words.length === 0 || (words.length === 1 && name.length < SINGLE_WORD_LEAST)) return [];
  const offers: (Offer & { readonly rank: number })[] = [];
  for (const [file, summary] of resolver.repo.files) {
    const stem = stemOf(file);
    const stemNow = follows(stem, words, newName);
    if (stemNow !== undefined)
      offers.push({ file, block: undefined, name: stem, to: stemNow, rank: file === before.file ? 0 : 1 });
    for (let decl = 0; decl < summary.decls.count; decl++) {
      const own = summary.decls.nameOf(decl);
      if (own === '' || own === name || !isOwnBlock(summary, decl) || summary.decls.kindOf(decl) === D.constructor)
        continue;
      const to = follows(own, words, newName);
      if (to !== undefined)
        offers.push({
          file,
          block: blockPath(summary, decl),
          name: own,
          to,
          rank: file === before.file ? 0 : stemNow === undefined ? 2 : 1,
        });
    }
  }
  return offers
    .sort((a, b) => a.rank - b.rank || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
    .slice(0, OFFERS_MOST)
    .map(({ rank: _rank, ...offer }) => offer);
}

/**
 * The name with the new words in the place of the old ones, in its own spelling; undefined where it has more in
 * between, or nothing of it.
 */
function follows(name: string, words: readonly string[], to: string): string | undefined {
  const pieces = [...name.matchAll(WORD_OF_NAME)];
  const at = pieces.findIndex((_, i) => words.every((word, j) => pieces[i + j]?.[0].toLowerCase() === word));
  const [first, last] = [pieces[at], pieces[at + words.length - 1]];
  if (first === undefined || last === undefined) return undefined;
  const old = name.slice(first.index, last.index + last[0].length);
  return name.slice(0, first.index) + spelledLike(old, wordsOf(to), name) + name.slice(last.index + last[0].length);
}

function spelledLike(old: string, words: readonly string[], whole: string): string {
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const separator =
    /[_-]/.exec(old)?.[0] ??
    (/[_-]/.exec(whole)?.[0] !== undefined && !/\p{Ll}\p{Lu}/u.test(old) ? /[_-]/.exec(whole)?.[0] : undefined);
  if (old.toUpperCase() === old && old.length > 1) return words.map((word) => word.toUpperCase()).join('_');
  if (separator !== undefined && old.toLowerCase() === old) return words.join(separator);
  const isCapital = /^\p{Lu}/u.test(old);
  return words.map((word, i) => (i > 0 || isCapital ? capital(word) : word)).join('');
}
