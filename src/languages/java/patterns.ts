/**
 * Patterns: `x instanceof A a`, `case A a`, `case R(A a, var b)`.
 *
 * A variable of a pattern is a local of the scope that the statement around gave (see
 * statements.ts), with the type it names. A record pattern takes its value apart: the n-th
 * variable is the n-th part of the value seen as the record.
 */
import { D, E } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import { isVar } from './types.js';
import type { Handler, Table, Walk } from './walk.js';

/** The `instanceof` nodes that bind a name, ascending. */
export function bindingTests(w: Walk): number[] {
  const found: number[] = [];
  for (let node = 0; node < w.tree.length; node++)
    if (w.kind(node) === K.instanceof_expression)
      if (w.child(node, FIELD.name) !== -1 || w.child(node, FIELD.pattern) !== -1) found.push(node);
  return found;
}

/**
 * A scope of its own for a statement that binds names by `instanceof`, else `scope`: such names end with the statement.
 */
export function statementScope(w: Walk, node: number, scope: number): number {
  return w.state.binds(node) ? w.blockScope(scope) : scope;
}

const instanceOf: Handler = (w, node, scope) => {
  const left = w.child(node, FIELD.left);
  const value = left === -1 ? -1 : w.value(left, scope);
  const right = w.child(node, FIELD.right);
  const name = w.child(node, FIELD.name);
  const pattern = w.child(node, FIELD.pattern);
  const tested = right === -1 ? -1 : w.type(right, scope);
  if (w.isPresent(name)) bindPattern(w, name, tested, -1, scope);
  if (pattern !== -1) recordPattern(w, pattern, value, scope);
  return w.expr(E.operator, node, scope, 'instanceof', value, tested);
};

/** Declares the variable of a pattern. */
function bindPattern(w: Walk, name: number, type: number, value: number, scope: number): void {
  w.declare(D.local, name, w.parent(name), scope, { end: w.end(name), type, value });
}

/** `A b` or `R(A b, var c)` in a `case`. */
const typePattern: Handler = (w, node, scope) => {
  const named = w.first(node);
  const name = w.last(node);
  if (named === -1 || name === named) return w.children(node, scope);
  const type = patternType(w, named, scope);
  if (w.kind(name) === K.identifier && w.isPresent(name)) bindPattern(w, name, type, -1, scope);
  return -1;
};

/** Takes `value` apart as a record: each variable without a type of its own is the part at its place. */
export function recordPattern(w: Walk, node: number, value: number, scope: number): number {
  const named = w.first(node);
  const body = w.childOf(node, K.record_pattern_body);
  if (named === -1) return -1;
  const type = w.type(named, scope);
  const record = w.expr(E.cast, node, scope, '', value, type);
  if (body === -1) return record;
  let index = 0;
  for (let c = w.first(body); c !== -1; c = w.next(c)) {
    const part = w.expr(E.nth, c, scope, '', record, index++);
    if (w.kind(c) === K.record_pattern) {
      w.nested(c, scope, () => recordPattern(w, c, part, scope));
      continue;
    }
    const first = w.first(c);
    const last = w.last(c);
    if (first === -1) continue;
    const declared = first === last ? -1 : patternType(w, first, scope);
    if (w.kind(last) === K.identifier && w.isPresent(last)) bindPattern(w, last, declared, part, scope);
  }
  return record;
}

function patternType(w: Walk, node: number, scope: number): number {
  return isVar(w, node) ? -1 : w.type(node, scope);
}

const recordPatternHandler: Handler = (w, node, scope) => {
  recordPattern(w, node, -1, scope);
  return -1;
};

export const PATTERNS: Table = {
  instanceof_expression: instanceOf,
  type_pattern: typePattern,
  record_pattern: recordPatternHandler,
};
