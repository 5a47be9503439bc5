/**
 * Judges calls that go on fitting a signature which changed: whether they mean what they meant.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { Passing, SignatureDelta } from '../change/signature-delta.js';
import { isNamedIn, receiverAt } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Fit, Fitting } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { languageById } from '../languages/registry.js';
import { E, isFieldLike, R, type Argument, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { isImportedMember, NO_LONGER_STATIC } from './imported-members.js';
import { otherwiseTyped, retypedParameter, type FittingPlace } from './judge-retyped.js';
import { ofResultTaken } from './members-taken.js';
import { givesWhatItGave, resultMisfit, type CallPlace } from './result-use.js';
import { isDropped, isServed } from './served-uses.js';
import { hasObject, isBeforeInstance, isStaticOutOfReach } from './static-members.js';
import { thrownAt } from './thrown-exceptions.js';
import { narrowedForInferred, narrowedForWritten } from './type-bounds.js';
import { gotFit } from './retyped-fit.js';
import { behaves, breaks, gets, infers, may, offers, retold, type JudgedSite, type Verdict } from './verdict.js';

/** Characters of a default that a sentence says. */
const DEFAULT_MOST = 40;

/** A call that fits what is called now. */
export interface FittingCall {
  /** The call's row. */
  readonly at: number;
  readonly target: DeclRef;
  /** How it fitted before; undefined where no function was called. */
  readonly old: Fit | undefined;
  readonly now: Fitting;
}

/** Whether the call means what it meant. */
export function goesOnFitting(
  change: AtomicChange,
  site: JudgedSite,
  graphs: Graphs,
  { at, target, old, now }: FittingCall,
): Verdict {
  const { before, after } = graphs;
  const summary = after.summary(site.file);
  const delta = deltaAt(change, { file: site.file, block: site.block, call: at }, graphs);
  if (delta === undefined) return 'fine';
  // What a value took that is a function now is not written.
  if (change.before !== undefined && isFieldLike(before.summary(change.before.file).decls.kindOf(change.before.decl)))
    return 'fine';
  if (old !== undefined) {
    if (!old.fits) return 'fine';
    const rebound = reboundArgument(old, now, delta);
    if (rebound !== undefined) return breaks(rebound);
    const handed = handedOtherwise(summary, now, delta);
    if (handed !== undefined) return breaks(handed);
  }
  const reached = delta.static === undefined ? 'fine' : atStatic(delta.static, after, site, target);
  if (reached !== undefined && reached !== 'fine') return reached;
  const contradicted = otherwiseTyped(after, delta, now, site.file, target.file);
  if (contradicted !== undefined) return breaks(`its parameter ${contradicted} takes another type now`);
  const misfit =
    delta.returnType === undefined || (delta.async === true && isAwaited(summary, at))
      ? undefined
      : resultMisfit(change, { file: site.file, block: site.block, call: at }, graphs);
  if (misfit !== undefined) return breaks(misfit);
  const heard = unsettled(change, reached === 'fine' ? withoutStatic(delta) : delta, { ...site, expr: at }, after);
  if (heard.settled !== undefined) return heard.settled;
  const place = { change, graphs, file: site.file, call: at };
  const verdict = touched(heard.delta, summary.exprs.argumentsOf(at), now, place);
  return verdict === 'fine' && delta.typeParams === true
    ? withTypeArguments(delta, after, { ...site, at }, { target, now })
    : verdict;
}

/** What of the signature is another one for a call. */
function deltaAt(change: AtomicChange, place: CallPlace, graphs: Graphs): SignatureDelta | undefined {
  const { signature } = change.detail;
  if (signature?.returnType === undefined || !givesWhatItGave(change, place, graphs)) return signature;
  const { returnType: _returnType, ...others } = signature;
  return others;
}

/** What is certain of a call by what the function throws and gives; otherwise what of the change it still hears of. */
function unsettled(
  change: AtomicChange,
  delta: SignatureDelta,
  at: JudgedSite,
  after: Resolver,
): { readonly settled?: Verdict; readonly delta: SignatureDelta } {
  const thrown = delta.throws === undefined ? undefined : thrownAt(change, at, after);
  if (typeof thrown === 'object') return { settled: breaks(letsThrough(thrown.escapes)), delta };
  const heard = thrown === 'declared' ? withoutThrows(delta) : delta;
  const { returnType, ...others } = heard;
  const ofResult = returnType === undefined ? undefined : ofResultTaken(returnType, after, at.file, at.expr);
  if (ofResult !== undefined && ofResult !== 'fine') return { settled: ofResult, delta: heard };
  return { delta: ofResult === 'fine' ? others : heard };
}

export const letsThrough = (exception: string): string =>
  `it throws ${exception} now, which is neither caught nor declared there`;

function withoutStatic(delta: SignatureDelta): SignatureDelta {
  const { static: _static, ...others } = delta;
  return others;
}

export function withoutThrows(delta: SignatureDelta): SignatureDelta {
  const { throws: _throws, ...others } = delta;
  return others;
}

/** A call of what has other type parameters now: of those that it gives, or of what it leaves to be inferred. */
function withTypeArguments(
  { narrowed = [], defaults = [], worded }: SignatureDelta,
  after: Resolver,
  { file, expr, at }: JudgedSite & { readonly at: number },
  { target, now }: Pick<FittingCall, 'target' | 'now'>,
): Verdict {
  const given = [...after.summary(file).exprs.typeArgumentsOf(at)];
  const written = given.length;
  const takes = ({ file: of, decl }: DeclRef): boolean => {
    const { decls } = after.summary(of);
    const all = decls.typeParamsOf(decl);
    return written <= all.length && written >= all.filter((param) => decls.valueOf(param) < 0).length;
  };
  if (written > 0 && !takes(target) && !after.resolve(file, expr).targets.some(takes)) {
    const all = after.summary(target.file).decls.typeParamsOf(target.decl).length;
    return breaks(`it is given ${written} type ${written === 1 ? 'argument' : 'arguments'}, and takes ${all} now`);
  }
  const fewer =
    written > 0
      ? narrowedForWritten(after, target, narrowed, file, given)
      : narrowedForInferred(after, target, narrowed);
  if (fewer !== undefined) return may(`its type parameter ${fewer.name} takes fewer types now`);
  const other = standingByItself(after.summary(target.file), target.decl, now).find((name) => defaults.includes(name));
  if (written === 0 && other !== undefined)
    return may(`its type parameter ${other} stands for another type by itself now`);
  return worded !== undefined && written === 0 ? infers(worded) : 'fine';
}

/** Type parameters that follow from nothing that is given. */
function standingByItself(summary: Summary, decl: number, { pairs }: Fitting): readonly string[] {
  const given = new Set(pairs.filter(({ argument }) => argument.expr >= 0).map(({ param }) => param.decl));
  return [...summary.decls.typeParamsOf(decl)]
    .filter((type) => !isNamedIn(summary, type, given))
    .map((type) => summary.decls.nameOf(type));
}

/** A call that still fits: whether anything it gives or gets changed its meaning. */
export function touched(
  delta: SignatureDelta,
  args: readonly Argument[],
  fitting: Fitting,
  place: FittingPlace,
): Verdict {
  const summary = place.graphs.after.summary(place.file);
  const positional = args.filter((argument) => argument.keyword === '' && argument.spread === 'none').length;
  const spread = args.some((argument) => argument.spread !== 'none');
  if (delta.async !== undefined) {
    const awaited = isAwaited(summary, place.call);
    if (delta.async !== awaited)
      return breaks(
        delta.async
          ? 'it is async now, and the call does not await it'
          : 'it is not async any more, and the call awaits it',
      );
    return givesOtherAwaited(delta) ?? (delta.async ? 'fine' : notAwaitable(summary, place.call));
  }
  const shifted = delta.added.find((param) => !param.keywordOnly && !param.rest && param.index < positional);
  if (shifted !== undefined) return may(`the positional argument ${shifted.index + 1} is ${shifted.name} now`);
  if (delta.moved.some((param) => spread || Math.min(param.from, param.to) < positional))
    return may('the order of its parameters changed');
  const dropped = delta.removed.find((param) => spread || param.index < positional);
  if (dropped !== undefined)
    return may(
      `its parameter ${dropped.name} is gone, and ` +
        (spread ? 'the spread arguments may give it still' : 'the arguments may mean others now'),
    );
  return weightiest(meansOtherwise(delta, fitting, spread, place));
}

/** A property that is read: what is called there, if anything, is its value. */
export function readFits(change: AtomicChange, { file, block, expr }: JudgedSite, graphs: Graphs): Verdict {
  const delta = change.detail.signature;
  if (delta === undefined) return 'fine';
  const misfit = delta.returnType === undefined ? undefined : resultMisfit(change, { file, block, call: expr }, graphs);
  return misfit === undefined
    ? weightiest(meansOtherwise(delta, { fits: true, pairs: [] }, false, { change, graphs, file, call: expr }))
    : breaks(misfit);
}

function weightiest(said: readonly Verdict[]): Verdict {
  const heard = said.filter((verdict) => verdict !== 'fine');
  return (
    heard.find(({ fits }) => fits !== true) ?? heard.find((verdict) => verdict.retold !== true) ?? heard[0] ?? 'fine'
  );
}

/**
 * What a call that goes on fitting may mean now, the weightiest first. `spread`: it gives what nobody can count, too.
 */
function meansOtherwise(delta: SignatureDelta, { pairs }: Fitting, spread: boolean, place: FittingPlace): Verdict[] {
  const isGiven = (name: string): boolean => pairs.some(({ param }) => param.name === name);
  const givenFor = (name: string): number => pairs.find(({ param }) => param.name === name)?.argument.expr ?? -1;
  const { retyped, returnType, defaultChanged, throws } = delta;
  const isLeftBehind = (name: string): boolean => delta.renamed.some(({ from }) => from === name);
  const added = delta.added.find(({ name }) => !isLeftBehind(name));
  const leftBehind = delta.renamed.find(({ from }) => isGiven(from) && delta.added.some(({ name }) => name === from));
  return [
    ...(leftBehind === undefined ? [] : [may(`what was ${leftBehind.from} is ${leftBehind.to} now`)]),
    ...retyped
      .filter(({ name }) => spread || isGiven(name))
      .flatMap((param) => retypedParameter(param, place, givenFor(param.name)))
      .map((said) => asNote(said, place)),
    ...(returnType === undefined ||
    isServed(returnType, { file: place.file, expr: place.call }, place.graphs) ||
    isDropped(returnType, { file: place.file, expr: place.call }, place.graphs)
      ? []
      : [
          asNote(
            gets(
              `it returns ${returnType.to || 'something else'} instead of ${returnType.from || 'what it did'}`,
              gotFit(place.change, returnType, place.graphs),
            ),
            place,
          ),
        ]),
    ...(delta.receiver === undefined
      ? []
      : [may(`it is called on ${delta.receiver.to} now, and was on ${delta.receiver.from}`)]),
    ...(delta.static === undefined ? [] : [may(delta.static ? 'it is static now' : NO_LONGER_STATIC)]),
    ...defaultChanged
      .filter(({ name }) => !isGiven(name))
      .map(({ name, from, to }) =>
        behaves(`${name}, which it leaves out, was ${shortened(from)} and is ${shortened(to)} now`),
      ),
    ...(spread && delta.madeRequired.length > 0 ? [may(`${delta.madeRequired[0]} must be given now`)] : []),
    ...(throws === undefined
      ? []
      : [
          may(
            throws.added.length > 0
              ? `it may throw ${throws.added.join(', ')} now`
              : `it does not throw ${throws.removed.join(', ')} any more`,
          ),
        ]),
    ...(added === undefined ? [] : [offers(added.name)]),
  ];
}

/** What is said of types, where these are notes and what runs is what it was. */
function asNote(said: Verdict, { change, graphs, file }: FittingPlace): Verdict {
  const isNote = change.detail.runsAsBefore === true && !graphs.after.language(file).checksTypes;
  return isNote && said !== 'fine' && said.tier === 'may' ? retold(said.detail ?? '', change.block) : said;
}

/** The beginning of a default, on one line. */
function shortened(value: string): string {
  const line = value.replace(/\s+/gu, ' ');
  return line.length > DEFAULT_MOST ? `${line.slice(0, DEFAULT_MOST)}…` : line;
}

/** A call that did not await what was async, and gets the value itself now. */
function notAwaitable({ exprs, language }: Summary, call: number): Verdict {
  const resultMembers = languageById(language).writing.async?.resultMembers;
  const asked = exprs
    .wholesOf(call)
    .find((row) => exprs.opOf(row) === E.member && exprs.baseOf(row) === call && resultMembers?.has(exprs.nameOf(row)));
  return asked === undefined
    ? may('it is not async any more, and what was to be awaited is the value itself')
    : breaks(`it is not async any more, and what it gives has no ${exprs.nameOf(asked)}`);
}

/** Whether what a call gives in the end is another type, where it is written on both sides and one comes awaited. */
function givesOtherAwaited({ returnType }: SignatureDelta): Verdict | undefined {
  if (returnType === undefined || returnType.from === '' || returnType.to === '') return undefined;
  const inside = (type: string): string => /^[\w.]+<(?<inside>.*)>$/su.exec(type)?.groups?.inside ?? type;
  const [from, to] = [returnType.from, returnType.to];
  const isSame = from === to || inside(from) === to || from === inside(to);
  return isSame || [from, to].includes('void') ? undefined : may(`it returns ${to} instead of ${from}`);
}

const isAwaited = ({ exprs }: Summary, call: number): boolean => exprs.wholeBy(call, E.await) >= 0;
/** An argument that another parameter takes now, in words: the call still fits and means something else. */
export function reboundArgument(old: Fitting, now: Fitting, delta: SignatureDelta): string | undefined {
  for (const { argument, param } of old.pairs) {
    const other = now.pairs.find((pair) => pair.argument.start === argument.start)?.param;
    if (other === undefined) continue;
    // Who says the old name says the parameter that was left behind with it.
    if (argument.keyword !== '' && other.name === param.name) continue;
    const name = delta.renamed.find((pair) => pair.from === param.name)?.to ?? param.name;
    // What takes any number takes this one as well: `exists(name)` became `exists(*names)`.
    if (other.rest && argument.keyword === '') continue;
    if (other.name !== name && !param.rest && !param.keywordRest)
      return `the argument that was ${param.name} is taken as ${other.name} now`;
  }
  return undefined;
}

/** An argument that is not handed over as its parameter wants it now, in words. */
function handedOtherwise({ exprs }: Summary, now: Fitting, delta: SignatureDelta): string | undefined {
  const isOfVariables = (way: Passing): boolean => way === 'updated' || way === 'written';
  for (const { name, from, to } of delta.passing) {
    const argument = now.pairs.find((pair) => pair.param.name === name)?.argument.expr ?? -1;
    if (argument < 0) continue;
    const role = exprs.roleOf(argument);
    const said = role === R.update ? 'updated' : role === R.write ? 'written' : undefined;
    // What declares the variable that is filled is no name.
    const isSaid = said === to || (to === 'written' && exprs.opOf(argument) === E.other);
    if (isOfVariables(to) && !isSaid)
      return `its parameter ${name} takes a variable that it ${to === 'written' ? 'fills' : 'may change'} now`;
    if (isOfVariables(from) && !isOfVariables(to) && said !== undefined)
      return `its parameter ${name} takes a value now`;
  }
  return undefined;
}

/** Of a call of a member that became static, or is not any more; undefined where it cannot be told. */
function atStatic(isStatic: boolean, after: Resolver, site: JudgedSite, target: DeclRef): Verdict | undefined {
  const { file, expr } = site;
  const { exprs } = after.summary(file);
  if (isStatic && isStaticOutOfReach(after, { file, expr }, target))
    return breaks('it is static now, and is reached through its interface alone');
  if (!isStatic && isBeforeInstance(after.summary(file), expr))
    return breaks('it is not static any more, and is called before there is an instance');
  if (exprs.opOf(expr) === E.name) {
    if (!isStatic && isImportedMember(after, file, expr)) return breaks(NO_LONGER_STATIC);
    if (receiverAt(after, file, expr) === undefined) return undefined;
    const isAtHand = isStatic || hasObject(after, site, target);
    if (isAtHand === undefined) return undefined;
    return isAtHand ? 'fine' : breaks('it is not static any more, and there is no object at hand');
  }
  if (exprs.opOf(expr) !== E.member || exprs.opOf(exprs.operandOf(expr)) === E.super) return undefined;
  const receiver = receiverAt(after, file, expr)?.kind;
  if (receiver !== 'instance' && receiver !== 'class') return undefined;
  if (isStatic === (receiver === 'class')) return 'fine';
  if (!isStatic) return breaks('it is not static any more, and is called on its class');
  const { staticsOnObjects, checksTypes } = after.language(file);
  if (!staticsOnObjects) return breaks('it is static now, and is called on an object');
  // A compiler warns of it, and nobody else cares.
  return checksTypes ? undefined : 'fine';
}
