/**
 * Whether a type parameter that takes fewer types than before takes what a use gives for it, or leaves to be inferred.
 *
 * What is not known does not fit: a bound that is no type (`new()`), one that names the parameter itself, a type that
 * is computed.
 */
import type { Narrowed } from '../change/signature-delta.js';
import { declarationNamed, isWithin, type PlacedType } from '../graph/resolve/type-inclusion.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, type Summary } from '../syntax/summary.js';

/** The first of the parameters that may not take what the use writes for it. */
export const narrowedForWritten = (
  after: Resolver,
  of: DeclRef,
  narrowed: readonly Narrowed[],
  file: string,
  written: readonly number[],
): Narrowed | undefined =>
  narrowed.find(({ place, bounds }) => {
    const given = written[place];
    // A default is within its own bound.
    return given !== undefined && !isWithinAll(after, of, place, bounds, { resolver: after, file, row: given });
  });

/** The first of the parameters whose bound a call that leaves them to be inferred may break. */
export const narrowedForInferred = (
  after: Resolver,
  of: DeclRef,
  narrowed: readonly Narrowed[],
): Narrowed | undefined => narrowed.find(({ place }) => !isBoundByOthers(after, of, place));

function isWithinAll(
  after: Resolver,
  of: DeclRef,
  place: number,
  bounds: readonly string[],
  given: PlacedType,
): boolean {
  const { decls, exprs } = after.summary(of.file);
  const param = [...decls.typeParamsOf(of.decl)][place];
  const bound = param === undefined ? -1 : decls.typeOf(param);
  if (bound < 0) return false;
  const isSides = exprs.opOf(bound) === E.union;
  // One type with a word in it is a type of its own (`A | B`, `readonly A[]`).
  const types = isSides && bounds.length > 1 ? [...exprs.partsOf(bound)] : [bound];
  return (
    types.length >= bounds.length && types.every((row) => isWithin(given, { resolver: after, file: of.file, row }))
  );
}

/**
 * Whether the parameter stands nowhere in the function's parameters but as an argument of types that ask the same of
 * it: no value of such a type can have anything else there.
 */
function isBoundByOthers(after: Resolver, of: DeclRef, place: number): boolean {
  const summary = after.summary(of.file);
  const { decls, exprs } = summary;
  const param = [...decls.typeParamsOf(of.decl)][place];
  const bound = param === undefined ? -1 : decls.typeOf(param);
  if (param === undefined || bound < 0) return false;
  let uses = 0;
  for (const row of exprs.named(decls.nameIdOf(param))) {
    if (!isInParameters(summary, of.decl, row)) continue;
    uses++;
    if (!asksTheSame(after, of.file, row, bound)) return false;
  }
  return uses > 0;
}

const isInParameters = ({ decls, exprs }: Summary, decl: number, row: number): boolean =>
  [...decls.paramsOf(decl)].some(
    (param) =>
      decls.startOf(param) <= exprs.startOf(row) &&
      exprs.startOf(row) < decls.endOf(param) &&
      exprs.startOf(row) !== decls.nameStartOf(param),
  );

/** Whether a row is an argument of a generic type whose own parameter there has the bound. */
function asksTheSame(after: Resolver, file: string, row: number, bound: number): boolean {
  const summary = after.summary(file);
  const { exprs } = summary;
  const generic = exprs.usesOf(row).find((use) => 'row' in use && exprs.opOf(use.row) === E.index);
  if (generic === undefined || !('row' in generic)) return false;
  const named = declarationNamed({ resolver: after, file, row: exprs.operandOf(generic.row) });
  const at = [...exprs.partsOf(generic.row)].indexOf(row);
  if (named === undefined || at < 0) return false;
  const other = after.summary(named.file);
  const param = [...other.decls.typeParamsOf(named.decl)][at];
  const asked = param === undefined ? -1 : other.decls.typeOf(param);
  return other.decls.kindOf(named.decl) !== D.typeParam && asked >= 0 && sameWritten(summary, bound, other, asked);
}
