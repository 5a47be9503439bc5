/**
 * Values of expressions and declarations, found from what is written: declared types, initial
 * values, returns, and the language's facts about its containers.
 *
 * Errs towards unknown. There is no flow analysis but the narrowings that extraction declares:
 * a name assigned twice has the values of both assignments.
 */
import { allDeclsInScope, D, E, F, isClassLike, isFunctionLike, listAt, R, typeArgumentsOf, type Summary } from '../syntax/summary.js';
import type { Entity, LibraryTypes } from '../languages/language.js';
import { classOfMember, basesOf, findMember } from './hierarchy.js';
import { entityOfDecl } from './imports.js';
import { expectedParam, expectedType } from './expected.js';
import { fittingCalls, type CallSite } from './overloads.js';
import { moduleMember } from './names.js';
import type { Resolver } from './resolver.js';
import { enclosingClass, external, just, NOTHING, UNKNOWN, unionOf, type Bindings, type Type, type Value } from './value.js';

const NO_BINDINGS: Bindings = [];

// ---- declarations

/** See {@link Resolver.typeOfDecl}. */
export function typeOfDecl(resolver: Resolver, file: string, decl: number): Type {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const kind = decls.kind[decl] as number;
  if (kind === D.importBinding) return unionOf(entityOfDecl(resolver, file, summary, decl).map((entity) => typeOfEntity(resolver, entity)).concat(NOTHING));
  if (isClassLike(kind) || kind === D.namespace) return just({ kind: 'class', file, decl, args: [] });
  if (kind === D.typeAlias) return just({ kind: 'class', file, decl, args: [] });
  if (isFunctionLike(kind)) return just({ kind: 'function', file, decl, self: undefined });
  if (kind === D.typeParam) return UNKNOWN;
  if (kind === D.param) return typeOfParam(resolver, file, summary, decl);
  if (kind === D.enumMember) {
    const owner = classOfMember(summary, decl);
    return owner === undefined ? UNKNOWN : just({ kind: 'instance', file, decl: owner, args: [] });
  }
  return typeOfVariable(resolver, file, summary, decl, NO_BINDINGS);
}

export function typeOfEntity(resolver: Resolver, entity: Entity): Type {
  switch (entity.kind) {
    case 'decl': return resolver.typeOfDecl(entity.file, entity.decl);
    case 'module': return just({ kind: 'module', file: entity.file });
    case 'namespace': return just({ kind: 'namespace', name: entity.name });
    case 'external': return external(entity.name);
  }
}

/** Fields, variables, locals: all declarations of the name in its scope together, unless one has a declared type. */
function typeOfVariable(resolver: Resolver, file: string, summary: Summary, decl: number, bindings: Bindings): Type {
  const { decls } = summary;
  if (((decls.flags[decl] as number) & F.narrowing) !== 0) return instanceOf(resolver, file, decls.type[decl] as number, bindings);
  const same = [decl, ...sameName(summary, decl)];
  const declared = same.find((d) => (decls.type[d] as number) >= 0);
  if (declared !== undefined) {
    const type = instanceOf(resolver, file, decls.type[declared] as number, bindings);
    if (type.values.length > 0) return type;
  }
  const owner = classOfMember(summary, decl);
  if (owner !== undefined && resolver.language(file).classBodyNames && isEnumeration(resolver, file, owner)) return just({ kind: 'instance', file, decl: owner, args: [] });
  const values = same.filter((d) => (decls.value[d] as number) >= 0).map((d) => resolver.typeOf(file, decls.value[d] as number));
  return values.length === 0 ? UNKNOWN : unionOf(values);
}

function sameName(summary: Summary, decl: number): number[] {
  const { decls } = summary;
  const out: number[] = [];
  const name = decls.name[decl] as number;
  for (let i = summary.declStart[name] as number; i < (summary.declStart[name + 1] as number); i++) {
    const other = summary.declsByName[i] as number;
    if (other !== decl && decls.scope[other] === decls.scope[decl] && ((decls.flags[other] as number) & F.narrowing) === 0) out.push(other);
  }
  return out;
}

/** A Python class whose base is the library's Enum: its attributes are its members. */
function isEnumeration(resolver: Resolver, file: string, decl: number): boolean {
  return basesOf(resolver, { file, decl }).external.some((base) => resolver.language(file).library.enumBases.has(base.name));
}

function typeOfParam(resolver: Resolver, file: string, summary: Summary, decl: number): Type {
  const { decls } = summary;
  const flags = decls.flags[decl] as number;
  const owner = summary.scopes.owner[decls.scope[decl] as number] as number;
  if ((flags & F.receiver) !== 0 && owner >= 0) {
    const home = classOfMember(summary, owner);
    if (home !== undefined) return just({ kind: ((decls.flags[owner] as number) & F.classMethod) !== 0 ? 'class' : 'instance', file, decl: home, args: [] });
  }
  const library = resolver.language(file).library;
  const type = decls.type[decl] as number;
  if (type >= 0) {
    const declared = instanceOf(resolver, file, type);
    if ((flags & F.rest) !== 0) return external(anyOf(library.sequences), [declared]);
    if ((flags & F.keywordRest) !== 0) return external(anyOf(library.mappings), [external('str'), declared]);
    return declared;
  }
  if (owner >= 0 && (decls.kind[owner] === D.lambda || (decls.value[owner] as number) >= 0)) {
    const context = expectedParam(resolver, file, owner, decl);
    if (context !== undefined) return context;
  }
  const value = decls.value[decl] as number;
  return value >= 0 ? { values: resolver.typeOf(file, value).values, unknown: true } : UNKNOWN;
}

const anyOf = (names: ReadonlySet<string>): string => names.values().next().value ?? '';

/** What a call of the function gives. `self`: the receiver; `call`: the call, for type parameters that its arguments decide. */
export function returnType(resolver: Resolver, file: string, decl: number, self: Value | undefined, call?: CallSite): Type {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const type = decls.type[decl] as number;
  const flags = decls.flags[decl] as number;
  if (decls.kind[decl] === D.constructor) {
    const owner = classOfMember(summary, decl);
    return owner === undefined ? UNKNOWN : just({ kind: 'instance', file, decl: owner, args: [] });
  }
  if (type >= 0) {
    const bindings = [...bindingsOf(resolver, self, file, decl), ...(call === undefined ? [] : callBindings(resolver, file, decl, call))];
    const named = summary.exprs.op[type] === E.name ? summary.names[summary.exprs.name[type] as number] : undefined;
    if ((named === 'Self' || summary.exprs.op[type] === E.this) && self !== undefined) return just(self.kind === 'class' ? { ...self, kind: 'instance' } : self);
    return instanceOf(resolver, file, type, bindings);
  }
  const parts = listAt(summary, decls.parts[decl] as number);
  if (parts.length === 0) return (flags & F.bodiless) !== 0 ? UNKNOWN : NOTHING;
  const returned = resolver.answer<Type>('R', file, decl, UNKNOWN, () => unionOf([...parts].map((part) => resolver.typeOf(file, part))));
  if ((flags & F.generator) !== 0) return external(anyOf(resolver.language(file).library.sequences), [returned]);
  return self === undefined ? returned : { values: returned.values.map((value) => withReceiver(value, self)), unknown: returned.unknown };
}

/** A method that returns `self` returns the receiver's own class, also when it was inherited. */
function withReceiver(value: Value, self: Value): Value {
  if (value.kind !== 'instance' || self.kind !== 'instance') return value;
  if (value.file === self.file && value.decl === self.decl) return self;
  return value;
}

/** Type parameters of the class (or a base of it) that declares the member, as the receiver's type arguments bind them. */
export function bindingsOf(resolver: Resolver, self: Value | undefined, file: string, member: number): Bindings {
  if (self === undefined || (self.kind !== 'instance' && self.kind !== 'class')) return NO_BINDINGS;
  const owner = classOfMember(resolver.summary(file), member);
  return owner === undefined ? NO_BINDINGS : bindingsUpTo(resolver, self, file, owner, 0);
}

function bindingsUpTo(resolver: Resolver, self: { readonly file: string; readonly decl: number; readonly args: readonly Type[] }, file: string, owner: number, depth: number): Bindings {
  const summary = resolver.summary(self.file);
  const own = listAt(summary, summary.decls.typeParams[self.decl] as number);
  const bound = own.length === 0 ? NO_BINDINGS : withDefaults(resolver, self.file, own, [...own].flatMap((decl, i) => (self.args[i] === undefined ? [] : [{ file: self.file, decl, type: self.args[i] }])));
  if ((self.file === file && self.decl === owner) || depth > 8) return bound;
  for (const part of resolver.bodies(self)) {
    const of = resolver.summary(part.file);
    for (const base of listAt(of, of.decls.parts[part.decl] as number)) {
      for (const value of instanceOf(resolver, part.file, base, bound).values) {
        if (value.kind !== 'instance') continue;
        const found = bindingsUpTo(resolver, value, file, owner, depth + 1);
        if (found.length > 0) return found;
      }
    }
  }
  return NO_BINDINGS;
}

/**
 * Type parameters of a generic function: as the call writes them, or bound by its arguments, by
 * what the place of the call expects, by their defaults.
 */
export function callBindings(resolver: Resolver, file: string, decl: number, call: CallSite): Bindings {
  const summary = resolver.summary(file);
  const typeParams = listAt(summary, summary.decls.typeParams[decl] as number);
  if (typeParams.length === 0) return NO_BINDINGS;
  const from = resolver.summary(call.file);
  const written = typeArgumentsOf(from, call.expr);
  if (written.length > 0) return withDefaults(resolver, file, typeParams, [...typeParams].flatMap((param, i) => (written[i] === undefined ? [] : [{ file, decl: param, type: instanceOf(resolver, call.file, written[i]) }])));
  const out: Binding[] = [];
  for (const { param, argument } of fittingCalls.pair(resolver, { file, decl }, call)) {
    const type = summary.decls.type[param] as number;
    // What a lambda returns may depend on the parameters that are being bound.
    if (type < 0 || (argument >= 0 && from.exprs.op[argument] === E.closure && call.partial === true)) continue;
    bind(resolver, file, summary, type, resolver.typeOf(call.file, argument), typeParams, out, 0);
  }
  const result = summary.decls.type[decl] as number;
  if (result >= 0 && [...typeParams].some((param) => !out.some((bound) => bound.decl === param && bound.type.values.length > 0))) {
    const expected = expectedType(resolver, call.file, call.expr);
    if (expected !== undefined) bind(resolver, file, summary, result, expected, typeParams, out, 0);
  }
  return withDefaults(resolver, file, typeParams, out.filter((bound) => bound.type.values.length > 0));
}

type Binding = Bindings[number];

/** Adds the defaults of those type parameters that nothing binds. */
function withDefaults(resolver: Resolver, file: string, typeParams: Int32Array, bound: readonly Binding[]): Bindings {
  const summary = resolver.summary(file);
  let out = bound;
  for (const decl of typeParams) {
    const fallback = summary.decls.value[decl] as number;
    if (fallback < 0 || out.some((known) => known.decl === decl && known.file === file)) continue;
    const type = instanceOf(resolver, file, fallback, out);
    if (type.values.length > 0) out = [...out, { file, decl, type }];
  }
  return out;
}

function bind(resolver: Resolver, file: string, summary: Summary, type: number, actual: Type, typeParams: Int32Array, out: Binding[], depth: number): void {
  const { exprs } = summary;
  const op = exprs.op[type] as number;
  if (op === E.name) {
    const name = exprs.name[type] as number;
    const param = typeParams.find((decl) => summary.decls.name[decl] === name);
    if (param !== undefined) out.push({ file, decl: param, type: actual });
    return;
  }
  if (depth > 3) return;
  if (op === E.array) return bind(resolver, file, summary, exprs.a[type] as number, elementOf(resolver, resolver.language(file).library, actual), typeParams, out, depth + 1);
  if (op === E.functionType) {
    const result = unionOf(actual.values.map((value) => (value.kind === 'function' ? returnType(resolver, value.file, value.decl, value.self) : value.kind === 'callable' ? value.returns : UNKNOWN)).concat(NOTHING));
    return bind(resolver, file, summary, exprs.a[type] as number, result, typeParams, out, depth + 1);
  }
  if (op !== E.index) return;
  const library = resolver.language(file).library;
  const head = summary.names[exprs.name[exprs.a[type] as number] as number] ?? '';
  listAt(summary, exprs.b[type] as number).forEach((argument, i) => {
    const inner = unionOf(actual.values.map((value): Type => {
      if (value.kind === 'class' && library.classObjects.has(head)) return just({ ...value, kind: 'instance' });
      if (value.kind === 'external' || value.kind === 'instance') return value.args[i] ?? UNKNOWN;
      return UNKNOWN;
    }).concat(NOTHING));
    bind(resolver, file, summary, argument, inner, typeParams, out, depth + 1);
  });
}

// ---- types as written

/** Objects of the type that a type expression names. `null` types vanish. */
export function instanceOf(resolver: Resolver, file: string, expr: number, bindings: Bindings = NO_BINDINGS): Type {
  if (expr < 0) return UNKNOWN;
  if (bindings.length > 0) return resolver.substituted(() => computeInstance(resolver, file, expr, bindings));
  return resolver.answer<Type>('I', file, expr, UNKNOWN, () => computeInstance(resolver, file, expr, bindings));
}

function computeInstance(resolver: Resolver, file: string, expr: number, bindings: Bindings): Type {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const a = exprs.a[expr] as number;
  switch (exprs.op[expr]) {
    case E.literal: return summary.names[exprs.name[expr] as number] === 'null' ? NOTHING : external(summary.names[exprs.name[expr] as number] as string);
    case E.union: return unionOf([...listAt(summary, exprs.b[expr] as number)].map((part) => instanceOf(resolver, file, part, bindings)).concat(NOTHING));
    case E.array: return external('[]', [instanceOf(resolver, file, a, bindings)]);
    case E.functionType: return just({ kind: 'callable', returns: instanceOf(resolver, file, a, bindings), type: { file, expr, bindings } });
    case E.list: return just({ kind: 'tuple', parts: [...listAt(summary, exprs.b[expr] as number)].map((part) => instanceOf(resolver, file, part, bindings)) });
    case E.closure: return just({ kind: 'instance', file, decl: a, args: [] });
    case E.cast: return instanceOf(resolver, file, exprs.b[expr] as number, bindings);
    case E.index: return instanceOfGeneric(resolver, file, summary, expr, bindings);
    case E.name:
    case E.member: {
      const looked = exprs.op[expr] === E.member ? lookedUp(resolver, file, summary, expr, bindings) : undefined;
      if (looked !== undefined) return looked;
      const entities = resolver.resolve(file, expr);
      if (entities.external) {
        const name = summary.names[exprs.name[expr] as number] as string;
        return resolver.language(file).library.anyTypes.has(name) ? UNKNOWN : external(name);
      }
      const types = entities.targets.map((target) => instanceOfDecl(resolver, target.file, target.decl, [], bindings));
      return types.length === 0 ? UNKNOWN : unionOf(types);
    }
    default: {
      const type = resolver.typeOf(file, expr);
      return { values: type.values.map(asInstance), unknown: type.unknown };
    }
  }
}

/** `T['name']`: the type of a member of what T stands for; undefined for a qualified name. */
function lookedUp(resolver: Resolver, file: string, summary: Summary, expr: number, bindings: Bindings): Type | undefined {
  const { exprs } = summary;
  const base = exprs.a[expr] as number;
  if (base < 0 || exprs.role[expr] !== R.type || !namesInstance(resolver, file, summary, base)) return undefined;
  const receiver = instanceOf(resolver, file, base, bindings);
  const name = summary.names[exprs.name[expr] as number] as string;
  return unionOf(receiver.values.map((value) => typeOfMemberOf(resolver, file, value, name)).concat(receiver.unknown ? UNKNOWN : NOTHING));
}

/** Whether a row before a dot in a type stands for objects (`T['name']`) rather than for what holds the name (`ns.Name`). */
export function namesInstance(resolver: Resolver, file: string, summary: Summary, expr: number): boolean {
  const op = summary.exprs.op[expr];
  if (op === E.index || op === E.union || op === E.closure || op === E.element) return true;
  if (op === E.member && summary.exprs.role[expr] === R.type && namesInstance(resolver, file, summary, summary.exprs.a[expr] as number)) return true;
  if (op !== E.name && op !== E.member) return false;
  const kinds = resolver.resolve(file, expr).targets.map((target) => (target.decl < 0 ? D.namespace : resolver.summary(target.file).decls.kind[target.decl]));
  return kinds.length > 0 && kinds.every((kind) => kind === D.typeAlias || kind === D.typeParam || kind === D.interface);
}

const asInstance = (value: Value): Value => (value.kind === 'class' ? { ...value, kind: 'instance' } : value);

function instanceOfGeneric(resolver: Resolver, file: string, summary: Summary, expr: number, bindings: Bindings): Type {
  const { exprs } = summary;
  const base = exprs.a[expr] as number;
  const argumentRows = [...listAt(summary, exprs.b[expr] as number)];
  const head = resolver.resolve(file, base);
  const library = resolver.language(file).library;
  if (head.external || head.targets.length === 0) {
    const name = summary.names[exprs.name[base] as number] ?? '';
    const args = argumentRows.map((argument) => instanceOf(resolver, file, argument, bindings));
    if (library.unions.has(name)) return unionOf(args.concat(NOTHING));
    if (library.classObjects.has(name)) return { values: (args[0] ?? UNKNOWN).values.map((value) => (value.kind === 'instance' ? { ...value, kind: 'class' } : value)), unknown: (args[0] ?? UNKNOWN).unknown };
    if (library.tuples.has(name)) return just({ kind: 'tuple', parts: args });
    return head.external ? external(name, args) : { values: [{ kind: 'external', name, args }], unknown: true };
  }
  const args = argumentRows.map((argument) => instanceOf(resolver, file, argument, bindings));
  return unionOf(head.targets.map((target) => instanceOfDecl(resolver, target.file, target.decl, args, bindings)));
}

/** Objects of a declared type: a class, an alias, a bound type parameter; for a variable, what its value names. */
function instanceOfDecl(resolver: Resolver, file: string, decl: number, args: readonly Type[], bindings: Bindings): Type {
  const summary = resolver.summary(file);
  const { decls } = summary;
  if (decl < 0) return UNKNOWN;
  const kind = decls.kind[decl] as number;
  if (kind === D.typeAlias && (decls.inner[decl] as number) < 0 || (kind === D.typeAlias && (decls.type[decl] as number) >= 0 && !hasMembers(summary, decl))) {
    const params = listAt(summary, decls.typeParams[decl] as number);
    const bound = params.length === 0 ? NO_BINDINGS : withDefaults(resolver, file, params, [...params].flatMap((param, i) => (args[i] === undefined ? [] : [{ file, decl: param, type: args[i] }])));
    return instanceOf(resolver, file, decls.type[decl] as number, bound);
  }
  if (isClassLike(kind) || kind === D.typeAlias) return just({ kind: 'instance', file, decl, args });
  if (kind === D.typeParam) {
    const bound = bindings.find((candidate) => candidate.file === file && candidate.decl === decl);
    if (bound !== undefined) return bound.type;
    const bound2 = decls.type[decl] as number;
    return bound2 < 0 ? UNKNOWN : { values: instanceOf(resolver, file, bound2).values, unknown: false };
  }
  if (kind === D.enumMember) return resolver.typeOfDecl(file, decl);
  const type = resolver.typeOfDecl(file, decl);
  return { values: type.values.map(asInstance), unknown: type.unknown };
}

function hasMembers(summary: Summary, decl: number): boolean {
  return allDeclsInScope(summary, summary.decls.inner[decl] as number).some((d) => summary.decls.kind[d] !== D.typeParam);
}

// ---- expressions

/** See {@link Resolver.typeOf}. */
export function typeOfExpr(resolver: Resolver, file: string, expr: number): Type {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const a = exprs.a[expr] as number;
  const b = exprs.b[expr] as number;
  const library = resolver.language(file).library;
  switch (exprs.op[expr]) {
    case E.name: return typeOfName(resolver, file, summary, expr);
    case E.member: return typeOfMember(resolver, file, summary, expr);
    case E.call: return typeOfCall(resolver, file, summary, expr);
    case E.new: return a < 0 ? UNKNOWN : exprs.op[a] === E.closure ? resolver.typeOf(file, a) : instanceOf(resolver, file, a);
    case E.index: return typeOfIndex(resolver, file, summary, expr);
    case E.await: return awaited(library, resolver.typeOf(file, a));
    case E.this: return typeOfThis(summary, file, exprs.scope[expr] as number);
    case E.super: return typeOfSuper(summary, file, exprs.scope[expr] as number);
    case E.literal: return summary.names[exprs.name[expr] as number] === 'null' ? NOTHING : external(summary.names[exprs.name[expr] as number] as string);
    case E.string: return external('str');
    case E.list: return typeOfList(resolver, file, summary, expr);
    case E.dict: return external('dict', [external('str'), unionOf([...listAt(summary, b)].map((value) => resolver.typeOf(file, value)).concat(NOTHING))]);
    case E.closure: return isFunctionLike(summary.decls.kind[a] as number) ? just({ kind: 'function', file, decl: a, self: undefined }) : just({ kind: 'instance', file, decl: a, args: [] });
    case E.union: return unionOf([...listAt(summary, b)].map((part) => resolver.typeOf(file, part)).concat(NOTHING));
    case E.element: return elementOf(resolver, library, resolver.typeOf(file, a));
    case E.nth: return partOf(resolver, library, resolver.typeOf(file, a), b);
    case E.enter: return entered(resolver, resolver.typeOf(file, a));
    case E.cast: return instanceOf(resolver, file, b);
    case E.classOf: return { values: resolver.typeOf(file, a).values.map((value): Value => (value.kind === 'instance' ? { ...value, kind: 'class' } : value)), unknown: false };
    case E.operator: return typeOfOperator(resolver, file, summary, expr);
    case E.initializer: return unionOf(resolver.resolve(file, expr).targets.map((target) => resolver.typeOfDecl(target.file, target.decl)).concat(NOTHING));
    case E.functionType: return just({ kind: 'callable', returns: instanceOf(resolver, file, a) });
    default: return UNKNOWN;
  }
}

function typeOfName(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const resolution = resolver.resolve(file, expr);
  if (resolution.external) return external(summary.names[summary.exprs.name[expr] as number] as string);
  if (resolution.module !== undefined) return typeOfEntity(resolver, resolution.module);
  if (resolution.targets.length === 0) return UNKNOWN;
  return unionOf(resolution.targets.map((target) => (target.decl < 0 ? just({ kind: 'module', file: target.file }) : typeOfReached(resolver, target, resolution.self))));
}

/** A bare name may mean a member of the class around (Java, C#): a getter then gives its value. */
function typeOfReached(resolver: Resolver, target: { readonly file: string; readonly decl: number }, self: Value | undefined): Type {
  const summary = resolver.summary(target.file);
  if (self === undefined || classOfMember(summary, target.decl) === undefined) return resolver.typeOfDecl(target.file, target.decl);
  return memberType(resolver, target.file, target.decl, self);
}

/** The value of a member read from a receiver. */
export function memberType(resolver: Resolver, file: string, decl: number, self: Value): Type {
  const summary = resolver.summary(file);
  const kind = summary.decls.kind[decl] as number;
  const flags = summary.decls.flags[decl] as number;
  if (isFunctionLike(kind)) {
    if ((flags & (F.getter | F.setter)) !== 0) return returnType(resolver, file, getterOf(summary, decl), self);
    return just({ kind: 'function', file, decl, self });
  }
  const type = summary.decls.type[decl] as number;
  if (type >= 0 && kind !== D.enumMember && !isClassLike(kind)) {
    const bindings = bindingsOf(resolver, self, file, decl);
    if (bindings.length > 0) return instanceOf(resolver, file, type, bindings);
  }
  if (kind === D.property && type < 0) return returnType(resolver, file, decl, self);
  return resolver.typeOfDecl(file, decl);
}

/** A setter is declared beside its getter, which says the type. */
function getterOf(summary: Summary, decl: number): number {
  if (((summary.decls.flags[decl] as number) & F.getter) !== 0) return decl;
  return sameName(summary, decl).find((other) => ((summary.decls.flags[other] as number) & F.getter) !== 0) ?? decl;
}

function typeOfMember(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const name = summary.names[exprs.name[expr] as number] as string;
  const receiver = resolver.typeOf(file, exprs.a[expr] as number);
  const types = receiver.values.map((value) => typeOfMemberOf(resolver, file, value, name));
  const known = unionOf(types.concat(receiver.unknown ? UNKNOWN : NOTHING));
  return known;
}

/** The value of `receiver.name` for one value of the receiver. */
function typeOfMemberOf(resolver: Resolver, file: string, receiver: Value, name: string): Type {
  const library = resolver.language(file).library;
  switch (receiver.kind) {
    case 'instance':
    case 'class':
    case 'super': {
      const search = findMember(resolver, receiver, name, receiver.kind === 'super');
      if (search.found.length === 0) return search.outside ? libraryMember(library, outsideValue(resolver, receiver), name) : UNKNOWN;
      const self: Value = receiver.kind === 'super' ? { kind: 'instance', file: receiver.file, decl: receiver.decl, args: [] } : receiver;
      return unionOf(search.found.map((member) => memberType(resolver, member.file, member.decl, self)));
    }
    case 'module':
    case 'namespace': {
      const entities = moduleMember(resolver, file, receiver, name);
      return entities.length === 0 ? UNKNOWN : unionOf(entities.map((entity) => typeOfEntity(resolver, entity)));
    }
    case 'external':
      if (library.records.has(receiver.name) && receiver.args[1] !== undefined) return receiver.args[1];
      return wrapped(resolver, file, library, receiver, name) ?? libraryMember(library, receiver, name);
    case 'tuple': return external('');
    case 'function':
    case 'callable': return external('');
  }
}

/** A wrapper (`Optional[A]`) passes members that are not its own on to what it wraps. */
function wrapped(resolver: Resolver, file: string, library: LibraryTypes, receiver: Value & { kind: 'external' }, name: string): Type | undefined {
  const inner = receiver.args[0];
  if (inner === undefined || !library.wrappers.has(receiver.name)) return undefined;
  if (library.elementMembers.has(name) || library.sameMembers.has(name) || library.callbackMembers.has(name)) return undefined;
  const found = inner.values.map((value) => typeOfMemberOf(resolver, file, value, name));
  return found.length === 0 ? undefined : unionOf(found);
}

/** What a repository class is to the library: its first base from outside. */
function outsideValue(resolver: Resolver, type: { readonly file: string; readonly decl: number }): Value & { kind: 'external' } {
  const base = basesOf(resolver, type).external[0];
  return { kind: 'external', name: base?.name ?? '', args: base?.args ?? [] };
}

/** A property of a library value that gives one of its elements (`task.Result`); else something from outside. */
function libraryMember(library: LibraryTypes, receiver: Value & { kind: 'external' }, name: string): Type {
  const first = receiver.args[0];
  if (first !== undefined && library.elementMembers.has(name) && !library.mappings.has(receiver.name)) return first;
  const second = receiver.args[1];
  if (second !== undefined && library.mappings.has(receiver.name)) {
    if (library.valueViews.has(name)) return external(anyOf(library.sequences), [second]);
    if (library.keyViews.has(name) && first !== undefined) return external(anyOf(library.sequences), [first]);
    if (library.elementMembers.has(name)) return second;
  }
  // What it is nobody knows here, but it may well be made of the arguments (`Mock<A>.Object`).
  return external('', receiver.args);
}

function typeOfCall(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const callee = exprs.a[expr] as number;
  if (callee < 0) return UNKNOWN;
  const op = exprs.op[callee];
  const library = resolver.language(file).library;
  if (op === E.super || op === E.this) return NOTHING;
  if (op === E.member) {
    const fromLibrary = libraryCall(resolver, file, summary, expr, callee);
    if (fromLibrary !== undefined) return fromLibrary;
  }
  const type = resolver.typeOf(file, callee);
  const functions = type.values.filter((value) => value.kind === 'function');
  const fitting = functions.length > 1 ? fittingCalls.among(resolver, functions, { file, expr }) : functions;
  const results: Type[] = [];
  for (const value of type.values) {
    if (value.kind === 'function') {
      if (fitting.includes(value)) results.push(returnType(resolver, value.file, value.decl, value.self, { file, expr }));
    } else if (value.kind === 'class') {
      results.push(resolver.language(file).callableClasses ? just({ ...value, kind: 'instance' }) : UNKNOWN);
    } else if (value.kind === 'callable') results.push(value.returns);
    else if (value.kind === 'external') results.push(library.wrappers.has(value.name) && value.args[0] !== undefined ? value.args[0] : external(value.name));
    else if (value.kind === 'instance') results.push(callOfInstance(resolver, value));
  }
  if (type.unknown) results.push(UNKNOWN);
  return results.length === 0 ? UNKNOWN : unionOf(results);
}

function callOfInstance(resolver: Resolver, value: Value & { kind: 'instance' }): Type {
  const summary = resolver.summary(value.file);
  if (summary.decls.kind[value.decl] === D.delegate) return instanceOf(resolver, value.file, summary.decls.type[value.decl] as number);
  const callMember = resolver.language(value.file).callMember;
  if (callMember === undefined) return UNKNOWN;
  const found = findMember(resolver, value, callMember).found;
  return found.length === 0 ? UNKNOWN : unionOf(found.map((member) => returnType(resolver, member.file, member.decl, value)));
}

/** A call of a member of a library container, by the language's table. */
function libraryCall(resolver: Resolver, file: string, summary: Summary, expr: number, callee: number): Type | undefined {
  const { exprs } = summary;
  const library = resolver.language(file).library;
  const name = summary.names[exprs.name[callee] as number] as string;
  const receiver = resolver.typeOf(file, exprs.a[callee] as number);
  const results: Type[] = [];
  for (const value of receiver.values) {
    const outside = value.kind === 'external' ? value : value.kind === 'instance' && findMember(resolver, value, name).outside ? outsideValue(resolver, value) : undefined;
    if (outside === undefined || outside.args.length === 0) continue;
    const [first, second] = outside.args;
    if (library.mappings.has(outside.name) && second !== undefined) {
      if (library.elementMembers.has(name)) results.push(second);
      else if (library.valueViews.has(name)) results.push(external(anyOf(library.sequences), [second]));
      else if (library.keyViews.has(name)) results.push(external(anyOf(library.sequences), [first ?? UNKNOWN]));
      else if (library.pairViews.has(name)) results.push(external(anyOf(library.sequences), [just({ kind: 'tuple', parts: [first ?? UNKNOWN, second] })]));
    } else if (first !== undefined) {
      if (library.elementMembers.has(name)) results.push(first);
      else if (library.sameMembers.has(name)) results.push(just(outside));
      else if (library.callbackMembers.has(name)) results.push(external(outside.name, [callbackResult(resolver, file, summary, expr)]));
    }
  }
  return results.length === 0 ? undefined : unionOf(results);
}

/** What the first argument of a call, a function, returns. */
function callbackResult(resolver: Resolver, file: string, summary: Summary, call: number): Type {
  const at = summary.exprs.b[call] as number;
  if (at < 0 || summary.items[at] === 0) return UNKNOWN;
  const type = resolver.typeOf(file, summary.items[at + 1] as number);
  const results = type.values.map((value) => (value.kind === 'function' ? returnType(resolver, value.file, value.decl, value.self) : value.kind === 'callable' ? value.returns : UNKNOWN));
  return results.length === 0 ? UNKNOWN : unionOf(results);
}

function typeOfIndex(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const library = resolver.language(file).library;
  const base = resolver.typeOf(file, exprs.a[expr] as number);
  return unionOf(base.values.map((value): Type => {
    if (value.kind === 'class') return just({ ...value, args: [...listAt(summary, exprs.b[expr] as number)].map((row) => instanceOf(resolver, file, row)) });
    if (value.kind === 'tuple') return unionOf(value.parts.concat(NOTHING));
    if (value.kind === 'external') {
      if (library.mappings.has(value.name) && value.args[1] !== undefined) return value.args[1];
      return value.args[0] ?? external('');
    }
    if (value.kind === 'instance') return operatorResult(resolver, value, 'index') ?? elementOfValue(resolver, library, value);
    return UNKNOWN;
  }).concat(base.unknown ? UNKNOWN : NOTHING));
}

function operatorResult(resolver: Resolver, value: Value & { kind: 'instance' }, operator: string): Type | undefined {
  for (const member of resolver.language(value.file).operatorMembers[operator] ?? []) {
    const found = findMember(resolver, value, member).found;
    if (found.length > 0) return unionOf(found.map((target) => returnType(resolver, target.file, target.decl, value)));
  }
  return undefined;
}

function typeOfOperator(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const left = resolver.typeOf(file, exprs.a[expr] as number);
  const operator = summary.names[exprs.name[expr] as number] as string;
  const results = left.values.map((value): Type => (value.kind === 'instance' ? (operatorResult(resolver, value, operator) ?? UNKNOWN) : value.kind === 'external' ? external(value.name, value.args) : UNKNOWN));
  return results.length === 0 ? UNKNOWN : unionOf(results);
}

function typeOfList(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const elements = [...listAt(summary, summary.exprs.b[expr] as number)].map((element) => resolver.typeOf(file, element));
  const name = summary.names[summary.exprs.name[expr] as number];
  if (name === 'tuple') return just({ kind: 'tuple', parts: elements });
  return external(name === 'set' ? 'set' : '[]', [unionOf(elements.concat(NOTHING))]);
}

function typeOfThis(summary: Summary, file: string, scope: number): Type {
  const { decl, functionDecl } = enclosingClass(summary, scope, isClassLike, isFunctionLike);
  if (decl < 0) return UNKNOWN;
  const isStatic = functionDecl >= 0 && ((summary.decls.flags[functionDecl] as number) & (F.static | F.classMethod)) !== 0;
  return just({ kind: isStatic ? 'class' : 'instance', file, decl, args: [] });
}

function typeOfSuper(summary: Summary, file: string, scope: number): Type {
  const { decl, functionDecl } = enclosingClass(summary, scope, isClassLike, isFunctionLike);
  if (decl < 0) return UNKNOWN;
  const isStatic = functionDecl >= 0 && ((summary.decls.flags[functionDecl] as number) & (F.static | F.classMethod)) !== 0;
  return just({ kind: 'super', file, decl, isStatic });
}

// ---- containers

const isSequence = (library: LibraryTypes, name: string): boolean => name === '[]' || name === 'set' || name === 'list' || library.sequences.has(name);

/** What iteration over a value gives. */
export function elementOf(resolver: Resolver, library: LibraryTypes, type: Type): Type {
  if (type.values.length === 0) return UNKNOWN;
  return unionOf(type.values.map((value) => elementOfValue(resolver, library, value)).concat(type.unknown ? UNKNOWN : NOTHING));
}

function elementOfValue(resolver: Resolver, library: LibraryTypes, value: Value): Type {
  switch (value.kind) {
    case 'tuple': return unionOf(value.parts.concat(NOTHING));
    case 'external': {
      if (library.wrappers.has(value.name) && value.args[0] !== undefined) return elementOf(resolver, library, value.args[0]);
      const [first, second] = value.args;
      if (library.mappings.has(value.name) && library.iteratesPairs && first !== undefined && second !== undefined) return just({ kind: 'tuple', parts: [first, second] });
      return first ?? (value.name === 'str' ? external('str') : external(''));
    }
    case 'instance': {
      const iterated = operatorResult(resolver, value, 'for');
      if (iterated !== undefined) {
        const inner = iterated.values.map((v) => (v.kind === 'external' ? (v.args[0] ?? UNKNOWN) : v.kind === 'instance' && v.decl !== value.decl ? elementOfValue(resolver, library, v) : UNKNOWN));
        return inner.length === 0 ? UNKNOWN : unionOf(inner);
      }
      for (const base of basesOf(resolver, value).external) if (isSequence(library, base.name) && base.args[0] !== undefined) return base.args[0];
      return UNKNOWN;
    }
    case 'class': {
      const summary = resolver.summary(value.file);
      const kind = summary.decls.kind[value.decl] as number;
      return kind === D.enum || isEnumeration(resolver, value.file, value.decl) ? just({ ...value, kind: 'instance' }) : UNKNOWN;
    }
    default: return UNKNOWN;
  }
}

function partOf(resolver: Resolver, library: LibraryTypes, type: Type, index: number): Type {
  if (type.values.length === 0) return UNKNOWN;
  return unionOf(type.values.map((value): Type => {
    if (value.kind === 'tuple') return value.parts[index] ?? UNKNOWN;
    if (value.kind === 'external' && library.pairs.has(value.name)) return value.args[index] ?? UNKNOWN;
    if (value.kind === 'instance') {
      const component = listAt(resolver.summary(value.file), resolver.summary(value.file).decls.params[value.decl] as number)[index];
      return component === undefined ? elementOfValue(resolver, library, value) : resolver.typeOfDecl(value.file, component);
    }
    return elementOfValue(resolver, library, value);
  }).concat(type.unknown ? UNKNOWN : NOTHING));
}

export function awaited(library: LibraryTypes, type: Type): Type {
  return unionOf(type.values.map((value): Type => (value.kind === 'external' && library.wrappers.has(value.name) && value.args.length > 0 ? (value.args[value.args.length - 1] ?? UNKNOWN) : just(value))).concat(type.unknown ? UNKNOWN : NOTHING));
}

/** What `with x as y` binds. */
function entered(resolver: Resolver, type: Type): Type {
  if (type.values.length === 0) return UNKNOWN;
  return unionOf(type.values.map((value): Type => {
    if (value.kind === 'external') return value.args[0] ?? external(value.name);
    if (value.kind !== 'instance') return just(value);
    const result = operatorResult(resolver, value, 'with');
    return result === undefined ? just(value) : result.values.length === 0 && !result.unknown ? just(value) : result;
  }).concat(type.unknown ? UNKNOWN : NOTHING));
}

/** The abstract method that a lambda given for this interface implements: its only member without a body. */
export function functionalMethod(resolver: Resolver, value: Value & { kind: 'instance' }): { file: string; decl: number } | undefined {
  const candidates: { file: string; decl: number }[] = [];
  for (const part of resolver.bodies(value)) {
    const summary = resolver.summary(part.file);
    for (const d of allDeclsInScope(summary, summary.decls.inner[part.decl] as number)) {
      if (isFunctionLike(summary.decls.kind[d] as number) && ((summary.decls.flags[d] as number) & F.bodiless) !== 0) candidates.push({ file: part.file, decl: d });
    }
  }
  return candidates.length > 0 ? candidates[0] : undefined;
}
