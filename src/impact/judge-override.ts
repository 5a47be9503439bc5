/**
 * Judges members that override, or are overridden by, one that changed.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { isEmptyDelta, isOnlyRenamed } from '../change/signature-delta.js';
import { isAbstractMember } from '../graph/resolve/abstract-member.js';
import { classOfMember, isSubclass, overriddenBy, ownMembers, partsOfFunction } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { functionsAt, givesFunction } from '../graph/refer/function-values.js';
import { overridersOf } from '../graph/refer/overriders.js';
import { isAwaitable, signatureOf } from '../graph/resolve/signature.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import { isBelow, type WrittenType } from '../graph/resolve/written-types.js';
import type { DeclRef } from '../languages/language.js';
import { languageById } from '../languages/registry.js';
import { sameDecl } from '../syntax/rows.js';
import { E, F, isClassLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import { namedAlike } from './counterparts.js';
import { isFarAbove, overridersBelow } from './family.js';
import type { Graphs } from './graphs.js';
import { functionValue } from './judge-function-value.js';
import { saysItThrows } from './thrown-exceptions.js';
import { doesWith, takesFewer } from './takes-fewer.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** A member that overrides, or is overridden by, one whose signature changed: fine when both agree again. */
export function override(change: AtomicChange, at: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  if (at.expr >= 0 && givesFunction(after, at.file, at.expr)) return functionValue(change, at, graphs);
  const site = ofMember(at, graphs);
  const { before: was, after: now } = change;
  if (was === undefined || now === undefined) return may();
  const member: DeclRef = { file: site.file, decl: site.block };
  const other = after.summary(member.file);
  const settled = withoutParameters(change, member, graphs);
  if (settled !== undefined) return settled;
  if (!isFunctionLike(other.decls.kindOf(member.decl))) return may('whether what it gives still fits cannot be told');
  const { overloads } = after.language(member.file);
  if (!overloads && isAnotherPart(was, member, graphs)) return 'fine';
  const shape = shapeOf(after.summary(now.file), now.decl, !overloads);
  // Where they differed before, in what did not change, they differ still.
  const isOther = shape !== shapeOf(graphs.before.summary(was.file), was.decl, !overloads);
  if (isOther && shapeOf(other, member.decl, !overloads) !== shape) {
    if (!overloads && hasNewNames(change, other, member.decl)) return 'fine';
    return takesFewer(now, member, graphs)
      ? may('their parameters differ now, and it can do without')
      : breaks('their parameters differ now');
  }
  const reordered = overloads ? inOldOrder(change, member, graphs) : undefined;
  if (reordered !== undefined) return reordered;
  if (losesResult(after, member, now)) return breaks('it returns another type now');
  const types = compareTypes(was, now, member, graphs);
  if (types.stale !== undefined) return overloads ? breaks(types.stale) : may(types.stale);
  const effect = otherEffect(change, other, member.decl, overloads) ?? otherwiseBound(change, other, member.decl);
  if (effect !== undefined) return effect;
  const isModified = otherwiseModified(change);
  if (types.agree && !isModified) return 'fine';
  const verdict = { tier: 'may', detail: 'types or modifiers of the two may differ now' } as const;
  return types.isUnsaid && !isModified ? { ...verdict, fits: true } : verdict;
}

/**
 * A member that stands for one of a generic base which has other type arguments now: as long as it is written as it
 * was, it is written for the old ones. Undefined for any other change.
 */
function forOtherArguments(
  { detail: { signature, ofArguments } }: AtomicChange,
  member: DeclRef,
  { before, after }: Graphs,
): Verdict | undefined {
  if (ofArguments !== true) return undefined;
  const hashIn = (resolver: Resolver, { file, decl }: DeclRef): number =>
    resolver.summary(file).decls.headerHashOf(decl);
  const hash = hashIn(after, member);
  if (!namedAlike(after, member, before).some((was) => hashIn(before, was) === hash)) return 'fine';
  const isExact = after.language(member.file).overloads && (signature?.retyped.length ?? 0) > 0;
  const detail = 'what it stands for has other types now';
  return isExact ? breaks(detail) : may(detail);
}

/** What is told of a member without a look at what it takes and gives; undefined where that tells nothing. */
const withoutParameters = (change: AtomicChange, member: DeclRef, graphs: Graphs): Verdict | undefined =>
  (isApartNow(change, member, graphs) ? 'fine' : undefined) ??
  asPropertyOrNot(change, graphs.after.summary(member.file), member.decl) ??
  forOtherArguments(change, member, graphs);

/** Whether neither class derives from the other any more, as one of them did: another base is edited into it. */
function isApartNow({ before: was, after: now }: AtomicChange, member: DeclRef, { before, after }: Graphs): boolean {
  const old = was === undefined ? undefined : ownerOf(before, was);
  const is = now === undefined ? undefined : ownerOf(after, now);
  const owner = ownerOf(after, member);
  const [ownerBefore] = owner === undefined ? [] : namedAlike(after, owner, before);
  if (old === undefined || is === undefined || owner === undefined || ownerBefore === undefined) return false;
  const areOne = (resolver: Resolver, one: DeclRef, other: DeclRef): boolean =>
    isSubclass(resolver, one, other) || isSubclass(resolver, other, one);
  return areOne(before, old, ownerBefore) && !areOne(after, is, owner);
}

function ownerOf(resolver: Resolver, { file, decl }: DeclRef): DeclRef | undefined {
  const owner = classOfMember(resolver.summary(file), decl);
  return owner === undefined ? undefined : { file, decl: owner };
}

/** Whether only names of parameters changed, and it has them: in what else the two differ, they differed before. */
function hasNewNames({ detail: { signature } }: AtomicChange, other: Summary, decl: number): boolean {
  if (signature === undefined || !isOnlyRenamed(signature)) return false;
  const own = new Set(signatureOf(other, decl).params.map(({ name }) => name));
  return signature.renamed.every(({ to }) => own.has(to));
}

/** Whether a member follows one that became a property, or is none any more; undefined where that did not change. */
function asPropertyOrNot({ detail: { modifiers } }: AtomicChange, other: Summary, decl: number): Verdict | undefined {
  const becomes = modifiers?.added.includes('getter') === true;
  if (!becomes && modifiers?.removed.includes('getter') !== true) return undefined;
  if (other.decls.has(decl, F.getter) === becomes) return 'fine';
  return breaks(becomes ? 'it is a property now' : 'it is a method now');
}

/** A member of objects against one of the class, where a name and its parameters are one function. */
function otherwiseBound(
  { detail: { signature } }: AtomicChange,
  { decls, language }: Summary,
  decl: number,
): Verdict | undefined {
  const isStatic = signature?.static;
  if (isStatic === undefined || !languageById(language).overloads) return undefined;
  return decls.has(decl, F.static) === isStatic
    ? undefined
    : breaks(isStatic ? 'it is static now' : 'it is not static any more');
}

/** A property that stands for one that got an accessor, and has none such. A field, or one without a body, has both. */
export function lacksAccessor({ detail: { modifiers } }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { decls } = after.summary(site.file);
  if (!decls.has(site.block, F.getter | F.setter)) return 'fine';
  const own = ownMembers(after, { file: site.file, decl: decls.parentOf(site.block) }, decls.nameOf(site.block));
  const has = (flag: number): boolean =>
    [...own, { file: site.file, decl: site.block }].some((part) => after.summary(part.file).decls.has(part.decl, flag));
  if (modifiers?.added.includes('setter') === true && !has(F.setter)) return breaks('it cannot be set');
  return modifiers?.added.includes('getter') === true && !has(F.getter) ? breaks('it cannot be read') : 'fine';
}

/** What a property stands for that lost an accessor, where those that stand for it have to have that one. */
export function asksAccessor({ detail: { modifiers } }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  if (!isAbstractMember(summary, site.block)) return 'fine';
  const lost = (['setter', 'getter'] as const).find(
    (each) => modifiers?.removed.includes(each) === true && summary.decls.has(site.block, F[each]),
  );
  if (lost === undefined) return 'fine';
  return breaks(lost === 'setter' ? 'it cannot be set any more' : 'it cannot be read any more');
}

/** What the changed member does that the other does not say: it waits, or it throws. */
function otherEffect(
  { detail: { signature } }: AtomicChange,
  other: Summary,
  decl: number,
  overloads: boolean,
): Verdict | undefined {
  if (signature === undefined) return undefined;
  const { async: waits, throws } = signature;
  // Where types are declared, they say whether a member is async.
  if (waits !== undefined && !overloads && waits !== isAwaitable(other, decl))
    return breaks(waits ? 'it is async now' : 'it is not async any more');
  if (throws === undefined) return undefined;
  if (throws.added.length > 0) return may(`it may throw ${throws.added.join(', ')} now`);
  const kept = throws.removed.find((written) => {
    const name = written.slice(written.lastIndexOf('.') + 1);
    return saysItThrows(other, decl, (said) => said === name);
  });
  return kept === undefined ? undefined : may(`it says that it throws ${kept}, which the other does not any more`);
}

const otherwiseModified = ({ detail: { signature } }: AtomicChange): boolean =>
  signature?.static !== undefined || signature?.visibility !== undefined || signature?.typeParams === true;

/**
 * A member that overrides what overrides the changed one, or is further below. Where parameters tell members
 * apart, an override has exactly those of its base, so that all that overrides the same member is concerned.
 */
export const overrideFarBelow = (change: AtomicChange, at: JudgedSite, graphs: Graphs): Verdict =>
  isFarFrom(change, at, graphs, (changed, member) => isFarAbove(graphs.after, changed, member))
    ? override(change, at, graphs)
    : 'fine';

/** A member that overrides what overrides the changed one, in however many steps. */
export const isFarBelow = ({ after: now }: AtomicChange, at: JudgedSite, graphs: Graphs): Verdict =>
  now !== undefined && isFarAbove(graphs.after, now, { file: at.file, decl: ofMember(at, graphs).block })
    ? breaks()
    : 'fine';

/** A member that is overridden by what the changed one overrides, or is further above. */
export const overrideFarAbove = (change: AtomicChange, at: JudgedSite, graphs: Graphs): Verdict =>
  isFarFrom(change, at, graphs, (changed, member) => isFarAbove(graphs.after, member, changed))
    ? override(change, at, graphs)
    : 'fine';

/** Whether a relative of the changed member is concerned that neither overrides it nor is overridden by it. */
function isFarFrom(
  { before: old, after: now }: AtomicChange,
  at: JudgedSite,
  graphs: Graphs,
  isInLine: (changed: DeclRef, member: DeclRef) => boolean,
): boolean {
  const { before, after } = graphs;
  const member = { file: at.file, decl: ofMember(at, graphs).block };
  if (old === undefined || now === undefined) return false;
  if (!after.language(at.file).overloads) return isInLine(now, member);
  const around = [
    ...overriddenBy(before, old),
    ...overridersOf(before, old).map(({ file, block }) => ({ file, decl: block })),
  ];
  return !around.some((relative) => pathOf(before, relative) === pathOf(after, member));
}

const pathOf = (resolver: Resolver, { file, decl }: DeclRef): string =>
  `${file}\0${resolver.summary(file).decls.pathOf(decl)}`;

/** Whether a member is one signature of several, and another of them is what stands for the changed one. */
function isAnotherPart(changed: DeclRef, { file, decl }: DeclRef, { before, after }: Graphs): boolean {
  const old = shapeOf(before.summary(changed.file), changed.decl, true);
  return (
    shapeOf(after.summary(file), decl, true) !== old &&
    partsOfFunction(after, { file, decl }).some((part) => shapeOf(after.summary(part.file), part.decl, true) === old)
  );
}

/** Another signature of the changed function, or the body behind it: it may follow in what both have. */
export function otherPart(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  const delta = change.detail.signature;
  const { before: was, after: now } = change;
  if (was !== undefined && now !== undefined && after.summary(site.file).decls.has(site.block, F.partial)) {
    const isLike = (of: Summary, decl: number): boolean =>
      hasSameHeader(after.summary(site.file), site.block, of, decl);
    return isLike(before.summary(was.file), was.decl) && !isLike(after.summary(now.file), now.decl)
      ? breaks('its two parts differ now')
      : 'fine';
  }
  if (delta === undefined || delta.added.length > 0 || delta.returnType !== undefined || delta.async !== undefined)
    return may();
  const own = new Set(signatureOf(after.summary(site.file), site.block).params.map((param) => param.name));
  const changed = [...delta.removed, ...delta.retyped, ...delta.moved, ...delta.passing].map((param) => param.name);
  return [...changed, ...delta.madeRequired].some((name) => own.has(name)) ? may() : 'fine';
}

/**
 * The site with the member itself in place of the block around it: in a class without a name it has no block of its
 * own.
 */
const ofMember = (site: JudgedSite, { after }: Graphs): JudgedSite => ({
  ...site,
  block: after.summary(site.file).functionOfKey(site.expr) ?? site.block,
});

/**
 * A function that an object literal gives for the changed member: it may take fewer arguments, but none for another.
 * One that takes none has nothing to follow.
 */
export function givenForMember(change: AtomicChange, given: DeclRef, graphs: Graphs): Verdict {
  const { after } = graphs;
  if (change.before === undefined || change.after === undefined) return may();
  if (
    shapeOf(after.summary(given.file), given.decl, true) !==
    shapeOf(after.summary(change.after.file), change.after.decl, true)
  ) {
    if (!doesWith(given, change.after, graphs)) return breaks('their parameters differ now');
    return signatureOf(after.summary(given.file), given.decl).params.length === 0 || takesMoreAlone(change)
      ? 'fine'
      : may('their parameters differ now, and it can do without');
  }
  const { stale, agree } = compareTypes(change.before, change.after, given, graphs);
  return agree ? 'fine' : may(stale);
}

/** Whether all that changed is that it is given more: a function that is written for it takes what it uses. */
function takesMoreAlone({ detail: { signature, type, modifiers } }: AtomicChange): boolean {
  if (signature === undefined || type !== undefined || modifiers !== undefined) return false;
  return isEmptyDelta({ ...signature, added: [] });
}

/**
 * Where names are free, the order of parameters that changed places shows in their types, or in names that are the same
 * by custom.
 */
function inOldOrder(change: AtomicChange, other: DeclRef, { before, after }: Graphs): Verdict | undefined {
  if (change.before === undefined || change.after === undefined || (change.detail.signature?.moved.length ?? 0) === 0)
    return undefined;
  const [theirs, own] = [after.summary(other.file), after.summary(change.after.file)];
  const namesOf = (summary: Summary, decl: number): string =>
    signatureOf(summary, decl)
      .params.map((param) => param.name)
      .join();
  const names = namesOf(theirs, other.decl);
  if (names === namesOf(own, change.after.decl)) return undefined;
  const [types, ownTypes] = [headerTypes(theirs, other.decl), headerTypes(own, change.after.decl)];
  const differ = types.some((type, i) => !sameType(theirs, type, own, ownTypes[i] ?? NO_TYPE));
  const reason = 'the order of its parameters changed';
  return differ || names === namesOf(before.summary(change.before.file), change.before.decl)
    ? breaks(reason)
    : may(reason);
}

/**
 * The parameters as an override must have them; their names, and which may be left out, count where the member alone
 * tells a call what it takes.
 */
function shapeOf(summary: Summary, decl: number, named: boolean): string {
  const { gathersWhole } = languageById(summary.language);
  return signatureOf(summary, decl)
    .params.map(({ decl: param, name, optional, rest }) => {
      const isArray = rest && gathersWhole;
      const mark = `${handed(summary, param)}${rest && !isArray ? '*' : ''}`;
      return `${named ? `${name}${optional && !isArray ? '?' : ''}` : '_'}${mark}`;
    })
    .join();
}

/** Of a parameter that takes a variable. */
const handed = ({ decls }: Summary, param: number): string =>
  decls.has(param, F.updated) ? '&' : decls.has(param, F.written) ? '=' : '';

interface HeaderType {
  /** Name of the parameter; '' for what is returned. */
  readonly of: string;
  readonly row: number;
  /** Whether it is an array of that, for a parameter of a language where one that gathers is no other than that. */
  readonly isMany?: boolean;
}

const NO_TYPE: HeaderType = { of: '', row: -1 };

function headerTypes(summary: Summary, decl: number): HeaderType[] {
  const { decls, exprs } = summary;
  const { gathersWhole } = languageById(summary.language);
  const ofParameter = (param: number): HeaderType => {
    const [of, row] = [decls.nameOf(param), decls.typeOf(param)];
    if (!gathersWhole || row < 0) return { of, row };
    if (decls.has(param, F.rest)) return { of, row, isMany: true };
    return exprs.opOf(row) === E.array ? { of, row: exprs.operandOf(row), isMany: true } : { of, row };
  };
  return [...[...decls.paramsOf(decl)].map(ofParameter), { of: '', row: decls.typeOf(decl) }];
}

const sameType = (a: Summary, own: HeaderType, b: Summary, other: HeaderType): boolean =>
  own.isMany === other.isMany && sameWritten(a, own.row, b, other.row);

/** Whether two functions take and give the same, as written. */
function hasSameHeader(a: Summary, declA: number, b: Summary, declB: number): boolean {
  const [own, other] = [headerTypes(a, declA), headerTypes(b, declB)];
  return own.length === other.length && own.every((type, i) => sameType(a, type, b, other[i] ?? NO_TYPE));
}

/**
 * `stale`: a type that the other member still has as the changed one had it. `agree`: no changed type differs.
 * `isUnsaid`: those that do were or are not written.
 */
function compareTypes(
  before: DeclRef,
  now: DeclRef,
  other: DeclRef,
  graphs: Graphs,
): { readonly stale?: string; readonly agree: boolean; readonly isUnsaid: boolean } {
  const old = graphs.before.summary(before.file);
  const own = graphs.after.summary(now.file);
  const theirs = graphs.after.summary(other.file);
  const oldTypes = headerTypes(old, before.decl);
  const otherTypes = headerTypes(theirs, other.decl);
  let agree = true;
  let isUnsaid = true;
  for (const [i, type] of headerTypes(own, now.decl).entries()) {
    const was = oldTypes.find((candidate) => candidate.of === type.of) ?? oldTypes[i];
    const mine = type.of === '' ? otherTypes.at(-1) : otherTypes[i];
    if (was === undefined || mine === undefined || sameType(old, was, own, type) || sameType(theirs, mine, own, type))
      continue;
    agree = false;
    if (mine.row < 0 || was.row < 0) continue;
    isUnsaid = false;
    const isReturn = type.of === '';
    if (
      !sameType(theirs, mine, old, was) ||
      (isReturn && isNarrower(graphs, { file: other.file, row: mine.row }, { file: now.file, row: type.row }))
    )
      continue;
    return {
      agree,
      isUnsaid,
      stale: isReturn ? 'it returns another type now' : `its parameter ${type.of} has another type now`,
    };
  }
  return { agree, isUnsaid };
}

/** A member that stands for one that is new, and gives a value where that gives none. */
export function givesTooMuch({ after: added }: AtomicChange, at: JudgedSite, graphs: Graphs): Verdict {
  if (added === undefined || at.expr >= 0 || at.confidence !== 'certain') return 'fine';
  const { block, file } = ofMember(at, graphs);
  return losesResult(graphs.after, { file, decl: block }, added) ? breaks('it returns another type now') : 'fine';
}

/**
 * Whether awaiting a member gives a value, and awaiting what it stands for gives none: neither type is below the other.
 * One that stands for another member as well, which asks for the value, is an overload beside.
 */
export function losesResult(after: Resolver, member: DeclRef, asked: DeclRef): boolean {
  const differs = (base: DeclRef): boolean => {
    const [own, other] = [after.summary(member.file), after.summary(base.file)];
    const [row, otherRow] = [own.decls.typeOf(member.decl), other.decls.typeOf(base.decl)];
    const awaitables = languageById(other.language).writing.async?.awaitables;
    if (row < 0 || otherRow < 0 || own.exprs.opOf(row) !== E.index || other.exprs.opOf(otherRow) === E.index)
      return false;
    const name = other.exprs.nameOf(otherRow);
    return awaitables?.has(name) === true && own.exprs.nameOf(own.exprs.operandOf(row)) === name;
  };
  return differs(asked) && overriddenBy(after, member).every((base) => sameDecl(base, asked) || differs(base));
}

/** Whether of two returned types one is below the other, so that an override may differ in it. */
const isNarrower = ({ after }: Graphs, a: WrittenType, b: WrittenType): boolean =>
  a.row < 0 || b.row < 0 || isBelow(after, a, b) || isBelow(after, b, a);

/** A member that overrides under the old name, or the base that still has it. */
export function overrideName(change: AtomicChange, { file, expr, block }: JudgedSite, { after }: Graphs): Verdict {
  // A function that is given for a type with one method says no name of it.
  const isGiven =
    expr >= 0 &&
    functionsAt(after, file, expr).some((given) => isFunctionLike(after.summary(given.file).decls.kindOf(given.decl)));
  if (isGiven && change.detail.move === undefined) return 'fine';
  const { rename } = change.detail;
  if (rename === undefined && overrides(after, { file, decl: block }, change.after)) return 'fine';
  return breaks(rename === undefined ? 'it is elsewhere now' : `it is named ${rename.to} now`);
}

const overrides = (resolver: Resolver, member: DeclRef, above: DeclRef | undefined): boolean =>
  above !== undefined && member.decl >= 0 && overriddenBy(resolver, member).some((base) => sameDecl(base, above));

/** A member whose base is deleted. */
export const overridesNothing = (change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict =>
  holdsOn(change, site, graphs) ? may('it overrides another member still') : breaks('what it overrides is deleted');

/**
 * A member further below: nothing is left of what it overrides once all that hung on the deleted one is gone. What is
 * no block, as what the header of a record declares, overrides by no word, and stays.
 */
export const overridesFallen = (change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict =>
  isClass(site, graphs) || holdsOn(change, site, graphs) ? 'fine' : breaks('what that overrides is deleted');

const isClass = (site: JudgedSite, graphs: Graphs): boolean => {
  const { file, block } = ofMember(site, graphs);
  return block >= 0 && isClassLike(graphs.after.summary(file).decls.kindOf(block));
};

/** Whether the member overrides something that does not itself hang on the deleted one. */
function holdsOn(change: AtomicChange, at: JudgedSite, { before, after }: Graphs): boolean {
  const site = ofMember(at, { before, after });
  const falling = new Set(
    change.before === undefined ? [] : overridersBelow(before, change.before).map((member) => pathOf(before, member)),
  );
  return overriddenBy(after, { file: site.file, decl: site.block }).some((other) => !falling.has(pathOf(after, other)));
}
