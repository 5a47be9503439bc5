/**
 * Expressions to rows.
 *
 * Parentheses, `!` and optional chaining vanish. `a && b` is worth b, `a || b` and
 * `a ?? b` one of both. An assignment is worth its right side. Left-deep chains of operators are
 * followed without recursion, since generated code nests them thousands deep.
 */
import { noteMadeName } from '../../syntax/made-names.js';
import { D, E, NARROWED, R, SATISFIES } from '../../syntax/summary.js';
import { declareClass } from './classes.js';
import { FIELD, K } from './kinds.js';

import {
  assignedExports,
  commonJsExport,
  dynamicImport,
  isDynamicImport,
  isModuleExports,
  replacedModule,
} from './modules.js';
import { closure } from './functions.js';
import { isMemberText } from './names.js';
import { narrowedScope } from './narrowing.js';
import { declareAssigned, pattern } from './patterns.js';
import { behindOperators, linkStart, withPrefixes } from './prefixed-chains.js';
import { writtenParts } from './made-names.js';
import { assignedToPrototype, inheritedByCall, putOnMember } from './put-on.js';
import { stringRow, stringText } from './strings.js';
import { symbolKey, symbolMember } from './symbol-keys.js';
import { walkParts, type Handler, type Table, type Walk } from './walk.js';
import type { NewArgument } from '../../syntax/summary-builder.js';

const literal =
  (name: string): Handler =>
  (w, node, scope) =>
    w.expr(E.literal, node, scope, name);
const identifier: Handler = (w, node, scope) => w.nameRow(node, scope);

function number(w: Walk, node: number, scope: number): number {
  const text = w.textOf(node);
  return w.expr(E.literal, node, scope, /^(?:\d+|0[xob][\da-f_]+)n?$/i.test(text) ? 'int' : 'float');
}

function inner(w: Walk, node: number, scope: number): number {
  const part = w.first(node);
  return part === -1 ? -1 : w.visit(part, scope);
}

/** `x!`. */
function asserted(w: Walk, node: number, scope: number): number {
  const part = behindOperators(w, node, w.first(node));
  return part === -1 ? -1 : w.visit(part, scope);
}

/** `(x)`, and `(x, y)` which is worth y. */
function last(w: Walk, node: number, scope: number): number {
  let row = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) row = w.visit(c, scope);
  return row;
}

/** `a.b`. `A.prototype` is an object of A, which a cast says. */
function member(w: Walk, node: number, scope: number): number {
  const objectNode = w.child(node, FIELD.object);
  const property = w.child(node, FIELD.property);
  if (objectNode !== -1 && property !== -1 && w.kind(objectNode) === K.satisfies_expression)
    return asExpression(w, objectNode, scope, property);
  // `module.exports` and `exports` are one object.
  if (isModuleExports(w, node)) {
    w.visit(objectNode, scope);
    return w.nameRow(property, scope);
  }
  const object = objectNode === -1 ? -1 : narrowedObject(w, objectNode, w.visit(objectNode, scope), scope);
  if (property === -1) return object;
  const row = w.memberRow(property, object, scope);
  return w.build.exprName(row) === 'prototype' ? w.expr(E.cast, node, scope, '', row, object) : row;
}

/** A name or path that a test before narrows is cast to what the test says. */
function narrowedObject(w: Walk, node: number, row: number, scope: number): number {
  const type =
    w.state.narrowedPaths.isEmpty || (w.kind(node) !== K.member_expression && w.kind(node) !== K.identifier)
      ? -1
      : w.state.narrowedPaths.typeOf(w.textOf(node), scope);
  return type === -1 ? row : w.expr(E.cast, node, scope, NARROWED, row, type);
}

/** `a[b]`; with a literal name it is the member of that name. */
function subscript(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const object = w.visit(w.child(node, FIELD.object), scope);
  const index = w.child(node, FIELD.index);
  if (index === -1) return object;
  if (w.kind(index) === K.string) {
    const name = stringText(w, index);
    const start = w.start(index) + 1;
    if (isMemberText(name)) return build.expr(E.member, start, start + name.length, scope, name, object);
  }
  const row = w.visit(index, scope);
  const symbol = symbolKey(w, index, scope);
  const named = symbol === undefined ? -1 : symbolMember(w, index, w.end(node), scope, object, symbol.name);
  if (symbol?.isSymbol === true) return named;
  noteMadeName(build, { start: w.start(index), end: w.end(index), scope }, object, writtenParts(w, index));
  return build.expr(E.index, linkStart(w, node), w.end(node), scope, '', object, build.list([row]));
}

function call(w: Walk, node: number, scope: number): number {
  const { build } = w;
  if (isDynamicImport(w, node)) return dynamicImport(w, node, scope);
  replacedModule(w, node);
  const calleeNode = behindOperators(w, node, w.child(node, FIELD.function));
  const callee = calleeNode === -1 ? -1 : w.visit(calleeNode, scope);
  w.setHeadRole(callee, R.callee);
  const types = w.child(node, FIELD.type_arguments);
  const typeRows = types === -1 ? [] : w.typesIn(types, scope);
  const list = w.child(node, FIELD.arguments);
  assignedToPrototype(w, calleeNode, list, scope);
  const args =
    list === -1
      ? []
      : w.kind(list) === K.template_string
        ? templateArguments(w, list, scope)
        : argumentRows(w, list, scope);
  const passed = build.argumentList(args, typeRows);
  const row = build.expr(E.call, linkStart(w, node), w.end(node), scope, '', callee, passed);
  if (calleeNode !== -1 && w.kind(calleeNode) === K.identifier) {
    const name = w.textOf(calleeNode);
    if (name === 'eval' || name === 'Function') build.undecidable(row);
  }
  if (calleeNode !== -1 && w.kind(calleeNode) === K.member_expression) assignedExports(w, calleeNode, list, scope);
  inheritedByCall(w, calleeNode, list, args, scope);
  return row;
}

export function argumentRows(w: Walk, list: number, scope: number): NewArgument[] {
  const args: NewArgument[] = [];
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.spread_element) args.push({ expr: inner(w, c, scope), spread: 'list', start: w.start(c) });
    else args.push({ expr: w.visit(c, scope), start: w.start(c) });
  }
  return args;
}

/** A tag is called with the texts and then the substitutions. */
function templateArguments(w: Walk, node: number, scope: number): NewArgument[] {
  const args: NewArgument[] = [{ expr: w.expr(E.list, node, scope, 'list'), start: w.start(node) }];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.template_substitution) args.push({ expr: last(w, c, scope), start: w.start(c) });
  }
  return args;
}

function newExpression(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const constructed = w.child(node, FIELD.constructor);
  let made = constructed === -1 ? -1 : w.visit(constructed, scope);
  w.setHeadRole(made, R.newCallee);
  const types = w.child(node, FIELD.type_arguments);
  if (types !== -1)
    made = build.expr(
      E.index,
      w.start(constructed),
      w.end(types),
      scope,
      '',
      made,
      build.list(w.typesIn(types, scope)),
      R.type,
    );
  const list = w.child(node, FIELD.arguments);
  const row = w.expr(E.new, node, scope, '', made, build.argumentList(list === -1 ? [] : argumentRows(w, list, scope)));
  if (constructed !== -1 && w.kind(constructed) === K.identifier && w.textOf(constructed) === 'Function')
    build.undecidable(row);
  return row;
}

function template(w: Walk, node: number, scope: number): number {
  const stop = w.after(node);
  let plain = true;
  for (let c = node + 1; c < stop; c = w.after(c)) {
    if (w.kind(c) !== K.template_substitution) continue;
    plain = false;
    last(w, c, scope);
  }
  return plain ? stringRow(w, node, scope) : w.expr(E.literal, node, scope, 'str');
}

function array(w: Walk, node: number, scope: number): number {
  const rows: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.spread_element) rows.push(w.expr(E.element, c, scope, '', inner(w, c, scope)));
    else rows.push(w.visit(c, scope));
  }
  return w.list(node, scope, 'list', rows);
}

function operatorText(w: Walk, node: number): string {
  const operator = w.child(node, FIELD.operator);
  return operator === -1 ? '' : w.textOf(operator);
}

function binary(w: Walk, node: number, scope: number): number {
  const kind = w.kind(node);
  const spine = [node];
  for (let left = w.child(node, FIELD.left); left !== -1 && w.kind(left) === kind; left = w.child(left, FIELD.left))
    spine.push(left);
  let row = -1;
  for (let i = spine.length - 1; i >= 0; i--) {
    const level = spine[i] as number;
    const left = w.child(level, FIELD.left);
    row = binaryLevel(w, level, left, i === spine.length - 1 ? undefined : row, scope);
  }
  return row;
}

function binaryLevel(w: Walk, node: number, leftNode: number, walked: number | undefined, scope: number): number {
  const operator = operatorText(w, node);
  const rightNode = w.child(node, FIELD.right);
  if (operator === 'in' && leftNode !== -1 && w.kind(leftNode) === K.private_property_identifier) {
    const right = w.visit(rightNode, scope);
    w.memberRow(leftNode, right, scope);
    return w.expr(E.operator, node, scope, operator, -1, right);
  }
  const left = walked ?? w.visit(leftNode, scope);
  const rightScope =
    operator === '&&'
      ? narrowedScope(w, leftNode, scope, true)
      : operator === '||'
        ? narrowedScope(w, leftNode, scope, false)
        : scope;
  const right = w.visit(rightNode, rightScope);
  switch (operator) {
    case '&&':
      return w.union(node, scope, [right]);
    case '||':
    case '??':
      return w.union(node, scope, [left, right]);
    case 'instanceof':
      w.setHeadRole(right, R.type);
      w.state.instanceTests.set(node, right);
      break;
    default:
  }
  return w.expr(E.operator, node, scope, operator, left, right);
}

function unary(w: Walk, node: number, scope: number): number {
  const operand = w.visit(w.child(node, FIELD.argument), scope);
  return w.expr(E.operator, node, scope, operatorText(w, node), operand);
}

function update(w: Walk, node: number, scope: number): number {
  const operand = w.visit(w.child(node, FIELD.argument), scope);
  w.build.setRole(operand, R.update);
  return w.expr(E.operator, node, scope, operatorText(w, node), operand);
}

function assignment(w: Walk, node: number, scope: number): number {
  const { build } = w;
  let left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  while (left !== -1 && w.kind(left) === K.parenthesized_expression) left = w.first(left);
  if (left === -1) return walkParts(w, node, scope, R.read);
  if (commonJsExport(w, node, left, right, scope)) return -1;
  const put = putOnMember(w, node, left, right, scope);
  if (put !== undefined) return put;
  const value = right === -1 ? -1 : w.visit(right, scope);
  const kind = w.kind(left);
  const isDeclared = kind === K.identifier && declareAssigned(w, left, node, scope, value);
  if (!w.state.narrowedPaths.isEmpty) w.state.narrowedPaths.end(w.textOf(left), scope);
  if (isDeclared || (kind !== K.identifier && kind !== K.member_expression && kind !== K.subscript_expression)) {
    pattern(w, left, scope, value, undefined);
    return value;
  }
  const row = kind === K.identifier ? w.nameRow(left, scope, R.write) : w.visit(left, scope);
  build.setRole(row, R.write);
  if (value !== -1) w.expr(E.store, node, scope, '', row, value);
  if (kind === K.member_expression) noteThisAssignment(w, node, left, row, value);
  return value;
}

/** `this.x = v` in plain JavaScript may declare the field x. */
function noteThisAssignment(w: Walk, node: number, left: number, row: number, value: number): void {
  const collected = w.state.context.thisAssignments;
  const object = w.child(left, FIELD.object);
  const property = w.child(left, FIELD.property);
  if (collected === undefined || object === -1 || property === -1 || w.kind(object) !== K.this) return;
  const parent = w.tree.parent[node] as number;
  const statement = w.kind(parent) === K.expression_statement ? parent : node;
  collected.push({
    name: w.textOf(property),
    row,
    value,
    nameStart: w.start(property),
    start: w.start(statement),
    end: w.end(statement),
    inConstructor: w.state.context.inConstructor,
  });
}

function augmented(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const left = w.visit(w.child(node, FIELD.left), scope);
  build.setRole(left, R.update);
  const right = w.visit(w.child(node, FIELD.right), scope);
  const operator = operatorText(w, node);
  if (operator === '??=' || operator === '||=' || operator === '&&=') return w.union(node, scope, [left, right]);
  return w.expr(E.operator, node, scope, operator, left, right);
}

function ternary(w: Walk, node: number, scope: number): number {
  const condition = w.child(node, FIELD.condition);
  w.visit(condition, scope);
  const yes = w.visit(w.child(node, FIELD.consequence), narrowedScope(w, condition, scope, true));
  const no = w.visit(w.child(node, FIELD.alternative), narrowedScope(w, condition, scope, false));
  return w.union(
    node,
    scope,
    [yes, no].filter((row) => row !== -1),
  );
}

/**
 * `x as T`; `as const` and `satisfies` leave x what it is, the latter with a row beside it that says what it has to be.
 * The grammar takes `x satisfies a.B` for a member of `x satisfies a`: then `last` is the rest of the type.
 */
function asExpression(w: Walk, node: number, scope: number, last = -1): number {
  const value = w.first(node);
  if (value === -1) return -1;
  const row = w.visit(value, scope);
  for (let c = w.next(value); c !== -1; c = w.next(c)) {
    const type = w.type(c, scope);
    if (last !== -1) w.memberRow(last, type, scope, R.type);
    const isCast = w.kind(node) === K.as_expression;
    const cast = w.expr(E.cast, node, scope, isCast ? '' : SATISFIES, row, type);
    return isCast ? cast : row;
  }
  return row;
}

/** `<T>x`. */
function assertion(w: Walk, node: number, scope: number): number {
  const types = w.childOf(node, K.type_arguments);
  const type = types === -1 ? -1 : (w.typesIn(types, scope)[0] ?? -1);
  const stop = w.after(node);
  for (let c = types === -1 ? node + 1 : w.after(types); c < stop; c = w.after(c)) {
    if (w.isPart(c)) return w.expr(E.cast, node, scope, '', w.visit(c, scope), type);
  }
  return type;
}

/** `f<T>` as a value. */
function instantiation(w: Walk, node: number, scope: number): number {
  const value = w.first(node);
  const row = value === -1 ? -1 : w.visit(value, scope);
  const types = w.childOf(node, K.type_arguments);
  return types === -1 ? row : w.index(node, scope, row, w.typesIn(types, scope));
}

function awaitExpression(w: Walk, node: number, scope: number): number {
  return w.expr(E.await, node, scope, '', inner(w, node, scope));
}

function yieldExpression(w: Walk, node: number, scope: number): number {
  const row = inner(w, node, scope);
  if (row !== -1 && w.state.context.generator)
    w.state.context.results.push(!w.has(node, K['*']) ? row : w.expr(E.element, node, scope, '', row));
  return w.other(node, scope);
}

function functionValue(w: Walk, node: number, scope: number): number {
  return closure(w, node, scope);
}

/** A class expression: anonymous, or a class of its own name which only it sees. */
function classValue(w: Walk, node: number, scope: number): number {
  const name = w.child(node, FIELD.name);
  const decl = declareClass(w, node, {
    kind: name === -1 ? D.anonymousClass : D.class,
    name: name === -1 ? '' : w.textOf(name),
    nameStart: name === -1 ? -1 : w.start(name),
    start: w.start(node),
    end: w.end(node),
    flags: 0,
    scope: name === -1 ? scope : w.blockScope(scope),
    decorated: [node],
  });
  return w.expr(E.closure, node, scope, '', decl);
}

export const EXPRESSIONS: Table = {
  identifier,
  type_identifier: identifier,
  property_identifier: identifier,
  private_property_identifier: identifier,
  shorthand_property_identifier: identifier,
  shorthand_property_identifier_pattern: identifier,
  undefined: literal('null'),
  null: literal('null'),
  true: literal('bool'),
  false: literal('bool'),
  regex: literal('regex'),
  number,
  string: stringRow,
  template_string: template,
  this: (w, node, scope) => w.expr(E.this, node, scope),
  super: (w, node, scope) => w.expr(E.super, node, scope),
  meta_property: (w, node, scope) => w.other(node, scope),
  parenthesized_expression: last,
  sequence_expression: last,
  spread_element: (w, node, scope) => w.expr(E.element, node, scope, '', inner(w, node, scope)),
  non_null_expression: withPrefixes(asserted),
  member_expression: withPrefixes(member),
  subscript_expression: withPrefixes(subscript),
  call_expression: withPrefixes(call),
  new_expression: newExpression,
  array,
  binary_expression: binary,
  unary_expression: unary,
  update_expression: update,
  assignment_expression: assignment,
  augmented_assignment_expression: augmented,
  ternary_expression: ternary,
  as_expression: (w, node, scope) => asExpression(w, node, scope),
  satisfies_expression: (w, node, scope) => asExpression(w, node, scope),
  type_assertion: assertion,
  instantiation_expression: instantiation,
  await_expression: awaitExpression,
  yield_expression: yieldExpression,
  arrow_function: functionValue,
  function_expression: functionValue,
  function: functionValue,
  generator_function: functionValue,
  class: classValue,
};
