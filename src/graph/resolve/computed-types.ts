/**
 * Whether two written types differ in nothing but what is computed of types that are only given later: of type
 * parameters, and of the type of the object itself (`this`).
 *
 *     T["_output"]           T extends { output: infer O } ? O : unknown       differ in what is computed
 *     Box<Merge<T, U>>       Box<Extend<T, U>>                                 so do these
 *     T                      U                                                 and these: each is what is given
 *     T                      T | undefined                                     do not: the one is not the other
 *
 * What such a type comes to at a place is for a type checker to say: nobody computes it here. Errs on the side of
 * telling two types apart.
 */
import { D, E, R } from '../../syntax/summary.js';
import type { RowList } from '../../syntax/rows.js';
import { areSame, declarationNamed, type PlacedType } from './type-inclusion.js';
import { sameWritten } from './written-form.js';

/** How deep types are compared, and aliases looked into. */
const DEPTH_MOST = 8;
/** The unions that conditional types and types mapped over the keys of another are read as. */
const CONDITIONAL = '?';
const MAPPED = 'in';
/** What is all of its sides at once. */
const BOTH = '&';

/** Of equal types it holds as well. */
export const areComputedApart = (a: PlacedType, b: PlacedType): boolean => computedApart(a, b, DEPTH_MOST);

function computedApart(a: PlacedType, b: PlacedType, depth: number): boolean {
  if (a.row < 0 || b.row < 0 || depth <= 0) return false;
  const [own, other] = [a.resolver.summary(a.file), b.resolver.summary(b.file)];
  if (sameWritten(own, a.row, other, b.row) || areSame(a, b)) return true;
  if (isOpen(a, depth) && isOpen(b, depth)) return true;
  const op = own.exprs.opOf(a.row);
  if (op !== other.exprs.opOf(b.row)) return false;
  const inside = (rowA: number, rowB: number): boolean =>
    computedApart({ ...a, row: rowA }, { ...b, row: rowB }, depth - 1);
  const parts = (): boolean => {
    const [all, others] = [own.exprs.partsOf(a.row), other.exprs.partsOf(b.row)];
    return all.length === others.length && all.every((part, i) => inside(part, others[i] as number));
  };
  switch (op) {
    case E.array:
      return inside(own.exprs.operandOf(a.row), other.exprs.operandOf(b.row));
    case E.union:
      return own.exprs.nameOf(a.row) === other.exprs.nameOf(b.row) && parts();
    case E.functionType: {
      const [gave, gives] = [own.exprs.operandOf(a.row), other.exprs.operandOf(b.row)];
      return parts() && (gave < 0 ? gives < 0 : inside(gave, gives));
    }
    case E.index:
      return own.exprs.nameOf(headOf(a)) === other.exprs.nameOf(headOf(b)) && (parts() || (areOpen(a) && areOpen(b)));
    default:
      return false;
  }
}

const headOf = ({ resolver, file, row }: PlacedType): number => resolver.summary(file).exprs.operandOf(row);

const partsOf = ({ resolver, file, row }: PlacedType): RowList<number> => resolver.summary(file).exprs.partsOf(row);

/** Whether all arguments of a generic type hang on what is given later. */
const areOpen = (type: PlacedType): boolean => partsOf(type).every((row) => isOpen({ ...type, row }, DEPTH_MOST));

/** Whether what a type is hangs on what is given later: a type parameter, the object's own type, what is computed. */
function isOpen(type: PlacedType, depth: number): boolean {
  const { resolver, file, row } = type;
  if (row < 0) return false;
  if (resolver.summary(file).exprs.opOf(row) === E.this) return true;
  const named = declarationNamed(type);
  return named !== undefined && resolver.summary(named.file).decls.kindOf(named.decl) === D.typeParam
    ? true
    : isComputed(type, depth);
}

function isComputed(type: PlacedType, depth: number): boolean {
  const { resolver, file, row } = type;
  if (row < 0 || depth <= 0) return false;
  const { exprs } = resolver.summary(file);
  switch (exprs.opOf(row)) {
    case E.union: {
      const word = exprs.nameOf(row);
      return word === CONDITIONAL || word === MAPPED || (word === BOTH && hasComputed(type, depth - 1));
    }
    case E.other:
      return hasParts(type);
    case E.operator:
      return [exprs.operandOf(row), exprs.secondOf(row)].some((part) => isOpen({ ...type, row: part }, depth - 1));
    case E.member:
      return isPartOfOpen({ ...type, row: exprs.baseOf(row) }, depth - 1);
    case E.index: {
      // A type mapped over the keys of another.
      if (
        partsOf(type).some((part) => exprs.opOf(part) === E.operator && isComputed({ ...type, row: part }, depth - 1))
      )
        return true;
      const alias = declarationNamed({ ...type, row: exprs.operandOf(row) });
      if (alias === undefined) return false;
      const { decls } = resolver.summary(alias.file);
      if (decls.kindOf(alias.decl) !== D.typeAlias) return false;
      return (
        isComputed({ resolver, file: alias.file, row: decls.typeOf(alias.decl) }, depth - 1) ||
        hasComputed(type, depth - 1)
      );
    }
    default:
      return false;
  }
}

const hasComputed = (type: PlacedType, depth: number): boolean =>
  partsOf(type).some((row) => isComputed({ ...type, row }, depth));

/** Whether a member is looked up in a type that hangs on what is given: `T["key"]`, `Required<T["a"]>["b"]`. */
function isPartOfOpen(base: PlacedType, depth: number): boolean {
  const { exprs } = base.resolver.summary(base.file);
  const isGeneric = base.row >= 0 && exprs.opOf(base.row) === E.index;
  return isGeneric ? partsOf(base).some((row) => isOpen({ ...base, row }, depth)) : isOpen(base, depth);
}

/** Whether types stand inside of a row: a type that is one word has none. They come before what they are part of. */
function hasParts({ resolver, file, row }: PlacedType): boolean {
  const { exprs } = resolver.summary(file);
  const last = row - 1;
  return (
    last >= 0 &&
    exprs.roleOf(last) === R.type &&
    exprs.startOf(last) >= exprs.startOf(row) &&
    exprs.endOf(last) <= exprs.endOf(row)
  );
}
