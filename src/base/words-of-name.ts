/**
 * The words that a name is made of, however it joins them.
 */

/** In lower case: `fetchData`, `FETCH_DATA` and `fetch-data` have the same. */
export function wordsOf(name: string): string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase());
}

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu;
