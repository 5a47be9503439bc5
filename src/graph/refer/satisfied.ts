/**
 * Structural types: classes that no base list ties to an interface, but whose objects are given
 * where it is expected (TypeScript interfaces, Python protocols).
 *
 *     interface Runner { run(): void }        function go(r: Runner) {}
 *     class A { run() {} }                    go(new A())        A satisfies Runner here
 *
 * Looked for where a parameter, a variable, a field or a result has the type as declared: the
 * arguments, initial values and returned expressions whose class is known. Errs towards missing.
 */
import { Places } from '../../base/places.js';
import { piece, type Turns } from '../../base/turns.js';
import type { DeclRef } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import {
  basesOf,
  classOfMember,
  findMember,
  isDeclaredElsewhere,
  isMadeOfWhole,
  isSubclass,
  ownMembers,
} from '../resolve/hierarchy.js';
import { expectedWhere } from '../resolve/expected.js';
import { expectedOfLiteral, wantedBeside } from '../resolve/literal-keys.js';
import { classesGivenFor, constructSignatureOf } from './class-given.js';
import { functionsAt, functionsGivenFor, passedToValues } from './function-values.js';
import { argumentsFor, takerOf, type Given } from './given.js';
import { sitesInTurns, sitesOf, writesTo } from './references.js';
import { filesSaying, sitesByName } from './sites-by-name.js';
import type { Resolver } from '../resolve/resolver.js';
import { isOfClass, type Value } from '../resolve/value.js';
import { instanceOf } from '../resolve/written-types.js';

/** A type that is expected in more calls than this is not looked at. */
const CALLS_MOST = 2000;
/** More types than this with a member of one name: which of them a class satisfies is not looked for. */
const TYPES_MOST = 50;

/**
 * Classes and objects of the repository that are given for the type without deriving from it. Empty for a type that
 * only base lists satisfy.
 */
export function satisfiersOf(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  if (!isStructural(resolver, type)) return [];
  return resolver.answer<readonly DeclRef[]>('satisfiers', type.file, type.decl, [], () => {
    const found = new Map<string, DeclRef>();
    const types = typesTakenFor(resolver, type);
    const places = types.flatMap((each) => givenFor(resolver, each));
    const isMaker = constructSignatureOf(resolver, type) !== undefined;
    for (const { file, expr } of places) {
      for (const value of resolver.typeOf(file, expr).values) {
        if (!isOfClass(value) || !isObject(resolver.summary(value.file), value.decl)) continue;
        // A class that is given to make objects has the members of the type by itself.
        if (value.kind === 'class' && isMaker) continue;
        const isTied = isSubclass(resolver, value, type) || isExpectedLiteral(resolver, value);
        if (!isTied && !isForAnother(resolver, { file, expr }, value, types))
          found.set(declKey(value), { file: value.file, decl: value.decl });
      }
    }
    return [...found.values()];
  });
}

/** Whether what is given fits another side of a union than one of the types: it need not be one of them. */
function isForAnother(resolver: Resolver, { file, expr }: Given, value: DeclRef, types: readonly DeclRef[]): boolean {
  const sides = expectedWhere(resolver, file, expr)?.values ?? [];
  return sides.some(
    (side) =>
      side.kind === 'instance' &&
      !sameDecl(side, value) &&
      !types.some((type) => sameDecl(type, side)) &&
      isOneOf(resolver, value, side),
  );
}

/** Whether an object of a type is one of another, by its bases or by its members. */
export function isOneOf(resolver: Resolver, value: DeclRef, side: DeclRef): boolean {
  const has = (name: string): boolean => findMember(resolver, value, name).found.length > 0;
  return (
    isSubclass(resolver, value, side) ||
    (isStructural(resolver, side) && wantedBeside(resolver, side, { has }).length === 0)
  );
}

/** The type, and those that are made of all of it: what is given for one of them is given for the type. */
const typesTakenFor = (resolver: Resolver, type: DeclRef): readonly DeclRef[] => [
  type,
  ...typesOn(resolver, type).filter((each) => isMadeOfWhole(resolver, each, type)),
];

/** Finds the same, a declaration at a time of those whose calls give something for the type. */
function* findingSatisfiers(resolver: Resolver, type: DeclRef): Turns<void> {
  if (!isStructural(resolver, type) || resolver.knows('satisfiers', type.file, type.decl)) return;
  yield* sitesInTurns(resolver, type);
  for (const each of yield* piece(() => typesTakenFor(resolver, type))) {
    if (resolver.knows('given', each.file, each.decl)) continue;
    yield* sitesInTurns(resolver, each);
    for (const { file, decl } of yield* piece(() => declaredAs(resolver, each))) {
      const taker = takerOf(resolver.summary(file), decl);
      if (taker !== undefined) yield* sitesInTurns(resolver, { file, decl: taker });
    }
    for (const { file, expr } of yield* piece(() => givenFor(resolver, each))) {
      yield* piece(() => resolver.typeOf(file, expr));
      yield;
    }
  }
  yield* piece(() => satisfiersOf(resolver, type));
}

/** Finds what stands for a member, or what a member stands for, so that it is known when it is asked for. */
export function* findingSatisfied(resolver: Resolver, member: DeclRef): Turns<void> {
  const { decls } = resolver.summary(member.file);
  const owner = classOfMember(resolver.summary(member.file), member.decl);
  if (owner === undefined) return;
  const type = { file: member.file, decl: owner };
  yield* findingSatisfiers(resolver, type);
  if (!resolver.language(member.file).structural || !isObject(resolver.summary(member.file), owner)) return;
  if (resolver.knows('satisfied members', member.file, member.decl)) return;
  for (const { file, decl } of yield* piece(() => demandsOn(resolver, type, decls.nameOf(member.decl)))) {
    const demanding = classOfMember(resolver.summary(file), decl);
    if (demanding !== undefined) yield* findingSatisfiers(resolver, { file, decl: demanding });
  }
}

/** Interfaces and aliases that are made of the type, directly or not: what is given for one is given for the type. */
export function typesOn(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  if (!isStructural(resolver, type)) return [];
  return resolver.answer<readonly DeclRef[]>('types on', type.file, type.decl, [], () => {
    const out = new Map<string, DeclRef>();
    const queue: DeclRef[] = [type];
    for (const next of queue) {
      for (const { file, block } of sitesOf(resolver, next)) {
        const made = { file, decl: block };
        if (block < 0 || out.has(declKey(made)) || !isStructural(resolver, made)) continue;
        if (sameDecl(made, type) || !basesOf(resolver, made).classes.some((base) => sameDecl(base, next))) continue;
        out.set(declKey(made), made);
        queue.push(made);
      }
    }
    return [...out.values()];
  });
}

/** Members of those classes that stand for this member of the type. */
export function satisfyingMembers(resolver: Resolver, member: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(member.file);
  const owner = classOfMember(summary, member.decl);
  if (owner === undefined || !isDeclaredElsewhere(resolver, member)) return [];
  return satisfiersOf(resolver, { file: member.file, decl: owner }).flatMap((type) =>
    ownMembers(resolver, type, summary.decls.nameOf(member.decl)),
  );
}

/** Members of types that this member of a class stands for. */
export function satisfiedMembers(resolver: Resolver, member: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(member.file);
  const owner = classOfMember(summary, member.decl);
  const { structural } = resolver.language(member.file);
  if (!structural || owner === undefined || !isObject(summary, owner)) return [];
  return resolver.answer<readonly DeclRef[]>('satisfied members', member.file, member.decl, [], () =>
    findSatisfied(resolver, member, owner),
  );
}

const findSatisfied = (resolver: Resolver, member: DeclRef, owner: number): readonly DeclRef[] =>
  demandsOn(
    resolver,
    { file: member.file, decl: owner },
    resolver.summary(member.file).decls.nameOf(member.decl),
  ).filter((type) => satisfyingMembers(resolver, type).some((other) => sameDecl(other, member)));

/** Members of a name in other types, of which an object of this type has all else that they ask for, by name. */
function demandsOn(
  resolver: Resolver,
  type: DeclRef,
  name: string,
  isType: (resolver: Resolver, type: DeclRef) => boolean = isStructural,
  had: (name: string) => boolean = () => false,
): readonly DeclRef[] {
  const { language } = resolver.summary(type.file);
  const demands = resolver.repo
    .filesDeclaring(language, name)
    .flatMap((file) => membersNamed(resolver.summary(file), name).map((decl): DeclRef => ({ file, decl })))
    .filter(({ file, decl }) => {
      const owner = { file, decl: classOfMember(resolver.summary(file), decl) ?? -1 };
      return isType(resolver, owner) && !sameDecl(owner, type);
    })
    .filter((demand) => hasMembersOf(resolver, type, demand, had));
  return demands.length > TYPES_MOST ? [] : demands;
}

/**
 * Types, those that are written out in place among them, that ask for a member of the name, and for nothing else that
 * an object of this type has not, or had not, by name.
 */
export const demandsMetBy = (
  resolver: Resolver,
  type: DeclRef,
  name: string,
  had: (name: string) => boolean,
): readonly DeclRef[] =>
  demandsOn(resolver, type, name, isStructuralOrInline, had).map(({ file, decl }) => ({
    file,
    decl: classOfMember(resolver.summary(file), decl) as number,
  }));

const isStructuralOrInline = (resolver: Resolver, type: DeclRef): boolean =>
  isStructural(resolver, type) || (type.decl >= 0 && isInline(resolver.summary(type.file), type.decl));

/** Whether it is a type that is written out in place. */
function isInline({ decls, exprs }: Summary, decl: number): boolean {
  const row = decls.kindOf(decl) === D.anonymousClass ? exprs.rowOfClosure(decl) : undefined;
  return row !== undefined && exprs.roleOf(row) === R.type;
}

/** Whether an object of the class has what the type that declares a member demands beside that, by name. */
function hasMembersOf(resolver: Resolver, type: DeclRef, demanded: DeclRef, had: (name: string) => boolean): boolean {
  const { decls } = resolver.summary(demanded.file);
  const members = resolver.summary(demanded.file).decls.allInScope(decls.scopeOf(demanded.decl));
  const names = [...members].filter(
    (decl) =>
      decl !== demanded.decl &&
      !decls.has(decl, F.optional) &&
      (isFunctionLike(decls.kindOf(decl)) || isFieldLike(decls.kindOf(decl))),
  );
  return names.every((decl) => {
    const name = decls.nameOf(decl);
    return had(name) || findMember(resolver, type, name).found.length > 0;
  });
}

function membersNamed(summary: Summary, name: string): number[] {
  const row = summary.idOf(name);
  return row < 0 ? [] : [...summary.decls.named(row)].filter((decl) => classOfMember(summary, decl) !== undefined);
}

function isStructural(resolver: Resolver, type: DeclRef): boolean {
  if (type.decl < 0 || !resolver.language(type.file).structural) return false;
  const kind = resolver.summary(type.file).decls.kindOf(type.decl);
  return kind === D.interface || kind === D.typeAlias;
}

/** A class with objects: no interface, alias or enumeration. */
function isObject(summary: Summary, decl: number): boolean {
  const kind = summary.decls.kindOf(decl);
  return isClassLike(kind) && kind !== D.interface && kind !== D.typeAlias && kind !== D.enum;
}

/** An object literal whose place says what it is: its keys refer to that type's members themselves. */
function isExpectedLiteral(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls, exprs } = resolver.summary(file);
  if (decls.kindOf(decl) !== D.anonymousClass) return false;
  const literal = exprs.rowOfClosure(decl);
  return literal !== undefined && (expectedOfLiteral(resolver, file, literal)?.values.length ?? 0) > 0;
}

/** What is given, and for an object literal what is spread into it: `{ ...a, key: 1 }`, `<Box {...a} />`. */
function withSpread(resolver: Resolver, given: Given): Given[] {
  const { decls, exprs } = resolver.summary(given.file);
  if (exprs.opOf(given.expr) !== E.closure) return [given];
  const literal = exprs.closureOf(given.expr);
  if (decls.kindOf(literal) !== D.anonymousClass) return [given];
  return [given, ...[...decls.basesOf(literal)].map((expr) => ({ file: given.file, expr }))];
}

/** Expressions in places whose declared type it is. */
export const givenFor = (resolver: Resolver, type: DeclRef): readonly Given[] =>
  resolver.answer<readonly Given[]>('given', type.file, type.decl, [], () =>
    distinct([
      ...givenAt(
        resolver,
        declaredAs(resolver, type).map((place) => ({ place, isIn: true })),
      ),
      ...[...filesSaying(resolver, [type])].flatMap((file) => madeWhereExpected(resolver, file, type)),
      ...classesGivenFor(resolver, type),
    ]),
  );

/** Objects that are made where the type is expected and nothing is declared: put into a list, a map, another object. */
function madeWhereExpected(resolver: Resolver, file: string, type: DeclRef): Given[] {
  const { exprs } = resolver.summary(file);
  return exprs.ofOp(E.new).flatMap((expr) => {
    const expected = expectedWhere(resolver, file, expr)?.values ?? [];
    return expected.some((value) => isOfClass(value) && sameDecl(value, type)) ? [{ file, expr }] : [];
  });
}

function distinct(given: readonly Given[]): Given[] {
  const seen = new Places();
  return given.filter(({ file, expr }) => seen.add(file, expr));
}

/**
 * Those of them in a few files, as far as there are such; arguments by the name of what is called alone. `elsewhere`:
 * what is declared to be of the type in other files, whose calls may stand in these.
 */
export function givenIn(
  resolver: Resolver,
  type: DeclRef,
  files: ReadonlySet<string>,
  elsewhere: readonly Declared[],
): readonly Given[] {
  const isTaking = ({ file, decl }: DeclRef): boolean => {
    const kind = resolver.summary(file).decls.kindOf(decl);
    return kind === D.param || isFieldLike(kind);
  };
  const places = [
    ...[...files]
      .filter((file) => resolver.repo.summary(file) !== undefined)
      .flatMap((file) => declaredIn(resolver, file, type).map((place) => ({ place, isIn: true }))),
    ...elsewhere.filter(isTaking).map((place) => ({ place, isIn: false })),
  ];
  const saying = filesSaying(resolver, [type]);
  const made = [...files].filter((file) => saying.has(file)).flatMap((file) => madeWhereExpected(resolver, file, type));
  return distinct([...givenAt(resolver, places, files), ...made, ...classesGivenFor(resolver, type, files)]);
}

/** A variable, parameter or function whose written type is one, that of a list of such, or of what makes such. */
export interface Declared extends DeclRef {
  readonly holds: 'object' | 'list' | 'maker';
}

/** Variables, parameters and functions whose written type it is, or that of a list of such. */
export const declaredAs = (resolver: Resolver, type: DeclRef): readonly Declared[] =>
  resolver.answer<readonly Declared[]>('declared as', type.file, type.decl, [], () => {
    const files = isInline(resolver.summary(type.file), type.decl)
      ? [type.file]
      : sitesOf(resolver, type).map((site) => site.file);
    return [...new Set(files)].flatMap((file) => declaredIn(resolver, file, type));
  });

function declaredIn(resolver: Resolver, file: string, type: DeclRef): Declared[] {
  const { decls } = resolver.summary(file);
  const { sequences } = resolver.language(file).library;
  const isOfType = (value: Value): boolean => isOfClass(value) && sameDecl(value, type);
  const isOfList = (value: Value): boolean =>
    value.kind === 'external' && sequences.has(value.name) && value.args[0]?.values.some(isOfType) === true;
  const out: Declared[] = [];
  for (let decl = 0; decl < decls.count; decl++) {
    const written = decls.typeOf(decl);
    if (written < 0) continue;
    const { exprs } = resolver.summary(file);
    if (exprs.opOf(written) === E.functionType) {
      const result = exprs.operandOf(written);
      const makes = result >= 0 && instanceOf(resolver, file, result).values.some(isOfType);
      if (makes) out.push({ file, decl, holds: 'maker' });
      continue;
    }
    const { values } = instanceOf(resolver, file, written);
    if (values.some(isOfType)) out.push({ file, decl, holds: 'object' });
    else if (values.some(isOfList)) out.push({ file, decl, holds: 'list' });
  }
  return out;
}

/** The elements that a list at a row is written with; none for another row. */
function elementsAt(summary: Summary, { file, expr }: Given): Given[] {
  const { exprs } = summary;
  return exprs.opOf(expr) !== E.list
    ? []
    : [...exprs.partsOf(expr)].flatMap((row) => (exprs.opOf(row) === E.element ? [] : [{ file, expr: row }]));
}

/** What is given for the places; `isIn`: what stands at the place itself counts as well. */
function givenAt(
  resolver: Resolver,
  places: readonly { readonly place: Declared; readonly isIn: boolean }[],
  only?: ReadonlySet<string>,
): Given[] {
  const out: Given[] = [];
  let calls = 0;
  for (const { place, isIn } of places) {
    const { file, decl, holds } = place;
    const summary = resolver.summary(file);
    const { decls } = summary;
    const given = (one: Given): readonly Given[] =>
      holds === 'list'
        ? elementsAt(resolver.summary(one.file), one)
        : holds === 'maker'
          ? madeBy(resolver, one)
          : [one];
    if (decls.kindOf(decl) === D.param) {
      const toValues = passedToValues(resolver, place)?.filter((one) => only?.has(one.file) !== false);
      const passed = (toValues ?? argumentsFor(resolver, file, summary, decl, only))
        .flatMap(given)
        .flatMap((each) => withSpread(resolver, each));
      calls += passed.length;
      if (calls > CALLS_MOST) return [];
      out.push(...passed);
      if (isIn && decls.valueOf(decl) >= 0) out.push(...given({ file, expr: decls.valueOf(decl) }));
    } else if (isFunctionLike(decls.kindOf(decl))) {
      out.push(...makersBy(resolver, { file, decl }, only));
      if (!decls.has(decl, F.generator)) for (const expr of decls.resultsOf(decl)) out.push(...given({ file, expr }));
    } else {
      if (isIn && decls.valueOf(decl) >= 0) out.push(...given({ file, expr: decls.valueOf(decl) }));
      if (isFieldLike(decls.kindOf(decl))) out.push(...storedIn(resolver, { file, decl }, only).flatMap(given));
    }
  }
  return out;
}

/** What gives the result of a signature without a name: classes that make such objects, functions called so. */
function makersBy(
  resolver: Resolver,
  { file, decl }: DeclRef,
  only: ReadonlySet<string> | undefined,
): readonly Given[] {
  const summary = resolver.summary(file);
  const { callMember, constructSignature } = resolver.language(file);
  const name = summary.decls.nameOf(decl);
  const owner = name === callMember || name === constructSignature ? classOfMember(summary, decl) : undefined;
  if (owner === undefined || !isStructural(resolver, { file, decl: owner })) return [];
  const type = { file, decl: owner };
  return name === constructSignature ? classesGivenFor(resolver, type, only) : resultsOfGiven(resolver, type, only);
}

/** What functions give that are given for a type which can be called. */
const resultsOfGiven = (resolver: Resolver, type: DeclRef, only: ReadonlySet<string> | undefined): Given[] =>
  functionsGivenFor(resolver, type)
    .filter(({ file }) => only === undefined || only.has(file))
    .flatMap((given) => resultsAt(resolver, given));

/** What the function at a row gives, or the one that it names. */
const resultsAt = (resolver: Resolver, { file, expr }: Given): Given[] =>
  functionsAt(resolver, file, expr).flatMap((target) =>
    target.decl < 0
      ? []
      : [...resolver.summary(target.file).decls.resultsOf(target.decl)].map((row) => ({
          file: target.file,
          expr: row,
        })),
  );

/** What is given by what makes objects: the class itself for those that it makes, or what a function gives. */
const madeBy = (resolver: Resolver, given: Given): readonly Given[] =>
  resolver.typeOf(given.file, given.expr).values.some(({ kind }) => kind === 'class')
    ? [given]
    : resultsAt(resolver, given);

/** What an object literal holds under a key. */
function valueOfKey({ decls, exprs }: Summary, key: number): number[] {
  const literal = exprs.operandOf(key);
  if (literal < 0 || exprs.opOf(literal) !== E.closure) return [];
  const inner = decls.innerOf(exprs.closureOf(literal));
  const member =
    inner < 0 ? undefined : [...decls.allInScope(inner)].find((row) => decls.nameStartOf(row) === exprs.startOf(key));
  return member === undefined || decls.valueOf(member) < 0 ? [] : [decls.valueOf(member)];
}

/** What is assigned to a field: `box.rules = made`, `{ rules: made }`. */
function storedIn(resolver: Resolver, field: DeclRef, only: ReadonlySet<string> | undefined): Given[] {
  const writes = only === undefined ? writesTo(resolver, field) : sitesByName(resolver, field, 'writes', only);
  return writes.flatMap(({ file, expr }): Given[] => {
    const summary = resolver.summary(file);
    const { exprs } = summary;
    if (exprs.opOf(expr) === E.initializer) return valueOfKey(summary, expr).map((row) => ({ file, expr: row }));
    return exprs.stores.flatMap((store) =>
      exprs.placeOf(store) === expr ? [{ file, expr: exprs.storedOf(store) }] : [],
    );
  });
}
