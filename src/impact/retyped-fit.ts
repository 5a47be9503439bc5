/**
 * Whether what had one type fits where another is asked for: of a parameter, of a result, of a field, where the type
 * changed.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { isPartOf } from '../change/written-union.js';
import { areSame, isWithin, typesTaken, type PlacedType } from '../graph/resolve/type-inclusion.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf } from '../graph/resolve/signature.js';
import { areComputedApart } from '../graph/resolve/computed-types.js';
import { isSurelyTaken } from '../graph/resolve/overloads.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import { isBelow } from '../graph/resolve/written-name.js';
import { instanceOf } from '../graph/resolve/written-types.js';
import type { DeclRef } from '../languages/language.js';
import { D, E } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';

/** A type that changed, as written; `name`: that of the parameter now, absent for what is returned or held. */
export interface Retyped {
  readonly from: string;
  readonly to: string;
  readonly name?: string;
}

/**
 * `same`: the type is another one by its text alone. `unsaid`: one of the two is not written. `computed`: what differs
 * is computed of types that the place gives.
 */
export type TypesFit = 'same' | 'fits' | 'unsaid' | 'computed' | 'unknown';

/** Of what a place gives: whether all that was taken is taken still. */
export const givenFit = (change: AtomicChange, type: Retyped, graphs: Graphs): TypesFit =>
  fitOf(change, type, graphs, true);

/** Of what a place gets: whether all that may come now could come before. */
export const gotFit = (change: AtomicChange, type: Retyped, graphs: Graphs): TypesFit =>
  fitOf(change, type, graphs, false);

function fitOf(change: AtomicChange, type: Retyped, { before, after }: Graphs, isGiven: boolean): TypesFit {
  const { before: was, after: is } = change;
  if (type.from === '' || type.to === '') return 'unsaid';
  if (was === undefined || is === undefined) return 'unknown';
  const nameBefore = change.detail.signature?.renamed.find(({ to }) => to === type.name)?.from ?? type.name;
  const old = placed(before, was, nameBefore);
  const now = placed(after, is, type.name);
  // Rows of other languages leave out words that matter here: what may be missing, wildcards.
  const isByRows = after.language(is.file).structural && change.detail.ofArguments !== true;
  if (isByRows && areSame(old, now)) return 'same';
  const [part, whole] = isGiven ? [old, now] : [now, old];
  const [less, more] = isGiven ? [type.from, type.to] : [type.to, type.from];
  if ((isByRows && isWithin(part, whole)) || isPartOf(less, more, (name, base) => isBelow(after, is.file, name, base)))
    return 'fits';
  return isByRows && areComputedApart(old, now) ? 'computed' : 'unknown';
}

/** Whether what a type stands for is computed otherwise now, of what is given for its parameters. */
export function isComputedOtherwise({ before: was, after: is }: AtomicChange, { before, after }: Graphs): boolean {
  if (was === undefined || is === undefined || !after.language(is.file).structural) return false;
  return areComputedApart(placed(before, was, undefined), placed(after, is, undefined));
}

/** Whether what a call gives for the parameter is known to be of its new type. */
export function takesArgument(
  { after: is, detail: { signature } }: AtomicChange,
  name: string,
  { after }: Graphs,
  given: { readonly file: string; readonly expr: number },
): boolean {
  if (is === undefined || given.expr < 0) return false;
  const isGatheredNoMore = signature?.passing.some(({ name: of, from }) => of === name && from === 'rest') === true;
  if (!after.language(is.file).structural && !isGatheredNoMore) return false;
  return takesAt(placed(after, is, name), after, given);
}

function takesAt(
  wanted: PlacedType,
  after: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
): boolean {
  const value = after.typeOf(file, expr);
  const values = typesTaken(wanted).flatMap(({ file: of, row }) => instanceOf(after, of, row).values);
  return isSurelyTaken(after, after.language(file), { values, unknown: false }, value);
}

/**
 * Whether a call of what holds a function goes on fitting: the types of its parameters alone changed, and those of now
 * take what it gives.
 */
export function takesArguments(
  change: AtomicChange,
  graphs: Graphs,
  { file, call }: { readonly file: string; readonly call: number },
): boolean {
  const types = functionTypesOf(change, graphs);
  if (types === undefined) return false;
  const { exprs } = graphs.after.summary(file);
  const given = exprs.argumentsOf(call);
  return types.every(
    ({ was, is }, i) =>
      given[i] === undefined ||
      areSame(was, is) ||
      (given.slice(0, i + 1).every(({ spread }) => spread === 'none') &&
        takesAt(is, graphs.after, { file, expr: given[i].expr })),
  );
}

/**
 * Whether a function that is given for a member whose type is a function's takes nothing of what changed: the types of
 * parameters alone did, and of those that stand behind its own.
 */
export function takesNothingRetyped(change: AtomicChange, given: DeclRef, graphs: Graphs): boolean {
  const first = functionTypesOf(change, graphs)?.findIndex(({ was, is }) => !areSame(was, is)) ?? -1;
  const { params } = signatureOf(graphs.after.summary(given.file), given.decl);
  return first >= 0 && params.length <= first && !params.some((param) => param.rest);
}

/**
 * The types of a function's parameters before and now, of what holds a function; undefined where more than these
 * changed.
 */
function functionTypesOf(
  { before: was, after: is }: AtomicChange,
  { before, after }: Graphs,
): readonly { readonly was: PlacedType; readonly is: PlacedType }[] | undefined {
  if (was === undefined || is === undefined || !after.language(is.file).structural) return undefined;
  const [old, now] = [placed(before, was, undefined), placed(after, is, undefined)];
  if (old.row < 0 || now.row < 0) return undefined;
  const [summary, others] = [before.summary(was.file), after.summary(is.file)];
  const { exprs } = summary;
  if (exprs.opOf(old.row) !== E.functionType || others.exprs.opOf(now.row) !== E.functionType) return undefined;
  const [taken, takes] = [[...exprs.partsOf(old.row)], [...others.exprs.partsOf(now.row)]];
  const [gave, gives] = [exprs.operandOf(old.row), others.exprs.operandOf(now.row)];
  const isSameResult =
    areSame({ ...old, row: gave }, { ...now, row: gives }) ||
    (was.file === is.file && sameWritten(summary, gave, others, gives));
  if (taken.length !== takes.length || !isSameResult || exprs.nameOf(old.row) !== others.exprs.nameOf(now.row))
    return undefined;
  return taken.map((row, i) => ({ was: { ...old, row }, is: { ...now, row: takes[i] ?? -1 } }));
}

/** The type of a parameter, or without a name of the declaration itself. */
function placed(resolver: Resolver, { file, decl }: DeclRef, name: string | undefined): PlacedType {
  if (decl < 0) return { resolver, file, row: -1 };
  const { decls } = resolver.summary(file);
  // What a call does not say for a type parameter that stands in what it gets alone is its default.
  const byDefault = name === undefined && decls.kindOf(decl) !== D.typeAlias ? [...decls.typeParamsOf(decl)] : [];
  const of =
    name === undefined ? decl : ([...decls.paramsOf(decl)].find((param) => decls.nameOf(param) === name) ?? -1);
  return { resolver, file, row: of < 0 ? -1 : decls.typeOf(of), byDefault };
}
