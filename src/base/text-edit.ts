/**
 * Replacements in one text, as values.
 *
 * Offsets are UTF-16 code units into the text before any of the edits; `end` is exclusive. A list
 * of edits is in no particular order, but no two may overlap. Several insertions at one offset are
 * allowed and keep their order in the list; an insertion at the start of a replaced span comes
 * before what replaces it.
 */

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits by position, checked: throws `RangeError` on an overlap or a span outside of a text of this length. */
export function orderedEdits(textLength: number, edits: readonly TextEdit[]): TextEdit[] {
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort((x, y) => x.edit.start - y.edit.start || x.edit.end - y.edit.end || x.index - y.index)
    .map(({ edit }) => edit);
  let reached = 0;
  for (const edit of ordered) {
    if (edit.start > edit.end || edit.end > textLength || edit.start < 0) {
      throw new RangeError(`edit ${edit.start}..${edit.end} does not lie in a text of ${textLength} characters`);
    }
    if (edit.start < reached)
      throw new RangeError(`edit ${edit.start}..${edit.end} overlaps one that ends at ${reached}`);
    reached = edit.end;
  }
  return ordered;
}

/** The text after all the edits. Throws `RangeError` on an overlap or a span outside of the text. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let reached = 0;
  for (const edit of orderedEdits(text.length, edits)) {
    parts.push(text.slice(reached, edit.start), edit.text);
    reached = edit.end;
  }
  parts.push(text.slice(reached));
  return parts.join('');
}

/**
 * Edits of the text after, which give back `text`: `applyEdits(applyEdits(t, e), invertEdits(t, e))` is `t`.
 * Insertions that touch each other are undone by one edit, so that the result has no two edits at one offset.
 */
export function invertEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const inverse: { start: number; end: number; text: string }[] = [];
  let shift = 0;
  for (const edit of orderedEdits(text.length, edits)) {
    const start = edit.start + shift;
    const end = start + edit.text.length;
    const old = text.slice(edit.start, edit.end);
    const last = inverse[inverse.length - 1];
    if (last !== undefined && last.end === start) {
      last.end = end;
      last.text += old;
    } else inverse.push({ start, end, text: old });
    shift += edit.text.length - (edit.end - edit.start);
  }
  return inverse;
}

/**
 * Where an offset of the text before stands in the text after. An offset inside a replaced span goes to the end
 * of what replaced it.
 */
export function movedOffset(edits: readonly TextEdit[], offset: number): number {
  let moved = offset;
  for (const edit of edits) {
    if (edit.end <= offset) moved += edit.text.length - (edit.end - edit.start);
    else if (edit.start < offset) moved += edit.start + edit.text.length - offset;
  }
  return moved;
}
