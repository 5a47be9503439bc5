/**
 * A definition cut out of its file: its text with decorators and the comment right above it, and
 * the edit that takes it away with the blank lines that set it off.
 */
import type { TextEdit } from '../base/text-edit.js';
import { skipQuoted } from '../languages/quoted.js';
import type { Source } from '../syntax/source.js';

export interface Cut {
  /** The lines, without a line break at the end, at the margin. */
  readonly text: string;
  readonly start: number;
  /** Behind the line break. */
  readonly end: number;
}

/**
 * Whole lines from the first to the last of `start..end`, with the comment right above. Undefined where other
 * code shares them.
 */
export function cutLines(text: string, start: number, end: number, isOffside: boolean): Cut | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[ \t]*;?[ \t]*(?:(?:#|\/\/)[^\n\r]*)?(?:\r?\n|$)/.exec(text.slice(end));
  if (
    rest === null ||
    text
      .slice(lineStart, start)
      .replace(/^\uFEFF/, '')
      .trim() !== ''
  )
    return undefined;
  const from = commentAbove(text, lineStart, isOffside);
  const to = end + rest[0].length;
  return { text: cutText(text, { start: from, end: to }, (lines) => lines), start: from, end: to };
}

/** Whole lines after an edit of them, at the margin, without a line break at the end. */
export function cutText(
  text: string,
  { start, end }: Pick<Cut, 'start' | 'end'>,
  edited: (lines: string) => string,
): string {
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
  return dedented(edited(text.slice(start, end)).replace(/\r?\n$/, ''), indent);
}

/** Start of the lines of comment that end right above a line; those that head the file are its own. */
function commentAbove(text: string, lineStart: number, isOffside: boolean): number {
  let from = lineStart;
  let inBlock = false;
  for (;;) {
    if (from === 0) return isHeader(text, lineStart) ? lineStart : 0;
    const above = text.lastIndexOf('\n', from - 2) + 1;
    const line = text.slice(above, from).trim();
    if (isOffside ? !line.startsWith('#') : !inBlock && !line.startsWith('//') && !line.endsWith('*/')) return from;
    if (!isOffside && line.endsWith('*/')) inBlock = true;
    if (inBlock && line.startsWith('/*')) inBlock = false;
    from = above;
  }
}

const isHeader = (text: string, end: number): boolean =>
  /^\uFEFF?#!|copyright|licen[sc]e|coding[:=]/i.test(text.slice(0, end));

/** What takes the lines away: with the blank ones behind them, or at the end of the file those before. */
export function removal(text: string, { start, end }: Pick<Cut, 'start' | 'end'>): TextEdit {
  const blank = /^(?:[ \t]*\r?\n)+/.exec(text.slice(end));
  const isFirst = text.slice(0, start).trim() === '';
  const behind = end + (blank?.[0].length ?? 0);
  if (behind < text.length && !/^[ \t]*\}/.test(text.slice(behind))) return { start, end: behind, text: '' };
  // The last in its file or in its body: the blank lines in front go.
  const before = /(?:\r?\n[ \t]*)*$/.exec(text.slice(0, start))?.[0] ?? '';
  const kept = /^\r?\n/.exec(before)?.[0].length ?? 0;
  return isFirst
    ? { start: 0, end: behind, text: '' }
    : { start: start - before.length + kept, end: behind >= text.length ? behind : end, text: '' };
}

/** Lines without the blanks that the first of them begins with. */
function dedented(lines: string, indent: string): string {
  if (indent === '') return lines;
  return lines
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

export function indented(lines: string, indent: string): string {
  return indent === ''
    ? lines
    : lines
        .split('\n')
        .map((line) => (line.trim() === '' ? line : indent + line))
        .join('\n');
}

/**
 * The statement at the margin that a line (from 1) is in: up to where its brackets are closed and no indented
 * line follows.
 */
export function statementAt(
  text: string,
  { lineStarts }: Source,
  line: number,
): { start: number; end: number } | undefined {
  let first = line - 1;
  const lineAt = (row: number): string => text.slice(lineStarts[row], lineStarts[row + 1] ?? text.length);
  while (first > 0 && /^(?:\s|[)\]}]|$)/.test(lineAt(first))) first--;
  const start = lineStarts[first];
  if (start === undefined || lineAt(first).trim() === '') return undefined;
  let depth = 0;
  let end = start;
  for (let at = start; at < text.length;) {
    const quoted = skipQuoted(text, at);
    if (quoted !== undefined) {
      at = quoted.to;
      if (!quoted.comment) end = at;
      continue;
    }
    const sign = text[at] as string;
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    if (sign === '\n' && depth <= 0 && !/^[ \t]+\S|^\r?\n[ \t]+\S/.test(text.slice(at + 1))) break;
    if (!/\s/.test(sign)) end = at + 1;
    at++;
  }
  return { start, end };
}
