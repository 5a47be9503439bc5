/**
 * `using file = open()`, which the grammar takes for an assignment: a constant, whose value is disposed of where its
 * block ends, and `await using`, which waits for that.
 */
import { E } from '../../syntax/summary.js';
import type { Walk } from './walk.js';

const WORD = 'using';
/** The words before the name that they declare, in a statement or a loop. */
const DECLARING = /(?<![\w$.])(?:await[ \t]+)?using(?=[ \t]+[A-Za-z_$][\w$]*\s*(?:=[^=>]|:[^=;\r\n]*=[^=>]|of\b))/g;

/** The text as the parser should read it: `const` for such words. */
export const usingAsConst = (text: string): string =>
  text.includes(WORD) ? text.replace(DECLARING, (words) => 'const'.padStart(words.length)) : text;

/** Rows for the members that dispose of the value of a declaration, where its words say that they are called. */
export function disposed(w: Walk, start: number, value: number, scope: number): void {
  if (value < 0 || !w.text.startsWith(WORD, start)) return;
  const waits = /\bawait[ \t]+$/.test(w.text.slice(Math.max(0, start - 20), start));
  for (const name of waits ? ['[Symbol.asyncDispose]', '[Symbol.dispose]'] : ['[Symbol.dispose]'])
    w.build.expr(E.member, start, start + WORD.length, scope, name, value);
}
