/**
 * The values of what a name declares: variables and fields by their declared type or their initial
 * values, parameters by theirs or by context, functions by what they return.
 *
 * A name that is assigned twice has the values of both assignments here; which of them may be what one row reads is
 * asked where the row is known (`last-assignments.ts`).
 */
import type { DeclRef, Entity } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFunctionLike, S, UNPACKED, type Summary } from '../../syntax/summary.js';
import { bindingsOf, callBindings, NO_BINDINGS } from './bindings.js';
import { expectedParam, isPassedOn } from './expected.js';
import { basesOf, classOfMember, findMember } from './hierarchy.js';
import { entityOfDecl } from './imports.js';
import { injectedType } from './injected.js';
import { sameNamed } from './last-assignments.js';
import type { CallSite } from './overloads.js';
import type { Resolver } from './resolver.js';
import { external, just, NOTHING, unionOf, UNKNOWN, type Bindings, type Type, type Value } from './value.js';
import { instanceOf } from './written-types.js';

/** See {@link Resolver.typeOfDecl}. */
export function typeOfDecl(resolver: Resolver, file: string, decl: number): Type {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const kind = decls.kindOf(decl);
  if (kind === D.importBinding)
    return unionOf(
      entityOfDecl(resolver, file, summary, decl)
        .map((entity) => typeOfEntity(resolver, entity))
        .concat(NOTHING),
    );
  if (isClassLike(kind) || kind === D.namespace) return just({ kind: 'class', file, decl, args: [] });
  if (kind === D.typeAlias) return just({ kind: 'class', file, decl, args: [] });
  if (isFunctionLike(kind))
    return decoratedType(resolver, file, summary, decl) ?? just({ kind: 'function', file, decl, self: undefined });
  if (kind === D.typeParam) return UNKNOWN;
  if (kind === D.param) return typeOfParam(resolver, file, summary, decl);
  if (kind === D.enumMember) {
    const owner = classOfMember(summary, decl);
    return owner === undefined ? UNKNOWN : just({ kind: 'instance', file, decl: owner, args: [] });
  }
  return typeOfVariable(resolver, file, summary, decl, NO_BINDINGS);
}

/**
 * The object of the repository that a function's decorators make of it (`@click.group()`), by what
 * they declare. Undefined when they leave it a function or say nothing.
 */
function decoratedType(resolver: Resolver, file: string, summary: Summary, decl: number): Type | undefined {
  if (!resolver.language(file).decoratorsReplace) return undefined;
  const rows = summary.decls.decoratorsOf(decl);
  for (const row of rows) {
    const made = resolver
      .typeOf(file, row)
      .values.flatMap((value) => calledForOne(resolver, value).values)
      .filter((value) => value.kind === 'instance');
    // The outermost that makes an object decides, whatever it was given.
    if (made.length > 0) return unionOf(made.map(just));
  }
  return undefined;
}

/** What a decorator gives: by what it declares, or its class. */
function calledForOne(resolver: Resolver, value: Value): Type {
  switch (value.kind) {
    case 'callable':
      return value.returns;
    case 'class':
      return just({ ...value, kind: 'instance' });
    case 'function':
      return resolver.summary(value.file).decls.typeOf(value.decl) < 0
        ? UNKNOWN
        : returnType(resolver, value.file, value.decl, value.self);
    default:
      return UNKNOWN;
  }
}

export function typeOfEntity(resolver: Resolver, entity: Entity): Type {
  switch (entity.kind) {
    case 'decl':
      return resolver.typeOfDecl(entity.file, entity.decl);
    case 'module':
      return just({ kind: 'module', file: entity.file });
    case 'namespace':
      return just({ kind: 'namespace', name: entity.name });
    case 'external':
      return external(entity.name);
  }
}

/** Fields, variables, locals: all declarations of the name in its scope together, unless one has a declared type. */
function typeOfVariable(resolver: Resolver, file: string, summary: Summary, decl: number, bindings: Bindings): Type {
  const { decls } = summary;
  if (decls.has(decl, F.narrowing)) return instanceOf(resolver, file, decls.typeOf(decl), bindings);
  const same = [decl, ...othersOf(summary, decl)];
  const declared = same.find((d) => decls.typeOf(d) >= 0);
  if (declared !== undefined) {
    const type = instanceOf(resolver, file, decls.typeOf(declared), bindings);
    if (type.values.length > 0) return type;
  }
  const owner = classOfMember(summary, decl);
  if (owner !== undefined && resolver.language(file).classBodyNames && isEnumeration(resolver, file, owner))
    return just({ kind: 'instance', file, decl: owner, args: [] });
  const values = same.filter((d) => decls.valueOf(d) >= 0).map((d) => resolver.typeOf(file, decls.valueOf(d)));
  return values.length === 0 ? UNKNOWN : unionOf(values);
}

/** Other declarations of its value; a type that shares the name says nothing of it. */
function othersOf(summary: Summary, decl: number): number[] {
  const { decls } = summary;
  return sameNamed(summary, decl).filter(
    (other) => other !== decl && decls.kindOf(other) !== D.typeAlias && !isClassLike(decls.kindOf(other)),
  );
}

/** A Python class whose base is the library's Enum: its attributes are its members. */
export function isEnumeration(resolver: Resolver, file: string, decl: number): boolean {
  return basesOf(resolver, { file, decl }).external.some((base) =>
    resolver.language(file).library.enumBases.has(base.name),
  );
}

function typeOfParam(resolver: Resolver, file: string, summary: Summary, decl: number): Type {
  const { decls } = summary;
  const flags = decls.flagsOf(decl);
  const owner = summary.scopes.ownerOf(decls.scopeOf(decl));
  if ((flags & F.receiver) !== 0 && owner >= 0) {
    const home = classOfMember(summary, owner);
    if (home !== undefined)
      return just({ kind: decls.has(owner, F.classMethod) ? 'class' : 'instance', file, decl: home, args: [] });
  }
  const { library, gathersWhole } = resolver.language(file);
  const type = decls.typeOf(decl);
  if (type >= 0) {
    const declared = instanceOf(resolver, file, type);
    if ((flags & F.rest) !== 0 && isPassedOn(resolver, file, type)) return declared;
    if ((flags & F.rest) !== 0) return external(gathersWhole ? '[]' : anyOf(library.sequences), [declared]);
    if ((flags & F.keywordRest) !== 0 && isUnpacked(summary, type)) return declared;
    if ((flags & F.keywordRest) !== 0) return external(anyOf(library.mappings), [external('str'), declared]);
    return declared;
  }
  if (owner >= 0 && (decls.kindOf(owner) === D.lambda || decls.valueOf(owner) >= 0)) {
    const context = expectedParam(resolver, file, owner, decl);
    if (context !== undefined) return context;
  }
  const value = decls.valueOf(decl);
  if (value >= 0) return { values: resolver.typeOf(file, value).values, unknown: true };
  return injectedType(resolver, file, decl) ?? UNKNOWN;
}

/** Whether a type says of each of its keys, or parts, what is given for it. */
export const isUnpacked = ({ exprs }: Summary, type: number): boolean =>
  type >= 0 && exprs.opOf(type) === E.union && exprs.nameOf(type) === UNPACKED;

export const anyOf = (names: ReadonlySet<string>): string => names.values().next().value ?? '';

/**
 * What a call of the function gives. `self`: the receiver; `call`: the call, for type parameters that its arguments
 * decide.
 */
export function returnType(
  resolver: Resolver,
  file: string,
  decl: number,
  self: Value | undefined,
  call?: CallSite,
): Type {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const type = decls.typeOf(decl);
  const flags = decls.flagsOf(decl);
  if (decls.kindOf(decl) === D.constructor) {
    const owner = classOfMember(summary, decl);
    return owner === undefined ? UNKNOWN : just({ kind: 'instance', file, decl: owner, args: [] });
  }
  if (type >= 0) {
    const bindings = [
      ...bindingsOf(resolver, self, file, decl),
      ...(call === undefined ? [] : callBindings(resolver, { file, decl, self }, call)),
    ];
    const named = summary.exprs.opOf(type) === E.name ? summary.exprs.nameOf(type) : undefined;
    if ((named === 'Self' || summary.exprs.opOf(type) === E.this) && self !== undefined)
      return just(self.kind === 'class' ? { ...self, kind: 'instance' } : self);
    return instanceOf(resolver, file, type, bindings);
  }
  const held = ofHolder(resolver, file, decl);
  if (held !== undefined) return held;
  const parts = decls.resultsOf(decl);
  if (parts.length === 0) return (flags & F.bodiless) !== 0 ? UNKNOWN : NOTHING;
  const byBody = resolver.answer<Type>('result', file, decl, UNKNOWN, () =>
    unionOf([...parts].map((part) => resolver.typeOf(file, part))),
  );
  const ofReceiver = self === undefined ? [] : [...parts].map((part) => receiverAt(resolver, file, part, self));
  const returned = ofReceiver.some((type) => type !== undefined)
    ? unionOf([...parts].map((part, i) => ofReceiver[i] ?? resolver.typeOf(file, part)))
    : byBody;
  if ((flags & F.generator) !== 0) return external(anyOf(resolver.language(file).library.sequences), [returned]);
  return self === undefined
    ? returned
    : { values: returned.values.map((value) => withReceiver(value, self)), unknown: returned.unknown };
}

/** What a function gives by the declared function type of the variable that holds it: `const load: Load = () => …`. */
function ofHolder(resolver: Resolver, file: string, decl: number): Type | undefined {
  const declared = resolver.summary(file).decls.valueOf(decl);
  if (declared < 0) return undefined;
  const { values, unknown } = instanceOf(resolver, file, declared);
  const [only, ...others] = values;
  return unknown || others.length > 0 || only?.kind !== 'callable' ? undefined : only.returns;
}

/** Names that lead from what is returned to the receiver. */
const STEPS_MOST = 4;

/**
 * The receiver itself, or what calling it as a class makes, where that is what a row gives: of the class that the
 * method was taken from, also where it is inherited.
 */
function receiverAt(resolver: Resolver, file: string, row: number, self: Value, steps = 0): Type | undefined {
  if (self.kind !== 'instance' && self.kind !== 'class') return undefined;
  const summary = resolver.summary(file);
  const { exprs, decls } = summary;
  const op = exprs.opOf(row);
  if (op === E.this) return just(self);
  if (op === E.call || op === E.new) {
    const callee = exprs.calleeOf(row);
    const made = callee < 0 ? undefined : receiverAt(resolver, file, callee, self, steps + 1);
    return made?.values[0]?.kind === 'class' ? just({ ...self, kind: 'instance' }) : undefined;
  }
  if (op !== E.name || steps > STEPS_MOST) return undefined;
  const [target, ...others] = resolver.resolve(file, row).targets;
  if (target === undefined || others.length > 0 || target.file !== file || target.decl < 0) return undefined;
  const kind = decls.kindOf(target.decl);
  if (kind === D.param && decls.has(target.decl, F.receiver) && decls.typeOf(target.decl) < 0)
    return just(isOfClass(resolver, file, target.decl) ? { ...self, kind: 'class' } : self);
  const value = decls.valueOf(target.decl);
  return kind === D.local && decls.typeOf(target.decl) < 0 && value >= 0 && sameNamed(summary, target.decl).length === 1
    ? receiverAt(resolver, file, value, self, steps + 1)
    : undefined;
}

/** Whether a receiver is the class, as that of a class method is. */
const isOfClass = (resolver: Resolver, file: string, param: number): boolean =>
  resolver.typeOfDecl(file, param).values.some(({ kind }) => kind === 'class');

/** A method that returns `self` returns the receiver's own class, also when it was inherited. */
function withReceiver(value: Value, self: Value): Value {
  if (value.kind !== 'instance' || self.kind !== 'instance') return value;
  if (sameDecl(value, self)) return self;
  return value;
}

/**
 * What a function is by the declared type of what holds it: `const f: F = () => 1` has the members of F. Empty where
 * nothing is declared, or a type without members of the repository.
 */
export function heldAs(resolver: Resolver, { file, decl }: Value & { kind: 'function' }): readonly HeldAs[] {
  const type = resolver.summary(file).decls.valueOf(decl);
  return type < 0 ? [] : instanceOf(resolver, file, type).values.filter((value) => value.kind === 'instance');
}

type HeldAs = Value & { kind: 'instance' };

/** The value of a member read from a receiver. */
export function memberType(resolver: Resolver, file: string, decl: number, self: Value): Type {
  const summary = resolver.summary(file);
  const kind = summary.decls.kindOf(decl);
  const flags = summary.decls.flagsOf(decl);
  if (isFunctionLike(kind)) {
    if ((flags & (F.getter | F.setter)) !== 0) return returnType(resolver, file, getterOf(summary, decl), self);
    return just({ kind: 'function', file, decl, self });
  }
  const type = summary.decls.typeOf(decl);
  if (type >= 0 && kind !== D.enumMember && !isClassLike(kind)) {
    const bindings = bindingsOf(resolver, self, file, decl);
    if (bindings.length > 0) return instanceOf(resolver, file, type, bindings);
  }
  if (kind === D.property && type < 0) return returnType(resolver, file, decl, self);
  return givenByDescriptor(resolver, { file, decl }, resolver.typeOfDecl(file, decl));
}

/** What an object in the body of a class gives where its name is read on an object of the class. */
function givenByDescriptor(resolver: Resolver, ref: DeclRef, type: Type): Type {
  const read = resolver.language(ref.file).descriptorMembers?.read;
  if (read === undefined || !isOfClassBody(resolver.summary(ref.file), ref.decl)) return type;
  return unionOf(
    type.values
      .map((value): Type => {
        const [member] = value.kind === 'instance' ? findMember(resolver, value, read).found : [];
        return member === undefined ? just(value) : returnType(resolver, member.file, member.decl, value);
      })
      .concat({ values: [], unknown: type.unknown }),
  );
}

/** Whether a field's value stands in the class itself, and not in what assigns the fields of its objects. */
export function isOfClassBody({ decls, exprs, scopes }: Summary, decl: number): boolean {
  const value = decls.valueOf(decl);
  const scope = value < 0 ? -1 : exprs.scopeOf(value);
  const around = scope >= 0 && scopes.kindOf(scope) === S.header ? scopes.parentOf(scope) : scope;
  return around >= 0 && scopes.kindOf(around) === S.class;
}

/** A setter is declared beside its getter, which says the type. */
function getterOf(summary: Summary, decl: number): number {
  if (summary.decls.has(decl, F.getter)) return decl;
  return othersOf(summary, decl).find((other) => summary.decls.has(other, F.getter)) ?? decl;
}
