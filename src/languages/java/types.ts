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
import { LIBRARY } from './library.js';
import type { Walk } from './walk.js';

/** Row of a type; `role` goes to the name that says which type it is. */
export function typeRow(x: Walk, node: number, scope: number, role: Role = R.type): number {
  const { kinds } = x;
  switch (x.kind(node)) {
    case kinds.typeIdentifier:
    case kinds.identifier:
      return x.name(node, scope, role);
    case kinds.genericType:
      return orOther(
        x,
        node,
        scope,
        x.nested(node, scope, () => genericType(x, node, scope, role)),
      );
    case kinds.scopedTypeIdentifier:
      return orOther(
        x,
        node,
        scope,
        x.nested(node, scope, () => scopedType(x, node, scope, role)),
      );
    case kinds.arrayType:
      return arrayType(x, node, scope, role);
    case kinds.annotatedType:
      return annotatedType(x, node, scope, role);
    case kinds.wildcard:
      return wildcard(x, node, scope);
    case kinds.integralType:
    case kinds.floatingPointType:
    case kinds.booleanType:
    case kinds.voidType:
      return x.name(node, scope, R.type);
    default:
      return x.value(node, scope);
  }
}

const orOther = (x: Walk, node: number, scope: number, row: number): number =>
  row === -1 ? x.build.expr(E.other, x.start(node), x.end(node), scope) : row;

/** Row of a declared type, or -1 for `var`, which leaves the type to the value. */
export function declaredType(x: Walk, node: number, scope: number): number {
  if (!x.present(node) || isVar(x, node)) return -1;
  return typeRow(x, node, scope);
}

/** Whether a type is `var`, which says nothing. */
export function isVar(x: Walk, node: number): boolean {
  return (
    x.kind(node) === x.kinds.typeIdentifier &&
    x.end(node) - x.start(node) === 3 &&
    x.tree.text.startsWith('var', x.start(node))
  );
}

/** Rows of the bounds of a type parameter or of the parts of an intersection: one of them, or a union. */
export function anyOf(x: Walk, rows: readonly number[], node: number, scope: number, role: Role): number {
  if (rows.length <= 1) return rows[0] ?? -1;
  return x.build.expr(E.union, x.start(node), x.end(node), scope, '', -1, x.build.list(rows), role);
}

/** `type`, which begins at `start`, with the dimensions of the node, if it is there: those of an array type, or after a name as in `int a[]`. */
export function withDimensions(x: Walk, type: number, start: number, dimensions: number, scope: number): number {
  if (dimensions === -1 || type === -1) return type;
  let row = type;
  const stop = x.skip(dimensions);
  for (let c = dimensions + 1; c < stop; c = x.skip(c)) {
    if (x.proper(c)) x.walk(c, scope);
    else if (x.tree.text.charCodeAt(x.start(c)) === 0x5b /* [ */)
      row = x.build.expr(E.array, start, x.end(c), scope, '', row, -1, R.type);
  }
  return row;
}

/** Rows of the arguments in `<…>`. */
export function typeArguments(x: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) if (x.proper(c)) rows.push(typeRow(x, c, scope));
  return rows;
}

/** Rows of the types in an `extends`, `implements`, `permits` or `throws` clause. */
export function typesIn(x: Walk, clause: number, scope: number, role: Role, into: number[]): void {
  const stop = x.skip(clause);
  for (let c = clause + 1; c < stop; c = x.skip(c)) {
    if (!x.proper(c)) continue;
    if (x.kind(c) === x.kinds.typeList) typesIn(x, c, scope, role, into);
    else into.push(typeRow(x, c, scope, role));
  }
}

function genericType(x: Walk, node: number, scope: number, role: Role): number {
  const base = x.first(node);
  const list = x.childOf(node, x.kinds.typeArguments);
  const row =
    base === -1 || base === list
      ? x.build.expr(E.other, x.start(node), x.end(node), scope)
      : typeRow(x, base, scope, role);
  if (list === -1) return row;
  const rows = typeArguments(x, list, scope);
  if (rows.length === 0) return row;
  return x.build.expr(E.index, x.start(node), x.end(node), scope, '', row, x.build.list(rows), R.type);
}

function scopedType(x: Walk, node: number, scope: number, role: Role): number {
  const { kinds } = x;
  const last = x.last(node);
  let base = -1;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (!x.proper(c)) continue;
    if (c === last) return base === -1 ? x.name(c, scope, role) : x.member(base, c, scope, role);
    if (x.kind(c) === kinds.markerAnnotation || x.kind(c) === kinds.annotation) x.walk(c, scope);
    else base = typeRow(x, c, scope);
  }
  return x.build.expr(E.other, x.start(node), x.end(node), scope);
}

function arrayType(x: Walk, node: number, scope: number, role: Role): number {
  const element = x.first(node);
  if (element === -1) return x.build.expr(E.other, x.start(node), x.end(node), scope);
  return withDimensions(
    x,
    typeRow(x, element, scope, role),
    x.start(node),
    x.child(node, x.kinds.dimensionsField),
    scope,
  );
}

function annotatedType(x: Walk, node: number, scope: number, role: Role): number {
  const { kinds } = x;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (!x.proper(c)) continue;
    if (x.kind(c) !== kinds.markerAnnotation && x.kind(c) !== kinds.annotation) return typeRow(x, c, scope, role);
    x.walk(c, scope);
  }
  return x.build.expr(E.other, x.start(node), x.end(node), scope);
}

function wildcard(x: Walk, node: number, scope: number): number {
  const { kinds } = x;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    const kind = x.kind(c);
    if (!x.proper(c) || kind === kinds.super) continue;
    if (kind !== kinds.markerAnnotation && kind !== kinds.annotation) return typeRow(x, c, scope);
    x.walk(c, scope);
  }
  if (standsForObject(x, node))
    return x.build.expr(E.literal, x.start(node), x.end(node), scope, 'Object', -1, -1, R.type);
  return x.build.expr(E.other, x.start(node), x.end(node), scope);
}

/** Whether a bare `?` is the argument of a library type whose parameters have no bound. */
function standsForObject(x: Walk, node: number): boolean {
  const { tree, kinds } = x;
  const list = tree.parent[node] as number;
  const generic = tree.parent[list] as number;
  if (x.kind(list) !== kinds.typeArguments || x.kind(generic) !== kinds.genericType) return false;
  const base = x.first(generic);
  const name = x.text(x.kind(base) === kinds.scopedTypeIdentifier ? x.last(base) : base);
  return (
    LIBRARY.classObjects.has(name) ||
    LIBRARY.sequences.has(name) ||
    LIBRARY.mappings.has(name) ||
    LIBRARY.wrappers.has(name)
  );
}
