/** The words that a name is made of, however it joins them. */

/** One of them, as written: capitals in a row, a word with or without its capital, a number, letters without case. */
export const WORD_OF_NAME = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu;

/** In lower case: `fetchData`, `FETCH_DATA` and `fetch-data` have the same. */
export function wordsOf(name: string): string[] {
  return (name.match(WORD_OF_NAME) ?? []).map((word) => word.toLowerCase());
}
