/**
 * What of a block's file a question tells besides the class: the imports that bear on it, and the
 * documentation comment above it, which its text does not hold.
 */
import type { Summary } from '../syntax/summary.js';

/** With more import statements than a glance takes in, only those are told that bind a used name, up to a screen. */
const ALL_IMPORTS_MOST = 6;
const IMPORTS_MOST = 25;

/**
 * Import statements of which the fragment uses a name, or all of a file that has few; first what is
 * opened as a whole. Undefined for none.
 */
export function importsFor(text: string, summary: Summary, fragment: string): string | undefined {
  const names = new Set(fragment.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const statements = new Map<number, { readonly text: string; isUsed: boolean }>();
  const opened = new Set<string>();
  for (const entry of summary.imports) {
    if (entry.decl < 0) {
      opened.add(entry.module);
      continue;
    }
    const known = statements.get(entry.statementStart) ?? {
      text: text.slice(entry.statementStart, entry.statementEnd).replace(/\s+/g, ' ').trim(),
      isUsed: false,
    };
    known.isUsed ||= names.has(summary.decls.nameOf(entry.decl));
    statements.set(entry.statementStart, known);
  }
  const all = [...statements].sort(([a], [b]) => a - b).map(([, statement]) => statement);
  const kept = (all.length <= ALL_IMPORTS_MOST ? all : all.filter(({ isUsed }) => isUsed)).slice(0, IMPORTS_MOST);
  const left = all.length - kept.length;
  const lines = [
    ...[...opened].slice(0, IMPORTS_MOST),
    ...kept.map((statement) => statement.text),
    ...(left === 0 ? [] : [`… ${left} more`]),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** A longer comment at the head of a file is a licence or a manual, and says little of one block. */
const COMMENT_LINES_MOST = 20;

/** The comment of whole lines that ends on the line above the block; undefined for none, or a very long one. */
export function commentAbove(text: string, summary: Summary, decl: number): string | undefined {
  const span = commentSpan(text, summary.decls.startOf(decl));
  if (span === undefined) return undefined;
  const lines = text.slice(span.start, span.end).replaceAll('\r\n', '\n').split('\n');
  return lines.length > COMMENT_LINES_MOST ? undefined : lines.map((line) => line.trim()).join('\n');
}

/** Where that comment stands, from its first sign to its last. */
export function commentSpan(text: string, start: number): { readonly start: number; readonly end: number } | undefined {
  let at = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(at, start).trim() !== '') return undefined;
  let first: number | undefined;
  let inBlock = false;
  const last = text.slice(0, at).trimEnd().length;
  if (/\n[ \t]*\r?\n/.test(text.slice(last, at)) || at === 0) return undefined;
  while (at > 0) {
    const lineStart = text.lastIndexOf('\n', at - 2) + 1;
    const line = text.slice(lineStart, at).trim();
    const ends = line.endsWith('*/') && !inBlock;
    if (ends) inBlock = true;
    else if (!inBlock && !/^(?:\/\/\/?|#(?!\[))/.test(line)) break;
    first = lineStart + (text.slice(lineStart, at).length - text.slice(lineStart, at).trimStart().length);
    if (inBlock && line.startsWith('/*')) inBlock = false;
    else if (inBlock && line.includes('/*')) return undefined;
    at = lineStart;
  }
  return first === undefined || inBlock ? undefined : { start: first, end: last };
}
