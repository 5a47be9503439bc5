/**
 * Type expressions: `A.B<C>[]`, tuples, function pointers; and names as they stand in usings.
 *
 * Nullability, `ref`, `scoped` and pointers vanish: members are looked up in what they are made
 * of. A predefined type is a name row like any other, which resolution finds to be external.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Table, Walk } from './walk.js';

const named: Handler = (w, node, scope, role) => {
  const row = w.nameRow(node, scope, role);
  if (w.nameOf(node) === 'dynamic') w.build.undecidable(row);
  return row;
};

const qualified: Handler = (w, node, scope, role) => {
  const base = w.type(w.child(node, FIELD.qualifier), scope, role === R.import ? R.import : R.type);
  return lastName(w, w.child(node, FIELD.name), base, scope, role);
};

const aliased: Handler = (w, node, scope, role) => {
  const alias = w.child(node, FIELD.alias);
  const base =
    alias === -1 || w.nameOf(alias) === 'global' ? -1 : w.nameRow(alias, scope, role === R.import ? R.import : R.type);
  return lastName(w, w.child(node, FIELD.name), base, scope, role);
};

/** `A?`, `A*`, `ref A`. */
const inner: Handler = (w, node, scope, role) => w.type(w.child(node, FIELD.type), scope, role);

const tuple: Handler = (w, node, scope) =>
  w.list(node, scope, 'tuple', elementTypes(w, node, K.tuple_element, scope), R.type);

const functionPointer: Handler = (w, node, scope) => {
  const params = elementTypes(w, node, K.function_pointer_parameter, scope);
  const returns = w.type(w.child(node, FIELD.returns), scope);
  return w.expr(E.functionType, node, scope, '', returns, w.build.list(params), R.type);
};

/** The last part of a qualified name: an identifier or generic name behind `base`; alone when `base` is -1. */
function lastName(w: Walk, node: number, base: number, scope: number, role: Role): number {
  if (node === -1) return base;
  if (w.kind(node) === K.generic_name) return genericType(w, node, base, scope, role);
  return base === -1 ? w.nameRow(node, scope, role) : w.memberRow(node, base, scope, role);
}

/** `A<B>` is index(A, [B]); `A<>` is A. */
function genericType(w: Walk, node: number, base: number, scope: number, role: Role): number {
  const identifier = w.childOf(node, K.identifier);
  const name =
    identifier === -1
      ? base
      : base === -1
        ? w.nameRow(identifier, scope, role)
        : w.memberRow(identifier, base, scope, role);
  const args = typeArguments(w, node, scope);
  if (name === -1 || w.childOf(node, K.type_argument_list) === -1) return name;
  // `Foo<>`: of any such type, whatever its arguments.
  if (args.length === 0) return w.index(node, scope, name, [], R.type);
  w.state.lastTypeArgument = args[0] as number;
  return functionType(w, node, scope, name, args) ?? w.index(node, scope, name, args, R.type);
}

/**
 * The library's generic delegates as the function types that they are; undefined for other types.
 * An expression tree of a function is one, too, since a lambda is written for both. The row's name
 * is that of the type with its arity, which tells overloads apart.
 */
function functionType(w: Walk, node: number, scope: number, head: number, args: readonly number[]): number | undefined {
  const name = w.build.exprName(head);
  const last = args[args.length - 1] as number;
  switch (name) {
    case 'Func':
    case 'Converter':
      return functionRow(w, node, scope, `${name}\`${args.length}`, last, w.build.list(args.slice(0, -1)));
    case 'Action':
    case 'Predicate':
      return functionRow(w, node, scope, `${name}\`${args.length}`, -1, w.build.list(args));
    case 'Comparison':
      return functionRow(w, node, scope, `${name}\`1`, -1, w.build.list([last, last]));
    case 'Expression':
      return w.build.exprOp(last) === E.functionType
        ? functionRow(w, node, scope, name, w.state.lastFunction.returns, w.state.lastFunction.params)
        : undefined;
    default:
      return undefined;
  }
}

function functionRow(w: Walk, node: number, scope: number, name: string, returns: number, params: number): number {
  w.state.lastFunction = { returns, params };
  return w.expr(E.functionType, node, scope, name, returns, params, R.type);
}

/** Rows of the type arguments of a generic name. */
export function typeArguments(w: Walk, genericName: number, scope: number): number[] {
  const rows: number[] = [];
  const list = w.childOf(genericName, K.type_argument_list);
  if (list === -1) return rows;
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const row = w.type(c, scope);
    if (row >= 0) rows.push(row);
  }
  return rows;
}

function arrayType(w: Walk, node: number, scope: number): number {
  const element = w.type(w.child(node, FIELD.type), scope);
  const rank = w.childOf(node, K.array_rank_specifier);
  if (rank !== -1) w.lastOf(rank, scope);
  return w.expr(E.array, node, scope, '', element, -1, R.type);
}

function elementTypes(w: Walk, node: number, tag: number, scope: number): number[] {
  const rows: number[] = [];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== tag) continue;
    const row = w.type(w.child(c, FIELD.type), scope);
    if (row >= 0) rows.push(row);
  }
  return rows;
}

/** Rows of types; -1 for `var`. The name that says which type it is gets the role. */
export const TYPES: Table = {
  identifier: named,
  predefined_type: (w, node, scope, role) => w.nameRow(node, scope, role),
  generic_name: (w, node, scope, role) => genericType(w, node, -1, scope, role),
  qualified_name: qualified,
  alias_qualified_name: aliased,
  nullable_type: inner,
  pointer_type: inner,
  ref_type: inner,
  scoped_type: inner,
  array_type: arrayType,
  tuple_type: tuple,
  function_pointer_type: functionPointer,
  implicit_type: () => -1,
};
