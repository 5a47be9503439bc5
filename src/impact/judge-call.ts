/**
 * Judges calls, of functions and of constructors, whose signature changed.
 */
import { isOutside } from '../base/outside.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { isEmptyDelta, type Passing, type SignatureDelta } from '../change/signature-delta.js';
import { componentsOf } from '../graph/resolve/components.js';
import { factOfCall, saidOfCall, type Misfit } from '../graph/resolve/misfit.js';
import { callOf } from '../graph/resolve/names.js';
import { constructorsOf, passesReceiver, receiverAt } from '../graph/resolve/overloads.js';
import { isSubclass } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit, signatureOf, type Fit, type Fitting } from '../graph/resolve/signature.js';
import type { DeclRef, Language } from '../languages/language.js';
import { languageById } from '../languages/registry.js';
import {
  D,
  E,
  F,
  isClassLike,
  isFieldLike,
  isFunctionLike,
  R,
  type Argument,
  type Summary,
} from '../syntax/summary.js';
import { sameDecl } from '../syntax/rows.js';
import type { Graphs } from './graphs.js';
import { constructorReference } from './judge-constructor-reference.js';
import { meansOtherConstructor } from './other-constructor.js';
import { otherwiseTyped, retypedParameter, type FittingPlace } from './judge-retyped.js';
import { ofResultTaken } from './members-taken.js';
import { resultMisfit } from './result-use.js';
import { isServed } from './served-uses.js';
import { thrownAt } from './thrown-exceptions.js';
import { narrowedForInferred, narrowedForWritten } from './type-bounds.js';
import { gotFit } from './retyped-fit.js';
import { takesFewer } from './takes-fewer.js';
import { behaves, breaks, gets, infers, may, offers, retold, type JudgedSite, type Verdict } from './verdict.js';

/** Characters of a default that a sentence says. */
const DEFAULT_MOST = 40;

/** A call of a function (or construction of a class) whose parameters changed. */
export function call(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const summary = after.summary(site.file);
  if (site.expr < 0) return may();
  if (change.detail.modifiers?.added.includes('getter') === true)
    return callOf(summary, site.expr) < 0 ? 'fine' : breaks('it is a property now, and is not called');
  // A rename or a move alone leaves the arguments as they are.
  if (change.detail.signature !== undefined && isEmptyDelta(change.detail.signature)) return 'fine';
  const role = summary.exprs.roleOf(site.expr);
  if (role === R.import || role === R.type || role === R.base || role === R.doc) return 'fine';
  if (isProperty(change, graphs)) return readFits(change, site, graphs);
  const at = summary.exprs.opOf(site.expr) === E.call ? site.expr : callOf(summary, site.expr);
  return at < 0 ? withoutArguments(change, site, graphs) : withArguments(change, site, at, graphs);
}

/** A class that is handed to what is known to call it: `map(Point, rows)`. */
export function madeByAnother(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { exprs } = graphs.after.summary(site.file);
  const isHanded = site.expr >= 0 && exprs.roleOf(site.expr) === R.read && exprs.callOf(site.expr) >= 0;
  const verdict = isHanded ? call(change, site, graphs) : 'fine';
  // Nobody writes such a call, so that it can be given nothing new.
  return verdict !== 'fine' && verdict.offers !== undefined ? 'fine' : verdict;
}

/** What calls by its syntax alone: a decorator, a loop, an operator. */
function withoutArguments(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const summary = graphs.after.summary(site.file);
  if (summary.exprs.roleOf(site.expr) === R.decorator) return decorates(change, site, graphs);
  return isRunBySyntax(summary, site.expr) ? syntaxFits(change, site, graphs) : may('is not called there');
}

function withArguments(change: AtomicChange, site: JudgedSite, at: number, graphs: Graphs): Verdict {
  const { before, after } = graphs;
  const reference = constructorReference({ file: site.file, call: at }, graphs);
  if (reference !== undefined) return reference;
  const args = after.summary(site.file).exprs.argumentsOf(at);
  const functions = currentFunctions(change, graphs);
  if (functions.length === 0) return constructionFits(change, args, { file: site.file, call: at }, graphs);
  if (meansOtherConstructor(change, functions, { file: site.file, expr: at }, graphs)) return 'fine';
  const fitOf = (of: Summary, target: DeclRef): Fit => fitAt(after, site, args, of, target);
  const was = change.before;
  const isFunction = was !== undefined && isFunctionLike(before.summary(was.file).decls.kindOf(was.decl));
  const old = isFunction ? fitOf(before.summary(was.file), was) : undefined;
  const fits = functions.map((target) => fitOf(after.summary(target.file), target));
  const chosen = indexMeant(change, functions, fits);
  const now = fits[chosen];
  if (now?.fits !== true) {
    if (args.length === 0 && functions.some((target) => makesStruct(after, target))) return 'fine';
    // A namesake that never fitted what a library changed meant something else.
    const isNamesake = site.confidence === 'possible' && isOutside(change.file) && after.language(site.file).overloads;
    if (old?.fits === false && isNamesake) return 'fine';
    return fits[0]?.fits === false ? misfitting(fits[0].misfit) : breaks();
  }
  const target = functions[chosen] as DeclRef;
  return goesOnFitting(change, site, graphs, { at, target, old, now });
}

/** How the arguments at a site of the edited tree fit a function of either tree. */
function fitAt(after: Resolver, site: JudgedSite, args: readonly Argument[], of: Summary, target: DeclRef): Fit {
  const signature = signatureOf(of, target.decl);
  // What a row hangs on matters only to functions that declare their receiver.
  return fit(
    signature,
    args,
    signature.receiver !== undefined &&
      (passesReceiver(of, { ...target, self: receiverAt(after, site.file, site.expr) }) ||
        namesConstructor(after, site)),
  );
}

/**
 * A call of a function that the edit added, which does not fit it: written for another signature, or led over from what
 * was called by the name before.
 */
export function misfitsAdded(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after: added } = change;
  const { after } = graphs;
  if (added === undefined || site.expr < 0 || site.confidence !== 'certain') return 'fine';
  // What is called there is the property's value.
  if (isProperty(change, graphs)) return 'fine';
  const { targets } = after.resolve(site.file, site.expr);
  const summary = after.summary(site.file);
  const at = callOf(summary, site.expr);
  if (at < 0 || targets.length !== 1 || isReplaced(after, added)) return 'fine';
  const result = fitAt(after, site, summary.exprs.argumentsOf(at), after.summary(added.file), added);
  return result.fits ? 'fine' : misfitting(result.misfit);
}

/** Whether what a decorator gives may stand in the place of a function. */
function isReplaced(after: Resolver, { file, decl }: DeclRef): boolean {
  const { decoratorsReplace, plainDecorators } = after.language(file);
  const { decls, exprs } = after.summary(file);
  return decoratorsReplace && [...decls.decoratorsOf(decl)].some((row) => !plainDecorators.has(exprs.nameOf(row)));
}

/** Which of the functions the call means: what the changed one became, where the call fits it; -1 if it fits none. */
function indexMeant({ after: now }: AtomicChange, functions: readonly DeclRef[], fits: readonly Fit[]): number {
  const own = now === undefined ? -1 : functions.findIndex((target) => sameDecl(target, now));
  return fits[own]?.fits === true ? own : fits.findIndex((result) => result.fits);
}

/** Whether a constructor is that of a struct, which can be made of nothing whatever constructors it has. */
function makesStruct(after: Resolver, { file, decl }: DeclRef): boolean {
  const summary = after.summary(file);
  const owner = summary.decls.kindOf(decl) === D.constructor ? summary.decls.parentOf(decl) : -1;
  return owner >= 0 && summary.decls.kindOf(owner) === D.struct;
}

/** A call that fits what is called now. */
interface FittingCall {
  /** The call's row. */
  readonly at: number;
  readonly target: DeclRef;
  /** How it fitted before; undefined where no function was called. */
  readonly old: Fit | undefined;
  readonly now: Fitting;
}

/** Whether the call means what it meant. */
function goesOnFitting(
  change: AtomicChange,
  site: JudgedSite,
  graphs: Graphs,
  { at, target, old, now }: FittingCall,
): Verdict {
  const { before, after } = graphs;
  const summary = after.summary(site.file);
  const delta = change.detail.signature;
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
  const misplaced =
    delta.static === undefined
      ? undefined
      : misplacedStatic(
          delta.static,
          summary,
          site.expr,
          receiverAt(after, site.file, site.expr)?.kind,
          after.language(site.file),
        );
  if (misplaced !== undefined) return breaks(misplaced);
  const contradicted = otherwiseTyped(after, delta, now, site.file, target.file);
  if (contradicted !== undefined) return breaks(`its parameter ${contradicted} takes another type now`);
  const misfit =
    delta.returnType === undefined || (delta.async === true && isAwaited(summary, at))
      ? undefined
      : resultMisfit(change, { file: site.file, block: site.block, call: at }, graphs);
  if (misfit !== undefined) return breaks(misfit);
  if (delta.static === false && receiverAt(after, site.file, site.expr)?.kind === 'class')
    return breaks('it is not static any more');
  const heard = unsettled(change, delta, { ...site, expr: at }, after);
  if (heard.settled !== undefined) return heard.settled;
  const place = { change, graphs, file: site.file, call: at };
  const verdict = touched(heard.delta, summary.exprs.argumentsOf(at), now, place);
  return verdict === 'fine' && delta.typeParams === true
    ? withTypeArguments(delta, after, { ...site, at }, target)
    : verdict;
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

const letsThrough = (exception: string): string =>
  `it throws ${exception} now, which is neither caught nor declared there`;

function withoutThrows(delta: SignatureDelta): SignatureDelta {
  const { throws: _throws, ...others } = delta;
  return others;
}

/** A call of what has other type parameters now: of those that it gives, or of what it leaves to be inferred. */
function withTypeArguments(
  { narrowed = [], worded }: SignatureDelta,
  after: Resolver,
  { file, expr, at }: JudgedSite & { readonly at: number },
  target: DeclRef,
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
  return worded !== undefined && written === 0 ? infers(worded) : 'fine';
}

const hasBody = ({ decls }: Summary, decl: number): boolean => decls.bodyStartOf(decl) < decls.endOf(decl);

/** A call of what a class inherits, which has no body any more. */
export function callsNothing({ after: now }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { exprs } = after.summary(site.file);
  const isOfBase =
    site.expr >= 0 &&
    now !== undefined &&
    !hasBody(after.summary(now.file), now.decl) &&
    exprs.opOf(site.expr) === E.member &&
    exprs.opOf(exprs.operandOf(site.expr)) === E.super;
  return isOfBase ? breaks('it has no body any more') : 'fine';
}

/**
 * Whether a constructor is called by its own name on its class, `Base.__init__(self, …)`: the object is passed then.
 */
function namesConstructor(after: Resolver, { file, expr }: JudgedSite): boolean {
  const language = after.language(file);
  return (
    !language.constructorsSpellClass &&
    after.summary(file).exprs.nameOf(expr) === language.constructorName &&
    receiverAt(after, file, expr)?.kind === 'class'
  );
}

/** A decorator without arguments is called with what it decorates, where decorators are functions. */
function decorates(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  if (!graphs.after.language(site.file).decoratorsReplace) return 'fine';
  const decorated: Argument = { expr: -1, keyword: '', spread: 'none', start: -1 };
  const misfit = currentFunctions(change, graphs).map((target) =>
    fit(signatureOf(graphs.after.summary(target.file), target.decl), [decorated], false),
  );
  const [first] = misfit;
  return first === undefined || misfit.some((result) => result.fits) || first.fits
    ? 'fine'
    : breaks(`it is called with what it decorates alone, and ${saidOfCall(first.misfit)}`);
}

/** Whether what stands there iterates, or opens and closes an object, which calls its members with nothing. */
const isRunBySyntax = ({ exprs }: Summary, expr: number): boolean =>
  exprs.opOf(expr) === E.enter || exprs.opOf(expr) === E.element;

function syntaxFits(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const delta = change.detail.signature;
  const takesNothing = ({ after, before }: Graphs, target: DeclRef, isOld: boolean): boolean =>
    fit(signatureOf((isOld ? before : after).summary(target.file), target.decl), [], false).fits;
  if (
    delta === undefined ||
    delta.async !== undefined ||
    change.before === undefined ||
    !takesNothing(graphs, change.before, true)
  )
    return may('is not called there');
  if (!currentFunctions(change, graphs).some((target) => takesNothing(graphs, target, false)))
    return breaks('it is called with nothing there');
  const thrown = thrownAt(change, site, graphs.after);
  if (typeof thrown === 'object') return breaks(letsThrough(thrown.escapes));
  if (thrown === 'declared' && isEmptyDelta(withoutThrows(delta))) return 'fine';
  return touched(delta, [], { fits: true, pairs: [] }, { change, graphs, file: site.file, call: site.expr });
}

/** A member that is called on an object and is static now, or on its class and is not any more; in words. */
function misplacedStatic(
  isStatic: boolean,
  { exprs }: Summary,
  callee: number,
  receiver: string | undefined,
  { staticsOnObjects }: Language,
): string | undefined {
  if (exprs.opOf(callee) !== E.member || exprs.opOf(exprs.operandOf(callee)) === E.super) return undefined;
  if (isStatic)
    return receiver === 'instance' && !staticsOnObjects ? 'it is static now, and is called on an object' : undefined;
  return receiver === 'class' ? 'it is not static any more, and is called on its class' : undefined;
}

/**
 * A call of a member that has to keep one signature with the changed one: it must follow where it does not fit any
 * more.
 */
export function familyCall(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  if (site.expr < 0 || hasOtherDefaultsAlone(change, graphs.after.language(site.file))) return 'fine';
  if (meansWhatStays(change, site, graphs)) return 'fine';
  const verdict = call(change, site, graphs);
  return verdict !== 'fine' && verdict.tier === 'breaks' ? verdict : 'fine';
}

/** Whether the call means members alone that need not follow: they take more than the changed one, or do with less. */
function meansWhatStays({ after: now }: AtomicChange, { file, expr }: JudgedSite, graphs: Graphs): boolean {
  if (now === undefined || !graphs.after.language(file).overridesTakeFewer) return false;
  const { targets, confidence } = graphs.after.resolve(file, expr);
  return (
    confidence === 'certain' &&
    targets.length > 0 &&
    targets.every((target) => target.decl >= 0 && !sameDecl(target, now) && takesFewer(now, target, graphs))
  );
}

/**
 * Whether all that changed is what the declaration gives by default, and calls of other declarations give their own.
 */
function hasOtherDefaultsAlone({ detail: { signature } }: AtomicChange, { defaultsOfCalled }: Language): boolean {
  if (!defaultsOfCalled || signature === undefined) return false;
  const { added, removed, renamed, moved, retyped, passing, returnType, async } = signature;
  const isOther = [added, removed, renamed, moved, retyped, passing].some((params) => params.length > 0);
  return !isOther && returnType === undefined && async === undefined;
}

/** An argument that another parameter takes now, in words: the call still fits and means something else. */
function reboundArgument(old: Fitting, now: Fitting, delta: SignatureDelta): string | undefined {
  for (const { argument, param } of old.pairs) {
    const other = now.pairs.find((pair) => pair.argument.start === argument.start)?.param;
    if (other === undefined) continue;
    // Who says the old name says the parameter that was left behind with it.
    if (argument.keyword !== '' && other.name === param.name) continue;
    const name = delta.renamed.find((pair) => pair.from === param.name)?.to ?? param.name;
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

/** Functions that the call can mean now: the changed one, for a class its constructors. */
function currentFunctions(change: AtomicChange, { after, before }: Graphs): readonly DeclRef[] {
  if (change.label === 'MMS' || change.label === 'MMB') return change.after === undefined ? [] : [change.after];
  const [resolver, ref] =
    change.after !== undefined ? ([after, change.after] as const) : ([before, change.before] as const);
  if (ref === undefined) return [];
  const type = ownerNow(change, { after, before }, resolver, ref);
  return type === undefined ? [] : constructorsOf(after, type);
}

/** The class that a constructor or component belongs to, in the edited tree. */
function ownerNow(
  change: AtomicChange,
  { after }: Graphs,
  resolver: Graphs['before'],
  ref: DeclRef,
): DeclRef | undefined {
  const summary = resolver.summary(ref.file);
  const owner = isClassLike(summary.decls.kindOf(ref.decl)) ? ref.decl : summary.decls.parentOf(ref.decl);
  if (owner < 0) return undefined;
  if (resolver === after) return { file: ref.file, decl: owner };
  const path = summary.decls.nameOf(owner);
  return after
    .topLevel(change.file, path)
    .flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : []))[0];
}

/** Construction where no constructor is written: components of records and data classes, or nothing. */
function constructionFits(
  change: AtomicChange,
  args: readonly Argument[],
  at: { readonly file: string; readonly call: number },
  graphs: Graphs,
): Verdict {
  const [resolver, ref] =
    change.after !== undefined ? ([graphs.after, change.after] as const) : ([graphs.before, change.before] as const);
  const owner = ref === undefined ? undefined : ownerNow(change, graphs, resolver, ref);
  if (owner === undefined) return may();
  const type = madeAt(graphs.after, at, owner);
  const signature = componentsOf(graphs.after, type);
  const isData = graphs.after.summary(type.file).decls.has(type.decl, F.dataclass);
  if (signature.params.length === 0 && !isData)
    return args.length > 0 && change.label === 'DCC'
      ? breaks('it has no constructor that takes arguments now')
      : 'fine';
  const delta = change.detail.signature;
  const gone = args.find(
    (argument) => argument.keyword !== '' && delta?.removed.some((param) => param.name === argument.keyword) === true,
  );
  if (gone !== undefined) return misfitting({ kind: 'no such keyword', keyword: gone.keyword });
  const result = fit(signature, args, false);
  if (!result.fits) return misfitting(result.misfit);
  if (delta === undefined || change.before === undefined) return 'fine';
  const place = { change, graphs, ...at };
  if (!sameDecl(type, owner)) return touched(delta, args, result, place);
  const old = fit(componentsOf(graphs.before, change.before), args, false);
  const rebound = old.fits ? reboundArgument(old, result, delta) : undefined;
  if (rebound !== undefined) return breaks(rebound);
  const contradicted = otherwiseTyped(graphs.after, delta, result, at.file, type.file);
  if (contradicted !== undefined) return breaks(`its component ${contradicted} takes another type now`);
  const verdict = touched(delta, args, result, place);
  // A component has a default so that those who do not care need not give it.
  return verdict !== 'fine' && verdict.offers !== undefined ? { ...verdict, isIdle: true } : verdict;
}

/** The class that a call makes an object of: the changed one, or one below it that takes its fields over. */
function madeAt(
  after: Resolver,
  { file, call: at }: { readonly file: string; readonly call: number },
  owner: DeclRef,
): DeclRef {
  const callee = after.summary(file).exprs.calleeOf(at);
  const [made] = callee < 0 ? [] : after.resolve(file, callee).targets;
  return made !== undefined &&
    made.decl >= 0 &&
    isClassLike(after.summary(made.file).decls.kindOf(made.decl)) &&
    isSubclass(after, made, owner)
    ? made
    : owner;
}

const misfitting = (misfit: Misfit): Verdict => breaks(`the call ${saidOfCall(misfit)}`, factOfCall(misfit));

/** A call that still fits: whether anything it gives or gets changed its meaning. */
function touched(delta: SignatureDelta, args: readonly Argument[], fitting: Fitting, place: FittingPlace): Verdict {
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
    return delta.async ? 'fine' : notAwaitable(summary, place.call);
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

/** Whether what changed is read like a field, as it was before. */
export function isProperty({ after: ref, detail: { modifiers } }: AtomicChange, { after }: Graphs): boolean {
  if (ref === undefined || ref.decl < 0 || modifiers?.removed.includes('getter') === true) return false;
  return after.summary(ref.file).decls.has(ref.decl, F.getter);
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
    ...(returnType === undefined || isServed(returnType, { file: place.file, expr: place.call }, place.graphs)
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
    ...(delta.static === undefined ? [] : [may(delta.static ? 'it is static now' : 'it is not static any more')]),
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

const isAwaited = ({ exprs }: Summary, call: number): boolean => exprs.wholeBy(call, E.await) >= 0;
