/**
 * Sites: which rows of which files refer to a declaration, and the edges that a file's rows make.
 *
 * "Who refers to this?" takes the files that mention the name, or an alias of it, from the name
 * index and resolves only the rows with that name. The edges of the whole repository are the
 * same resolutions, taken file by file.
 */
import { piece, type Turns } from '../../base/turns.js';
import type { DeclRef } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import {
  classOfMember,
  findMember,
  isCalledComponent,
  isDeclaredElsewhere,
  overriddenBy,
} from '../resolve/hierarchy.js';
import { type Confidence } from '../resolve/names.js';
import { aliasedBy, heldBy, isAliasOf } from './alias.js';
import { flowSitesIn, flowSitesTo, isRuledOut } from './flow-sites.js';
import { fittingCalls } from '../resolve/overloads.js';
import type { EdgeKind } from './relation.js';
import type { Resolver } from '../resolve/resolver.js';
import { calledConstructors, classCallsIn, classCallsTo } from './class-values.js';
import { descriptorCalls, filesRunning, impliedCalls, impliedIn } from './implied-calls.js';
import { filesThatMayMean } from './reach-outside.js';
import { enclosingClass } from '../resolve/value.js';
import type { Way } from '../resolve/ways.js';

/** One place that refers to a declaration. */
export interface Site {
  readonly file: string;
  /** The named row, or the `super`/`this` row of a constructor call; -1 for an override. */
  readonly expr: number;
  /** Innermost block around the site; -1: the module. */
  readonly block: number;
  readonly target: DeclRef;
  readonly kind: EdgeKind;
  readonly confidence: Confidence;
  /** How the name was resolved. */
  readonly via: Way;
}

/** The block that a row belongs to, -1 for module level. */
export function blockOf(summary: Summary, expr: number): number {
  return summary.scopes.blockOf(summary.exprs.scopeOf(expr));
}

/** Everything a file's rows refer to, locals left out; overrides of its members included. */
export function sitesIn(resolver: Resolver, file: string): Site[] {
  const summary = resolver.summary(file);
  const out: Site[] = [];
  for (let expr = 0; expr < summary.exprs.count; expr++) {
    const op = summary.exprs.opOf(expr);
    if (op === E.name || op === E.member || op === E.initializer || op === E.string || op === E.injected) {
      const sites: Site[] = [];
      sitesOfRow(resolver, file, summary, expr, sites);
      for (const site of sites) if (!isRuledOut(resolver, site)) out.push(site);
      if (op === E.member) descriptorCalls(resolver, file, expr, out);
    } else if ((op === E.super || op === E.this) && summary.exprs.roleOf(expr) === R.callee)
      constructorCall(resolver, file, summary, expr, out);
    else if (op === E.call || op === E.operator || op === E.element || op === E.enter || op === E.index)
      impliedCalls(resolver, file, expr, out);
  }
  for (let decl = 0; decl < summary.decls.count; decl++) overrideSites(resolver, file, decl, out);
  out.push(...classCallsIn(resolver, file), ...flowSitesIn(resolver, file));
  return out;
}

function overrideSites(resolver: Resolver, file: string, decl: number, out: Site[]): void {
  const summary = resolver.summary(file);
  if (!isMember(summary, decl)) return;
  for (const target of overriddenBy(resolver, { file, decl }))
    out.push({ file, expr: -1, block: decl, target, kind: 'override', confidence: 'certain', via: 'bases' });
}

function isMember(summary: Summary, decl: number): boolean {
  const kind = summary.decls.kindOf(decl);
  return (
    (kind === D.method || kind === D.property || kind === D.field || kind === D.function) &&
    classOfMember(summary, decl) !== undefined
  );
}

/** What is part of a block, so that no edge leads to it. */
const WITHIN_BLOCKS: ReadonlySet<number> = new Set([
  D.param,
  D.local,
  D.typeParam,
  D.lambda,
  D.anonymousClass,
  D.importBinding,
]);

/** With `only`, those of that target alone: a row may be able to mean hundreds. */
function sitesOfRow(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  out: Site[],
  only?: DeclRef,
): void {
  const role = summary.exprs.roleOf(expr);
  if (role === R.declares || role === R.doc) return;
  const { targets, confidence, via } = resolver.resolve(file, expr);
  // Edges lead from block to block, and an override from the overriding member.
  if (via === 'overrides') return;
  const block = blockOf(summary, expr);
  out.push(...sitesByAlias(resolver, { file, expr, block, confidence }, targets, only));
  // Who makes an instance is a site of the constructors too.
  const constructors =
    makesInstances(resolver, file, role) &&
    (only === undefined || isFunctionLike(resolver.summary(only.file).decls.kindOf(only.decl)));
  for (const target of targets) {
    const wanted = only === undefined || sameDecl(target, only);
    if (!wanted && !constructors) continue;
    if (target.decl < 0) {
      if (wanted) out.push({ file, expr, block, target, kind: role === R.import ? 'import' : 'use', confidence, via });
      continue;
    }
    const kind = resolver.summary(target.file).decls.kindOf(target.decl);
    if (WITHIN_BLOCKS.has(kind)) continue;
    const edge = via === 'export list' || via === 'import table' ? 'import' : edgeKind(resolver, file, role, kind);
    if (wanted) out.push({ file, expr, block, target, kind: edge, confidence, via });
    if (constructors && (edge === 'instantiate' || role === R.decorator) && isClassLike(kind)) {
      for (const made of calledConstructors(resolver, file, expr, target))
        if (only === undefined || sameDecl(made, only))
          out.push({
            file,
            expr,
            block,
            target: made,
            kind: edge === 'instantiate' ? edge : 'use',
            confidence,
            via: 'constructor',
          });
    }
  }
}

/** What a call of these definitions runs since it is their whole value. */
function sitesByAlias(
  resolver: Resolver,
  at: Pick<Site, 'file' | 'expr' | 'block' | 'confidence'>,
  targets: readonly DeclRef[],
  only: DeclRef | undefined,
): Site[] {
  const role = resolver.summary(at.file).exprs.roleOf(at.expr);
  if ((role !== R.callee && role !== R.newCallee) || resolver.language(at.file).followsValues) return [];
  return targets
    .flatMap((target) => (target.decl < 0 ? [] : aliasedBy(resolver, target)))
    .flatMap((target): Site[] => {
      const of = resolver.summary(target.file).decls.kindOf(target.decl);
      const kind = edgeKind(resolver, at.file, role, of);
      const made =
        kind === 'instantiate' && isClassLike(of) ? calledConstructors(resolver, at.file, at.expr, target) : [];
      return [target, ...made].map((one) => ({ ...at, target: one, kind, via: 'alias' }));
    })
    .filter((site) => only === undefined || sameDecl(site.target, only));
}

/** Whether a row with this role can make an instance of a class that it names. */
function makesInstances(resolver: Resolver, file: string, role: number): boolean {
  const { callableClasses, attributesConstruct } = resolver.language(file);
  return (
    role === R.newCallee ||
    ((role === R.callee || role === R.decorator) && callableClasses) ||
    (role === R.decorator && attributesConstruct)
  );
}

/** What kind of edge a row with this role makes to a declaration of this kind. */
export function edgeKind(resolver: Resolver, file: string, role: number, kind: number): EdgeKind {
  switch (role) {
    case R.import:
      return 'import';
    case R.base:
      return 'inherit';
    case R.newCallee:
      return 'instantiate';
    case R.callee:
      return isClassLike(kind) && resolver.language(file).callableClasses ? 'instantiate' : 'call';
    case R.decorator:
      return isFunctionLike(kind)
        ? 'call'
        : isClassLike(kind) && resolver.language(file).callableClasses
          ? 'instantiate'
          : 'use';
    default:
      return 'use';
  }
}

/** `super(…)`, `this(…)`, `: base(…)`. */
function constructorCall(resolver: Resolver, file: string, summary: Summary, expr: number, out: Site[]): void {
  const { decl } = enclosingClass(summary, summary.exprs.scopeOf(expr), isClassLike, isFunctionLike);
  if (decl < 0) return;
  const name = resolver.language(file).constructorName;
  const search = findMember(resolver, { file, decl }, name, summary.exprs.opOf(expr) === E.super);
  const call = summary.exprs.callOf(expr);
  const found = call < 0 ? search.found : fittingCalls.among(resolver, search.found, { file, expr: call });
  for (const target of found)
    out.push({
      file,
      expr,
      block: blockOf(summary, expr),
      target,
      kind: 'call',
      confidence: 'certain',
      via: 'constructor chain',
    });
}

// ---- references of one declaration

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

/** `sitesOf`, a row that says the name at a time. */
export function* sitesInTurns(resolver: Resolver, target: DeclRef): Turns<readonly Site[]> {
  if (!resolver.knows('sites', target.file, target.decl)) yield* rowsSaying(resolver, target);
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
  const of = resolver.summary(target.file);
  const name = of.decls.nameOf(target.decl);
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
  const home = classOfMember(resolver.summary(target.file), target.decl);
  const { descriptorMembers } = resolver.language(target.file);
  const name = decls.nameOf(target.decl);
  // A member that runs where an attribute is taken has that attribute's row.
  if (name === descriptorMembers?.read || name === descriptorMembers?.write) {
    yield* directSites(resolver, target);
    return;
  }
  if (resolver.knows('named sites', target.file, target.decl)) yield* namedSites(resolver, target);
  else yield* findingByName(resolver, target, 'everywhere');
  yield* classCalls(resolver, target, home === undefined ? [] : typesMadeBy(resolver, target, home));
}

function classCalls(resolver: Resolver, target: DeclRef, types: readonly DeclRef[]): readonly Site[] {
  const isClass = isClassLike(resolver.summary(target.file).decls.kindOf(target.decl));
  return classCallsTo(resolver, target, isClass ? [target] : types);
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
  out.push(...classCalls(resolver, target, types));
  out.push(...specialSites(resolver, target));
  out.push(...overridersOf(resolver, target));
  return out;
}

const sorted = (resolver: Resolver, sites: Site[]): Site[] =>
  sites.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : position(resolver, a) - position(resolver, b)));

const isAt = (site: Site, target: DeclRef): boolean => sameDecl(site.target, target);

/**
 * Sites that say the target's name, or a name that an import or export gives it: everywhere, in lists of bases alone,
 * or where it is assigned to alone. With `files` only these are looked into.
 */
function sitesByName(
  resolver: Resolver,
  target: DeclRef,
  where: 'everywhere' | 'bases' | 'writes',
  files?: ReadonlySet<string>,
): Site[] {
  return [...findingByName(resolver, target, where, files)];
}

/** The same, each when it is found. */
function* findingByName(
  resolver: Resolver,
  target: DeclRef,
  where: 'everywhere' | 'bases' | 'writes',
  files?: ReadonlySet<string>,
): Generator<Site> {
  const of = resolver.summary(target.file);
  const home = classOfMember(of, target.decl);
  const types = home === undefined ? [] : typesMadeBy(resolver, target, home);
  const isClass = isClassLike(of.decls.kindOf(target.decl));
  const isTypeOrTop = types.length > 0 || home === undefined || isClass;
  const wanted = [target, ...types];
  const isHeld = isFunctionLike(of.decls.kindOf(target.decl)) || isClass;
  const names = new Set([
    ...wanted.map((ref) => resolver.summary(ref.file).decls.nameOf(ref.decl)),
    ...defaultNames(resolver, wanted),
    ...(home === undefined ? [] : accessorNames(resolver, target)),
    ...(isClass ? [target] : types).flatMap((ref) => shortSpelling(resolver, ref)),
  ]);
  for (const name of names) {
    for (const file of filesThatMayMean(resolver, target, name)) {
      if (files?.has(file) === false) continue;
      const summary = resolver.summary(file);
      const row = summary.idOf(name);
      const { listed, wholes, ...noted } = notedRows(summary);
      for (const decl of isHeld ? (wholes.get(row) ?? []) : []) {
        const alias = { file, decl };
        if (wanted.some((ref) => sameDecl(ref, alias)) || !wanted.some((ref) => isAliasOf(resolver, alias, ref)))
          continue;
        names.add(summary.decls.nameOf(decl));
        wanted.push(alias);
      }
      for (const expr of where === 'everywhere' ? summary.exprs.named(row) : (noted[where].get(row) ?? [])) {
        const found: Site[] = [];
        sitesOfRow(resolver, file, summary, expr, found, target);
        yield* found;
      }
      if (isTypeOrTop)
        for (const expr of listed.get(row) ?? [])
          for (const alias of aliasesOf(resolver, file, summary, expr, wanted)) names.add(alias);
    }
  }
}

/** Names of the members that are made for a field. */
function accessorNames(resolver: Resolver, { file, decl }: DeclRef): readonly string[] {
  const { decls } = resolver.summary(file);
  const { madeAccessors } = resolver.language(file);
  return madeAccessors === undefined || !isFieldLike(decls.kindOf(decl))
    ? []
    : madeAccessors.accessorsOf(decls.nameOf(decl));
}

/** The shorter name that a type has as a decorator or attribute, where the language lets it. */
function shortSpelling(resolver: Resolver, { file, decl }: DeclRef): readonly string[] {
  const short = resolver.language(file).decoratorSpelling?.(resolver.summary(file).decls.nameOf(decl));
  return short === undefined ? [] : [short];
}

const position = (resolver: Resolver, site: Site): number => {
  const summary = resolver.summary(site.file);
  return site.expr >= 0 ? summary.exprs.startOf(site.expr) : summary.decls.startOf(site.block);
};

/** For a member that runs when an instance is made: its class, and those below that may inherit it. Else none. */
function typesMadeBy(resolver: Resolver, target: DeclRef, home: number): DeclRef[] {
  const summary = resolver.summary(target.file);
  const language = resolver.language(target.file);
  if (
    summary.decls.kindOf(target.decl) !== D.constructor &&
    !language.implicitConstructors.includes(summary.decls.nameOf(target.decl))
  )
    return [];
  const type = { file: target.file, decl: home };
  return [type, ...(language.overloads ? [] : descendantsOf(resolver, type))];
}

/** Names that files give to a default export among the declarations: these imports do not say its own name. */
function defaultNames(resolver: Resolver, wanted: readonly DeclRef[]): string[] {
  const exported = wanted.filter((ref) => isDefaultExport(resolver.summary(ref.file), ref.decl));
  if (exported.length === 0) return [];
  const defaults = resolver.repo.memo('default imports', () =>
    [...resolver.repo.files].flatMap(([file, summary]) => defaultEntries(summary).map((entry) => ({ file, ...entry }))),
  );
  const given = defaults.filter(({ file, expr }) => leadsTo(resolver, file, expr, exported)).map((entry) => entry.name);
  // `export { default as X } from`, and a module as an object, `m.default`, say neither name.
  return [...given, 'default'];
}

/** Whether importers may name the declaration as they like. */
export function isDefaultExport(summary: Summary, decl: number): boolean {
  return summary.decls.has(decl, F.defaultExport) || summary.exports.some((entry) => entry.name === 'default');
}

interface DefaultEntry {
  readonly expr: number;
  readonly name: string;
}

const defaultEntriesMemo = new WeakMap<Summary, readonly DefaultEntry[]>();

/**
 * Entries that take another file's default export, with the name that they give it. Kept with the summary: all files
 * are gone through after each edit.
 */
function defaultEntries(summary: Summary): readonly DefaultEntry[] {
  let entries = defaultEntriesMemo.get(summary);
  if (entries === undefined) defaultEntriesMemo.set(summary, (entries = findDefaultEntries(summary)));
  return entries;
}

function findDefaultEntries(summary: Summary): readonly DefaultEntry[] {
  return [
    ...summary.imports.flatMap((entry) =>
      entry.name === 'default' && entry.expr >= 0 && entry.decl >= 0
        ? [{ expr: entry.expr, name: summary.decls.nameOf(entry.decl) }]
        : [],
    ),
    ...summary.exports.flatMap((entry) =>
      entry.local === 'default' && entry.expr >= 0 && entry.name !== 'default'
        ? [{ expr: entry.expr, name: entry.name }]
        : [],
    ),
  ];
}

const leadsTo = (resolver: Resolver, file: string, expr: number, wanted: readonly DeclRef[]): boolean =>
  resolver.resolve(file, expr).targets.some((candidate) => wanted.some((ref) => sameDecl(candidate, ref)));

/** Rows of a file by the name that they say. */
interface NotedRows {
  /** In lists of bases. */
  readonly bases: ReadonlyMap<number, readonly number[]>;
  /** That are assigned to. */
  readonly writes: ReadonlyMap<number, readonly number[]>;
  /** Of imports, and of exports under another name, `export { a as b }`: the name may be another one from there on. */
  readonly listed: ReadonlyMap<number, readonly number[]>;
  /** Declarations whose whole value says it. */
  readonly wholes: ReadonlyMap<number, readonly number[]>;
  /** Names whose definitions may have another one from there on. */
  readonly renamed: ReadonlySet<number>;
}

const notedRowsMemo = new WeakMap<Summary, NotedRows>();

/**
 * Kept with the summary: a class of a common name is looked for in every file that says it, once for each such class.
 */
function notedRows(summary: Summary): NotedRows {
  let noted = notedRowsMemo.get(summary);
  if (noted === undefined) notedRowsMemo.set(summary, (noted = findNotedRows(summary)));
  return noted;
}

function findNotedRows(summary: Summary): NotedRows {
  const { exprs } = summary;
  const bases = new Map<number, number[]>();
  const writes = new Map<number, number[]>();
  const listed = new Map<number, number[]>();
  const renamed = new Set(summary.exports.flatMap((entry) => (entry.name === entry.local ? [] : [entry.expr])));
  summary.names.forEach((_, name) => {
    for (const expr of exprs.named(name)) {
      const role = exprs.roleOf(expr);
      if (role === R.base) note(bases, name, expr);
      if (role === R.write) note(writes, name, expr);
      if (role === R.import || renamed.has(expr)) note(listed, name, expr);
    }
  });
  const wholes = new Map<number, number[]>();
  for (let decl = 0; decl < summary.decls.count; decl++) {
    const held = heldBy(summary, decl);
    if (held >= 0) note(wholes, summary.idOf(exprs.nameOf(held)), decl);
  }
  const others = [...otherNames(summary)].map(({ expr }) => exprs.nameIdOf(expr));
  return { bases, writes, listed, wholes, renamed: new Set([...others, ...wholes.keys()]) };
}

function note(rows: Map<number, number[]>, name: number, expr: number): void {
  const known = rows.get(name);
  if (known === undefined) rows.set(name, [expr]);
  else known.push(expr);
}

/** Other names that an import or export entry gives to one of the declarations. */
function aliasesOf(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  wanted: readonly DeclRef[],
): string[] {
  const aliases = [...otherNames(summary)].flatMap((entry) => (entry.expr === expr ? [entry.name] : []));
  return aliases.length > 0 && leadsTo(resolver, file, expr, wanted) ? aliases : [];
}

/** Entries of imports and exports that give another name than the one that stands there. */
function* otherNames(summary: Summary): Generator<{ readonly expr: number; readonly name: string }> {
  const isOther = (expr: number, name: string): boolean =>
    expr >= 0 && name !== summary.exprs.nameOf(expr) && name !== 'default';
  for (const { expr, decl } of summary.imports)
    if (decl >= 0 && isOther(expr, summary.decls.nameOf(decl))) yield { expr, name: summary.decls.nameOf(decl) };
  for (const { expr, name } of summary.exports) if (name !== '*' && isOther(expr, name)) yield { expr, name };
}

/** `super(…)` in classes that derive from the constructor's class, `this(…)` in the class itself. */
function constructorChains(resolver: Resolver, constructor: DeclRef, home: number): Site[] {
  const out: Site[] = [];
  const files = new Set([
    constructor.file,
    ...descendantsOf(resolver, { file: constructor.file, decl: home }).map((type) => type.file),
  ]);
  for (const file of files) {
    const summary = resolver.summary(file);
    const { exprs } = summary;
    for (let expr = 0; expr < exprs.count; expr++) {
      if ((exprs.opOf(expr) === E.super || exprs.opOf(expr) === E.this) && exprs.roleOf(expr) === R.callee)
        constructorCall(resolver, file, summary, expr, out);
    }
  }
  return out;
}

/**
 * Calls of a primary constructor by `base(…)` of what derives from its class directly, and by `this(…)` of the class's
 * other constructors.
 */
export function primaryConstructorCalls(
  resolver: Resolver,
  type: DeclRef,
): readonly {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  readonly confidence: Confidence;
}[] {
  if (resolver.summary(type.file).decls.paramsOf(type.decl).length === 0) return [];
  const callers = [type, ...derivedFrom(resolver, type)];
  return [...new Set(callers.map((caller) => caller.file))].flatMap((file) => {
    const summary = resolver.summary(file);
    const { exprs } = summary;
    const rows = [];
    for (let expr = 0; expr < exprs.count; expr++) {
      const isBase = exprs.opOf(expr) === E.super;
      if ((!isBase && exprs.opOf(expr) !== E.this) || exprs.roleOf(expr) !== R.callee) continue;
      const { decl } = enclosingClass(summary, exprs.scopeOf(expr), isClassLike, isFunctionLike);
      const isCaller = callers.some((caller) => caller.file === file && caller.decl === decl);
      if (isCaller && isBase !== (decl === type.decl && file === type.file))
        rows.push({ file, expr, block: blockOf(summary, expr), confidence: 'certain' as const });
    }
    return rows;
  });
}

/** A class with the row of its base list that names a type. */
export interface Derived extends DeclRef {
  /** The first such row. */
  readonly expr: number;
}

/** Classes that name the type among their bases, directly. */
export function derivedFrom(resolver: Resolver, type: DeclRef): readonly Derived[] {
  return resolver.answer<readonly Derived[]>('derived', type.file, type.decl, [], () => {
    const found = new Map<string, Derived>();
    // Only rows in base lists are resolved: a class has many more mentions than subclasses.
    for (const { file, expr } of sitesByName(resolver, type, 'bases')) {
      const { exprs } = resolver.summary(file);
      const decl = classAround(resolver.summary(file), expr);
      const key = `${file}\0${decl}`;
      const known = found.get(key);
      if (decl >= 0 && (known === undefined || exprs.startOf(expr) < exprs.startOf(known.expr)))
        found.set(key, { file, decl, expr });
    }
    return [...found.values()];
  });
}

/** The class-like declaration whose base list holds the row. */
function classAround(summary: Summary, expr: number): number {
  const { decls } = summary;
  const at = summary.exprs.startOf(expr);
  let best = -1;
  for (let decl = 0; decl < decls.count; decl++) {
    if (!isClassLike(decls.kindOf(decl))) continue;
    if (
      decls.startOf(decl) <= at &&
      at < decls.bodyStartOf(decl) &&
      (best < 0 || decls.startOf(decl) >= decls.startOf(best))
    )
      best = decl;
  }
  return best;
}

/** All classes below a type, nearest first. */
export function descendantsOf(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  const out: DeclRef[] = [];
  const seen = new Set([declKey(type)]);
  const queue: DeclRef[] = [type];
  for (const next of queue) {
    for (const derived of derivedFrom(resolver, next)) {
      const key = declKey(derived);
      if (seen.has(key)) continue;
      seen.add(key);
      out.push(derived);
      queue.push(derived);
    }
  }
  return out;
}

/** Members of derived classes that override or implement the target directly. */
export function overridersOf(resolver: Resolver, target: DeclRef): readonly Site[] {
  return resolver.answer<readonly Site[]>('overriders', target.file, target.decl, [], () =>
    findOverriders(resolver, target),
  );
}

/** Rows of methods in classes without a name that override the target: they are no blocks. */
export function overridersWithoutName(resolver: Resolver, target: DeclRef): readonly OverriderWithoutName[] {
  return resolver.answer<readonly OverriderWithoutName[]>('overriders without name', target.file, target.decl, [], () =>
    findOverridersWithoutName(resolver, target),
  );
}

export interface OverriderWithoutName {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  readonly confidence: Confidence;
}

function findOverridersWithoutName(resolver: Resolver, target: DeclRef): readonly OverriderWithoutName[] {
  const of = resolver.summary(target.file);
  if (classOfMember(of, target.decl) === undefined) return [];
  const name = of.decls.nameOf(target.decl);
  return resolver.repo.filesMentioning(name).flatMap((file) => {
    const summary = resolver.summary(file);
    const row = summary.idOf(name);
    if (summary.language !== of.language || row < 0) return [];
    return [...summary.exprs.named(row)].flatMap((expr) => {
      if (summary.exprs.operandOf(expr) >= 0 || summary.functionOfKey(expr) === undefined) return [];
      const { via, targets, confidence } = resolver.resolve(file, expr);
      return via === 'overrides' && targets.some((other) => sameDecl(other, target))
        ? [{ file, expr, block: blockOf(summary, expr), confidence }]
        : [];
    });
  });
}

function findOverriders(resolver: Resolver, target: DeclRef): Site[] {
  const of = resolver.summary(target.file);
  const home = classOfMember(of, target.decl);
  const kind = of.decls.kindOf(target.decl);
  if (
    home === undefined ||
    kind === D.constructor ||
    !(isFunctionLike(kind) || isFieldLike(kind)) ||
    !isDeclaredElsewhere(resolver, target)
  )
    return [];
  const name = of.decls.nameOf(target.decl);
  const out: Site[] = [];
  const own = { file: target.file, decl: home };
  for (const type of isCalledComponent(resolver, target)
    ? [own, ...descendantsOf(resolver, own)]
    : descendantsOf(resolver, own)) {
    const summary = resolver.summary(type.file);
    const row = summary.idOf(name);
    if (row < 0) continue;
    for (const decl of summary.decls.named(row)) {
      if (classOfMember(summary, decl) !== type.decl) continue;
      for (const base of overriddenBy(resolver, { file: type.file, decl })) {
        if (sameDecl(base, target))
          out.push({
            file: type.file,
            expr: -1,
            block: decl,
            target,
            kind: 'override',
            confidence: 'certain',
            via: 'bases',
          });
      }
    }
  }
  return out;
}

/** Whether syntax calls the member, so that its callers need not say its name: `__call__`, `operator+`, an indexer. */
export function isCalledBySyntax(resolver: Resolver, member: DeclRef): boolean {
  const { callMember, operatorMembers, functionMembers, descriptorMembers } = resolver.language(member.file);
  const name = resolver.summary(member.file).decls.nameOf(member.decl);
  return (
    name === callMember ||
    name === descriptorMembers?.read ||
    name === descriptorMembers?.write ||
    [operatorMembers, functionMembers].some((table) => Object.values(table).some((names) => names.includes(name)))
  );
}

/** For a special member (`__call__`, `operator+`): syntax that calls it. */
function specialSites(resolver: Resolver, target: DeclRef): Site[] {
  const summary = resolver.summary(target.file);
  const home = classOfMember(summary, target.decl);
  if (home === undefined || !isCalledBySyntax(resolver, target)) return [];
  const name = summary.decls.nameOf(target.decl);
  const { files, rows } = filesRunning(resolver, summary.language, name);
  const looks = { left: rows > ROWS_FEW ? rows / ROWS_FOR_ONE : 0 };
  const near = around(resolver, { file: target.file, decl: home }, new Set(files), looks);
  return (looks.left > 0 ? near : files).flatMap((file) => impliedIn(resolver, file, name).get(declKey(target)) ?? []);
}

/**
 * So many rows of a repository are looked at one by one, whatever lies around a class: a row costs some ten
 * microseconds, and what lies around a class in the middle of a program costs seconds.
 */
const ROWS_FEW = 2000;
/**
 * Of more rows those are looked at that lie around the class, if that is found by looking at a row that says a name for
 * so many of them. For a class in the middle of a program it is not, and most of them lie around it.
 */
const ROWS_FOR_ONE = 32;

/**
 * Files that refer to the class or one that derives from it, and the files that refer to what does
 * so there. What a special member of another class gives is got without a name, in the files around
 * that class: each class counts once, since two may give each other.
 */
export function filesAround(resolver: Resolver, type: DeclRef): readonly string[] {
  return resolver.answer<readonly string[]>('files around', type.file, type.decl, [], () =>
    around(resolver, type, new Set(resolver.repo.filesOf(resolver.summary(type.file).language)), { left: Infinity }),
  );
}

/**
 * Those of `wanted` that are around the class. What can lead to none that is still wanted is not followed. The search
 * ends early where it would look at more than is left.
 */
function around(resolver: Resolver, type: DeclRef, wanted: Set<string>, looks: { left: number }): string[] {
  const out: string[] = [];
  const add = (file: string): void => {
    if (wanted.delete(file)) out.push(file);
  };
  const sitesWithin = (ref: DeclRef): readonly Site[] => {
    looks.left -= looksFor(resolver, ref);
    return looks.left > 0 ? namedSites(resolver, ref) : [];
  };
  const classes = new Map([[declKey(type), type]]);
  for (const each of classes.values()) {
    for (const one of [each, ...(looks.left > 0 ? descendantsOf(resolver, each) : [])]) {
      add(one.file);
      for (const site of sitesWithin(one)) {
        if (wanted.size === 0 || looks.left <= 0) return out;
        add(site.file);
        const block = { file: site.file, decl: site.block };
        if (block.decl < 0) continue;
        looks.left--;
        if (mayBeNamedIn(resolver, block, wanted))
          for (const further of [...sitesWithin(block), ...overridersOf(resolver, block)]) add(further.file);
        const home = classOfMember(resolver.summary(block.file), block.decl);
        if (home === undefined || !isCalledBySyntax(resolver, block)) continue;
        const giver = { file: block.file, decl: home };
        classes.set(declKey(giver), giver);
      }
    }
  }
  return out;
}

/** What has to be looked at for who says the name of a declaration: files, and rows in them. */
function looksFor(resolver: Resolver, ref: DeclRef): number {
  const name = resolver.summary(ref.file).decls.nameOf(ref.decl);
  return resolver.repo.memo(`looks for ${name}`, () =>
    resolver.repo
      .filesMentioning(name)
      .map((file) => resolver.summary(file))
      .reduce((sum, summary) => sum + 1 + summary.exprs.named(summary.idOf(name)).length, 0),
  );
}

/** Whether one of the files may say a name of the declaration, as far as their names tell. */
function mayBeNamedIn(resolver: Resolver, target: DeclRef, files: ReadonlySet<string>): boolean {
  const of = resolver.summary(target.file);
  const home = classOfMember(of, target.decl);
  const wanted = [target, ...(home === undefined ? [] : typesMadeBy(resolver, target, home))];
  const kind = of.decls.kindOf(target.decl);
  const { madeAccessors, decoratorSpelling } = resolver.language(target.file);
  if (madeAccessors !== undefined && isFieldLike(kind)) return true;
  if (decoratorSpelling !== undefined && (isClassLike(kind) || wanted.length > 1)) return true;
  return wanted.some((ref) => {
    const summary = resolver.summary(ref.file);
    const name = summary.decls.nameOf(ref.decl);
    return (
      isDefaultExport(summary, ref.decl) ||
      filesThatMayMean(resolver, ref, name).some((file) => files.has(file) || givesOtherName(resolver, file, name))
    );
  });
}

/** Whether the file may give what a name means another name. */
function givesOtherName(resolver: Resolver, file: string, name: string): boolean {
  const summary = resolver.summary(file);
  return notedRows(summary).renamed.has(summary.idOf(name));
}

/** The sites that say the declaration's name, in any role. */
function namedSites(resolver: Resolver, target: DeclRef): readonly Site[] {
  return resolver.answer<readonly Site[]>('named sites', target.file, target.decl, [], () =>
    sitesByName(resolver, target, 'everywhere'),
  );
}
