/**
 * Types and their members: what stands in a namespace or a type's body.
 *
 *     scope around ── header (attributes, bases, type parameters, primary constructor) ── inner (members)
 *
 * Type parameters and primary constructor parameters live in the header scope rather than in
 * `inner`: so a base list does not see the members that it brings, and `x.T` finds no type
 * parameter. Members that say nothing of their accessibility are private, in an interface public.
 */
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { attributesOf } from './attributes.js';
import { docBefore, docRows } from './doc-comments.js';
import { argumentsRow } from './expressions.js';
import { aimNew, constraints, functionTarget, parameters, typeParameters, walkBody } from './functions.js';
import { initialValue } from './initial-value.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Table, Walk } from './walk.js';

const ACCESS = F.private | F.protected | F.public;

/** Keywords and their flags. `internal` has none; `file` is the file's own, and so private. */
const MODIFIERS: ReadonlyMap<number, number> = new Map([
  [K.public, F.public],
  [K.private, F.private],
  [K.protected, F.protected],
  [K.file, F.private],
  [K.static, F.static],
  [K.abstract, F.abstract],
  [K.sealed, F.final],
  [K.virtual, F.virtual],
  [K.override, F.override],
  [K.readonly, F.readonly],
  [K.const, F.const | F.static],
  [K.new, F.hiding],
  [K.async, F.async],
  [K.partial, F.partial],
]);

/** Flags of the modifiers in front of a declaration, and whether one of them says who sees it. */
function modifiers(w: Walk, node: number): { flags: number; written: boolean } {
  let flags = 0;
  let written = false;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== K.modifier) {
      if (w.field(c) === FIELD.name) break;
      continue;
    }
    const keyword = w.firstChild(c);
    const kind = keyword === -1 ? K.other : w.kind(keyword);
    const flag = MODIFIERS.get(kind) ?? 0;
    flags |= flag;
    written ||= kind === K.internal || (flag & ACCESS) !== 0;
  }
  // `private protected` is seen by derived classes: not private to the class.
  if ((flags & F.protected) !== 0) flags &= ~F.private;
  return { flags, written };
}

/** Flags of a member: its modifiers, and the accessibility that it has where it says nothing. */
function memberFlags(w: Walk, node: number, scope: number, explicit: boolean): number {
  const { flags, written } = modifiers(w, node);
  if (explicit) return flags | F.explicit;
  if (written || (flags & ACCESS) !== 0 || w.build.scopeKind(scope) !== S.class) return flags;
  return flags | (w.build.get(w.build.scopeOwner(scope), 'kind') === D.interface ? F.public : F.private);
}

function inInterface(w: Walk, scope: number): boolean {
  return w.build.scopeKind(scope) === S.class && w.build.get(w.build.scopeOwner(scope), 'kind') === D.interface;
}

const TYPE_KINDS: Readonly<Record<number, DeclKind>> = {
  [K.class_declaration]: D.class,
  [K.struct_declaration]: D.struct,
  [K.interface_declaration]: D.interface,
  [K.enum_declaration]: D.enum,
  [K.record_declaration]: D.record,
};

/** Class, struct, interface, enum, record. */
const typeDeclaration: Handler = (w, node, scope) => {
  const { build } = w;
  const doc = docBefore(w, node);
  const kind = TYPE_KINDS[w.kind(node)] as DeclKind;
  const name = w.child(node, FIELD.name);
  const body = w.child(node, FIELD.body);
  const decl = w.declare(kind, name, node, scope, { body, flags: memberFlags(w, node, scope, false) });
  const header = build.scope(S.header, scope, decl, decl);
  const inner = build.scope(S.class, header, decl, decl);
  build.set(decl, 'inner', inner);
  docRows(w, doc, node, inner);
  const bases: number[] = [];
  const decorators: number[] = [];
  let typeParams: number[] = [];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    switch (w.kind(c)) {
      case K.attribute_list:
      case K.preproc_if_in_attribute_list:
        decorators.push(...attributesOf(w, c, header));
        break;
      case K.type_parameter_list:
        typeParams = typeParameters(w, c, header);
        break;
      case K.parameter_list:
        primaryConstructor(w, c, header, inner, decl, kind === D.record);
        break;
      case K.base_list:
        baseList(w, c, header, bases, kind === D.enum);
        break;
      case K.type_parameter_constraints_clause:
        constraints(w, c, header, typeParams);
        break;
      default:
    }
  }
  build.set(decl, 'parts', build.list(bases));
  build.set(decl, 'decorators', build.list(decorators));
  build.set(decl, 'typeParams', build.list(typeParams));
  if (body !== -1) w.lastOf(body, inner);
  return -1;
};

/** Parameters of the type itself; those of a record are properties, too. */
function primaryConstructor(
  w: Walk,
  list: number,
  header: number,
  inner: number,
  decl: number,
  isRecord: boolean,
): void {
  const { build } = w;
  const params = parameters(w, list, header, header).decls;
  build.set(decl, 'params', build.list(params));
  if (!isRecord) return;
  for (const param of params) {
    w.declare(D.property, -1, list, inner, {
      name: build.declName(param),
      nameStart: build.get(param, 'nameStart'),
      start: build.get(param, 'start'),
      end: build.get(param, 'end'),
      flags: F.parameterField | F.public | F.getter,
      type: build.get(param, 'type'),
    });
  }
}

/** Bases in order; arguments after a base call its constructor. An enum's underlying type is no base. */
function baseList(w: Walk, list: number, header: number, bases: number[], isEnum: boolean): void {
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const tag = w.kind(c);
    if (tag === K.argument_list) continue;
    const type = tag === K.primary_constructor_base_type ? w.child(c, FIELD.type) : c;
    if (type === -1) continue;
    if (isEnum) {
      w.type(type, header);
      continue;
    }
    const base = w.type(type, header, R.base);
    if (base >= 0) bases.push(base);
    const next = tag === K.primary_constructor_base_type ? w.childOf(c, K.argument_list) : w.nextChild(c);
    if (next === -1 || w.kind(next) !== K.argument_list) continue;
    const callee = w.expr(E.super, type, header, '', -1, -1, R.callee);
    w.build.expr(E.call, w.start(type), w.end(next), header, '', callee, argumentsRow(w, next, header));
  }
}

const enumMember: Handler = (w, node, scope) => {
  const { build } = w;
  const doc = docBefore(w, node);
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.lastOf(node, scope);
  const value = w.child(node, FIELD.value);
  const decl = w.declare(D.enumMember, name, node, scope, { body: value, flags: F.public | F.static | F.const });
  const header = w.headerScope(scope, decl);
  docRows(w, doc, node, header);
  build.set(decl, 'decorators', build.list(attributesOf(w, node, header)));
  build.set(decl, 'value', w.visit(value, header));
  return -1;
};

/** What a callable is called, and where that stands. */
interface Callable {
  readonly kind: DeclKind;
  readonly name: string;
  readonly nameStart: number;
  readonly flags: number;
}

/** Method, constructor, finaliser, operator, conversion, local function, delegate. */
function callable(w: Walk, node: number, scope: number, what: Callable): number {
  const { build } = w;
  const doc = docBefore(w, node);
  const body = w.child(node, FIELD.body);
  const initializer = w.childOf(node, K.constructor_initializer);
  const decl = w.declare(what.kind, -1, node, scope, { ...what, body: initializer === -1 ? body : initializer });
  const header = w.headerScope(scope, decl);
  const inner = build.scope(S.function, header, decl, decl);
  build.set(decl, 'inner', inner);
  docRows(w, doc, node, inner);
  const decorators: number[] = [];
  let typeParams: number[] = [];
  let typeNode = -1;
  let target = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    switch (w.kind(c)) {
      case K.attribute_list:
      case K.preproc_if_in_attribute_list:
        decorators.push(...attributesOf(w, c, header));
        break;
      case K.explicit_interface_specifier:
        w.type(w.first(c), header);
        break;
      case K.type_parameter_list:
        typeParams = typeParameters(w, c, header);
        break;
      case K.type_parameter_constraints_clause:
        constraints(w, c, header, typeParams);
        break;
      case K.parameter_list: {
        const { decls, extension } = parameters(w, c, header, inner);
        build.set(decl, 'params', build.list(decls));
        if (extension) build.addFlags(decl, F.extension);
        break;
      }
      case K.constructor_initializer:
        constructorInitializer(w, c, inner);
        break;
      default:
        if (w.field(c) !== FIELD.returns && w.field(c) !== FIELD.type) break;
        typeNode = c;
        build.set(decl, 'type', w.type(c, header));
        target = functionTarget(w, build.get(decl, 'type'), c, (what.flags & F.async) !== 0);
    }
  }
  build.set(decl, 'decorators', build.list(decorators));
  build.set(decl, 'typeParams', build.list(typeParams));
  if (body === -1) return -1;
  const returns = walkBody(w, body, inner, decl, target);
  if (typeNode !== -1 && !isVoid(w, typeNode)) build.set(decl, 'parts', build.list(returns));
  return -1;
}

function isVoid(w: Walk, type: number): boolean {
  return w.kind(type) === K.predefined_type && w.text.startsWith('void', w.start(type));
}

/** `: base(x)` and `: this(x)`. */
function constructorInitializer(w: Walk, node: number, inner: number): void {
  let callee = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const tag = w.kind(c);
    if (tag === K.base) callee = w.expr(E.super, c, inner, '', -1, -1, R.callee);
    else if (tag === K.this) callee = w.expr(E.this, c, inner, '', -1, -1, R.callee);
    else if (tag === K.argument_list) w.expr(E.call, node, inner, '', callee, argumentsRow(w, c, inner));
  }
}

const method: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.lastOf(node, scope);
  const explicit = w.has(node, K.explicit_interface_specifier);
  let flags = memberFlags(w, node, scope, explicit);
  if (w.child(node, FIELD.body) === -1) flags |= F.bodiless | (inInterface(w, scope) ? F.abstract : 0);
  return callable(w, node, scope, { kind: D.method, name: w.nameOf(name), nameStart: w.nameStart(name), flags });
};

const localFunction: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.lastOf(node, scope);
  // In a class's own scope it is a method that broken code around it made look like one.
  const kind = w.build.scopeKind(scope) === S.class ? D.method : D.function;
  return callable(w, node, scope, {
    kind,
    name: w.nameOf(name),
    nameStart: w.nameStart(name),
    flags: memberFlags(w, node, scope, false),
  });
};

const constructor: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  const flags = memberFlags(w, node, scope, false);
  const nameStart = name === -1 ? -1 : w.nameStart(name);
  return callable(w, node, scope, {
    kind: D.constructor,
    name: (flags & F.static) !== 0 ? '<clinit>' : '<init>',
    nameStart,
    flags,
  });
};

const finaliser: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.lastOf(node, scope);
  return callable(w, node, scope, {
    kind: D.method,
    name: `~${w.nameOf(name)}`,
    nameStart: w.nameStart(name),
    flags: F.protected | F.override,
  });
};

const operator: Handler = (w, node, scope) => {
  const symbol = w.child(node, FIELD.operator);
  const keyword = w.childOf(node, K.operator);
  const at = keyword === -1 ? -1 : w.start(keyword);
  const name = symbol === -1 ? 'operator' : `operator${w.textOf(symbol)}`;
  return callable(w, node, scope, { kind: D.method, name, nameStart: at, flags: memberFlags(w, node, scope, false) });
};

const conversion: Handler = (w, node, scope) => {
  const keyword = w.childOf(node, K.operator);
  const at = keyword === -1 ? -1 : w.start(keyword);
  const name = w.has(node, K.implicit) ? 'operator(implicit)' : 'operator(explicit)';
  return callable(w, node, scope, { kind: D.method, name, nameStart: at, flags: memberFlags(w, node, scope, false) });
};

const delegate: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.lastOf(node, scope);
  return callable(w, node, scope, {
    kind: D.delegate,
    name: w.nameOf(name),
    nameStart: w.nameStart(name),
    flags: memberFlags(w, node, scope, false),
  });
};

/** Fields and events without accessors: one declaration a name. */
const field: Handler = (w, node, scope) => {
  const { build } = w;
  const doc = docBefore(w, node);
  const list = w.childOf(node, K.variable_declaration);
  if (list === -1) return w.lastOf(node, scope);
  const flags = memberFlags(w, node, scope, false);
  let type = -1;
  let typeNode = -1;
  let first = -1;
  let decorators = -1;
  for (let c = w.firstChild(list); c !== -1; c = w.nextChild(c)) {
    if (w.field(c) === FIELD.type) typeNode = c;
    if (w.kind(c) !== K.variable_declarator) continue;
    const name = w.child(c, FIELD.name);
    if (name === -1) {
      // Broken code: what should be a call looks like a type and a deconstruction.
      if (first === -1) w.type(typeNode, scope);
      w.lastOf(c, scope);
      continue;
    }
    const value = initialValue(w, c, name);
    const start = first === -1 ? w.start(node) : w.start(c);
    const end = first === -1 ? (nextDeclarator(w, c) ?? w.end(node)) : w.end(c);
    const decl = build.decl({
      kind: D.field,
      name: w.nameOf(name),
      nameStart: w.nameStart(name),
      start,
      end,
      bodyStart: value === -1 ? end : w.start(value),
      scope,
      parent: build.scopeBlock(scope),
      flags,
    });
    const header = w.headerScope(scope, decl);
    if (first === -1) {
      first = decl;
      docRows(w, doc, node, header);
      decorators = build.list(attributesOf(w, node, header));
      type = w.type(typeNode, header);
    }
    const sizes = w.childOf(c, K.bracketed_argument_list);
    if (sizes !== -1) w.lastOf(sizes, header);
    aimNew(w, value, type);
    build.set(decl, 'type', type);
    build.set(decl, 'decorators', decorators);
    build.set(decl, 'value', w.visit(value, header));
  }
  return -1;
};

function nextDeclarator(w: Walk, declarator: number): number | undefined {
  for (let c = w.nextChild(declarator); c !== -1; c = w.nextChild(c))
    if (w.kind(c) === K.variable_declarator) return w.start(c);
  return undefined;
}

/** Properties, indexers, events with accessors. */
function property(
  w: Walk,
  node: number,
  scope: number,
  name: string,
  nameStart: number,
  decorate: (decl: number, header: number) => number,
): number {
  const { build } = w;
  const doc = docBefore(w, node);
  const accessors = w.child(node, FIELD.accessors);
  const value = w.child(node, FIELD.value);
  const explicit = w.has(node, K.explicit_interface_specifier);
  const bodies = accessors !== -1 && hasBodies(w, accessors);
  let flags = memberFlags(w, node, scope, explicit) | accessorFlags(w, accessors);
  if (value !== -1 && accessors === -1) flags |= F.getter;
  else if (!bodies && ((flags & F.abstract) !== 0 || (inInterface(w, scope) && (flags & F.static) === 0)))
    flags |= F.bodiless | F.abstract;
  const decl = w.declare(D.property, -1, node, scope, { name, nameStart, body: bodies ? accessors : value, flags });
  const header = w.headerScope(scope, decl);
  docRows(w, doc, node, header);
  build.set(decl, 'decorators', build.list(attributesOf(w, node, header)));
  const specifier = w.childOf(node, K.explicit_interface_specifier);
  if (specifier !== -1) w.type(w.first(specifier), header);
  const type = w.type(w.child(node, FIELD.type), header);
  build.set(decl, 'type', type);
  const outer = decorate(decl, header);
  for (let c = accessors === -1 ? -1 : w.firstChild(accessors); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.accessor_declaration) accessor(w, c, outer, decl, type);
  }
  if (value === -1) return -1;
  if (w.kind(value) === K.arrow_expression_clause)
    build.set(decl, 'parts', build.list(walkBody(w, value, outer, decl, type)));
  else {
    aimNew(w, value, type);
    build.set(decl, 'value', w.visit(value, header));
  }
  return -1;
}

function hasBodies(w: Walk, accessors: number): boolean {
  for (let c = w.firstChild(accessors); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.accessor_declaration && w.child(c, FIELD.body) !== -1) return true;
  }
  return false;
}

function accessorFlags(w: Walk, accessors: number): number {
  let flags = 0;
  for (let c = accessors === -1 ? -1 : w.firstChild(accessors); c !== -1; c = w.nextChild(c)) {
    const name = w.kind(c) === K.accessor_declaration ? w.child(c, FIELD.name) : -1;
    if (name === -1) continue;
    const tag = w.kind(name);
    if (tag === K.get) flags |= F.getter;
    else if (tag === K.set || tag === K.init) flags |= F.setter;
  }
  return flags;
}

/** An accessor is no block: its text belongs to the property. All but `get` have the parameter `value`. */
function accessor(w: Walk, node: number, outer: number, decl: number, type: number): void {
  const { build } = w;
  attributesOf(w, node, outer);
  const body = w.child(node, FIELD.body);
  if (body === -1) return;
  const scope = build.scope(S.function, outer, build.scopeOwner(outer), decl);
  const name = w.child(node, FIELD.name);
  const isGet = name !== -1 && w.kind(name) === K.get;
  if (!isGet) w.declare(D.param, -1, node, scope, { name: 'value', type });
  const returns = walkBody(w, body, scope, decl, isGet ? type : -1);
  if (isGet) build.set(decl, 'parts', build.list(returns));
}

const namedProperty: Handler = (w, node, scope) => {
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.lastOf(node, scope);
  return property(w, node, scope, w.nameOf(name), w.nameStart(name), (_decl, header) => header);
};

const indexer: Handler = (w, node, scope) => {
  const keyword = w.childOf(node, K.this);
  return property(w, node, scope, 'this[]', keyword === -1 ? -1 : w.start(keyword), (decl, header) => {
    const { build } = w;
    const inner = build.scope(S.function, header, build.scopeOwner(header), decl);
    build.set(decl, 'inner', inner);
    build.set(decl, 'params', build.list(parameters(w, w.child(node, FIELD.parameters), header, inner).decls));
    return inner;
  });
};

export const DECLARATIONS: Table = {
  class_declaration: typeDeclaration,
  struct_declaration: typeDeclaration,
  interface_declaration: typeDeclaration,
  enum_declaration: typeDeclaration,
  record_declaration: typeDeclaration,
  enum_member_declaration: enumMember,
  delegate_declaration: delegate,
  field_declaration: field,
  event_field_declaration: field,
  event_declaration: namedProperty,
  property_declaration: namedProperty,
  indexer_declaration: indexer,
  method_declaration: method,
  local_function_statement: localFunction,
  constructor_declaration: constructor,
  destructor_declaration: finaliser,
  operator_declaration: operator,
  conversion_operator_declaration: conversion,
};
