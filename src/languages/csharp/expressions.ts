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
import { T } from './kinds.js';
import { bindParts, pattern } from './patterns.js';
import { typeArguments, typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

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

const type: Handler = (w, node, scope) => typeRow(w, node, scope);
const genericName: Handler = (w, node, scope) => typeRow(w, node, scope, R.read);
const predefinedType: Handler = (w, node, scope) => typeRow(w, node, scope, R.read);

/** `a.name`; type arguments of a callee go to `called`, not into the row. */
function memberAccess(w: Walk, node: number, scope: number, called: number[] | undefined): number {
  const { fields } = w.kinds;
  const base = w.value(w.inField(node, fields.expression), scope);
  return memberOf(w, w.inField(node, fields.name), base, scope, called);
}

function memberOf(w: Walk, name: number, base: number, scope: number, called: number[] | undefined): number {
  if (name === -1) return base;
  if (w.tag(name) !== T.generic_name) return w.memberRow(name, base, scope, R.read);
  const identifierNode = w.ofTag(name, T.identifier);
  const member = identifierNode === -1 ? base : w.memberRow(identifierNode, base, scope, R.read);
  const args = typeArguments(w, name, scope);
  called?.push(...args);
  return called !== undefined || args.length === 0
    ? member
    : w.expr(E.index, name, scope, '', member, w.build.list(args));
}

const memberExpression: Handler = (w, node, scope) => memberAccess(w, node, scope, undefined);

/** `a?.b` and `a?[i]`: the binding behind the `?` is a child of its own. */
function conditionalAccess(w: Walk, node: number, scope: number, called: number[] | undefined): number {
  const { fields } = w.kinds;
  const base = w.value(w.inField(node, fields.condition), scope);
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const tag = w.tag(c);
    if (tag === T.member_binding_expression) return memberOf(w, w.inField(c, fields.name), base, scope, called);
    if (tag === T.element_binding_expression)
      return w.expr(E.index, node, scope, '', base, w.build.list(argumentValues(w, c, scope)));
  }
  return base;
}

const conditionalExpressionAccess: Handler = (w, node, scope) => conditionalAccess(w, node, scope, undefined);

/** The callee of a call: a name or member row, its type arguments in `types`; or any value. */
function calleeRow(w: Walk, node: number, scope: number, types: number[]): number {
  switch (w.tag(node)) {
    case T.member_access_expression:
      return memberAccess(w, node, scope, types);
    case T.conditional_access_expression:
      return conditionalAccess(w, node, scope, types);
    case T.generic_name: {
      const name = w.ofTag(node, T.identifier);
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
  const { fields } = w.kinds;
  const callee = w.inField(node, fields.function);
  const list = w.inField(node, fields.arguments);
  if (callee === -1) return w.visitChildren(node, scope);
  // `x is var (a, b)` comes from the grammar as a call of `x is var`.
  if (w.tag(callee) === T.is_expression && w.tag(w.inField(callee, fields.right)) === T.implicit_type) {
    const subject = w.value(w.inField(callee, fields.left), scope);
    bindParts(w, list, subject, scope);
    return w.expr(E.other, node, scope);
  }
  const types: number[] = [];
  const row = calleeRow(w, callee, scope, types);
  build.setRole(row, R.callee);
  const args = list === -1 ? build.argumentList([], types) : argumentsRow(w, list, scope, row, types);
  const result = w.expr(E.call, node, scope, '', row, args);
  if (row >= 0 && build.exprOp(row) === E.member) {
    const name = build.exprName(row);
    if (REFLECTION.has(name) || (name === 'GetType' && list !== -1 && w.firstNamed(list) !== -1))
      build.undecidable(result);
  }
  return result;
};

/** The arguments of a call as an argument list. `callee` tells what `out var` arguments of well-known members hold. */
export function argumentsRow(w: Walk, list: number, scope: number, callee = -1, types: readonly number[] = []): number {
  const args: NewArgument[] = [];
  for (let c = w.first(list); c !== -1; c = w.next(list, c)) {
    if (!w.counts(c)) continue;
    if (w.tag(c) !== T.argument) {
      w.visit(c, scope);
      continue;
    }
    const keyword = w.inField(c, w.kinds.fields.name);
    const value = w.lastNamed(c);
    if (value === -1) continue;
    const expr =
      w.tag(value) === T.declaration_expression
        ? outDeclaration(w, value, scope, callee, args)
        : argumentValue(w, c, value, scope);
    args.push(
      keyword === -1 || keyword === value
        ? { expr, start: w.start(c) }
        : { expr, keyword: w.name(keyword), start: w.start(c) },
    );
  }
  return w.build.argumentList(args, types);
}

/** `out x` writes x, `ref x` reads and writes it. */
function argumentValue(w: Walk, argument: number, value: number, scope: number): number {
  const row = w.value(value, scope);
  for (let c = w.first(argument); c !== -1 && c < value; c = w.next(argument, c)) {
    if (w.tag(c) === T.out) w.build.setRole(row, R.write);
    else if (w.tag(c) === T.ref) w.build.setRole(row, R.update);
  }
  return row;
}

function outDeclaration(w: Walk, node: number, scope: number, callee: number, before: readonly NewArgument[]): number {
  const { build } = w;
  const { fields } = w.kinds;
  const row = w.expr(E.other, node, scope);
  const name = w.inField(node, fields.name);
  const declared = typeRow(w, w.inField(node, fields.type), scope);
  if (name === -1) return row;
  let value = -1;
  if (declared === -1 && callee !== -1 && build.exprOp(callee) === E.member) {
    const member = build.exprName(callee);
    const receiver = build.exprA(callee);
    const key = before[0];
    if (OUT_BY_KEY.has(member) && key !== undefined)
      value = w.expr(E.index, node, scope, '', receiver, build.list([key.expr]));
    else if (OUT_ELEMENT.has(member)) value = w.expr(E.element, node, scope, '', receiver);
  }
  w.local(name, node, scope, declared, value);
  return row;
}

/** `int x` as an expression: in a deconstruction or where broken code leaves it. */
const declarationExpression: Handler = (w, node, scope) => {
  const name = w.inField(node, w.kinds.fields.name);
  const declared = typeRow(w, w.inField(node, w.kinds.fields.type), scope);
  if (name !== -1) w.local(name, node, scope, declared, -1);
  return w.expr(E.other, node, scope);
};

/** Values of bracketed arguments or of a tuple's parts. */
export function argumentValues(w: Walk, list: number, scope: number): number[] {
  const rows: number[] = [];
  for (let c = w.first(list); c !== -1; c = w.next(list, c)) {
    if (!w.counts(c)) continue;
    const row = w.value(w.tag(c) === T.argument ? w.lastNamed(c) : c, scope);
    if (row >= 0) rows.push(row);
  }
  return rows;
}

const elementAccess: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const base = w.value(w.inField(node, fields.expression), scope);
  const subscript = w.inField(node, fields.subscript);
  return w.expr(
    E.index,
    node,
    scope,
    '',
    base,
    w.build.list(subscript === -1 ? [] : argumentValues(w, subscript, scope)),
  );
};

/** `new A(x) { … }`; the grammar reads `new A[n] { … }` as this, too. */
const creation: Handler = (w, node, scope) => {
  const { build } = w;
  const { fields } = w.kinds;
  const typeNode = w.inField(node, fields.type);
  if (typeNode !== -1 && w.tag(typeNode) === T.array_type) return arrayCreation(w, node, scope);
  const made = typeRow(w, typeNode, scope, R.newCallee);
  const list = w.ofTag(node, T.argument_list);
  const args = list === -1 ? build.argumentList([]) : argumentsRow(w, list, scope);
  const row = w.expr(E.new, node, scope, '', made, args);
  const initializer = w.ofTag(node, T.initializer_expression);
  if (initializer !== -1) initializers(w, initializer, row, scope);
  return row;
};

/** `new(x) { … }`: the type is the one that the context gives. */
const implicitCreation: Handler = (w, node, scope) => {
  const { build } = w;
  const list = w.ofTag(node, T.argument_list);
  const args = list === -1 ? build.argumentList([]) : argumentsRow(w, list, scope);
  const row = w.expr(E.new, node, scope, '', w.targets.get(node) ?? -1, args);
  const initializer = w.ofTag(node, T.initializer_expression);
  if (initializer !== -1) initializers(w, initializer, row, scope);
  return row;
};

/** `{ X = 1, ["k"] = v, Y = { … }, element }` behind a creation, whose row is `made`. */
function initializers(w: Walk, node: number, made: number, scope: number): void {
  const { fields } = w.kinds;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    if (w.tag(c) !== T.assignment_expression) {
      w.value(c, scope);
      continue;
    }
    const left = w.inField(c, fields.left);
    const right = w.inField(c, fields.right);
    const member = initialized(w, left, made, scope);
    if (right !== -1 && w.tag(right) === T.initializer_expression) initializers(w, right, member, scope);
    else w.value(right, scope);
  }
}

function initialized(w: Walk, left: number, made: number, scope: number): number {
  if (left === -1) return made;
  switch (w.tag(left)) {
    case T.identifier:
      return w.build.expr(E.initializer, w.nameStart(left), w.end(left), scope, w.name(left), made, -1, R.write);
    case T.element_binding_expression:
      return w.expr(E.index, left, scope, '', made, w.build.list(argumentValues(w, left, scope)), R.write);
    default:
      return w.value(left, scope);
  }
}

/** `a with { X = 1 }` is a value of the type of `a`. */
const withExpression: Handler = (w, node, scope) => {
  let made = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    if (w.tag(c) !== T.with_initializer) {
      made = w.value(c, scope);
      continue;
    }
    const name = w.ofTag(c, T.identifier);
    const value = w.lastNamed(c);
    if (name !== -1)
      w.build.expr(E.initializer, w.nameStart(name), w.end(name), scope, w.name(name), made, -1, R.write);
    if (value !== name) w.value(value, scope);
  }
  return made;
};

/** Arrays made with a type are a list that is cast to it. */
const arrayCreation: Handler = (w, node, scope) => {
  const made = typeRow(w, w.inField(node, w.kinds.fields.type), scope);
  const initializer = w.ofTag(node, T.initializer_expression);
  if (made !== -1 && initializer !== -1) {
    for (let c = w.first(initializer); c !== -1; c = w.next(initializer, c)) aimNew(w, c, w.build.exprA(made));
  }
  const list = initializer === -1 ? w.expr(E.list, node, scope, 'list') : w.value(initializer, scope);
  return made === -1 ? list : w.expr(E.cast, node, scope, '', list, made);
};

const implicitArray: Handler = (w, node, scope) => w.visit(w.ofTag(node, T.initializer_expression), scope);

/** `{ a, b }` of an array or collection. */
const listOfValues: Handler = (w, node, scope) =>
  w.expr(E.list, node, scope, 'list', -1, w.build.list(argumentValues(w, node, scope)));

const collection: Handler = (w, node, scope) => {
  const rows: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const row = w.counts(c) ? w.visitChildren(c, scope) : -1;
    if (row >= 0) rows.push(row);
  }
  return w.expr(E.list, node, scope, 'list', -1, w.build.list(rows));
};

const spread: Handler = (w, node, scope) => w.expr(E.element, node, scope, '', w.value(w.firstNamed(node), scope));

/** `new { X = 1, y.Z }`: members are locals of the anonymous class, named after the last part where no name is written. */
const anonymousObject: Handler = (w, node, scope) => {
  const { build, tree } = w;
  const parent = build.scopeBlock(scope);
  const decl = build.decl({
    kind: D.anonymousClass,
    name: '',
    nameStart: -1,
    start: w.start(node),
    end: w.end(node),
    scope,
    parent,
  });
  const inner = build.scope(S.class, scope, decl, parent);
  build.set(decl, 'inner', inner);
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    const equals = w.tag(c) === T.identifier ? w.next(node, c) : -1;
    if (equals !== -1 && tree.text[w.start(equals)] === '=') {
      const value = w.next(node, equals);
      w.local(c, c, inner, -1, w.value(value, scope));
      if (value !== -1) c = value;
      continue;
    }
    const value = w.value(c, scope);
    const op = value === -1 ? E.other : build.exprOp(value);
    if (op !== E.name && op !== E.member) continue;
    build.decl({
      kind: D.local,
      name: build.exprName(value),
      nameStart: -1,
      start: w.start(c),
      end: w.end(c),
      scope: inner,
      parent,
      value,
    });
  }
  return w.expr(E.closure, node, scope, '', decl);
};

const assignment: Handler = (w, node, scope) => {
  const { build, tree } = w;
  const { fields } = w.kinds;
  const left = w.inField(node, fields.left);
  const right = w.inField(node, fields.right);
  const symbol = w.inField(node, fields.operator);
  const operator = symbol === -1 ? '=' : tree.text.slice(w.start(symbol), w.end(symbol));
  if (left !== -1 && operator === '=' && w.tag(left) === T.tuple_expression) {
    const value = w.value(right, scope);
    bindParts(w, left, value, scope);
    return value;
  }
  const target = w.value(left, scope);
  build.setRole(target, operator === '=' ? R.write : R.update);
  if (operator === '=' || operator === '??=') aimNew(w, right, target);
  const value = w.value(right, scope);
  if (operator === '=') return value;
  if (operator === '??=')
    return w.expr(E.union, node, scope, '', -1, build.list([target, value].filter((row) => row >= 0)));
  return w.expr(E.operator, node, scope, operator, target, value);
};

/** Chains of operators lean to the left and may be thousands long, so they are walked without recursion. */
const binary: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const chain: number[] = [];
  let left = node;
  while (left !== -1 && w.tag(left) === T.binary_expression) {
    chain.push(left);
    left = w.inField(left, fields.left);
  }
  let row = w.value(left, scope);
  for (let i = chain.length - 1; i >= 0; i--) {
    const at = chain[i] as number;
    const symbol = w.inField(at, fields.operator);
    const operator = symbol === -1 ? '' : w.tree.text.slice(w.start(symbol), w.end(symbol));
    const right = w.value(w.inField(at, fields.right), scope);
    row = operator === '??' ? union(w, at, scope, [row, right]) : w.expr(E.operator, at, scope, operator, row, right);
  }
  return row;
};

function union(w: Walk, node: number, scope: number, rows: readonly number[]): number {
  return w.expr(
    E.union,
    node,
    scope,
    '',
    -1,
    w.build.list(rows.filter((row) => row >= 0 && w.build.exprOp(row) !== E.other)),
  );
}

const prefix: Handler = (w, node, scope) => {
  const operand = w.value(w.firstNamed(node), scope);
  const symbol = w.first(node);
  const operator = symbol === -1 ? '' : w.tree.text.slice(w.start(symbol), w.end(symbol));
  if (operator === '&' || operator === '*') return operand;
  if (operator === '++' || operator === '--') w.build.setRole(operand, R.update);
  return w.expr(E.operator, node, scope, operator, operand);
};

const postfix: Handler = (w, node, scope) => {
  const operand = w.value(w.firstNamed(node), scope);
  const operator = w.tree.text.slice(w.end(node) - 2, w.end(node));
  if (operator !== '++' && operator !== '--') return operand;
  w.build.setRole(operand, R.update);
  return w.expr(E.operator, node, scope, operator, operand);
};

const conditional: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  w.visit(w.inField(node, fields.condition), scope);
  const yes = w.value(w.inField(node, fields.consequence), scope);
  return union(w, node, scope, [yes, w.value(w.inField(node, fields.alternative), scope)]);
};

const cast: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const to = typeRow(w, w.inField(node, fields.type), scope);
  const value = w.value(w.inField(node, fields.value), scope);
  return to === -1 ? value : w.expr(E.cast, node, scope, '', value, to);
};

const asExpression: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const value = w.value(w.inField(node, fields.left), scope);
  const to = typeRow(w, w.inField(node, fields.right), scope);
  return to === -1 ? value : w.expr(E.cast, node, scope, '', value, to);
};

const isExpression: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  w.visit(w.inField(node, fields.left), scope);
  typeRow(w, w.inField(node, fields.right), scope);
  return w.expr(E.literal, node, scope, 'bool');
};

const isPattern: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const subject = w.value(w.inField(node, fields.expression), scope);
  pattern(w, w.inField(node, fields.pattern), subject, scope, R.type);
  return w.expr(E.literal, node, scope, 'bool');
};

const switchExpression: Handler = (w, node, scope) => {
  const rows: number[] = [];
  let subject = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    if (w.tag(c) !== T.switch_expression_arm) {
      subject = w.value(c, scope);
      continue;
    }
    const arm = w.blockScope(scope);
    const matched = w.firstNamed(c);
    const result = w.lastNamed(c);
    pattern(w, matched, subject, arm, R.read);
    w.visit(w.ofTag(c, T.when_clause), arm);
    if (result !== matched) rows.push(w.value(result, arm));
  }
  return union(w, node, scope, rows);
};

const awaitExpression: Handler = (w, node, scope) =>
  w.expr(E.await, node, scope, '', w.value(w.firstNamed(node), scope));

const throwExpression: Handler = (w, node, scope) => {
  w.visitChildren(node, scope);
  return w.expr(E.other, node, scope);
};

/** `default(T)` is null cast to T. */
const defaultExpression: Handler = (w, node, scope) => {
  const to = typeRow(w, w.inField(node, w.kinds.fields.type), scope);
  const value = w.expr(E.literal, node, scope, 'null');
  return to === -1 ? value : w.expr(E.cast, node, scope, '', value, to);
};

const sizeOf: Handler = (w, node, scope) => {
  typeRow(w, w.inField(node, w.kinds.fields.type), scope);
  return w.expr(E.literal, node, scope, 'int');
};

const typeOf: Handler = (w, node, scope) =>
  w.expr(E.classOf, node, scope, '', typeRow(w, w.inField(node, w.kinds.fields.type), scope));

/** Parentheses and the like: the value inside. */
const transparent: Handler = (w, node, scope) => {
  const row = w.visitChildren(node, scope);
  return row >= 0 ? row : w.expr(E.other, node, scope);
};

const range: Handler = (w, node, scope) => {
  w.visitChildren(node, scope);
  return w.expr(E.other, node, scope);
};

const tuple: Handler = (w, node, scope) =>
  w.expr(E.list, node, scope, 'tuple', -1, w.build.list(argumentValues(w, node, scope)));

const interpolated: Handler = (w, node, scope) => {
  for (let c = w.first(node); c !== -1; c = w.next(node, c))
    if (w.tag(c) === T.interpolation) w.visitChildren(c, scope);
  return w.expr(E.literal, node, scope, 'str');
};

function literal(name: string): Handler {
  return (w, node, scope) => w.expr(E.literal, node, scope, name);
}

/** Length of the longest string that can name something. */
const NAMING_MAX = 80;
const DOTTED = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** A string whose text is an identifier or dotted path is a `string` row. */
const stringLiteral: Handler = (w, node, scope) => {
  const { text } = w.tree;
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

export const EXPRESSION_HANDLERS: Readonly<Record<number, Handler>> = {
  [T.identifier]: identifier,
  [T.implicit_parameter]: identifier,
  [T.this]: thisExpression,
  [T.base]: baseExpression,
  [T.generic_name]: genericName,
  [T.predefined_type]: predefinedType,
  [T.qualified_name]: type,
  [T.alias_qualified_name]: type,
  [T.nullable_type]: type,
  [T.array_type]: type,
  [T.pointer_type]: type,
  [T.ref_type]: type,
  [T.scoped_type]: type,
  [T.tuple_type]: type,
  [T.function_pointer_type]: type,
  [T.implicit_type]: type,
  [T.member_access_expression]: memberExpression,
  [T.conditional_access_expression]: conditionalExpressionAccess,
  [T.invocation_expression]: call,
  [T.declaration_expression]: declarationExpression,
  [T.element_access_expression]: elementAccess,
  [T.element_binding_expression]: listOfValues,
  [T.object_creation_expression]: creation,
  [T.implicit_object_creation_expression]: implicitCreation,
  [T.with_expression]: withExpression,
  [T.array_creation_expression]: arrayCreation,
  [T.stackalloc_expression]: arrayCreation,
  [T.implicit_array_creation_expression]: implicitArray,
  [T.implicit_stackalloc_expression]: implicitArray,
  [T.initializer_expression]: listOfValues,
  [T.collection_expression]: collection,
  [T.spread_element]: spread,
  [T.anonymous_object_creation_expression]: anonymousObject,
  [T.assignment_expression]: assignment,
  [T.binary_expression]: binary,
  [T.prefix_unary_expression]: prefix,
  [T.postfix_unary_expression]: postfix,
  [T.conditional_expression]: conditional,
  [T.cast_expression]: cast,
  [T.refvalue_expression]: cast,
  [T.as_expression]: asExpression,
  [T.is_expression]: isExpression,
  [T.is_pattern_expression]: isPattern,
  [T.switch_expression]: switchExpression,
  [T.await_expression]: awaitExpression,
  [T.throw_expression]: throwExpression,
  [T.default_expression]: defaultExpression,
  [T.sizeof_expression]: sizeOf,
  [T.typeof_expression]: typeOf,
  [T.parenthesized_expression]: transparent,
  [T.checked_expression]: transparent,
  [T.ref_expression]: transparent,
  [T.range_expression]: range,
  [T.tuple_expression]: tuple,
  [T.interpolated_string_expression]: interpolated,
  [T.lambda_expression]: lambda,
  [T.anonymous_method_expression]: lambda,
  [T.null_literal]: literal('null'),
  [T.character_literal]: literal('char'),
  [T.integer_literal]: literal('int'),
  [T.real_literal]: literal('float'),
  [T.boolean_literal]: literal('bool'),
  [T.string_literal]: stringLiteral,
  [T.verbatim_string_literal]: stringLiteral,
  [T.raw_string_literal]: stringLiteral,
};
