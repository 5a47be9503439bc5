/**
 * Types, fields, enum constants, and local variables.
 *
 * A type has two scopes, as a function has: the header scope with its type parameters, bases and
 * annotations, and in it the inner scope with the members. So a base is never looked up among the
 * members that it brings.
 *
 * An enum constant's value is a `new` row whose type is a `this` row over the constant's name, with
 * role `callee` as in `this(…)`: the constructor that runs is one of the enum around. A constant
 * with a body has a `closure` as value, after that row.
 *
 * A record component is one row: a public field with `F.parameterField`, listed as a parameter of
 * the record. Its accessor has no row unless it is written out.
 */
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { argumentsOf } from './arguments.js';
import { parameters, typeParameters } from './functions.js';
import { annotationRows, modifierFlags, modifiersOf } from './modifiers.js';
import { anonymousClass } from './object-creation.js';
import { declaredType, typesIn, withDimensions } from './types.js';
import type { Handler, Walk } from './walk.js';

const isInterface = (kind: number): boolean => kind === D.interface || kind === D.annotation;

const typeDeclaration =
  (kind: DeclKind): Handler =>
  (x, node, scope) => {
    const { build, kinds } = x;
    const name = x.child(node, kinds.nameField);
    if (!x.present(name)) return x.parts(node, scope);
    const body = x.child(node, kinds.bodyField);
    const modifiers = modifiersOf(x, node);
    const decl = build.decl({
      kind,
      name: x.text(name),
      nameStart: x.start(name),
      start: x.start(node),
      end: x.end(node),
      bodyStart: body === -1 ? x.end(node) : x.start(body),
      scope,
      parent: build.scopeBlock(scope),
      flags: modifierFlags(x, modifiers) | impliedTypeFlags(x, scope, kind),
    });
    const header = build.scope(S.header, scope, build.scopeOwner(scope), decl);
    const inner = build.scope(S.class, header, decl, decl);
    build.set(decl, 'inner', inner);
    x.documented.set(x.start(node), inner);
    build.set(decl, 'decorators', build.list(annotationRows(x, modifiers, header)));
    typeParameters(x, decl, x.childOf(node, kinds.typeParameters), header);
    const components = x.child(node, kinds.parametersField);
    if (components !== -1)
      build.set(
        decl,
        'params',
        build.list(parameters(x, components, header, inner, D.field, F.parameterField | F.final | F.public)),
      );
    build.set(decl, 'parts', build.list(bases(x, node, header)));
    if (body !== -1) x.parts(body, inner);
    return -1;
  };

/** Rows of what the type extends and then implements; the names it permits are rows that stand in no list. */
function bases(x: Walk, node: number, header: number): number[] {
  const { kinds } = x;
  const rows: number[] = [];
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    const kind = x.kind(c);
    if (kind === kinds.superclass || kind === kinds.superInterfaces || kind === kinds.extendsInterfaces)
      typesIn(x, c, header, R.base, rows);
    else if (kind === kinds.permits) typesIn(x, c, header, R.type, []);
  }
  return rows;
}

function impliedTypeFlags(x: Walk, scope: number, kind: DeclKind): number {
  const owner = x.ownerKind(scope);
  if (x.build.scopeKind(scope) !== S.class) return 0;
  return (isInterface(owner) ? F.public | F.static : 0) | (kind === D.class ? 0 : F.static);
}

const enumConstant: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const name = x.child(node, kinds.nameField);
  if (!x.present(name)) return x.parts(node, scope);
  const list = x.child(node, kinds.argumentsField);
  const body = x.child(node, kinds.bodyField);
  const bodyStart = list !== -1 ? x.start(list) : body !== -1 ? x.start(body) : x.end(node);
  const decl = build.decl({
    kind: D.enumMember,
    name: x.text(name),
    nameStart: x.start(name),
    start: x.start(node),
    end: x.end(node),
    bodyStart,
    scope,
    parent: build.scopeBlock(scope),
    flags: F.public | F.static | F.final | F.const,
  });
  const header = build.scope(S.header, scope, build.scopeOwner(scope), decl);
  x.documented.set(x.start(node), header);
  build.set(decl, 'decorators', build.list(annotationRows(x, modifiersOf(x, node), header)));
  const made = build.expr(E.this, x.start(name), x.end(name), header, '', -1, -1, R.callee);
  const row = build.expr(
    E.new,
    x.start(name),
    list === -1 ? x.end(name) : x.end(list),
    header,
    '',
    made,
    argumentsOf(x, list, header),
  );
  build.set(decl, 'value', body === -1 ? row : anonymousClass(x, node, body, made, header));
  return -1;
};

const field: Handler = (x, node, scope) => {
  const anonymous = x.ownerKind(scope) === D.anonymousClass;
  return variables(x, node, scope, anonymous ? D.local : D.field);
};

/** A variable outside every type is one of a source file without a class declaration. */
const localVariable: Handler = (x, node, scope) => variables(x, node, scope, scope === 0 ? D.variable : D.local);

/**
 * Declares the variables of one statement. The first spans the statement up to its own end, the
 * others their declarator. A field's type and value are read in a header scope of its own.
 */
function variables(x: Walk, node: number, scope: number, kind: DeclKind): number {
  const { build, kinds } = x;
  const modifiers = modifiersOf(x, node);
  const typeNode = x.child(node, kinds.typeField);
  const several = isSeveral(x, node);
  const flags = variableFlags(x, scope, kind, modifierFlags(x, modifiers));
  let first = -1;
  let decorators = -1;
  let type = -1;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (x.tree.field[c] !== kinds.declaratorField) continue;
    const name = x.child(c, kinds.nameField);
    if (!x.present(name) || x.kind(name) !== kinds.identifier) {
      x.parts(c, scope);
      continue;
    }
    const end = first === -1 && !several ? x.end(node) : x.end(c);
    const equals = x.childOf(c, kinds.equals);
    const decl = build.decl({
      kind,
      name: x.text(name),
      nameStart: x.start(name),
      start: first === -1 ? x.start(node) : x.start(c),
      end,
      bodyStart: equals === -1 ? end : x.start(equals),
      scope,
      parent: build.scopeBlock(scope),
      flags,
    });
    const own =
      kind === D.local ? x.statementScope(c, scope) : build.scope(S.header, scope, build.scopeOwner(scope), decl);
    if (first === -1) {
      first = decl;
      if (kind !== D.local) x.documented.set(x.start(node), own);
      decorators = build.list(annotationRows(x, modifiers, own));
      type = typeNode === -1 ? -1 : declaredType(x, typeNode, own);
    }
    if (kind !== D.local || (flags & F.final) !== 0) x.constants.add(x.text(name));
    build.set(decl, 'decorators', decorators);
    build.set(decl, 'type', withDimensions(x, type, x.start(name), x.child(c, kinds.dimensionsField), own));
    const value = x.child(c, kinds.valueField);
    if (value !== -1) build.set(decl, 'value', x.value(value, own));
  }
  if (first === -1) {
    annotationRows(x, modifiers, scope);
    if (typeNode !== -1) x.walk(typeNode, scope);
  }
  return -1;
}

function isSeveral(x: Walk, node: number): boolean {
  let count = 0;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) if (x.tree.field[c] === x.kinds.declaratorField) count++;
  return count > 1;
}

function variableFlags(x: Walk, scope: number, kind: DeclKind, written: number): number {
  const flags = kind === D.field && isInterface(x.ownerKind(scope)) ? written | F.public | F.static | F.final : written;
  return (flags & (F.static | F.final)) === (F.static | F.final) ? flags | F.const : flags;
}

export const DECLARATIONS: readonly (readonly [string, Handler])[] = [
  ['class_declaration', typeDeclaration(D.class)],
  ['interface_declaration', typeDeclaration(D.interface)],
  ['enum_declaration', typeDeclaration(D.enum)],
  ['record_declaration', typeDeclaration(D.record)],
  ['annotation_type_declaration', typeDeclaration(D.annotation)],
  ['enum_constant', enumConstant],
  ['field_declaration', field],
  ['constant_declaration', field],
  ['local_variable_declaration', localVariable],
];
