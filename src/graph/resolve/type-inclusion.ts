/**
 * Whether each value of one written type is one of another, with aliases written out: `A | B` of `Either`, `Circle` of
 * `Shape`, `string[]` of `readonly string[]`.
 *
 * The two may stand in two trees, before an edit and after it: a declaration is the same one in both by its file and
 * path. What is not sure is none, so that a type may be said to lie outside of one that it is in, and never the other
 * way: literals whose value is no word, functions (nothing tells one from a constructor), tuples, types that the
 * language's extractor does not model, generics with arguments that are not the same. A generic alias is not written
 * out.
 */
import { D, E, isClassLike, R, TYPE_OF } from '../../syntax/summary.js';
import { isSubclass } from './hierarchy.js';
import type { DeclRef } from '../../languages/language.js';
import type { Resolver } from './resolver.js';
import { sameWritten } from './written-form.js';

/** A type as it is written in one of the trees; row -1 for none. */
export interface PlacedType {
  readonly resolver: Resolver;
  readonly file: string;
  readonly row: number;
  /** Type parameters of the file that stand for their defaults, where they have one. */
  readonly byDefault?: readonly number[];
}

/** How many aliases and parts deep types are compared: one may name itself. */
const DEPTH_MOST = 12;

export const isWithin = (part: PlacedType, whole: PlacedType): boolean => within(part, whole, DEPTH_MOST);

/** Whether two types have the same values. */
export const areSame = (a: PlacedType, b: PlacedType): boolean => same(a, b, DEPTH_MOST);

function within(part: PlacedType, whole: PlacedType, depth: number): boolean {
  if (part.row < 0 || whole.row < 0 || depth <= 0) return false;
  const sides = sidesOf(whole, depth);
  return sidesOf(part, depth).every((each) => sides.some((side) => isOne(each, side, depth - 1)));
}

const same = (a: PlacedType, b: PlacedType, depth: number): boolean => within(a, b, depth) && within(b, a, depth);

/** What a union, or an alias of one, is one of. */
function sidesOf(type: PlacedType, depth: number): PlacedType[] {
  const { exprs } = type.resolver.summary(type.file);
  if (depth <= 0) return [type];
  if (wordOf(type) === '') return [...exprs.partsOf(type.row)].flatMap((row) => sidesOf({ ...type, row }, depth - 1));
  const alias = aliasedBy(type);
  return alias === undefined ? [type] : sidesOf(alias, depth - 1);
}

/**
 * The types of which the values of a type are, unions and aliases written out, those with type parameters as well;
 * types of one value each are left out.
 */
export function typesTaken(type: PlacedType, depth = DEPTH_MOST): PlacedType[] {
  if (type.row < 0 || depth <= 0) return [];
  const { exprs } = type.resolver.summary(type.file);
  const op = exprs.opOf(type.row);
  if (wordOf(type) === '') return partsOf(type).flatMap((part) => typesTaken(part, depth - 1));
  if (op === E.literal) return exprs.roleOf(type.row) === R.type ? [type] : [];
  if (op !== E.name && op !== E.member && op !== E.index) return [];
  const head = op === E.index ? { ...type, row: exprs.operandOf(type.row) } : type;
  const named = declarationNamed(head);
  const { decls } = type.resolver.summary(named?.file ?? type.file);
  if (named === undefined || decls.kindOf(named.decl) !== D.typeAlias) return [type];
  const row = decls.typeOf(named.decl);
  return row < 0 ? [type] : typesTaken({ ...type, file: named.file, row }, depth - 1);
}

/** The word that says what kind of a union the row is, '' for none; undefined for other rows. */
function wordOf({ resolver, file, row }: PlacedType): string | undefined {
  const { exprs } = resolver.summary(file);
  return exprs.opOf(row) === E.union ? exprs.nameOf(row) : undefined;
}

/** What the alias that a row names stands for, or the type parameter that is left out. */
function aliasedBy(type: PlacedType): PlacedType | undefined {
  const named = declarationNamed(type);
  if (named === undefined) return undefined;
  const { decls } = type.resolver.summary(named.file);
  if (type.byDefault?.includes(named.decl) === true && named.file === type.file && decls.valueOf(named.decl) >= 0)
    return { ...type, row: decls.valueOf(named.decl) };
  const row = decls.kindOf(named.decl) === D.typeAlias ? decls.typeOf(named.decl) : -1;
  return row < 0 || decls.typeParamsOf(named.decl).length > 0
    ? undefined
    : { resolver: type.resolver, file: named.file, row };
}

/** The one declaration that the row of a type names. */
export function declarationNamed({
  resolver,
  file,
  row,
}: PlacedType): { readonly file: string; readonly decl: number } | undefined {
  const { exprs } = resolver.summary(file);
  const op = exprs.opOf(row);
  if ((op !== E.name && op !== E.member) || exprs.roleOf(row) !== R.type) return undefined;
  const { targets, confidence } = resolver.resolve(file, row);
  const [target, ...others] = targets;
  return target === undefined || target.decl < 0 || others.length > 0 || confidence !== 'certain' ? undefined : target;
}

/** Whether one type that is no union is another such, or below it. */
function isOne(a: PlacedType, b: PlacedType, depth: number): boolean {
  const [wordA, wordB] = [wordOf(a), wordOf(b)];
  if (wordB === '&') return partsOf(b).every((part) => within(a, part, depth));
  if (wordA === '&') return partsOf(a).some((part) => within(part, b, depth));
  if (wordB === 'readonly') {
    const inside = wordA === 'readonly' ? partsOf(a)[0] : a;
    return partsOf(b).every((part) => inside !== undefined && within(inside, part, depth));
  }
  if (wordA === TYPE_OF || wordB === TYPE_OF) return wordA === wordB && areAllValues(a, b);
  const [own, other] = [a.resolver.summary(a.file).exprs, b.resolver.summary(b.file).exprs];
  const op = own.opOf(a.row);
  if (op === E.name || op === E.member) return isNamed(a, b, depth);
  if (op !== other.opOf(b.row)) return false;
  switch (op) {
    case E.literal:
      return isSameLiteral(a, b) && isSamePredicate(a, b, depth);
    case E.string:
      return own.nameOf(a.row) === other.nameOf(b.row) && own.operandOf(a.row) < 0 && other.operandOf(b.row) < 0;
    case E.array:
      return within({ ...a, row: own.operandOf(a.row) }, { ...b, row: other.operandOf(b.row) }, depth);
    case E.index: {
      const heads = isNamed({ ...a, row: own.operandOf(a.row) }, { ...b, row: other.operandOf(b.row) }, depth);
      return heads && areAllSame(partsOf(a), partsOf(b), depth);
    }
    case E.closure:
      return a.file === b.file && sameWritten(a.resolver.summary(a.file), a.row, b.resolver.summary(b.file), b.row);
    default:
      return false;
  }
}

/** Whether two types are those of the same value, as it is named in one file. */
const areAllValues = (a: PlacedType, b: PlacedType): boolean =>
  a.file === b.file && sameWritten(a.resolver.summary(a.file), a.row, b.resolver.summary(b.file), b.row);

const partsOf = (type: PlacedType): PlacedType[] =>
  [...type.resolver.summary(type.file).exprs.partsOf(type.row)].map((row) => ({ ...type, row }));

const areAllSame = (a: readonly PlacedType[], b: readonly PlacedType[], depth: number): boolean =>
  a.length === b.length && a.every((part, i) => same(part, b[i] as PlacedType, depth));

/** Whether two literals hang on the same type, as a predicate does (`x is T`), or on none. */
function isSamePredicate(a: PlacedType, b: PlacedType, depth: number): boolean {
  const typeOf = ({ resolver, file, row }: PlacedType): number => resolver.summary(file).exprs.operandOf(row);
  const [own, other] = [typeOf(a), typeOf(b)];
  return own < 0 || other < 0 ? own < 0 && other < 0 : same({ ...a, row: own }, { ...b, row: other }, depth);
}

/** Of types without a value, and of types of literals; of those of one value each that there is only one of. */
function isSameLiteral(a: PlacedType, b: PlacedType): boolean {
  const saidBy = ({ resolver, file, row }: PlacedType): string => {
    const { exprs } = resolver.summary(file);
    // `null`, `undefined` and `never` are one row, and differ in how long their words are.
    return `${exprs.nameOf(row)} ${exprs.roleOf(row)} ${exprs.endOf(row) - exprs.startOf(row)}`;
  };
  const { exprs } = a.resolver.summary(a.file);
  return saidBy(a) === saidBy(b) && (exprs.roleOf(a.row) === R.type || exprs.nameOf(a.row) === 'null');
}

/** Whether a name stands for what another one stands for, or for a class below it. */
function isNamed(a: PlacedType, b: PlacedType, depth: number): boolean {
  const [own, other] = [declarationNamed(a), declarationNamed(b)];
  if (own === undefined || other === undefined) return isSameOutside(a, b, depth);
  const [summary, others] = [a.resolver.summary(own.file), b.resolver.summary(other.file)];
  const path = summary.decls.pathOf(own.decl);
  if (summary.decls.kindOf(own.decl) === D.typeParam)
    return own.file === other.file && others.decls.kindOf(other.decl) === D.typeParam && isSameWord(a, b);
  if (own.file === other.file && path === others.decls.pathOf(other.decl)) return true;
  if (!isClassLike(others.decls.kindOf(other.decl))) return false;
  const found: readonly DeclRef[] = a.resolver === b.resolver ? [own] : inOtherTree(b.resolver, own.file, path);
  const [there, ...more] = found;
  return there !== undefined && more.length === 0 && isSubclass(b.resolver, there, other);
}

/** Declarations of a file by their path, which stand at its top. */
const inOtherTree = (resolver: Resolver, file: string, path: string): DeclRef[] =>
  resolver.topLevel(file, path).flatMap((entity) => (entity.kind === 'decl' ? [entity] : []));

const isSameWord = (a: PlacedType, b: PlacedType): boolean =>
  a.resolver.summary(a.file).exprs.nameOf(a.row) === b.resolver.summary(b.file).exprs.nameOf(b.row);

/**
 * Whether two names both lead outside of the repository, and are the same; of members, of the same type: `Req["node"]`.
 */
function isSameOutside(a: PlacedType, b: PlacedType, depth: number): boolean {
  const areOutside = [a, b].every(
    ({ resolver, file, row }) =>
      [E.name, E.member].some((op) => op === resolver.summary(file).exprs.opOf(row)) &&
      resolver.resolve(file, row).external,
  );
  if (!areOutside || !isSameWord(a, b)) return false;
  const [own, other] = [a, b].map((type) => ownerOf(type));
  return own === undefined || other === undefined || same(own, other, depth);
}

/** The type whose member the row names, if it is one. */
function ownerOf(type: PlacedType): PlacedType | undefined {
  const { exprs } = type.resolver.summary(type.file);
  return exprs.opOf(type.row) === E.member ? { ...type, row: exprs.operandOf(type.row) } : undefined;
}
