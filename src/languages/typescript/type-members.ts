/**
 * What is written between the braces of an interface or an object type, and enums.
 *
 * Members are declared like those of a class: properties as fields, methods without a body. What
 * has no name is no block, but gets a name that no identifier can be, for lookup: `()` a call
 * signature, `new()` a construct signature, `[]` an index signature. Separators do not count for hashes, so that adding
 * a member does not change the type's own body.
 */
import { D, E, F, R, S, TAKES } from '../../syntax/summary.js';
import { baseTypes } from './classes.js';
import { docComment } from './doc-comments.js';
import { annotated, declareFunction, declareTypeParameters, parameters, returnTypeOf } from './functions.js';
import { isSpread } from './flow-types.js';
import { FIELD, K } from './kinds.js';

import { modifierFlags } from './modifiers.js';
import { declareSpan, memberName, walkComputedName } from './names.js';
import type { Walk } from './walk.js';

/** Names of the members that have none in the source. */
export const CALL_SIGNATURE = '()';
export const CONSTRUCT_SIGNATURE = 'new()';
export const INDEX_SIGNATURE = '[]';

/** Where members go: `around` is what their text sees, `members` where they are declared. */
export interface MemberHome {
  readonly around: number;
  readonly members: number;
  /** Members are no blocks: those of an object type without a name. */
  readonly anonymous: boolean;
  /** Rows of the types whose members it has too. */
  readonly bases: number[];
  /** What is said of all members at once: `Partial<{ … }>`. */
  readonly all?: AllMembers;
}

/** Flags that each member gets, and those that none has. */
interface AllMembers {
  readonly set: number;
  readonly clear: number;
}

export interface TypeDeclSpec {
  readonly nameNode: number;
  readonly start: number;
  readonly end: number;
  readonly flags: number;
  readonly scope: number;
}

export function declareInterface(w: Walk, node: number, spec: TypeDeclSpec): number {
  const { build } = w;
  const body = w.child(node, FIELD.body);
  const decl = declareSpan(
    w,
    D.interface,
    w.textOf(spec.nameNode),
    w.start(spec.nameNode),
    spec.start,
    spec.end,
    spec.scope,
    spec.flags,
  );
  if (body !== -1) build.set(decl, 'bodyStart', w.start(body));
  const home = openType(w, decl, spec.scope);
  docComment(w, spec.start, node, home.around);
  declareTypeParameters(w, w.child(node, FIELD.type_parameters), home.around, decl);
  const extended = w.childOf(node, K.extends_type_clause);
  const rows: number[] = [];
  if (extended !== -1) baseTypes(w, extended, home.around, rows);
  build.set(decl, 'parts', build.list(rows));
  if (body !== -1) typeMembers(w, body, home);
  return decl;
}

/** Opens the scopes of a named type. An enum's members see each other bare, as those of a namespace. */
export function openType(
  w: Walk,
  decl: number,
  scope: number,
  kind: typeof S.class | typeof S.namespace = S.class,
): MemberHome {
  const around = w.build.scope(S.header, scope, decl, decl);
  const members = w.build.scope(kind, around, decl, decl);
  w.build.set(decl, 'inner', members);
  return { around, members, anonymous: false, bases: [] };
}

/** Declares all members written in an interface body or object type. */
export function typeMembers(w: Walk, node: number, home: MemberHome): void {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.isPart(c)) typeMember(w, c, home);
    else if (w.end(c) - w.start(c) === 1 && w.kind(c) === K[',']) w.build.unhash(w.start(c), w.end(c));
  }
}

function typeMember(w: Walk, node: number, home: MemberHome): void {
  switch (w.kind(node)) {
    case K.property_signature:
      return property(w, node, home);
    case K.method_signature:
      return signature(w, node, home, memberNameOf(w, node));
    case K.call_signature:
      return signature(w, node, home, { text: CALL_SIGNATURE, start: -1 });
    case K.construct_signature:
      return signature(w, node, home, { text: CONSTRUCT_SIGNATURE, start: -1 });
    case K.index_signature:
      return indexSignature(w, node, home);
    case K.ERROR:
      return typeMembers(w, node, home);
    default:
      w.visit(node, home.around);
  }
}

function memberNameOf(w: Walk, node: number): { readonly text: string; readonly start: number } {
  const name = w.child(node, FIELD.name);
  return name === -1 ? { text: '', start: -1 } : memberName(w, name);
}

function property(w: Walk, node: number, home: MemberHome): void {
  const nameNode = w.child(node, FIELD.name);
  if (nameNode === -1) return void w.children(node, home.around);
  if (isSpread(w.text, w.start(node))) {
    const base = annotated(w, w.child(node, FIELD.type), home.around);
    if (base !== -1) home.bases.push(base);
    return;
  }
  const name = memberName(w, nameNode);
  const decl = declareSpan(
    w,
    home.anonymous ? D.local : D.field,
    name.text,
    name.start,
    w.start(node),
    w.end(node),
    home.members,
    flagsOf(w, node, home) | F.bodiless,
  );
  const scope = home.anonymous ? home.around : w.headerScope(home.around, decl);
  walkComputedName(w, nameNode, scope);
  const type = annotated(w, w.child(node, FIELD.type), scope);
  if (type !== -1) w.build.set(decl, 'type', type);
}

const flagsOf = (w: Walk, node: number, { all }: MemberHome): number =>
  (modifierFlags(w, node) & ~(all?.clear ?? 0)) | (all?.set ?? 0);

function signature(
  w: Walk,
  node: number,
  home: MemberHome,
  name: { readonly text: string; readonly start: number },
): void {
  const decl = declareFunction(w, node, {
    kind: home.anonymous || name.start === -1 ? D.lambda : D.method,
    name: name.text,
    nameStart: name.start,
    start: w.start(node),
    end: w.end(node),
    flags: flagsOf(w, node, home),
    scope: home.members,
    around: home.around,
  });
  const inner = w.build.get(decl, 'inner');
  const nameNode = w.child(node, FIELD.name);
  if (nameNode !== -1) walkComputedName(w, nameNode, inner);
  if (name.text === CONSTRUCT_SIGNATURE) w.build.set(decl, 'type', annotated(w, w.child(node, FIELD.type), inner));
}

/** `[key: K]: V`, or the clause of a mapped type `[K in Keys]: V`; the value type is that of the member `[]`. */
export function indexSignature(w: Walk, node: number, home: MemberHome): void {
  const { build } = w;
  const scope = w.blockScope(home.around);
  const decl = declareSpan(w, D.local, INDEX_SIGNATURE, -1, w.start(node), w.end(node), home.members, F.bodiless);
  const mapped = w.childOf(node, K.mapped_type_clause);
  const key = mapped === -1 ? w.child(node, FIELD.name) : w.child(mapped, FIELD.name);
  const keyType = mapped === -1 ? w.child(node, FIELD.index_type) : w.child(mapped, FIELD.type);
  const keys = w.type(keyType, scope);
  if (key !== -1) {
    build.set(w.declare(mapped === -1 ? D.param : D.typeParam, key, key, scope), 'type', keys);
  }
  if (mapped !== -1) w.type(w.child(mapped, FIELD.alias), scope);
  const type = annotated(w, w.child(node, FIELD.type), scope);
  if (type !== -1) build.set(decl, 'type', type);
}

export function declareEnum(w: Walk, node: number, spec: TypeDeclSpec): number {
  const { build } = w;
  const body = w.child(node, FIELD.body);
  const flags = spec.flags | (!w.has(node, K.const) ? 0 : F.const);
  const decl = declareSpan(
    w,
    D.enum,
    w.textOf(spec.nameNode),
    w.start(spec.nameNode),
    spec.start,
    spec.end,
    spec.scope,
    flags,
  );
  if (body !== -1) build.set(decl, 'bodyStart', w.start(body));
  const { members } = openType(w, decl, spec.scope, S.namespace);
  docComment(w, spec.start, node, members);
  if (body !== -1) enumMembers(w, body, members);
  return decl;
}

/** Initialisers of enum members see the other members bare. */
function enumMembers(w: Walk, body: number, members: number): void {
  for (let c = w.firstChild(body); c !== -1; c = w.nextChild(c)) {
    const isName = w.field(c) === FIELD.name;
    const kind = w.kind(c);
    if (kind === K[',']) w.build.unhash(w.start(c), w.end(c));
    if (!w.isPart(c)) continue;
    const nameNode = isName ? c : kind === K.enum_assignment ? w.child(c, FIELD.name) : -1;
    if (nameNode === -1) {
      w.visit(c, members);
      continue;
    }
    const name = memberName(w, nameNode);
    const value = isName ? -1 : w.child(c, FIELD.value);
    const decl = declareSpan(
      w,
      D.enumMember,
      name.text,
      name.start,
      w.start(c),
      w.end(c),
      members,
      F.static | F.readonly,
    );
    if (value === -1) continue;
    w.build.set(decl, 'bodyStart', w.start(value));
    w.build.set(decl, 'value', w.visit(value, w.headerScope(members, decl)));
  }
}

/**
 * `type T = …`. An object type gives T its members, also within `Partial<…>` and the like; an intersection gives it
 * those of its object types, and the other sides as bases. Anything else is an alias: all of it is its header.
 */
export function declareTypeAlias(w: Walk, node: number, spec: TypeDeclSpec): number {
  const { build } = w;
  const value = w.child(node, FIELD.value);
  const sides = value === -1 ? [] : intersectionSides(w, value);
  const isOfNamed = sides.length > 1 && sides.every((side) => NAMED_TYPES.has(w.kind(side)));
  const hasMembers = isOfNamed || sides.some((side) => memberListIn(w, side) !== undefined);
  const decl = declareSpan(
    w,
    D.typeAlias,
    w.textOf(spec.nameNode),
    w.start(spec.nameNode),
    spec.start,
    spec.end,
    spec.scope,
    spec.flags,
  );
  if (hasMembers) build.set(decl, 'bodyStart', w.start(value));
  const home = openType(w, decl, spec.scope);
  docComment(w, spec.start, node, home.around);
  declareTypeParameters(w, w.child(node, FIELD.type_parameters), home.around, decl);
  if (!hasMembers) {
    if (value !== -1) build.set(decl, 'type', w.type(value, home.around));
    return decl;
  }
  for (const side of sides) {
    const list = memberListIn(w, side);
    if (list === undefined) home.bases.push(w.type(side, home.around));
    else {
      for (const name of list.around) w.nameRow(name, home.around, R.type);
      typeMembers(w, list.node, { ...home, all: list.all });
    }
  }
  build.set(decl, 'parts', build.list(home.bases));
  return decl;
}

/** What a type with type arguments stands for may be computed from them. */
const NAMED_TYPES: ReadonlySet<number> = new Set([K.type_identifier, K.nested_type_identifier]);

/** Types that say something of all members of another, and of no member by its name. */
const OF_ALL_MEMBERS: ReadonlyMap<string, AllMembers> = new Map([
  ['Partial', { set: F.optional, clear: 0 }],
  ['Required', { set: 0, clear: F.optional }],
  ['Readonly', { set: F.readonly, clear: 0 }],
]);

interface MemberList {
  readonly node: number;
  readonly all: AllMembers;
  /** The names of the types around it. */
  readonly around: readonly number[];
}

/** The members that a type lists: those of an object type, also within `Partial<…>` and the like. */
function memberListIn(w: Walk, node: number): MemberList | undefined {
  if (w.kind(node) !== K.generic_type)
    return isMemberList(w, node) ? { node, all: { set: 0, clear: 0 }, around: [] } : undefined;
  const name = w.child(node, FIELD.name);
  const list = w.childOf(node, K.type_arguments);
  const outer = name === -1 ? undefined : OF_ALL_MEMBERS.get(w.textOf(name));
  const only = outer === undefined || list === -1 ? -1 : w.first(list);
  if (outer === undefined || only === -1 || w.next(only) !== -1) return undefined;
  const inner = memberListIn(w, only);
  // What stands further out has the last word.
  return inner === undefined
    ? undefined
    : {
        node: inner.node,
        all: { set: (inner.all.set & ~outer.clear) | outer.set, clear: (inner.all.clear & ~outer.set) | outer.clear },
        around: [name, ...inner.around],
      };
}

/** An object type that lists members, and is not a mapped type. */
function isMemberList(w: Walk, node: number): boolean {
  if (w.kind(node) !== K.object_type) return false;
  const first = w.first(node);
  return first === -1 || w.kind(first) !== K.index_signature || !w.has(first, K.mapped_type_clause);
}

/** The sides of `A & B & C`, parentheses removed; the type alone if it is no intersection. */
function intersectionSides(w: Walk, node: number, out: number[] = []): number[] {
  const kind = w.kind(node);
  if (kind === K.intersection_type) {
    for (let c = w.first(node); c !== -1; c = w.next(c)) intersectionSides(w, c, out);
  } else if (kind === K.parenthesized_type && w.first(node) !== -1) intersectionSides(w, w.first(node), out);
  else out.push(node);
  return out;
}

/** An object type where no declaration names it: a closure whose members are no blocks. */
export function anonymousObjectType(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const first = w.first(node);
  if (first !== -1 && w.kind(first) === K.index_signature && w.next(first) === -1)
    return mappingType(w, node, first, scope);
  const block = build.scopeBlock(scope);
  const decl = declareSpan(w, D.anonymousClass, '', -1, w.start(node), w.end(node), scope);
  build.set(decl, 'bodyStart', w.start(node));
  const members = build.scope(S.class, scope, decl, block);
  build.set(decl, 'inner', members);
  const bases: number[] = [];
  typeMembers(w, node, { around: scope, members, anonymous: true, bases });
  build.set(decl, 'parts', build.list(bases));
  return w.expr(E.closure, node, scope, '', decl, -1, R.type);
}

/**
 * `{ [key: K]: V }` and mapped types are mappings: what `Record<K, V>` would be, with a name that
 * takes no place. A type mapped over `keyof T` has the members of T, so it is T as well; nothing
 * but T where each member keeps its type.
 */
function mappingType(w: Walk, node: number, signatureNode: number, scope: number): number {
  const { build } = w;
  const inner = w.blockScope(scope);
  const mapped = w.childOf(signatureNode, K.mapped_type_clause);
  const holder = mapped === -1 ? signatureNode : mapped;
  const key = w.child(holder, FIELD.name);
  const keys = w.type(w.child(holder, mapped === -1 ? FIELD.index_type : FIELD.type), inner);
  if (key !== -1) {
    build.set(w.declare(mapped === -1 ? D.param : D.typeParam, key, key, inner), 'type', keys);
  }
  if (mapped !== -1) w.type(w.child(mapped, FIELD.alias), inner);
  const annotation = w.child(signatureNode, FIELD.type);
  const valueNode = annotation === -1 ? -1 : w.first(annotation);
  const union = (rows: readonly number[]): number => w.expr(E.union, node, scope, 'in', -1, build.list(rows), R.type);
  if (mapped !== -1 && valueNode !== -1 && w.kind(valueNode) === K.lookup_type)
    return union(walkTypes(w, valueNode, inner).slice(0, 1));
  const value = annotated(w, annotation, inner);
  const head = build.expr(E.name, w.start(node), w.start(node), scope, 'Record', -1, -1, R.declares);
  const record = w.index(node, scope, head, [keys, value], R.type);
  const isKeyOf = mapped !== -1 && keys !== -1 && build.exprOp(keys) === E.operator && build.exprA(keys) !== -1;
  return isKeyOf ? union([build.exprA(keys), record]) : record;
}

/** The rows of the types right below a node. */
function walkTypes(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) rows.push(w.type(c, scope));
  return rows;
}

/** `(a: A) => R`: its parameters are declared in a scope of their own, so that type predicates find them. */
export function functionType(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const inner = w.blockScope(scope);
  declareTypeParameters(w, w.child(node, FIELD.type_parameters), inner, -1);
  const params = parameters(w, node, inner).filter((param) => (build.get(param, 'flags') & F.receiver) === 0);
  if (w.state.untyped) typesAlone(w, node, scope, params);
  const types = params.map((param) => build.get(param, 'type'));
  const takes = params.map((param) => takesOf(build.get(param, 'flags')));
  const isPlain = takes.every((sign) => sign === TAKES.once);
  const result =
    w.kind(node) === K.constructor_type ? annotated(w, w.child(node, FIELD.type), inner) : returnTypeOf(w, node, inner);
  return w.expr(E.functionType, node, scope, isPlain ? '' : takes.join(''), result, build.list(types), R.type);
}

/** In JavaScript function types are Flow's, where a parameter without a type is one without a name: `(Node) => R`. */
function typesAlone(w: Walk, node: number, scope: number, params: readonly number[]): void {
  const list = w.child(node, FIELD.parameters);
  if (list === -1) return;
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const name = Math.max(w.child(c, FIELD.pattern), w.child(c, FIELD.name));
    const param = params.find((row) => name !== -1 && w.build.get(row, 'nameStart') === w.start(name));
    if (param !== undefined && w.build.get(param, 'type') === -1)
      w.build.set(param, 'type', w.nameRow(name, scope, R.type));
  }
}

const takesOf = (flags: number): string =>
  (flags & F.rest) !== 0 ? TAKES.any : (flags & F.optional) !== 0 ? TAKES.perhaps : TAKES.once;
