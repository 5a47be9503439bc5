/**
 * Type expressions: `A.B<C>[]`, tuples, function pointers; and names as they stand in usings.
 *
 * Nullability, `ref`, `scoped` and pointers vanish: members are looked up in what they are made
 * of. A predefined type is a name row like any other, which resolution finds to be external.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import { T } from './kinds.js';
import type { Walk } from './walk.js';

/** The row of a type, or -1 for `var`. The name that says which type it is gets `role`. */
export function typeRow(w: Walk, node: number, scope: number, role: Role = R.type): number {
  if (node === -1) return -1;
  const { fields } = w.kinds;
  switch (w.tag(node)) {
    case T.identifier: {
      const row = w.nameRow(node, scope, role);
      if (w.name(node) === 'dynamic') w.build.undecidable(row);
      return row;
    }
    case T.predefined_type:
      return w.expr(E.name, node, scope, w.tree.text.slice(w.start(node), w.end(node)), -1, -1, role);
    case T.generic_name:
      return genericType(w, node, -1, scope, role);
    case T.qualified_name: {
      const qualifier = w.inField(node, fields.qualifier);
      const base = typeRow(w, qualifier, scope, role === R.import ? R.import : R.type);
      return lastName(w, w.inField(node, fields.name), base, scope, role);
    }
    case T.alias_qualified_name: {
      const alias = w.inField(node, fields.alias);
      const base =
        alias === -1 || w.name(alias) === 'global'
          ? -1
          : w.nameRow(alias, scope, role === R.import ? R.import : R.type);
      return lastName(w, w.inField(node, fields.name), base, scope, role);
    }
    case T.nullable_type:
    case T.pointer_type:
    case T.ref_type:
    case T.scoped_type:
      return typeRow(w, w.inField(node, fields.type), scope, role);
    case T.array_type:
      return arrayType(w, node, scope);
    case T.tuple_type:
      return w.expr(
        E.list,
        node,
        scope,
        'tuple',
        -1,
        w.build.list(elementTypes(w, node, T.tuple_element, scope)),
        R.type,
      );
    case T.function_pointer_type: {
      const params = elementTypes(w, node, T.function_pointer_parameter, scope);
      return w.expr(
        E.functionType,
        node,
        scope,
        '',
        typeRow(w, w.inField(node, fields.returns), scope),
        w.build.list(params),
        R.type,
      );
    }
    case T.implicit_type:
      return -1;
    default:
      return w.visit(node, scope);
  }
}

/** The last part of a qualified name: an identifier or generic name behind `base`; alone when `base` is -1. */
function lastName(w: Walk, node: number, base: number, scope: number, role: Role): number {
  if (node === -1) return base;
  if (w.tag(node) === T.generic_name) return genericType(w, node, base, scope, role);
  return base === -1 ? w.nameRow(node, scope, role) : w.memberRow(node, base, scope, role);
}

/** `A<B>` is index(A, [B]); `A<>` is A. */
function genericType(w: Walk, node: number, base: number, scope: number, role: Role): number {
  const identifier = w.ofTag(node, T.identifier);
  const name =
    identifier === -1
      ? base
      : base === -1
        ? w.nameRow(identifier, scope, role)
        : w.memberRow(identifier, base, scope, role);
  const args = typeArguments(w, node, scope);
  if (args.length === 0 || name === -1) return name;
  w.lastTypeArgument = args[0] as number;
  return functionType(w, node, scope, name, args) ?? w.expr(E.index, node, scope, '', name, w.build.list(args), R.type);
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
        ? functionRow(w, node, scope, name, w.lastFunction.returns, w.lastFunction.params)
        : undefined;
    default:
      return undefined;
  }
}

function functionRow(w: Walk, node: number, scope: number, name: string, returns: number, params: number): number {
  w.lastFunction = { returns, params };
  return w.expr(E.functionType, node, scope, name, returns, params, R.type);
}

/** Rows of the type arguments of a generic name. */
export function typeArguments(w: Walk, genericName: number, scope: number): number[] {
  const rows: number[] = [];
  const list = w.ofTag(genericName, T.type_argument_list);
  if (list === -1) return rows;
  for (let c = w.first(list); c !== -1; c = w.next(list, c)) {
    if (!w.counts(c)) continue;
    const row = typeRow(w, c, scope);
    if (row >= 0) rows.push(row);
  }
  return rows;
}

function arrayType(w: Walk, node: number, scope: number): number {
  const element = typeRow(w, w.inField(node, w.kinds.fields.type), scope);
  const rank = w.ofTag(node, T.array_rank_specifier);
  if (rank !== -1) w.visitChildren(rank, scope);
  return w.expr(E.array, node, scope, '', element, -1, R.type);
}

function elementTypes(w: Walk, node: number, tag: number, scope: number): number[] {
  const rows: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (w.tag(c) !== tag) continue;
    const row = typeRow(w, w.inField(c, w.kinds.fields.type), scope);
    if (row >= 0) rows.push(row);
  }
  return rows;
}
