/**
 * What is written between the braces of an interface or an object type, and enums.
 *
 * Members are declared like those of a class: properties as fields, methods without a body. What
 * has no name is no block, but gets a name that no identifier can be, for lookup: `()` a call
 * signature, `new()` a construct signature, `[]` an index signature. Separators do not count for hashes, so that adding a
 * member does not change the type's own body.
 */
import { D, E, F, R, S } from '../../syntax/summary.js';
import { baseTypes } from './classes.js';
import { docComment } from './doc-comments.js';
import { annotated, declareFunction, declareTypeParameters, parameters, returnTypeOf } from './functions.js';
import { modifierFlags } from './modifiers.js';
import { memberName, walkComputedName } from './names.js';
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
}

export interface TypeDeclSpec {
  readonly nameNode: number;
  readonly start: number;
  readonly end: number;
  readonly flags: number;
  readonly scope: number;
}

export function declareInterface(w: Walk, node: number, spec: TypeDeclSpec): number {
  const { build, f } = w;
  const body = w.child(node, f.body);
  const decl = w.declare(
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
  declareTypeParameters(w, w.child(node, f.type_parameters), home.around, decl);
  const extended = w.childOf(node, 'extends_type_clause');
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
  return { around, members, anonymous: false };
}

/** Declares all members written in an interface body or object type. */
export function typeMembers(w: Walk, node: number, home: MemberHome): void {
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (w.isPart(c)) typeMember(w, c, home);
    else if (w.end(c) - w.start(c) === 1 && w.kind(c) === ',') w.build.unhash(w.start(c), w.end(c));
  }
}

function typeMember(w: Walk, node: number, home: MemberHome): void {
  switch (w.kind(node)) {
    case 'property_signature':
      return property(w, node, home);
    case 'method_signature':
      return signature(w, node, home, memberNameOf(w, node));
    case 'call_signature':
      return signature(w, node, home, { text: CALL_SIGNATURE, start: -1 });
    case 'construct_signature':
      return signature(w, node, home, { text: CONSTRUCT_SIGNATURE, start: -1 });
    case 'index_signature':
      return indexSignature(w, node, home);
    case 'ERROR':
      return typeMembers(w, node, home);
    default:
      w.statement(node, home.around);
  }
}

function memberNameOf(w: Walk, node: number): { readonly text: string; readonly start: number } {
  const name = w.child(node, w.f.name);
  return name === -1 ? { text: '', start: -1 } : memberName(w, name);
}

function property(w: Walk, node: number, home: MemberHome): void {
  const nameNode = w.child(node, w.f.name);
  if (nameNode === -1) return w.statements(node, home.around);
  const name = memberName(w, nameNode);
  const decl = w.declare(
    home.anonymous ? D.local : D.field,
    name.text,
    name.start,
    w.start(node),
    w.end(node),
    home.members,
    modifierFlags(w, node) | F.bodiless,
  );
  const scope = home.anonymous ? home.around : w.headerScope(home.around, decl);
  walkComputedName(w, nameNode, scope);
  const type = annotated(w, w.child(node, w.f.type), scope);
  if (type !== -1) w.build.set(decl, 'type', type);
}

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
    flags: modifierFlags(w, node),
    scope: home.members,
    around: home.around,
  });
  const inner = w.build.get(decl, 'inner');
  const nameNode = w.child(node, w.f.name);
  if (nameNode !== -1) walkComputedName(w, nameNode, inner);
  if (name.text === CONSTRUCT_SIGNATURE) w.build.set(decl, 'type', annotated(w, w.child(node, w.f.type), inner));
}

/** `[key: K]: V`, or the clause of a mapped type `[K in Keys]: V`; the value type is that of the member `[]`. */
export function indexSignature(w: Walk, node: number, home: MemberHome): void {
  const { build, f } = w;
  const scope = w.blockScope(home.around);
  const decl = w.declare(D.local, INDEX_SIGNATURE, -1, w.start(node), w.end(node), home.members, F.bodiless);
  const mapped = w.childOf(node, 'mapped_type_clause');
  const key = mapped === -1 ? w.child(node, f.name) : w.child(mapped, f.name);
  const keyType = mapped === -1 ? w.child(node, f.index_type) : w.child(mapped, f.type);
  const keys = w.type(keyType, scope);
  if (key !== -1) {
    build.set(w.declareNode(mapped === -1 ? D.param : D.typeParam, key, scope), 'type', keys);
  }
  if (mapped !== -1) w.type(w.child(mapped, f.alias), scope);
  const type = annotated(w, w.child(node, f.type), scope);
  if (type !== -1) build.set(decl, 'type', type);
}

export function declareEnum(w: Walk, node: number, spec: TypeDeclSpec): number {
  const { build, f } = w;
  const body = w.child(node, f.body);
  const flags = spec.flags | (w.childOf(node, 'const') === -1 ? 0 : F.const);
  const decl = w.declare(
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
  const stop = w.skip(body);
  for (let c = body + 1; c < stop; c = w.skip(c)) {
    const isName = (w.tree.field[c] as number) === w.f.name;
    const kind = w.kind(c);
    if (kind === ',') w.build.unhash(w.start(c), w.end(c));
    if (!w.isPart(c)) continue;
    const nameNode = isName ? c : kind === 'enum_assignment' ? w.child(c, w.f.name) : -1;
    if (nameNode === -1) {
      w.statement(c, members);
      continue;
    }
    const name = memberName(w, nameNode);
    const value = isName ? -1 : w.child(c, w.f.value);
    const decl = w.declare(D.enumMember, name.text, name.start, w.start(c), w.end(c), members, F.static | F.readonly);
    if (value === -1) continue;
    w.build.set(decl, 'bodyStart', w.start(value));
    w.build.set(decl, 'value', w.expression(value, w.headerScope(members, decl)));
  }
}

/**
 * `type T = …`. An object type gives T its members; an intersection gives it those of its object
 * types, which are then no blocks, and the other sides as bases. Anything else is an alias: all
 * of it is its header.
 */
export function declareTypeAlias(w: Walk, node: number, spec: TypeDeclSpec): number {
  const { build, f } = w;
  const value = w.child(node, f.value);
  const sides = value === -1 ? [] : intersectionSides(w, value);
  const hasMembers = sides.some((side) => isMemberList(w, side));
  const decl = w.declare(
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
  declareTypeParameters(w, w.child(node, f.type_parameters), home.around, decl);
  if (!hasMembers) {
    if (value !== -1) build.set(decl, 'type', w.type(value, home.around));
    return decl;
  }
  const bases: number[] = [];
  for (const side of sides) {
    if (isMemberList(w, side)) typeMembers(w, side, sides.length === 1 ? home : { ...home, anonymous: true });
    else bases.push(w.type(side, home.around));
  }
  build.set(decl, 'parts', build.list(bases));
  return decl;
}

/** An object type that lists members, and is not a mapped type. */
function isMemberList(w: Walk, node: number): boolean {
  if (w.kind(node) !== 'object_type') return false;
  const first = w.part(node);
  return first === -1 || w.kind(first) !== 'index_signature' || w.childOf(first, 'mapped_type_clause') === -1;
}

/** The sides of `A & B & C`, parentheses removed; the type alone if it is no intersection. */
function intersectionSides(w: Walk, node: number, out: number[] = []): number[] {
  const kind = w.kind(node);
  if (kind === 'intersection_type') {
    const stop = w.skip(node);
    for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) intersectionSides(w, c, out);
  } else if (kind === 'parenthesized_type' && w.part(node) !== -1) intersectionSides(w, w.part(node), out);
  else out.push(node);
  return out;
}

/** An object type where no declaration names it: a closure whose members are no blocks. */
export function anonymousObjectType(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const first = w.part(node);
  if (first !== -1 && w.kind(first) === 'index_signature' && w.skip(first) >= w.skip(node) - 1)
    return mappingType(w, node, first, scope);
  const block = build.scopeBlock(scope);
  const decl = w.declare(D.anonymousClass, '', -1, w.start(node), w.end(node), scope);
  build.set(decl, 'bodyStart', w.start(node));
  const members = build.scope(S.class, scope, decl, block);
  build.set(decl, 'inner', members);
  typeMembers(w, node, { around: scope, members, anonymous: true });
  return build.expr(E.closure, w.start(node), w.end(node), scope, '', decl, -1, R.type);
}

/**
 * `{ [key: K]: V }` and mapped types are mappings: what `Record<K, V>` would be, with a name that
 * takes no place. A type mapped over `keyof T` has the members of T, so it is T as well; nothing
 * but T where each member keeps its type.
 */
function mappingType(w: Walk, node: number, signatureNode: number, scope: number): number {
  const { build, f } = w;
  const inner = w.blockScope(scope);
  const mapped = w.childOf(signatureNode, 'mapped_type_clause');
  const holder = mapped === -1 ? signatureNode : mapped;
  const key = w.child(holder, f.name);
  const keys = w.type(w.child(holder, mapped === -1 ? f.index_type : f.type), inner);
  if (key !== -1) {
    build.set(w.declareNode(mapped === -1 ? D.param : D.typeParam, key, inner), 'type', keys);
  }
  if (mapped !== -1) w.type(w.child(mapped, f.alias), inner);
  const annotation = w.child(signatureNode, f.type);
  const valueNode = annotation === -1 ? -1 : w.part(annotation);
  const union = (rows: readonly number[]): number =>
    build.expr(E.union, w.start(node), w.end(node), scope, '', -1, build.list(rows), R.type);
  if (mapped !== -1 && valueNode !== -1 && w.kind(valueNode) === 'lookup_type')
    return union(walkTypes(w, valueNode, inner).slice(0, 1));
  const value = annotated(w, annotation, inner);
  const head = build.expr(E.name, w.start(node), w.start(node), scope, 'Record', -1, -1, R.declares);
  const record = build.expr(E.index, w.start(node), w.end(node), scope, '', head, build.list([keys, value]), R.type);
  const isKeyOf = mapped !== -1 && keys !== -1 && build.exprOp(keys) === E.operator && build.exprA(keys) !== -1;
  return isKeyOf ? union([build.exprA(keys), record]) : record;
}

/** The rows of the types right below a node. */
function walkTypes(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) rows.push(w.type(c, scope));
  return rows;
}

/** `(a: A) => R`: its parameters are declared in a scope of their own, so that type predicates find them. */
export function functionType(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const inner = w.blockScope(scope);
  declareTypeParameters(w, w.child(node, w.f.type_parameters), inner, -1);
  const types = parameters(w, node, inner).map((param) => build.get(param, 'type'));
  const result =
    w.kind(node) === 'constructor_type' ? annotated(w, w.child(node, w.f.type), inner) : returnTypeOf(w, node, inner);
  return build.expr(E.functionType, w.start(node), w.end(node), scope, '', result, build.list(types), R.type);
}
