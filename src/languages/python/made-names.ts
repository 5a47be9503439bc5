/** What is written of a name that is made at run time: `"visit_" + kind`, `f"on_{event}"`, `"get_%s" % name`. */
import { MADE_PART } from '../../syntax/made-names.js';
import { formatOf } from './implied.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

/** Nobody joins more parts to a name; a longer sum could overflow the stack. */
const DEPTH_MOST = 16;

/** The written parts, with `…` for the others. */
export function writtenParts(w: Walk, node: number, depth = 0): string {
  if (depth > DEPTH_MOST) return MADE_PART;
  switch (w.kind(node)) {
    case K.string:
      return ofString(w, node);
    case K.concatenated_string:
    case K.parenthesized_expression: {
      let out = '';
      for (let c = w.first(node); c !== -1; c = w.next(c)) out += writtenParts(w, c, depth + 1);
      return out;
    }
    case K.binary_operator: {
      const left = w.child(node, FIELD.left);
      const right = w.child(node, FIELD.right);
      const operator = w.child(node, FIELD.operator);
      if (left === -1 || right === -1 || operator === -1) return MADE_PART;
      const sign = w.textOf(operator);
      if (sign === '+') return writtenParts(w, left, depth + 1) + writtenParts(w, right, depth + 1);
      return sign === '%' ? writtenParts(w, left, depth + 1).replace(/%[sdr]/gu, MADE_PART) : MADE_PART;
    }
    case K.call: {
      const callee = w.child(node, FIELD.function);
      const format = callee === -1 ? -1 : formatOf(w, callee);
      return format === -1 ? MADE_PART : writtenParts(w, format, depth + 1).replace(/\{[^{}]*\}/gu, MADE_PART);
    }
    default:
      return MADE_PART;
  }
}

function ofString(w: Walk, node: number): string {
  let out = '';
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.string_content) out += w.textOf(c);
    else if (w.kind(c) === K.interpolation) out += MADE_PART;
  }
  return out;
}
