/**
 * Decides for one site, or one related block, whether the change breaks it, may affect it, or
 * leaves it alone (it was adapted already, or nothing that it uses changed).
 */
import { isOutside } from '../base/outside.js';
import { shownName } from '../base/shown.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { isDefaultName } from '../change/compare-exports.js';
import { inheritedInstead, standsForMember } from '../change/pulled-up.js';
import { changedKeys, keyWords } from '../change/written-object.js';
import { classOfMember, ownMembers } from '../graph/resolve/hierarchy.js';
import { canMean } from '../graph/refer/other-names.js';
import { constructorsOf, mayTake } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit, signatureOf } from '../graph/resolve/signature.js';
import { callOf, type Resolution } from '../graph/resolve/names.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, F, isClassLike, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { isBoundByDefault, outOfReach } from './judge-access.js';
import { lacksElement } from './judge-annotation.js';
import { call, familyCall, isProperty, readFits } from './judge-call.js';
import { functionValue, heldCall } from './judge-function-value.js';
import { madeWithValues } from './judge-made-constructor.js';
import {
  givenForMember,
  otherPart,
  override,
  overrideFarAbove,
  overrideFarBelow,
  overrideName,
  overridesFallen,
  overridesNothing,
} from './judge-override.js';
import { inheritsOther, lacksMember } from './judge-class.js';
import { literalLacks } from './judge-literal.js';
import { takenApart } from './judge-taken-apart.js';
import { namesMembers, namesSiblings } from './judge-siblings.js';
import type { Graphs } from './graphs.js';
import { typeParametersRenamedBy } from './predicates.js';
import { resultMisfit, storeMisfit } from './result-use.js';
import { breaks, gets, gives, may, type JudgedSite, type Verdict } from './verdict.js';
import { sameDecl } from '../syntax/rows.js';

export type Judge = keyof typeof JUDGES;

export const JUDGES = {
  /** The strict profile lists every related block. */
  paper: (): Verdict => may(),
  mayFollow: (): Verdict => may(),
  inheritsOther,
  mustFollow: (): Verdict => breaks(),
  behaviour: (change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict => {
    const summary = after.summary(site.file);
    return site.expr >= 0 && summary.exprs.roleOf(site.expr) === R.import
      ? 'fine'
      : may(
          change.detail.escapes
            ?.slice(0, 2)
            .map((effect) => effect.slice(0, 120))
            .join('; '),
        );
  },
  gone,
  call,
  familyCall,
  reference,
  override,
  functionValue,
  heldCall,
  overrideFarAbove,
  overrideFarBelow,
  overrideName,
  overridesNothing,
  overridesFallen,
  otherPart,
  lacksMember,
  lacksDeclaration,
  lacksElement,
  madeWithValues,
  meansOther,
  literalLacks,
  namesMembers,
  namesSiblings,
  outOfReach,
  rebound,
  takenApart,
  unbound,
  unboundParameter,
  unboundTypeParameter,
  unexported,
  typeArguments,
  givesNoValue,
  spellsOldName,
} satisfies Record<string, (change: AtomicChange, site: JudgedSite, graphs: Graphs) => Verdict>;

/** The site says a name that is deleted, renamed or moved away. */
function gone(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const detail =
    change.detail.rename !== undefined
      ? `it is named ${change.detail.rename.to} now`
      : change.detail.move === undefined
        ? 'it is deleted'
        : change.before?.file === change.after?.file
          ? 'its namespace has another name now'
          : `it moved to ${change.detail.move.to.replace('::', ' as ')}`;
  if (site.expr < 0) return breaks(detail);
  if (site.followed === true || (isOutside(change.file) && inheritedInstead(graphs, change) === 'alike')) return 'fine';
  const summary = after.summary(site.file);
  if (followsItsImport(change, site.file, summary, site.expr)) return 'fine';
  // What has a new name is not looked for where nothing can lead to it: whatever the old one reaches now, it breaks.
  if (
    change.detail.rename !== undefined &&
    change.after !== undefined &&
    !canMean(after, summary.exprs.nameOf(site.expr), change.after)
  )
    return breaks(detail);
  const resolution = after.resolve(site.file, site.expr);
  // What was sure to mean it and is only like it by name now has lost it.
  const leadsToNew =
    change.after !== undefined &&
    (resolution.confidence === 'certain' || site.confidence === 'possible') &&
    resolution.targets.some((target) => target.file === change.after?.file && target.decl === change.after.decl);
  if (leadsToNew) return 'fine';
  if (
    change.after !== undefined &&
    resolution.targets.some((target) => isAliasOf(after, target, change.after as DeclRef))
  )
    return may(`${detail}, and the old name is kept as an alias`);
  // Before the edit the site meant what is renamed, whatever else its old name reaches now.
  if (resolution.targets.length === 0 || resolution.confidence === 'possible' || change.detail.rename !== undefined)
    return breaks(detail);
  // Something else of the name is reached now: an inherited member, another overload. An import of it stays as it is.
  if (summary.exprs.roleOf(site.expr) === R.import) return 'fine';
  if (
    isOutside(change.file) &&
    change.before !== undefined &&
    standsIn(change.before, resolution.targets, site, graphs)
  )
    return 'fine';
  if (noneTakes(resolution, site, graphs)) return breaks(`${detail}, and no other takes what the call gives`);
  return may(
    `${detail}, and another ` +
      `${nameOfTarget(after.summary(resolution.targets[0]?.file as string), resolution.targets[0] as DeclRef)} ` +
      'is reached instead',
  );
}

/** Whether a call reaches only overloads that cannot take it. */
function noneTakes({ targets, self }: Resolution, site: JudgedSite, { after }: Graphs): boolean {
  const call = callOf(after.summary(site.file), site.expr);
  return (
    call >= 0 &&
    after.language(site.file).overloads &&
    targets.every(
      ({ file, decl }) =>
        decl >= 0 &&
        isFunctionLike(after.summary(file).decls.kindOf(decl)) &&
        !mayTake(after, { file, decl, self }, { file: site.file, expr: call }),
    )
  );
}

/**
 * Whether what users of a library reach under a name now takes the call's arguments for the same parameters as before.
 */
function standsIn(old: DeclRef, targets: readonly DeclRef[], site: JudgedSite, { before, after }: Graphs): boolean {
  const [was, summary] = [before.summary(old.file), after.summary(site.file)];
  const at = callOf(summary, site.expr);
  if (at < 0 || !isFunctionLike(was.decls.kindOf(old.decl))) return false;
  const args = summary.exprs.argumentsOf(at);
  const taken = (of: Summary, decl: number): string | undefined => {
    const fitted = fit(signatureOf(of, decl), args, false);
    return fitted.fits ? fitted.pairs.map(({ param }) => param.name).join(' ') : undefined;
  };
  // An overload that the call cannot have meant is none that it misses; which of those that it can is not asked.
  const known = new Set(taken(was, old.decl) === undefined ? [] : alike(was, old.decl).map((each) => taken(was, each)));
  known.delete(undefined);
  return (
    known.size === 0 ||
    targets.some(({ file, decl }) => {
      const now = after.summary(file);
      return alike(now, decl).some((other) => known.has(taken(now, other)));
    })
  );
}

/** A function with all its overloads in the file; nothing for what is no function. */
function alike({ decls }: Summary, decl: number): number[] {
  if (!isFunctionLike(decls.kindOf(decl))) return [];
  const out: number[] = [];
  for (const other of decls.inScope(decls.scopeOf(decl), decls.nameIdOf(decl)))
    if (isFunctionLike(decls.kindOf(other))) out.push(other);
  return out;
}

/** A variable that holds nothing but what is meant: `old = new`. */
function isAliasOf(resolver: Graphs['after'], target: DeclRef, meant: DeclRef): boolean {
  if (target.decl < 0) return false;
  const value = resolver.summary(target.file).decls.valueOf(target.decl);
  return value >= 0 && resolver.resolve(target.file, value).targets.some((other) => sameDecl(other, meant));
}

/**
 * A use of a name that an import of the file binds, where that import's own row is all that must change: an alias, or
 * the same name from elsewhere.
 */
function followsItsImport(change: AtomicChange, file: string, summary: Summary, expr: number): boolean {
  const { rename, move } = change.detail;
  // A list of exports names what the file has from elsewhere by import.
  if (summary.exprs.opOf(expr) === E.string)
    return rename === undefined && move !== undefined && file !== change.before?.file;
  if (summary.exprs.opOf(expr) !== E.name) return false;
  const row = summary.exprs.nameIdOf(expr);
  if (rename === undefined ? move === undefined : summary.names[row] === rename.from) return false;
  if (summary.exprs.roleOf(expr) === R.import) return rename !== undefined;
  return summary.decls.named(row).some((decl) => summary.decls.kindOf(decl) === D.importBinding);
}

const nameOfTarget = (summary: Summary, target: DeclRef): string =>
  target.decl < 0 ? 'module' : summary.decls.nameOf(target.decl);

/** Any mention of something whose shape or type changed. */
function reference(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  if (site.expr < 0) return may();
  const summary = graphs.after.summary(site.file);
  const role = summary.exprs.roleOf(site.expr);
  if (role === R.import || role === R.doc) return 'fine';
  if (change.label === 'MF' && change.detail.modifiers !== undefined) {
    const written = writesReadOnly(change, role, graphs);
    if (written !== undefined) return breaks(written);
    const isOneType =
      change.detail.type === undefined || change.detail.type.from === '' || change.detail.type.to === '';
    if (isOneType && [...change.detail.modifiers.added, ...change.detail.modifiers.removed].includes('getter'))
      return 'fine';
  }
  if (change.detail.modifiers?.removed.includes('getter') === true && role === R.read)
    return breaks(
      isCalledNow(change, graphs) ? 'it is a method now, and has to be called' : 'it cannot be read any more',
    );
  if (
    change.detail.modifiers?.added.includes('getter') === true &&
    isFunctionLike(graphs.before.summary(change.before?.file ?? '').decls.kindOf(change.before?.decl ?? -1))
  )
    return may('it is a property now, and gives its value');
  const given = summary.functionOfKey(site.expr);
  if (given !== undefined && change.detail.signature !== undefined)
    return givenForMember(change, { file: site.file, decl: given }, graphs);
  if (change.detail.signature !== undefined && isProperty(change, graphs)) return readFits(change, site, graphs);
  const { type, modifiers } = change.detail;
  const isHeld = change.label === 'MF' && type === undefined && modifiers !== undefined;
  if (isHeld) return holdsOtherwise(modifiers, site, graphs);
  if (type === undefined) return may();
  const place = { file: site.file, block: site.block, call: site.expr };
  const misfit = storeMisfit(change, place, graphs) ?? resultMisfit(change, place, graphs);
  if (misfit !== undefined) return breaks(misfit);
  const keys = changedKeys(type.from, type.to);
  const said =
    keys === undefined
      ? `its type changed from ${type.from || 'none'} to ${type.to || 'none'}`
      : `what it holds ${keyWords(keys)}`;
  return (role === R.write ? gives : gets)(said, type);
}

/** A write of a field that became a property which nothing sets; in words. */
function writesReadOnly({ after: now, detail }: AtomicChange, role: number, { after }: Graphs): string | undefined {
  if (
    now === undefined ||
    detail.modifiers?.added.includes('getter') !== true ||
    (role !== R.write && role !== R.update && role !== R.declares)
  )
    return undefined;
  const summary = after.summary(now.file);
  const owner = classOfMember(summary, now.decl);
  const hasSetter =
    owner !== undefined &&
    ownMembers(after, { file: now.file, decl: owner }, summary.decls.nameOf(now.decl)).some(({ file, decl }) =>
      after.summary(file).decls.has(decl, F.setter),
    );
  return hasSetter ? undefined : 'it is a property now that nothing sets, and is written';
}

const isCalledNow = ({ after: ref }: AtomicChange, { after }: Graphs): boolean =>
  ref !== undefined && isFunctionLike(after.summary(ref.file).decls.kindOf(ref.decl));

/**
 * A mention of a type that is another one now under the same name: what an alias stands for, what a delegate takes and
 * gives.
 */
function meansOther(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const role = site.expr < 0 ? R.doc : after.summary(site.file).exprs.roleOf(site.expr);
  if (role === R.import || role === R.doc) return 'fine';
  return may(
    change.detail.type === undefined
      ? 'its signature changed'
      : `it stood for ${change.detail.type.from}, and stands for ${change.detail.type.to} now`,
  );
}

/**
 * A use of a field or variable whose type is what it was, and whose modifiers are not. Who may use it at all is another
 * rule's.
 */
function holdsOtherwise(
  { added, removed }: NonNullable<AtomicChange['detail']['modifiers']>,
  site: JudgedSite,
  { after }: Graphs,
): Verdict {
  const role = after.summary(site.file).exprs.roleOf(site.expr);
  const writes = role === R.write || role === R.update;
  if (writes && (added.includes('readonly') || added.includes('final'))) return breaks('it is read-only now');
  if (writes && removed.includes('setter')) return breaks('it cannot be set any more');
  if (removed.includes('static') && after.resolve(site.file, site.expr).self?.kind === 'class')
    return breaks('it is not static any more');
  if (added.includes('static')) return may('it is static now');
  if (added.includes('optional') && !writes) return may('it may be missing now');
  return [...added, ...removed].some((name) => name.startsWith('@')) ? may('its decorators changed') : 'fine';
}

/**
 * A constructor that does not assign the new field, or a class that has none for a field which nothing else may assign.
 */
function givesNoValue(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  const { exprs, decls } = summary;
  if (change.after === undefined) return 'fine';
  if (!isFunctionLike(decls.kindOf(site.block))) {
    const flags = after.summary(change.after.file).decls.flagsOf(change.after.decl);
    return (flags & F.readonly) !== 0 && constructorsOf(after, { file: site.file, decl: site.block }).length === 0
      ? may('it has no constructor yet')
      : 'fine';
  }
  const row = summary.idOf(after.summary(change.after.file).decls.nameOf(change.after.decl));
  if (row < 0) return may();
  for (const expr of summary.exprs.named(row)) {
    const at = exprs.startOf(expr);
    const role = exprs.roleOf(expr);
    if (
      (role === R.write || role === R.declares) &&
      at >= decls.bodyStartOf(site.block) &&
      at < decls.endOf(site.block)
    )
      return 'fine';
  }
  return may();
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
  const isAlike = now !== undefined && old.targets.every((target) => names(before, target) === names(after, now));
  if (now !== undefined && old.targets.every((target) => standsForMember({ before, after }, target, now)))
    return 'fine';
  return { tier: 'may', detail: 'another method was called before', ...(isAlike ? { fits: true } : {}) };
}

/** A use of an import's name that nothing binds any more. */
function unbound(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  if (site.expr < 0) return 'fine';
  const summary = after.summary(site.file);
  if (summary.exprs.roleOf(site.expr) === R.import) return 'fine';
  const resolution = after.resolve(site.file, site.expr);
  if (resolution.targets.length > 0 && resolution.confidence === 'certain') return 'fine';
  const detail = change.detail.import;
  return breaks(
    detail?.newBinding !== undefined ? `the import binds ${detail.newBinding} now` : 'nothing binds the name now',
  );
}

/** A use of what a list of exports named, and that nothing leads to any more. */
function unexported(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const resolution = after.resolve(site.file, site.expr);
  const { name = '', newName } = change.detail.export ?? {};
  const summary = after.summary(site.file);
  const isModule = resolution.targets.length > 0 && resolution.targets.every(({ decl }) => decl < 0);
  // What was all of a module is reached through a member of it, if at all.
  const isLost = name === '=' && isModule && summary.exprs.wholeBy(site.expr, E.member) < 0;
  if (!isLost && (resolution.targets.length > 0 || resolution.external)) return 'fine';
  if (isDefaultName(name) && isBoundByDefault(summary, site.expr)) return 'fine';
  return breaks(
    newName === undefined
      ? `${shownName(change.file)} does not export it any more`
      : `${shownName(change.file)} exports it as ${newName} now`,
  );
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
  const needed = params.filter((param) => own.decls.valueOf(param) < 0).length;
  const old = detail.from === '' ? 0 : detail.from.split(', ').length;
  const written = countTypeArguments(summary, site.expr);
  if (written === undefined) {
    if (old > 0) return params.length === 0 ? may(words) : 'fine';
    if (needed === 0)
      return { tier: 'may', detail: `it can be given ${own.decls.nameOf(params[0] as number)} now`, fits: true };
    return after.language(site.file).typeArgumentRoles.has(role) ? breaks(words) : may(words);
  }
  if (written < needed || written > params.length) return breaks(words);
  return written === old ? may(words) : 'fine';
}

/** How many type arguments stand behind a type's name; undefined for none. */
function countTypeArguments(summary: Summary, row: number): number | undefined {
  const { exprs } = summary;
  const index = exprs.wholeBy(row, E.index);
  return index < 0 ? undefined : exprs.partsOf(index).length;
}
