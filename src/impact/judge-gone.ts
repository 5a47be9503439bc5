/**
 * Judges what says a name that is deleted, renamed or moved away.
 */
import { isOutside } from '../base/outside.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { inheritedInstead } from '../change/pulled-up.js';
import { membersRunBy } from '../graph/refer/implied-calls.js';
import { canMean } from '../graph/refer/other-names.js';
import { sitesOf } from '../graph/refer/references.js';
import type { Site } from '../graph/refer/site.js';
import { callOf, type Resolution } from '../graph/resolve/names.js';
import { mayTake } from '../graph/resolve/overloads.js';
import { classOfMember, partsOfFunction } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit, signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef, Language } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { isAskedWhetherThere } from '../syntax/strings-as-members.js';
import { D, E, F, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { meansCompanion } from './companion.js';
import type { Graphs } from './graphs.js';
import { isBoundByDefault } from './judge-access.js';
import { behaves, breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** The site says a name that is deleted, renamed or moved away. */
export function gone(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const detail = whereItWent(change);
  if (site.expr < 0) return breaks(detail);
  if (site.followed === true || (isOutside(change.file) && inheritedInstead(graphs, change) === 'alike')) return 'fine';
  const summary = after.summary(site.file);
  if (staysAsItIs(change, site, graphs)) return 'fine';
  if (site.confidence === 'possible' && neverFitted(change, site, graphs)) return 'fine';
  if (cannotMeanNew(change, site, after)) return breaks(detail);
  const resolution = after.resolve(site.file, site.expr);
  if (leadsToNew(change, site, resolution) || runsNew(change, site, after)) return 'fine';
  if (meansCompanion(change, site, resolution.targets, graphs)) return 'fine';
  const kept = whyKept(change, site, resolution, after);
  if (kept !== undefined) return may(`${detail}, and ${kept}`);
  if (isTakenByItsName(change, site, after)) return 'fine';
  if (isOfEveryObject(change, graphs) || isAskedOfEveryObject(summary, site.expr, after.language(site.file)))
    return behaves(`${detail}, and what every object has is reached instead`);
  // Before the edit the site meant what is renamed, whatever else its old name reaches now.
  if (resolution.targets.length === 0 || resolution.confidence === 'possible' || change.detail.rename !== undefined)
    return breaks(detail);
  // Something else of the name is reached now: an inherited member, another overload. An import of it stays as it is.
  if (summary.exprs.roleOf(site.expr) === R.import) return 'fine';
  if (isStoodInFor(change, resolution, site, graphs) || isOtherPart(change, resolution, graphs)) return 'fine';
  // Who missed it is found by lost-accessors.ts.
  if (isOtherAccessor(change, resolution, graphs)) return 'fine';
  if (noneTakes(resolution, site, graphs)) return breaks(`${detail}, and no other takes what the call gives`);
  const [other] = resolution.targets;
  return may(`${detail}, and another ${other === undefined ? '' : nameOfTarget(after, other)} is reached instead`);
}

const staysAsItIs = (change: AtomicChange, site: JudgedSite, graphs: Graphs): boolean =>
  followsItsImport(change, site.file, graphs.after.summary(site.file), site.expr) ||
  isOtherSignature(change, site, graphs);

/** Why a use can stay as it is, in words; undefined where nothing says so. */
function whyKept(
  change: AtomicChange,
  { file, expr }: JudgedSite,
  resolution: Resolution,
  after: Resolver,
): string | undefined {
  if (leadsToAlias(change, resolution, after)) return 'the old name is kept as an alias';
  if (hasFromOutside(change, resolution, after)) return 'its file has another from outside';
  return change.detail.rename === undefined && isAskedWhetherThere(after.summary(file), expr)
    ? 'it is asked here whether it is there'
    : undefined;
}

/**
 * Whether a call means by a default import what its file has under its own name now, and that takes the call: the
 * import alone has to say the name then.
 */
function isTakenByItsName({ file, block, label }: AtomicChange, site: JudgedSite, after: Resolver): boolean {
  const summary = after.summary(site.file);
  const call = callOf(summary, site.expr);
  if (!label.startsWith('D') || call < 0 || after.repo.summary(file) === undefined) return false;
  if (!isBoundByDefault(summary, site.expr) || after.resolve(site.file, site.expr).targets.length > 0) return false;
  return after
    .topLevel(file, block)
    .some(
      (now) =>
        now.kind === 'decl' &&
        isFunctionLike(after.summary(now.file).decls.kindOf(now.decl)) &&
        mayTake(after, { file: now.file, decl: now.decl }, { file: site.file, expr: call }),
    );
}

/** Whether a call cannot have meant a function that is only like it by name, since it never fitted its parameters. */
function neverFitted({ before: was }: AtomicChange, { file, expr }: JudgedSite, { before, after }: Graphs): boolean {
  if (was === undefined || was.decl < 0 || !isOutside(was.file) || !after.language(file).overloads) return false;
  const old = before.summary(was.file);
  const at = callOf(after.summary(file), expr);
  if (at < 0 || !isFunctionLike(old.decls.kindOf(was.decl)) || old.decls.has(was.decl, F.extension)) return false;
  return !fit(signatureOf(old, was.decl), after.summary(file).exprs.argumentsOf(at), false).fits;
}

/** Whether objects have a member of the name without the one that is gone. */
function isOfEveryObject({ label, before: gone }: AtomicChange, { before }: Graphs): boolean {
  if (gone === undefined || gone.decl < 0 || !label.startsWith('D')) return false;
  const summary = before.summary(gone.file);
  return (
    summary.decls.kindOf(gone.decl) !== D.constructor &&
    classOfMember(summary, gone.decl) !== undefined &&
    before.language(gone.file).library.objectMembers.has(summary.decls.nameOf(gone.decl))
  );
}

/** Whether the syntax or function that runs the member there can run it on any object, by another member. */
function isAskedOfEveryObject(summary: Summary, expr: number, language: Language): boolean {
  const { exprs } = summary;
  const op = exprs.opOf(expr);
  const run =
    op === E.operator
      ? membersRunBy(language, summary, expr)
      : op === E.call && exprs.calleeOf(expr) >= 0
        ? (language.functionMembers.get(exprs.nameOf(exprs.calleeOf(expr))) ?? [])
        : [];
  return run.some((name) => language.library.objectMembers.has(name));
}

function whereItWent({ detail: { rename, move }, before, after }: AtomicChange): string {
  if (rename !== undefined) return `it is named ${rename.to} now`;
  if (move === undefined) return 'it is deleted';
  return before?.file === after?.file
    ? 'its namespace has another name now'
    : `it moved to ${move.to.replace('::', ' as ')}`;
}

/** What has a new name is not looked for where nothing can lead to it: whatever the old one reaches now, it breaks. */
const cannotMeanNew = ({ detail, after: now }: AtomicChange, { file, expr }: JudgedSite, after: Resolver): boolean =>
  detail.rename !== undefined && now !== undefined && !canMean(after, after.summary(file).exprs.nameOf(expr), now);

/** What was sure to mean it and is only like it by name now has lost it. */
function leadsToNew({ after: now }: AtomicChange, site: JudgedSite, { confidence, targets }: Resolution): boolean {
  if (now === undefined || (confidence !== 'certain' && site.confidence !== 'possible')) return false;
  return targets.some((target) => sameDecl(target, now));
}

/** Whether syntax that says no name, a call of an object or an operator, runs the member where it is now. */
function runsNew({ before: was, after: now, detail }: AtomicChange, site: JudgedSite, after: Resolver): boolean {
  if (was === undefined || now === undefined || now.decl < 0 || detail.rename !== undefined) return false;
  const { exprs } = after.summary(site.file);
  const isSaid = exprs.nameOf(site.expr) === after.summary(now.file).decls.nameOf(now.decl);
  const isThere = ({ file, expr }: Site): boolean => file === site.file && expr === site.expr;
  return !isSaid && sitesOf(after, now).some((each) => isThere(each) && each.confidence === 'certain');
}

const leadsToAlias = ({ after: now }: AtomicChange, { targets }: Resolution, after: Resolver): boolean =>
  now !== undefined && targets.some((target) => isAliasOf(after, target, now));

/** Whether the file of what is deleted imports something from outside under its name, which is reached now. */
function hasFromOutside(
  { label, file, block, detail }: AtomicChange,
  { targets, external }: Resolution,
  after: Resolver,
): boolean {
  const summary = after.repo.summary(file);
  const isDeleted = label.startsWith('D') && detail.rename === undefined && detail.move === undefined;
  if (!isDeleted || !external || targets.length > 0 || summary === undefined) return false;
  return (
    summary.imports.some(({ decl }) => decl >= 0 && summary.decls.nameOf(decl) === block) &&
    after.topLevel(file, block).some(({ kind }) => kind === 'external')
  );
}

const isStoodInFor = (
  { file, before }: AtomicChange,
  { targets }: Resolution,
  site: JudgedSite,
  graphs: Graphs,
): boolean => isOutside(file) && before !== undefined && standsIn(before, targets, site, graphs);

/** Whether one of several parts of a class is gone, and another one is reached. */
function isOtherPart({ before: gone }: AtomicChange, { targets }: Resolution, { before, after }: Graphs): boolean {
  if (gone === undefined || gone.decl < 0) return false;
  const { decls } = before.summary(gone.file);
  if (!decls.has(gone.decl, F.partial)) return false;
  const isPart = ({ file, decl }: DeclRef): boolean => {
    const now = after.summary(file).decls;
    return decl >= 0 && now.has(decl, F.partial) && now.pathOf(decl) === decls.pathOf(gone.decl);
  };
  return targets.length > 0 && targets.every(isPart);
}

/** Whether what is named, and not called, has other signatures of the old name, of which one is gone. */
function isOtherSignature(
  { before: gone }: AtomicChange,
  { file, expr }: JudgedSite,
  { before, after }: Graphs,
): boolean {
  if (gone === undefined || gone.decl < 0 || after.summary(file).exprs.roleOf(expr) === R.callee) return false;
  const { decls } = before.summary(gone.file);
  if (!decls.has(gone.decl, F.bodiless)) return false;
  const path = decls.pathOf(gone.decl);
  const isSignature = (target: DeclRef): boolean =>
    target.decl >= 0 && target.file === gone.file && after.summary(target.file).decls.pathOf(target.decl) === path;
  const { targets } = after.resolve(file, expr);
  return targets.length > 0 && targets.every(isSignature) && partsOfFunction(before, gone).length > 0;
}

/** Whether a property lost its getter, and its setter is reached, or the other way round. */
function isOtherAccessor({ before: gone, after: now }: AtomicChange, { targets }: Resolution, graphs: Graphs): boolean {
  if (gone === undefined || gone.decl < 0 || now !== undefined) return false;
  const { decls } = graphs.before.summary(gone.file);
  const path = decls.pathOf(gone.decl);
  const isAccessor = (of: Summary, decl: number): boolean => of.decls.has(decl, F.getter | F.setter);
  return (
    isAccessor(graphs.before.summary(gone.file), gone.decl) &&
    targets.every(({ file, decl }) => {
      const summary = graphs.after.summary(file);
      return decl >= 0 && summary.decls.pathOf(decl) === path && isAccessor(summary, decl);
    })
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
function isAliasOf(resolver: Resolver, target: DeclRef, meant: DeclRef): boolean {
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
    return (
      rename === undefined &&
      move !== undefined &&
      file !== change.before?.file &&
      summary.exports.some((entry) => entry.expr === expr)
    );
  if (summary.exprs.opOf(expr) !== E.name) return false;
  const row = summary.exprs.nameIdOf(expr);
  if (rename === undefined ? move === undefined : summary.names[row] === rename.from)
    return rename !== undefined && isNamedAtWill(summary, row);
  if (summary.exprs.roleOf(expr) === R.import) return rename !== undefined;
  return summary.decls.named(row).some((decl) => summary.decls.kindOf(decl) === D.importBinding);
}

/** Whether imports of the file alone give the name, each to a module as a whole. */
function isNamedAtWill({ decls, imports }: Summary, row: number): boolean {
  if (!imports.some(({ kind }) => kind === 'module')) return false;
  const bound = [...decls.named(row)].filter((decl) => decls.kindOf(decl) === D.importBinding);
  return (
    bound.length > 0 && bound.every((decl) => imports.some((entry) => entry.decl === decl && entry.kind === 'module'))
  );
}

const nameOfTarget = (after: Resolver, { file, decl }: DeclRef): string =>
  decl < 0 ? 'module' : after.summary(file).decls.nameOf(decl);
