/**
 * Judges calls, of functions and of constructors, whose signature changed.
 */
import { isOutside } from '../base/outside.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { isEmptyDelta } from '../change/signature-delta.js';
import { componentsOf } from '../graph/resolve/components.js';
import { factOfCall, saidOfCall, type Misfit } from '../graph/resolve/misfit.js';
import { callOf } from '../graph/resolve/names.js';
import {
  constructorsOf,
  mayTake,
  passesReceiver,
  receiverAt,
  takesExactly,
  takesSurely,
  type CallSite,
} from '../graph/resolve/overloads.js';
import { findMember, isSubclass, partsOfFunction } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit, signatureOf, type Fit, type Fitting } from '../graph/resolve/signature.js';
import type { DeclRef, Language } from '../languages/language.js';
import { D, E, F, HELD, isClassLike, isFunctionLike, R, type Argument, type Summary } from '../syntax/summary.js';
import { sameDecl } from '../syntax/rows.js';
import { namedAlike } from './counterparts.js';
import type { Graphs } from './graphs.js';
import { goesOnFitting, letsThrough, readFits, reboundArgument, touched, withoutThrows } from './judge-fitting-call.js';
import { decorates } from './judge-decorator.js';
import { constructorReference } from './judge-constructor-reference.js';
import { meansOtherConstructor } from './other-constructor.js';
import { otherwiseTyped } from './judge-retyped.js';
import { thrownAt } from './thrown-exceptions.js';
import { takesFewer } from './takes-fewer.js';
import { partsGiven } from './judge-taken-apart.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** A call of a function (or construction of a class) whose parameters changed. */
export function call(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const verdict = callOfChanged(change, site, graphs);
  if (verdict === 'fine' || verdict.tier === 'may' || !isTakenByAnother(change, site, graphs)) return verdict;
  return may(`${verdict.detail === undefined ? '' : `${verdict.detail}, and `}another one of its name takes it now`);
}

/** Whether the name that a call says reaches another function now, which surely takes what it gives. */
function isTakenByAnother(
  { after: now, detail }: AtomicChange,
  { file, expr }: JudgedSite,
  { after }: Graphs,
): boolean {
  // What keeps the old name may be what the renamed one stands for.
  const at =
    expr < 0 || detail.rename !== undefined || !after.language(file).overloads ? -1 : callAt(after.summary(file), expr);
  if (at < 0) return false;
  const { targets, confidence } = after.resolve(file, expr);
  return (
    confidence === 'certain' &&
    targets.every((target) => target.decl >= 0 && !isSame(target, now)) &&
    targets.some((target) => takesSurely(after, target, { file, expr: at }))
  );
}

/** What the call means by the changed function alone, whatever else has its name. */
function callOfChanged(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const summary = after.summary(site.file);
  if (site.expr < 0) return may();
  if (change.detail.modifiers?.added.includes('getter') === true)
    return callOf(summary, site.expr) < 0 ? 'fine' : breaks('it is a property now, and is not called');
  const role = summary.exprs.roleOf(site.expr);
  if (role === R.import || role === R.type || role === R.base || role === R.doc) return 'fine';
  if (change.detail.modifiers?.added.includes('optional') === true) return may('it may be missing now');
  // A rename or a move alone leaves the arguments as they are.
  if (change.detail.signature !== undefined && isEmptyDelta(change.detail.signature)) return 'fine';
  if (isProperty(change, graphs)) return readFits(change, site, graphs);
  const at = callAt(summary, site.expr);
  return at < 0 ? withoutArguments(change, site, graphs) : withArguments(change, site, at, graphs);
}

/** The call that a site is of: the one around it whose callee it is, `new (make())(1)`, or itself. */
function callAt(summary: Summary, expr: number): number {
  const { exprs } = summary;
  const around = callOf(summary, expr);
  const isCallee = around >= 0 && exprs.calleeOf(around) === expr;
  return exprs.opOf(expr) === E.call && !isCallee ? expr : around;
}

/**
 * A construction that ran a constructor which is gone, where others are left: whether one of them takes what it gives
 * is a question of types, as for any overload. Signatures stand before one body, and it is all the same which is meant.
 */
export function constructorGone(change: AtomicChange, { file, expr }: JudgedSite, graphs: Graphs): Verdict {
  const { before, after } = graphs;
  const { before: was } = change;
  const call = expr < 0 ? -1 : callAt(after.summary(file), expr);
  const { overloads } = after.language(file);
  if (call < 0 || was === undefined || !(overloads || isSignature(before, was))) return 'fine';
  const all = currentFunctions(change, graphs);
  const signatures = all.filter((other) => isSignature(after, other));
  const others = signatures.length > 0 ? signatures : all;
  if (others.length === 0) return 'fine';
  if (!others.some((other) => mayTake(after, other, { file, expr: call })))
    return breaks('the constructor that it ran is deleted, and no other takes what it gives');
  return overloads ? may('the constructor that it ran is deleted, and another takes what it gives') : 'fine';
}

/** A class that is handed to what is known to call it: `map(Point, rows)`. */
export function madeByAnother(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { exprs } = graphs.after.summary(site.file);
  const made = site.expr < 0 || exprs.roleOf(site.expr) !== R.read ? -1 : exprs.callOf(site.expr);
  const isHanded = made >= 0 && exprs.nameOf(made) !== HELD;
  const verdict = isHanded ? call(change, site, graphs) : 'fine';
  // Nobody writes such a call, so that it can be given nothing new.
  return verdict !== 'fine' && verdict.offers !== undefined ? 'fine' : verdict;
}

/** What calls by its syntax alone: a decorator, a loop, an operator. */
function withoutArguments(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const summary = graphs.after.summary(site.file);
  if (summary.exprs.roleOf(site.expr) === R.decorator)
    return decorates(change, site, graphs, currentFunctions(change, graphs));
  if (summary.exprs.opOf(site.expr) === E.nth) return partsGiven(change, site, graphs);
  return isRunBySyntax(summary, site.expr) ? syntaxFits(change, site, graphs) : may('is not called there');
}

function withArguments(change: AtomicChange, site: JudgedSite, at: number, graphs: Graphs): Verdict {
  const { before, after } = graphs;
  const reference = constructorReference({ file: site.file, call: at }, graphs);
  if (reference !== undefined) return reference;
  const args = after.summary(site.file).exprs.argumentsOf(at);
  const functions = functionsAt(change, { file: site.file, expr: at }, graphs);
  if (functions.length === 0) return constructionFits(change, args, { file: site.file, call: at }, graphs);
  const callSite = { file: site.file, expr: at };
  if (meansOtherConstructor(change, functions, callSite, graphs) || meantOther(change, callSite, graphs)) return 'fine';
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
  if (isOfHiddenBody(change, graphs)) return 'fine';
  const target = functions[chosen] as DeclRef;
  const isOfSeveral = change.label === 'MMS' || isSignature(after, target);
  if (isFunction && isOfSeveral && functions.length > 1 && !isSame(target, change.after))
    return byOtherSignature(change, graphs, old, now);
  return goesOnFitting(change, site, graphs, { at, target, old, now });
}

const isSignature = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  resolver.summary(file).decls.has(decl, F.bodiless);

const isSame = (one: DeclRef, other: DeclRef | undefined): boolean => other !== undefined && sameDecl(one, other);

/** A call that another overload signature takes than the one that changed. */
function byOtherSignature(
  { before: was, detail: { signature } }: AtomicChange,
  { before }: Graphs,
  old: Fit | undefined,
  now: Fitting,
): Verdict {
  // What never fitted the signature that changed meant another one before.
  if (old?.fits !== true || was === undefined) return 'fine';
  if (signaturesOf(before, was).length > 1) return may('another of its overloads takes it now');
  const rebound = signature === undefined ? undefined : reboundArgument(old, now, signature);
  return rebound === undefined ? 'fine' : breaks(rebound);
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

const hasBody = ({ decls }: Summary, decl: number): boolean => decls.bodyStartOf(decl) < decls.endOf(decl);

/** `super.name`, `base.name`. */
export const isOfBase = ({ exprs }: Summary, expr: number): boolean =>
  exprs.opOf(expr) === E.member && exprs.opOf(exprs.operandOf(expr)) === E.super;

/** A call of what a class inherits, which has no body any more. */
export function callsNothing({ after: now }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  const isLost =
    site.expr >= 0 && now !== undefined && !hasBody(after.summary(now.file), now.decl) && isOfBase(summary, site.expr);
  return isLost ? breaks('it has no body any more') : 'fine';
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

/**
 * A call of a member that has to keep one signature with the changed one: it must follow where it does not fit any
 * more.
 */
export function familyCall(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  if (site.expr < 0 || hasOtherDefaultsAlone(change, graphs.after.language(site.file))) return 'fine';
  if (meansWhatStays(change, site, graphs) || neverFitted(change, site, graphs)) return 'fine';
  const { signature } = change.detail;
  // What one member throws no other has to.
  if (signature !== undefined && isEmptyDelta(withoutThrows(signature))) return 'fine';
  const verdict = callOfChanged(change, site, graphs);
  return verdict !== 'fine' && verdict.tier === 'breaks' ? verdict : 'fine';
}

/** Whether a call did not fit the changed member before either: what it means had a signature of its own. */
function neverFitted({ before: was }: AtomicChange, site: JudgedSite, { before, after }: Graphs): boolean {
  const summary = after.summary(site.file);
  const at = callOf(summary, site.expr);
  if (was === undefined || at < 0 || !isFunctionLike(before.summary(was.file).decls.kindOf(was.decl))) return false;
  return !fitAt(after, site, summary.exprs.argumentsOf(at), before.summary(was.file), was).fits;
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

/** Functions that the call can mean now: the changed one, for a class its constructors. */
function currentFunctions(change: AtomicChange, { after, before }: Graphs): readonly DeclRef[] {
  if (change.label === 'MMS' || change.label === 'MMB')
    return change.after === undefined ? [] : signaturesOf(after, change.after);
  const [resolver, ref] =
    change.after !== undefined ? ([after, change.after] as const) : ([before, change.before] as const);
  if (ref === undefined) return [];
  const type = ownerNow(change, { after, before }, resolver, ref);
  return type === undefined ? [] : constructorsOf(after, type);
}

/** Those of them that a call can mean: other overload signatures where they take what it gives. */
function functionsAt(change: AtomicChange, at: CallSite, graphs: Graphs): readonly DeclRef[] {
  const functions = currentFunctions(change, graphs);
  if (change.label !== 'MMS' || functions.length < 2) return functions;
  const isExact = meantExactly(change, at, graphs);
  const meant = functions.filter(
    (target) => isSame(target, change.after) || (!isExact && mayTake(graphs.after, target, at)),
  );
  return meant.length === 0 ? functions : meant;
}

/** Whether a call in a file that nobody edited meant the signature that changed, by the types of what it gives. */
function meantExactly({ before: was }: AtomicChange, at: CallSite, { before, after }: Graphs): boolean {
  const isAsItWas = before.repo.summary(at.file)?.hash === after.repo.summary(at.file)?.hash;
  return was !== undefined && isAsItWas && takesExactly(before, was, at);
}

/** Whether a call in a file that nobody edited meant another signature of the function, by what it gives. */
function meantOther({ before: was }: AtomicChange, at: CallSite, { before, after }: Graphs): boolean {
  if (was === undefined || before.repo.summary(at.file)?.hash !== after.repo.summary(at.file)?.hash) return false;
  const others = isSignature(before, was) ? signaturesOf(before, was).slice(1) : [];
  return others.some((other) => mayTake(before, other, at)) && !mayTake(before, was, at);
}

/** Whether the parameters are those of a body that signatures stand before, and stood: calls hear of these alone. */
const isOfHiddenBody = ({ label, before: was, after: now }: AtomicChange, { before, after }: Graphs): boolean =>
  label === 'MMS' &&
  was !== undefined &&
  now !== undefined &&
  !signaturesOf(before, was).some((each) => sameDecl(each, was)) &&
  !signaturesOf(after, now).some((each) => sameDecl(each, now));

/** The ways in which a function can be called: by its overload signatures, the given one first, or by its own. */
export function signaturesOf(resolver: Resolver, ref: DeclRef): readonly DeclRef[] {
  const { decls } = resolver.summary(ref.file);
  const isAccessor = decls.has(ref.decl, F.getter | F.setter);
  const all = isAccessor ? [ref] : [ref, ...partsOfFunction(resolver, ref)];
  const last = Math.max(...all.map(({ decl }) => decl));
  // A body behind signatures is called by these.
  const isHidden = ({ decl }: DeclRef): boolean => all.length > 1 && decl === last && !decls.has(decl, F.bodiless);
  return all.filter((part) => !isHidden(part));
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
  // A namespace is opened in any file, so that no class in it stands at the top level of one.
  const [alike] = namedAlike(resolver, { file: ref.file, decl: owner }, after);
  return (
    alike ??
    after
      .topLevel(change.file, summary.decls.nameOf(owner))
      .flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : []))[0]
  );
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
    return args.length > 0 && (change.label === 'DCC' || hadComponents(change, graphs.before))
      ? noneTakesArguments(graphs.after, type)
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

/** Whether objects were made from the components of the class itself. */
const hadComponents = ({ before: was }: AtomicChange, before: Resolver): boolean =>
  was !== undefined &&
  isClassLike(before.summary(was.file).decls.kindOf(was.decl)) &&
  componentsOf(before, was).params.length > 0;

/** Unless a base from outside has a constructor that nobody knows. */
function noneTakesArguments(after: Resolver, type: DeclRef): Verdict {
  const { outside } = findMember(after, type, after.language(type.file).constructorName);
  const detail = 'it has no constructor that takes arguments now';
  return outside ? may(detail) : breaks(detail);
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

/** Whether what changed is read like a field, as it was before. */
export function isProperty({ after: ref, detail: { modifiers } }: AtomicChange, { after }: Graphs): boolean {
  if (ref === undefined || ref.decl < 0 || modifiers?.removed.includes('getter') === true) return false;
  return after.summary(ref.file).decls.has(ref.decl, F.getter);
}
