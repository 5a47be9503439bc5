/**
 * A text under the edits of several steps, each step a layer, so that any of them can be left out
 * afterwards: the text is kept in pieces that know which step wrote them and which removed them.
 *
 * A step that edited inside of what another one wrote needs that other step; `needsOf` says so, and
 * the caller leaves both out or none. Steps that only touch at an edge are free of each other.
 */
import { orderedEdits, type TextEdit } from '../base/text-edit.js';

interface Piece {
  readonly text: string;
  /** The step that wrote it; 0: it was there before. */
  readonly by: number;
  /** The step that removed it. No later one can, since it does not see it. */
  readonly removedBy?: number;
}

export interface LayeredText {
  readonly pieces: readonly Piece[];
  /** Step -> the steps inside of whose text it edited. */
  readonly needs: ReadonlyMap<number, ReadonlySet<number>>;
}

export function layered(text: string): LayeredText {
  return { pieces: [{ text, by: 0 }], needs: new Map() };
}

/** One more step (from 1); its edits are in offsets of the text with all steps so far, and do not overlap. */
export function withLayer(layers: LayeredText, step: number, edits: readonly TextEdit[]): LayeredText {
  const needs = new Set(layers.needs.get(step));
  const ordered = orderedEdits(Infinity, edits);
  const pieces: Piece[] = [];
  let next = 0;
  let offset = 0;
  const insertDue = (): void => {
    while (next < ordered.length && (ordered[next] as TextEdit).start === offset && (ordered[next] as TextEdit).end === offset) pieces.push({ text: (ordered[next++] as TextEdit).text, by: step });
  };
  const needsIfForeign = (piece: Piece): void => {
    if (piece.by !== 0 && piece.by !== step) needs.add(piece.by);
  };
  for (const piece of layers.pieces) {
    if (piece.removedBy !== undefined) {
      pieces.push(piece);
      continue;
    }
    const end = offset + piece.text.length;
    let taken = 0;
    insertDue();
    while (next < ordered.length && (ordered[next] as TextEdit).start < end) {
      const edit = ordered[next] as TextEdit;
      const from = Math.max(0, edit.start - (end - piece.text.length));
      if (from > taken) pieces.push({ ...piece, text: piece.text.slice(taken, from) });
      const to = Math.min(piece.text.length, edit.end - (end - piece.text.length));
      if (to > from) pieces.push({ ...piece, text: piece.text.slice(from, to), removedBy: step });
      if (to > from || from > 0) needsIfForeign(piece);
      taken = to;
      if (edit.end > end) break;
      if (edit.text !== '') pieces.push({ text: edit.text, by: step });
      next++;
    }
    if (taken < piece.text.length) pieces.push({ ...piece, text: piece.text.slice(taken) });
    offset = end;
  }
  insertDue();
  return { pieces, needs: needs.size === 0 ? layers.needs : new Map([...layers.needs, [step, needs]]) };
}

/** The text with these steps only. */
export function textWith(layers: LayeredText, chosen: ReadonlySet<number>): string {
  let text = '';
  for (const piece of layers.pieces) if ((piece.by === 0 || chosen.has(piece.by)) && (piece.removedBy === undefined || !chosen.has(piece.removedBy))) text += piece.text;
  return text;
}
