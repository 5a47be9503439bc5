/** What is written of a name that is made at run time: `'on' + event`, `` `on${event}` ``. */
import { MADE_PART } from '../../syntax/made-names.js';
import { FIELD, K } from './kinds.js';
import { stringText } from './strings.js';
import type { Walk } from './walk.js';

/** Nobody joins more parts to a name; a longer sum could overflow the stack. */
const DEPTH_MOST = 16;

/** The written parts, with `…` for the others. */
export function writtenParts(w: Walk, node: number, depth = 0): string {
  if (depth > DEPTH_MOST) return MADE_PART;
  switch (w.kind(node)) {
    case K.string:
      return stringText(w, node);
    case K.template_string:
      return w
        .textOf(node)
        .slice(1, -1)
        .replace(/\$\{[^{}]*\}/gu, MADE_PART);
    case K.binary_expression: {
      const left = w.child(node, FIELD.left);
      const right = w.child(node, FIELD.right);
      const operator = w.child(node, FIELD.operator);
      return operator !== -1 && w.textOf(operator) === '+' && left !== -1 && right !== -1
        ? writtenParts(w, left, depth + 1) + writtenParts(w, right, depth + 1)
        : MADE_PART;
    }
    default:
      return MADE_PART;
  }
}
