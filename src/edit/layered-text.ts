/**
 * A text under the edits of several steps, so that any of them can be left out afterwards: the text
 * is kept in pieces that know which steps wrote them and which removed them.
 *
 * A step that edited inside of what another one wrote needs that other one, and is left out with
 * it. Steps that only touch at an edge are free of each other. An edit that several steps share
 * (one import for two of them) stays as long as one of them does.
 */
import { orderedEdits, type TextEdit } from '../base/text-edit.js';

/** A hunk (from 1) of the difference of a step (from 1); hunk 0 where the edit cannot be left out by itself. */
export interface Part {
  readonly step: number;
  readonly hunk: number;
}

/** An edit that each of these makes. */
export interface LayerEdit extends TextEdit {
  readonly by: readonly Part[];
}

/** By step, which hunks of it are left out while the step itself is chosen. */
export type HunksLeftOut = ReadonlyMap<number, ReadonlySet<number>>;

const NO_HUNKS: HunksLeftOut = new Map();

interface Piece {
  readonly text: string;
  /** What wrote it; undefined: it was there before. */
  readonly by?: readonly Part[];
  readonly removedBy?: readonly Part[];
}

/** `step` stands only while one of `on` does. Of the step's own hunks: they cannot be had without each other. */
interface Need {
  readonly step: number;
  readonly on: readonly Part[];
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
  const partsOf = new Map<TextEdit, readonly Part[]>(edits.map((edit) => [edit, edit.by]));
  const ordered = orderedEdits(Infinity, edits);
  const pieces: Piece[] = [];
  const needs: Need[] = [...layers.needs];
  let next = 0;
  let offset = 0;
  const insertDue = (): void => {
    for (let edit = ordered[next]; edit?.start === offset && edit.end === offset; edit = ordered[++next])
      pieces.push({ text: edit.text, by: partsOf.get(edit) ?? [] });
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
      const parts = partsOf.get(edit) ?? [];
      const from = Math.max(0, edit.start - start);
      const to = Math.min(piece.text.length, edit.end - start);
      if (from > taken) pieces.push({ ...piece, text: piece.text.slice(taken, from) });
      if (to > from) pieces.push({ ...piece, text: piece.text.slice(from, to), removedBy: parts });
      const { by } = piece;
      if (by !== undefined && (to > from || from > 0))
        needs.push(
          ...parts.filter((part) => !by.some((one) => isSamePart(one, part))).map(({ step }) => ({ step, on: by })),
        );
      taken = to;
      if (edit.end > end) break;
      if (edit.text !== '') pieces.push({ text: edit.text, by: parts });
      next++;
    }
    if (taken < piece.text.length) pieces.push({ ...piece, text: piece.text.slice(taken) });
    offset = end;
  }
  insertDue();
  return { pieces, needs };
}

const isSamePart = (a: Part, b: Part): boolean => a.step === b.step && a.hunk === b.hunk;

/** Whether one of these parts is among what is chosen. */
const oneStands = (parts: readonly Part[], chosen: ReadonlySet<number>, without: HunksLeftOut): boolean =>
  parts.some(({ step, hunk }) => chosen.has(step) && without.get(step)?.has(hunk) !== true);

/**
 * The text with these steps only, and of them without some hunks. Steps that need one that is not among them must not
 * be among them either.
 */
export function textWith(layers: LayeredText, chosen: ReadonlySet<number>, without = NO_HUNKS): string {
  const stands = (parts: readonly Part[]): boolean => oneStands(parts, chosen, without);
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
  with(layers: LayeredText, chosen: ReadonlySet<number>, without = NO_HUNKS): string {
    const key = this.stepsOf(layers)
      .filter((step) => chosen.has(step))
      .map((step) => [step, ...(without.get(step) ?? [])].join('-'))
      .join();
    const recent = this.recent.get(layers) ?? [];
    const known = recent.find((one) => one.key === key);
    if (known !== undefined) return known.text;
    const text = textWith(layers, chosen, without);
    this.recent.set(layers, [{ key, text }, ...recent].slice(0, RECENT_MOST));
    return text;
  }

  private stepsOf(layers: LayeredText): readonly number[] {
    const known = this.steps.get(layers);
    if (known !== undefined) return known;
    const steps = [...new Set(partsIn(layers).map(({ step }) => step))];
    this.steps.set(layers, steps);
    return steps;
  }
}

const partsIn = ({ pieces }: LayeredText): Part[] =>
  pieces.flatMap(({ by = [], removedBy = [] }) => [...by, ...removedBy]);

/** By step, its hunks, where it has several and each can be left out by itself. */
export function separableHunks(layers: Iterable<LayeredText>): ReadonlyMap<number, ReadonlySet<number>> {
  const hunks = new Map<number, Set<number>>();
  const whole = new Set<number>();
  for (const one of layers) {
    for (const { step, hunk } of partsIn(one)) {
      if (hunk === 0) whole.add(step);
      const known = hunks.get(step);
      if (known === undefined) hunks.set(step, new Set([hunk]));
      else known.add(hunk);
    }
    for (const { step, on } of one.needs) if (on.some((part) => part.step === step)) whole.add(step);
  }
  return new Map([...hunks].filter(([step, of]) => of.size > 1 && !whole.has(step)));
}

/** Of these steps, those that can stand on their own: without any whose needs are not among them. */
export function standing(
  layers: Iterable<LayeredText>,
  chosen: ReadonlySet<number>,
  without = NO_HUNKS,
): ReadonlySet<number> {
  const left = new Set(chosen);
  const needs = [...layers].flatMap((one) => one.needs);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const { step, on } of needs) if (!oneStands(on, left, without)) left.delete(step);
  }
  return left;
}
