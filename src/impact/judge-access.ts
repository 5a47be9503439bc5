/**
 * Judges uses of what can be used from fewer places than before: it is private now, or its file
 * does not export it any more.
 */
import type { AtomicChange, Detail } from '../change/atomic-change.js';
import { isDefaultName } from '../change/compare-exports.js';
import { isSubclass } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { enclosingClass } from '../graph/resolve/value.js';
import type { DeclRef, Reach } from '../languages/language.js';
import { F, isClassLike, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { classMadeAt } from './lacking-classes.js';
import { breaks, type JudgedSite, type Verdict } from './verdict.js';
import { sameDecl } from '../syntax/rows.js';

const ORDER: readonly Reach[] = ['class', 'subclasses', 'package', 'package and subclasses', 'everywhere'];

/** Whether the language lets fewer places use the declaration than before. */
export function isNarrowed({ before: old, after: now, detail }: AtomicChange, { before, after }: Graphs): boolean {
  if (old === undefined || now === undefined) return false;
  return (
    isExportedElse(detail) ||
    becameExplicit(before, old, after, now) ||
    ORDER.indexOf(reachOf(after, now)) < ORDER.indexOf(reachOf(before, old))
  );
}

/** Whether the file exports the declaration no more, or otherwise than before. */
function isExportedElse({ modifiers: { added = [], removed = [] } = { added: [], removed: [] } }: Detail): boolean {
  return (
    removed.includes('exported') ||
    removed.includes('default') ||
    (added.includes('default') && !added.includes('exported'))
  );
}

/** Whether a member can be reached through what it stands for alone, and could be through its class. */
function becameExplicit(before: Resolver, old: DeclRef, after: Resolver, now: DeclRef): boolean {
  const isExplicit = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
    isFunctionLike(resolver.summary(file).decls.kindOf(decl)) && resolver.summary(file).decls.has(decl, F.explicit);
  return isExplicit(after, now) && !isExplicit(before, old);
}

/** A use that does not reach the declaration any more. */
export function outOfReach(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (change.after === undefined || site.expr < 0 || site.followed === true) return 'fine';
  const summary = after.summary(site.file);
  if (summary.exprs.roleOf(site.expr) === R.doc) return 'fine';
  if (change.before !== undefined && becameExplicit(before, change.before, after, change.after))
    return after.resolve(site.file, site.expr).targets.length === 0
      ? breaks('it can be used through what it stands for alone now')
      : 'fine';
  const reach = reachOf(after, change.after);
  if (!isReached(after, site, change.after, reach)) return breaks(WORDS[reach]);
  // What moved has rules of its own.
  if (site.file === change.after.file || change.detail.move !== undefined || !isExportedElse(change.detail))
    return 'fine';
  const { targets } = after.resolve(site.file, site.expr);
  const { file, decl } = change.after;
  const leadsThere =
    targets.length > 0 &&
    (targets.some((target) => target.file !== file || target.decl !== decl) || !isKeptBack(change, after));
  if (
    leadsThere ||
    (change.detail.modifiers?.removed.includes('default') === true && isBoundByDefault(summary, site.expr)) ||
    (change.detail.modifiers?.added.includes('default') === true && takesDefault(summary, site.expr))
  )
    return 'fine';
  return breaks('its file does not export it so any more');
}

/**
 * Whether a use says the name that the file's own import of a default binds: the name stays as it is, and the
 * import alone has to be mended.
 */
export function isBoundByDefault({ exprs, imports, decls }: Summary, expr: number): boolean {
  if (exprs.roleOf(expr) === R.import) return false;
  return imports.some(
    (entry) => isDefaultName(entry.name) && entry.decl >= 0 && decls.nameOf(entry.decl) === exprs.nameOf(expr),
  );
}

/** Whether a row is, or says, what the file's own import of a default binds. */
const takesDefault = (summary: Summary, expr: number): boolean =>
  isBoundByDefault(summary, expr) || summary.imports.some((each) => each.expr === expr && isDefaultName(each.name));

/** Whether the file exported the declaration by its name, and neither its keyword nor a list does so now. */
function isKeptBack({ after: ref, detail: { modifiers } }: AtomicChange, { repo }: Resolver): boolean {
  const summary = ref === undefined ? undefined : repo.summary(ref.file);
  if (ref === undefined || summary === undefined || modifiers === undefined) return false;
  const name = summary.decls.nameOf(ref.decl);
  if (modifiers.added.includes('default')) return !summary.exports.some((entry) => entry.name === name);
  if (!modifiers.removed.includes('exported')) return false;
  return !summary.exports.some((entry) => entry.module === undefined && entry.local === name && entry.name === name);
}

const WORDS: Readonly<Record<Reach, string>> = {
  class: 'it is private now',
  subclasses: 'it is protected now',
  package: 'only its package can use it now',
  'package and subclasses': 'it is protected now',
  everywhere: '',
};

/** From where the language lets a declaration be used. */
export function reachOf(resolver: Resolver, { file, decl }: DeclRef): Reach {
  const { decls } = resolver.summary(file);
  const owner = decls.parentOf(decl);
  return resolver.language(file).reach(decls.flagsOf(decl), owner < 0 ? undefined : decls.kindOf(owner));
}

/** Whether a declaration that can be used from so far is, at a site. */
export function isReached(resolver: Resolver, site: JudgedSite, target: DeclRef, reach: Reach): boolean {
  if (reach === 'everywhere' || isWithinHome(resolver, site, target)) return true;
  if (reach === 'class') return false;
  const [from, to] = [resolver.summary(site.file), resolver.summary(target.file)];
  if (reach !== 'subclasses' && from.package === to.package) return true;
  if (reach === 'package') return false;
  // A class without a name derives where it is made: `new Base() { … }`.
  if (classMadeAt(from, site.expr) !== undefined) return true;
  const owner = { file: target.file, decl: to.decls.parentOf(target.decl) };
  return (
    owner.decl >= 0 &&
    classesAround(from, site.expr).some((decl) => isSubclass(resolver, { file: site.file, decl }, owner))
  );
}

/** The classes in which a row lies, the innermost first. */
function classesAround(summary: Summary, expr: number): number[] {
  const classes: number[] = [];
  for (let scope = summary.exprs.scopeOf(expr); scope >= 0;) {
    const { decl } = enclosingClass(summary, scope, isClassLike, isFunctionLike);
    if (decl < 0) break;
    classes.push(decl);
    scope = summary.decls.scopeOf(decl);
  }
  return classes;
}

/** Whether a site lies in what may use even the private members of the class of a declaration. */
function isWithinHome(resolver: Resolver, site: JudgedSite, target: DeclRef): boolean {
  const { decls } = resolver.summary(target.file);
  const owner = decls.parentOf(target.decl);
  const isOfClass = owner >= 0 && isClassLike(decls.kindOf(owner));
  const isWhole = !isOfClass || resolver.language(target.file).privateToOutermost;
  const home = { file: target.file, decl: isWhole ? outermost(decls, target.decl) : owner };
  const parts = resolver.bodies(home);
  const { decls: theirs } = resolver.summary(site.file);
  for (let decl = site.block; decl >= 0; decl = theirs.parentOf(decl)) {
    if (parts.some((part) => sameDecl(part, { file: site.file, decl }))) return true;
  }
  return false;
}

/** The block at the top of the file that holds it, or is it; -1 for the module. */
function outermost(decls: Summary['decls'], decl: number): number {
  let at = decl;
  while (at >= 0 && decls.parentOf(at) >= 0) at = decls.parentOf(at);
  return at;
}
