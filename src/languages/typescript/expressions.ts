/**
 * Expressions to rows.
 *
 * Parentheses, `!` and optional chaining vanish. `a && b` is worth b, `a || b` and
 * `a ?? b` one of both. An assignment is worth its right side. Left-deep chains of operators are
 * followed without recursion, since generated code nests them thousands deep.
 */
import { D, E, NARROWED, R, SATISFIES } from '../../syntax/summary.js';
import { declareClass, typeArguments } from './classes.js';
import { commonJsExport, dynamicImport, isDynamicImport, replacedModule } from './modules.js';
import { closure } from './functions.js';
import { isMemberText } from './names.js';
import { narrowedScope } from './narrowing.js';
import { declareAssigned, pattern } from './patterns.js';
import { stringRow, stringText } from './strings.js';
import { walkParts, type Handler, type Walk } from './walk.js';
import type { NewArgument } from '../../syntax/summary-builder.js';

const literal =
  (name: string): Handler =>
  (w, node, scope) =>
    w.build.expr(E.literal, w.start(node), w.end(node), scope, name);
const identifier: Handler = (w, node, scope) => w.name(node, scope);

function number(w: Walk, node: number, scope: number): number {
  const text = w.textOf(node);
  return w.build.expr(
    E.literal,
    w.start(node),
    w.end(node),
    scope,
    /^(?:\d+|0[xob][\da-f_]+)n?$/i.test(text) ? 'int' : 'float',
  );
}

function inner(w: Walk, node: number, scope: number): number {
  const part = w.part(node);
  return part === -1 ? -1 : w.expression(part, scope);
}

/** `(x)`, and `(x, y)` which is worth y. */
function last(w: Walk, node: number, scope: number): number {
  const stop = w.skip(node);
  let row = -1;
  for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) row = w.expression(c, scope);
  return row;
}

/** `a.b`. `A.prototype` is an object of A, which a cast says. */
function member(w: Walk, node: number, scope: number): number {
  const objectNode = w.child(node, w.f.object);
  const property = w.child(node, w.f.property);
  if (objectNode !== -1 && property !== -1 && w.kind(objectNode) === 'satisfies_expression')
    return asExpression(w, objectNode, scope, property);
  const object = objectNode === -1 ? -1 : narrowedObject(w, objectNode, w.expression(objectNode, scope), scope);
  if (property === -1) return object;
  const row = w.member(property, object, scope);
  return w.build.exprName(row) === 'prototype'
    ? w.build.expr(E.cast, w.start(node), w.end(node), scope, '', row, object)
    : row;
}

/** A name or path that a test before narrows is cast to what the test says. */
function narrowedObject(w: Walk, node: number, row: number, scope: number): number {
  const type =
    w.narrowedPaths.isEmpty || (w.kind(node) !== 'member_expression' && w.kind(node) !== 'identifier')
      ? -1
      : w.narrowedPaths.typeOf(w.textOf(node), scope);
  return type === -1 ? row : w.build.expr(E.cast, w.start(node), w.end(node), scope, NARROWED, row, type);
}

/** `a[b]`; with a literal name it is the member of that name. */
function subscript(w: Walk, node: number, scope: number): number {
  const { build, f } = w;
  const object = w.expression(w.child(node, f.object), scope);
  const index = w.child(node, f.index);
  if (index === -1) return object;
  if (w.kind(index) === 'string') {
    const name = stringText(w, index);
    const start = w.start(index) + 1;
    if (isMemberText(name)) return build.expr(E.member, start, start + name.length, scope, name, object);
  }
  const row = w.expression(index, scope);
  return build.expr(E.index, w.start(node), w.end(node), scope, '', object, build.list([row]));
}

function call(w: Walk, node: number, scope: number): number {
  const { build, f } = w;
  if (isDynamicImport(w, node)) return dynamicImport(w, node, scope);
  replacedModule(w, node);
  const calleeNode = w.child(node, f.function);
  const callee = calleeNode === -1 ? -1 : w.expression(calleeNode, scope);
  w.setHeadRole(callee, R.callee);
  const types = w.child(node, f.type_arguments);
  const typeRows = types === -1 ? [] : typeArguments(w, types, scope);
  const list = w.child(node, f.arguments);
  const args =
    list === -1
      ? []
      : w.kind(list) === 'template_string'
        ? templateArguments(w, list, scope)
        : argumentRows(w, list, scope);
  const row = build.expr(E.call, w.start(node), w.end(node), scope, '', callee, build.argumentList(args, typeRows));
  if (calleeNode !== -1 && w.kind(calleeNode) === 'identifier') {
    const name = w.textOf(calleeNode);
    if (name === 'eval' || name === 'Function') build.undecidable(row);
  }
  return row;
}

export function argumentRows(w: Walk, list: number, scope: number): NewArgument[] {
  const args: NewArgument[] = [];
  const stop = w.skip(list);
  for (let c = list + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    if (w.kind(c) === 'spread_element') args.push({ expr: inner(w, c, scope), spread: 'list', start: w.start(c) });
    else args.push({ expr: w.expression(c, scope), start: w.start(c) });
  }
  return args;
}

/** A tag is called with the texts and then the substitutions. */
function templateArguments(w: Walk, node: number, scope: number): NewArgument[] {
  const args: NewArgument[] = [
    { expr: w.build.expr(E.list, w.start(node), w.end(node), scope, 'list'), start: w.start(node) },
  ];
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (w.kind(c) === 'template_substitution') args.push({ expr: last(w, c, scope), start: w.start(c) });
  }
  return args;
}

function newExpression(w: Walk, node: number, scope: number): number {
  const { build, f } = w;
  const constructed = w.child(node, f.constructor);
  let made = constructed === -1 ? -1 : w.expression(constructed, scope);
  w.setHeadRole(made, R.newCallee);
  const types = w.child(node, f.type_arguments);
  if (types !== -1)
    made = build.expr(
      E.index,
      w.start(constructed),
      w.end(types),
      scope,
      '',
      made,
      build.list(typeArguments(w, types, scope)),
      R.type,
    );
  const list = w.child(node, f.arguments);
  const row = build.expr(
    E.new,
    w.start(node),
    w.end(node),
    scope,
    '',
    made,
    build.argumentList(list === -1 ? [] : argumentRows(w, list, scope)),
  );
  if (constructed !== -1 && w.kind(constructed) === 'identifier' && w.textOf(constructed) === 'Function')
    build.undecidable(row);
  return row;
}

function template(w: Walk, node: number, scope: number): number {
  const stop = w.skip(node);
  let plain = true;
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (w.kind(c) !== 'template_substitution') continue;
    plain = false;
    last(w, c, scope);
  }
  return plain ? stringRow(w, node, scope) : w.build.expr(E.literal, w.start(node), w.end(node), scope, 'str');
}

function array(w: Walk, node: number, scope: number): number {
  const rows: number[] = [];
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    if (w.kind(c) === 'spread_element')
      rows.push(w.build.expr(E.element, w.start(c), w.end(c), scope, '', inner(w, c, scope)));
    else rows.push(w.expression(c, scope));
  }
  return w.build.expr(E.list, w.start(node), w.end(node), scope, 'list', -1, w.build.list(rows));
}

function operatorText(w: Walk, node: number): string {
  const operator = w.child(node, w.f.operator);
  return operator === -1 ? '' : w.textOf(operator);
}

function binary(w: Walk, node: number, scope: number): number {
  const { f } = w;
  const kind = w.tree.kind[node];
  const spine = [node];
  for (let left = w.child(node, f.left); left !== -1 && w.tree.kind[left] === kind; left = w.child(left, f.left))
    spine.push(left);
  let row = -1;
  for (let i = spine.length - 1; i >= 0; i--) {
    const level = spine[i] as number;
    const left = w.child(level, f.left);
    row = binaryLevel(w, level, left, i === spine.length - 1 ? undefined : row, scope);
  }
  return row;
}

function binaryLevel(w: Walk, node: number, leftNode: number, walked: number | undefined, scope: number): number {
  const { build, f } = w;
  const operator = operatorText(w, node);
  const rightNode = w.child(node, f.right);
  if (operator === 'in' && leftNode !== -1 && w.kind(leftNode) === 'private_property_identifier') {
    const right = w.expression(rightNode, scope);
    w.member(leftNode, right, scope);
    return build.expr(E.operator, w.start(node), w.end(node), scope, operator, -1, right);
  }
  const left = walked ?? w.expression(leftNode, scope);
  const rightScope =
    operator === '&&'
      ? narrowedScope(w, leftNode, scope, true)
      : operator === '||'
        ? narrowedScope(w, leftNode, scope, false)
        : scope;
  const right = w.expression(rightNode, rightScope);
  switch (operator) {
    case '&&':
      return build.expr(E.union, w.start(node), w.end(node), scope, '', -1, build.list([right]));
    case '||':
    case '??':
      return build.expr(E.union, w.start(node), w.end(node), scope, '', -1, build.list([left, right]));
    case 'instanceof':
      w.setHeadRole(right, R.type);
      w.instanceTests.set(node, right);
      break;
    default:
  }
  return build.expr(E.operator, w.start(node), w.end(node), scope, operator, left, right);
}

function unary(w: Walk, node: number, scope: number): number {
  const operand = w.expression(w.child(node, w.f.argument), scope);
  return w.build.expr(E.operator, w.start(node), w.end(node), scope, operatorText(w, node), operand);
}

function update(w: Walk, node: number, scope: number): number {
  const operand = w.expression(w.child(node, w.f.argument), scope);
  w.build.setRole(operand, R.update);
  return w.build.expr(E.operator, w.start(node), w.end(node), scope, operatorText(w, node), operand);
}

function assignment(w: Walk, node: number, scope: number): number {
  const { build, f } = w;
  let left = w.child(node, f.left);
  const right = w.child(node, f.right);
  while (left !== -1 && w.kind(left) === 'parenthesized_expression') left = w.part(left);
  if (left === -1) return walkParts(w, node, scope);
  if (commonJsExport(w, node, left, right, scope)) return -1;
  const value = right === -1 ? -1 : w.expression(right, scope);
  const kind = w.kind(left);
  if (kind === 'identifier') declareAssigned(w, left, node, scope, value);
  if (!w.narrowedPaths.isEmpty) w.narrowedPaths.end(w.textOf(left), scope);
  if (kind !== 'member_expression') {
    pattern(w, left, scope, value, undefined);
    return value;
  }
  const row = w.expression(left, scope);
  build.setRole(row, R.write);
  if (value !== -1) build.expr(E.store, w.start(node), w.end(node), scope, '', row, value);
  noteThisAssignment(w, node, left, row, value);
  return value;
}

/** `this.x = v` in plain JavaScript may declare the field x. */
function noteThisAssignment(w: Walk, node: number, left: number, row: number, value: number): void {
  const collected = w.context.thisAssignments;
  const object = w.child(left, w.f.object);
  const property = w.child(left, w.f.property);
  if (collected === undefined || object === -1 || property === -1 || w.kind(object) !== 'this') return;
  const parent = w.tree.parent[node] as number;
  const statement = w.kind(parent) === 'expression_statement' ? parent : node;
  collected.push({
    name: w.textOf(property),
    row,
    value,
    nameStart: w.start(property),
    start: w.start(statement),
    end: w.end(statement),
    inConstructor: w.context.inConstructor,
  });
}

function augmented(w: Walk, node: number, scope: number): number {
  const { build, f } = w;
  const left = w.expression(w.child(node, f.left), scope);
  build.setRole(left, R.update);
  const right = w.expression(w.child(node, f.right), scope);
  const operator = operatorText(w, node);
  if (operator === '??=' || operator === '||=' || operator === '&&=')
    return build.expr(E.union, w.start(node), w.end(node), scope, '', -1, build.list([left, right]));
  return build.expr(E.operator, w.start(node), w.end(node), scope, operator, left, right);
}

function ternary(w: Walk, node: number, scope: number): number {
  const { build, f } = w;
  const condition = w.child(node, f.condition);
  w.expression(condition, scope);
  const yes = w.expression(w.child(node, f.consequence), narrowedScope(w, condition, scope, true));
  const no = w.expression(w.child(node, f.alternative), narrowedScope(w, condition, scope, false));
  return build.expr(
    E.union,
    w.start(node),
    w.end(node),
    scope,
    '',
    -1,
    build.list([yes, no].filter((row) => row !== -1)),
  );
}

/**
 * `x as T`; `as const` and `satisfies` leave x what it is, the latter with a row beside it that says what it has to be. The grammar takes `x satisfies a.B` for
 * a member of `x satisfies a`: then `last` is the rest of the type.
 */
function asExpression(w: Walk, node: number, scope: number, last = -1): number {
  const value = w.part(node);
  if (value === -1) return -1;
  const row = w.expression(value, scope);
  const stop = w.skip(node);
  for (let c = w.skip(value); c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    const type = w.type(c, scope);
    if (last !== -1) w.member(last, type, scope, R.type);
    const isCast = w.kind(node) === 'as_expression';
    const cast = w.build.expr(E.cast, w.start(node), w.end(node), scope, isCast ? '' : SATISFIES, row, type);
    return isCast ? cast : row;
  }
  return row;
}

/** `<T>x`. */
function assertion(w: Walk, node: number, scope: number): number {
  const types = w.childOf(node, 'type_arguments');
  const type = types === -1 ? -1 : (typeArguments(w, types, scope)[0] ?? -1);
  const stop = w.skip(node);
  for (let c = types === -1 ? node + 1 : w.skip(types); c < stop; c = w.skip(c)) {
    if (w.isPart(c)) return w.build.expr(E.cast, w.start(node), w.end(node), scope, '', w.expression(c, scope), type);
  }
  return type;
}

/** `f<T>` as a value. */
function instantiation(w: Walk, node: number, scope: number): number {
  const value = w.part(node);
  const row = value === -1 ? -1 : w.expression(value, scope);
  const types = w.childOf(node, 'type_arguments');
  return types === -1
    ? row
    : w.build.expr(E.index, w.start(node), w.end(node), scope, '', row, w.build.list(typeArguments(w, types, scope)));
}

function awaitExpression(w: Walk, node: number, scope: number): number {
  return w.build.expr(E.await, w.start(node), w.end(node), scope, '', inner(w, node, scope));
}

function yieldExpression(w: Walk, node: number, scope: number): number {
  const row = inner(w, node, scope);
  if (row !== -1 && w.context.generator)
    w.context.results.push(
      w.childOf(node, '*') === -1 ? row : w.build.expr(E.element, w.start(node), w.end(node), scope, '', row),
    );
  return w.other(node, scope);
}

function functionValue(w: Walk, node: number, scope: number): number {
  return closure(w, node, scope);
}

/** A class expression: anonymous, or a class of its own name which only it sees. */
function classValue(w: Walk, node: number, scope: number): number {
  const name = w.child(node, w.f.name);
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
  return w.build.expr(E.closure, w.start(node), w.end(node), scope, '', decl);
}

export const EXPRESSION_HANDLERS: Readonly<Record<string, Handler>> = {
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
  this: (w, node, scope) => w.build.expr(E.this, w.start(node), w.end(node), scope),
  super: (w, node, scope) => w.build.expr(E.super, w.start(node), w.end(node), scope),
  meta_property: (w, node, scope) => w.other(node, scope),
  parenthesized_expression: last,
  sequence_expression: last,
  spread_element: (w, node, scope) =>
    w.build.expr(E.element, w.start(node), w.end(node), scope, '', inner(w, node, scope)),
  non_null_expression: inner,
  member_expression: member,
  subscript_expression: subscript,
  call_expression: call,
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
