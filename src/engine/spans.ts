/**
 * Offsets as documents show them: lines from 1, columns from 0 in UTF-16 code units, the end exclusive.
 */
import { lineAt } from '../syntax/line-at.js';
import type { Summary } from '../syntax/summary.js';

export interface Span {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export function spanOf(summary: Summary, start: number, end: number): Span {
  const startLine = lineAt(summary, start);
  const nextStart = summary.lineStarts[startLine];
  const endLine = nextStart === undefined || end < nextStart ? startLine : lineAt(summary, end);
  return {
    startLine,
    startColumn: start - (summary.lineStarts[startLine - 1] as number),
    endLine,
    endColumn: end - (summary.lineStarts[endLine - 1] as number),
  };
}

/**
 * Offset of a line and column; undefined where the file has no such line. A column behind the line's end is its end.
 */
export function offsetOf(summary: Summary, line: number, column: number): number | undefined {
  const start = summary.lineStarts[line - 1];
  if (start === undefined) return undefined;
  return Math.min(start + column, (summary.lineStarts[line] ?? summary.textLength + 1) - 1);
}
