/** The whole lines in which two texts differ, as edits of the first. */
import { diffArrays } from 'diff';
import type { TextEdit } from './text-edit.js';

/** In order, apart from each other; `applyEdits(before, lineEdits(before, after))` is `after`. */
export function lineEdits(before: string, after: string): TextEdit[] {
  const edits: { start: number; end: number; text: string }[] = [];
  let offset = 0;
  for (const { added, removed, value } of diffArrays(linesOf(before), linesOf(after))) {
    const text = value.join('');
    const end = added ? offset : offset + text.length;
    if (added || removed) {
      const last = edits.at(-1);
      // A removal and the addition in its place are one replacement.
      if (last?.end === offset) {
        last.text += added ? text : '';
        last.end = end;
      } else edits.push({ start: offset, end, text: added ? text : '' });
    }
    offset = end;
  }
  return edits;
}

/** With their terminators; the last one may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu) ?? [];
}
