/**
 * Whether the end of a block can be reached: a function gives `None` there, whatever it returns elsewhere.
 *
 * Errs towards reached: a call that never returns, a loop that never ends but by its condition.
 */
import { isEndReached } from '../../syntax/body-end.js';
import { FIELD, K } from './kinds.js';
import { takesAll } from './patterns.js';
import type { Walk } from './walk.js';

export const reachesEnd = (w: Walk, block: number, depth = 0): boolean => isEndReached(w, block, passes, depth);

/** Whether what stands behind a statement is reached over it. */
function passes(w: Walk, node: number, depth: number): boolean {
  switch (w.kind(node)) {
    case K.return_statement:
    case K.raise_statement:
    case K.break_statement:
    case K.continue_statement:
      return false;
    case K.if_statement:
      return w.childOf(node, K.else_clause) === -1 || blocksIn(w, node).some((block) => reachesEnd(w, block, depth));
    case K.match_statement:
      return !takesAll(w, node) || blocksIn(w, w.childOf(node, K.block)).some((block) => reachesEnd(w, block, depth));
    case K.with_statement:
      return blocksIn(w, node).every((block) => reachesEnd(w, block, depth));
    case K.try_statement:
      return passesTry(w, node, depth);
    case K.while_statement:
      return w.textOf(w.child(node, FIELD.condition)) !== 'True' || /\bbreak\b/u.test(w.textOf(node));
    default:
      return true;
  }
}

/** Blocks of a statement and of its clauses. */
function blocksIn(w: Walk, node: number): readonly number[] {
  const out: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const block = w.kind(c) === K.block ? c : w.childOf(c, K.block);
    if (block !== -1) out.push(block);
  }
  return out;
}

function passesTry(w: Walk, node: number, depth: number): boolean {
  let tried = true;
  let rescued = false;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const kind = w.kind(c);
    const block = kind === K.block ? c : w.childOf(c, K.block);
    if (block === -1) continue;
    const isReached = reachesEnd(w, block, depth);
    if (kind === K.finally_clause) {
      if (!isReached) return false;
    } else if (kind === K.except_clause) rescued ||= isReached;
    else tried &&= isReached;
  }
  return tried || rescued;
}
