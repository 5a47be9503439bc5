/**
 * Classes among each other: bases, the order in which members are searched, members, overrides.
 *
 * A base that is not in the repository makes the search end in `external`: a member that is not
 * found in known classes then comes from there, and is never taken for a namesake elsewhere.
 */
import type { DeclRef, Entity } from '../../languages/language.js';
import { declKey, sameDecl, type DeclRow } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import { entityOfDecl } from './imports.js';
import { instanceOf } from './written-types.js';
import { namespaceOfScope } from '../files/snapshot.js';
import type { Resolver } from './resolver.js';
import { asksFor, leavesOut, type Part, type Type } from './value.js';

export interface Bases {
  /** Base classes of the repository in order, with the type arguments they are given, or parts of such. */
  readonly classes: readonly (Part & {
    readonly file: string;
    readonly decl: number;
    readonly args: readonly Type[];
  })[];
  /** Values of bases from outside: their names, and arguments for containers. */
  readonly external: readonly { readonly name: string; readonly args: readonly Type[] }[];
  /** Modules whose exports an object literal takes over. */
  readonly modules: readonly string[];
  /** Whether some base could not be made out. */
  readonly unknown: boolean;
}

/** Direct bases over all parts of the type. */
export function basesOf(resolver: Resolver, type: DeclRef): Bases {
  return resolver.answer<Bases>(
    'bases',
    type.file,
    type.decl,
    { classes: [], external: [], modules: [], unknown: true },
    () => {
      const classes: Bases['classes'][number][] = [];
      const outside: Bases['external'][number][] = [];
      const modules: string[] = [];
      let unknown = false;
      for (const part of resolver.bodies(type)) {
        const summary = resolver.summary(part.file);
        for (const base of summary.decls.basesOf(part.decl)) {
          if (isRoot(resolver, part.file, base)) continue;
          const isValue = summary.decls.kindOf(part.decl) === D.anonymousClass && summary.exprs.roleOf(base) === R.read;
          const values = isValue ? resolver.typeOf(part.file, base) : instanceOf(resolver, part.file, base);
          unknown ||= values.unknown;
          for (const value of values.values) {
            if (value.kind === 'module') modules.push(value.file);
            else if (value.kind === 'instance' && !sameDecl(value, type)) classes.push(value);
            else if (value.kind === 'external') outside.push(value);
            else unknown = true;
          }
        }
      }
      return { classes, external: outside, modules, unknown };
    },
  );
}

/** Whether a base is that of all classes (`class A(object)`). */
function isRoot(resolver: Resolver, file: string, base: number): boolean {
  const { exprs } = resolver.summary(file);
  const { rootBases } = resolver.language(file).library;
  return (
    exprs.opOf(base) === E.name &&
    rootBases.has(exprs.nameOf(base)) &&
    resolver.resolve(file, base).targets.length === 0
  );
}

/** How far up bases from outside are looked for. */
const OUTSIDE_DEPTH = 8;

/**
 * Bases from outside of an object, the nearest first, with the arguments that its own lead to: for `class Rows extends
 * Table<Row>`, `class Table<T> extends ArrayList<T>` the list of `Row`.
 */
export function outsideBases(
  resolver: Resolver,
  object: { readonly file: string; readonly decl: number; readonly args: readonly Type[] },
  depth = 0,
): Bases['external'] {
  if (depth > OUTSIDE_DEPTH || !hasOutsideBase(resolver, object)) return [];
  const summary = resolver.summary(object.file);
  const bound = [...summary.decls.typeParamsOf(object.decl)].flatMap((decl, i) =>
    object.args[i] === undefined ? [] : [{ file: object.file, decl, type: object.args[i] }],
  );
  const nearest: Bases['external'][number][] = [];
  const further: Bases['external'][number][] = [];
  for (const part of resolver.bodies(object)) {
    const of = resolver.summary(part.file);
    for (const base of of.decls.basesOf(part.decl)) {
      for (const value of instanceOf(resolver, part.file, base, bound).values) {
        if (value.kind === 'external') nearest.push(value);
        else if (value.kind === 'instance' && !sameDecl(value, object))
          further.push(...outsideBases(resolver, value, depth + 1));
      }
    }
  }
  return [...nearest, ...further];
}

/** All classes in which members are searched: the type first, then by the language's order. */
export function searchOrder(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  return resolver.answer<readonly DeclRef[]>('search order', type.file, type.decl, [type], () => {
    const rest = resolver.language(type.file).baseOrder(type, (t) => basesOf(resolver, t).classes);
    return [type, ...rest.filter((t) => !sameDecl(t, type))];
  });
}

/** Whether what one type asks for by a name, another one below it has to have: no part in between leaves it out. */
export const isAskedOf = (resolver: Resolver, type: DeclRef, above: DeclRef, name: string): boolean =>
  isReached(resolver, type, above, (base) => asksFor(base, name));

/** Whether a type has all of one above it: nothing in between takes a part of it. */
export const isMadeOfWhole = (resolver: Resolver, type: DeclRef, above: DeclRef): boolean =>
  isReached(resolver, type, above, ({ isPart }) => isPart === undefined);

/** Whether a way leads from a type to one above it over bases that are taken so; all ways, where none takes a part. */
function isReached(resolver: Resolver, type: DeclRef, above: DeclRef, isTaken: (base: Part) => boolean): boolean {
  if (resolver.language(type.file).library.parts.size === 0) return true;
  const seen = new Set([declKey(type)]);
  const queue = [type];
  for (const next of queue) {
    if (sameDecl(next, above)) return true;
    for (const base of basesOf(resolver, next).classes) {
      if (seen.has(declKey(base)) || !isTaken(base)) continue;
      seen.add(declKey(base));
      queue.push(base);
    }
  }
  return false;
}

/** Whether the type or one above it has a base that is not in the repository or not known. */
export function hasOutsideBase(resolver: Resolver, type: DeclRef): boolean {
  return resolver.answer<boolean>('outside base', type.file, type.decl, true, () =>
    searchOrder(resolver, type).some((t) => {
      const bases = basesOf(resolver, t);
      return bases.external.length > 0 || bases.unknown;
    }),
  );
}

/** Whether `type` is `base` or derives from it. */
export function isSubclass(resolver: Resolver, type: DeclRef, base: DeclRef): boolean {
  return searchOrder(resolver, type).some((t) => resolver.bodies(base).some((b) => sameDecl(b, t)));
}

/** Members of the name declared in the type itself (all its parts), not inherited. */
export function ownMembers(resolver: Resolver, type: DeclRef, name: string): DeclRef[] {
  const out: DeclRef[] = [];
  for (const part of resolver.bodies(type)) {
    const summary = resolver.summary(part.file);
    const inner = summary.decls.innerOf(part.decl);
    const row = summary.idOf(name);
    if (inner < 0 || row < 0) continue;
    for (const decl of summary.decls.inScope(inner, row)) {
      const kind = summary.decls.kindOf(decl);
      if (kind !== D.typeParam && kind !== D.param) out.push({ file: part.file, decl });
    }
  }
  return out;
}

export interface MemberSearch {
  /**
   * Declarations of the nearest class that has the name; with overloads also those of classes further up that are not
   * overridden.
   */
  readonly found: readonly DeclRef[];
  /** Not found here, and the class has bases outside: the member is (or may be) theirs. */
  readonly outside: boolean;
}

/** Looks a member up through the search order; `skipOwn` starts at the bases (`super`). */
export function findMember(resolver: Resolver, type: DeclRef & Part, name: string, skipOwn = false): MemberSearch {
  if (leavesOut(type, name)) return { found: [], outside: false };
  return resolver.answer<MemberSearch>(
    skipOwn ? 'inherited member' : 'member',
    type.file,
    `${type.decl}\0${name}`,
    { found: [], outside: true },
    () => {
      const overloads = resolver.language(type.file).overloads;
      const found: DeclRef[] = [];
      if (kindOf(resolver, type) === D.typeAlias) return findInAlias(resolver, type, name);
      for (const t of searchOrder(resolver, type).slice(skipOwn ? 1 : 0)) {
        const own = ownMembers(resolver, t, name);
        if (own.length > 0 && !isReached(resolver, type, t, (base) => !leavesOut(base, name))) continue;
        for (const member of own) if (!found.some((known) => hides(resolver, known, member))) found.push(member);
        if (found.length > 0 && !(overloads && found.every((member) => isFunctionLike(kindOf(resolver, member)))))
          break;
      }
      if (found.length === 0) for (const t of searchOrder(resolver, type)) found.push(...takenOver(resolver, t, name));
      return { found, outside: found.length === 0 && hasOutsideBase(resolver, type) };
    },
  );
}

/** What a literal has of modules that are spread into it, and a type of those that it is made of: `typeof module`. */
function takenOver(resolver: Resolver, type: DeclRef, name: string): DeclRef[] {
  return basesOf(resolver, type).modules.flatMap((module) =>
    resolver
      .exported(module, name)
      .flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : [])),
  );
}

/** `A & {…}`, where A may be a union: every side that has the member. */
function findInAlias(resolver: Resolver, type: DeclRef, name: string): MemberSearch {
  const found = [...ownMembers(resolver, type, name)];
  for (const base of basesOf(resolver, type).classes) {
    for (const member of findMember(resolver, base, name).found)
      if (!found.some((known) => sameDecl(known, member))) found.push(member);
  }
  if (found.length === 0) found.push(...takenOver(resolver, type, name));
  return { found, outside: found.length === 0 && hasOutsideBase(resolver, type) };
}

/**
 * Whether a member that was found nearer stands for one further up: same parameter count and types as written, or no
 * function. What implements an interface explicitly stands for its members alone.
 */
function hides(resolver: Resolver, near: DeclRef, far: DeclRef): boolean {
  if (sameDecl(near, far)) return true;
  const typeParams = ({ file, decl }: DeclRef): number => resolver.summary(file).decls.typeParamsOf(decl).length;
  // `Box` and `Box<T>` are two types, also where both are members of one.
  const areTypes = isClassLike(kindOf(resolver, near)) && isClassLike(kindOf(resolver, far));
  if (areTypes && resolver.language(far.file).arityInNames && typeParams(near) !== typeParams(far)) return false;
  if (
    isExplicit(resolver, near) &&
    !isExplicit(resolver, far) &&
    kindOf(resolver, { file: far.file, decl: classOfMember(resolver.summary(far.file), far.decl) ?? far.decl }) !==
      D.interface
  )
    return false;
  // A written accessor stands beside its component.
  if (
    isCalledComponent(resolver, near) &&
    near.file === far.file &&
    classOfMember(resolver.summary(near.file), near.decl) === classOfMember(resolver.summary(far.file), far.decl)
  )
    return false;
  if (areOverloads(resolver, near, far) || areSignatures(resolver, near, far)) return false;
  return (typeParams(near) === 0 || typeParams(near) === typeParams(far)) && overridesByShape(resolver, near, far);
}

/** Whether two members of a name stand beside each other in one class: no compiler takes them if they are alike. */
function areOverloads(resolver: Resolver, one: DeclRef, other: DeclRef): boolean {
  const isOne = (ref: DeclRef): boolean => isFunctionLike(kindOf(resolver, ref)) && !isExplicit(resolver, ref);
  return (
    one.file === other.file &&
    resolver.language(one.file).overloads &&
    isOne(one) &&
    isOne(other) &&
    classOfMember(resolver.summary(one.file), one.decl) === classOfMember(resolver.summary(other.file), other.decl)
  );
}

/**
 * Whether two members of a name are signatures of one method, or a signature and the method that all of them are of;
 * where members have no overloads, and another one of the name takes the place of the first.
 */
function areSignatures(resolver: Resolver, one: DeclRef, other: DeclRef): boolean {
  if (one.file !== other.file || resolver.language(one.file).overloads) return false;
  const summary = resolver.summary(one.file);
  const isMethod = ({ decl }: DeclRef): boolean =>
    summary.decls.kindOf(decl) === D.method || summary.decls.kindOf(decl) === D.constructor;
  return (
    isMethod(one) &&
    isMethod(other) &&
    summary.decls.has(one.decl, F.bodiless) &&
    classOfMember(summary, one.decl) === classOfMember(summary, other.decl)
  );
}

/**
 * Whether a member is reached through an interface alone. The bit means another thing where members have no overloads:
 * a field that must be named.
 */
export const isExplicit = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  decl >= 0 && resolver.language(file).overloads && resolver.summary(file).decls.has(decl, F.explicit);

const kindOf = (resolver: Resolver, ref: DeclRef): number => resolver.summary(ref.file).decls.kindOf(ref.decl);

/** Static or nested member as an entity, for import and name lookup. */
export function memberEntities(resolver: Resolver, type: DeclRef, name: string): readonly Entity[] {
  const summary = resolver.repo.summary(type.file);
  if (summary === undefined || type.decl < 0) return [];
  const search = findMember(resolver, { file: type.file, decl: literalHeld(summary, type.decl) ?? type.decl }, name);
  if (search.found.length === 0) return search.outside ? [{ kind: 'external', name }] : [];
  // Of a literal that is exported whole names are offered by themselves, and values are no blocks.
  const found = search.found.filter(({ file, decl }) => resolver.summary(file).decls.kindOf(decl) !== D.local);
  return found.flatMap((member) => entityOfDecl(resolver, member.file, resolver.summary(member.file), member.decl));
}

/** The class of the object literal that is the whole value of a declaration; undefined for any other. */
function literalHeld({ decls, exprs }: Summary, decl: number): number | undefined {
  const value = decls.valueOf(decl);
  return value >= 0 && exprs.opOf(value) === E.closure && decls.kindOf(exprs.closureOf(value)) === D.anonymousClass
    ? exprs.closureOf(value)
    : undefined;
}

/** See {@link Resolver.bodies}: C# partial parts; declarations of one name in one scope that merge (TypeScript). */
export function bodiesOf(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(type.file);
  const { decls } = summary;
  const out: DeclRef[] = [type];
  const add = (file: string, decl: number): void => {
    if (!out.some((known) => known.file === file && known.decl === decl)) out.push({ file, decl });
  };
  const merges = (kind: number): boolean =>
    kind === D.interface || kind === D.namespace || kind === D.class || kind === D.enum;
  if (merges(decls.kindOf(type.decl))) {
    for (const decl of summary.decls.inScope(decls.scopeOf(type.decl), decls.nameIdOf(type.decl))) {
      if (merges(decls.kindOf(decl)) && sameTypeParams(summary, decl, type.decl)) add(type.file, decl);
    }
  }
  if (!decls.has(type.decl, F.partial)) return out;
  const name = summary.decls.nameOf(type.decl);
  for (const file of resolver.repo.filesDeclaring(summary.language, name)) {
    const other = resolver.summary(file);
    const row = other.idOf(name);
    for (const decl of other.decls.named(row)) {
      if (
        other.decls.has(decl, F.partial) &&
        isClassLike(other.decls.kindOf(decl)) &&
        sameTypeParams(other, decl, type.decl, summary) &&
        qualifiedName(other, decl) === qualifiedName(summary, type.decl)
      )
        add(file, decl);
    }
  }
  return out;
}

/**
 * Functions that one function is made of with the given one: its overload signatures and the body
 * behind them, its getter and setter. None where each overload is a function of its own.
 */
export function partsOfFunction(resolver: Resolver, ref: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(ref.file);
  const { decls } = summary;
  if (ref.decl < 0 || !isFunctionLike(decls.kindOf(ref.decl)) || resolver.language(ref.file).overloads) return [];
  const parts = partsMemo.get(summary) ?? new Map<DeclRow, readonly DeclRow[]>();
  partsMemo.set(summary, parts);
  const known = parts.get(ref.decl) ?? otherParts(summary, ref.decl);
  parts.set(ref.decl, known);
  return known.map((decl) => ({ file: ref.file, decl }));
}

const partsMemo = new WeakMap<Summary, Map<DeclRow, readonly DeclRow[]>>();

function otherParts({ decls }: Summary, ref: DeclRow): readonly DeclRow[] {
  const same = [...decls.inScope(decls.scopeOf(ref), decls.nameIdOf(ref))].filter((decl) =>
    isFunctionLike(decls.kindOf(decl)),
  );
  const has = (decl: number, flags: number): boolean => decls.has(decl, flags);
  const isOne = same.some((decl) => has(decl, F.bodiless)) || same.every((decl) => has(decl, F.getter | F.setter));
  return isOne ? same.filter((decl) => decl !== ref && has(decl, F.static) === has(ref, F.static)) : [];
}

/** Methods of the name that another part of a partial type declares, or writes the body of, as parts of one method. */
export function partialFellows(resolver: Resolver, { file, decl }: DeclRef): readonly DeclRef[] {
  const { decls } = resolver.summary(file);
  const owner = decls.parentOf(decl);
  if (owner < 0 || !decls.has(decl, F.partial) || !isFunctionLike(decls.kindOf(decl))) return [];
  return resolver.bodies({ file, decl: owner }).flatMap((part) => {
    const of = resolver.summary(part.file).decls;
    return [...of.named(resolver.summary(part.file).idOf(decls.nameOf(decl)))]
      .filter((other) => of.parentOf(other) === part.decl && of.has(other, F.partial))
      .filter((other) => isFunctionLike(of.kindOf(other)) && (part.file !== file || other !== decl))
      .map((other) => ({ file: part.file, decl: other }));
  });
}

function sameTypeParams(summary: Summary, a: number, b: number, summaryOfB = summary): boolean {
  return summary.decls.typeParamsOf(a).length === summaryOfB.decls.typeParamsOf(b).length;
}

/** Namespace and nesting of a type as one dotted name. */
export function qualifiedName(summary: Summary, decl: number): string {
  const { decls } = summary;
  let name = summary.decls.nameOf(decl);
  let at = decl;
  for (let parent = decls.parentOf(at); parent >= 0; parent = decls.parentOf(at)) {
    name = `${summary.decls.nameOf(parent)}.${name}`;
    at = parent;
  }
  const namespace = summary.package !== '' ? summary.package : namespaceOfScope(summary, decls.scopeOf(at));
  return namespace === '' ? name : `${namespace}.${name}`;
}

/**
 * Whether anything else of the language declares the name: where nothing does, no search for what overrides or stands
 * for it can find any.
 */
export function isDeclaredElsewhere(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const summary = resolver.summary(file);
  const row = summary.decls.nameIdOf(decl);
  return (
    summary.decls.named(row).length > 1 ||
    resolver.repo.filesDeclaring(summary.language, summary.decls.nameOf(decl)).some((other) => other !== file)
  );
}

/** The class-like declaration in whose body a member is declared, or undefined. */
export function classOfMember(summary: Summary, decl: number): number | undefined {
  const scope = summary.decls.scopeOf(decl);
  const owner = summary.scopes.ownerOf(scope);
  return owner >= 0 && isClassLike(summary.decls.kindOf(owner)) && summary.decls.innerOf(owner) === scope
    ? owner
    : undefined;
}

/**
 * Members that this one overrides or implements: in each line of bases the nearest one of the
 * same name that could be overridden (parameter counts agree where the language has overloads).
 * A written accessor overrides the component of its record.
 */
export function overriddenBy(resolver: Resolver, member: DeclRef): readonly DeclRef[] {
  return resolver.answer<readonly DeclRef[]>('overridden', member.file, member.decl, [], () => {
    const summary = resolver.summary(member.file);
    const owner = classOfMember(summary, member.decl);
    const kind = summary.decls.kindOf(member.decl);
    if (owner === undefined || kind === D.constructor || !(isFunctionLike(kind) || isFieldLike(kind))) return [];
    const component = isFunctionLike(kind)
      ? ownMembers(resolver, { file: member.file, decl: owner }, summary.decls.nameOf(member.decl)).find(
          (other) => isCalledComponent(resolver, other) && overridesByShape(resolver, member, other),
        )
      : undefined;
    const out: DeclRef[] = component === undefined ? [] : [component];
    const seen = new Set<string>();
    const search = (type: DeclRef): void => {
      for (const base of basesOf(resolver, type).classes) {
        const key = declKey(base);
        if (seen.has(key) || leavesOut(base, summary.decls.nameOf(member.decl))) continue;
        seen.add(key);
        const matches = ownMembers(resolver, base, summary.decls.nameOf(member.decl)).filter((candidate) =>
          canOverride(resolver, member, candidate),
        );
        if (matches.length > 0) out.push(...matches);
        else search(base);
      }
    };
    search({ file: member.file, decl: owner });
    return out;
  });
}

function canOverride(resolver: Resolver, member: DeclRef, base: DeclRef): boolean {
  const of = resolver.summary(member.file);
  const on = resolver.summary(base.file);
  const flags = on.decls.flagsOf(base.decl);
  const language = resolver.language(member.file);
  if (language.isPrivate(on.decls.nameOf(base.decl), flags)) return false;
  if (language.overloads && isUnseen(resolver, member)) return false;
  // A record's header declares no property of its own where a class above has one already.
  if (
    language.overloads &&
    of.decls.has(member.decl, F.parameterField) &&
    (flags & F.abstract) === 0 &&
    on.decls.kindOf(classOfMember(on, base.decl) ?? -1) !== D.interface
  )
    return false;
  // Where overloads are told apart by types, a static member is bound when it is compiled: one below hides it, but for
  // those that an interface asks for.
  const statics = [flags, of.decls.flagsOf(member.decl)].filter((each) => (each & F.static) !== 0).length;
  if (language.overloads && statics > 0 && (statics < 2 || (flags & (F.abstract | F.virtual)) === 0)) return false;
  // A field hides one of a base class; only what an interface asks for (an event) is implemented by one.
  const isHidden =
    language.overloads &&
    on.decls.kindOf(base.decl) === D.field &&
    on.decls.kindOf(classOfMember(on, base.decl) ?? -1) !== D.interface;
  return !isHidden && overridesByShape(resolver, member, base);
}

/** Whether a member cannot stand for one above: it is private, or another of its class stands for it explicitly. */
function isUnseen(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  const flags = decls.flagsOf(decl);
  if (isExplicit(resolver, { file, decl })) return false;
  const owner = classOfMember(resolver.summary(file), decl) as number;
  return (
    (flags & F.private) !== 0 ||
    ownMembers(resolver, { file, decl: owner }, resolver.summary(file).decls.nameOf(decl)).some(
      (other) => isExplicit(resolver, other) && overridesByShape(resolver, { file, decl }, other),
    )
  );
}

/** Same sort of member, and the parameters agree in number (and in written type names, where overloads exist). */
function overridesByShape(resolver: Resolver, member: DeclRef, base: DeclRef): boolean {
  const of = resolver.summary(member.file);
  const on = resolver.summary(base.file);
  const isFunction = isFunctionLike(of.decls.kindOf(member.decl)) || isCalledComponent(resolver, member);
  if (isFunction !== (isFunctionLike(on.decls.kindOf(base.decl)) || isCalledComponent(resolver, base)))
    return !resolver.language(member.file).overloads;
  if (!isFunction || !resolver.language(member.file).overloads) return true;
  const mine = of.decls.paramsOf(member.decl);
  const theirs = on.decls.paramsOf(base.decl);
  if (mine.length !== theirs.length) return false;
  return mine.every((param, i) => {
    const a = typeName(of, param);
    const b = typeName(on, theirs[i] as number);
    return (
      a === undefined ||
      b === undefined ||
      a === b ||
      isTypeParameter(on, theirs[i] as number) ||
      isTypeParameter(of, param)
    );
  });
}

/**
 * Whether a member is a component of a record that is read by a call: a method without parameters to those who use it.
 */
export function isCalledComponent(resolver: Resolver, { file, decl }: DeclRef): boolean {
  return (
    decl >= 0 && resolver.language(file).componentsAreCalled && resolver.summary(file).decls.has(decl, F.parameterField)
  );
}

/** Last name of a parameter's written type, array-ness included; undefined when it has none. */
export function typeName(summary: Summary, param: number): string | undefined {
  const type = summary.decls.typeOf(param);
  return type < 0 ? undefined : nameOfType(summary, type);
}

function nameOfType(summary: Summary, expr: number): string | undefined {
  const { exprs } = summary;
  // What is computed of a type has no name, and its row that of the operator.
  if (exprs.opOf(expr) === E.operator) return undefined;
  const name = exprs.nameIdOf(expr);
  if (name > 0) return summary.names[name];
  const a = exprs.operandOf(expr);
  if (a < 0) return undefined;
  const inner = nameOfType(summary, a);
  return inner === undefined ? undefined : exprs.opOf(expr) === E.array ? `${inner}[]` : inner;
}

/** Whether the parameter's type is (or starts with) a type parameter, so that the written names may differ. */
export function isTypeParameter(summary: Summary, param: number): boolean {
  const name = typeName(summary, param)?.replace('[]', '');
  if (name === undefined) return true;
  const row = summary.idOf(name);
  return summary.decls.named(row).some((decl) => summary.decls.kindOf(decl) === D.typeParam);
}

/** The shortest way up from a class to one of its bases; empty if it is the class itself, or no base of it. */
export function baseSteps(
  resolver: Resolver,
  from: DeclRef,
  to: DeclRef,
): { readonly derived: DeclRef; readonly base: DeclRef }[] {
  const isGoal = (type: DeclRef): boolean =>
    resolver.bodies(to).some((part) => sameDecl(part, type)) ||
    resolver.bodies(type).some((part) => sameDecl(part, to));
  if (isGoal(from)) return [];
  const came = new Map<string, { readonly derived: DeclRef; readonly base: DeclRef }>();
  const queue: DeclRef[] = [from];
  for (const derived of queue) {
    for (const base of basesOf(resolver, derived).classes) {
      if (came.has(declKey(base))) continue;
      came.set(declKey(base), { derived, base });
      if (isGoal(base)) {
        const steps = [];
        for (
          let step = came.get(declKey(base));
          step !== undefined;
          step = sameDecl(step.derived, from) ? undefined : came.get(declKey(step.derived))
        )
          steps.unshift(step);
        return steps;
      }
      queue.push(base);
    }
  }
  return [];
}
