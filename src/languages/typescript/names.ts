/**
 * Names of members as the source writes them: identifiers, `#private`, strings, numbers and
 * computed names. A string is named by its text and found inside its quotes; a computed name
 * keeps its brackets (`[Symbol.iterator]`), unless it is a string, which is a name like any other.
 */
import { K } from './kinds.js';

import type { DeclKind } from '../../syntax/summary.js';
import type { Walk } from './walk.js';

export interface MemberName {
  readonly text: string;
  readonly start: number;
}

export function memberName(w: Walk, node: number): MemberName {
  switch (w.kind(node)) {
    case K.string:
      return {
        text: w.text.slice(w.start(node) + 1, Math.max(w.start(node) + 1, w.end(node) - 1)),
        start: w.start(node) + 1,
      };
    case K.computed_property_name: {
      const inner = w.first(node);
      return inner !== -1 && w.kind(inner) === K.string
        ? memberName(w, inner)
        : { text: w.textOf(node).replace(/\s+/g, ''), start: w.start(node) };
    }
    default:
      return { text: w.textOf(node), start: w.start(node) };
  }
}

/** Walks the expression of a computed name; other names have none. */
export function walkComputedName(w: Walk, node: number, scope: number): void {
  if (w.kind(node) !== K.computed_property_name) return;
  const inner = w.first(node);
  if (inner !== -1 && w.kind(inner) !== K.string) w.visit(inner, scope);
}

/** Whether the text between quotes names a member: not empty, no escapes, not a place in a list. */
export function isMemberText(text: string): boolean {
  return text !== '' && !text.includes('\\') && !/^\d+$/.test(text);
}

/** Declares what has a name or a span that is not that of a node. */
export function declareSpan(
  w: Walk,
  kind: DeclKind,
  name: string,
  nameStart: number,
  start: number,
  end: number,
  scope: number,
  flags = 0,
  value = -1,
): number {
  return w.declare(kind, -1, 0, scope, { name, nameStart, start, end, flags, value });
}
