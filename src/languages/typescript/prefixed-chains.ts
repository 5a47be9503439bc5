/**
 * Prefix operators before a call with type arguments or a `!` behind, which the grammar binds closer than these:
 * `await f<T>(x)` is the call of `await f` to it, and `!a!.b` a member of `!a`.
 *
 * Here what is called or asserted is read without its operators, and these are put around the whole chain of members
 * and calls that begins with it. In parentheses they stay where they are: `(await f)<T>(x)` has none.
 */
import { E } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Walk } from './walk.js';

/** What a link of a chain hangs on, without the operators before it; they are put around the end of the chain. */
export function behindOperators(w: Walk, link: number, before: number): number {
  const operators: number[] = [];
  let held = before;
  while (held !== -1 && isPrefix(w.kind(held))) {
    operators.push(held);
    held = operandOf(w, held);
  }
  if (operators.length === 0 || held === -1) return before;
  const start = w.start(held);
  let top = link;
  for (; ; top = w.tree.parent[top] as number) {
    w.state.chainStarts.set(top, start);
    if (!goesOn(w, top)) break;
  }
  w.state.prefixes.set(top, operators);
  return held;
}

/** Where a link of a chain begins, behind the operators before the chain. */
export const linkStart = (w: Walk, node: number): number => w.state.chainStarts.get(node) ?? w.start(node);

/** What ends a chain is given the operators that stand before it. */
export const withPrefixes =
  (handler: Handler): Handler =>
  (w, node, scope, role) => {
    let row = handler(w, node, scope, role);
    const operators = w.state.prefixes.get(node) ?? [];
    for (const operator of operators.toReversed())
      row = w.build.expr(
        w.kind(operator) === K.await_expression ? E.await : E.operator,
        w.start(operator),
        w.end(node),
        scope,
        w.kind(operator) === K.await_expression ? '' : w.textOf(w.child(operator, FIELD.operator)),
        row,
      );
    return row;
  };

const isPrefix = (kind: number): boolean => kind === K.await_expression || kind === K.unary_expression;

const operandOf = (w: Walk, prefix: number): number =>
  w.kind(prefix) === K.await_expression ? w.first(prefix) : w.child(prefix, FIELD.argument);

/** Whether the node around is the next link of the same chain. */
function goesOn(w: Walk, node: number): boolean {
  const around = w.tree.parent[node] as number;
  switch (w.kind(around)) {
    case K.call_expression:
      return w.child(around, FIELD.function) === node;
    case K.member_expression:
    case K.subscript_expression:
      return w.child(around, FIELD.object) === node;
    case K.non_null_expression:
      return true;
    default:
      return false;
  }
}
