/**
 * Decides for one site, or one related block, whether the change breaks it, may affect it, or
 * leaves it alone (it was adapted already, or nothing that it uses changed).
 */
import { shownName } from '../base/shown.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { isDefaultName } from '../change/compare-exports.js';
import { standsForMember } from '../change/pulled-up.js';
import { ownMembers, partsOfFunction } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolution } from '../graph/resolve/names.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef, Entity } from '../languages/language.js';
import { D, E, F, isClassLike, isFunctionLike, R, TYPE_OF, WHOLE_MODULE, type Summary } from '../syntax/summary.js';
import { NO_LONGER_STATIC } from './imported-members.js';
import { isBoundByDefault, outOfReach } from './judge-access.js';
import { givesBare, lacksElement, repeats } from './judge-annotation.js';
import { call, callsNothing, constructorGone, familyCall, madeByAnother, misfitsAdded } from './judge-call.js';
import { calledOutside, exportedAlike } from './judge-exported-part.js';
import { functionValue, heldCall, signatureValue } from './judge-function-value.js';
import { gone } from './judge-gone.js';
import { givenByName } from './judge-named-parameters.js';
import { heldAbove, heldBelow } from './judge-held-type.js';
import { mayBeMissing, meansOther, reference } from './judge-mention.js';
import { madeWithValues } from './judge-made-constructor.js';
import {
  givesTooMuch,
  asksAccessor,
  lacksAccessor,
  otherPart,
  override,
  isFarBelow,
  overrideFarAbove,
  overrideFarBelow,
  overrideName,
  overridesFallen,
  overridesNothing,
} from './judge-override.js';
import { constantLacks, derivesThere, inheritsOther, lacksMember, makesAbstract } from './judge-class.js';
import { literalLacks } from './judge-literal.js';
import { takenApart, takenByPattern } from './judge-taken-apart.js';
import { ofShape, shapeWords } from './members-taken.js';
import { namesMembers, namesSiblings } from './judge-siblings.js';
import type { Graphs } from './graphs.js';
import { typeParametersRenamedBy } from './predicates.js';
import { spelledValue } from './judge-spelled-value.js';
import { makesOther } from './made-by-call.js';
import { narrowedForWritten } from './type-bounds.js';
import { unbound } from './judge-unbound.js';
import { behaves, breaks, may, offers, type JudgedSite, type Verdict } from './verdict.js';

export type Judge = keyof typeof JUDGES;

export const JUDGES = {
  /** The strict profile lists every related block. */
  paper: (): Verdict => may(),
  mayFollow: (): Verdict => may(),
  inheritsOther,
  derivesThere,
  callsNothing,
  isFarBelow,
  mustFollow: (): Verdict => breaks(),
  behaviour,
  shape,
  gone,
  call,
  constructorGone,
  familyCall,
  reference,
  override,
  functionValue,
  signatureValue,
  givenByName,
  heldAbove,
  heldBelow,
  heldCall,
  mayBeMissing,
  overrideFarAbove,
  overrideFarBelow,
  overrideName,
  overridesNothing,
  overridesFallen,
  otherPart,
  exportedAlike,
  calledOutside,
  lacksMember,
  constantLacks,
  makesAbstract,
  asksAccessor,
  lacksAccessor,
  lacksDeclaration,
  lacksElement,
  givesBare,
  madeByAnother,
  madeWithValues,
  meansOther,
  misfitsAdded,
  givesTooMuch,
  literalLacks,
  namesMembers,
  namesSiblings,
  outOfReach,
  rebound,
  takenApart,
  takenByPattern,
  unbound,
  unboundParameter,
  unboundTypeParameter,
  unexported,
  importsStatic,
  typeArguments,
  typeOfResult,
  givesNoValue,
  namedAsClass,
  forThoseBelow,
  spellsOldName,
  repeats,
  spelledValue,
  makesOther,
} satisfies Record<string, (change: AtomicChange, site: JudgedSite, graphs: Graphs) => Verdict>;

/** A call, or a read of a property, of what does something else now. */
function behaviour(
  { detail: { escapes, shape }, after: now }: AtomicChange,
  site: JudgedSite,
  { after }: Graphs,
): Verdict {
  const said = may(
    escapes
      ?.slice(0, 2)
      .map((effect) => effect.slice(0, 120))
      .join('; ') ?? (shape === undefined ? undefined : `what it returns ${shapeWords(shape)}`),
  );
  if (site.expr < 0) return said;
  const { exprs } = after.summary(site.file);
  const role = exprs.roleOf(site.expr);
  if (role === R.import || role === R.write || role === R.doc) return 'fine';
  const call = exprs.usesOf(site.expr).find(({ kind }) => kind === 'callee');
  const value = call !== undefined && 'row' in call ? call.row : site.expr;
  const isAsync = now !== undefined && after.summary(now.file).decls.has(now.decl, F.async);
  const place = { file: site.file, expr: value };
  const taken = shape === undefined ? undefined : ofShape(shape, after, place, 'what it returns', isAsync);
  if (taken === undefined || shape === undefined) return said;
  if (taken === 'fine') return shape.isAll ? 'fine' : said;
  return taken.tier === 'breaks' || escapes === undefined ? taken : said;
}

/** A function named where types are written: what is read off its result is of another shape. */
function typeOfResult({ detail }: AtomicChange, { file, expr }: JudgedSite, { after }: Graphs): Verdict {
  if (detail.shape === undefined || expr < 0) return 'fine';
  const { exprs } = after.summary(file);
  const isType = exprs
    .usesOf(expr)
    .some((use) => 'row' in use && exprs.opOf(use.row) === E.union && exprs.nameOf(use.row) === TYPE_OF);
  return isType ? may(`what it returns ${shapeWords(detail.shape)}`) : 'fine';
}

/** A use of what holds a value that has other keys or parts now. Who takes none that went gets another value. */
function shape({ detail }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  if (detail.shape === undefined || site.expr < 0 || after.summary(site.file).exprs.roleOf(site.expr) !== R.read)
    return 'fine';
  const { isWider, calls = [] } = detail.shape;
  const taken = ofShape(detail.shape, after, site, 'what it holds');
  if (taken === undefined) {
    if (calls.length > 0) return may(`what it holds ${shapeWords({ ...detail.shape, removed: [], retyped: calls })}`);
    return isWider === true ? may('its members are of wider types now') : 'fine';
  }
  if (taken === 'fine' || taken.tier === 'breaks' || isWider === true) return taken;
  // Another value is none of a user's business, unless it is a function that takes other things.
  return ofShape({ ...detail.shape, removed: [], retyped: calls }, after, site, 'what it holds') ?? 'fine';
}

const isCallee = (role: number): boolean => role === R.callee || role === R.newCallee;

/**
 * A constructor that does not assign the new field, or a class that has none for a field which nothing else may assign.
 */
function givesNoValue(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  const { exprs, decls, scopes } = summary;
  if (change.after === undefined) return 'fine';
  const of = after.summary(change.after.file).decls;
  const name = of.nameOf(change.after.decl);
  const isFixed = after.language(change.file).finalConstants && of.has(change.after.decl, F.final);
  if (!isFunctionLike(decls.kindOf(site.block))) {
    const isAsked = isFixed || of.has(change.after.decl, F.readonly);
    return isAsked && constructorsOf(after, { file: site.file, decl: site.block }).length === 0
      ? may('it has no constructor yet')
      : 'fine';
  }
  const row = summary.idOf(name);
  if (row < 0) return isFixed ? breaks(`it gives ${name} no value`) : may();
  const owner = decls.parentOf(site.block);
  for (const expr of summary.exprs.named(row)) {
    const role = exprs.roleOf(expr);
    if (role !== R.write && role !== R.declares) continue;
    const at = exprs.startOf(expr);
    const isHere = at >= decls.bodyStartOf(site.block) && at < decls.endOf(site.block);
    // An initializer of the class runs before each of its constructors.
    if (isHere || (isFixed && role === R.write && scopes.blockOf(exprs.scopeOf(expr)) === owner)) return 'fine';
  }
  // Another constructor of the class does it.
  const isDone = exprs
    .ofOp(E.this)
    .some((expr) => isCallee(exprs.roleOf(expr)) && scopes.blockOf(exprs.scopeOf(expr)) === site.block);
  if (isDone) return 'fine';
  return isFixed ? breaks(`it gives ${name} no value`) : may();
}

/**
 * A class whose changed member uses a name that it did not use before and that nothing declares.
 * Only where a bare name can be a member, and only names that begin as those of values do: types,
 * packages and functions of the language itself may come from anywhere.
 */
function lacksDeclaration(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (change.after === undefined || change.before === undefined || !after.language(site.file).bareMembers)
    return 'fine';
  const { file, decl } = change.after;
  const summary = after.summary(file);
  const old = before.summary(change.before.file);
  if (summary.imports.some((entry) => entry.kind === 'static' && entry.name === '*')) return 'fine';
  const from = summary.decls.bodyStartOf(decl);
  for (let expr = 0; expr < summary.exprs.count; expr++) {
    const at = summary.exprs.startOf(expr);
    if (
      at < from ||
      at >= summary.decls.endOf(decl) ||
      summary.exprs.opOf(expr) !== E.name ||
      !isValueRole(summary.exprs.roleOf(expr))
    )
      continue;
    const name = summary.exprs.nameOf(expr);
    if (!/^[_\p{Ll}]./u.test(name) || saysName(old, change.before.decl, name) || isQualifier(summary, expr)) continue;
    const resolution = after.resolve(file, expr);
    if (resolution.targets.length === 0 && (!resolution.external || resolution.via === 'ambient'))
      return breaks(`it uses ${name}, which nothing declares`);
  }
  return 'fine';
}

const isValueRole = (role: number): boolean => role === R.read || role === R.write || role === R.update;

function saysName(summary: Summary, decl: number, name: string): boolean {
  const row = summary.idOf(name);
  if (row < 0) return false;
  return summary.exprs
    .named(row)
    .some(
      (expr) =>
        summary.exprs.startOf(expr) >= summary.decls.startOf(decl) &&
        summary.exprs.startOf(expr) < summary.decls.endOf(decl),
    );
}

/** The first word of a dotted chain, which may be a package's. */
function isQualifier({ exprs }: Summary, expr: number): boolean {
  const member = exprs.wholeBy(expr, E.member);
  return member >= 0 && exprs.wholeBy(member, E.member) >= 0;
}

/** A call in a file that was not edited and that reaches another function than before. */
function rebound(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (site.expr < 0 || before.repo.summary(site.file)?.hash !== after.repo.summary(site.file)?.hash) return 'fine';
  const old = before.resolve(site.file, site.expr);
  if (old.confidence !== 'certain' || old.targets.length === 0) return 'fine';
  if (old.targets.some((target) => target.file === change.after?.file && target.decl === change.after.decl))
    return 'fine';
  const names = (resolver: Graphs['after'], { file, decl }: DeclRef): string =>
    decl < 0
      ? ''
      : signatureOf(resolver.summary(file), decl)
          .params.map(({ name }) => name)
          .join();
  const { after: now } = change;
  if (now !== undefined && old.targets.every((target) => isSignatureOf({ before, after }, now, target))) return 'fine';
  const isAlike = now !== undefined && old.targets.every((target) => names(before, target) === names(after, now));
  if (now !== undefined && old.targets.every((target) => standsForMember({ before, after }, target, now)))
    return 'fine';
  return { tier: 'may', detail: 'another method was called before', ...(isAlike ? { fits: true } : {}) };
}

/** Whether it is an overload signature of what a function became that said nothing of what it gives. */
function isSignatureOf({ before, after }: Graphs, now: DeclRef, was: DeclRef): boolean {
  if (was.decl < 0 || was.file !== now.file) return false;
  const [old, of] = [before.summary(was.file).decls, after.summary(now.file).decls];
  return (
    old.pathOf(was.decl) === of.pathOf(now.decl) &&
    old.typeOf(was.decl) < 0 &&
    partsOfFunction(before, was).length === 0 &&
    partsOfFunction(after, now).length > 0
  );
}

/** An import of a member that its class has no more by itself. */
function importsStatic(_: AtomicChange, { file, expr }: JudgedSite, { after }: Graphs): Verdict {
  const isImport = expr >= 0 && after.summary(file).exprs.roleOf(expr) === R.import;
  return isImport ? breaks(NO_LONGER_STATIC) : 'fine';
}

/** A use of what a list of exports named, and that nothing leads to any more. */
function unexported(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  const resolution = after.resolve(site.file, site.expr);
  const { name = '', newName, isTypeAlone } = change.detail.export ?? {};
  const summary = after.summary(site.file);
  if (isTypeAlone === true) {
    const role = summary.exprs.roleOf(site.expr);
    return role === R.import || role === R.type || role === R.doc
      ? 'fine'
      : breaks(`${shownName(change.file)} exports it as a type alone now`);
  }
  // Of what goes by another name where it comes from, the list may say the old one still. A list of what `*` brings
  // keeps nothing from those who ask for it by name.
  if (after.exported(change.file, name).length > 0 && !isUnbound(summary, site, name, resolution)) return 'fine';
  const isModule = resolution.targets.length > 0 && resolution.targets.every(({ decl }) => decl < 0);
  // What was all of a module is reached through a member of it, if at all.
  const isLost = name === WHOLE_MODULE && isModule && summary.exprs.wholeBy(site.expr, E.member) < 0;
  const isPassedOn = before
    .exported(change.file, name)
    .some((entity) => staysElsewhere({ before, after }, entity, change.file));
  const isElsewhere = resolution.external && !(isPassedOn && isAskedOf(after, site, change.file));
  if (!isLost && (resolution.targets.length > 0 || isElsewhere)) return 'fine';
  if (isDefaultName(name) && isBoundByDefault(summary, site.expr)) return 'fine';
  const said =
    newName === undefined
      ? `${shownName(change.file)} does not export it any more`
      : `${shownName(change.file)} exports it as ${newName} now`;
  return makesNames(after, change.file) ? may(`${said}, and may make it up`) : breaks(said);
}

/** Whether a module has a function that is asked for the names that it does not bind. */
function makesNames(after: Resolver, file: string): boolean {
  if (!after.repo.hasFile(file)) return false;
  const { nameMaker } = after.language(file);
  return nameMaker !== undefined && after.exported(file, nameMaker).length > 0;
}

/** Whether the name stands by itself at a site, and means nothing there now. */
const isUnbound = (
  { exprs }: Summary,
  { expr }: JudgedSite,
  name: string,
  { targets, external }: Resolution,
): boolean =>
  exprs.opOf(expr) === E.name &&
  exprs.nameOf(expr) === name &&
  exprs.roleOf(expr) !== R.import &&
  targets.length === 0 &&
  !external;

/** Whether what a file exported is declared in another one, and is there still: what went has users of its own. */
function staysElsewhere({ before, after }: Graphs, entity: Entity, file: string): boolean {
  if (entity.kind === 'module') return entity.file !== file && after.repo.hasFile(entity.file);
  if (entity.kind !== 'decl' || entity.file === file) return false;
  const { decls } = before.summary(entity.file);
  const now = after.repo.summary(entity.file);
  const row = now?.idOf(decls.nameOf(entity.decl)) ?? -1;
  if (now === undefined || row < 0) return false;
  return [...now.decls.named(row)].some((decl) => now.decls.pathOf(decl) === decls.pathOf(entity.decl));
}

/** Whether a place asks the file itself for a member, `pkg.f`. */
function isAskedOf(after: Resolver, { file, expr }: JudgedSite, of: string): boolean {
  const { exprs } = after.summary(file);
  if (exprs.opOf(expr) !== E.member || exprs.operandOf(expr) < 0) return false;
  const { values } = after.typeOf(file, exprs.operandOf(expr));
  return values.some((value) => value.kind === 'module' && value.file === of);
}

/** A name in the changed function's own body that only its old parameter bound. */
function unboundParameter(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (site.expr < 0) return 'fine';
  const summary = after.summary(site.file);
  const name = summary.exprs.nameOf(site.expr);
  const delta = change.detail.signature;
  const renamed = delta?.renamed.find((param) => param.from === name);
  if (renamed === undefined && delta?.removed.some((param) => param.name === name) !== true) return 'fine';
  const resolution = after.resolve(site.file, site.expr);
  const bound = resolution.targets.length > 0 && resolution.confidence === 'certain';
  if (bound && meansType(after, site, resolution.targets)) return 'fine';
  // A body that stands as it was still means the parameter, even if an outer name is reached now.
  const bodyOf = (resolver: Resolver, ref: DeclRef | undefined): number =>
    ref === undefined ? NaN : resolver.summary(ref.file).decls.bodyHashOf(ref.decl);
  const ownName = resolution.targets.some(
    (target) => target.file === site.file && isWithin(summary, target.decl, site.block),
  );
  const isSameBody = bodyOf(before, change.before) === bodyOf(after, change.after);
  // An assignment to the parameter declares a variable now, where it is spelled as before.
  const isLeftOver = resolution.targets.every(
    (target) =>
      change.after !== undefined &&
      target.file === site.file &&
      target.decl >= 0 &&
      summary.decls.kindOf(target.decl) === D.local &&
      summary.decls.scopeOf(target.decl) === summary.decls.innerOf(change.after.decl),
  );
  if (bound && (!isSameBody || (ownName && !isLeftOver))) return 'fine';
  return breaks(
    renamed === undefined ? `the parameter ${name} is removed` : `the parameter ${name} is named ${renamed.to} now`,
  );
}

/** A name in the changed declaration that only its old type parameter bound. */
function unboundTypeParameter(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  if (site.expr < 0) return 'fine';
  const summary = graphs.after.summary(site.file);
  const renamed = typeParametersRenamedBy(graphs, change).find(({ from }) => from === summary.exprs.nameOf(site.expr));
  // A type around it may have one of the old name: before the edit the nearer one was meant.
  const own = change.after?.decl ?? -1;
  const isInside = ({ file, decl }: DeclRef): boolean =>
    file === site.file &&
    own >= 0 &&
    decl >= 0 &&
    summary.decls.startOf(own) <= summary.decls.startOf(decl) &&
    summary.decls.startOf(decl) < summary.decls.endOf(own);
  return renamed === undefined || graphs.after.resolve(site.file, site.expr).targets.some(isInside)
    ? 'fine'
    : breaks(`the type parameter ${renamed.from} is named ${renamed.to} now`);
}

/**
 * Whether the row is the name of a type where its parameter was called the same: in a type's place, in a header, or in
 * front of what a type alone has.
 */
function meansType(after: Resolver, { file, expr, block }: JudgedSite, targets: readonly DeclRef[]): boolean {
  const { exprs, decls } = after.summary(file);
  const kindOf = (target: DeclRef): number =>
    target.decl < 0 ? 0 : after.summary(target.file).decls.kindOf(target.decl);
  const language = after.language(file);
  if (!targets.every((target) => isClassLike(kindOf(target)))) return false;
  if (language.typesOnlyRoles.has(exprs.roleOf(expr)) || exprs.startOf(expr) < decls.bodyStartOf(block)) return true;
  const member = exprs.wholeBy(expr, E.member);
  return (
    member >= 0 &&
    !language.staticsOnObjects &&
    after
      .resolve(file, member)
      .targets.some(
        (target) =>
          kindOf(target) === D.enumMember ||
          isClassLike(kindOf(target)) ||
          (target.decl >= 0 && after.summary(target.file).decls.has(target.decl, F.static | F.const)),
      )
  );
}

const isWithin = (summary: Summary, decl: number, block: number): boolean =>
  decl >= 0 &&
  summary.decls.startOf(decl) >= summary.decls.startOf(block) &&
  summary.decls.endOf(decl) <= summary.decls.endOf(block);

/**
 * What spells a renamed block's name beside its declaration: constructors, the other parts of a partial class, of an
 * overloaded function, of a property.
 */
function spellsOldName(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  const { rename } = change.detail;
  if (rename === undefined || change.before === undefined || site.block < 0) return 'fine';
  const { decls } = after.summary(site.file);
  const isConstructor = decls.kindOf(site.block) === D.constructor;
  if (isConstructor && !after.language(site.file).constructorsSpellClass) return 'fine';
  const isAdapted = isConstructor
    ? // The name is a token of the header, and the only one that a rename of the class changes.
      !constructorsOf(before, change.before).some(
        (old) => before.summary(old.file).decls.headerHashOf(old.decl) === decls.headerHashOf(site.block),
      )
    : after.summary(site.file).decls.nameOf(site.block) !== rename.from;
  return isAdapted ? 'fine' : breaks(`${change.label === 'MC' ? 'the class' : 'it'} is named ${rename.to} now`);
}

/** A member that says classes below may override it (C#). */
function forThoseBelow(_: AtomicChange, { file, block }: JudgedSite, { after }: Graphs): Verdict {
  const { decls } = after.summary(file);
  return decls.has(block, F.virtual) && !decls.has(block, F.override) ? breaks('nothing can override it now') : 'fine';
}

/** A member that is declared by the name of its class, and is no constructor of its objects. */
function namedAsClass(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  const { rename } = change.detail;
  const names = rename === undefined ? undefined : after.language(site.file).namedAsClass?.(rename.from);
  if (rename === undefined || change.before === undefined || site.block < 0) return 'fine';
  const { decls } = after.summary(site.file);
  const name = decls.nameOf(site.block);
  const isOld = ownMembers(before, change.before, name).some(
    (old) => before.summary(old.file).decls.headerHashOf(old.decl) === decls.headerHashOf(site.block),
  );
  return names?.includes(name) === true && isOld ? breaks(`the class is named ${rename.to} now`) : 'fine';
}

/**
 * A mention of a generic type whose parameters changed: it breaks where it writes arguments for the old ones, or none
 * where they must be written.
 */
function typeArguments(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const detail = change.detail.typeParams;
  if (detail === undefined || change.after === undefined) return 'fine';
  if (typeParametersRenamedBy(graphs, change).length > 0) return 'fine';
  const words = `its type parameters changed from <${detail.from}> to <${detail.to}>`;
  if (site.expr < 0) return may(words);
  const summary = after.summary(site.file);
  const role = summary.exprs.roleOf(site.expr);
  if (role === R.import) return 'fine';
  const own = after.summary(change.after.file);
  const params = own.decls.typeParamsOf(change.after.decl);
  const needed = neededTypeArguments(own, change.after.decl);
  const { names: had, neededBefore } = typeParametersBefore(change, graphs);
  const old = had.length;
  const given = typeArgumentsAt(summary, site.expr);
  const { narrowed = [] } = detail;
  if (given === undefined) {
    if (params.length === 0) return may(words);
    // What is not written is what the parameters stand for by themselves.
    if (neededBefore > 0 || (old > 0 && needed === 0))
      return narrowed.length > 0 && neededBefore > 0 ? may(words) : standsForOther(detail.defaults);
    const first = own.decls.nameOf(params[0] as number);
    if (needed === 0) return offers(first);
    if (old === 0 && after.language(site.file).rawTypes) return { tier: 'breaks', detail: words, offers: first };
    return typeArgumentsLeftOut(graphs, site, words);
  }
  // `X<,>` names the type by the number of its parameters; what fills them when it runs may be none that they take.
  if (given.length === 0) return openGeneric(params.length === old, narrowed.length > 0, words);
  const written = given.length;
  const names = [...params].map((param) => own.decls.nameOf(param));
  if (written < needed || written > params.length) return breaks(words);
  const takesAll = narrowedForWritten(after, change.after, narrowed, site.file, given) === undefined;
  if (written !== old) return takesAll ? 'fine' : may(words);
  const areKept =
    takesAll &&
    // One under another name at its place is the same one, if neither name is another's.
    had.every((name, i) => names[i] === name || !(names.includes(name) || had.includes(names[i] ?? name)));
  if (!areKept) return may(words);
  const added = params[old];
  return added === undefined ? 'fine' : offers(own.decls.nameOf(added));
}

const openGeneric = (areAsMany: boolean, takeFewer: boolean, words: string): Verdict =>
  areAsMany ? (takeFewer ? may(words) : 'fine') : breaks(words);

/** A mention of a type that has parameters, without arguments where some are needed. */
const typeArgumentsLeftOut = ({ after }: Graphs, { file, expr }: JudgedSite, words: string): Verdict =>
  after.language(file).typeArgumentRoles.has(after.summary(file).exprs.roleOf(expr)) ? breaks(words) : may(words);

/** A mention that leaves type parameters to stand for what they stand for by themselves. */
const standsForOther = ([other]: readonly string[] = []): Verdict =>
  other === undefined ? 'fine' : behaves(`its type parameter ${other} stands for another type by itself now`);

const neededTypeArguments = ({ decls }: Summary, decl: number): number =>
  decls.typeParamsOf(decl).filter((param) => decls.valueOf(param) < 0).length;

/** The type parameters that there were, and how many of them had no default. */
function typeParametersBefore(
  { before: old }: AtomicChange,
  { before }: Graphs,
): { readonly names: readonly string[]; readonly neededBefore: number } {
  if (old === undefined || old.decl < 0) return { names: [], neededBefore: 0 };
  const summary = before.summary(old.file);
  const names = [...summary.decls.typeParamsOf(old.decl)].map((param) => summary.decls.nameOf(param));
  return { names, neededBefore: neededTypeArguments(summary, old.decl) };
}

/** The type arguments behind a type's name; undefined for none. */
function typeArgumentsAt({ exprs }: Summary, row: number): readonly number[] | undefined {
  const index = exprs.wholeBy(row, E.index);
  return index < 0 ? undefined : [...exprs.partsOf(index)];
}
