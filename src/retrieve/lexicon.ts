/**
 * Words as numbers, for all indexes that follow from one another.
 *
 * It only grows, and what an index answers does not depend on the numbers: indexes share it as they
 * share their parts. Identifiers are taken apart once.
 */
import { wordsOfIdentifier } from './words.js';

export class Lexicon {
  private readonly numbers = new Map<string, number>();
  private readonly taken = new Map<string, readonly number[]>();

  /** Number of a word, a new one if need be. */
  numberOf(word: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(word, number);
    return number;
  }

  /** Number of a word that some text has, or undefined. */
  known(word: string): number | undefined {
    return this.numbers.get(word);
  }

  /** Numbers of the words of an identifier. */
  ofIdentifier(identifier: string): readonly number[] {
    let words = this.taken.get(identifier);
    if (words === undefined) {
      words = wordsOfIdentifier(identifier).map((word) => this.numberOf(word));
      this.taken.set(identifier, words);
    }
    return words;
  }

  /** All words, in the order of their numbers. */
  words(): IterableIterator<string> {
    return this.numbers.keys();
  }

  get size(): number {
    return this.numbers.size;
  }
}
