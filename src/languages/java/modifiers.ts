/**
 * What stands before a declaration: keywords become flags, annotations become decorator rows.
 *
 * Flags are read before the declaration has a row and a scope, annotations after, since their
 * names are looked up in the declaration's header scope.
 */
import { F } from '../../syntax/summary.js';
import type { Walk } from './walk.js';

/** The `modifiers` node of a declaration, or -1. */
export function modifiersOf(x: Walk, node: number): number {
  const first = x.first(node);
  return first !== -1 && x.kind(first) === x.kinds.modifiers ? first : -1;
}

/** Flags of the keywords, and `override` for `@Override`. */
export function modifierFlags(x: Walk, modifiers: number): number {
  if (modifiers === -1) return 0;
  const { kinds } = x;
  let flags = 0;
  const stop = x.skip(modifiers);
  for (let c = modifiers + 1; c < stop; c = x.skip(c)) {
    flags |= kinds.modifierFlags[x.kind(c)] ?? 0;
    if (x.kind(c) === kinds.markerAnnotation && isOverride(x, c)) flags |= F.override;
  }
  return flags;
}

/** Whether the annotation is `@Override` or `@java.lang.Override`. */
function isOverride(x: Walk, annotation: number): boolean {
  const { text } = x.tree;
  const at = x.end(annotation) - 'Override'.length;
  return text.startsWith('Override', at) && (text[at - 1] === '@' || text[at - 1] === '.');
}

/** Rows of the annotations among the children of `node`, which is a `modifiers` node or one that has annotations of its own. An annotation as a default value is none of them. */
export function annotationRows(x: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  if (node === -1) return rows;
  const { kinds } = x;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (
      (x.kind(c) !== kinds.markerAnnotation && x.kind(c) !== kinds.annotation) ||
      x.tree.field[c] === kinds.valueField
    )
      continue;
    const row = x.walk(c, scope);
    if (row !== -1) rows.push(row);
  }
  return rows;
}
