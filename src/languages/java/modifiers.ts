/**
 * What stands before a declaration: keywords become flags, annotations become decorator rows.
 *
 * Flags are read before the declaration has a row and a scope, annotations after, since their
 * names are looked up in the declaration's header scope.
 */
import { F } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

/** The `modifiers` node of a declaration, or -1. */
export function modifiersOf(w: Walk, node: number): number {
  const first = w.first(node);
  return first !== -1 && w.kind(first) === K.modifiers ? first : -1;
}

/** Keywords and their flags. `sealed`, `default`, `strictfp` and the like have none. */
const MODIFIERS: ReadonlyMap<number, number> = new Map([
  [K.public, F.public],
  [K.protected, F.protected],
  [K.private, F.private],
  [K.static, F.static],
  [K.abstract, F.abstract],
  [K.final, F.final],
]);

/** Flags of the keywords, and `override` for `@Override`. */
export function modifierFlags(w: Walk, modifiers: number): number {
  if (modifiers === -1) return 0;
  let flags = 0;
  for (let c = w.firstChild(modifiers); c !== -1; c = w.nextChild(c)) {
    flags |= MODIFIERS.get(w.kind(c)) ?? 0;
    if (w.kind(c) === K.marker_annotation && isOverride(w, c)) flags |= F.override;
  }
  return flags;
}

/** Whether the annotation is `@Override` or `@java.lang.Override`. */
function isOverride(w: Walk, annotation: number): boolean {
  const { text } = w.tree;
  const at = w.end(annotation) - 'Override'.length;
  return text.startsWith('Override', at) && (text[at - 1] === '@' || text[at - 1] === '.');
}

/**
 * Rows of the annotations among the children of `node`, which is a `modifiers` node or one that has annotations of its
 * own. An annotation as a default value is none of them.
 */
export function annotationRows(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  if (node === -1) return rows;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if ((w.kind(c) !== K.marker_annotation && w.kind(c) !== K.annotation) || w.field(c) === FIELD.value) continue;
    const row = w.visit(c, scope);
    if (row !== -1) rows.push(row);
  }
  return rows;
}
