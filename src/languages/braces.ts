/**
 * Blocks in braces, told from the text alone: strings and comments are skipped.
 */
import { skipQuoted } from './quoted.js';

/** Offsets of the braces between `from` and `at` that are still open at `at`, outermost first. */
export function bracesAround(text: string, from: number, at: number): number[] {
  const open: number[] = [];
  for (let i = from; i < at; i++) {
    const skipped = skipQuoted(text, i);
    if (skipped !== undefined) i = skipped.to - 1;
    else if (text[i] === '{') open.push(i);
    else if (text[i] === '}') open.pop();
  }
  return open;
}

/** Behind the brace that closes the one at an offset. */
export function closing(text: string, brace: number): number {
  let depth = 0;
  for (let i = brace; i < text.length; i++) {
    const skipped = skipQuoted(text, i);
    if (skipped !== undefined) i = skipped.to - 1;
    else if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i + 1;
  }
  return text.length;
}
