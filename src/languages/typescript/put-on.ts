/**
 * Members that plain JavaScript puts on a thing after it is declared:
 *
 *     function Store(name) { this.name = name; }       a class, its constructor, its field `name`
 *     Store.prototype.put = function (key) { … };       a method `put`; so in a literal that is the prototype
 *     Store.open = function () { … };                   a static method `open`
 *     inherits(Store, Base);                            a base; so `Store.prototype = Object.create(Base.prototype)`
 *     const kit = {}; kit.cut = function () { … };      a method `cut` of the object
 *
 * A function is a class where its file says `.prototype` of its name, or has it inherit. Its members stand outside of
 * its text, as blocks of it. What is put on from another scope than that of the declaration is nobody's.
 */
import type { NewArgument } from '../../syntax/summary-builder.js';
import { D, E, F, R, S } from '../../syntax/summary.js';
import { declareAssignedFields, isFunctionValue } from './classes.js';
import { docComment } from './doc-comments.js';
import { declareFunction, type FunctionSpec } from './functions.js';
import { FIELD, K } from './kinds.js';
import { modifierFlags } from './modifiers.js';
import { declareSpan } from './names.js';
import type { PutOn, Walk } from './walk.js';

/** Declares a function, and as a class with its constructor where members are put on its prototype. */
export function declareFunctionOrClass(w: Walk, node: number, spec: FunctionSpec): number {
  const body = w.child(node, FIELD.body);
  const isPlain = w.kind(node) === K.function_declaration || w.kind(node) === K.function_expression;
  if (body === -1 || !isPlain || !w.state.constructors.has(spec.name) || (spec.flags & F.async) !== 0)
    return declareFunction(w, node, spec);
  const { build } = w;
  const list = w.child(node, FIELD.parameters);
  const start = list === -1 ? w.start(body) : w.start(list);
  const decl = declareSpan(w, D.class, spec.name, spec.nameStart, spec.start, spec.end, spec.scope, spec.flags);
  build.set(decl, 'bodyStart', start);
  const around = build.scope(S.header, spec.around, decl, decl);
  const members = build.scope(S.class, around, decl, decl);
  build.set(decl, 'inner', members);
  docComment(w, spec.start, node, around);
  const putOn: PutOn = { decl, members, around, isClass: true, assigned: [] };
  w.state.putOn.set(decl, putOn);
  declareFunction(w, node, {
    kind: D.constructor,
    name: 'constructor',
    nameStart: -1,
    start,
    end: w.end(body),
    flags: 0,
    scope: members,
    around,
    members,
    thisAssignments: putOn.assigned,
  });
  return decl;
}

/** Declares the fields that constructors and methods assign, once all of the file is walked. */
export function finishPutOn(w: Walk): void {
  for (const { members, assigned } of w.state.putOn.values())
    if (assigned !== undefined) declareAssignedFields(w, members, assigned);
}

/** Where `object` names a thing of this scope, or its prototype, that thing. */
function targetOf(
  w: Walk,
  node: number,
  scope: number,
): { readonly on: PutOn; readonly isPrototype: boolean } | undefined {
  const isPrototype = isPrototypeOf(w, node);
  const named = isPrototype ? w.child(node, FIELD.object) : node;
  if (named === -1 || w.kind(named) !== K.identifier) return undefined;
  const on = w.state.putOn.get(w.build.findDecl(scope, w.textOf(named)));
  return on === undefined || (isPrototype && !on.isClass) ? undefined : { on, isPrototype };
}

function isPrototypeOf(w: Walk, node: number): boolean {
  if (w.kind(node) !== K.member_expression) return false;
  const property = w.child(node, FIELD.property);
  return property !== -1 && w.textOf(property) === 'prototype';
}

/**
 * The row of what is assigned to, where the assignment puts a member on a thing, or gives a class its members or its
 * base; undefined for any other assignment.
 */
export function putOnMember(w: Walk, node: number, left: number, right: number, scope: number): number | undefined {
  if (w.state.putOn.size === 0 || right === -1 || w.kind(left) !== K.member_expression) return undefined;
  const object = w.child(left, FIELD.object);
  const property = w.child(left, FIELD.property);
  if (object === -1 || property === -1) return undefined;
  const whole = targetOf(w, left, scope);
  if (whole?.isPrototype === true) return givePrototype(w, left, right, whole.on, scope);
  const target = targetOf(w, object, scope);
  if (target === undefined) return undefined;
  const name = w.textOf(property);
  if (name === '__proto__') {
    const row = w.visit(left, scope);
    derive(w, target.on, w.visit(right, scope));
    return row;
  }
  if (w.build.findDecl(target.on.members, name) !== -1) return undefined;
  return declareMember(w, { node, left, property, right, name, scope }, target);
}

interface Assigned {
  readonly node: number;
  readonly left: number;
  readonly property: number;
  readonly right: number;
  readonly name: string;
  readonly scope: number;
}

function declareMember(
  w: Walk,
  { node, left, property, right, name, scope }: Assigned,
  { on, isPrototype }: { readonly on: PutOn; readonly isPrototype: boolean },
): number {
  const { build } = w;
  const parent = w.tree.parent[node] as number;
  const statement = w.kind(parent) === K.expression_statement ? parent : node;
  const row = w.visit(left, scope);
  build.setRole(row, R.declares);
  const isStatic = on.isClass && !isPrototype ? F.static : 0;
  const [start, end] = [w.start(statement), w.end(statement)];
  if (isFunctionValue(w, right))
    declareFunction(w, right, {
      kind: D.method,
      name,
      nameStart: w.start(property),
      start,
      end,
      flags: isStatic | modifierFlags(w, right),
      scope: on.members,
      around: on.around,
      members: on.members,
      thisAssignments: isStatic === 0 ? on.assigned : undefined,
    });
  else {
    const decl = declareSpan(w, D.field, name, w.start(property), start, end, on.members, isStatic);
    build.set(decl, 'bodyStart', w.start(right));
    build.set(decl, 'value', w.visit(right, w.headerScope(on.around, decl)));
  }
  return row;
}

/** `F.prototype = { … }`, `F.prototype = Object.create(Base.prototype)`, `F.prototype = new Base()`. */
function givePrototype(w: Walk, left: number, right: number, on: PutOn, scope: number): number {
  const row = w.visit(left, scope);
  w.build.setRole(row, R.write);
  if (w.kind(right) === K.object) w.state.memberLiteral = { node: right, owner: on.decl, on };
  derive(w, on, w.visit(right, scope));
  return row;
}

/** `Object.assign(F.prototype, { … })`: what the literal holds are members. Said before the arguments are walked. */
export function assignedToPrototype(w: Walk, callee: number, list: number, scope: number): void {
  const first = list === -1 ? -1 : w.first(list);
  if (w.state.putOn.size === 0 || callee === -1 || first === -1 || !GIVING_MEMBERS.has(calledName(w, callee))) return;
  const target = targetOf(w, first, scope);
  if (target?.isPrototype !== true) return;
  const { on } = target;
  for (let c = w.next(first); c !== -1; c = w.next(c))
    if (w.kind(c) === K.object) return void (w.state.memberLiteral = { node: c, owner: on.decl, on });
}

const GIVING_MEMBERS: ReadonlySet<string> = new Set(['assign', 'extend']);

/** `inherits(F, Base)`, `Object.setPrototypeOf(F.prototype, Base.prototype)`. `given`: its arguments. */
export function inheritedByCall(
  w: Walk,
  callee: number,
  list: number,
  given: readonly NewArgument[],
  scope: number,
): void {
  const first = list === -1 ? -1 : w.first(list);
  if (w.state.putOn.size === 0 || callee === -1 || first === -1 || !INHERITING.has(calledName(w, callee))) return;
  const target = targetOf(w, first, scope);
  if (target !== undefined) derive(w, target.on, given[1]?.expr ?? -1);
}

const INHERITING: ReadonlySet<string> = new Set(['inherits', 'setPrototypeOf']);

/** The last name of what is called; '' where there is none. */
function calledName(w: Walk, callee: number): string {
  const property = w.kind(callee) === K.member_expression ? w.child(callee, FIELD.property) : callee;
  return property !== -1 && NAMES.has(w.kind(property)) ? w.textOf(property) : '';
}

const NAMES: ReadonlySet<number> = new Set([K.identifier, K.property_identifier]);

/** Gives the class the base that a row is: a class, an object of it, or its prototype. */
function derive(w: Walk, on: PutOn, row: number): void {
  const { build } = w;
  if (row === -1 || !on.isClass) return;
  const base = baseIn(w, row);
  if (base === -1) return;
  w.setHeadRole(base, R.base);
  // It is the class that derives, wherever that is said.
  build.setScope(base, on.around);
  build.set(on.decl, 'parts', build.list([base]));
}

function baseIn(w: Walk, row: number): number {
  const { build } = w;
  switch (build.exprOp(row)) {
    case E.cast:
      return build.exprB(row);
    case E.new:
      return build.exprA(row);
    case E.call: {
      const [prototype] = build.argumentsOf(row);
      return prototype === undefined || build.exprOp(prototype) !== E.cast ? -1 : build.exprB(prototype);
    }
    case E.name:
    case E.member:
      return row;
    default:
      return -1;
  }
}
