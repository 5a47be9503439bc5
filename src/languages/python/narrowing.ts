/**
 * What a condition says about the types of local names.
 *
 *     if isinstance(x, A) and x.ok:   x is an A in the right operand and in the branch
 *     if not isinstance(x, A): return x is an A in the rest of the block
 *
 * Only parameters, local variables and paths of members are narrowed: a narrowing of a name is a
 * declaration in a block scope, and would hide a module's variable from its references.
 */
import { isPath } from '../narrowed-paths.js';
import { E, R } from '../../syntax/summary.js';
import { argumentsOf } from './expressions.js';
import { implied } from './implied.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

/** The name or path at `start` has the type. */
export interface Fact {
  readonly name: string;
  readonly start: number;
  readonly type: number;
}

/** Walks what stands last in a condition, and gives its row. */
type Operand = (w: Walk, node: number, scope: number) => number;

const asked: Operand = (w, node, scope) => implied(w, 'truth', node, scope, w.value(node, scope));
const unasked: Operand = (w, node, scope) => w.value(node, scope);

/** `a or b`, `not a` as a value: nobody asks there whether what stands last is true. Gives the row of the value. */
export function choice(w: Walk, node: number, scope: number): number {
  const facts: Fact[] = [];
  return condition(w, node, scope, facts, facts, unasked);
}

/** Walks a condition; adds what holds if it is true, and if it is false. Gives the row of its value. */
export function condition(
  w: Walk,
  node: number,
  scope: number,
  positive: Fact[],
  negative: Fact[],
  operand = asked,
): number {
  return w.nested(node, scope, () => walkCondition(w, node, scope, positive, negative, operand));
}

function walkCondition(
  w: Walk,
  node: number,
  scope: number,
  positive: Fact[],
  negative: Fact[],
  operand: Operand,
): number {
  switch (w.kind(node)) {
    case K.parenthesized_expression: {
      const only = w.first(node);
      return only === -1 || w.next(only) !== -1
        ? w.value(node, scope)
        : condition(w, only, scope, positive, negative, operand);
    }
    case K.not_operator: {
      const argument = w.child(node, FIELD.argument);
      // The operator asks by itself.
      const a = argument === -1 ? -1 : condition(w, argument, scope, negative, positive, unasked);
      return w.expr(E.operator, node, scope, 'not', a);
    }
    case K.boolean_operator:
      return logical(w, node, scope, positive, negative, operand);
    case K.call:
      return isInstanceCall(w, node, scope) ? isInstance(w, node, scope, positive) : operand(w, node, scope);
    default:
      return operand(w, node, scope);
  }
}

function logical(w: Walk, node: number, scope: number, positive: Fact[], negative: Fact[], operand: Operand): number {
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  if (left === -1 || right === -1) {
    for (let c = w.first(node); c !== -1; c = w.next(c)) w.value(c, scope);
    return w.other(node, scope);
  }
  const yes: Fact[] = [];
  const no: Fact[] = [];
  const a = condition(w, left, scope, yes, no);
  const isAnd =
    w.field(w.after(left)) === FIELD.operator ? w.text.charCodeAt(w.start(w.after(left))) === 97 /* a */ : false;
  if (isAnd) {
    const b = condition(w, right, narrowedScope(w, scope, yes), yes, [], operand);
    positive.push(...yes);
    return b;
  }
  const b = condition(w, right, narrowedScope(w, scope, no), [], no, operand);
  negative.push(...no);
  return w.union(node, scope, [a, b]);
}

function isInstanceCall(w: Walk, node: number, scope: number): boolean {
  const callee = w.child(node, FIELD.function);
  return (
    callee !== -1 &&
    w.kind(callee) === K.identifier &&
    w.textOf(callee) === 'isinstance' &&
    !w.state.isBound(scope, w.nameOf(callee))
  );
}

function isInstance(w: Walk, node: number, scope: number, positive: Fact[]): number {
  const callee = w.child(node, FIELD.function);
  const list = w.child(node, FIELD.arguments);
  const subject = list === -1 ? -1 : w.first(list);
  const classes = subject === -1 ? -1 : w.next(subject);
  if (classes === -1 || w.next(classes) !== -1 || w.kind(subject) === K.list_splat || w.kind(classes) === K.list_splat)
    return plainCall(w, node, callee, list, scope);
  const calleeRow = w.nameRow(callee, scope, R.callee);
  const value = w.value(subject, scope);
  const { row, type } = classesOperand(w, classes, scope);
  const name = subjectName(w, subject);
  if (name !== -1 && (w.kind(name) === K.attribute || w.state.isLocal(scope, w.textOf(name))))
    positive.push({ name: w.textOf(name), start: w.start(name), type });
  const args = w.build.argumentList([
    { expr: value, start: w.start(subject) },
    { expr: row, start: w.start(classes) },
  ]);
  return w.expr(E.call, node, scope, '', calleeRow, args);
}

function plainCall(w: Walk, node: number, callee: number, list: number, scope: number): number {
  const calleeRow = w.nameRow(callee, scope, R.callee);
  return w.expr(E.call, node, scope, '', calleeRow, w.build.argumentList(argumentsOf(w, list, scope)));
}

/**
 * Walks what names one or several classes: `A`, `(A, B)`, `A | B`. `type` is the row that means an object of any of
 * them.
 */
export function classesOperand(w: Walk, node: number, scope: number): { readonly row: number; readonly type: number } {
  const types: number[] = [];
  const row = w.nested(node, scope, () => severalClasses(w, node, scope, types));
  return { row, type: types[0] ?? row };
}

/** Gives the row of the value, and the type if that is another row. */
function severalClasses(w: Walk, node: number, scope: number, type: number[]): number {
  const kind = w.kind(node);
  if (kind === K.tuple) {
    const parts: { readonly row: number; readonly type: number }[] = [];
    for (let c = w.first(node); c !== -1; c = w.next(c)) parts.push(classesOperand(w, c, scope));
    const rows = parts.map((part) => part.row);
    const row = w.list(node, scope, 'tuple', rows);
    type.push(
      w.union(
        node,
        scope,
        parts.map((part) => part.type),
      ),
    );
    return row;
  }
  const left = kind === K.binary_operator ? w.child(node, FIELD.left) : -1;
  const right = left === -1 ? -1 : w.child(node, FIELD.right);
  if (right === -1 || w.textOf(w.after(left)) !== '|') return w.value(node, scope);
  const a = classesOperand(w, left, scope);
  const b = classesOperand(w, right, scope);
  const row = w.expr(E.operator, node, scope, '|', a.row, b.row);
  type.push(w.union(node, scope, [a.type, b.type]));
  return row;
}

/** The narrowed name: `x`, also in `isinstance(x := f(), A)`; or a path `x.y`. */
function subjectName(w: Walk, node: number): number {
  if (w.kind(node) === K.attribute) return isPath(w.textOf(node)) ? node : -1;
  if (w.kind(node) === K.identifier) return node;
  return w.kind(node) === K.named_expression ? w.child(node, FIELD.name) : -1;
}

/** The scope in which the facts hold: `scope` itself if there are none. */
export function narrowedScope(w: Walk, scope: number, facts: readonly Fact[]): number {
  if (facts.length === 0) return scope;
  const inner = w.blockScope(scope);
  for (const fact of facts) {
    if (isPath(fact.name)) w.state.narrowedPaths.narrow(fact.name, inner, fact.type);
    else w.state.narrow(inner, fact.name, fact.start, fact.type);
  }
  return inner;
}
