/**
 * Methods, constructors, lambdas, and their parameters.
 *
 * A method has two scopes. Its header scope stands in the class's scope and holds what the header
 * says: type parameters, annotations, parameter types, the return type, and the `throws` clause,
 * whose rows are those with role `type` after the parameter list (no column of the declaration
 * points at them). Its inner scope stands in the header's, so that the body sees the type
 * parameters, and declares the parameters.
 *
 * A compact constructor has the parameters of its record. Methods of an anonymous class are
 * declared as lambdas that have a name: they are no blocks.
 */
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { argumentsOf } from './arguments.js';
import { FIELD, K } from './kinds.js';
import { annotationRows, modifierFlags, modifiersOf } from './modifiers.js';
import { anyOf, declaredType, typesIn, withDimensions } from './types.js';
import type { Handler, Table, Walk } from './walk.js';

/**
 * Declares the parameters (or, as fields, the record components) of a list in `inner`; their types and annotations are
 * read in `header`.
 */
export function parameters(
  w: Walk,
  list: number,
  header: number,
  inner: number,
  kind: DeclKind,
  flags: number,
): number[] {
  const rows: number[] = [];
  for (let c = w.firstChild(list); c !== -1; c = w.nextChild(c)) {
    const nodeKind = w.kind(c);
    if (nodeKind === K.formal_parameter || nodeKind === K.spread_parameter) {
      const row = parameter(w, c, header, inner, kind, flags);
      if (row !== -1) rows.push(row);
    } else if (nodeKind === K.receiver_parameter) receiver(w, c, header);
    else if (w.isPart(c)) w.visit(c, header);
  }
  return rows;
}

/** The type of a variable-arity parameter is that of one argument; `F.rest` says that there are many. */
function parameter(w: Walk, node: number, header: number, inner: number, kind: DeclKind, flags: number): number {
  const { build } = w;
  const modifiers = modifiersOf(w, node);
  const rest = w.kind(node) === K.spread_parameter;
  const holder = rest ? w.childOf(node, K.variable_declarator) : node;
  const name = holder === -1 ? -1 : w.child(holder, FIELD.name);
  const typeNode = rest ? typeOfSpread(w, node) : w.child(node, FIELD.type);
  if (holder === -1 || !w.isPresent(name) || w.kind(name) !== K.identifier) return w.children(node, header);
  const decorators = build.list(annotationRows(w, modifiers, header));
  const written = typeNode === -1 ? -1 : declaredType(w, typeNode, header);
  const type = withDimensions(w, written, w.start(name), w.child(holder, FIELD.dimensions), header);
  if (rest) annotationRows(w, node, header);
  const own = flags | modifierFlags(w, modifiers) | (rest ? F.rest : 0);
  const decl = w.declare(kind, name, node, inner, { flags: own, type });
  build.set(decl, 'decorators', decorators);
  return decl;
}

function typeOfSpread(w: Walk, node: number): number {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c))
    if (w.isPart(c) && w.kind(c) !== K.modifiers) return w.kind(c) === K.variable_declarator ? -1 : c;
  return -1;
}

/** `Outer Outer.this`: names types and declares nothing. */
function receiver(w: Walk, node: number, scope: number): void {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c) || w.kind(c) === K.this) continue;
    if (w.kind(c) === K.identifier) w.nameRow(c, scope, R.type);
    else w.visit(c, scope);
  }
}

/** Declares the type parameters in a declaration's header scope. */
export function typeParameters(w: Walk, decl: number, list: number, header: number): void {
  if (list === -1) return;
  const { build } = w;
  const rows: number[] = [];
  for (let c = w.firstChild(list); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== K.type_parameter) continue;
    annotationRows(w, c, header);
    const name = w.childOf(c, K.type_identifier);
    const bound = w.childOf(c, K.type_bound);
    const bounds: number[] = [];
    if (bound !== -1) typesIn(w, bound, header, R.type, bounds);
    if (!w.isPresent(name)) continue;
    rows.push(w.declare(D.typeParam, name, c, header, { type: anyOf(w, bounds, bound, header, R.type) }));
  }
  build.set(decl, 'typeParams', build.list(rows));
}

/** Flags that a member of an interface or annotation type has unsaid. */
function impliedFlags(w: Walk, scope: number, flags: number, body: number): number {
  const owner = w.state.ownerKind(scope);
  const bodiless = body === -1 ? F.bodiless : 0;
  if (owner === D.interface || owner === D.annotation)
    return flags | bodiless | ((flags & F.private) === 0 ? F.public : 0) | (body === -1 ? F.abstract : 0);
  return flags | bodiless;
}

/** Declares a method or constructor and its two scopes, and reads the header. */
function functionHeader(
  w: Walk,
  node: number,
  scope: number,
  kind: DeclKind,
  name: string,
  nameNode: number,
): { decl: number; header: number; inner: number } {
  const { build } = w;
  const modifiers = modifiersOf(w, node);
  const body = w.child(node, FIELD.body);
  const anonymous = w.state.ownerKind(scope) === D.anonymousClass;
  const outer = build.scopeBlock(scope);
  const flags = impliedFlags(w, scope, modifierFlags(w, modifiers), body);
  const decl = w.declare(anonymous ? D.lambda : kind, nameNode, node, scope, { name, body, flags });
  const block = anonymous ? outer : decl;
  const header = build.scope(S.header, scope, build.scopeOwner(scope), block);
  const inner = build.scope(S.function, header, decl, block);
  build.set(decl, 'inner', inner);
  w.state.documented.set(w.start(node), inner);
  typeParameters(w, decl, w.child(node, FIELD.type_parameters), header);
  const decorators = annotationRows(w, modifiers, header);
  decorators.push(...annotationRows(w, node, header));
  build.set(decl, 'decorators', build.list(decorators));
  const typeNode = w.child(node, FIELD.type);
  if (typeNode !== -1)
    build.set(
      decl,
      'type',
      withDimensions(w, w.type(typeNode, header), w.start(typeNode), w.child(node, FIELD.dimensions), header),
    );
  const list = w.child(node, FIELD.parameters);
  if (list !== -1) build.set(decl, 'params', build.list(parameters(w, list, header, inner, D.param, 0)));
  const throws = w.childOf(node, K.throws);
  if (throws !== -1) typesIn(w, throws, header, R.type, []);
  return { decl, header, inner };
}

/** Walks the body's statements in the function's own scope. */
function functionBody(w: Walk, node: number, decl: number, inner: number): void {
  const body = w.child(node, FIELD.body);
  if (body === -1) return;
  const results = w.state.returned(() => w.children(body, inner));
  w.build.set(decl, 'parts', w.build.list(results));
}

const method: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  if (!w.isPresent(name)) return w.children(node, scope);
  const { decl, inner } = functionHeader(w, node, scope, D.method, w.textOf(name), name);
  // A method without a block of its own refers to what it overrides as a key of a literal does to its member.
  if (w.state.ownerKind(scope) === D.anonymousClass) w.keyRow(name, -1, scope, R.write);
  functionBody(w, node, decl, inner);
  return -1;
};

const constructor: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  if (!w.isPresent(name)) return w.children(node, scope);
  const { decl, inner } = functionHeader(w, node, scope, D.constructor, '<init>', name);
  if (w.state.ownerKind(scope) === D.enum) w.build.addFlags(decl, F.private);
  functionBody(w, node, decl, inner);
  return -1;
};

const compactConstructor: Handler = (w, node, scope) => {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  if (!w.isPresent(name)) return w.children(node, scope);
  const { decl, inner } = functionHeader(w, node, scope, D.constructor, '<init>', name);
  const record = build.scopeOwner(scope);
  if (record !== -1) build.set(decl, 'params', build.get(record, 'params'));
  functionBody(w, node, decl, inner);
  return -1;
};

/** `int x() default 3;` of an annotation type. */
const annotationElement: Handler = (w, node, scope) => {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  if (!w.isPresent(name)) return w.children(node, scope);
  const { decl, header } = functionHeader(w, node, scope, D.method, w.textOf(name), name);
  const value = w.child(node, FIELD.value);
  if (value !== -1) {
    build.set(decl, 'value', w.value(value, header));
    build.addFlags(decl, F.optional);
  }
  return -1;
};

const lambda: Handler = (w, node, scope) => {
  const { build } = w;
  const block = build.scopeBlock(scope);
  const body = w.child(node, FIELD.body);
  const decl = w.declare(D.lambda, -1, node, scope, { body });
  const inner = build.scope(S.function, scope, decl, block);
  build.set(decl, 'inner', inner);
  const list = w.child(node, FIELD.parameters);
  if (list !== -1) build.set(decl, 'params', build.list(lambdaParameters(w, list, inner)));
  const results = w.state.returned(() => {
    if (body === -1) return;
    if (w.kind(body) === K.block) w.children(body, inner);
    else w.state.returns?.push(w.value(body, inner));
  });
  build.set(decl, 'parts', build.list(results));
  return w.expr(E.closure, node, scope, '', decl);
};

function lambdaParameters(w: Walk, list: number, inner: number): number[] {
  if (w.kind(list) === K.formal_parameters) return parameters(w, list, inner, inner, D.param, 0);
  if (w.kind(list) === K.identifier) return w.isPresent(list) ? [untypedParameter(w, list, inner)] : [];
  const rows: number[] = [];
  for (let c = w.firstChild(list); c !== -1; c = w.nextChild(c))
    if (w.kind(c) === K.identifier && w.isPresent(c)) rows.push(untypedParameter(w, c, inner));
  return rows;
}

/** A lambda's parameter whose type the context gives. */
function untypedParameter(w: Walk, node: number, inner: number): number {
  return w.declare(D.param, node, node, inner);
}

/** `this(…)`, `super(…)`, `outer.super(…)`. */
const constructorCall: Handler = (w, node, scope) => {
  const { build } = w;
  const called = w.child(node, FIELD.constructor);
  if (called === -1) return w.children(node, scope);
  const object = w.child(node, FIELD.object);
  if (object !== -1) w.visit(object, scope);
  const generic = w.child(node, FIELD.type_arguments);
  if (generic !== -1) w.typesIn(generic, scope);
  const callee = w.visit(called, scope);
  build.setRole(callee, R.callee);
  const list = w.child(node, FIELD.arguments);
  return build.expr(
    E.call,
    w.start(node),
    list === -1 ? w.end(node) : w.end(list),
    scope,
    '',
    callee,
    argumentsOf(w, list, scope),
  );
};

export const FUNCTIONS: Table = {
  method_declaration: method,
  constructor_declaration: constructor,
  compact_constructor_declaration: compactConstructor,
  annotation_type_element_declaration: annotationElement,
  lambda_expression: lambda,
  explicit_constructor_invocation: constructorCall,
};
