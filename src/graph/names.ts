/**
 * What one named row refers to.
 *
 * `certain` means that scopes, imports or the receiver's type lead there. A member of a receiver
 * of unknown type is resolved by its name alone to members of that name that the use could mean:
 * `possible`. A name that leads outside the repository is external and has no targets.
 */
import { argumentsOf, D, declsInScope, E, F, isClassLike, isFieldLike, isFunctionLike, LABEL, nameId, nameOf, R, S, type Argument, type Summary } from '../syntax/summary.js';
import type { DeclRef, Entity, Language, LibraryTypes } from '../languages/language.js';
import { basesOf, classOfMember, findMember, hasOutsideBase, isExplicit, isSubclass } from './hierarchy.js';
import { entityOfDecl, importedEntities } from './imports.js';
import { instanceOf, namesInstance } from './written-types.js';
import { expectedOfLiteral } from './literal-keys.js';
import { fittingCalls } from './overloads.js';
import type { Resolver } from './resolver.js';
import { fit, signatureOf, type Signature } from './signature.js';
import { injectedFrom } from './injected.js';
import { enclosingClass, type Type, type Value } from './value.js';

export type Confidence = 'certain' | 'possible';

export interface Resolution {
  readonly targets: readonly DeclRef[];
  /** Known to come from outside the repository. */
  readonly external: boolean;
  readonly confidence: Confidence;
  /** How it was found: `scope`, `import`, `ambient`, `member`, `name`, … for `--why`. */
  readonly via: string;
  /** The row names a module or namespace rather than a declaration. */
  readonly module?: Entity;
  /** The receiver through which a member was found. */
  readonly self?: Value;
}

const NOTHING_FOUND: Resolution = { targets: [], external: false, confidence: 'possible', via: 'unresolved' };

/** See {@link Resolver.resolve}. */
export function resolveRow(resolver: Resolver, file: string, expr: number): Resolution {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const role = exprs.role[expr];
  if (role === R.import) {
    const entry = summary.imports.find((candidate) => candidate.expr === expr);
    if (entry !== undefined) return fromEntities(importedEntities(resolver, file, entry, summary.names[exprs.name[expr] as number] as string), 'import');
    const exported = summary.exports.find((candidate) => candidate.expr === expr);
    if (exported !== undefined) return fromEntities(exported.module === undefined ? resolver.topLevel(file, exported.local) : resolver.exported(file, exported.name), 'import');
  }
  switch (exprs.op[expr]) {
    case E.name: return ofOneSort(resolver, file, summary, expr, resolveName(resolver, file, summary, expr));
    case E.member:
      if (exprs.b[expr] === LABEL) return resolveLabel(resolver, file, summary, expr);
      return ofOneSort(resolver, file, summary, expr, resolveMember(resolver, file, summary, expr, receiverOf(resolver, file, summary, expr)));
    case E.initializer: return resolveInitializer(resolver, file, summary, expr);
    case E.injected: {
      const source = injectedFrom(resolver, file, summary.exprs.a[expr] as number);
      return source === undefined ? NOTHING_FOUND : { targets: [source], external: false, confidence: 'certain', via: INJECTED };
    }
    case E.string: {
      const exported = summary.exports.find((entry) => entry.expr === expr && entry.module === undefined);
      return exported === undefined ? NOTHING_FOUND : fromEntities(listedEntities(resolver, file, exported.local), EXPORT_LIST);
    }
    default: return NOTHING_FOUND;
  }
}

/** What the label of a `switch` means: a member of what the switch is about, else a constant that its bare name leads to. */
function resolveLabel(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const member = resolveMember(resolver, file, summary, expr, receiverOf(resolver, file, summary, expr));
  if (member.targets.length > 0 && member.confidence === 'certain') return member;
  const bare = resolveName(resolver, file, summary, expr);
  return bare.targets.length > 0 ? bare : member;
}

/**
 * A field and a method may share a name in some languages: what is called is the method, and what
 * is read is the field, save in a method reference (`a::b`, by its two characters).
 */
function ofOneSort(resolver: Resolver, file: string, { exprs }: Summary, expr: number, found: Resolution): Resolution {
  const { role } = exprs;
  const { overloads, methodsApart } = resolver.language(file);
  if (found.targets.length < (methodsApart ? 1 : 2) || !overloads || (!isValueRole(role[expr] as number) && role[expr] !== R.callee)) return found;
  const base = exprs.op[expr] === E.member ? (exprs.a[expr] as number) : -1;
  const isReference = base >= 0 && (exprs.start[expr] as number) - (exprs.end[base] as number) === 2;
  // A record's component and its accessor are one.
  const kindOf = ({ file: of, decl }: DeclRef): number => (decl < 0 || ((resolver.summary(of).decls.flags[decl] as number) & F.parameterField) !== 0 ? 0 : (resolver.summary(of).decls.kind[decl] as number));
  const wants = role[expr] === R.callee || isReference ? isFunctionLike : isFieldLike;
  const others = role[expr] === R.callee || isReference ? isFieldLike : isFunctionLike;
  const targets = found.targets.filter((target) => !others(kindOf(target)));
  if (targets.length === 0 && methodsApart && found.confidence === 'certain') return { targets: [], external: true, confidence: 'certain', via: 'member from outside' };
  return targets.length < found.targets.length && targets.some((target) => wants(kindOf(target))) ? { ...found, targets } : found;
}

/** A field that is named where an object is made; a key of an object literal is the member of what the literal's place expects. */
function resolveInitializer(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const made = summary.exprs.a[expr] as number;
  if (summary.exprs.op[made] !== E.closure) return resolveMember(resolver, file, summary, expr, resolver.typeOf(file, made));
  const expected = expectedOfLiteral(resolver, file, made);
  const found = expected === undefined || expected.values.length === 0 ? NOTHING_FOUND : resolveMember(resolver, file, summary, expr, { ...expected, unknown: false });
  if (found.targets.length === 0) return NOTHING_FOUND;
  // Of the sides of a union, the literal is one: which, its values would say.
  const owners = new Set(found.targets.map((target) => `${target.file}\0${classOfMember(resolver.summary(target.file), target.decl) ?? -1}`));
  return owners.size > 1 || expected?.unknown === true ? { ...found, confidence: 'possible' } : found;
}

/** What an entry of a list of exports names: a declaration of the file, or what a star import brought. */
function listedEntities(resolver: Resolver, file: string, name: string): readonly Entity[] {
  const own = resolver.topLevel(file, name);
  return own.length > 0 ? own : resolver.exported(file, name);
}

/** `via` of a member that no type of its receiver has. */
export const NO_SUCH_MEMBER = 'no such member';
/** `via` of names that no scope of the file declares. */
export const AMBIENT = 'ambient';
/** `via` of the strings in a module's list of exported names. */
export const EXPORT_LIST = 'export list';
/** `via` of parameters that a framework fills in. */
export const INJECTED = 'injected';

function receiverOf(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const base = summary.exprs.a[expr] as number;
  const looksUp = base >= 0 && summary.exprs.role[expr] === R.type && namesInstance(resolver, file, summary, base);
  return looksUp ? instanceOf(resolver, file, base) : resolver.typeOf(file, base);
}

function fromEntities(entities: readonly Entity[], via: string, self?: Value): Resolution {
  if (entities.length === 0) return NOTHING_FOUND;
  const targets = entities.flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : entity.kind === 'module' ? [{ file: entity.file, decl: -1 }] : []));
  const module = entities.find((entity) => entity.kind === 'module' || entity.kind === 'namespace');
  return {
    targets, external: targets.length === 0 && module === undefined, confidence: 'certain', via,
    ...(module !== undefined && targets.every((target) => target.decl < 0) ? { module } : {}),
    ...(self !== undefined ? { self } : {}),
  };
}

// ---- bare names

function resolveName(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const { exprs } = summary;
  const name = summary.names[exprs.name[expr] as number] as string;
  const found = lookUp(resolver, file, summary, exprs.scope[expr] as number, name, exprs.role[expr] as number, exprs.start[expr]);
  // `[Foo]` is FooAttribute where there is one: a class Foo is no attribute then, or the two would be ambiguous.
  const attribute = exprs.role[expr] === R.decorator ? decoratorNamed(resolver, file, summary, expr, name) : NOTHING_FOUND;
  const result = attribute.targets.length > 0 ? attribute : found;
  return exprs.role[expr] === R.callee || exprs.role[expr] === R.decorator ? narrowed(resolver, file, summary, expr, result) : result;
}

function decoratorNamed(resolver: Resolver, file: string, summary: Summary, expr: number, name: string): Resolution {
  for (const other of resolver.language(file).decoratorNames?.(name) ?? []) {
    const found = lookUp(resolver, file, summary, summary.exprs.scope[expr] as number, other, R.decorator);
    if (found.targets.length > 0) return found;
  }
  return NOTHING_FOUND;
}

/**
 * Follows the scope chain from `scope`, then the language's ambient names. `role`: of the row that
 * says the name. `at`: where it is said; the end of the file if it makes no difference.
 */
export function lookUp(resolver: Resolver, file: string, summary: Summary, scope: number, name: string, role: number, at = Infinity): Resolution {
  const language = resolver.language(file);
  const fits = fitting(language, role);
  const { kind, nameStart } = summary.decls;
  const isMeant = language.localsFromDeclaration ? (decl: number): boolean => fits(kind[decl] as number) && (kind[decl] !== D.local || (nameStart[decl] as number) <= at) : (decl: number): boolean => fits(kind[decl] as number);
  const row = nameId(summary, name);
  let outsideBase = false;
  for (let s = scope; s >= 0; s = summary.scopes.parent[s] as number) {
    if (summary.scopes.kind[s] === S.class) {
      const inClass = lookUpInClass(resolver, file, summary, s, row, name, fits);
      if (inClass !== undefined) return inClass;
      outsideBase ||= language.bareMembers && hasOutsideBase(resolver, { file, decl: summary.scopes.owner[s] as number });
      continue;
    }
    if (row < 0) continue;
    const decls = declsInScope(summary, s, row).filter(isMeant);
    if (decls.length > 0) return fromScope(resolver, file, summary, decls, s === 0 ? 'module scope' : 'scope');
  }
  const ambient = language.ambient(name, file, scope, resolver);
  if (ambient.length > 0) return fromEntities(ambient, AMBIENT);
  return outsideBase ? { targets: [], external: true, confidence: 'certain', via: 'inherited from outside' } : NOTHING_FOUND;
}

/** Which kinds of declarations a name in the role can mean. */
function fitting({ typesOnlyRoles, methodsApart }: Language, role: number): (kind: number) => boolean {
  if (typesOnlyRoles.has(role)) return namesType;
  if (methodsApart && role === R.callee) return isCalled;
  return methodsApart && isValueRole(role) ? isRead : isAny;
}

const isAny = (): boolean => true;
const isCalled = (kind: number): boolean => isFunctionLike(kind) || kind === D.importBinding;
const isRead = (kind: number): boolean => !isFunctionLike(kind);

const isValueRole = (role: number): boolean => role === R.read || role === R.write || role === R.update;

const imported = new WeakMap<readonly Entity[], Resolution>();

/** Remembered for what an import's binding stands for: many rows of a file may say it. */
function fromScope(resolver: Resolver, file: string, summary: Summary, decls: ArrayLike<number>, via: string): Resolution {
  const only = decls[0] as number;
  if (decls.length > 1 || summary.decls.kind[only] !== D.importBinding) return fromEntities(distinctTargets(resolver, file, summary, decls), via);
  const entities = entityOfDecl(resolver, file, summary, only);
  let found = imported.get(entities);
  if (found?.via !== via) imported.set(entities, (found = fromEntities(entities, via)));
  return found;
}

/** Kinds of declarations that can stand where a type is written. */
const namesType = (kind: number): boolean => isClassLike(kind) || kind === D.typeAlias || kind === D.typeParam || kind === D.namespace || kind === D.importBinding;

function lookUpInClass(resolver: Resolver, file: string, summary: Summary, scope: number, row: number, name: string, fits: (kind: number) => boolean): Resolution | undefined {
  const language = resolver.language(file);
  const owner = summary.scopes.owner[scope] as number;
  const own = row < 0 ? [] : [...declsInScope(summary, scope, row)];
  const always = own.filter((decl) => summary.decls.kind[decl] === D.typeParam || (summary.decls.kind[decl] === D.param && fits(D.param)));
  if (always.length > 0) return fromEntities(distinctTargets(resolver, file, summary, always), 'scope');
  if (language.bareMembers && owner >= 0) {
    const type = { file, decl: owner };
    const self: Value = { kind: 'instance', ...type, args: [] };
    const found = spoken(resolver, findMember(resolver, type, name).found).filter((member) => !isLent(resolver, member, self) && fits(resolver.summary(member.file).decls.kind[member.decl] as number));
    if (found.length > 0) {
      return fromEntities(found.map((member) => ({ kind: 'decl', ...member })), 'member of the class around', self);
    }
    return undefined;
  }
  if (language.classBodyNames && own.length > 0) return fromEntities(distinctTargets(resolver, file, summary, own), 'scope');
  return undefined;
}

/** All functions and classes of the name, but only the first of a variable's assignments; bindings followed. */
function distinctTargets(resolver: Resolver, file: string, summary: Summary, decls: ArrayLike<number>): readonly Entity[] {
  const list = [...(decls as Iterable<number> & ArrayLike<number>)];
  const chosen = list.filter((decl) => ((summary.decls.flags[decl] as number) & F.reassigned) === 0);
  return (chosen.length > 0 ? chosen : list.slice(0, 1)).flatMap((decl) => entityOfDecl(resolver, file, summary, decl));
}

// ---- members

function resolveMember(resolver: Resolver, file: string, summary: Summary, expr: number, receiver: Type): Resolution {
  const name = summary.names[summary.exprs.name[expr] as number] as string;
  const targets: DeclRef[] = [];
  let outside = false;
  let module: Entity | undefined;
  let self: Value | undefined;
  for (const value of receiver.values) {
    const entities = membersOf(resolver, file, value, name);
    if (entities === 'outside') outside = true;
    else {
      for (const entity of entities) {
        if (entity.kind === 'external') outside = true;
        else if (entity.kind === 'decl') {
          if (!targets.some((known) => known.file === entity.file && known.decl === entity.decl)) targets.push({ file: entity.file, decl: entity.decl });
          self ??= value;
        } else {
          module ??= entity;
          if (entity.kind === 'module') targets.push({ file: entity.file, decl: -1 });
        }
      }
    }
  }
  if (targets.length > 0 && targets.every((target) => target.decl >= 0 && (isHidden(resolver, file, name, target) || (self !== undefined && isLent(resolver, target, self))))) {
    const extension = extensionMethods(resolver, summary, expr, name, receiver);
    if (extension !== undefined) return extension;
  }
  if (targets.length > 0 || module !== undefined) {
    const found: Resolution = { targets: firstAssignments(resolver, targets), external: false, confidence: 'certain', via: 'member', ...(module !== undefined ? { module } : {}), ...(self !== undefined ? { self } : {}) };
    return isCallee(summary, expr) ? narrowed(resolver, file, summary, expr, found) : found;
  }
  const byArgument = membersOfArguments(resolver, receiver, name);
  if (byArgument.length > 0) return { targets: byArgument, external: false, confidence: 'possible', via: 'type argument' };
  const extension = extensionMethods(resolver, summary, expr, name, receiver);
  if (extension !== undefined) return extension;
  if (outside && !receiver.unknown) return { targets: [], external: true, confidence: 'certain', via: 'member from outside' };
  if (!receiver.unknown && receiver.values.length > 0) return { targets: [], external: true, confidence: 'possible', via: NO_SUCH_MEMBER };
  return possibleMembers(resolver, file, summary, expr, name);
}

/** Whether a member is private to another place than the file: then an extension of its name is meant, if there is one. */
const isHidden = (resolver: Resolver, file: string, name: string, member: DeclRef): boolean => member.file !== file && resolver.language(member.file).isPrivate(name, resolver.summary(member.file).decls.flags[member.decl] as number);

/** Whether a member is an interface's that objects of the receiver's class do not have by themselves. */
function isLent(resolver: Resolver, member: DeclRef, receiver: Value): boolean {
  if (receiver.kind !== 'instance' || resolver.language(member.file).interfacesLend) return false;
  const owner = classOfMember(resolver.summary(member.file), member.decl);
  const kindOf = ({ file, decl }: DeclRef): number => resolver.summary(file).decls.kind[decl] as number;
  return owner !== undefined && kindOf({ file: member.file, decl: owner }) === D.interface && kindOf(receiver) !== D.interface;
}

/** Members of the type arguments of something from outside that may hand its argument out under any name. */
function membersOfArguments(resolver: Resolver, receiver: Type, name: string): DeclRef[] {
  const out: DeclRef[] = [];
  for (const value of receiver.values) {
    if (value.kind !== 'external' || value.name !== '') continue;
    for (const type of value.args) for (const arg of type.values) if (arg.kind === 'instance') out.push(...findMember(resolver, arg, name).found);
  }
  return out;
}

const isCallee = (summary: Summary, expr: number): boolean => summary.exprs.role[expr] === R.callee;

function firstAssignments(resolver: Resolver, targets: readonly DeclRef[]): readonly DeclRef[] {
  if (targets.length < 2) return targets;
  const first = targets.filter((target) => target.decl < 0 || ((resolver.summary(target.file).decls.flags[target.decl] as number) & F.reassigned) === 0);
  return first.length > 0 ? first : targets.slice(0, 1);
}

function membersOf(resolver: Resolver, file: string, value: Value, name: string): readonly Entity[] | 'outside' {
  switch (value.kind) {
    case 'instance':
    case 'class':
    case 'super': {
      const search = findMember(resolver, value, name, value.kind === 'super');
      if (search.found.length > 0) return spoken(resolver, search.found).map((member) => ({ kind: 'decl', ...member }));
      return search.outside ? 'outside' : [];
    }
    case 'module':
    case 'namespace': return moduleMember(resolver, file, value, name);
    default: return 'outside';
  }
}

/** Of members that a class has those that its own name for them reaches. */
const spoken = (resolver: Resolver, members: readonly DeclRef[]): readonly DeclRef[] => members.filter((member) => !isExplicit(resolver, member));

/** A member of a module object or of a package. */
export function moduleMember(resolver: Resolver, from: string, value: Value & { kind: 'module' | 'namespace' }, name: string): readonly Entity[] {
  const language = resolver.language(from);
  if (value.kind === 'namespace') return language.resolveModule(`${value.name}.${name}`, from, resolver);
  const exported = resolver.exported(value.file, name);
  return exported.length > 0 ? exported : (language.submodule?.(value.file, name, resolver) ?? []);
}

/** Extension methods (C#) of the name whose first parameter's type admits the receiver. */
function extensionMethods(resolver: Resolver, summary: Summary, expr: number, name: string, receiver: Type): Resolution | undefined {
  if (!isCallee(summary, expr)) return undefined;
  const candidates = extensionsNamed(resolver, summary, name);
  if (candidates.length === 0) return undefined;
  const call = callOf(summary, expr);
  const fitting = call < 0 ? candidates : candidates.filter((ref) => fit(signatureOf(resolver.summary(ref.file), ref.decl), argumentsOf(summary, call), false).fits);
  if (fitting.length === 0) return undefined;
  const admitted = fitting.filter((ref) => admits(resolver, ref, receiver) !== false);
  if (admitted.length === 0) return undefined;
  const sure = admitted.filter((ref) => admits(resolver, ref, receiver) === true);
  const self = receiver.values[0];
  return { targets: sure.length > 0 ? sure : admitted, external: false, confidence: sure.length > 0 || admitted.length === 1 ? 'certain' : 'possible', via: 'extension method', ...(self !== undefined && self.kind !== 'class' ? { self } : {}) };
}

/** Whether the receiver can be the extension method's first parameter; undefined: cannot tell. */
function admits(resolver: Resolver, method: DeclRef, receiver: Type): boolean | undefined {
  const summary = resolver.summary(method.file);
  const first = signatureOf(summary, method.decl).receiver;
  if (first === undefined) return undefined;
  const wanted = resolver.typeOfDecl(method.file, first.decl);
  if (wanted.values.length === 0 || receiver.values.length === 0) return undefined;
  let verdict: boolean | undefined = false;
  for (const want of wanted.values) {
    for (const have of receiver.values) {
      if (want.kind === 'instance' && (have.kind === 'instance' || have.kind === 'super')) {
        if (isSubclass(resolver, have, want)) return true;
        if (hasOutsideBase(resolver, have)) verdict = undefined;
      } else if (want.kind === 'external' && have.kind === 'external') {
        if (want.name === have.name) return true;
        if (mayBeOne(resolver.language(method.file).library, want.name, have.name)) verdict = undefined;
      } else if (want.kind === 'external' && have.kind === 'instance') {
        if (basesOf(resolver, have).external.some((base) => base.name === want.name) || want.name === 'object') return true;
        if (hasOutsideBase(resolver, have)) verdict = undefined;
      } else if (have.kind === 'external' && have.name === '') verdict = undefined;
    }
  }
  return verdict;
}

/** Whether an object of one library type could be of another one: a container is only other containers, and what every object is. */
function mayBeOne(library: LibraryTypes, wanted: string, given: string): boolean {
  const holds = (name: string): boolean => library.sequences.has(name) || library.mappings.has(name);
  return !holds(given) || holds(wanted) || wanted === '' || wanted === 'object' || library.anyTypes.has(wanted);
}

// ---- receivers of unknown type

/** A member that a class declares, with what decides whether a use could mean it. */
interface NamedMember extends DeclRef {
  readonly flags: number;
  /** Name of its class. */
  readonly owner: string;
  /** Undefined for what is no function, or is used as if it were none. */
  readonly signature: Signature | undefined;
}

/** Every member of the name, in files of the language. */
function membersNamed(resolver: Resolver, summary: Summary, name: string): readonly NamedMember[] {
  return resolver.answer<readonly NamedMember[]>('N', '', `${summary.language}\0${name}`, [], () => {
    const out: NamedMember[] = [];
    for (const file of resolver.repo.filesDeclaring(summary.language, name)) {
      const of = resolver.summary(file);
      const row = nameId(of, name);
      for (let i = of.declStart[row] as number; i < (of.declStart[row + 1] as number); i++) {
        const decl = of.declsByName[i] as number;
        const kind = of.decls.kind[decl] as number;
        const flags = of.decls.flags[decl] as number;
        if (!(isFunctionLike(kind) || isFieldLike(kind)) || kind === D.lambda || (flags & F.reassigned) !== 0) continue;
        const owner = classOfMember(of, decl);
        if (owner === undefined) continue;
        out.push({ file, decl, flags, owner: nameOf(of, owner), signature: isFunctionLike(kind) && (flags & F.getter) === 0 ? signatureOf(of, decl) : undefined });
      }
    }
    return out;
  });
}

function extensionsNamed(resolver: Resolver, summary: Summary, name: string): readonly NamedMember[] {
  return resolver.answer<readonly NamedMember[]>('Z', '', `${summary.language}\0${name}`, [], () => membersNamed(resolver, summary, name).filter((member) => (member.flags & F.extension) !== 0));
}

/** Members of the name anywhere in the repository that this use could mean: access, arity and keywords allow it. */
function possibleMembers(resolver: Resolver, file: string, summary: Summary, expr: number, name: string): Resolution {
  const { library } = resolver.language(file);
  if (library.objectMembers.has(name)) return { targets: [], external: true, confidence: 'possible', via: 'member of every object' };
  const { members, refs, somePrivate } = membersFor(resolver, summary, name, argumentsAt(summary, expr));
  const bar = library.commonMembers.has(name) || somePrivate ? barOfPlace(resolver, file, summary, expr, name) : undefined;
  const targets = bar === undefined ? refs : refs.filter((_, i) => bar(members[i] as NamedMember) === undefined);
  return targets.length === 0 ? NOTHING_FOUND : { targets, external: false, confidence: 'possible', via: 'name' };
}

/** The arguments of the call that a row is the callee of, if it is. */
function argumentsAt(summary: Summary, expr: number): readonly Argument[] | undefined {
  const call = isCallee(summary, expr) ? callOf(summary, expr) : -1;
  return call < 0 ? undefined : argumentsOf(summary, call);
}

/** Members that a use could mean as far as its arguments tell, and the same in short. */
interface FittingMembers {
  readonly members: readonly NamedMember[];
  readonly refs: readonly DeclRef[];
  readonly somePrivate: boolean;
}

/** Calls with arguments of one shape have the same answer, which is remembered: a name may have a thousand calls. */
function membersFor(resolver: Resolver, summary: Summary, name: string, args: readonly Argument[] | undefined): FittingMembers {
  const shape = args === undefined ? 'any' : args.map((arg) => (arg.spread === 'none' ? `${arg.keyword},` : `*${arg.spread},`)).join('');
  return resolver.answer<FittingMembers>('P', '', `${summary.language}\0${name}\0${shape}`, { members: [], refs: [], somePrivate: false }, () => {
    const members = membersNamed(resolver, summary, name).filter((member) => barOfArguments(member, args) === undefined);
    return { members, refs: members.map(({ file, decl }) => ({ file, decl })), somePrivate: members.some((member) => resolver.language(member.file).isPrivate(name, member.flags)) };
  });
}

/** What keeps a use with these arguments from meaning a member of its name, in words; undefined: nothing. */
function barOfArguments(member: NamedMember, args: readonly Argument[] | undefined): string | undefined {
  if (args === undefined || member.signature === undefined || (member.flags & F.bodiless) !== 0) return undefined;
  const fitting = fit(member.signature, args, false);
  return fitting.fits ? undefined : fitting.reason;
}

/** As `barOfArguments`, for where the use stands. */
function barOfPlace(resolver: Resolver, file: string, summary: Summary, expr: number, name: string): (member: NamedMember) => string | undefined {
  const language = resolver.language(file);
  const isCommon = language.library.commonMembers.has(name);
  const here = enclosingClass(summary, summary.exprs.scope[expr] as number, (kind) => kind <= D.delegate, isFunctionLike).decl;
  return (member) => {
    if (here < 0 ? language.isPrivate(name, member.flags) : isHidden(resolver, file, name, member)) return 'is private, and the use stands elsewhere';
    if (isCommon && member.file !== file && nameId(summary, member.owner) < 0) return `has a name that library types have too, and the file does not say ${member.owner}`;
    return undefined;
  };
}

/** Why a use that was resolved by its name alone does not mean a certain member of that name; undefined if nothing speaks against it. */
export function whyNotPossible(resolver: Resolver, file: string, expr: number, member: DeclRef): string | undefined {
  const summary = resolver.summary(file);
  const name = summary.names[summary.exprs.name[expr] as number] as string;
  const named = membersNamed(resolver, summary, name).find((candidate) => candidate.file === member.file && candidate.decl === member.decl);
  return named === undefined ? undefined : barOfPlace(resolver, file, summary, expr, name)(named) ?? barOfArguments(named, argumentsAt(summary, expr));
}

/** The call whose callee the row is, or -1: calls follow their callee, so it lies near. */
export function callOf(summary: Summary, callee: number): number {
  const { exprs } = summary;
  const most = Math.min(exprs.count, callee + 4096);
  for (let i = callee + 1; i < most; i++) if (exprs.a[i] === callee && (exprs.op[i] === E.call || exprs.op[i] === E.new)) return i;
  return -1;
}

/** Among overloads and same-named functions those that the call's arguments fit. */
function narrowed(resolver: Resolver, file: string, summary: Summary, expr: number, found: Resolution): Resolution {
  if (found.targets.length < 2) return found;
  const call = callOf(summary, expr);
  if (call < 0) return found;
  const functions = found.targets.filter((target) => target.decl >= 0 && isFunctionLike(resolver.summary(target.file).decls.kind[target.decl] as number));
  if (functions.length < 2) return found;
  const fitting = fittingCalls.among(resolver, functions.map((target) => ({ ...target, self: found.self })), { file, expr: call });
  const others = found.targets.filter((target) => !functions.includes(target));
  return { ...found, targets: [...others, ...fitting.map(({ file: inFile, decl }) => ({ file: inFile, decl }))] };
}

/** Name of what a declaration is, for messages. */
export const declName = (resolver: Resolver, ref: DeclRef): string => (ref.decl < 0 ? ref.file : nameOf(resolver.summary(ref.file), ref.decl));
