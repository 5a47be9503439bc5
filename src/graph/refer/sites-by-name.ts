/**
 * Sites that say a declaration's name, or a name that an import or export gives it.
 *
 * Classes below a type are found here too, since a list of bases says a name: a constructor is said by the names of all
 * classes that inherit it.
 */
import type { DeclRef } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { D, isClassLike, isFieldLike, isFunctionLike, R, WHOLE_MODULE, type Summary } from '../../syntax/summary.js';
import { basesOf, classOfMember } from '../resolve/hierarchy.js';
import { entityOfDecl } from '../resolve/imports.js';
import { heldBy, isAliasOf } from './alias.js';
import type { Resolver } from '../resolve/resolver.js';
import { filesThatMayMean } from './reach-outside.js';
import { defaultEntries, isDefaultExport, notedRows, typeParts } from './noted-rows.js';
import type { Site } from './site.js';
import { sitesOfRow } from './sites-of-row.js';

/** The sites that say the declaration's name, in any role. */
export function namedSites(resolver: Resolver, target: DeclRef): readonly Site[] {
  return resolver.answer<readonly Site[]>('named sites', target.file, target.decl, [], () =>
    sitesByName(resolver, target, 'everywhere'),
  );
}

/** Rows that a search by name looks at: all, or those of one kind alone (`noted-rows.ts`). */
type Where = 'everywhere' | 'bases' | 'made' | 'writes' | 'typeParts';

/**
 * Sites that say the target's name, or a name that an import or export gives it. With `files` only these are looked
 * into; names are taken from all.
 */
export function sitesByName(resolver: Resolver, target: DeclRef, where: Where, files?: ReadonlySet<string>): Site[] {
  return [...findingByName(resolver, target, where, files)];
}

/** The same, each when it is found. */
export function* findingByName(
  resolver: Resolver,
  target: DeclRef,
  where: Where,
  files?: ReadonlySet<string>,
): Generator<Site> {
  const of = resolver.summary(target.file);
  const home = classOfMember(of, target.decl);
  const isClass = isClassLike(of.decls.kindOf(target.decl));
  const wanted = saidFor(resolver, target);
  const isTypeOrTop = wanted.length > 1 || home === undefined || isClass;
  const isHeld = isFunctionLike(of.decls.kindOf(target.decl)) || isClass;
  const names = namesFor(resolver, target);
  if (where === 'everywhere' || where === 'bases')
    for (const { file, expr } of rowsOfWholes(resolver, wanted)) {
      const holders = isHeld ? holdersOf(resolver, file, expr) : [];
      for (const { decl } of holders) names.add(resolver.summary(file).decls.nameOf(decl));
      wanted.push(...holders);
      yield* foundAt(resolver, { file, expr }, target, files);
    }
  for (const name of names) {
    for (const file of filesThatMayMean(resolver, target, name)) {
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
      const rows =
        where === 'everywhere'
          ? summary.exprs.named(row)
          : ((where === 'typeParts' ? typeParts(summary) : noted[where]).get(row) ?? []);
      for (const expr of rows) yield* foundAt(resolver, { file, expr }, target, files);
      if (isTypeOrTop)
        for (const expr of listed.get(row) ?? [])
          for (const alias of aliasesOf(resolver, file, expr, wanted)) names.add(alias);
    }
  }
}

function foundAt(
  resolver: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
  target: DeclRef,
  files: ReadonlySet<string> | undefined,
): readonly Site[] {
  if (files?.has(file) === false) return [];
  const found: Site[] = [];
  sitesOfRow(resolver, file, resolver.summary(file), expr, found, target);
  return found;
}

/** The declarations whose names say the target: itself, and the types that a constructor makes. */
function saidFor(resolver: Resolver, target: DeclRef): DeclRef[] {
  const home = classOfMember(resolver.summary(target.file), target.decl);
  return [target, ...(home === undefined ? [] : typesMadeBy(resolver, target, home))];
}

/** The names by which a search for a declaration begins; imports, exports and aliases may give it others. */
export function namesFor(resolver: Resolver, target: DeclRef): Set<string> {
  const summary = resolver.summary(target.file);
  const wanted = saidFor(resolver, target);
  const isClass = isClassLike(summary.decls.kindOf(target.decl));
  const isMember = classOfMember(summary, target.decl) !== undefined;
  return new Set([
    ...wanted.map((ref) => resolver.summary(ref.file).decls.nameOf(ref.decl)),
    ...defaultNames(resolver, wanted),
    ...(isMember ? accessorNames(resolver, target) : []),
    ...(isClass ? [target] : wanted.slice(1)).flatMap((ref) => shortSpelling(resolver, ref)),
  ]);
}

/** Other names that an import or export entry gives to one of the declarations. */
function aliasesOf(resolver: Resolver, file: string, expr: number, wanted: readonly DeclRef[]): readonly string[] {
  const aliases = notedRows(resolver.summary(file)).aliases.get(expr) ?? [];
  return aliases.length > 0 && leadsTo(resolver, file, expr, wanted) ? aliases : [];
}

const leadsTo = (resolver: Resolver, file: string, expr: number, wanted: readonly DeclRef[]): boolean =>
  resolver.resolve(file, expr).targets.some((candidate) => wanted.some((ref) => sameDecl(candidate, ref)));

const isBoundTo = (resolver: Resolver, file: string, decl: number, wanted: readonly DeclRef[]): boolean =>
  entityOfDecl(resolver, file, resolver.summary(file), decl).some(
    (entity) => entity.kind === 'decl' && wanted.some((ref) => sameDecl(entity, ref)),
  );

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

/**
 * Names that files give to a default export among the declarations, or to what is all of a module: these imports do not
 * say its own name.
 */
function defaultNames(resolver: Resolver, wanted: readonly DeclRef[]): string[] {
  const exported = wanted.filter((ref) => isDefaultExport(resolver.summary(ref.file), ref.decl));
  if (exported.length === 0) return [];
  const given = entriesFor(resolver, exported).flatMap(({ name }) => (name === '' ? [] : [name]));
  // `export { default as X } from`, and a module as an object, `m.default`, say neither name.
  return [...given, 'default'];
}

/** Rows that are a module as a whole, `require('./x')(1)`, where one of the declarations is that. */
function* rowsOfWholes(resolver: Resolver, wanted: readonly DeclRef[]): Generator<{ file: string; expr: number }> {
  const wholes = wanted.filter(({ file }) => isWhole(resolver.summary(file)));
  if (wholes.length > 0)
    for (const { file, expr, name } of entriesFor(resolver, wholes)) if (name === '') yield { file, expr };
}

/** Declarations whose whole value is a row without a name. */
function holdersOf(resolver: Resolver, file: string, row: number): DeclRef[] {
  const summary = resolver.summary(file);
  const known = notedRows(summary).wholes.get(summary.idOf(summary.exprs.nameOf(row))) ?? [];
  return known.filter((decl) => heldBy(summary, decl) === row).map((decl) => ({ file, decl }));
}

const isWhole = ({ exports }: Summary): boolean => exports.some(({ name }) => name === WHOLE_MODULE);

/** Entries of all files that take one of the declarations as a default, or as all of its module. */
function entriesFor(
  resolver: Resolver,
  exported: readonly DeclRef[],
): readonly { readonly file: string; readonly expr: number; readonly name: string }[] {
  const all = resolver.repo.memo('default imports', () =>
    [...resolver.repo.files].flatMap(([file, summary]) => defaultEntries(summary).map((entry) => ({ file, ...entry }))),
  );
  const mayBeWhole = exported.some(({ file }) => isWhole(resolver.summary(file)));
  return all.filter(({ file, expr, decl, isModule }) => {
    if (isModule && !mayBeWhole) return false;
    return expr >= 0 ? leadsTo(resolver, file, expr, exported) : isBoundTo(resolver, file, decl, exported);
  });
}

/** For a member that runs when an instance is made: its class, and those below that may inherit it. Else none. */
export function typesMadeBy(resolver: Resolver, target: DeclRef, home: number): DeclRef[] {
  const summary = resolver.summary(target.file);
  const language = resolver.language(target.file);
  if (
    summary.decls.kindOf(target.decl) !== D.constructor &&
    ![...language.implicitConstructors, ...language.runBehindConstructor].includes(summary.decls.nameOf(target.decl))
  )
    return [];
  const type = { file: target.file, decl: home };
  return [type, ...(language.overloads ? [] : descendantsOf(resolver, type))];
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
      if (exprs.roleOf(expr) !== R.base && !isBaseOf(resolver, type, { file, decl })) continue;
      const key = `${file}\0${decl}`;
      const known = found.get(key);
      if (decl >= 0 && (known === undefined || exprs.startOf(expr) < exprs.startOf(known.expr)))
        found.set(key, { file, decl, expr });
    }
    return [...found.values()];
  });
}

/** Whether a type that is named within a base of a class is one, as far as the class takes it: `Omit<Type, 'x'>`. */
const isBaseOf = (resolver: Resolver, type: DeclRef, below: DeclRef): boolean =>
  below.decl >= 0 && basesOf(resolver, below).classes.some((base) => sameDecl(base, type));

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
  if (best >= 0 || summary.exprs.roleOf(expr) !== R.base) return best;
  // A base that is given to a class by a statement of its own.
  const block = summary.scopes.blockOf(summary.exprs.scopeOf(expr));
  return block >= 0 && isClassLike(decls.kindOf(block)) ? block : -1;
}

/** Files in which a type of these stands, or is said by its name. */
export const filesSaying = (resolver: Resolver, types: readonly DeclRef[]): ReadonlySet<string> =>
  new Set(
    types.flatMap(({ file, decl }) => [
      file,
      ...resolver.repo.filesMentioning(resolver.summary(file).decls.nameOf(decl)),
    ]),
  );

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
