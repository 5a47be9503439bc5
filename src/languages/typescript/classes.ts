/**
 * Classes and their members, with or without a name.
 *
 *     scope around ── header (type parameters; heritage, decorators) ──┬── members
 *                                                                      └── each method, each initialiser
 *
 * The scope of the members is nobody's parent: a bare name never means a member. Members of a
 * class without a name are no blocks: functions are `lambda`, fields `local`, names kept.
 * In plain JavaScript, `this.x = v` in a method declares a field unless the class has a member x.
 */
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { docComment } from './doc-comments.js';
import { annotated, declareFunction, declareTypeParameters } from './functions.js';
import { FIELD, K } from './kinds.js';

import { modifierFlags, setDecorators } from './modifiers.js';
import { declareSpan, memberName, walkComputedName } from './names.js';
import { contextOf, type ThisAssignment, type Walk } from './walk.js';

export interface ClassSpec {
  /** `D.class` or `D.anonymousClass`. */
  readonly kind: DeclKind;
  readonly name: string;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly flags: number;
  readonly scope: number;
  /** Nodes whose decorators are the class's. */
  readonly decorated: readonly number[];
}

/** State of one class body. */
interface Body {
  /** Scope that members' text sees. */
  readonly around: number;
  /** Scope that members are declared in. */
  readonly members: number;
  readonly anonymous: boolean;
  /** Decorators that stand before the next member. */
  decorators: number[];
  readonly thisAssignments: ThisAssignment[] | undefined;
}

/** Declares the class at `node` and walks all of it. */
export function declareClass(w: Walk, node: number, spec: ClassSpec): number {
  const { build } = w;
  const body = w.child(node, FIELD.body);
  const decl = declareSpan(
    w,
    spec.kind,
    spec.name,
    spec.nameStart,
    spec.start,
    spec.end,
    spec.scope,
    spec.flags | (!w.has(node, K.abstract) ? 0 : F.abstract),
  );
  if (body !== -1) build.set(decl, 'bodyStart', w.start(body));
  const anonymous = spec.kind === D.anonymousClass;
  const block = anonymous ? build.scopeBlock(spec.scope) : decl;
  setDecorators(w, decl, spec.scope, spec.decorated, []);
  const around = build.scope(S.header, spec.scope, decl, block);
  const members = build.scope(S.class, around, decl, block);
  build.set(decl, 'inner', members);
  if (!anonymous) docComment(w, spec.start, node, around);
  const ownName = w.child(node, FIELD.name);
  if (ownName !== -1 && w.start(ownName) !== spec.nameStart) {
    const value = w.expr(E.closure, node, around, '', decl);
    w.declare(D.local, ownName, ownName, around, { value: value });
  }
  declareTypeParameters(w, w.child(node, FIELD.type_parameters), around, decl);
  build.set(decl, 'parts', build.list(heritage(w, node, around)));
  if (body !== -1)
    walkClassBody(w, body, {
      around,
      members,
      anonymous,
      decorators: [],
      thisAssignments: w.state.untyped ? [] : undefined,
    });
  return decl;
}

/** Base expressions, `extends` before `implements`. */
function heritage(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  const clause = w.childOf(node, K.class_heritage);
  if (clause === -1) return rows;
  for (let c = w.first(clause); c !== -1; c = w.next(c)) {
    switch (w.kind(c)) {
      case K.extends_clause:
        extendsClause(w, c, scope, rows);
        break;
      case K.implements_clause:
        baseTypes(w, c, scope, rows);
        break;
      default:
        pushBase(w, w.visit(c, scope), rows);
    }
  }
  return rows;
}

function extendsClause(w: Walk, node: number, scope: number, rows: number[]): void {
  let base = -1;
  let baseNode = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c)) continue;
    if (w.kind(c) === K.type_arguments && base !== -1) {
      base = w.build.expr(
        E.index,
        w.start(baseNode),
        w.end(c),
        scope,
        '',
        base,
        w.build.list(w.typesIn(c, scope)),
        R.type,
      );
    } else {
      if (base !== -1) pushBase(w, base, rows);
      base = w.visit(c, scope);
      baseNode = c;
    }
  }
  pushBase(w, base, rows);
}

function pushBase(w: Walk, row: number, rows: number[]): void {
  if (row === -1) return;
  if (w.build.exprOp(row) !== E.call) w.setHeadRole(row, R.base);
  rows.push(row);
}

/** The types listed in an `implements` clause or an interface's `extends`. */
export function baseTypes(w: Walk, node: number, scope: number, rows: number[]): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) pushBase(w, w.type(c, scope), rows);
}

function walkClassBody(w: Walk, node: number, body: Body): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) classMember(w, c, body);
  for (const left of body.decorators) w.visit(left, body.around);
  if (body.thisAssignments !== undefined) declareAssignedFields(w, body.members, body.thisAssignments);
}

function classMember(w: Walk, node: number, body: Body): void {
  switch (w.kind(node)) {
    case K.decorator:
      body.decorators.push(node);
      return;
    case K.method_definition:
    case K.method_signature:
    case K.abstract_method_signature:
      return method(w, node, body);
    case K.public_field_definition:
    case K.field_definition:
      return field(w, node, body);
    case K.class_static_block:
      return staticBlock(w, node, body);
    case K.index_signature:
      w.visit(node, body.around);
      return;
    case K.ERROR: {
      for (let c = w.first(node); c !== -1; c = w.next(c)) classMember(w, c, body);
      return;
    }
    default:
      w.visit(node, body.around);
  }
}

/** Decorators before the member; its span begins with them. */
function takeDecorators(
  w: Walk,
  body: Body,
  node: number,
): { readonly before: readonly number[]; readonly start: number } {
  const before = body.decorators;
  if (before.length === 0) return { before, start: w.start(node) };
  body.decorators = [];
  return { before, start: w.start(before[0] as number) };
}

function method(w: Walk, node: number, body: Body): void {
  const nameNode = w.child(node, FIELD.name);
  const { before, start } = takeDecorators(w, body, node);
  if (nameNode === -1) {
    w.visit(node, body.around);
    return;
  }
  const name = memberName(w, nameNode);
  const flags = modifierFlags(w, node);
  const isConstructor = name.text === 'constructor' && (flags & F.static) === 0;
  const kind = body.anonymous ? D.lambda : isConstructor ? D.constructor : D.method;
  const decl = declareFunction(w, node, {
    kind,
    name: name.text,
    nameStart: name.start,
    start,
    end: w.end(node),
    flags,
    scope: body.members,
    around: body.around,
    decorated: [node],
    decorators: before,
    members: body.members,
    thisAssignments: (flags & F.static) !== 0 ? undefined : body.thisAssignments,
  });
  walkComputedName(w, nameNode, w.build.get(decl, 'inner'));
}

const FUNCTION_VALUES: ReadonlySet<number> = new Set([K.arrow_function, K.function_expression, K.generator_function]);
export const isFunctionValue = (w: Walk, node: number): boolean => node !== -1 && FUNCTION_VALUES.has(w.kind(node));

function field(w: Walk, node: number, body: Body): void {
  const nameNode = Math.max(w.child(node, FIELD.name), w.child(node, FIELD.property));
  if (nameNode === -1) return void w.children(node, body.around);
  const name = memberName(w, nameNode);
  const value = w.child(node, FIELD.value);
  const flags = modifierFlags(w, node);
  const { before, start } = takeDecorators(w, body, node);
  const end = w.end(node);
  if (isFunctionValue(w, value)) {
    const decl = declareFunction(w, value, {
      kind: body.anonymous ? D.lambda : D.method,
      name: name.text,
      nameStart: name.start,
      start,
      end,
      flags: flags | modifierFlags(w, value),
      scope: body.members,
      around: body.around,
      decorated: [node],
      decorators: before,
      members: body.members,
      thisAssignments: (flags & F.static) !== 0 ? undefined : body.thisAssignments,
    });
    const header = w.build.get(decl, 'inner');
    adoptFunctionType(w, decl, annotated(w, w.child(node, FIELD.type), header));
    walkComputedName(w, nameNode, header);
    return;
  }
  if (value !== -1 && w.kind(value) === K.class && !body.anonymous) {
    declareClass(w, value, {
      kind: D.class,
      name: name.text,
      nameStart: name.start,
      start,
      end,
      flags,
      scope: body.members,
      decorated: [node],
    });
    return;
  }
  const decl = declareSpan(
    w,
    body.anonymous ? D.local : D.field,
    name.text,
    name.start,
    start,
    end,
    body.members,
    flags,
  );
  if (value !== -1) w.build.set(decl, 'bodyStart', w.start(value));
  setDecorators(w, decl, body.around, [node], before);
  const scope = w.headerScope(body.around, body.anonymous ? w.build.scopeBlock(body.around) : decl);
  docComment(w, start, node, scope);
  walkComputedName(w, nameNode, scope);
  const type = annotated(w, w.child(node, FIELD.type), scope);
  if (type !== -1) w.build.set(decl, 'type', type);
  const row = value === -1 ? -1 : w.visit(value, scope);
  if (row !== -1) w.build.set(decl, 'value', row);
}

/** A variable or field declared with a function type gives its function value the result that this type says. */
export function adoptFunctionType(w: Walk, decl: number, type: number): void {
  if (type === -1) return;
  w.build.set(decl, 'value', type);
  if (w.build.get(decl, 'type') === -1 && w.build.exprOp(type) === E.functionType)
    w.build.set(decl, 'type', w.build.exprA(type));
}

function staticBlock(w: Walk, node: number, body: Body): void {
  const inner = w.child(node, FIELD.body);
  if (inner === -1) return void w.children(node, body.around);
  const scope = w.blockScope(body.around);
  const outer = w.state.context;
  w.state.context = contextOf(scope);
  w.children(inner, scope);
  w.state.context = outer;
}

/** Fields that methods of plain JavaScript declare by assignment: the constructor's assignments count as first. */
export function declareAssignedFields(w: Walk, members: number, found: readonly ThisAssignment[]): void {
  const { build } = w;
  const ordered = [...found.filter((a) => a.inConstructor), ...found.filter((a) => !a.inConstructor)];
  const names = new Set<string>();
  for (const assignment of ordered) {
    const declared = names.has(assignment.name);
    if (!declared && build.findDecl(members, assignment.name) !== -1) continue;
    names.add(assignment.name);
    declareSpan(
      w,
      D.field,
      assignment.name,
      assignment.nameStart,
      assignment.start,
      assignment.end,
      members,
      declared ? F.reassigned : 0,
      assignment.value,
    );
    if (!declared) build.setRole(assignment.row, R.declares);
  }
}
