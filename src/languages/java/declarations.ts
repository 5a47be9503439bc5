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
import { FIELD, K } from './kinds.js';
import { annotationRows, modifierFlags, modifiersOf } from './modifiers.js';
import { anonymousClass } from './object-creation.js';
import { statementScope } from './patterns.js';
import { declaredType, typesIn, withDimensions } from './types.js';
import type { Handler, Table, Walk } from './walk.js';

const isInterface = (kind: number): boolean => kind === D.interface || kind === D.annotation;

const typeDeclaration =
  (kind: DeclKind): Handler =>
  (w, node, scope) => {
    const { build } = w;
    const name = w.child(node, FIELD.name);
    if (!w.isPresent(name)) return w.children(node, scope);
    const body = w.child(node, FIELD.body);
    const modifiers = modifiersOf(w, node);
    const flags = modifierFlags(w, modifiers) | impliedTypeFlags(w, scope, kind);
    const decl = w.declare(kind, name, node, scope, { body, flags });
    const header = w.headerScope(scope, decl);
    const inner = build.scope(S.class, header, decl, decl);
    build.set(decl, 'inner', inner);
    w.state.documented.set(w.start(node), inner);
    build.set(decl, 'decorators', build.list(annotationRows(w, modifiers, header)));
    typeParameters(w, decl, w.childOf(node, K.type_parameters), header);
    const components = w.child(node, FIELD.parameters);
    if (components !== -1)
      build.set(
        decl,
        'params',
        build.list(parameters(w, components, header, inner, D.field, F.parameterField | F.final | F.public)),
      );
    build.set(decl, 'parts', build.list(bases(w, node, header)));
    if (body !== -1) w.children(body, inner);
    return -1;
  };

/** Rows of what the type extends and then implements; the names it permits are rows that stand in no list. */
function bases(w: Walk, node: number, header: number): number[] {
  const rows: number[] = [];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const kind = w.kind(c);
    if (kind === K.superclass || kind === K.super_interfaces || kind === K.extends_interfaces)
      typesIn(w, c, header, R.base, rows);
    else if (kind === K.permits) typesIn(w, c, header, R.type, []);
  }
  return rows;
}

function impliedTypeFlags(w: Walk, scope: number, kind: DeclKind): number {
  const owner = w.state.ownerKind(scope);
  if (w.build.scopeKind(scope) !== S.class) return 0;
  return (isInterface(owner) ? F.public | F.static : 0) | (kind === D.class ? 0 : F.static);
}

const enumConstant: Handler = (w, node, scope) => {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  if (!w.isPresent(name)) return w.children(node, scope);
  const list = w.child(node, FIELD.arguments);
  const body = w.child(node, FIELD.body);
  const decl = w.declare(D.enumMember, name, node, scope, {
    body: list === -1 ? body : list,
    flags: F.public | F.static | F.final | F.const,
  });
  const header = w.headerScope(scope, decl);
  w.state.documented.set(w.start(node), header);
  build.set(decl, 'decorators', build.list(annotationRows(w, modifiersOf(w, node), header)));
  const made = w.expr(E.this, name, header, '', -1, -1, R.callee);
  const row = build.expr(
    E.new,
    w.start(name),
    list === -1 ? w.end(name) : w.end(list),
    header,
    '',
    made,
    argumentsOf(w, list, header),
  );
  build.set(decl, 'value', body === -1 ? row : anonymousClass(w, node, body, made, header));
  return -1;
};

const field: Handler = (w, node, scope) => {
  const anonymous = w.state.ownerKind(scope) === D.anonymousClass;
  return variables(w, node, scope, anonymous ? D.local : D.field);
};

/** A variable outside every type is one of a source file without a class declaration. */
const localVariable: Handler = (w, node, scope) => variables(w, node, scope, scope === 0 ? D.variable : D.local);

/**
 * Declares the variables of one statement. The first spans the statement up to its own end, the
 * others their declarator. A field's type and value are read in a header scope of its own.
 */
function variables(w: Walk, node: number, scope: number, kind: DeclKind): number {
  const { build } = w;
  const modifiers = modifiersOf(w, node);
  const typeNode = w.child(node, FIELD.type);
  const several = isSeveral(w, node);
  const flags = variableFlags(w, scope, kind, modifierFlags(w, modifiers));
  let first = -1;
  let decorators = -1;
  let type = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.field(c) !== FIELD.declarator) continue;
    const name = w.child(c, FIELD.name);
    if (!w.isPresent(name) || w.kind(name) !== K.identifier) {
      w.children(c, scope);
      continue;
    }
    const end = first === -1 && !several ? w.end(node) : w.end(c);
    const equals = w.childOf(c, K['=']);
    const decl = w.declare(kind, name, first === -1 ? node : c, scope, { end, body: equals, flags });
    const own = kind === D.local ? statementScope(w, c, scope) : w.headerScope(scope, decl);
    if (first === -1) {
      first = decl;
      if (kind !== D.local) w.state.documented.set(w.start(node), own);
      decorators = build.list(annotationRows(w, modifiers, own));
      type = typeNode === -1 ? -1 : declaredType(w, typeNode, own);
    }
    if (kind !== D.local || (flags & F.final) !== 0) w.state.constants.add(w.textOf(name));
    build.set(decl, 'decorators', decorators);
    build.set(decl, 'type', withDimensions(w, type, w.start(name), w.child(c, FIELD.dimensions), own));
    const value = w.child(c, FIELD.value);
    if (value !== -1) build.set(decl, 'value', w.value(value, own));
  }
  if (first === -1) {
    annotationRows(w, modifiers, scope);
    if (typeNode !== -1) w.visit(typeNode, scope);
  }
  return -1;
}

function isSeveral(w: Walk, node: number): boolean {
  let count = 0;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) if (w.field(c) === FIELD.declarator) count++;
  return count > 1;
}

function variableFlags(w: Walk, scope: number, kind: DeclKind, written: number): number {
  const flags =
    kind === D.field && isInterface(w.state.ownerKind(scope)) ? written | F.public | F.static | F.final : written;
  return (flags & (F.static | F.final)) === (F.static | F.final) ? flags | F.const : flags;
}

export const DECLARATIONS: Table = {
  class_declaration: typeDeclaration(D.class),
  interface_declaration: typeDeclaration(D.interface),
  enum_declaration: typeDeclaration(D.enum),
  record_declaration: typeDeclaration(D.record),
  annotation_type_declaration: typeDeclaration(D.annotation),
  enum_constant: enumConstant,
  field_declaration: field,
  constant_declaration: field,
  local_variable_declaration: localVariable,
};
