/**
 * What one named row refers to.
 *
 * `certain` means that scopes, imports or the receiver's type lead there. A member of a receiver
 * of unknown type is resolved by its name alone to members of that name that the use could mean:
 * `possible`. A name that leads outside the repository is external and has no targets.
 */
import { sameDecl, type DeclRow, type ExprRow, type RowList } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, R, S, type Summary } from '../../syntax/summary.js';
import type { DeclRef, Entity, Language } from '../../languages/language.js';
import { documentedAmong } from './doc-signature.js';
import { classOfMember, findMember, hasOutsideBase, isExplicit, overriddenBy } from './hierarchy.js';
import { extensionMethods } from './extension-methods.js';
import { tableEntities } from './import-table.js';
import { entityOfDecl, importedEntities } from './imports.js';
import { heldAs } from './declaration-types.js';
import { instanceOf, namesInstance } from './written-types.js';
import { expectedOfLiteral } from './literal-keys.js';
import { objectsOfKey } from './key-strings.js';
import { lastAt, leftAtEnd, narrowedBy } from './last-assignments.js';
import { keyedObjects } from './keyed.js';
import { fittingCalls } from './overloads.js';
import { fit, signatureOf } from './signature.js';
import { fieldsBehind } from './made-accessors.js';
import { membersBelow } from './members-below.js';
import { possibleMembers } from './possible-members.js';
import type { Resolver } from './resolver.js';
import { injectedByString, injectedFrom } from './injected.js';
import { MADE_OF, type Type, type Value } from './value.js';
import type { Way } from './ways.js';

export type Confidence = 'certain' | 'possible';

export interface Resolution {
  readonly targets: readonly DeclRef[];
  /** Known to come from outside the repository. */
  readonly external: boolean;
  readonly confidence: Confidence;
  /** How it was found. */
  readonly via: Way;
  /** The row names a module or namespace rather than a declaration. */
  readonly module?: Entity;
  /** The receiver through which a member was found. */
  readonly self?: Value;
}

/** Nothing of the repository, and not known to come from outside. */
export const NOTHING_FOUND: Resolution = { targets: [], external: false, confidence: 'possible', via: 'unresolved' };

/** See {@link Resolver.resolve}. */
export const resolveRow = (resolver: Resolver, file: string, expr: number): Resolution =>
  ofEveryObject(resolver, file, expr, ofArity(resolver, file, expr, resolveByName(resolver, file, expr)));

/** `Equals(a, b)` beside a class's own `Equals(other)` is the one that every object has. */
function ofEveryObject(resolver: Resolver, file: string, expr: number, found: Resolution): Resolution {
  if (found.targets.length === 0) return found;
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const counts = resolver.language(file).library.objectCalls?.get(exprs.nameOf(expr));
  if (counts === undefined || !takesNone(resolver, file, summary, expr, found.targets)) return found;
  const { length } = exprs.argumentsOf(exprs.callOf(expr));
  return counts.includes(length)
    ? { targets: [], external: true, confidence: 'certain', via: 'member from outside' }
    : found;
}

/** Where `Foo` and `Foo<T>` are two types, the one with as many type parameters as the row is written with. */
function ofArity(resolver: Resolver, file: string, expr: number, found: Resolution): Resolution {
  const { exprs } = resolver.summary(file);
  if (found.targets.length < 2 || !resolver.language(file).arityInNames || exprs.roleOf(expr) === R.doc) return found;
  const index = exprs.wholeBy(expr, E.index);
  const written = index < 0 ? 0 : exprs.partsOf(index).length;
  const isUnbound = index >= 0 && written === 0;
  const targets = found.targets.filter(({ file: of, decl }) => {
    const { decls } = resolver.summary(of);
    if (decl < 0 || !isClassLike(decls.kindOf(decl))) return true;
    const count = decls.typeParamsOf(decl).length;
    return isUnbound ? count > 0 : count === written;
  });
  return targets.length === 0 || targets.length === found.targets.length ? found : { ...found, targets };
}

function resolveByName(resolver: Resolver, file: string, expr: number): Resolution {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const role = exprs.roleOf(expr);
  // A module that is a value, and may be called as one, has no name.
  if (role === R.import || (exprs.opOf(expr) === E.name && exprs.nameOf(expr) === '')) {
    const entry = summary.imports.find((candidate) => candidate.expr === expr);
    if (entry !== undefined) return fromImport(importedEntities(resolver, file, entry, exprs.nameOf(expr)), 'import');
    const exported = summary.exports.find((candidate) => candidate.expr === expr);
    if (exported !== undefined)
      return fromEntities(
        exported.module === undefined
          ? resolver.topLevel(file, exported.local)
          : resolver.exported(file, exported.name),
        'import',
      );
  }
  switch (exprs.opOf(expr)) {
    case E.name:
      return ofOneSort(
        resolver,
        file,
        summary,
        expr,
        documented(resolver, file, expr, resolveName(resolver, file, summary, expr)),
      );
    case E.member:
      if (exprs.isLabel(expr)) return resolveLabel(resolver, file, summary, expr);
      return ofOneSort(
        resolver,
        file,
        summary,
        expr,
        documented(
          resolver,
          file,
          expr,
          resolveMember(resolver, file, summary, expr, receiverOf(resolver, file, summary, expr)),
        ),
      );
    case E.initializer:
      return resolveInitializer(resolver, file, summary, expr);
    case E.injected: {
      const source = injectedFrom(resolver, file, summary.exprs.closureOf(expr));
      return source === undefined
        ? NOTHING_FOUND
        : { targets: [source], external: false, confidence: 'certain', via: 'injected' };
    }
    case E.string: {
      const exported = summary.exports.find((entry) => entry.expr === expr && entry.module === undefined);
      return exported === undefined
        ? resolveEntry(resolver, file, summary, expr)
        : fromEntities(listedEntities(resolver, file, exported.local), 'export list');
    }
    default:
      return NOTHING_FOUND;
  }
}

/**
 * What the label of a `switch` means: a member of what the switch is about, else a constant that its bare name leads
 * to.
 */
function resolveLabel(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const member = resolveMember(resolver, file, summary, expr, receiverOf(resolver, file, summary, expr));
  if (member.targets.length > 0 && member.confidence === 'certain') return member;
  const bare = resolveName(resolver, file, summary, expr);
  return bare.targets.length > 0 ? bare : member;
}

const documented = (resolver: Resolver, file: string, expr: number, found: Resolution): Resolution =>
  found.targets.length < 2 ? found : { ...found, targets: documentedAmong(resolver, file, expr, found.targets) };

/**
 * A field and a method may share a name in some languages: what is called is the method, and what
 * is read is the field, save in a method reference (`a::b`, by its two characters).
 */
function ofOneSort(resolver: Resolver, file: string, { exprs }: Summary, expr: number, found: Resolution): Resolution {
  const role = exprs.roleOf(expr);
  const { overloads, methodsApart } = resolver.language(file);
  if (found.targets.length < (methodsApart ? 1 : 2) || !overloads || (!isValueRole(role) && role !== R.callee))
    return found;
  const isReference = exprs.opOf(expr) === E.member && exprs.isReference(expr);
  // A record's component and its accessor are one.
  const kindOf = ({ file: of, decl }: DeclRef): number =>
    decl < 0 || resolver.summary(of).decls.has(decl, F.parameterField) ? 0 : resolver.summary(of).decls.kindOf(decl);
  const wants = role === R.callee || isReference ? isFunctionLike : isFieldLike;
  const others = role === R.callee || isReference ? isFieldLike : isFunctionLike;
  const targets = found.targets.filter((target) => !others(kindOf(target)));
  if (targets.length === 0 && methodsApart && found.confidence === 'certain')
    return { targets: [], external: true, confidence: 'certain', via: 'member from outside' };
  return targets.length < found.targets.length && targets.some((target) => wants(kindOf(target)))
    ? { ...found, targets }
    : found;
}

/**
 * A field that is named where an object is made; a key of an object literal is the member of what the literal's place
 * expects.
 */
function resolveInitializer(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const made = summary.exprs.operandOf(expr);
  if (made < 0) return overriddenWithoutName(resolver, file, summary, expr);
  if (summary.exprs.opOf(made) !== E.closure)
    return resolveMember(resolver, file, summary, expr, resolver.typeOf(file, made));
  const expected = expectedOfLiteral(resolver, file, made);
  const found =
    expected === undefined || expected.values.length === 0
      ? NOTHING_FOUND
      : resolveMember(resolver, file, summary, expr, { ...expected, unknown: false });
  if (found.targets.length === 0) return NOTHING_FOUND;
  // Of the sides of a union, the literal is one: which, its values would say.
  const owners = new Set(
    found.targets.map((target) => `${target.file}\0${classOfMember(resolver.summary(target.file), target.decl) ?? -1}`),
  );
  return owners.size > 1 || expected?.unknown === true ? { ...found, confidence: 'possible' } : found;
}

/**
 * A string in a mapping: the key of one whose class declares its keys, or a name beside its module; or one that asks a
 * framework for what has that name.
 */
function resolveEntry(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const key = resolveKey(resolver, file, summary, expr);
  if (key.targets.length > 0) return key;
  const giver = injectedByString(resolver, file, expr);
  return giver === undefined
    ? fromEntities(tableEntities(resolver, file, expr), 'import table')
    : { targets: [giver], external: false, confidence: 'certain', via: 'injected' };
}

/** A string that takes a key of a mapping whose keys a class declares (Python `TypedDict`), or is a type's key. */
function resolveKey(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const { keyTypes, library } = resolver.language(file);
  if (keyTypes === undefined && library.keyed.bases.size === 0) return NOTHING_FOUND;
  const values = keyTypes === undefined ? keyedObjects(resolver, file, expr) : objectsOfKey(resolver, file, expr);
  if (values.length === 0) return NOTHING_FOUND;
  const found = resolveMember(resolver, file, summary, expr, { values, unknown: false });
  return found.targets.length === 0 ? NOTHING_FOUND : found;
}

/** What a method of a class without a name overrides; what no file of the repository declares is the library's. */
function overriddenWithoutName(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const decl = summary.functionOfKey(expr);
  const targets = decl === undefined ? [] : overriddenBy(resolver, { file, decl });
  return { targets, external: targets.length === 0, confidence: 'certain', via: 'overrides' };
}

/** What an entry of a list of exports names: a declaration of the file, or what a star import brought. */
function listedEntities(resolver: Resolver, file: string, name: string): readonly Entity[] {
  const own = resolver.topLevel(file, name);
  return own.length > 0 ? own : resolver.exported(file, name);
}

function receiverOf(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const base = summary.exprs.operandOf(expr);
  const looksUp = base >= 0 && summary.exprs.roleOf(expr) === R.type && namesInstance(resolver, file, summary, base);
  return looksUp ? instanceOf(resolver, file, base) : resolver.typeOf(file, base);
}

function fromEntities(entities: readonly Entity[], via: Way, self?: Value): Resolution {
  if (entities.length === 0) return NOTHING_FOUND;
  const targets = entities.flatMap((entity) =>
    entity.kind === 'decl'
      ? [{ file: entity.file, decl: entity.decl }]
      : entity.kind === 'module'
        ? [{ file: entity.file, decl: -1 }]
        : [],
  );
  const module = entities.find((entity) => entity.kind === 'module' || entity.kind === 'namespace');
  return {
    targets,
    external: targets.length === 0 && module === undefined,
    confidence: 'certain',
    via,
    ...(module !== undefined && targets.every((target) => target.decl < 0) ? { module } : {}),
    ...(self !== undefined ? { self } : {}),
  };
}

// ---- bare names

function resolveName(resolver: Resolver, file: string, summary: Summary, expr: number): Resolution {
  const { exprs } = summary;
  const name = exprs.nameOf(expr);
  const found = lookUp(resolver, file, summary, exprs.scopeOf(expr), name, exprs.roleOf(expr), exprs.startOf(expr));
  // `[Foo]` is FooAttribute where there is one: a class Foo is no attribute then, or the two would be ambiguous.
  const attribute =
    exprs.roleOf(expr) === R.decorator ? decoratorNamed(resolver, file, summary, expr, name) : NOTHING_FOUND;
  // Documentation may name what is in a module by its whole path, without an import.
  const inDocs =
    exprs.roleOf(expr) === R.doc &&
    found.targets.length === 0 &&
    found.module === undefined &&
    resolver.language(file).submodule !== undefined
      ? fromEntities(resolver.language(file).resolveModule(name, file, resolver), 'module path')
      : NOTHING_FOUND;
  const result = attribute.targets.length > 0 ? attribute : inDocs.targets.length > 0 ? inDocs : found;
  return exprs.roleOf(expr) === R.callee || exprs.roleOf(expr) === R.decorator
    ? narrowed(resolver, file, summary, expr, result)
    : result;
}

function decoratorNamed(resolver: Resolver, file: string, summary: Summary, expr: number, name: string): Resolution {
  for (const other of resolver.language(file).decoratorNames?.(name) ?? []) {
    const found = lookUp(resolver, file, summary, summary.exprs.scopeOf(expr), other, R.decorator);
    if (found.targets.length > 0) return found;
  }
  return NOTHING_FOUND;
}

/** A name at a place. `role`: of the row that says it. `at`: where; the end of the file if it makes no difference. */
interface NameAt {
  readonly scope: number;
  readonly name: string;
  readonly role: number;
  readonly at: number;
}

/** Follows the scope chain from `scope`, then the language's ambient names. See {@link NameAt}. */
export function lookUp(
  resolver: Resolver,
  file: string,
  summary: Summary,
  scope: number,
  name: string,
  role: number,
  at = Infinity,
): Resolution {
  const found = inScopes(resolver, file, summary, { scope, name, role, at });
  if ('inClass' in found) return found.inClass;
  if (found.decls.length > 0)
    return fromScope(resolver, file, summary, found.decls, found.scope === 0 ? 'module scope' : 'scope');
  const ambient = resolver.language(file).ambient(name, file, scope, resolver);
  if (ambient.length > 0) return fromEntities(ambient, 'ambient');
  return found.outsideBase
    ? { targets: [], external: true, confidence: 'certain', via: 'inherited from outside' }
    : NOTHING_FOUND;
}

/**
 * The declarations in its own file that a name by itself, or another one in its place, may mean where a row says it,
 * and not what a test made of them; none for a member of a class.
 */
export function declarationsOfName(
  resolver: Resolver,
  file: string,
  expr: ExprRow,
  name = resolver.summary(file).exprs.nameOf(expr),
): readonly DeclRow[] {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const found = inScopes(resolver, file, summary, {
    scope: exprs.scopeOf(expr),
    name,
    role: exprs.roleOf(expr),
    at: exprs.startOf(expr),
  });
  if ('inClass' in found) return [];
  return Array.from(found.decls).flatMap((decl) =>
    summary.decls.has(decl, F.narrowing) ? narrowedBy(summary, decl) : [decl],
  );
}

type InScopes =
  | { readonly inClass: Resolution }
  /** `scope`: where the declarations stand; none and -1 where no scope has any. */
  | { readonly decls: ArrayLike<DeclRow>; readonly scope: number; readonly outsideBase: boolean };

function inScopes(resolver: Resolver, file: string, summary: Summary, { scope, name, role, at }: NameAt): InScopes {
  const language = resolver.language(file);
  const fits = fitting(language, role);
  const { decls: all } = summary;
  // A namespace that any file can open has more than what this file declares in it.
  const isOpen = !language.importsFiles;
  const isMeant = (decl: DeclRow): boolean => {
    const kind = all.kindOf(decl);
    if (!fits(kind) || (isOpen && kind === D.namespace)) return false;
    return !language.localsFromDeclaration || kind !== D.local || all.nameStartOf(decl) <= at;
  };
  const row = summary.idOf(name);
  let outsideBase = false;
  for (let s = scope; s >= 0; s = summary.scopes.parentOf(s)) {
    if (summary.scopes.kindOf(s) === S.class) {
      const inClass = lookUpInClass(resolver, file, summary, { scope: s, at }, row, name, fits);
      if (inClass !== undefined) return { inClass };
      outsideBase ||= language.bareMembers && hasOutsideBase(resolver, { file, decl: summary.scopes.ownerOf(s) });
      continue;
    }
    if (row < 0) continue;
    const decls = standing(language, summary, summary.decls.inScope(s, row).filter(isMeant), scope, at);
    if (decls.length > 0) return { decls, scope: s, outsideBase };
  }
  return { decls: [], scope: -1, outsideBase };
}

/**
 * Of the declarations of one name in a scope, where what a file imports is among them, those that none behind ends:
 * `from lib import run` before `def run`. A variable stays, which is one thing with all its assignments and with what
 * only says its type.
 */
function standing(
  { ordersAssignments }: Language,
  summary: Summary,
  decls: RowList<DeclRow>,
  scope: number,
  at: number,
): ArrayLike<DeclRow> {
  if (!ordersAssignments || decls.length < 2 || !decls.some((decl) => summary.decls.kindOf(decl) === D.importBinding))
    return decls;
  const last = new Set(at === Infinity ? leftAtEnd(summary, [...decls]) : lastAt(summary, [...decls], scope, at));
  const isVariable = (kind: number): boolean => kind === D.local || isFieldLike(kind);
  return decls.filter((decl) => last.has(decl) || isVariable(summary.decls.kindOf(decl)));
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

const imported = new Map<Way, WeakMap<readonly Entity[], Resolution>>();

/** Remembered for what an import stands for: many rows of a file may say it, and many files import the same. */
function fromImport(entities: readonly Entity[], via: Way): Resolution {
  const known = imported.get(via) ?? new WeakMap<readonly Entity[], Resolution>();
  imported.set(via, known);
  const found = known.get(entities) ?? fromEntities(entities, via);
  known.set(entities, found);
  return found;
}

function fromScope(resolver: Resolver, file: string, summary: Summary, decls: ArrayLike<number>, via: Way): Resolution {
  const only = decls[0] as number;
  if (decls.length > 1 || summary.decls.kindOf(only) !== D.importBinding)
    return fromEntities(distinctTargets(resolver, file, summary, decls), via);
  return fromImport(entityOfDecl(resolver, file, summary, only), via);
}

/** Kinds of declarations that can stand where a type is written. */
const namesType = (kind: number): boolean =>
  isClassLike(kind) || kind === D.typeAlias || kind === D.typeParam || kind === D.namespace || kind === D.importBinding;

function lookUpInClass(
  resolver: Resolver,
  file: string,
  summary: Summary,
  { scope, at }: { readonly scope: number; readonly at: number },
  row: number,
  name: string,
  fits: (kind: number) => boolean,
): Resolution | undefined {
  const language = resolver.language(file);
  const owner = summary.scopes.ownerOf(scope);
  const own = row < 0 ? [] : [...summary.decls.inScope(scope, row)];
  const always = own.filter(
    (decl) => summary.decls.kindOf(decl) === D.typeParam || (summary.decls.kindOf(decl) === D.param && fits(D.param)),
  );
  if (always.length > 0) return fromEntities(distinctTargets(resolver, file, summary, always), 'scope');
  if (language.bareMembers && owner >= 0) {
    const type = { file, decl: owner };
    const self: Value = { kind: 'instance', ...type, args: [] };
    const found = reachedByOwnName(resolver, findMember(resolver, type, name).found).filter(
      (member) => !isLent(resolver, member, self) && fits(resolver.summary(member.file).decls.kindOf(member.decl)),
    );
    if (found.length > 0) {
      return fromEntities(
        found.map((member) => ({ kind: 'decl', ...member })),
        'member of the class around',
        self,
      );
    }
    return undefined;
  }
  // `name = name` in a class takes what the name stands for outside of it.
  const bound = language.classBodyNames ? own.filter((decl) => summary.decls.endOf(decl) <= at) : [];
  return bound.length === 0 ? undefined : fromEntities(distinctTargets(resolver, file, summary, bound), 'scope');
}

/** All functions and classes of the name, but only the first of a variable's assignments; bindings followed. */
function distinctTargets(
  resolver: Resolver,
  file: string,
  summary: Summary,
  decls: ArrayLike<number>,
): readonly Entity[] {
  const list = [...(decls as Iterable<number> & ArrayLike<number>)];
  const chosen = list.filter((decl) => !summary.decls.has(decl, F.reassigned));
  return (chosen.length > 0 ? chosen : list.slice(0, 1)).flatMap((decl) => entityOfDecl(resolver, file, summary, decl));
}

// ---- members

function resolveMember(resolver: Resolver, file: string, summary: Summary, expr: number, receiver: Type): Resolution {
  const name = summary.exprs.nameOf(expr);
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
          if (!targets.some((known) => sameDecl(known, entity))) targets.push({ file: entity.file, decl: entity.decl });
          self ??= value;
        } else {
          module ??= entity;
          if (entity.kind === 'module') targets.push({ file: entity.file, decl: -1 });
        }
      }
    }
  }
  if (targets.length > 0 && isExtensionMeant(resolver, file, summary, expr, { targets, self })) {
    const extension = extensionMethods(resolver, file, summary, expr, name, receiver);
    if (extension !== undefined) return extension;
  }
  if (targets.length > 0 || module !== undefined) {
    const found: Resolution = {
      targets: firstAssignments(resolver, targets),
      external: false,
      confidence: 'certain',
      via: 'member',
      ...(module !== undefined ? { module } : {}),
      ...(self !== undefined ? { self } : {}),
    };
    return isCallee(summary, expr) ? narrowed(resolver, file, summary, expr, found) : found;
  }
  const byArgument = membersOfArguments(
    resolver,
    receiver,
    name,
    resolver.language(file).library.commonMembers.has(name),
  );
  if (byArgument.length > 0)
    return { targets: byArgument, external: false, confidence: 'possible', via: 'type argument' };
  const extension = extensionMethods(resolver, file, summary, expr, name, receiver);
  if (extension !== undefined) return extension;
  const implied = memberNotWritten(resolver, file, receiver, name);
  if (implied !== undefined) return implied;
  if (outside && !receiver.unknown)
    return { targets: [], external: true, confidence: 'certain', via: 'member from outside' };
  if (!receiver.unknown && receiver.values.length > 0)
    return { targets: [], external: true, confidence: 'possible', via: 'no such member' };
  return possibleMembers(resolver, file, summary, expr, name);
}

/** What a member may be that the receiver's type does not declare: a generator's, or that of a class below. */
function memberNotWritten(resolver: Resolver, file: string, receiver: Type, name: string): Resolution | undefined {
  const fields = fieldsBehind(resolver, file, receiver, name);
  if (fields.length > 0) return { targets: fields, external: false, confidence: 'possible', via: 'made accessor' };
  const below = membersBelow(resolver, receiver, name);
  return below.length === 0
    ? undefined
    : { targets: below, external: false, confidence: 'possible', via: 'member of a class below' };
}

/**
 * Whether a member is private to another place than the file: then an extension of its name is meant, if there is one.
 */
export const isHidden = (resolver: Resolver, file: string, name: string, member: DeclRef): boolean =>
  member.file !== file &&
  resolver.language(member.file).isPrivate(name, resolver.summary(member.file).decls.flagsOf(member.decl));

/** Whether a member is an interface's that objects of the receiver's class do not have by themselves. */
function isLent(resolver: Resolver, member: DeclRef, receiver: Value): boolean {
  if (receiver.kind !== 'instance' || resolver.language(member.file).interfacesLend) return false;
  const owner = classOfMember(resolver.summary(member.file), member.decl);
  const kindOf = ({ file, decl }: DeclRef): number => resolver.summary(file).decls.kindOf(decl);
  return (
    owner !== undefined &&
    kindOf({ file: member.file, decl: owner }) === D.interface &&
    kindOf(receiver) !== D.interface
  );
}

/** Whether members that were found are out of reach, or none that a call can mean: an extension is meant, if any. */
function isExtensionMeant(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  { targets, self }: { readonly targets: readonly DeclRef[]; readonly self: Value | undefined },
): boolean {
  const name = summary.exprs.nameOf(expr);
  const isOutOfReach = (target: DeclRef): boolean =>
    target.decl >= 0 &&
    (isHidden(resolver, file, name, target) || (self !== undefined && isLent(resolver, target, self)));
  return targets.every(isOutOfReach) || takesNone(resolver, file, summary, expr, targets);
}

/** Whether a call fits none of the functions by its number of arguments. */
function takesNone(
  resolver: Resolver,
  file: string,
  { exprs }: Summary,
  expr: number,
  targets: readonly DeclRef[],
): boolean {
  const call = exprs.roleOf(expr) === R.callee && resolver.language(file).overloads ? exprs.callOf(expr) : -1;
  if (call < 0) return false;
  const args = exprs.argumentsOf(call);
  return targets.every((target) => {
    const summary = resolver.summary(target.file);
    const isFunction = target.decl >= 0 && isFunctionLike(summary.decls.kindOf(target.decl));
    return isFunction && !fit(signatureOf(summary, target.decl), args, false).fits;
  });
}

/** Members of the type arguments of something from outside that may hand its argument out under any name. */
function membersOfArguments(resolver: Resolver, receiver: Type, name: string, isCommon: boolean): DeclRef[] {
  const out: DeclRef[] = [];
  for (const value of receiver.values) {
    if (value.kind !== 'external' || (value.name !== '' && value.name !== MADE_OF)) continue;
    // What library types have too is theirs: `assertThat(list).isEmpty()` asks the assertion.
    if (value.name === MADE_OF && isCommon) continue;
    for (const type of value.args)
      for (const arg of type.values)
        if (arg.kind === 'instance')
          for (const member of findMember(resolver, arg, name).found)
            if (!out.some((known) => sameDecl(known, member))) out.push(member);
  }
  return out;
}

const isCallee = (summary: Summary, expr: number): boolean => summary.exprs.roleOf(expr) === R.callee;

function firstAssignments(resolver: Resolver, targets: readonly DeclRef[]): readonly DeclRef[] {
  if (targets.length < 2) return targets;
  const first = targets.filter(
    (target) => target.decl < 0 || !resolver.summary(target.file).decls.has(target.decl, F.reassigned),
  );
  return first.length > 0 ? first : targets.slice(0, 1);
}

function membersOf(resolver: Resolver, file: string, value: Value, name: string): readonly Entity[] | 'outside' {
  switch (value.kind) {
    case 'instance':
    case 'class':
    case 'super': {
      const search = findMember(resolver, value, name, value.kind === 'super');
      if (search.found.length > 0)
        return reachedByOwnName(resolver, search.found).map((member) => ({ kind: 'decl', ...member }));
      return search.outside ? 'outside' : [];
    }
    case 'module':
    case 'namespace':
      return moduleMember(resolver, file, value, name);
    case 'function': {
      const members = heldAs(resolver, value).flatMap((object) => {
        const found = membersOf(resolver, file, object, name);
        return found === 'outside' ? [] : found;
      });
      return members.length > 0 ? members : 'outside';
    }
    default:
      return 'outside';
  }
}

/** Of members that a class has those that its own name for them reaches. */
const reachedByOwnName = (resolver: Resolver, members: readonly DeclRef[]): readonly DeclRef[] =>
  members.filter((member) => !isExplicit(resolver, member));

/** A member of a module object or of a package. */
export function moduleMember(
  resolver: Resolver,
  from: string,
  value: Value & { kind: 'module' | 'namespace' },
  name: string,
): readonly Entity[] {
  const language = resolver.language(from);
  if (value.kind === 'namespace') return language.resolveModule(`${value.name}.${name}`, from, resolver);
  const exported = resolver.exported(value.file, name);
  return exported.length > 0 ? exported : (language.submodule?.(value.file, name, resolver) ?? []);
}

/** The call whose callee the row is, or -1. */
export const callOf = ({ exprs }: Summary, callee: ExprRow): ExprRow => exprs.callOf(callee);

/** Among overloads and same-named functions those that the call's arguments fit. */
function narrowed(resolver: Resolver, file: string, summary: Summary, expr: number, found: Resolution): Resolution {
  if (found.targets.length < 2) return found;
  const call = summary.exprs.callOf(expr);
  if (call < 0) return found;
  const { functions, others } = apart(resolver, found.targets);
  if (functions.length < 2) return found;
  const { self } = found;
  const fitting = fittingCalls.among(
    resolver,
    self === undefined ? functions : functions.map((target) => ({ ...target, self })),
    { file, expr: call },
  );
  return { ...found, targets: [...others, ...fitting.map(({ file: inFile, decl }) => ({ file: inFile, decl }))] };
}

interface Callable {
  readonly functions: readonly DeclRef[];
  readonly others: readonly DeclRef[];
}

/** Kept for the rows that name the same by the same import, or of whose targets there are many. */
const callable = new WeakMap<readonly DeclRef[], Callable>();

function apart(resolver: Resolver, targets: readonly DeclRef[]): Callable {
  const known = callable.get(targets);
  if (known !== undefined) return known;
  const isFunction = ({ file, decl }: DeclRef): boolean =>
    decl >= 0 && isFunctionLike(resolver.summary(file).decls.kindOf(decl));
  const functions = targets.filter(isFunction);
  const found = { functions, others: targets.filter((target) => !functions.includes(target)) };
  callable.set(targets, found);
  return found;
}

/** Name of what a declaration is, for messages. */
export const declName = (resolver: Resolver, ref: DeclRef): string =>
  ref.decl < 0 ? ref.file : resolver.summary(ref.file).decls.nameOf(ref.decl);
