/**
 * Words as numbers, for all indexes that follow from one another.
 *
 * It only grows, and what an index answers does not depend on the numbers: indexes share it as they
 * share their parts. Identifiers are taken apart once.
 */
import { Spellings, type LikeName } from './likeness.js';
import { wordsOfIdentifier } from './words.js';

export class Lexicon {
  private readonly numbers = new Map<string, number>();
  private readonly taken = new Map<string, readonly number[]>();
  private readonly parts = new Map<string, readonly number[]>();
  private readonly names = new Map<string, number>();
  private readonly spellings = new Spellings();

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

  /** Numbers of the words of an identifier's parts, without the one that stands for it as a whole. */
  partsOf(identifier: string): readonly number[] {
    let parts = this.parts.get(identifier);
    if (parts === undefined) {
      const words = wordsOfIdentifier(identifier).filter((word) => !word.startsWith('='));
      this.parts.set(identifier, (parts = words.map((word) => this.numberOf(word))));
    }
    return parts;
  }

  /** Number of an identifier as it is written, a new one if need be; counted apart from the words. */
  nameNumber(name: string): number {
    let number = this.names.get(name);
    if (number === undefined) this.names.set(name, (number = this.names.size));
    return number;
  }

  get nameCount(): number {
    return this.names.size;
  }

  /** The words that are spelt most like one, of those whose numbers `isMeant` tells. */
  spelledLike(word: string, most: number, isMeant: (number: number) => boolean): LikeName[] {
    if (this.spellings.size < this.numbers.size) {
      const from = this.spellings.size;
      let place = 0;
      for (const known of this.numbers.keys()) if (place++ >= from) this.spellings.add(known);
    }
    return this.spellings.like(word, most, (name) => isMeant(this.numberOf(name)));
  }

  get size(): number {
    return this.numbers.size;
  }
}
