/**
 * What an edit says in a few words, so that edits which say the same can be shown as one:
 *
 *     -    store.put(row.id, row)             put → insert; + 60
 *     +    store.insert(row.id, row, 60)
 *
 * What stands around the words that go and come does not count, nor do blanks.
 */
import { diffArrays } from 'diff';
import type { Step } from '#protocol/propagate.js';

/** How many edits that are alike make a group. */
export const ALIKE_LEAST = 3;
/** Characters that still read as one thing in a line; a longer text is no name for many edits. */
const SAID_MOST = 80;
/** Words and signs that go and come; an edit of more is looked at by itself, and not searched for its shortest form. */
const WORDS_MOST = 40;
/** Words and signs, each with the blanks in front of it. */
const WORD = /(\s*)([\p{L}\p{N}_$]+|\S)/gu;

/** Empty where an edit has no such words. */
export function changeIn({ diff }: Pick<Step, 'diff'>): string {
  const said = new Set<string>();
  for (const lines of placesIn(diff)) {
    const side = (sign: string): string[] =>
      lines.flatMap((line) => (line.startsWith(sign) ? wordsOf(`\n${line.slice(1)}`) : []));
    const parts = diffArrays(side('-'), side('+'), { maxEditLength: WORDS_MOST, comparator: isSameWord });
    if (parts === undefined) return '';
    let gone = '';
    let come = '';
    const close = (): void => {
      if (gone !== '' || come !== '') said.add(change(gone, come));
      gone = come = '';
    };
    for (const { removed, added, value } of parts) {
      if (removed) gone += value.join('');
      else if (added) come += value.join('');
      else close();
    }
    close();
  }
  const words = [...said].join('; ');
  return words.length > SAID_MOST ? '' : words;
}

/** The lines that go and come, those without one that stays between them together. */
function placesIn(diff: string): string[][] {
  const places: string[][] = [[]];
  for (const line of diff.split('\n'))
    if (/^[-+](?!(?:--|\+\+) )/u.test(line)) places.at(-1)?.push(line);
    else places.push([]);
  return places;
}

const isSameWord = (one: string, other: string): boolean => one.trim() === other.trim();

function change(gone: string, come: string): string {
  if (gone === '') return `+ ${bare(come)}`;
  return come === '' ? `- ${bare(gone)}` : `${bare(gone)} → ${bare(come)}`;
}

/** Without the commas that only hang it in. */
function bare(text: string): string {
  const one = text.replace(/\s+/gu, ' ').trim();
  return one.replace(/^, ?|,$/gu, '') || one;
}

const wordsOf = (text: string): string[] => [...text.matchAll(WORD)].map(([whole]) => whole);
