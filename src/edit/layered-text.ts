/**
 * A text under the edits of several steps, so that any of them can be left out afterwards: the text
 * is kept in pieces that know which steps wrote them and which removed them.
 *
 * A step that edited inside of what another one wrote needs that other one, and is left out with
 * it. Steps that only touch at an edge are free of each other. An edit that several steps share
 * (one import for two of them) stays as long as one of them does.
 */
import { orderedEdits, type TextEdit } from '../base/text-edit.js';

/** An edit of these steps (numbers from 1). */
export interface LayerEdit extends TextEdit {
  readonly steps: readonly number[];
}

interface Piece {
  readonly text: string;
  /** The steps that wrote it; undefined: it was there before. */
  readonly by?: readonly number[];
  readonly removedBy?: readonly number[];
}

/** `step` stands only while one of `on` does. */
interface Need {
  readonly step: number;
  readonly on: readonly number[];
}

export interface LayeredText {
  readonly pieces: readonly Piece[];
  readonly needs: readonly Need[];
}

export function layered(text: string): LayeredText {
  return { pieces: [{ text }], needs: [] };
}

/** The edits are in offsets of the text with all layers so far, and do not overlap. Throws RangeError if they do. */
export function withLayer(layers: LayeredText, edits: readonly LayerEdit[]): LayeredText {
  const stepsOf = new Map<TextEdit, readonly number[]>(edits.map((edit) => [edit, edit.steps]));
  const ordered = orderedEdits(Infinity, edits);
  const pieces: Piece[] = [];
  const needs: Need[] = [...layers.needs];
  let next = 0;
  let offset = 0;
  const insertDue = (): void => {
    for (let edit = ordered[next]; edit?.start === offset && edit.end === offset; edit = ordered[++next])
      pieces.push({ text: edit.text, by: stepsOf.get(edit) ?? [] });
  };
  for (const piece of layers.pieces) {
    if (piece.removedBy !== undefined) {
      pieces.push(piece);
      continue;
    }
    const start = offset;
    const end = offset + piece.text.length;
    let taken = 0;
    insertDue();
    for (let edit = ordered[next]; edit !== undefined && edit.start < end; edit = ordered[next]) {
      const steps = stepsOf.get(edit) ?? [];
      const from = Math.max(0, edit.start - start);
      const to = Math.min(piece.text.length, edit.end - start);
      if (from > taken) pieces.push({ ...piece, text: piece.text.slice(taken, from) });
      if (to > from) pieces.push({ ...piece, text: piece.text.slice(from, to), removedBy: steps });
      const { by } = piece;
      if (by !== undefined && (to > from || from > 0))
        needs.push(...steps.filter((step) => !by.includes(step)).map((step) => ({ step, on: by })));
      taken = to;
      if (edit.end > end) break;
      if (edit.text !== '') pieces.push({ text: edit.text, by: steps });
      next++;
    }
    if (taken < piece.text.length) pieces.push({ ...piece, text: piece.text.slice(taken) });
    offset = end;
  }
  insertDue();
  return { pieces, needs };
}

/** The text with these steps only. Steps that need one that is not among them must not be among them either. */
export function textWith(layers: LayeredText, chosen: ReadonlySet<number>): string {
  const stands = (steps: readonly number[]): boolean => steps.some((step) => chosen.has(step));
  return layers.pieces
    .filter(({ by, removedBy }) => (by === undefined || stands(by)) && (removedBy === undefined || !stands(removedBy)))
    .map(({ text }) => text)
    .join('');
}

/** Steps are taken one by one: with them and with one more a text is asked for. */
const RECENT_MOST = 2;

/** Texts for a reader who asks again and again with nearly the same steps, most of which most files know nothing of. */
export class LayeredTexts {
  private readonly steps = new Map<LayeredText, readonly number[]>();
  private readonly recent = new Map<LayeredText, { readonly key: string; readonly text: string }[]>();

  /** The same as `textWith`. */
  with(layers: LayeredText, chosen: ReadonlySet<number>): string {
    const key = this.stepsOf(layers)
      .filter((step) => chosen.has(step))
      .join();
    const recent = this.recent.get(layers) ?? [];
    const known = recent.find((one) => one.key === key);
    if (known !== undefined) return known.text;
    const text = textWith(layers, chosen);
    this.recent.set(layers, [{ key, text }, ...recent].slice(0, RECENT_MOST));
    return text;
  }

  private stepsOf(layers: LayeredText): readonly number[] {
    const known = this.steps.get(layers);
    if (known !== undefined) return known;
    const steps = [...new Set(layers.pieces.flatMap(({ by = [], removedBy = [] }) => [...by, ...removedBy]))];
    this.steps.set(layers, steps);
    return steps;
  }
}

/** Of these steps, those that can stand on their own: without any whose needs are not among them. */
export function standing(layers: Iterable<LayeredText>, chosen: ReadonlySet<number>): ReadonlySet<number> {
  const left = new Set(chosen);
  const needs = [...layers].flatMap((one) => one.needs);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const { step, on } of needs) if (!on.some((other) => left.has(other))) left.delete(step);
  }
  return left;
}
