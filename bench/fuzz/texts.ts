/** Texts of all four languages to begin with, those of the fixtures, and random edits of them as numbers. */
import fc from 'fast-check';
import { languageOf, LANGUAGES } from '#src/languages/registry.js';
import type { LanguageId } from '#src/syntax/summary.js';
import { fixturePaths, readFixture } from '../../test/support/fixture-files.js';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Every different text of the fixtures, by language. */
export function sourceTexts(): ReadonlyMap<LanguageId, readonly SourceText[]> {
  const found = new Map<LanguageId, Map<string, SourceText>>(LANGUAGES.map(({ id }) => [id, new Map()]));
  for (const path of fixturePaths())
    for (const { before, after } of readFixture(path).files)
      for (const side of [before, after]) {
        const language = side === undefined ? undefined : languageOf(side.path);
        if (side !== undefined && language !== undefined)
          found.get(language.id)?.set(side.text, { path: side.path, text: side.text });
      }
  return new Map([...found].map(([language, texts]) => [language, [...texts.values()]]));
}

/** One of a list, whatever the number. */
export function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}

const KINDS = [
  'insertSign',
  'insertSign',
  'deleteSign',
  'deleteRange',
  'replaceToken',
  'replaceToken',
  'doubleToken',
  'deleteToken',
  'deleteLine',
  'doubleLine',
  'insertLine',
  'insertLine',
  'indentLine',
  'joinLines',
  'lineEndings',
] as const;

/** An edit as numbers, which are taken modulo what there is to choose from. */
export type TextEdit = readonly [kind: (typeof KINDS)[number], place: number, other: number];

export const textEdit: fc.Arbitrary<TextEdit> = fc.tuple(fc.constantFrom(...KINDS), fc.nat(100_000), fc.nat(100_000));

/** What texts break on: signs that open and close, strings, ends of lines, and characters of all widths. */
const SIGNS = [
  ...Array.from('(){}[]<>;:,.=+-*/%&|!?@#$^~`\'"\\_a0'),
  ...['\n', '\r', '\r\n', '\t', ' ', '    ', '\0', '\u001b', '\u2028', '\u00a0', '\u200b', '\u202e', '\uFEFF', '\f'],
  ...['é', '𝒳', '\ud800', '\udc00', '"""', "'''", '/*', '*/', '//', '//@', '@"', '$"', 'r"', '`${', '}`', '=>', '::'],
  ...['#if X\n', '#endif\n', '\\\n', 'class ', 'def ', 'import ', 'async ', 'return ', '<T>', 'where ', 'yield '],
];
const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|\d+|\s+|[^\s]/gu;

/** The text after one edit. `other`: where lines and tokens come from. */
export function edited(text: string, [kind, place, choice]: TextEdit, other: string): string {
  const at = place % (text.length + 1);
  const put = (start: number, end: number, with_: string): string => text.slice(0, start) + with_ + text.slice(end);
  switch (kind) {
    case 'insertSign':
      return put(at, at, pick(SIGNS, choice));
    case 'deleteSign':
      return put(at, at + 1, '');
    case 'deleteRange':
      return put(at, at + (choice % 60), '');
    case 'lineEndings':
      return choice % 2 === 0 ? text.replaceAll('\r\n', '\n') : text.replace(/\r?\n/gu, '\r\n');
    case 'replaceToken':
    case 'doubleToken':
    case 'deleteToken': {
      const tokens = text.match(TOKEN) ?? [''];
      const donors = other.match(TOKEN) ?? [''];
      const index = place % tokens.length;
      const token = pick(tokens, place);
      tokens[index] = { replaceToken: pick(donors, choice), doubleToken: token + token, deleteToken: '' }[kind];
      return tokens.join('');
    }
    default:
      return editedLines(text.split('\n'), kind, place, pick(other.split('\n'), choice)).join('\n');
  }
}

function editedLines(lines: string[], kind: TextEdit[0], place: number, other: string): string[] {
  const index = place % lines.length;
  const line = pick(lines, place);
  if (kind === 'deleteLine') lines.splice(index, 1);
  else if (kind === 'doubleLine') lines.splice(index, 0, line);
  else if (kind === 'insertLine') lines.splice(index, 0, other);
  else if (kind === 'indentLine') lines[index] = place % 2 === 0 ? `    ${line}` : line.replace(/^(?: {1,4}|\t)/u, '');
  else if (kind === 'joinLines') lines.splice(index, 2, line + (lines[index + 1] ?? ''));
  return lines;
}
