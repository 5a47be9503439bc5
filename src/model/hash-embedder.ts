/**
 * Vectors without a model: words and pieces of words, hashed into a fixed number of places.
 *
 * Texts are near that say the same words or words spelt alike; meaning is not seen. It costs nothing, is the same
 * on every machine, and stands in where no endpoint gives vectors.
 */
import { wordOf } from '../base/hash.js';
import { identifiersIn, wordsOfIdentifier } from '../retrieve/words.js';
import { NO_SPENDING, type Embedded, type Embedder } from './model.js';

const PLACES = 512;
const PIECE_LENGTHS = [3, 4];
/** A piece counts so much of a word: it is one of many that a word has. */
const PIECE_WEIGHT = 0.25;

export const hashEmbedder: Embedder = {
  name: 'hash-512',
  embed: (texts): Promise<Embedded> =>
    Promise.resolve({ ok: true, vectors: texts.map(hashedVector), usage: NO_SPENDING }),
};

/** Of length 1; of length 0 for a text without words. */
export function hashedVector(text: string): Float32Array {
  const vector = new Float32Array(PLACES);
  const add = (feature: string, weight: number): void => {
    const hash = wordOf(feature, 0, feature.length) >>> 0;
    const place = hash % PLACES;
    // One bit decides the sign, so that features which fall together cancel as often as they add.
    vector[place] = (vector[place] as number) + (hash & 0x40000000 ? -weight : weight);
  };
  for (const identifier of identifiersIn(text))
    for (const word of wordsOfIdentifier(identifier)) {
      if (word.startsWith('=')) continue;
      add(word, 1);
      const framed = `<${word}>`;
      for (const length of PIECE_LENGTHS)
        for (let at = 0; at + length <= framed.length; at++) add(framed.slice(at, at + length), PIECE_WEIGHT);
    }
  return normalised(vector);
}

/** The vector at length 1; one without a direction stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return sum === 0 ? vector : vector.map((value) => value / Math.sqrt(sum));
}
