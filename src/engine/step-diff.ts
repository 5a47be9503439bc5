/**
 * The unified diff of one step, against the text that the step started from.
 *
 * Of a rewrite the edits are known, so only the lines around them are compared: a file with a
 * thousand steps would else be compared a thousand times.
 */
import { createTwoFilesPatch, formatPatch, structuredPatch } from 'diff';
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import type { LayerEdit } from '../edit/layered-text.js';

/** Unchanged lines around a hunk. */
const CONTEXT_LINES = 3;

/** '' for equal texts. */
export const diffOf = (file: string, before: string, after: string): string =>
  before === after
    ? ''
    : withoutRule(
        createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, { context: CONTEXT_LINES }),
      );

/** The same from edits of `text`, which do not overlap. */
export function diffOfEdits(file: string, text: string, edits: readonly TextEdit[]): string {
  const first = Math.min(...edits.map((edit) => edit.start));
  const last = Math.max(...edits.map((edit) => edit.end));
  let start = text.lastIndexOf('\n', first - 1) + 1;
  for (let i = 0; i < CONTEXT_LINES && start > 0; i++) start = text.lastIndexOf('\n', start - 2) + 1;
  let end = last;
  for (let i = 0; i <= CONTEXT_LINES + 1 && end < text.length; i++) {
    const next = text.indexOf('\n', end);
    end = next === -1 ? text.length : next + 1;
  }
  const before = text.slice(start, end);
  const after = applyEdits(
    before,
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
  if (before === after) return '';
  const patch = structuredPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, {
    context: CONTEXT_LINES,
  });
  const linesAbove = countLines(text, start);
  return withoutRule(
    formatPatch({
      ...patch,
      hunks: patch.hunks.map((hunk) => ({
        ...hunk,
        oldStart: hunk.oldStart + linesAbove,
        newStart: hunk.newStart + linesAbove,
      })),
    }),
  );
}

/**
 * Edits of `text` that a step makes, each with the hunk of the step's difference that it is in. `earlier`: the
 * difference that the step had before, `diff`: what these edits add to it.
 */
export function inHunks(
  step: number,
  { earlier, diff }: { readonly earlier: string; readonly diff: string },
  text: string,
  edits: readonly TextEdit[],
): LayerEdit[] {
  const before = hunksIn(earlier).length;
  const ends = hunksIn(diff).map(([, start, count = '1']) => Number(start) + Number(count));
  const hunkAt = (offset: number): number => {
    const line = countLines(text, offset) + 1;
    const found = ends.findIndex((end) => line <= end);
    return found === -1 ? ends.length - 1 : found;
  };
  return edits.map((edit) => {
    const first = hunkAt(edit.start);
    // The end of a whole line is the start of the next one.
    const isWithin = first === hunkAt(Math.max(edit.start, edit.end - 1));
    return { ...edit, by: [{ step, hunk: isWithin ? before + first + 1 : 0 }] };
  });
}

const hunksIn = (diff: string): RegExpMatchArray[] => [...diff.matchAll(/(?<=^|\n)@@ -(\d+)(?:,(\d+))? /gu)];

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Without the line of equal signs that some programs do not read. */
const withoutRule = (patch: string): string => patch.replace(/^=+\n/, '');
