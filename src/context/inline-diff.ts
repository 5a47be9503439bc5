/**
 * Lines that changed in a few words, told once with the words that went and came marked in place:
 *
 *     def load(path: str, {+name: str = "",+} device='cpu')
 *     return [-path-]{+name+}
 *
 * Blanks do not count, so a list that was broken over lines differs by what was added to it alone. Not told so is what
 * would be as long, what would be hard to read for the many marks in it, and code in which a mark could be its own.
 */
import { diffArrays } from 'diff';
import { estimateTokens } from './tokens.js';

/** Of a line diff, it may take no more than this part. */
const TAKES_MOST = 0.8;
/** Marks for each line, on average. */
const MARKS_MOST = 3;
const MARKS = /\[-|-\]|\{\+|\+\}/;
/** Words and signs, each with the blanks in front of it. */
const WORD = /(\s*)([\p{L}\p{N}_$]+|\S)/gu;

/** `gone` and `come` without signs in front; undefined where line by line is better. */
export function inlineDiff(gone: readonly string[], come: readonly string[]): string | undefined {
  const [before, after] = [gone.join('\n'), come.join('\n')];
  if (gone.length === 0 || come.length === 0 || MARKS.test(before) || MARKS.test(after)) return undefined;
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const parts = diffArrays(
    old.map(({ word }) => word),
    fresh.map(({ word }) => word),
  );
  let [atOld, atFresh, marks, text] = [0, 0, 0, ''];
  for (const { added, removed, count } of parts) {
    const isGone = removed;
    const run = isGone ? old.slice(atOld, atOld + count) : fresh.slice(atFresh, atFresh + count);
    if (!added) atOld += count;
    if (!isGone) atFresh += count;
    const [first, ...rest] = run;
    if (first === undefined) continue;
    const said = first.word + rest.map(({ blanks, word }) => blanks + word).join('');
    if (isGone || added) marks++;
    text += first.blanks + (isGone ? `[-${said}-]` : added ? `{+${said}+}` : said);
  }
  const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)].join('\n');
  return marks <= MARKS_MOST * come.length && estimateTokens(text) <= TAKES_MOST * estimateTokens(lines)
    ? text.replace(/^\n+/, '')
    : undefined;
}

const wordsOf = (text: string): { readonly blanks: string; readonly word: string }[] =>
  [...text.matchAll(WORD)].map(([, blanks = '', word = '']) => ({ blanks, word }));
