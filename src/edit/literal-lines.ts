/**
 * Which lines of a text begin inside a string literal whose blanks are part of its value.
 *
 * Moving code to another indentation must not touch such lines: in a Python triple-quoted string,
 * a template literal or a C# verbatim string the blanks at the start of a line are content. Java
 * text blocks, C# raw strings and docstrings move with their code, since there the indentation is
 * taken off again by the language or by convention.
 *
 * A scan for comments and literals, no parse: it is driven by a table with one row for a language,
 * and works on fragments that do not parse. Code inside `${…}` counts as part of its literal, which
 * errs towards leaving lines alone.
 */
import type { LanguageId } from '../syntax/summary.js';

interface Literal {
  readonly open: string;
  readonly close: string;
  /** Sign that takes the next character out of play, '' for none. */
  readonly escape: string;
  /** Whether it may span lines, and if so whether its blanks count. */
  readonly lines: 'one' | 'moves' | 'fixed';
}

const quote = (sign: string): Literal => ({ open: sign, close: sign, escape: '\\', lines: 'one' });
const comment = (open: string, close: string): Literal => ({
  open,
  close,
  escape: '',
  lines: close === '\n' ? 'one' : 'moves',
});

/** Longer openings before their prefixes. */
const LITERALS: Readonly<Record<LanguageId, readonly Literal[]>> = {
  python: [
    { open: '"""', close: '"""', escape: '\\', lines: 'fixed' },
    { open: "'''", close: "'''", escape: '\\', lines: 'fixed' },
    quote('"'),
    quote("'"),
    comment('#', '\n'),
  ],
  typescript: [
    comment('/*', '*/'),
    comment('//', '\n'),
    { open: '`', close: '`', escape: '\\', lines: 'fixed' },
    quote('"'),
    quote("'"),
  ],
  java: [
    comment('/*', '*/'),
    comment('//', '\n'),
    { open: '"""', close: '"""', escape: '\\', lines: 'moves' },
    quote('"'),
    quote("'"),
  ],
  csharp: [
    comment('/*', '*/'),
    comment('//', '\n'),
    { open: '"""', close: '"""', escape: '', lines: 'moves' },
    // A doubled quote inside closes and opens again, which comes to the same.
    { open: '@"', close: '"', escape: '', lines: 'fixed' },
    { open: '@$"', close: '"', escape: '', lines: 'fixed' },
    { open: '$@"', close: '"', escape: '', lines: 'fixed' },
    quote('"'),
    quote("'"),
  ],
};

/** 0-based numbers of the lines that begin inside a literal with fixed blanks. Line breaks are `\n`. */
export function fixedLines(text: string, language: LanguageId): Set<number> {
  const fixed = new Set<number>();
  const table = LITERALS[language];
  let line = 0;
  let at = 0;
  while (at < text.length) {
    const literal = table.find((candidate) => text.startsWith(candidate.open, at));
    if (literal === undefined) {
      if (text[at] === '\n') line++;
      at++;
      continue;
    }
    const counts = literal.lines === 'fixed' && !isDocstring(text, at);
    at += literal.open.length;
    while (at < text.length && !text.startsWith(literal.close, at)) {
      if (text[at] === '\n') {
        if (literal.lines === 'one') break;
        line++;
        if (counts) fixed.add(line);
      } else if (literal.escape !== '' && text[at] === literal.escape && text[at + 1] !== '\n') at++;
      at++;
    }
    // The line break that ends a one-line literal or comment is counted by the outer loop.
    if (literal.close !== '\n' && text.startsWith(literal.close, at)) at += literal.close.length;
  }
  return fixed;
}

/** A string that is a statement of its own, directly below a line that opens a body. */
function isDocstring(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*[rRuU]?$/.test(text.slice(lineStart, at)) && /:[ \t]*(?:#[^\n]*)?\s*$/.test(text.slice(0, lineStart));
}
