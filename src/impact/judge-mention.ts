/**
 * Judges mentions of what is still there and has another shape, type or modifiers.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { isConstant } from '../change/constant-value.js';
import { changedKeys, keyWords } from '../change/written-object.js';
import { classOfMember, ownMembers } from '../graph/resolve/hierarchy.js';
import { instanceOf } from '../graph/resolve/written-types.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { Type } from '../graph/resolve/value.js';
import { D, E, F, isFunctionLike, R } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { isImportedMember, NO_LONGER_STATIC } from './imported-members.js';
import { isOfBase, isProperty } from './judge-call.js';
import { readFits } from './judge-fitting-call.js';
import { ofKeysTaken } from './members-taken.js';
import { givenForMember } from './judge-override.js';
import { resultMisfit, storeMisfit } from './result-use.js';
import { givenFit, gotFit, isComputedOtherwise, takesArguments, takesNothingRetyped } from './retyped-fit.js';
import { isServed } from './served-uses.js';
import { isWritten, readElsewhere, setElsewhere } from './set-elsewhere.js';
import { hasObject } from './static-members.js';
import { behaves, breaks, gets, gives, may, retold, type JudgedSite, type Verdict } from './verdict.js';

/** Any mention of something whose shape or type changed. */
export function reference(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  if (site.expr < 0) return may();
  const summary = graphs.after.summary(site.file);
  const role = summary.exprs.roleOf(site.expr);
  if (role === R.import || role === R.doc || isNamedAlone(site, graphs.after)) return 'fine';
  const asProperty = asPropertyOrNot(change, site, graphs);
  if (asProperty !== undefined) return asProperty;
  const { signature, type, modifiers } = change.detail;
  const isAbstract = modifiers?.added.includes('abstract') === true || signature?.abstract === true;
  if (isAbstract && isOfBase(summary, site.expr)) return breaks('it has no body any more');
  const given = signature === undefined ? undefined : summary.functionOfKey(site.expr);
  if (given !== undefined) return givenForMember(change, { file: site.file, decl: given }, graphs);
  if (signature !== undefined && isProperty(change, graphs)) return readFits(change, site, graphs);
  if (type !== undefined) return ofOtherType(change, type, role, site, graphs);
  const { setFrom, readFrom, noConstant } = change.detail;
  const isHeld =
    change.label === 'MF' && [modifiers, setFrom, readFrom, noConstant].some((changed) => changed !== undefined);
  return isHeld
    ? (askedConstant(change, site, graphs) ??
        setElsewhere(change, site, graphs) ??
        readElsewhere(change, site, graphs) ??
        holdsOtherwise(change, site, graphs))
    : may();
}

/** Whether a place says what it means, and takes nothing of it: C# `nameof(Store.Size)`. */
function isNamedAlone({ file, expr }: JudgedSite, after: Resolver): boolean {
  const { exprs } = after.summary(file);
  const { namingFunctions } = after.language(file).library;
  return exprs.usesOf(expr).some((use) => {
    const callee = use.kind === 'argument' ? exprs.calleeOf(use.row) : -1;
    return callee >= 0 && namingFunctions.has(exprs.nameOf(callee));
  });
}

/** What became a property, or is none any more; undefined where neither decides. */
function asPropertyOrNot(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict | undefined {
  const { label, detail, before: old } = change;
  const role = graphs.after.summary(site.file).exprs.roleOf(site.expr);
  const { modifiers, type } = detail;
  if (modifiers === undefined) return undefined;
  const [becomes, ends] = [modifiers.added.includes('getter'), modifiers.removed.includes('getter')];
  if (label === 'MF') {
    const written = writesReadOnly(change, role, graphs);
    if (written !== undefined) return breaks(written);
    if (becomes && isHandedOver(site, graphs)) return breaks('it is a property now, and is handed over as a variable');
    const isOneType = type === undefined || type.from === '' || type.to === '';
    if (isOneType && (becomes || ends)) return 'fine';
  }
  if (ends && role === R.read && isCalledNow(change, graphs)) return breaks('it is a method now, and has to be called');
  const { after: now } = change;
  if (ends && role === R.read && now !== undefined && graphs.after.summary(now.file).decls.has(now.decl, F.setter))
    return breaks('it cannot be read any more');
  const wasCalled = old !== undefined && isFunctionLike(graphs.before.summary(old.file).decls.kindOf(old.decl));
  return becomes && wasCalled ? may('it is a property now, and gives its value') : undefined;
}

function ofOtherType(
  change: AtomicChange,
  type: NonNullable<AtomicChange['detail']['type']>,
  role: number,
  site: JudgedSite,
  graphs: Graphs,
): Verdict {
  const place = { file: site.file, block: site.block, call: site.expr };
  const decl = graphs.after.summary(site.file).functionOfKey(site.expr);
  if (decl !== undefined && takesNothingRetyped(change, { file: site.file, decl }, graphs)) return 'fine';
  const misfit = storeMisfit(change, place, graphs) ?? resultMisfit(change, place, graphs);
  if (misfit !== undefined) return breaks(misfit);
  const call = graphs.after.summary(site.file).exprs.callOf(site.expr);
  if (call >= 0 && takesArguments(change, graphs, { file: site.file, call }))
    return gives(`its type changed from ${type.from} to ${type.to}`, 'fits', change.block);
  if (role === R.read && isServed(type, site, graphs)) return 'fine';
  const keys = changedKeys(type.from, type.to);
  const isNote = isRetold(change, graphs);
  const byTypes = (said: string): Verdict =>
    isNote
      ? retold(said, change.block)
      : role === R.write
        ? gives(said, givenFit(change, type, graphs))
        : gets(said, gotFit(change, type, graphs));
  if (keys === undefined) return byTypes(`its type changed from ${type.from || 'none'} to ${type.to || 'none'}`);
  return (
    (role === R.read ? ofKeysTaken(keys, graphs.after, site, 'what it holds') : undefined) ??
    byTypes(`what it holds ${keyWords(keys)}`)
  );
}

/**
 * Whether a variable holds what it held, and its type is a note, or says for the first time, or no longer, what the
 * value is. In a class a note may be read when an object is made.
 */
function isRetold({ before: was, after: now, detail }: AtomicChange, { before, after }: Graphs): boolean {
  if (was === undefined || now === undefined || detail.runsAsBefore !== true) return false;
  if (classOfMember(after.summary(now.file), now.decl) !== undefined) return false;
  if (!after.language(now.file).checksTypes) return true;
  const isUnsaid = detail.type?.from === '' || detail.type?.to === '';
  return isUnsaid && areOfOneClass(typeSaid(before, was), typeSaid(after, now));
}

/** What the type of a variable says, or where none is written its value. */
function typeSaid(resolver: Resolver, { file, decl }: DeclRef): Type {
  const { decls } = resolver.summary(file);
  const type = decls.typeOf(decl);
  return type < 0 ? resolver.typeOf(file, decls.valueOf(decl)) : instanceOf(resolver, file, type);
}

function areOfOneClass(was: Type, is: Type): boolean {
  const [old, ...others] = was.values;
  const [value, ...more] = is.values;
  if (was.unknown || is.unknown || others.length + more.length > 0) return false;
  if (old?.kind === 'external') return value?.kind === 'external' && old.name === value.name;
  return old?.kind === 'instance' && value?.kind === 'instance' && old.file === value.file && old.decl === value.decl;
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

/** Whether what is called gets the variable itself, to write to it: `f(ref a.x)`. */
function isHandedOver({ file, expr }: JudgedSite, { after }: Graphs): boolean {
  const { exprs } = after.summary(file);
  const uses = exprs.usesOf(expr);
  return (
    isWritten(exprs.roleOf(expr)) &&
    uses.some(({ kind }) => kind === 'argument') &&
    !uses.some(({ kind }) => kind === 'place')
  );
}

/** As a constant; where it is none that is asked for, what was of the class and is of its objects now is a question. */
function askedConstant(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict | undefined {
  const asked = asConstant(change, site, graphs);
  return asked === 'fine' && change.detail.modifiers?.removed.includes('static') === true ? undefined : asked;
}

/**
 * A use of what was a constant and is none now: in an attribute, a pattern, a default, the value of another
 * constant it does not do. Undefined where it was no constant.
 */
function asConstant({ detail }: AtomicChange, { file, expr }: JudgedSite, { after }: Graphs): Verdict | undefined {
  if (detail.noConstant !== true) return undefined;
  const summary = after.summary(file);
  const { exprs, decls } = summary;
  const asked = breaks('it is no constant any more, and one is asked for there');
  if (exprs.roleOf(expr) === R.type) return asked;
  let at = expr;
  let uses = exprs.usesOf(at);
  // A constant of constants: `-A`, `A + B`, `(int)A`, an entry of a list.
  for (; uses.length > 0; uses = exprs.usesOf(at)) {
    const [use] = uses;
    if (use === undefined) break;
    if (use.kind === 'value')
      return isConstant(summary, use.decl) || decls.kindOf(use.decl) === D.param ? asked : 'fine';
    if (use.kind === 'argument') return exprs.roleOf(exprs.calleeOf(use.row)) === R.decorator ? asked : 'fine';
    if (use.kind !== 'operand' && use.kind !== 'same' && use.kind !== 'entry') return 'fine';
    at = use.row;
  }
  // What a pattern compares with is part of nothing, and so is what stands for itself.
  return at === expr && exprs.roleOf(expr) === R.read
    ? may('it is no constant any more: a case cannot say it')
    : 'fine';
}

const isCalledNow = ({ after: ref }: AtomicChange, { after }: Graphs): boolean =>
  ref !== undefined && isFunctionLike(after.summary(ref.file).decls.kindOf(ref.decl));

/**
 * A mention of a type that is another one now under the same name: what an alias stands for, what a delegate takes and
 * gives.
 */
export function meansOther(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const role = site.expr < 0 ? R.doc : after.summary(site.file).exprs.roleOf(site.expr);
  if (role === R.import || role === R.doc) return 'fine';
  // A variable is a type where it is named as one; who reads it gets another value.
  if (change.detail.valueOnly === true) return role === R.type ? may('it stands for another type now') : 'fine';
  if (change.detail.type === undefined) return may('its signature changed');
  const said = `it stood for ${change.detail.type.from}, and stands for ${change.detail.type.to} now`;
  return isComputedOtherwise(change, graphs) ? behaves(said) : may(said);
}

const MISSING = 'it may be missing now';

/** A call of what need not be given any more. */
export const mayBeMissing = ({ after: now }: AtomicChange, _: JudgedSite, { after }: Graphs): Verdict =>
  hasOwnValue(now, after) ? 'fine' : may(MISSING);

/** What has a value of its own need not be given, and is there. */
const hasOwnValue = (ref: DeclRef | undefined, resolver: Resolver): boolean =>
  ref !== undefined && resolver.summary(ref.file).decls.valueOf(ref.decl) >= 0;

/**
 * A use of a field or variable whose type is what it was, and whose modifiers are not. Who may use it at all is another
 * rule's.
 */
function holdsOtherwise(
  { detail: { modifiers }, after: now }: AtomicChange,
  site: JudgedSite,
  { after }: Graphs,
): Verdict {
  const { added, removed } = modifiers ?? { added: [], removed: [] };
  const role = after.summary(site.file).exprs.roleOf(site.expr);
  const writes = isWritten(role);
  const isOnOne = removed.includes('static') ? isOnObject(after, site, now) : true;
  if (isOnOne !== true) return isOnOne === false ? breaks(NO_LONGER_STATIC) : may(NO_LONGER_STATIC);
  if (added.includes('static')) return may('it is static now');
  if (added.includes('optional') && !writes && !hasOwnValue(now, after)) return may(MISSING);
  if (removed.includes('literal')) return may('it may hold other values now than those that are written');
  if (added.includes('literal')) return may('it holds what is written alone now, and cannot be changed');
  return [...added, ...removed].some((name) => name.startsWith('@')) ? may('its decorators changed') : 'fine';
}

/** Whether a member that is not static any more is used where there is an object; undefined where either may be. */
function isOnObject(after: Resolver, site: JudgedSite, member: DeclRef | undefined): boolean | undefined {
  const { file, expr } = site;
  if (isImportedMember(after, file, expr)) return false;
  const { self } = after.resolve(file, expr);
  if (self === undefined || member === undefined || after.summary(file).exprs.opOf(expr) !== E.name)
    return self?.kind !== 'class';
  return hasObject(after, site, member);
}
