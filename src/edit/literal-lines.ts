/**
 * Where the strings and comments of a text are, above all which lines begin inside a string literal
 * whose blanks are part of its value.
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
  readonly isComment?: true;
}

const quote = (sign: string): Literal => ({ open: sign, close: sign, escape: '\\', lines: 'one' });
const comment = (open: string, close: string): Literal => ({
  open,
  close,
  escape: '',
  lines: close === '\n' ? 'one' : 'moves',
  isComment: true,
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

/** A string or comment in a text: `start..end` with its signs. */
interface Found {
  readonly literal: Literal;
  readonly start: number;
  readonly end: number;
}

function literalsOf(text: string, language: LanguageId): Found[] {
  const table = LITERALS[language];
  const found: Found[] = [];
  let at = 0;
  while (at < text.length) {
    const literal = table.find((candidate) => text.startsWith(candidate.open, at));
    if (literal === undefined) {
      at++;
      continue;
    }
    const start = at;
    at += literal.open.length;
    while (at < text.length && !text.startsWith(literal.close, at)) {
      if (text[at] === '\n' && literal.lines === 'one') break;
      if (literal.escape !== '' && text[at] === literal.escape && text[at + 1] !== '\n') at++;
      at++;
    }
    if (literal.close !== '\n' && text.startsWith(literal.close, at)) at += literal.close.length;
    found.push({ literal, start, end: Math.min(at, text.length) });
  }
  return found;
}

/** 0-based numbers of the lines that begin inside a literal with fixed blanks. Line breaks are `\n`. */
export function fixedLines(text: string, language: LanguageId): Set<number> {
  return linesBegunIn(
    text,
    literalsOf(text, language).filter(({ literal, start }) => literal.lines === 'fixed' && !isDocstring(text, start)),
  );
}

/** 0-based numbers of the lines that begin inside any string or comment. Line breaks are `\n`. */
export function linesInsideLiterals(text: string, language: LanguageId): Set<number> {
  return linesBegunIn(text, literalsOf(text, language));
}

function linesBegunIn(text: string, literals: readonly Found[]): Set<number> {
  const begun = new Set<number>();
  let line = 0;
  let reached = 0;
  for (const { start, end } of literals) {
    line += breaksIn(text, reached, start);
    const last = line + breaksIn(text, start, end);
    while (line < last) begun.add(++line);
    reached = end;
  }
  return begun;
}

function breaksIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The comments of a text as written, in order. */
export function commentsOf(text: string, language: LanguageId): string[] {
  return literalsOf(text, language)
    .filter(({ literal }) => literal.isComment)
    .map(({ start, end }) => text.slice(start, end));
}

/** Comments and docstrings: what is written for people between the code. Line breaks are `\n`. */
export function proseOf(text: string, language: LanguageId): { readonly start: number; readonly end: number }[] {
  return literalsOf(text, language).filter(
    ({ literal, start }) => literal.isComment === true || (literal.lines === 'fixed' && isDocstring(text, start)),
  );
}

/** Strings that are sentences, which somebody reads when the code runs. Line breaks are `\n`. */
export function messagesOf(text: string, language: LanguageId): { readonly start: number; readonly end: number }[] {
  return literalsOf(text, language).filter(
    ({ literal, start, end }) => literal.isComment !== true && SENTENCE.test(text.slice(start, end)),
  );
}

/** Strings that say more than names with points between, which are read as code. Line breaks are `\n`. */
export function otherStringsOf(text: string, language: LanguageId): { readonly start: number; readonly end: number }[] {
  return literalsOf(text, language).filter(
    ({ literal, start, end }) => literal.isComment !== true && !NAMES.test(text.slice(start, end)),
  );
}

const NAMES = /^["'`]+\.*[\w$]+(?:\.[\w$]+)*["'`]+$/;

/** Two words as in prose, one behind the other: a long message is written in pieces. */
const SENTENCE = /\p{L},? \p{L}/u;

/**
 * The text with every character of its strings and comments but line breaks replaced by `fill`: what is left is code.
 */
export function withoutLiterals(text: string, language: LanguageId, fill: string): string {
  let out = '';
  let reached = 0;
  for (const { literal, start, end } of literalsOf(text, language)) {
    const blank = literal.isComment ? ' ' : fill;
    out += text.slice(reached, start) + text.slice(start, end).replace(/[^\n]/g, blank);
    reached = end;
  }
  return out + text.slice(reached);
}

/** A string that is a statement of its own, directly below a line that opens a body. */
function isDocstring(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*[rRuU]?$/.test(text.slice(lineStart, at)) && /:[ \t]*(?:#[^\n]*)?\s*$/.test(text.slice(0, lineStart));
}
