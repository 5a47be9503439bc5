/**
 * Type expressions to rows. Every name in a type is a row with role `type`.
 *
 * Modelled: names, generics, arrays, tuples, unions, function types, object types, mapped types
 * (as `Record`), and `T['name']` as a member. Intersections are read as unions of their sides, a
 * conditional type as the union of its branches, what is `readonly` as that of one type: such rows
 * have a name, which a union has not. `typeof x` is such a row of x, which has the role
 * `read`. `keyof T` is an operator row; template types and the like are `other`, their names still rows.
 */
import { D, E, KEY_OF, LOOKED_UP, R, TYPE_OF } from '../../syntax/summary.js';
import { annotated } from './functions.js';
import { FIELD, K } from './kinds.js';

import { declareSpan, isMemberText } from './names.js';
import { anonymousObjectType, functionType } from './type-members.js';
import type { Table, Walk } from './walk.js';

const PREDEFINED: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  bigint: 'int',
  boolean: 'bool',
  void: 'null',
  undefined: 'null',
  null: 'null',
  never: 'null',
};

function typeName(w: Walk, node: number, scope: number): number {
  return w.nameRow(node, scope, R.type);
}

function predefined(w: Walk, node: number, scope: number): number {
  const literal = PREDEFINED[w.textOf(node)];
  return literal === undefined ? w.other(node, scope) : w.expr(E.literal, node, scope, literal, -1, -1, R.type);
}

function generic(w: Walk, node: number, scope: number): number {
  const head = w.type(w.child(node, FIELD.name), scope);
  const list = w.child(node, FIELD.type_arguments);
  const args = list === -1 ? [] : w.typesIn(list, scope);
  return w.index(node, scope, head, args, R.type);
}

/** `A.B.C` in a type, and the namespaces before the last dot. */
function qualified(w: Walk, node: number, scope: number): number {
  const chain = [node];
  for (let inner = w.first(node); inner !== -1 && isQualified(w, inner); inner = w.first(inner)) chain.push(inner);
  let row = -1;
  for (const link of chain.reverse()) {
    for (let c = w.first(link); c !== -1; c = w.next(c)) {
      if (isQualified(w, c)) continue;
      if (row !== -1) row = w.memberRow(c, row, scope, R.type);
      else row = w.kind(c) === K.identifier ? w.nameRow(c, scope, R.type) : w.visit(c, scope);
    }
  }
  return row;
}

const isQualified = (w: Walk, node: number): boolean =>
  w.kind(node) === K.nested_identifier || w.kind(node) === K.member_expression;

function arrayType(w: Walk, node: number, scope: number): number {
  return w.expr(E.array, node, scope, '', w.type(w.first(node), scope), -1, R.type);
}

function tuple(w: Walk, node: number, scope: number): number {
  const only = w.first(node);
  // `[...T]` is `T`, of which the places are told apart.
  if (only !== -1 && w.next(only) === -1 && w.kind(only) === K.rest_type) return w.type(only, scope);
  const rows: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const kind = w.kind(c);
    rows.push(
      kind === K.required_parameter || kind === K.optional_parameter
        ? annotated(w, w.child(c, FIELD.type), scope)
        : w.type(c, scope),
    );
  }
  return w.list(node, scope, 'tuple', rows, R.type);
}

function union(w: Walk, node: number, scope: number): number {
  const rows: number[] = [];
  collectUnion(w, node, scope, rows);
  return unionNamed(w, node, scope, '', rows);
}

function intersection(w: Walk, node: number, scope: number): number {
  const rows: number[] = [];
  collectUnion(w, node, scope, rows);
  return unionNamed(w, node, scope, '&', rows);
}

const unionNamed = (w: Walk, node: number, scope: number, name: string, rows: readonly number[]): number =>
  w.expr(E.union, node, scope, name, -1, w.build.list(rows), R.type);

/** The grammar nests `A | B | C` to the left, as deep as it is long: followed without recursion. */
function collectUnion(w: Walk, node: number, scope: number, rows: number[]): void {
  const kind = w.kind(node);
  const spine = [node];
  for (let first = w.first(node); first !== -1 && w.kind(first) === kind; first = w.first(first)) spine.push(first);
  for (let i = spine.length - 1; i >= 0; i--) {
    const level = spine[i] as number;
    for (let c = w.firstChild(level); c !== -1; c = w.nextChild(c))
      if (w.isPart(c) && c !== spine[i + 1]) rows.push(w.type(c, scope));
  }
}

/** A type with a word in front, which is part of it as written: of `readonly A[]` the objects are those of `A[]`. */
const wholeOf = (w: Walk, node: number, scope: number, part: number): number =>
  part === -1 ? -1 : unionNamed(w, node, scope, 'readonly', [part]);

function inner(w: Walk, node: number, scope: number): number {
  const part = w.first(node);
  return part === -1 ? -1 : w.type(part, scope);
}

function conditional(w: Walk, node: number, scope: number): number {
  const outer = w.state.inferScope;
  const own = w.blockScope(scope);
  w.type(w.child(node, FIELD.left), scope);
  w.state.inferScope = own;
  w.type(w.child(node, FIELD.right), own);
  w.state.inferScope = outer;
  const branches = [w.type(w.child(node, FIELD.consequence), own), w.type(w.child(node, FIELD.alternative), scope)];
  return unionNamed(
    w,
    node,
    scope,
    '?',
    branches.filter((row) => row !== -1),
  );
}

function infer(w: Walk, node: number, scope: number): number {
  const name = w.first(node);
  if (name === -1) return -1;
  const declaredIn = w.state.inferScope === -1 ? scope : w.state.inferScope;
  const decl = declareSpan(w, D.typeParam, w.textOf(name), w.start(name), w.start(node), w.end(node), declaredIn);
  for (let c = w.next(name); c !== -1; c = w.next(c)) w.build.set(decl, 'type', w.type(c, scope));
  return w.other(node, scope);
}

/** `T['name']` is the member; `T[number]` what iteration gives; `T[K]` the member that is given for K. */
function lookup(w: Walk, node: number, scope: number): number {
  const base = w.first(node);
  const row = base === -1 ? -1 : w.type(base, scope);
  for (let c = base === -1 ? -1 : w.next(base); c !== -1; c = w.next(c)) {
    const literal = w.kind(c) === K.literal_type ? w.first(c) : -1;
    if (literal !== -1 && w.kind(literal) === K.string) {
      const start = w.start(literal) + 1;
      const name = w.text.slice(start, Math.max(start, w.end(literal) - 1));
      if (isMemberText(name)) return w.build.expr(E.member, start, start + name.length, scope, name, row, -1, R.type);
    }
    const key = w.type(c, scope);
    if (w.kind(c) === K.predefined_type && w.textOf(c) === 'number')
      return w.expr(E.element, node, scope, '', row, -1, R.type);
    return w.kind(c) === K.type_identifier && key !== -1
      ? w.expr(E.operator, node, scope, LOOKED_UP, row, key, R.type)
      : w.other(node, scope);
  }
  return row;
}

/** `keyof T`. */
function keyOf(w: Walk, node: number, scope: number): number {
  return w.expr(E.operator, node, scope, KEY_OF, inner(w, node, scope), -1, R.type);
}

/** `typeof x`, `typeof Box<string>`, `typeof import('./x')`: of the last the objects are the module itself. */
function typeQuery(w: Walk, node: number, scope: number): number {
  const whole = w.first(node);
  const isInstantiation = whole !== -1 && w.kind(whole) === K.instantiation_expression;
  const part = isInstantiation ? w.first(whole) : whole;
  const row = part === -1 ? -1 : w.visit(part, scope);
  if (isInstantiation) for (let c = w.next(part); c !== -1; c = w.next(c)) w.visit(c, scope);
  const isName = part !== -1 && (w.kind(part) === K.identifier || w.kind(part) === K.member_expression);
  return isName && row !== -1 ? unionNamed(w, node, scope, TYPE_OF, [row]) : row;
}

/** `x is T`, `asserts x`: the parameter is a name row; the whole is a boolean, which hangs on T. */
function predicate(w: Walk, node: number, scope: number): number {
  const name = w.child(node, FIELD.name);
  if (name !== -1) w.visit(name, scope);
  const type = w.type(w.child(node, FIELD.type), scope);
  return w.expr(E.literal, node, scope, 'bool', type, -1, R.type);
}

function asserts(w: Walk, node: number, scope: number): number {
  const part = w.first(node);
  const row = part === -1 ? -1 : w.kind(part) === K.type_predicate ? predicate(w, part, scope) : w.visit(part, scope);
  return w.expr(E.literal, node, scope, 'null', row, -1, R.type);
}

function thisType(w: Walk, node: number, scope: number): number {
  return w.expr(E.this, node, scope, '', -1, -1, R.type);
}

export const TYPES: Table = {
  type_identifier: typeName,
  identifier: typeName,
  predefined_type: predefined,
  generic_type: generic,
  nested_type_identifier: qualified,
  nested_identifier: qualified,
  member_expression: qualified,
  array_type: arrayType,
  tuple_type: tuple,
  union_type: union,
  intersection_type: intersection,
  readonly_type: (w, node, scope) => wholeOf(w, node, scope, inner(w, node, scope)),
  optional_type: inner,
  rest_type: inner,
  parenthesized_type: inner,
  flow_maybe_type: inner,
  object_type: anonymousObjectType,
  function_type: functionType,
  constructor_type: functionType,
  conditional_type: conditional,
  infer_type: infer,
  lookup_type: lookup,
  index_type_query: keyOf,
  type_query: typeQuery,
  type_predicate: predicate,
  asserts,
  this_type: thisType,
  this: thisType,
  literal_type: (w, node, scope) => {
    const part = w.first(node);
    return part === -1 ? -1 : w.visit(part, scope);
  },
  call_expression: (w, node, scope) => w.visit(node, scope),
  type_annotation: annotated,
  constraint: annotated,
  default_type: annotated,
};
