/**
 * Types as expressions: `Map.Entry<K, V[]>` is index(member(name Map, Entry), [name K, array(name V)]).
 *
 * Primitive types and `void` are `name` rows too, so that `int` and `long` tell two overloads
 * apart; `var` is no type and has no row. A wildcard stands for its bound, which errs towards too
 * much for `? super T`; without a bound it is unknown, or in a library type (`Class<?>`) an `Object`,
 * as a literal since nothing is named. Only the type's own name takes the role; what qualifies it and its
 * arguments are plain types.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import { LIBRARY } from './library.js';
import type { Handler, Table, Walk } from './walk.js';

/** Row of a declared type, or -1 for `var`, which leaves the type to the value. */
export function declaredType(w: Walk, node: number, scope: number): number {
  if (!w.isPresent(node) || isVar(w, node)) return -1;
  return w.type(node, scope);
}

/** Whether a type is `var`, which says nothing. */
export function isVar(w: Walk, node: number): boolean {
  return (
    w.kind(node) === K.type_identifier && w.end(node) - w.start(node) === 3 && w.text.startsWith('var', w.start(node))
  );
}

/** Rows of the bounds of a type parameter or of the parts of an intersection: one of them, or a union. */
export function anyOf(w: Walk, rows: readonly number[], node: number, scope: number, role: Role): number {
  if (rows.length <= 1) return rows[0] ?? -1;
  return w.union(node, scope, rows, role);
}

/**
 * `type`, which begins at `start`, with the dimensions of the node, if it is there: those of an array type, or after a
 * name as in `int a[]`.
 */
export function withDimensions(w: Walk, type: number, start: number, dimensions: number, scope: number): number {
  if (dimensions === -1 || type === -1) return type;
  let row = type;
  for (let c = w.firstChild(dimensions); c !== -1; c = w.nextChild(c)) {
    if (w.isPart(c)) w.visit(c, scope);
    else if (w.text.charCodeAt(w.start(c)) === 0x5d /* ] */)
      row = w.build.expr(E.array, start, w.end(c), scope, '', row, -1, R.type);
  }
  return row;
}

/** Rows of the types in an `extends`, `implements`, `permits` or `throws` clause. */
export function typesIn(w: Walk, clause: number, scope: number, role: Role, into: number[]): void {
  for (let c = w.first(clause); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.type_list) typesIn(w, c, scope, role, into);
    else into.push(w.type(c, scope, role));
  }
}

function genericType(w: Walk, node: number, scope: number, role: Role): number {
  const base = w.first(node);
  const list = w.childOf(node, K.type_arguments);
  const row = base === -1 || base === list ? w.other(node, scope) : w.type(base, scope, role);
  if (list === -1) return row;
  const rows = w.typesIn(list, scope);
  if (rows.length === 0) return row;
  return w.index(node, scope, row, rows, R.type);
}

function scopedType(w: Walk, node: number, scope: number, role: Role): number {
  const last = w.last(node);
  let base = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (c === last) return base === -1 ? w.nameRow(c, scope, role) : w.memberRow(c, base, scope, role);
    if (w.kind(c) === K.marker_annotation || w.kind(c) === K.annotation) w.visit(c, scope);
    else base = w.type(c, scope);
  }
  return w.other(node, scope);
}

function arrayType(w: Walk, node: number, scope: number, role: Role): number {
  const element = w.first(node);
  if (element === -1) return w.other(node, scope);
  return withDimensions(w, w.type(element, scope, role), w.start(node), w.child(node, FIELD.dimensions), scope);
}

function annotatedType(w: Walk, node: number, scope: number, role: Role): number {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.marker_annotation && w.kind(c) !== K.annotation) return w.type(c, scope, role);
    w.visit(c, scope);
  }
  return w.other(node, scope);
}

function wildcard(w: Walk, node: number, scope: number): number {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const kind = w.kind(c);
    if (!w.isPart(c) || kind === K.super) continue;
    if (kind !== K.marker_annotation && kind !== K.annotation) return w.type(c, scope);
    w.visit(c, scope);
  }
  if (standsForObject(w, node)) return w.expr(E.literal, node, scope, 'Object', -1, -1, R.type);
  return w.other(node, scope);
}

/** Whether a bare `?` is the argument of a library type whose parameters have no bound. */
function standsForObject(w: Walk, node: number): boolean {
  const { tree } = w;
  const list = tree.parent[node] as number;
  const generic = tree.parent[list] as number;
  if (w.kind(list) !== K.type_arguments || w.kind(generic) !== K.generic_type) return false;
  const base = w.first(generic);
  const name = w.textOf(w.kind(base) === K.scoped_type_identifier ? w.last(base) : base);
  return (
    LIBRARY.classObjects.has(name) ||
    LIBRARY.sequences.has(name) ||
    LIBRARY.mappings.has(name) ||
    LIBRARY.wrappers.has(name)
  );
}

const name: Handler = (w, node, scope, role) => w.nameRow(node, scope, role);
const primitive: Handler = (w, node, scope) => w.nameRow(node, scope, R.type);

export const TYPES: Table = {
  type_identifier: name,
  identifier: name,
  generic_type: genericType,
  scoped_type_identifier: scopedType,
  array_type: arrayType,
  annotated_type: annotatedType,
  wildcard,
  integral_type: primitive,
  floating_point_type: primitive,
  boolean_type: primitive,
  void_type: primitive,
};
