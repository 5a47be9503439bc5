/**
 * A Java text as its grammar can read it, where it found errors: without annotations right before
 * the dots of a variable parameter (`String @Nullable... names`), which it takes for the end of
 * the parameter.
 */
import type { ParserInput } from '../../syntax/grammar.js';

const BEFORE_DOTS = /@\w+(?:\.\w+)*(?:\s*\([^()]*\))?(?=\s*\.\.\.)/g;

export function secondReading({ grammar, seen }: ParserInput): ParserInput {
  return { grammar, seen: seen.replace(BEFORE_DOTS, (words) => words.replace(/[^\r\n]/g, ' ')) };
}
