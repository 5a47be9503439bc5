/**
 * Imports of what need not be installed, as Python writes them:
 *
 *     try:
 *         import zstandard
 *     except ImportError:
 *         zstandard = None
 *
 * Such a statement means the same in another file as long as it does nothing but bind names, so that it can go along
 * with a definition that uses one of them.
 */
import type { Summary } from '../../../syntax/summary.js';

export interface OptionalImport {
  readonly start: number;
  readonly end: number;
  /** What it binds. */
  readonly names: readonly string[];
}

/** Lines that do nothing beside an import: the clauses of `try`, and what a name is when there is none. */
const LINE =
  /^\s*(?:try:|else:|finally:|except\b[^:]*:|pass|\w+\s*=\s*(?:True|False|None|\d+|\(\)|\[\]|\{\}|'[^'\\]*'|"[^"\\]*"))?\s*(?:#.*)?$/;

/**
 * The statement around a place, at the margin; undefined where there is none, where it does more, or where it imports
 * from beside its file, which means another thing in another folder.
 */
export function optionalImport(text: string, summary: Summary, at: number): OptionalImport | undefined {
  const { imports, decls } = summary;
  const lines = linesOf(text);
  const row = lines.findLastIndex((line) => line.start <= at);
  const first = lines.findLastIndex((line, i) => i <= row && /^try:/.test(line.text));
  if (first === -1) return undefined;
  const behind = lines.findIndex((line, i) => i > first && /^(?!except\b|else:|finally:|[)\]#])\S/.test(line.text));
  const block = lines.slice(first, behind === -1 ? lines.length : behind);
  while (/^(?:\s*|#.*)$/.test(block.at(-1)?.text ?? 'x')) block.pop();
  const start = block[0]?.start ?? 0;
  const last = block.at(-1);
  const end = last === undefined ? start : last.start + last.text.length;
  const inside = imports.filter((entry) => entry.statementStart >= start && entry.statementEnd <= end);
  const isPlain = (line: Line): boolean =>
    LINE.test(line.text) ||
    inside.some((entry) => line.start < entry.statementEnd && entry.statementStart < line.start + line.text.length);
  if (at >= end || !block.every(isPlain) || inside.some((entry) => entry.module.startsWith('.'))) return undefined;
  const rows = Array.from({ length: decls.count }, (_, decl) => decl).filter(
    (decl) => decls.scopeOf(decl) === 0 && decls.startOf(decl) >= start && decls.endOf(decl) <= end,
  );
  return { start, end, names: [...new Set(rows.map((decl) => decls.nameOf(decl)))] };
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** The lines without their breaks, and where each begins. */
function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const one = { start, text: line.replace(/\r$/, '') };
    start += line.length + 1;
    return one;
  });
}
