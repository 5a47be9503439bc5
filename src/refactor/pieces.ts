/**
 * What a move takes from where to where, as values.
 */
import type { TextEdit } from '../base/text-edit.js';
import type { DeclRef } from '../languages/language.js';
import { D, isClassLike, type Summary } from '../syntax/summary.js';
import { removal, type Cut } from './cut.js';

/** What is moved: a block, or the statement without a name that is on a line (from 1). */
export type Movable = DeclRef | { readonly file: string; readonly line: number };

/** A piece of a file that goes to another one. */
export interface Piece extends Cut {
  readonly file: string;
  /** What it declares; empty for a statement. */
  readonly refs: readonly DeclRef[];
}

export interface Move {
  readonly pieces: readonly Piece[];
  readonly to: string;
  /** Files of which nothing is left. */
  readonly emptied: readonly string[];
}

/** Pieces with nothing between them, as one stretch. */
function runsOf(text: string, pieces: readonly Piece[]): Pick<Cut, 'start' | 'end'>[] {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of [...pieces].sort((a, b) => a.start - b.start)) {
    const last = runs.at(-1);
    if (last !== undefined && text.slice(last.end, start).trim() === '') last.end = Math.max(last.end, end);
    else runs.push({ start, end });
  }
  return runs;
}

/** What takes the pieces of a file away. */
export function removals(text: string, pieces: readonly Piece[]): TextEdit[] {
  const out: TextEdit[] = [];
  for (const edit of runsOf(text, pieces).map((run) => removal(text, run))) {
    const last = out.at(-1);
    if (last !== undefined && edit.start <= last.end)
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, edit.end), text: '' };
    else out.push(edit);
  }
  return out;
}

export const isType = (summary: Summary, decl: number): boolean =>
  isClassLike(summary.decls.kindOf(decl)) && summary.decls.kindOf(decl) !== D.anonymousClass;
