/**
 * A C# text as its grammar can read it, where it found errors.
 *
 *     a?.B = c;   a?[i] = c;     assignment to what may be null (C# 14): for it a broken condition
 *     $@"""{a}"""                quotes and backslashes in verbatim interpolated text: a raw
 *     $@"\""{a}"""               string, or an escape, for it
 *
 * It loses whole classes over these.
 */
import type { ParserInput } from '../../syntax/grammar.js';

/** The question mark of a chain of members and indexes that is assigned to. */
const ASSIGNED_IF_ANY = /\?(?=(?:\??\.\w+|\??\[[^\]\r\n]*\])+\s*(?:[-+*\/%&|^]|<<|>>|\?\?)?=(?![=>]))/g;
const VERBATIM_BEGINS = /(?:\$@|@\$)"/g;

/** The text with blanks for such question marks and other characters for such quotes and backslashes; equally long. */
export function secondReading({ grammar, seen }: ParserInput): ParserInput {
  return { grammar, seen: plainVerbatim(seen).replace(ASSIGNED_IF_ANY, ' ') };
}

function plainVerbatim(text: string): string {
  let out = '';
  let done = 0;
  VERBATIM_BEGINS.lastIndex = 0;
  for (let begin = VERBATIM_BEGINS.exec(text); begin !== null; begin = VERBATIM_BEGINS.exec(text)) {
    let holes = 0;
    let i = VERBATIM_BEGINS.lastIndex;
    for (; i < text.length; i++) {
      const c = text[i] as string;
      const doubled = text[i + 1] === c;
      if (holes > 0) holes += c === '{' ? 1 : c === '}' ? -1 : 0;
      else if (c === '"' && !doubled) break;
      else if (c === '{' && !doubled) holes = 1;
      else if (c === '"' || c === '\\' || c === '{') {
        // Two quotes, two braces, or a backslash, which means nothing here.
        const length = c === '\\' ? 1 : 2;
        if (c !== '{') {
          out += text.slice(done, i) + "'".repeat(length);
          done = i + length;
        }
        i += length - 1;
      }
    }
    VERBATIM_BEGINS.lastIndex = i;
  }
  return out + text.slice(done);
}
