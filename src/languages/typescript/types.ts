/**
 * Type expressions to rows. Every name in a type is a row with role `type`.
 *
 * Modelled: names, generics, arrays, tuples, unions, function types, object types, mapped types
 * (as `Record`), and `T['name']` as a member. Intersections are read as unions of their sides, a
 * conditional type as the union of its branches. `typeof x` is the row of x itself, with role
 * `read`. `keyof`, template types and the like are `other`, their names still rows.
 */
import { D, E, R } from '../../syntax/summary.js';
import { typeArguments } from './classes.js';
import { annotated } from './functions.js';
import { isMemberText } from './names.js';
import { anonymousObjectType, functionType } from './type-members.js';
import { type Handler, type Walk } from './walk.js';

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
  return w.name(node, scope, R.type);
}

function predefined(w: Walk, node: number, scope: number): number {
  const literal = PREDEFINED[w.textOf(node)];
  return literal === undefined
    ? w.other(node, scope)
    : w.build.expr(E.literal, w.start(node), w.end(node), scope, literal, -1, -1, R.type);
}

function generic(w: Walk, node: number, scope: number): number {
  const head = w.type(w.child(node, w.f.name), scope);
  const list = w.child(node, w.f.type_arguments);
  const args = list === -1 ? [] : typeArguments(w, list, scope);
  return w.build.expr(E.index, w.start(node), w.end(node), scope, '', head, w.build.list(args), R.type);
}

/** `A.B.C` in a type, and the namespaces before the last dot. */
function qualified(w: Walk, node: number, scope: number): number {
  const isQualified = (n: number): boolean => w.kind(n) === 'nested_identifier' || w.kind(n) === 'member_expression';
  const chain = [node];
  for (let inner = w.part(node); inner !== -1 && isQualified(inner); inner = w.part(inner)) chain.push(inner);
  let row = -1;
  for (const link of chain.reverse()) {
    const stop = w.skip(link);
    for (let c = link + 1; c < stop; c = w.skip(c)) {
      if (!w.isPart(c) || isQualified(c)) continue;
      if (row !== -1) row = w.member(c, row, scope, R.type);
      else row = w.kind(c) === 'identifier' ? w.name(c, scope, R.type) : w.expression(c, scope);
    }
  }
  return row;
}

function arrayType(w: Walk, node: number, scope: number): number {
  return w.build.expr(E.array, w.start(node), w.end(node), scope, '', w.type(w.part(node), scope), -1, R.type);
}

function tuple(w: Walk, node: number, scope: number): number {
  const rows: number[] = [];
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    const kind = w.kind(c);
    rows.push(
      kind === 'required_parameter' || kind === 'optional_parameter'
        ? annotated(w, w.child(c, w.f.type), scope)
        : w.type(c, scope),
    );
  }
  return w.build.expr(E.list, w.start(node), w.end(node), scope, 'tuple', -1, w.build.list(rows), R.type);
}

function union(w: Walk, node: number, scope: number): number {
  const rows: number[] = [];
  collectUnion(w, node, scope, rows);
  return w.build.expr(E.union, w.start(node), w.end(node), scope, '', -1, w.build.list(rows), R.type);
}

/** The grammar nests `A | B | C` to the left, as deep as it is long: followed without recursion. */
function collectUnion(w: Walk, node: number, scope: number, rows: number[]): void {
  const kind = w.tree.kind[node];
  const spine = [node];
  for (let first = w.part(node); first !== -1 && w.tree.kind[first] === kind; first = w.part(first)) spine.push(first);
  for (let i = spine.length - 1; i >= 0; i--) {
    const level = spine[i] as number;
    const stop = w.skip(level);
    for (let c = level + 1; c < stop; c = w.skip(c)) if (w.isPart(c) && c !== spine[i + 1]) rows.push(w.type(c, scope));
  }
}

function inner(w: Walk, node: number, scope: number): number {
  const part = w.part(node);
  return part === -1 ? -1 : w.type(part, scope);
}

function conditional(w: Walk, node: number, scope: number): number {
  const outer = w.inferScope;
  const own = w.blockScope(scope);
  w.type(w.child(node, w.f.left), scope);
  w.inferScope = own;
  w.type(w.child(node, w.f.right), own);
  w.inferScope = outer;
  const branches = [w.type(w.child(node, w.f.consequence), own), w.type(w.child(node, w.f.alternative), scope)];
  return w.build.expr(
    E.union,
    w.start(node),
    w.end(node),
    scope,
    '',
    -1,
    w.build.list(branches.filter((row) => row !== -1)),
    R.type,
  );
}

function infer(w: Walk, node: number, scope: number): number {
  const name = w.part(node);
  if (name === -1) return -1;
  const declaredIn = w.inferScope === -1 ? scope : w.inferScope;
  const decl = w.declare(D.typeParam, w.textOf(name), w.start(name), w.start(node), w.end(node), declaredIn);
  const stop = w.skip(node);
  for (let c = w.skip(name); c < stop; c = w.skip(c)) if (w.isPart(c)) w.build.set(decl, 'type', w.type(c, scope));
  return w.other(node, scope);
}

/** `T['name']` is the member; `T[number]` what iteration gives. */
function lookup(w: Walk, node: number, scope: number): number {
  const base = w.part(node);
  const row = base === -1 ? -1 : w.type(base, scope);
  const stop = w.skip(node);
  for (let c = base === -1 ? node + 1 : w.skip(base); c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    const literal = w.kind(c) === 'literal_type' ? w.part(c) : -1;
    if (literal !== -1 && w.kind(literal) === 'string') {
      const start = w.start(literal) + 1;
      const name = w.text.slice(start, Math.max(start, w.end(literal) - 1));
      if (isMemberText(name)) return w.build.expr(E.member, start, start + name.length, scope, name, row, -1, R.type);
    }
    w.type(c, scope);
    return w.kind(c) === 'predefined_type' && w.textOf(c) === 'number'
      ? w.build.expr(E.element, w.start(node), w.end(node), scope, '', row, -1, R.type)
      : w.other(node, scope);
  }
  return row;
}

/** `keyof T`. */
function keyOf(w: Walk, node: number, scope: number): number {
  return w.build.expr(E.operator, w.start(node), w.end(node), scope, 'keyof', inner(w, node, scope), -1, R.type);
}

/** `typeof x`, `typeof import('./x')`. */
function typeQuery(w: Walk, node: number, scope: number): number {
  const part = w.part(node);
  return part === -1 ? -1 : w.expression(part, scope);
}

/** `x is T`, `asserts x`: the parameter is a name row; the whole is a boolean. */
function predicate(w: Walk, node: number, scope: number): number {
  const name = w.child(node, w.f.name);
  if (name !== -1) w.expression(name, scope);
  w.type(w.child(node, w.f.type), scope);
  return w.build.expr(E.literal, w.start(node), w.end(node), scope, 'bool', -1, -1, R.type);
}

function asserts(w: Walk, node: number, scope: number): number {
  const part = w.part(node);
  if (part !== -1) {
    if (w.kind(part) === 'type_predicate') predicate(w, part, scope);
    else w.expression(part, scope);
  }
  return w.build.expr(E.literal, w.start(node), w.end(node), scope, 'null', -1, -1, R.type);
}

function thisType(w: Walk, node: number, scope: number): number {
  return w.build.expr(E.this, w.start(node), w.end(node), scope, '', -1, -1, R.type);
}

export const TYPE_HANDLERS: Readonly<Record<string, Handler>> = {
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
  intersection_type: union,
  readonly_type: inner,
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
    const part = w.part(node);
    return part === -1 ? -1 : w.expression(part, scope);
  },
  call_expression: (w, node, scope) => w.expression(node, scope),
  type_annotation: annotated,
  constraint: annotated,
  default_type: annotated,
};
