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
import { modifierFlags, setDecorators } from './modifiers.js';
import { memberName, walkComputedName } from './names.js';
import type { ThisAssignment, Walk } from './walk.js';

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
  const { build, f } = w;
  const body = w.child(node, f.body);
  const decl = w.declare(
    spec.kind,
    spec.name,
    spec.nameStart,
    spec.start,
    spec.end,
    spec.scope,
    spec.flags | (w.childOf(node, 'abstract') === -1 ? 0 : F.abstract),
  );
  if (body !== -1) build.set(decl, 'bodyStart', w.start(body));
  const anonymous = spec.kind === D.anonymousClass;
  const block = anonymous ? build.scopeBlock(spec.scope) : decl;
  setDecorators(w, decl, spec.scope, spec.decorated, []);
  const around = build.scope(S.header, spec.scope, decl, block);
  const members = build.scope(S.class, around, decl, block);
  build.set(decl, 'inner', members);
  if (!anonymous) docComment(w, spec.start, node, around);
  const ownName = w.child(node, f.name);
  if (ownName !== -1 && w.start(ownName) !== spec.nameStart) {
    const value = build.expr(E.closure, w.start(node), w.end(node), around, '', decl);
    w.declareNode(D.local, ownName, around, 0, value);
  }
  declareTypeParameters(w, w.child(node, f.type_parameters), around, decl);
  build.set(decl, 'parts', build.list(heritage(w, node, around)));
  if (body !== -1)
    walkClassBody(w, body, {
      around,
      members,
      anonymous,
      decorators: [],
      thisAssignments: w.tables.untyped ? [] : undefined,
    });
  return decl;
}

/** Base expressions, `extends` before `implements`. */
function heritage(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  const clause = w.childOf(node, 'class_heritage');
  if (clause === -1) return rows;
  const stop = w.skip(clause);
  for (let c = clause + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    switch (w.kind(c)) {
      case 'extends_clause':
        extendsClause(w, c, scope, rows);
        break;
      case 'implements_clause':
        baseTypes(w, c, scope, rows);
        break;
      default:
        pushBase(w, w.expression(c, scope), rows);
    }
  }
  return rows;
}

function extendsClause(w: Walk, node: number, scope: number, rows: number[]): void {
  const stop = w.skip(node);
  let base = -1;
  let baseNode = -1;
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    if (w.kind(c) === 'type_arguments' && base !== -1) {
      base = w.build.expr(
        E.index,
        w.start(baseNode),
        w.end(c),
        scope,
        '',
        base,
        w.build.list(typeArguments(w, c, scope)),
        R.type,
      );
    } else {
      if (base !== -1) pushBase(w, base, rows);
      base = w.expression(c, scope);
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
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) pushBase(w, w.type(c, scope), rows);
}

export function typeArguments(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) rows.push(w.type(c, scope));
  return rows;
}

function walkClassBody(w: Walk, node: number, body: Body): void {
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) classMember(w, c, body);
  for (const left of body.decorators) w.statement(left, body.around);
  if (body.thisAssignments !== undefined) declareAssignedFields(w, body.members, body.thisAssignments);
}

function classMember(w: Walk, node: number, body: Body): void {
  switch (w.kind(node)) {
    case 'decorator':
      body.decorators.push(node);
      return;
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature':
      return method(w, node, body);
    case 'public_field_definition':
    case 'field_definition':
      return field(w, node, body);
    case 'class_static_block':
      return staticBlock(w, node, body);
    case 'index_signature':
      w.statement(node, body.around);
      return;
    case 'ERROR': {
      const stop = w.skip(node);
      for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) classMember(w, c, body);
      return;
    }
    default:
      w.statement(node, body.around);
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
  const nameNode = w.child(node, w.f.name);
  const { before, start } = takeDecorators(w, body, node);
  if (nameNode === -1) {
    w.statement(node, body.around);
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

const FUNCTION_VALUES: ReadonlySet<string> = new Set(['arrow_function', 'function_expression', 'generator_function']);
export const isFunctionValue = (w: Walk, node: number): boolean => node !== -1 && FUNCTION_VALUES.has(w.kind(node));

function field(w: Walk, node: number, body: Body): void {
  const nameNode = Math.max(w.child(node, w.f.name), w.child(node, w.f.property));
  if (nameNode === -1) return w.statements(node, body.around);
  const name = memberName(w, nameNode);
  const value = w.child(node, w.f.value);
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
    adoptFunctionType(w, decl, annotated(w, w.child(node, w.f.type), header));
    walkComputedName(w, nameNode, header);
    return;
  }
  if (value !== -1 && w.kind(value) === 'class' && !body.anonymous) {
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
  const decl = w.declare(body.anonymous ? D.local : D.field, name.text, name.start, start, end, body.members, flags);
  if (value !== -1) w.build.set(decl, 'bodyStart', w.start(value));
  setDecorators(w, decl, body.around, [node], before);
  const scope = w.headerScope(body.around, body.anonymous ? w.build.scopeBlock(body.around) : decl);
  docComment(w, start, node, scope);
  walkComputedName(w, nameNode, scope);
  const type = annotated(w, w.child(node, w.f.type), scope);
  if (type !== -1) w.build.set(decl, 'type', type);
  const row = value === -1 ? -1 : w.expression(value, scope);
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
  const inner = w.child(node, w.f.body);
  if (inner === -1) return w.statements(node, body.around);
  const scope = w.blockScope(body.around);
  const outer = w.context;
  w.context = { varScope: scope, results: [], generator: false, thisAssignments: undefined, inConstructor: false };
  w.statements(inner, scope);
  w.context = outer;
}

/** Fields that methods of plain JavaScript declare by assignment: the constructor's assignments count as first. */
function declareAssignedFields(w: Walk, members: number, found: readonly ThisAssignment[]): void {
  const { build } = w;
  const ordered = [...found.filter((a) => a.inConstructor), ...found.filter((a) => !a.inConstructor)];
  const names = new Set<string>();
  for (const assignment of ordered) {
    const declared = names.has(assignment.name);
    if (!declared && build.findDecl(members, assignment.name) !== -1) continue;
    names.add(assignment.name);
    w.declare(
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
