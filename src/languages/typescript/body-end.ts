/**
 * Whether the end of a function's body can be reached: it gives `undefined` there, whatever it returns elsewhere.
 *
 * Errs towards reached: a call that never returns, a loop that never ends but by its condition, a `switch` over all
 * members of a union.
 */
import { isEndReached } from '../../syntax/body-end.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

export const reachesEnd = (w: Walk, block: number, depth = 0): boolean => isEndReached(w, block, passes, depth);

/** Whether what stands behind a statement is reached over it. */
export function passes(w: Walk, node: number, depth = 0): boolean {
  switch (w.kind(node)) {
    case K.return_statement:
    case K.throw_statement:
    case K.break_statement:
    case K.continue_statement:
      return false;
    case K.statement_block:
      return reachesEnd(w, node, depth);
    case K.if_statement: {
      const otherwise = w.child(node, FIELD.alternative);
      // An `else` holds one statement.
      return (
        otherwise === -1 || passes(w, w.child(node, FIELD.consequence), depth + 1) || reachesEnd(w, otherwise, depth)
      );
    }
    case K.try_statement: {
      const [handler, last] = [w.childOf(node, K.catch_clause), w.childOf(node, K.finally_clause)];
      if (last !== -1 && !reachesEnd(w, w.child(last, FIELD.body), depth)) return false;
      const isRescued = handler !== -1 && reachesEnd(w, w.child(handler, FIELD.body), depth);
      return isRescued || reachesEnd(w, w.child(node, FIELD.body), depth);
    }
    case K.switch_statement:
      return passesSwitch(w, w.child(node, FIELD.body), depth);
    case K.while_statement:
      return w.textOf(w.child(node, FIELD.condition)) !== '(true)' || /\bbreak\b/u.test(w.textOf(node));
    default:
      return true;
  }
}

/** A case whose end is reached goes on with the next one. */
function passesSwitch(w: Walk, body: number, depth: number): boolean {
  let hasDefault = false;
  let isOpen = true;
  for (let c = w.first(body); c !== -1; c = w.next(c)) {
    hasDefault ||= w.kind(c) === K.switch_default;
    isOpen = true;
    for (let s = w.first(c); s !== -1; s = w.next(s)) {
      if (w.field(s) === FIELD.value) continue;
      if (/\bbreak\b/u.test(w.textOf(s))) return true;
      isOpen &&= passes(w, s, depth + 1);
    }
  }
  return !hasDefault || isOpen;
}
