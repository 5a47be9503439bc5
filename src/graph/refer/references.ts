/**
 * "Who refers to this?": which rows of which files refer to a declaration.
 *
 * The files that mention the name, or an alias of it, are taken from the name index, and only the rows with that name
 * are resolved; then what refers to it without a name. The edges of a file (`sites-in.ts`) are the same resolutions.
 */
import { piece, type Turns } from '../../base/turns.js';
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { isClassLike, R } from '../../syntax/summary.js';
import { classOfMember } from '../resolve/hierarchy.js';
import { flowSitesTo, isRuledOut } from './flow-sites.js';
import type { Resolver } from '../resolve/resolver.js';
import { classCallsIn, classCallsTo, filesOfClassCalls } from './class-values.js';
import { filesThatMayMean } from './reach-outside.js';
import { constructorChains } from './constructor-sites.js';
import { overridersOf } from './overriders.js';
import type { Site } from './site.js';
import { findingByName, namedSites, namesFor, sitesByName, typesMadeBy } from './sites-by-name.js';
import { specialSites } from './special-sites.js';

/**
 * Sites that refer to `target`, over the whole snapshot: by its name, by aliases given in
 * imports and exports, through constructor calls, by syntax that calls special members, and
 * members that override it. Sorted by file and position.
 */
export function sitesOf(resolver: Resolver, target: DeclRef): readonly Site[] {
  return resolver.answer<readonly Site[]>('sites', target.file, target.decl, [], () =>
    sorted(resolver, [
      ...directSites(resolver, target).filter((site) => !isRuledOut(resolver, site)),
      ...flowSitesTo(resolver, target),
    ]),
  );
}

/** `sitesOf`, a row that says the name at a time. What it asks first is kept, and soon found again. */
export function* sitesInTurns(resolver: Resolver, target: DeclRef): Turns<readonly Site[]> {
  if (!resolver.knows('sites', target.file, target.decl)) {
    yield* rowsSaying(resolver, target);
    yield* piece(() => namedSites(resolver, target));
    const made = yield* piece(() => classesMadeBy(resolver, target));
    const files = made.length === 0 ? [] : yield* piece(() => filesOfClassCalls(resolver, target, made));
    for (const file of files) {
      yield* piece(() => classCallsIn(resolver, file));
      yield;
    }
    yield* piece(() => overridersOf(resolver, target));
    for (const site of yield* piece(() => directSites(resolver, target))) {
      yield* piece(() => isRuledOut(resolver, site));
      yield;
    }
  }
  return yield* piece(() => sitesOf(resolver, target));
}

/** Those of a declaration's sites that say its name in one of a few files; a value that is followed is left out. */
export function sitesSaidIn(resolver: Resolver, target: DeclRef, files: ReadonlySet<string>): readonly Site[] {
  if (resolver.knows('sites', target.file, target.decl))
    return sitesOf(resolver, target).filter(({ file }) => files.has(file));
  return sorted(
    resolver,
    sitesByName(resolver, target, 'everywhere', files).filter((site) => !isRuledOut(resolver, site)),
  );
}

/** Resolves the rows that say the target's name, each by itself; the answers are kept. */
function* rowsSaying(resolver: Resolver, target: DeclRef): Turns<void> {
  for (const name of yield* piece(() => namesFor(resolver, target)))
    for (const file of filesThatMayMean(resolver, target, name)) {
      const summary = resolver.summary(file);
      for (const expr of summary.exprs.named(summary.idOf(name))) {
        const role = summary.exprs.roleOf(expr);
        if (role === R.declares || role === R.doc || resolver.knowsRow(file, expr)) continue;
        yield;
        yield* piece(() => resolver.resolve(file, expr));
      }
      yield;
    }
}

/** The sites that names and types lead to; those that only a followed value leads to are left out. */
export function directSites(resolver: Resolver, target: DeclRef): readonly Site[] {
  return resolver.answer<readonly Site[]>('direct sites', target.file, target.decl, [], () =>
    findSites(resolver, target),
  );
}

/**
 * Of the direct sites, those whose row gives the declaration itself as a value, by a name or an attribute: what syntax
 * runs, overrides and chains of constructors give none. Each when it is found: a class may be named a thousand times.
 */
export function* valueSites(resolver: Resolver, target: DeclRef): Generator<Site> {
  const { decls } = resolver.summary(target.file);
  const { descriptorMembers } = resolver.language(target.file);
  const name = decls.nameOf(target.decl);
  // A member that runs where an attribute is taken has that attribute's row.
  if (name === descriptorMembers?.read || name === descriptorMembers?.write) {
    yield* directSites(resolver, target);
    return;
  }
  if (resolver.knows('named sites', target.file, target.decl)) yield* namedSites(resolver, target);
  else yield* findingByName(resolver, target, 'everywhere');
  yield* classCalls(resolver, target);
}

function classCalls(resolver: Resolver, target: DeclRef): readonly Site[] {
  const made = classesMadeBy(resolver, target);
  return made.length === 0 ? [] : classCallsTo(resolver, target, made);
}

/** The classes whose call runs the declaration: none for what makes no object. */
function classesMadeBy(resolver: Resolver, target: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(target.file);
  if (isClassLike(summary.decls.kindOf(target.decl))) return [target];
  const home = classOfMember(summary, target.decl);
  return home === undefined ? [] : typesMadeBy(resolver, target, home);
}

/** Of the sites that say a field's name, those that assign to it: it may be read a hundred times as often. */
export function writesTo(resolver: Resolver, field: DeclRef): readonly Site[] {
  return resolver.answer<readonly Site[]>('writes', field.file, field.decl, [], () =>
    sitesByName(resolver, field, 'writes'),
  );
}

function findSites(resolver: Resolver, target: DeclRef): readonly Site[] {
  const of = resolver.summary(target.file);
  const out = [...namedSites(resolver, target)];
  const home = classOfMember(of, target.decl);
  const types = home === undefined ? [] : typesMadeBy(resolver, target, home);
  if (home !== undefined && types.length > 0)
    out.push(...constructorChains(resolver, target, home).filter((site) => isAt(site, target)));
  out.push(...classCalls(resolver, target));
  out.push(...specialSites(resolver, target));
  out.push(...overridersOf(resolver, target));
  return out;
}

const sorted = (resolver: Resolver, sites: Site[]): Site[] =>
  sites.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : position(resolver, a) - position(resolver, b)));

const isAt = (site: Site, target: DeclRef): boolean => sameDecl(site.target, target);

const position = (resolver: Resolver, site: Site): number => {
  const summary = resolver.summary(site.file);
  return site.expr >= 0 ? summary.exprs.startOf(site.expr) : summary.decls.startOf(site.block);
};
