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
import { annotationRows, modifierFlags, modifiersOf } from './modifiers.js';
import { anyOf, declaredType, typeArguments, typeRow, typesIn, withDimensions } from './types.js';
import type { Handler, Walk } from './walk.js';

/** Declares the parameters (or, as fields, the record components) of a list in `inner`; their types and annotations are read in `header`. */
export function parameters(
  x: Walk,
  list: number,
  header: number,
  inner: number,
  kind: DeclKind,
  flags: number,
): number[] {
  const { kinds } = x;
  const rows: number[] = [];
  const stop = x.skip(list);
  for (let c = list + 1; c < stop; c = x.skip(c)) {
    const nodeKind = x.kind(c);
    if (nodeKind === kinds.formalParameter || nodeKind === kinds.spreadParameter) {
      const row = parameter(x, c, header, inner, kind, flags);
      if (row !== -1) rows.push(row);
    } else if (nodeKind === kinds.receiverParameter) receiver(x, c, header);
    else if (x.proper(c)) x.walk(c, header);
  }
  return rows;
}

/** The type of a variable-arity parameter is that of one argument; `F.rest` says that there are many. */
function parameter(x: Walk, node: number, header: number, inner: number, kind: DeclKind, flags: number): number {
  const { build, kinds } = x;
  const modifiers = modifiersOf(x, node);
  const rest = x.kind(node) === kinds.spreadParameter;
  const holder = rest ? x.childOf(node, kinds.variableDeclarator) : node;
  const name = holder === -1 ? -1 : x.child(holder, kinds.nameField);
  const typeNode = rest ? typeOfSpread(x, node) : x.child(node, kinds.typeField);
  if (holder === -1 || !x.present(name) || x.kind(name) !== kinds.identifier) return x.parts(node, header);
  const decorators = build.list(annotationRows(x, modifiers, header));
  const written = typeNode === -1 ? -1 : declaredType(x, typeNode, header);
  const type = withDimensions(x, written, x.start(name), x.child(holder, kinds.dimensionsField), header);
  if (rest) annotationRows(x, node, header);
  const decl = build.decl({
    kind,
    name: x.text(name),
    nameStart: x.start(name),
    start: x.start(node),
    end: x.end(node),
    scope: inner,
    parent: build.scopeBlock(inner),
    flags: flags | modifierFlags(x, modifiers) | (rest ? F.rest : 0),
    type,
  });
  build.set(decl, 'decorators', decorators);
  return decl;
}

function typeOfSpread(x: Walk, node: number): number {
  const { kinds } = x;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c))
    if (x.proper(c) && x.kind(c) !== kinds.modifiers) return x.kind(c) === kinds.variableDeclarator ? -1 : c;
  return -1;
}

/** `Outer Outer.this`: names types and declares nothing. */
function receiver(x: Walk, node: number, scope: number): void {
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (!x.proper(c) || x.kind(c) === x.kinds.this) continue;
    if (x.kind(c) === x.kinds.identifier) x.name(c, scope, R.type);
    else x.walk(c, scope);
  }
}

/** Declares the type parameters in a declaration's header scope. */
export function typeParameters(x: Walk, decl: number, list: number, header: number): void {
  if (list === -1) return;
  const { build, kinds } = x;
  const rows: number[] = [];
  const stop = x.skip(list);
  for (let c = list + 1; c < stop; c = x.skip(c)) {
    if (x.kind(c) !== kinds.typeParameter) continue;
    annotationRows(x, c, header);
    const name = x.childOf(c, kinds.typeIdentifier);
    const bound = x.childOf(c, kinds.typeBound);
    const bounds: number[] = [];
    if (bound !== -1) typesIn(x, bound, header, R.type, bounds);
    if (!x.present(name)) continue;
    rows.push(
      build.decl({
        kind: D.typeParam,
        name: x.text(name),
        nameStart: x.start(name),
        start: x.start(c),
        end: x.end(c),
        scope: header,
        parent: build.scopeBlock(header),
        type: anyOf(x, bounds, bound, header, R.type),
      }),
    );
  }
  build.set(decl, 'typeParams', build.list(rows));
}

/** Flags that a member of an interface or annotation type has unsaid. */
function impliedFlags(x: Walk, scope: number, flags: number, body: number): number {
  const owner = x.ownerKind(scope);
  const bodiless = body === -1 ? F.bodiless : 0;
  if (owner === D.interface || owner === D.annotation)
    return flags | bodiless | ((flags & F.private) === 0 ? F.public : 0) | (body === -1 ? F.abstract : 0);
  return flags | bodiless;
}

/** Declares a method or constructor and its two scopes, and reads the header. */
function functionHeader(
  x: Walk,
  node: number,
  scope: number,
  kind: DeclKind,
  name: string,
  nameNode: number,
): { decl: number; header: number; inner: number } {
  const { build, kinds } = x;
  const modifiers = modifiersOf(x, node);
  const body = x.child(node, kinds.bodyField);
  const anonymous = x.ownerKind(scope) === D.anonymousClass;
  const outer = build.scopeBlock(scope);
  const decl = build.decl({
    kind: anonymous ? D.lambda : kind,
    name,
    nameStart: x.start(nameNode),
    start: x.start(node),
    end: x.end(node),
    bodyStart: body === -1 ? x.end(node) : x.start(body),
    scope,
    parent: outer,
    flags: impliedFlags(x, scope, modifierFlags(x, modifiers), body),
  });
  const block = anonymous ? outer : decl;
  const header = build.scope(S.header, scope, build.scopeOwner(scope), block);
  const inner = build.scope(S.function, header, decl, block);
  build.set(decl, 'inner', inner);
  x.documented.set(x.start(node), inner);
  typeParameters(x, decl, x.child(node, kinds.typeParametersField), header);
  const decorators = annotationRows(x, modifiers, header);
  decorators.push(...annotationRows(x, node, header));
  build.set(decl, 'decorators', build.list(decorators));
  const typeNode = x.child(node, kinds.typeField);
  if (typeNode !== -1)
    build.set(
      decl,
      'type',
      withDimensions(x, typeRow(x, typeNode, header), x.start(typeNode), x.child(node, kinds.dimensionsField), header),
    );
  const list = x.child(node, kinds.parametersField);
  if (list !== -1) build.set(decl, 'params', build.list(parameters(x, list, header, inner, D.param, 0)));
  const throws = x.childOf(node, kinds.throws);
  if (throws !== -1) typesIn(x, throws, header, R.type, []);
  return { decl, header, inner };
}

/** Walks the body's statements in the function's own scope. */
function functionBody(x: Walk, node: number, decl: number, inner: number): void {
  const body = x.child(node, x.kinds.bodyField);
  if (body === -1) return;
  const results = x.returned(() => x.parts(body, inner));
  x.build.set(decl, 'parts', x.build.list(results));
}

const method: Handler = (x, node, scope) => {
  const name = x.child(node, x.kinds.nameField);
  if (!x.present(name)) return x.parts(node, scope);
  const { decl, inner } = functionHeader(x, node, scope, D.method, x.text(name), name);
  // A method without a block of its own refers to what it overrides as a key of a literal does to its member.
  if (x.ownerKind(scope) === D.anonymousClass)
    x.build.expr(E.initializer, x.start(name), x.end(name), scope, x.text(name), -1, -1, R.write);
  functionBody(x, node, decl, inner);
  return -1;
};

const constructor: Handler = (x, node, scope) => {
  const name = x.child(node, x.kinds.nameField);
  if (!x.present(name)) return x.parts(node, scope);
  const { decl, inner } = functionHeader(x, node, scope, D.constructor, '<init>', name);
  if (x.ownerKind(scope) === D.enum) x.build.addFlags(decl, F.private);
  functionBody(x, node, decl, inner);
  return -1;
};

const compactConstructor: Handler = (x, node, scope) => {
  const { build } = x;
  const name = x.child(node, x.kinds.nameField);
  if (!x.present(name)) return x.parts(node, scope);
  const { decl, inner } = functionHeader(x, node, scope, D.constructor, '<init>', name);
  const record = build.scopeOwner(scope);
  if (record !== -1) build.set(decl, 'params', build.get(record, 'params'));
  functionBody(x, node, decl, inner);
  return -1;
};

/** `int x() default 3;` of an annotation type. */
const annotationElement: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const name = x.child(node, kinds.nameField);
  if (!x.present(name)) return x.parts(node, scope);
  const { decl, header } = functionHeader(x, node, scope, D.method, x.text(name), name);
  const value = x.child(node, kinds.valueField);
  if (value !== -1) {
    build.set(decl, 'value', x.value(value, header));
    build.addFlags(decl, F.optional);
  }
  return -1;
};

const lambda: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const block = build.scopeBlock(scope);
  const body = x.child(node, kinds.bodyField);
  const decl = build.decl({
    kind: D.lambda,
    name: '',
    nameStart: -1,
    start: x.start(node),
    end: x.end(node),
    bodyStart: body === -1 ? x.end(node) : x.start(body),
    scope,
    parent: block,
  });
  const inner = build.scope(S.function, scope, decl, block);
  build.set(decl, 'inner', inner);
  const list = x.child(node, kinds.parametersField);
  if (list !== -1) build.set(decl, 'params', build.list(lambdaParameters(x, list, inner)));
  const results = x.returned(() => {
    if (body === -1) return;
    if (x.kind(body) === kinds.block) x.parts(body, inner);
    else x.returns?.push(x.value(body, inner));
  });
  build.set(decl, 'parts', build.list(results));
  return build.expr(E.closure, x.start(node), x.end(node), scope, '', decl);
};

function lambdaParameters(x: Walk, list: number, inner: number): number[] {
  const { kinds } = x;
  if (x.kind(list) === kinds.formalParameters) return parameters(x, list, inner, inner, D.param, 0);
  if (x.kind(list) === kinds.identifier) return x.present(list) ? [untypedParameter(x, list, inner)] : [];
  const rows: number[] = [];
  const stop = x.skip(list);
  for (let c = list + 1; c < stop; c = x.skip(c))
    if (x.kind(c) === kinds.identifier && x.present(c)) rows.push(untypedParameter(x, c, inner));
  return rows;
}

/** A lambda's parameter whose type the context gives. */
function untypedParameter(x: Walk, node: number, inner: number): number {
  return x.build.decl({
    kind: D.param,
    name: x.text(node),
    nameStart: x.start(node),
    start: x.start(node),
    end: x.end(node),
    scope: inner,
    parent: x.build.scopeBlock(inner),
  });
}

/** `this(…)`, `super(…)`, `outer.super(…)`. */
const constructorCall: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const called = x.child(node, kinds.constructorField);
  if (called === -1) return x.parts(node, scope);
  const object = x.child(node, kinds.objectField);
  if (object !== -1) x.walk(object, scope);
  const generic = x.child(node, kinds.typeArgumentsField);
  if (generic !== -1) typeArguments(x, generic, scope);
  const callee = x.walk(called, scope);
  build.setRole(callee, R.callee);
  const list = x.child(node, kinds.argumentsField);
  return build.expr(
    E.call,
    x.start(node),
    list === -1 ? x.end(node) : x.end(list),
    scope,
    '',
    callee,
    argumentsOf(x, list, scope),
  );
};

export const FUNCTIONS: readonly (readonly [string, Handler])[] = [
  ['method_declaration', method],
  ['constructor_declaration', constructor],
  ['compact_constructor_declaration', compactConstructor],
  ['annotation_type_element_declaration', annotationElement],
  ['lambda_expression', lambda],
  ['explicit_constructor_invocation', constructorCall],
];
