/**
 * Judges functions that are given where a function type is expected, and calls of such values,
 * when that type's signature changed.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { parameterBehind } from '../change/written-object.js';
import { callSignaturesOf, functionsAt, runAt } from '../graph/refer/function-values.js';
import { callOf } from '../graph/resolve/names.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import {
  fit,
  signatureOf,
  takenBySignature,
  takenByType,
  takesPerhaps,
  type Taken,
} from '../graph/resolve/signature.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { argumentsOf, D, E, F, isFunctionLike } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { resultMisfit } from './result-use.js';
import { saysItThrows } from './thrown-exceptions.js';
import { areWrappedAlike, isParameterServed } from './served-uses.js';
import { setElsewhere } from './set-elsewhere.js';
import { breaks, may, offers, type JudgedSite, type Verdict } from './verdict.js';

/** A site of a function value: fine where what is given fits the type as it is now. */
export function functionValue(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { before, after } = graphs;
  const { before: was, after: is } = change;
  if (was === undefined || is === undefined || site.expr < 0) return may();
  const now = takenBy(after, is);
  if (now === undefined) return may();
  const call = runAt(after, site.file, site.expr);
  if (call >= 0) return runs(is, { file: site.file, call }, after);
  const given = functionsAt(after, site.file, site.expr);
  if (given.length === 0) return may('its signature changed');
  if (!given.some((one) => takes(after, one, now, isThroughClass(after, site))))
    return breaks('their parameters differ now');
  const named = given.map((one) => namedAsBefore(change, is, one, after));
  if (named.every((name) => name !== undefined)) return breaks(`its parameter ${named[0]} has another name there`);
  const thrown = throwsNoMore(change, site, given, after);
  if (thrown !== undefined) return thrown;
  const types = changedTypes(before, was, after, is);
  if (types.length === 0)
    return given.some((one) => needsLeftOut(before, was, after, is, one))
      ? may('not all that it takes has to be given now')
      : 'fine';
  const stale = given.map((one) => staleType(before, was, after, one, types));
  if (stale.every((word) => word !== undefined)) return breaks(stale[0]);
  const returns = types.find(({ index }) => index < 0);
  const isClosure = after.summary(site.file).exprs.opOf(site.expr) === E.closure;
  if (returns !== undefined && isClosure && given.every((one) => givesNothing(after, one)) && gives(after, is))
    return breaks('it has to give something now');
  return types.every((type) => type.index >= 0 && given.every((one) => asksForSame(change, one, type, graphs)))
    ? 'fine'
    : may('types of what it takes or gives changed');
}

/** A site of a function value, where a type changed that says itself what its values are called with. */
export function signatureValue(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const only = (resolver: Resolver, type: DeclRef | undefined): DeclRef | undefined => {
    const signatures = type === undefined ? [] : callSignaturesOf(resolver, type);
    return signatures.length === 1 ? signatures[0] : undefined;
  };
  const [was, is] = [only(graphs.before, change.before), only(graphs.after, change.after)];
  if (was === undefined || is === undefined || site.expr < 0) return may('its signature changed');
  const { after } = graphs;
  // What calls a value by no name is found by the call itself.
  return after.summary(site.file).exprs.opOf(site.expr) === E.call
    ? runs(is, { file: site.file, call: site.expr }, after)
    : functionValue({ ...change, before: was, after: is }, site, graphs);
}

/**
 * The old name, kept by a function that is given for an object which is called, of a parameter that this object may be
 * given by another name now.
 */
function namedAsBefore(
  { detail: { signature } }: AtomicChange,
  is: DeclRef,
  given: DeclRef,
  after: Resolver,
): string | undefined {
  const of = after.summary(is.file);
  if (of.decls.nameOf(is.decl) !== after.language(is.file).callMember) return undefined;
  const wanted = signatureOf(of, is.decl).params.filter((param) => !param.positionalOnly);
  const own = signatureOf(after.summary(given.file), given.decl).params;
  const has = (name: string): boolean => own.some((param) => param.keywordRest || param.name === name);
  return signature?.renamed.find(
    ({ from, to }) => wanted.some(({ name }) => name === to) && own.some(({ name }) => name === from) && !has(to),
  )?.from;
}

/** A function that is given for one that may not throw any more what it could. */
function throwsNoMore(
  { detail: { signature } }: AtomicChange,
  { file, expr }: JudgedSite,
  given: readonly DeclRef[],
  after: Resolver,
): Verdict | undefined {
  const names = signature?.throws?.removed ?? [];
  const [first] = names;
  if (first === undefined) return undefined;
  const says = names.find((written) =>
    given.some((one) =>
      saysItThrows(after.summary(one.file), one.decl, (name) => name === written.slice(written.lastIndexOf('.') + 1)),
    ),
  );
  if (says !== undefined) return breaks(`it throws ${says}, which it may not any more`);
  const { exprs, decls } = after.summary(file);
  const isClosure = exprs.opOf(expr) === E.closure;
  const throwsOthers = given.some((one) => saysItThrows(after.summary(one.file), one.decl, () => true));
  const runs =
    isClosure && given.some((one) => one.file === file && decls.bodyStartOf(one.decl) < decls.endOf(one.decl));
  return runs || throwsOthers ? may(`it may not throw ${first} any more`) : undefined;
}

/** A call of what holds a function, whose written type changed; or of what gives the value of a component. */
export function heldCall(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { before: was, after: is, detail } = change;
  const { type } = detail;
  if (was === undefined || is === undefined || site.expr < 0) return 'fine';
  // What is indexed is written where its place is.
  const set = setElsewhere(change, site, graphs);
  if (set !== undefined) return set;
  if (type === undefined) return 'fine';
  const said = may(`its type changed from ${type.from || 'none'} to ${type.to || 'none'}`);
  const { before, after } = graphs;
  const call = runAt(after, site.file, site.expr);
  const [took, takes] = [takenBy(before, was), takenBy(after, is)];
  if (call < 0 || took === undefined || takes === undefined) {
    const accessor = callOf(after.summary(site.file), site.expr);
    const misfit =
      accessor < 0 ? undefined : resultMisfit(change, { file: site.file, block: site.block, call: accessor }, graphs);
    return misfit === undefined ? said : breaks(misfit);
  }
  const args = argumentsOf(after.summary(site.file), call);
  if (args.some(({ spread }) => spread !== 'none')) return said;
  if (!isWithin(args.length, takes)) return isWithin(args.length, took) ? breaks(misfitOf(args.length, takes)) : said;
  if (changedTypes(before, was, after, is).some(({ index }) => index < args.length)) return said;
  if (takes.most <= took.most) return 'fine';
  const more = parameterBehind(type.from, type.to);
  return more === undefined ? said : offers(more);
}

const isWithin = (count: number, { least, most }: Taken): boolean => least <= count && count <= most;
const misfitOf = (count: number, { most }: Taken): string =>
  `the call gives too ${count > most ? 'many' : 'few'} arguments`;

function takenBy(resolver: Resolver, ref: DeclRef): Taken | undefined {
  const summary = resolver.summary(ref.file);
  const { decls } = summary;
  const kind = decls.kindOf(ref.decl);
  return isFunctionLike(kind) || kind === D.delegate
    ? takenBySignature(signatureOf(summary, ref.decl))
    : takenByType(summary, decls.typeOf(ref.decl));
}

/** Whether a method is named through its class: `Circle::area`, not `circle::area`. */
const isThroughClass = (after: Resolver, { file, expr }: JudgedSite): boolean =>
  after.summary(file).exprs.opOf(expr) !== E.closure && after.resolve(file, expr).self?.kind === 'class';

/** Whether a function takes nothing of a parameter that is of another type, or of it what it took. */
function asksForSame(
  { before: was, after: is }: AtomicChange,
  given: DeclRef,
  type: ChangedType,
  graphs: Graphs,
): boolean {
  const param = signatureOf(graphs.after.summary(given.file), given.decl).params[type.index];
  if (param === undefined) return true;
  return (
    was !== undefined &&
    is !== undefined &&
    areWrappedAlike({ file: was.file, row: type.was }, { file: is.file, row: type.is }, graphs) &&
    isParameterServed(given, param.decl, graphs)
  );
}

/**
 * Whether a function can be called with what the type is given. A reference to a method by its class has its object
 * first.
 */
function takes(resolver: Resolver, given: DeclRef, wanted: Taken, isThroughClass: boolean): boolean {
  const summary = resolver.summary(given.file);
  const { least, most } = takenBySignature(signatureOf(summary, given.decl));
  const { overridesTakeFewer, overloads } = resolver.language(given.file);
  if (overridesTakeFewer) return least <= wanted.most;
  const fits = (count: number): boolean => least <= count && count <= most;
  const isOnObject = isThroughClass && overloads && !summary.decls.has(given.decl, F.static);
  return (
    fits(wanted.least) || (wanted.most !== Infinity && fits(wanted.most)) || (isOnObject && fits(wanted.least - 1))
  );
}

/** A call of a value of the type. */
function runs(type: DeclRef, at: { file: string; call: number }, after: Resolver): Verdict {
  const summary = after.summary(type.file);
  const args = argumentsOf(after.summary(at.file), at.call);
  if (isFunctionLike(summary.decls.kindOf(type.decl)) || summary.decls.kindOf(type.decl) === D.delegate)
    return fit(signatureOf(summary, type.decl), args, false).fits
      ? may('its signature changed')
      : breaks('the call does not fit any more');
  const now = takenBy(after, type);
  if (now === undefined || args.some((argument) => argument.spread !== 'none')) return may('its signature changed');
  return isWithin(args.length, now) ? may('its signature changed') : breaks(misfitOf(args.length, now));
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

/** Whether the type leaves out, at times, what the function has to be given. */
function needsLeftOut(before: Resolver, old: DeclRef, after: Resolver, now: DeclRef, given: DeclRef): boolean {
  const [was, is] = [before.summary(old.file), after.summary(now.file)];
  const [typeWas, typeIs] = [was.decls.typeOf(old.decl), is.decls.typeOf(now.decl)];
  if (takenByType(was, typeWas) === undefined || takenByType(is, typeIs) === undefined) return false;
  return signatureOf(after.summary(given.file), given.decl).params.some(
    ({ optional }, i) => !optional && takesPerhaps(is, typeIs, i) && !takesPerhaps(was, typeWas, i),
  );
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
