/**
 * Expressions: names, members, calls, creation, operators.
 *
 * Parentheses, `!`, `?.`, `ref`, `checked` and pointers vanish. The type arguments of a called
 * method are rows of their own; the callee stays the name or member row, so that a call looks the
 * same with and without them.
 */
import { D, E, R, S } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { aimNew, lambda } from './functions.js';
import { FIELD, K } from './kinds.js';
import { bindParts, pattern, takenApart } from './patterns.js';
import { typeArguments } from './types.js';
import type { Handler, Table, Walk } from './walk.js';

/** Reflection that finds members or types by a string or a run-time value. */
const REFLECTION = new Set([
  'GetMethod',
  'GetProperty',
  'GetField',
  'GetMember',
  'GetEvent',
  'GetConstructor',
  'GetNestedType',
  'GetInterface',
  'GetRuntimeMethod',
  'GetRuntimeProperty',
  'GetRuntimeField',
  'GetDeclaredMethod',
  'GetDeclaredProperty',
  'GetDeclaredField',
  'InvokeMember',
  'CreateInstance',
  'DynamicInvoke',
  'CreateDelegate',
  'GetUninitializedObject',
]);
/** Members whose `out` argument is what indexing the receiver gives, and those whose it is an element of it. */
const OUT_BY_KEY = new Set(['TryGetValue', 'TryRemove']);
const OUT_ELEMENT = new Set(['TryPeek', 'TryDequeue', 'TryPop', 'TryTake', 'TryGetTarget']);

const identifier: Handler = (w, node, scope) => w.nameRow(node, scope, R.read);

const thisExpression: Handler = (w, node, scope) => w.expr(E.this, node, scope);
const baseExpression: Handler = (w, node, scope) => w.expr(E.super, node, scope);

const type: Handler = (w, node, scope) => w.type(node, scope);
const genericName: Handler = (w, node, scope) => w.type(node, scope, R.read);
const predefinedType: Handler = (w, node, scope) => w.type(node, scope, R.read);

/** `a.name`; type arguments of a callee go to `called`, not into the row. */
function memberAccess(w: Walk, node: number, scope: number, called: number[] | undefined): number {
  const base = w.value(w.child(node, FIELD.expression), scope);
  return memberOf(w, w.child(node, FIELD.name), base, scope, called);
}

function memberOf(w: Walk, name: number, base: number, scope: number, called: number[] | undefined): number {
  if (name === -1) return base;
  if (w.kind(name) !== K.generic_name) return w.memberRow(name, base, scope, R.read);
  const identifierNode = w.childOf(name, K.identifier);
  const member = identifierNode === -1 ? base : w.memberRow(identifierNode, base, scope, R.read);
  const args = typeArguments(w, name, scope);
  called?.push(...args);
  return called !== undefined || args.length === 0 ? member : w.index(name, scope, member, args);
}

const memberExpression: Handler = (w, node, scope) => memberAccess(w, node, scope, undefined);

/** `a?.b` and `a?[i]`: the binding behind the `?` is a child of its own. */
function conditionalAccess(w: Walk, node: number, scope: number, called: number[] | undefined): number {
  const base = w.value(w.child(node, FIELD.condition), scope);
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const tag = w.kind(c);
    if (tag === K.member_binding_expression) return memberOf(w, w.child(c, FIELD.name), base, scope, called);
    if (tag === K.element_binding_expression) return w.index(node, scope, base, argumentValues(w, c, scope));
  }
  return base;
}

const conditionalExpressionAccess: Handler = (w, node, scope) => conditionalAccess(w, node, scope, undefined);

/** The callee of a call: a name or member row, its type arguments in `types`; or any value. */
function calleeRow(w: Walk, node: number, scope: number, types: number[]): number {
  switch (w.kind(node)) {
    case K.member_access_expression:
      return memberAccess(w, node, scope, types);
    case K.conditional_access_expression:
      return conditionalAccess(w, node, scope, types);
    case K.generic_name: {
      const name = w.childOf(node, K.identifier);
      const row = name === -1 ? -1 : w.nameRow(name, scope, R.read);
      types.push(...typeArguments(w, node, scope));
      return row;
    }
    default:
      return w.value(node, scope);
  }
}

const call: Handler = (w, node, scope) => {
  const { build } = w;
  const callee = w.child(node, FIELD.function);
  const list = w.child(node, FIELD.arguments);
  if (callee === -1) return w.lastOf(node, scope);
  // `x is var (a, b)` and `x is A(p, q)` come from the grammar as calls of `x is var` and `x is A`.
  if (w.kind(callee) === K.is_expression && w.kind(w.child(callee, FIELD.right)) === K.implicit_type) {
    const subject = w.value(w.child(callee, FIELD.left), scope);
    bindParts(w, list, subject, scope);
    return w.other(node, scope);
  }
  const matched = w.child(callee, FIELD.pattern);
  if (w.kind(callee) === K.is_pattern_expression && matched !== -1 && w.kind(matched) === K.constant_pattern) {
    const subject = w.value(w.child(callee, FIELD.expression), scope);
    takenApart(w, w.first(matched), list, subject, scope, R.type);
    return w.expr(E.literal, node, scope, 'bool');
  }
  const types: number[] = [];
  const row = calleeRow(w, callee, scope, types);
  build.setRole(row, R.callee);
  const args = list === -1 ? build.argumentList([], types) : argumentsRow(w, list, scope, row, types);
  const result = w.expr(E.call, node, scope, '', row, args);
  if (row >= 0 && build.exprOp(row) === E.member) {
    const name = build.exprName(row);
    if (REFLECTION.has(name) || (name === 'GetType' && list !== -1 && w.first(list) !== -1)) build.undecidable(result);
  }
  return result;
};

/** The arguments of a call as an argument list. `callee` tells what `out var` arguments of well-known members hold. */
export function argumentsRow(w: Walk, list: number, scope: number, callee = -1, types: readonly number[] = []): number {
  const args: NewArgument[] = [];
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.argument) {
      w.visit(c, scope);
      continue;
    }
    const keyword = w.child(c, FIELD.name);
    const value = w.last(c);
    if (value === -1) continue;
    const expr =
      w.kind(value) === K.declaration_expression
        ? outDeclaration(w, value, scope, callee, args)
        : argumentValue(w, c, value, scope);
    args.push(
      keyword === -1 || keyword === value
        ? { expr, start: w.start(c) }
        : { expr, keyword: w.nameOf(keyword), start: w.start(c) },
    );
  }
  return w.build.argumentList(args, types);
}

/** `out x` writes x, `ref x` reads and writes it. */
function argumentValue(w: Walk, argument: number, value: number, scope: number): number {
  const row = w.value(value, scope);
  for (let c = w.firstChild(argument); c !== -1 && c < value; c = w.nextChild(c)) {
    if (w.kind(c) === K.out) w.build.setRole(row, R.write);
    else if (w.kind(c) === K.ref) w.build.setRole(row, R.update);
  }
  return row;
}

function outDeclaration(w: Walk, node: number, scope: number, callee: number, before: readonly NewArgument[]): number {
  const { build } = w;
  const row = w.other(node, scope);
  const name = w.child(node, FIELD.name);
  const declared = w.type(w.child(node, FIELD.type), scope);
  if (name === -1) return row;
  let value = -1;
  if (declared === -1 && callee !== -1 && build.exprOp(callee) === E.member) {
    const member = build.exprName(callee);
    const receiver = build.exprA(callee);
    const key = before[0];
    if (OUT_BY_KEY.has(member) && key !== undefined) value = w.index(node, scope, receiver, [key.expr]);
    else if (OUT_ELEMENT.has(member)) value = w.expr(E.element, node, scope, '', receiver);
  }
  w.local(name, node, scope, declared, value);
  return row;
}

/** `int x` as an expression: in a deconstruction or where broken code leaves it. */
const declarationExpression: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  const declared = w.type(w.child(node, FIELD.type), scope);
  if (name !== -1) w.local(name, node, scope, declared, -1);
  return w.other(node, scope);
};

/** Values of bracketed arguments or of a tuple's parts. */
export function argumentValues(w: Walk, list: number, scope: number): number[] {
  const rows: number[] = [];
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const row = w.value(w.kind(c) === K.argument ? w.last(c) : c, scope);
    if (row >= 0) rows.push(row);
  }
  return rows;
}

const elementAccess: Handler = (w, node, scope) => {
  const base = w.value(w.child(node, FIELD.expression), scope);
  const subscript = w.child(node, FIELD.subscript);
  return w.index(node, scope, base, subscript === -1 ? [] : argumentValues(w, subscript, scope));
};

/** `new A(x) { … }`; the grammar reads `new A[n] { … }` as this, too. */
const creation: Handler = (w, node, scope, role) => {
  const { build } = w;
  const typeNode = w.child(node, FIELD.type);
  if (typeNode !== -1 && w.kind(typeNode) === K.array_type) return arrayCreation(w, node, scope, role);
  const made = w.type(typeNode, scope, R.newCallee);
  const list = w.childOf(node, K.argument_list);
  const args = list === -1 ? build.argumentList([]) : argumentsRow(w, list, scope);
  const row = w.expr(E.new, node, scope, '', made, args);
  const initializer = w.childOf(node, K.initializer_expression);
  if (initializer !== -1) initializers(w, initializer, row, scope);
  return row;
};

/** `new(x) { … }`: the type is the one that the context gives. */
const implicitCreation: Handler = (w, node, scope) => {
  const { build } = w;
  const list = w.childOf(node, K.argument_list);
  const args = list === -1 ? build.argumentList([]) : argumentsRow(w, list, scope);
  const row = w.expr(E.new, node, scope, '', w.state.targets.get(node) ?? -1, args);
  const initializer = w.childOf(node, K.initializer_expression);
  if (initializer !== -1) initializers(w, initializer, row, scope);
  return row;
};

/** `{ X = 1, ["k"] = v, Y = { … }, element }` behind a creation, whose row is `made`. */
function initializers(w: Walk, node: number, made: number, scope: number): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.assignment_expression) {
      w.value(c, scope);
      continue;
    }
    const left = w.child(c, FIELD.left);
    const right = w.child(c, FIELD.right);
    const member = initialized(w, left, made, scope);
    if (right !== -1 && w.kind(right) === K.initializer_expression) initializers(w, right, member, scope);
    else w.value(right, scope);
  }
}

function initialized(w: Walk, left: number, made: number, scope: number): number {
  if (left === -1) return made;
  switch (w.kind(left)) {
    case K.identifier:
      return w.keyRow(left, made, scope, R.write);
    case K.element_binding_expression:
      return w.index(left, scope, made, argumentValues(w, left, scope), R.write);
    default:
      return w.value(left, scope);
  }
}

/** `a with { X = 1 }` is a value of the type of `a`. */
const withExpression: Handler = (w, node, scope) => {
  let made = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.with_initializer) {
      made = w.value(c, scope);
      continue;
    }
    const name = w.childOf(c, K.identifier);
    const value = w.last(c);
    if (name !== -1) w.keyRow(name, made, scope, R.write);
    if (value !== name) w.value(value, scope);
  }
  return made;
};

/** Arrays made with a type are a list that is cast to it. */
const arrayCreation: Handler = (w, node, scope) => {
  const made = w.type(w.child(node, FIELD.type), scope);
  const initializer = w.childOf(node, K.initializer_expression);
  if (made !== -1 && initializer !== -1) {
    for (let c = w.firstChild(initializer); c !== -1; c = w.nextChild(c)) aimNew(w, c, w.build.exprA(made));
  }
  const list = initializer === -1 ? w.expr(E.list, node, scope, 'list') : w.value(initializer, scope);
  return made === -1 ? list : w.expr(E.cast, node, scope, '', list, made);
};

const implicitArray: Handler = (w, node, scope) => w.visit(w.childOf(node, K.initializer_expression), scope);

/** `{ a, b }` of an array or collection. */
const listOfValues: Handler = (w, node, scope) => w.list(node, scope, 'list', argumentValues(w, node, scope));

const collection: Handler = (w, node, scope) => {
  const rows: number[] = [];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const row = w.isPart(c) ? w.lastOf(c, scope) : -1;
    if (row >= 0) rows.push(row);
  }
  return w.list(node, scope, 'list', rows);
};

const spread: Handler = (w, node, scope) => w.expr(E.element, node, scope, '', w.value(w.first(node), scope));

/**
 * `new { X = 1, y.Z }`: members are locals of the anonymous class, named after the last part where no name is written.
 */
const anonymousObject: Handler = (w, node, scope) => {
  const { build } = w;
  const parent = build.scopeBlock(scope);
  const decl = w.declare(D.anonymousClass, -1, node, scope);
  const inner = build.scope(S.class, scope, decl, parent);
  build.set(decl, 'inner', inner);
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const equals = w.kind(c) === K.identifier ? w.nextChild(c) : -1;
    if (equals !== -1 && w.text[w.start(equals)] === '=') {
      const value = w.nextChild(equals);
      w.local(c, c, inner, -1, w.value(value, scope));
      if (value !== -1) c = value;
      continue;
    }
    const value = w.value(c, scope);
    const op = value === -1 ? E.other : build.exprOp(value);
    if (op !== E.name && op !== E.member) continue;
    w.declare(D.local, -1, c, inner, { name: build.exprName(value), value });
  }
  return w.expr(E.closure, node, scope, '', decl);
};

const assignment: Handler = (w, node, scope) => {
  const { build } = w;
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  const symbol = w.child(node, FIELD.operator);
  const operator = symbol === -1 ? '=' : w.textOf(symbol);
  if (left !== -1 && operator === '=' && w.kind(left) === K.tuple_expression) {
    const value = w.value(right, scope);
    bindParts(w, left, value, scope);
    return value;
  }
  const target = w.value(left, scope);
  build.setRole(target, operator === '=' ? R.write : R.update);
  if (operator === '=' || operator === '??=') aimNew(w, right, target);
  const value = w.value(right, scope);
  if (operator === '=') {
    if (target >= 0 && value >= 0) w.expr(E.store, node, scope, '', target, value);
    return value;
  }
  if (operator === '??=')
    return w.union(
      node,
      scope,
      [target, value].filter((row) => row >= 0),
    );
  return w.expr(E.operator, node, scope, operator, target, value);
};

/** Chains of operators lean to the left and may be thousands long, so they are walked without recursion. */
const binary: Handler = (w, node, scope) => {
  const chain: number[] = [];
  let left = node;
  while (left !== -1 && w.kind(left) === K.binary_expression) {
    chain.push(left);
    left = w.child(left, FIELD.left);
  }
  let row = w.value(left, scope);
  for (let i = chain.length - 1; i >= 0; i--) {
    const at = chain[i] as number;
    const symbol = w.child(at, FIELD.operator);
    const operator = symbol === -1 ? '' : w.textOf(symbol);
    const right = w.value(w.child(at, FIELD.right), scope);
    row = operator === '??' ? union(w, at, scope, [row, right]) : w.expr(E.operator, at, scope, operator, row, right);
  }
  return row;
};

function union(w: Walk, node: number, scope: number, rows: readonly number[]): number {
  return w.union(
    node,
    scope,
    rows.filter((row) => row >= 0 && w.build.exprOp(row) !== E.other),
  );
}

const prefix: Handler = (w, node, scope) => {
  const operand = w.value(w.first(node), scope);
  const symbol = w.firstChild(node);
  const operator = symbol === -1 ? '' : w.textOf(symbol);
  if (operator === '&' || operator === '*') return operand;
  if (operator === '++' || operator === '--') w.build.setRole(operand, R.update);
  return w.expr(E.operator, node, scope, operator, operand);
};

const postfix: Handler = (w, node, scope) => {
  const operand = w.value(w.first(node), scope);
  const operator = w.text.slice(w.end(node) - 2, w.end(node));
  if (operator !== '++' && operator !== '--') return operand;
  w.build.setRole(operand, R.update);
  return w.expr(E.operator, node, scope, operator, operand);
};

const conditional: Handler = (w, node, scope) => {
  w.visit(w.child(node, FIELD.condition), scope);
  const yes = w.value(w.child(node, FIELD.consequence), scope);
  return union(w, node, scope, [yes, w.value(w.child(node, FIELD.alternative), scope)]);
};

const cast: Handler = (w, node, scope) => {
  const to = w.type(w.child(node, FIELD.type), scope);
  const value = w.value(w.child(node, FIELD.value), scope);
  return to === -1 ? value : w.expr(E.cast, node, scope, '', value, to);
};

const asExpression: Handler = (w, node, scope) => {
  const value = w.value(w.child(node, FIELD.left), scope);
  const to = w.type(w.child(node, FIELD.right), scope);
  return to === -1 ? value : w.expr(E.cast, node, scope, '', value, to);
};

const isExpression: Handler = (w, node, scope) => {
  w.visit(w.child(node, FIELD.left), scope);
  w.type(w.child(node, FIELD.right), scope);
  return w.expr(E.literal, node, scope, 'bool');
};

const isPattern: Handler = (w, node, scope) => {
  const subject = w.value(w.child(node, FIELD.expression), scope);
  pattern(w, w.child(node, FIELD.pattern), subject, scope, R.type);
  return w.expr(E.literal, node, scope, 'bool');
};

const switchExpression: Handler = (w, node, scope) => {
  const rows: number[] = [];
  let subject = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.switch_expression_arm) {
      subject = w.value(c, scope);
      continue;
    }
    const arm = w.blockScope(scope);
    const matched = w.first(c);
    const result = w.last(c);
    pattern(w, matched, subject, arm, R.read);
    w.visit(w.childOf(c, K.when_clause), arm);
    if (result !== matched) rows.push(w.value(result, arm));
  }
  return union(w, node, scope, rows);
};

const awaitExpression: Handler = (w, node, scope) => w.expr(E.await, node, scope, '', w.value(w.first(node), scope));

const throwExpression: Handler = (w, node, scope) => {
  w.lastOf(node, scope);
  return w.other(node, scope);
};

/** `default(T)` is null cast to T. */
const defaultExpression: Handler = (w, node, scope) => {
  const to = w.type(w.child(node, FIELD.type), scope);
  const value = w.expr(E.literal, node, scope, 'null');
  return to === -1 ? value : w.expr(E.cast, node, scope, '', value, to);
};

const sizeOf: Handler = (w, node, scope) => {
  w.type(w.child(node, FIELD.type), scope);
  return w.expr(E.literal, node, scope, 'int');
};

const typeOf: Handler = (w, node, scope) =>
  w.expr(E.classOf, node, scope, '', w.type(w.child(node, FIELD.type), scope));

/** Parentheses and the like: the value inside. */
const transparent: Handler = (w, node, scope) => {
  const row = w.lastOf(node, scope);
  return row >= 0 ? row : w.other(node, scope);
};

const range: Handler = (w, node, scope) => {
  w.lastOf(node, scope);
  return w.other(node, scope);
};

const tuple: Handler = (w, node, scope) => w.list(node, scope, 'tuple', argumentValues(w, node, scope));

const interpolated: Handler = (w, node, scope) => {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) if (w.kind(c) === K.interpolation) w.lastOf(c, scope);
  return w.expr(E.literal, node, scope, 'str');
};

function literal(name: string): Handler {
  return (w, node, scope) => w.expr(E.literal, node, scope, name);
}

const integer: Handler = (w, node, scope) => {
  const [, suffix = ''] = /([uUlL]*)$/.exec(w.textOf(node)) ?? [];
  const isLong = /l/i.test(suffix);
  return w.expr(E.literal, node, scope, /u/i.test(suffix) ? (isLong ? 'ulong' : 'uint') : isLong ? 'long' : 'int');
};

const REALS: Readonly<Record<string, string>> = { f: 'float', m: 'decimal' };
const real: Handler = (w, node, scope) =>
  w.expr(E.literal, node, scope, REALS[w.textOf(node).slice(-1).toLowerCase()] ?? 'double');

/** Length of the longest string that can name something. */
const NAMING_MAX = 80;
const DOTTED = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** A string whose text is an identifier or dotted path is a `string` row. */
const stringLiteral: Handler = (w, node, scope) => {
  const { text } = w;
  let start = w.start(node);
  while (start < w.end(node) && text[start] !== '"') start++;
  while (text[start] === '"') start++;
  let end = text.indexOf('"', start);
  if (end < 0 || end > w.end(node)) end = w.end(node);
  if (end > start && end - start <= NAMING_MAX) {
    const content = text.slice(start, end);
    if (DOTTED.test(content)) {
      const last = start + content.lastIndexOf('.') + 1;
      return w.build.expr(E.string, last, end, scope, text.slice(last, end));
    }
  }
  return w.expr(E.literal, node, scope, 'str');
};

export const EXPRESSIONS: Table = {
  identifier,
  implicit_parameter: identifier,
  this: thisExpression,
  base: baseExpression,
  generic_name: genericName,
  predefined_type: predefinedType,
  qualified_name: type,
  alias_qualified_name: type,
  nullable_type: type,
  array_type: type,
  pointer_type: type,
  ref_type: type,
  scoped_type: type,
  tuple_type: type,
  function_pointer_type: type,
  implicit_type: type,
  member_access_expression: memberExpression,
  conditional_access_expression: conditionalExpressionAccess,
  invocation_expression: call,
  declaration_expression: declarationExpression,
  element_access_expression: elementAccess,
  element_binding_expression: listOfValues,
  object_creation_expression: creation,
  implicit_object_creation_expression: implicitCreation,
  with_expression: withExpression,
  array_creation_expression: arrayCreation,
  stackalloc_expression: arrayCreation,
  implicit_array_creation_expression: implicitArray,
  implicit_stackalloc_expression: implicitArray,
  initializer_expression: listOfValues,
  collection_expression: collection,
  spread_element: spread,
  anonymous_object_creation_expression: anonymousObject,
  assignment_expression: assignment,
  binary_expression: binary,
  prefix_unary_expression: prefix,
  postfix_unary_expression: postfix,
  conditional_expression: conditional,
  cast_expression: cast,
  refvalue_expression: cast,
  as_expression: asExpression,
  is_expression: isExpression,
  is_pattern_expression: isPattern,
  switch_expression: switchExpression,
  await_expression: awaitExpression,
  throw_expression: throwExpression,
  default_expression: defaultExpression,
  sizeof_expression: sizeOf,
  typeof_expression: typeOf,
  parenthesized_expression: transparent,
  checked_expression: transparent,
  ref_expression: transparent,
  range_expression: range,
  tuple_expression: tuple,
  interpolated_string_expression: interpolated,
  lambda_expression: lambda,
  anonymous_method_expression: lambda,
  null_literal: literal('null'),
  character_literal: literal('char'),
  integer_literal: integer,
  real_literal: real,
  boolean_literal: literal('bool'),
  string_literal: stringLiteral,
  verbatim_string_literal: stringLiteral,
  raw_string_literal: stringLiteral,
};
