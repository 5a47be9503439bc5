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
import { docRows } from './doc-comments.js';
import { argumentsRow } from './expressions.js';
import { aimNew, constraints, functionTarget, parameters, typeParameters, walkBody } from './functions.js';
import { initialValue } from './initial-value.js';
import { T } from './kinds.js';
import { typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

const ACCESS = F.private | F.protected | F.public;

/** Flags of the modifiers in front of a declaration; `internal` sets `written` only. */
function modifiers(w: Walk, node: number): { flags: number; written: boolean } {
  let flags = 0;
  let written = false;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const tag = w.tag(c);
    if (tag !== T.modifier) {
      if (w.tree.field[c] === w.kinds.fields.name) break;
      continue;
    }
    const keyword = w.first(c);
    switch (keyword === -1 ? T.other : w.tag(keyword)) {
      case T.public:
        flags |= F.public;
        written = true;
        break;
      case T.private:
        flags |= F.private;
        written = true;
        break;
      case T.protected:
        flags |= F.protected;
        written = true;
        break;
      case T.internal:
        written = true;
        break;
      case T.file:
        flags |= F.private;
        written = true;
        break;
      case T.static:
        flags |= F.static;
        break;
      case T.abstract:
        flags |= F.abstract;
        break;
      case T.sealed:
        flags |= F.final;
        break;
      case T.virtual:
        flags |= F.virtual;
        break;
      case T.override:
        flags |= F.override;
        break;
      case T.readonly:
        flags |= F.readonly;
        break;
      case T.const:
        flags |= F.const | F.static;
        break;
      case T.new:
        flags |= F.hiding;
        break;
      case T.async:
        flags |= F.async;
        break;
      case T.partial:
        flags |= F.partial;
        break;
      default:
    }
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
  [T.class_declaration]: D.class,
  [T.struct_declaration]: D.struct,
  [T.interface_declaration]: D.interface,
  [T.enum_declaration]: D.enum,
  [T.record_declaration]: D.record,
};

/** Class, struct, interface, enum, record. */
const typeDeclaration: Handler = (w, node, scope) => {
  const { build } = w;
  const { fields } = w.kinds;
  const doc = w.takeDoc();
  const kind = TYPE_KINDS[w.tag(node)] as DeclKind;
  const name = w.inField(node, fields.name);
  const body = w.inField(node, fields.body);
  const decl = build.decl({
    kind,
    name: name === -1 ? '' : w.name(name),
    nameStart: name === -1 ? -1 : w.nameStart(name),
    start: w.start(node),
    end: w.end(node),
    bodyStart: body === -1 ? w.end(node) : w.start(body),
    scope,
    parent: build.scopeBlock(scope),
    flags: memberFlags(w, node, scope, false),
  });
  const header = build.scope(S.header, scope, decl, decl);
  const inner = build.scope(S.class, header, decl, decl);
  build.set(decl, 'inner', inner);
  docRows(w, doc, node, inner);
  const bases: number[] = [];
  const decorators: number[] = [];
  let typeParams: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    switch (w.tag(c)) {
      case T.attribute_list:
      case T.preproc_if_in_attribute_list:
        decorators.push(...attributesOf(w, c, header));
        break;
      case T.type_parameter_list:
        typeParams = typeParameters(w, c, header, decl);
        break;
      case T.parameter_list:
        primaryConstructor(w, c, header, inner, decl, kind === D.record);
        break;
      case T.base_list:
        baseList(w, c, header, bases, kind === D.enum);
        break;
      case T.type_parameter_constraints_clause:
        constraints(w, c, header, typeParams);
        break;
      default:
    }
  }
  build.set(decl, 'parts', build.list(bases));
  build.set(decl, 'decorators', build.list(decorators));
  build.set(decl, 'typeParams', build.list(typeParams));
  if (body !== -1) w.visitChildren(body, inner);
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
  const params = parameters(w, list, header, header, decl).decls;
  build.set(decl, 'params', build.list(params));
  if (!isRecord) return;
  for (const param of params) {
    build.decl({
      kind: D.property,
      name: build.declName(param),
      nameStart: build.get(param, 'nameStart'),
      start: build.get(param, 'start'),
      end: build.get(param, 'end'),
      scope: inner,
      parent: decl,
      flags: F.parameterField | F.public | F.getter,
      type: build.get(param, 'type'),
    });
  }
}

/** Bases in order; arguments after a base call its constructor. An enum's underlying type is no base. */
function baseList(w: Walk, list: number, header: number, bases: number[], isEnum: boolean): void {
  for (let c = w.first(list); c !== -1; c = w.next(list, c)) {
    if (!w.counts(c)) continue;
    const tag = w.tag(c);
    if (tag === T.argument_list) continue;
    const type = tag === T.primary_constructor_base_type ? w.inField(c, w.kinds.fields.type) : c;
    if (type === -1) continue;
    if (isEnum) {
      typeRow(w, type, header);
      continue;
    }
    const base = typeRow(w, type, header, R.base);
    if (base >= 0) bases.push(base);
    const next = tag === T.primary_constructor_base_type ? w.ofTag(c, T.argument_list) : w.next(list, c);
    if (next === -1 || w.tag(next) !== T.argument_list) continue;
    const callee = w.expr(E.super, type, header, '', -1, -1, R.callee);
    w.build.expr(E.call, w.start(type), w.end(next), header, '', callee, argumentsRow(w, next, header));
  }
}

const enumMember: Handler = (w, node, scope) => {
  const { build } = w;
  const { fields } = w.kinds;
  const doc = w.takeDoc();
  const name = w.inField(node, fields.name);
  if (name === -1) return w.visitChildren(node, scope);
  const value = w.inField(node, fields.value);
  const decl = build.decl({
    kind: D.enumMember,
    name: w.name(name),
    nameStart: w.nameStart(name),
    start: w.start(node),
    end: w.end(node),
    bodyStart: value === -1 ? w.end(node) : w.start(value),
    scope,
    parent: build.scopeBlock(scope),
    flags: F.public | F.static | F.const,
  });
  const header = memberHeader(w, decl, scope);
  docRows(w, doc, node, header);
  build.set(decl, 'decorators', build.list(attributesOf(w, node, header)));
  build.set(decl, 'value', w.visit(value, header));
  return -1;
};

function memberHeader(w: Walk, decl: number, scope: number): number {
  return w.build.scope(S.header, scope, w.build.scopeOwner(scope), decl);
}

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
  const { fields } = w.kinds;
  const doc = w.takeDoc();
  const body = w.inField(node, fields.body);
  const initializer = w.ofTag(node, T.constructor_initializer);
  const bodyStart = initializer !== -1 ? w.start(initializer) : body !== -1 ? w.start(body) : w.end(node);
  const decl = build.decl({
    kind: what.kind,
    name: what.name,
    nameStart: what.nameStart,
    start: w.start(node),
    end: w.end(node),
    bodyStart,
    scope,
    parent: build.scopeBlock(scope),
    flags: what.flags,
  });
  const header = memberHeader(w, decl, scope);
  const inner = build.scope(S.function, header, decl, decl);
  build.set(decl, 'inner', inner);
  docRows(w, doc, node, inner);
  const decorators: number[] = [];
  let typeParams: number[] = [];
  let typeNode = -1;
  let target = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    switch (w.tag(c)) {
      case T.attribute_list:
      case T.preproc_if_in_attribute_list:
        decorators.push(...attributesOf(w, c, header));
        break;
      case T.explicit_interface_specifier:
        typeRow(w, w.firstNamed(c), header);
        break;
      case T.type_parameter_list:
        typeParams = typeParameters(w, c, header, decl);
        break;
      case T.type_parameter_constraints_clause:
        constraints(w, c, header, typeParams);
        break;
      case T.parameter_list: {
        const { decls, extension } = parameters(w, c, header, inner, decl);
        build.set(decl, 'params', build.list(decls));
        if (extension) build.addFlags(decl, F.extension);
        break;
      }
      case T.constructor_initializer:
        constructorInitializer(w, c, inner);
        break;
      default:
        if (w.tree.field[c] !== fields.returns && w.tree.field[c] !== fields.type) break;
        typeNode = c;
        build.set(decl, 'type', typeRow(w, c, header));
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
  return w.tag(type) === T.predefined_type && w.tree.text.startsWith('void', w.start(type));
}

/** `: base(x)` and `: this(x)`. */
function constructorInitializer(w: Walk, node: number, inner: number): void {
  let callee = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const tag = w.tag(c);
    if (tag === T.base) callee = w.expr(E.super, c, inner, '', -1, -1, R.callee);
    else if (tag === T.this) callee = w.expr(E.this, c, inner, '', -1, -1, R.callee);
    else if (tag === T.argument_list) w.expr(E.call, node, inner, '', callee, argumentsRow(w, c, inner));
  }
}

const method: Handler = (w, node, scope) => {
  const name = w.inField(node, w.kinds.fields.name);
  if (name === -1) return w.visitChildren(node, scope);
  const explicit = w.ofTag(node, T.explicit_interface_specifier) !== -1;
  let flags = memberFlags(w, node, scope, explicit);
  if (w.inField(node, w.kinds.fields.body) === -1) flags |= F.bodiless | (inInterface(w, scope) ? F.abstract : 0);
  return callable(w, node, scope, { kind: D.method, name: w.name(name), nameStart: w.nameStart(name), flags });
};

const localFunction: Handler = (w, node, scope) => {
  const name = w.inField(node, w.kinds.fields.name);
  if (name === -1) return w.visitChildren(node, scope);
  // In a class's own scope it is a method that broken code around it made look like one.
  const kind = w.build.scopeKind(scope) === S.class ? D.method : D.function;
  return callable(w, node, scope, {
    kind,
    name: w.name(name),
    nameStart: w.nameStart(name),
    flags: memberFlags(w, node, scope, false),
  });
};

const constructor: Handler = (w, node, scope) => {
  const name = w.inField(node, w.kinds.fields.name);
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
  const name = w.inField(node, w.kinds.fields.name);
  if (name === -1) return w.visitChildren(node, scope);
  return callable(w, node, scope, {
    kind: D.method,
    name: `~${w.name(name)}`,
    nameStart: w.nameStart(name),
    flags: F.protected | F.override,
  });
};

const operator: Handler = (w, node, scope) => {
  const symbol = w.inField(node, w.kinds.fields.operator);
  const keyword = w.ofTag(node, T.operator);
  const at = keyword === -1 ? -1 : w.start(keyword);
  const name = symbol === -1 ? 'operator' : `operator${w.tree.text.slice(w.start(symbol), w.end(symbol))}`;
  return callable(w, node, scope, { kind: D.method, name, nameStart: at, flags: memberFlags(w, node, scope, false) });
};

const conversion: Handler = (w, node, scope) => {
  const keyword = w.ofTag(node, T.operator);
  const at = keyword === -1 ? -1 : w.start(keyword);
  const name = w.ofTag(node, T.implicit) !== -1 ? 'operator(implicit)' : 'operator(explicit)';
  return callable(w, node, scope, { kind: D.method, name, nameStart: at, flags: memberFlags(w, node, scope, false) });
};

const delegate: Handler = (w, node, scope) => {
  const name = w.inField(node, w.kinds.fields.name);
  if (name === -1) return w.visitChildren(node, scope);
  return callable(w, node, scope, {
    kind: D.delegate,
    name: w.name(name),
    nameStart: w.nameStart(name),
    flags: memberFlags(w, node, scope, false),
  });
};

/** Fields and events without accessors: one declaration a name. */
const field: Handler = (w, node, scope) => {
  const { build } = w;
  const { fields } = w.kinds;
  const doc = w.takeDoc();
  const list = w.ofTag(node, T.variable_declaration);
  if (list === -1) return w.visitChildren(node, scope);
  const flags = memberFlags(w, node, scope, false);
  let type = -1;
  let typeNode = -1;
  let first = -1;
  let decorators = -1;
  for (let c = w.first(list); c !== -1; c = w.next(list, c)) {
    if (w.tree.field[c] === fields.type) typeNode = c;
    if (w.tag(c) !== T.variable_declarator) continue;
    const name = w.inField(c, fields.name);
    if (name === -1) {
      // Broken code: what should be a call looks like a type and a deconstruction.
      if (first === -1) typeRow(w, typeNode, scope);
      w.visitChildren(c, scope);
      continue;
    }
    const value = initialValue(w, c, name);
    const start = first === -1 ? w.start(node) : w.start(c);
    const end = first === -1 ? (nextDeclarator(w, list, c) ?? w.end(node)) : w.end(c);
    const decl = build.decl({
      kind: D.field,
      name: w.name(name),
      nameStart: w.nameStart(name),
      start,
      end,
      bodyStart: value === -1 ? end : w.start(value),
      scope,
      parent: build.scopeBlock(scope),
      flags,
    });
    const header = memberHeader(w, decl, scope);
    if (first === -1) {
      first = decl;
      docRows(w, doc, node, header);
      decorators = build.list(attributesOf(w, node, header));
      type = typeRow(w, typeNode, header);
    }
    const sizes = w.ofTag(c, T.bracketed_argument_list);
    if (sizes !== -1) w.visitChildren(sizes, header);
    aimNew(w, value, type);
    build.set(decl, 'type', type);
    build.set(decl, 'decorators', decorators);
    build.set(decl, 'value', w.visit(value, header));
  }
  return -1;
};

function nextDeclarator(w: Walk, list: number, declarator: number): number | undefined {
  for (let c = w.next(list, declarator); c !== -1; c = w.next(list, c))
    if (w.tag(c) === T.variable_declarator) return w.start(c);
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
  const { fields } = w.kinds;
  const doc = w.takeDoc();
  const accessors = w.inField(node, fields.accessors);
  const value = w.inField(node, fields.value);
  const explicit = w.ofTag(node, T.explicit_interface_specifier) !== -1;
  const bodies = accessors !== -1 && hasBodies(w, accessors);
  let flags = memberFlags(w, node, scope, explicit) | accessorFlags(w, accessors);
  if (value !== -1 && accessors === -1) flags |= F.getter;
  else if (!bodies && ((flags & F.abstract) !== 0 || (inInterface(w, scope) && (flags & F.static) === 0)))
    flags |= F.bodiless | F.abstract;
  const decl = build.decl({
    kind: D.property,
    name,
    nameStart,
    start: w.start(node),
    end: w.end(node),
    bodyStart: bodies ? w.start(accessors) : value !== -1 ? w.start(value) : w.end(node),
    scope,
    parent: build.scopeBlock(scope),
    flags,
  });
  const header = memberHeader(w, decl, scope);
  docRows(w, doc, node, header);
  build.set(decl, 'decorators', build.list(attributesOf(w, node, header)));
  const specifier = w.ofTag(node, T.explicit_interface_specifier);
  if (specifier !== -1) typeRow(w, w.firstNamed(specifier), header);
  const type = typeRow(w, w.inField(node, fields.type), header);
  build.set(decl, 'type', type);
  const outer = decorate(decl, header);
  for (let c = accessors === -1 ? -1 : w.first(accessors); c !== -1; c = w.next(accessors, c)) {
    if (w.tag(c) === T.accessor_declaration) accessor(w, c, outer, decl, type);
  }
  if (value === -1) return -1;
  if (w.tag(value) === T.arrow_expression_clause)
    build.set(decl, 'parts', build.list(walkBody(w, value, outer, decl, type)));
  else {
    aimNew(w, value, type);
    build.set(decl, 'value', w.visit(value, header));
  }
  return -1;
}

function hasBodies(w: Walk, accessors: number): boolean {
  for (let c = w.first(accessors); c !== -1; c = w.next(accessors, c)) {
    if (w.tag(c) === T.accessor_declaration && w.inField(c, w.kinds.fields.body) !== -1) return true;
  }
  return false;
}

function accessorFlags(w: Walk, accessors: number): number {
  let flags = 0;
  for (let c = accessors === -1 ? -1 : w.first(accessors); c !== -1; c = w.next(accessors, c)) {
    const name = w.tag(c) === T.accessor_declaration ? w.inField(c, w.kinds.fields.name) : -1;
    if (name === -1) continue;
    const tag = w.tag(name);
    if (tag === T.get) flags |= F.getter;
    else if (tag === T.set || tag === T.init) flags |= F.setter;
  }
  return flags;
}

/** An accessor is no block: its text belongs to the property. All but `get` have the parameter `value`. */
function accessor(w: Walk, node: number, outer: number, decl: number, type: number): void {
  const { build } = w;
  const { fields } = w.kinds;
  attributesOf(w, node, outer);
  const body = w.inField(node, fields.body);
  if (body === -1) return;
  const scope = build.scope(S.function, outer, build.scopeOwner(outer), decl);
  const name = w.inField(node, fields.name);
  const isGet = name !== -1 && w.tag(name) === T.get;
  if (!isGet)
    build.decl({
      kind: D.param,
      name: 'value',
      nameStart: -1,
      start: w.start(node),
      end: w.end(node),
      scope,
      parent: decl,
      type,
    });
  const returns = walkBody(w, body, scope, decl, isGet ? type : -1);
  if (isGet) build.set(decl, 'parts', build.list(returns));
}

const namedProperty: Handler = (w, node, scope) => {
  const name = w.inField(node, w.kinds.fields.name);
  if (name === -1) return w.visitChildren(node, scope);
  return property(w, node, scope, w.name(name), w.nameStart(name), (_decl, header) => header);
};

const indexer: Handler = (w, node, scope) => {
  const keyword = w.ofTag(node, T.this);
  return property(w, node, scope, 'this[]', keyword === -1 ? -1 : w.start(keyword), (decl, header) => {
    const { build } = w;
    const inner = build.scope(S.function, header, build.scopeOwner(header), decl);
    build.set(decl, 'inner', inner);
    build.set(
      decl,
      'params',
      build.list(parameters(w, w.inField(node, w.kinds.fields.parameters), header, inner, decl).decls),
    );
    return inner;
  });
};

export const DECLARATION_HANDLERS: Readonly<Record<number, Handler>> = {
  [T.class_declaration]: typeDeclaration,
  [T.struct_declaration]: typeDeclaration,
  [T.interface_declaration]: typeDeclaration,
  [T.enum_declaration]: typeDeclaration,
  [T.record_declaration]: typeDeclaration,
  [T.enum_member_declaration]: enumMember,
  [T.delegate_declaration]: delegate,
  [T.field_declaration]: field,
  [T.event_field_declaration]: field,
  [T.event_declaration]: namedProperty,
  [T.property_declaration]: namedProperty,
  [T.indexer_declaration]: indexer,
  [T.method_declaration]: method,
  [T.local_function_statement]: localFunction,
  [T.constructor_declaration]: constructor,
  [T.destructor_declaration]: finaliser,
  [T.operator_declaration]: operator,
  [T.conversion_operator_declaration]: conversion,
};
