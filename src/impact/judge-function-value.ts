/**
 * Judges functions that are given where a function type is expected, and calls of such values,
 * when that type's signature changed.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { functionsAt, runAt } from '../graph/refer/function-values.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit, signatureOf } from '../graph/resolve/signature.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { argumentsOf, D, E, F, isFunctionLike } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** A site of a function value: fine where what is given fits the type as it is now. */
export function functionValue(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { before, after } = graphs;
  if (change.before === undefined || change.after === undefined || site.expr < 0) return may();
  const now = takenBy(after, change.after);
  if (now === undefined) return may();
  const call = runAt(after, site.file, site.expr);
  if (call >= 0) return runs(change.after, { file: site.file, call }, now, after);
  const given = functionsAt(after, site.file, site.expr);
  if (given.length === 0) return may('its signature changed');
  if (!given.some((one) => takes(after, one, now, isReference(after, site))))
    return breaks('their parameters differ now');
  const types = changedTypes(before, change.before, after, change.after);
  if (types.length === 0) return 'fine';
  const stale = given.map((one) => staleType(before, change.before as DeclRef, after, one, types));
  if (stale.every((word) => word !== undefined)) return breaks(stale[0]);
  const returns = types.find(({ index }) => index < 0);
  const isClosure = after.summary(site.file).exprs.opOf(site.expr) === E.closure;
  if (
    returns !== undefined &&
    isClosure &&
    given.every((one) => givesNothing(after, one)) &&
    gives(after, change.after)
  )
    return breaks('it has to give something now');
  return types.every(({ index }) => index >= 0 && given.every((one) => paramCount(after, one) <= index))
    ? 'fine'
    : may('types of what it takes or gives changed');
}

/** A call of what holds a function, whose written type changed. */
export function heldCall({ before: was, after: is, detail }: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { type } = detail;
  if (was === undefined || is === undefined || site.expr < 0 || type === undefined) return 'fine';
  const said = may(`its type changed from ${type.from || 'none'} to ${type.to || 'none'}`);
  const { before, after } = graphs;
  const call = runAt(after, site.file, site.expr);
  const [took, takes] = [takenBy(before, was), takenBy(after, is)];
  if (call < 0 || took === undefined || takes === undefined) return said;
  const args = argumentsOf(after.summary(site.file), call);
  const isGivenOtherwise = changedTypes(before, was, after, is).some(({ index }) => index < args.length);
  return isGivenOtherwise || took.most !== takes.most || args.some(({ spread }) => spread !== 'none') ? said : 'fine';
}

/** How many parameters a function type has, the least and the most. */
interface Taken {
  readonly least: number;
  readonly most: number;
}

function takenBy(resolver: Resolver, ref: DeclRef): Taken | undefined {
  const summary = resolver.summary(ref.file);
  const { decls, exprs } = summary;
  if (isFunctionLike(decls.kindOf(ref.decl)) || decls.kindOf(ref.decl) === D.delegate) {
    const { params } = signatureOf(summary, ref.decl);
    const most = params.some((param) => param.rest || param.keywordRest) ? Infinity : params.length;
    return { least: params.filter((param) => !param.optional).length, most };
  }
  const type = decls.typeOf(ref.decl);
  if (type < 0 || exprs.opOf(type) !== E.functionType || !exprs.hasParts(type)) return undefined;
  const { length } = exprs.partsOf(type);
  return { least: length, most: length };
}

const isReference = (after: Resolver, { file, expr }: JudgedSite): boolean =>
  after.summary(file).exprs.opOf(expr) !== E.closure;

const paramCount = (resolver: Resolver, { file, decl }: DeclRef): number =>
  signatureOf(resolver.summary(file), decl).params.length;

/**
 * Whether a function can be called with what the type is given. A reference to a method by its class has its object
 * first.
 */
function takes(resolver: Resolver, given: DeclRef, wanted: Taken, isReference: boolean): boolean {
  const summary = resolver.summary(given.file);
  const { params } = signatureOf(summary, given.decl);
  const least = params.filter((param) => !param.optional).length;
  const most = params.some((param) => param.rest || param.keywordRest) ? Infinity : params.length;
  const { overridesTakeFewer, overloads } = resolver.language(given.file);
  if (overridesTakeFewer) return least <= wanted.most;
  const fits = (count: number): boolean => least <= count && count <= most;
  const isOnObject = isReference && overloads && !summary.decls.has(given.decl, F.static);
  return (
    fits(wanted.least) || (wanted.most !== Infinity && fits(wanted.most)) || (isOnObject && fits(wanted.least - 1))
  );
}

/** A call of a value of the type. */
function runs(type: DeclRef, at: { file: string; call: number }, now: Taken, after: Resolver): Verdict {
  const summary = after.summary(type.file);
  const args = argumentsOf(after.summary(at.file), at.call);
  if (isFunctionLike(summary.decls.kindOf(type.decl)) || summary.decls.kindOf(type.decl) === D.delegate)
    return fit(signatureOf(summary, type.decl), args, false).fits
      ? may('its signature changed')
      : breaks('the call does not fit any more');
  if (args.some((argument) => argument.spread !== 'none')) return may('its signature changed');
  return args.length <= now.most ? may('its signature changed') : breaks('the call gives too many arguments');
}

interface ChangedType {
  /** Of the parameter; -1 for what is returned. */
  readonly index: number;
  readonly was: number;
  readonly is: number;
}

/** Type rows of a function type: its parameters', and last what it gives. */
function typeRows(resolver: Resolver, ref: DeclRef): readonly number[] {
  const { decls, exprs } = resolver.summary(ref.file);
  const kind = decls.kindOf(ref.decl);
  if (isFunctionLike(kind) || kind === D.delegate)
    return [
      ...signatureOf(resolver.summary(ref.file), ref.decl).params.map((param) => decls.typeOf(param.decl)),
      decls.typeOf(ref.decl),
    ];
  const type = decls.typeOf(ref.decl);
  return type < 0 || exprs.opOf(type) !== E.functionType ? [] : [...exprs.partsOf(type), exprs.operandOf(type)];
}

function changedTypes(before: Resolver, old: DeclRef, after: Resolver, now: DeclRef): readonly ChangedType[] {
  const was = typeRows(before, old);
  const is = typeRows(after, now);
  const out: ChangedType[] = [];
  is.forEach((row, i) => {
    const isResult = i === is.length - 1;
    const from = (isResult ? was.at(-1) : i < was.length - 1 ? was[i] : undefined) ?? -1;
    if ((isResult || i < was.length - 1) && !sameWritten(before.summary(old.file), from, after.summary(now.file), row))
      out.push({ index: isResult ? -1 : i, was: from, is: row });
  });
  return out;
}

/** What a function writes for a type still as it was. */
function staleType(
  before: Resolver,
  old: DeclRef,
  after: Resolver,
  given: DeclRef,
  types: readonly ChangedType[],
): string | undefined {
  const theirs = typeRows(after, given);
  for (const { index, was } of types) {
    const row = (index < 0 ? theirs.at(-1) : index < theirs.length - 1 ? theirs[index] : undefined) ?? -1;
    if (row >= 0 && was >= 0 && sameWritten(before.summary(old.file), was, after.summary(given.file), row))
      return index < 0 ? 'it gives another type now' : 'it is given another type now';
  }
  return undefined;
}

function givesNothing(resolver: Resolver, { file, decl }: DeclRef): boolean {
  return resolver.summary(file).decls.resultsOf(decl).length === 0;
}

function gives(resolver: Resolver, ref: DeclRef): boolean {
  const row = typeRows(resolver, ref).at(-1) ?? -1;
  const { exprs } = resolver.summary(ref.file);
  return row >= 0 && exprs.nameOf(row) !== 'void' && exprs.nameOf(row) !== 'None';
}
