/**
 * What methods, constructors, local functions, operators and lambdas have in common: parameters,
 * type parameters with their constraints, and a body.
 *
 *     scope around ── header (types, defaults, attributes, type parameters) ── inner (parameters, body)
 *
 * A lambda has no header: its parameter types belong to the text around it.
 */
import { D, E, F, R, S } from '../../syntax/summary.js';
import { attributesOf } from './attributes.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

export interface Parameters {
  readonly decls: number[];
  /** Whether the first has the modifier `this`. */
  readonly extension: boolean;
}

/** Declares the parameters of a list in `inner`; their types, defaults and attributes are text of `header`. */
export function parameters(w: Walk, list: number, header: number, inner: number): Parameters {
  const decls: number[] = [];
  let extension = false;
  // `params A[] rest` has no node of its own: its parts are children of the list.
  let restStart = -1;
  let restType = -1;
  for (let c = list === -1 ? -1 : w.firstChild(list); c !== -1; c = w.nextChild(c)) {
    const tag = w.kind(c);
    if (tag === K.parameter) {
      if (decls.length === 0 && hasThis(w, c)) extension = true;
      const decl = parameter(w, c, header, inner);
      if (decl >= 0) decls.push(decl);
    } else if (tag === K.attribute_list) attributesOf(w, c, header);
    else if (tag === K.params) restStart = w.start(c);
    else if (w.field(c) === FIELD.type) restType = elementType(w, c, header);
    else if (w.field(c) === FIELD.name) {
      decls.push(
        w.declare(D.param, c, c, inner, {
          start: restStart === -1 ? w.start(c) : restStart,
          flags: F.rest | F.optional,
          type: restType,
        }),
      );
    } else if (w.isPart(c)) w.visit(c, header);
  }
  return { decls, extension };
}

/**
 * What one of the `params` arguments is: the element of the array, or the argument of the collection, that is written.
 */
function elementType(w: Walk, node: number, scope: number): number {
  const row = w.type(node, scope);
  if (w.kind(node) === K.array_type) return w.build.exprA(row);
  return w.kind(node) === K.generic_name ? w.state.lastTypeArgument : row;
}

function hasThis(w: Walk, parameterNode: number): boolean {
  const modifier = w.childOf(parameterNode, K.modifier);
  return modifier !== -1 && w.text.startsWith('this', w.start(modifier));
}

function parameter(w: Walk, node: number, header: number, inner: number): number {
  let type = -1;
  let name = -1;
  let value = -1;
  const decorators: number[] = [];
  let flags = 0;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const tag = w.kind(c);
    if (tag === K.attribute_list || tag === K.preproc_if_in_attribute_list)
      decorators.push(...attributesOf(w, c, header));
    else if (tag === K.modifier) flags = handedOver(w.textOf(c), flags);
    else if (w.field(c) === FIELD.type) type = w.type(c, header);
    else if (w.field(c) === FIELD.name) name = c;
    else value = w.value(c, header);
  }
  if (name === -1) return -1;
  if (value !== -1) flags |= F.optional;
  const decl = w.declare(D.param, name, node, inner, { flags, type, value });
  w.build.set(decl, 'decorators', w.build.list(decorators));
  return decl;
}

/** Of the modifiers so far; `ref readonly` changes nothing. */
const handedOver = (modifier: string, flags: number): number =>
  modifier === 'ref' ? F.updated : modifier === 'out' ? F.written : modifier === 'readonly' ? 0 : flags;

/** Declares the type parameters of a list in `scope`. */
export function typeParameters(w: Walk, list: number, scope: number): number[] {
  const decls: number[] = [];
  for (let c = list === -1 ? -1 : w.firstChild(list); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== K.type_parameter) continue;
    const name = w.child(c, FIELD.name);
    if (name === -1) continue;
    attributesOf(w, c, scope);
    decls.push(w.declare(D.typeParam, name, c, scope));
  }
  return decls;
}

/** `where T : A, B`: the bound of T is A, or the union of all. */
export function constraints(w: Walk, clause: number, scope: number, typeParams: readonly number[]): void {
  const bounds: number[] = [];
  let name = '';
  let isMakeable = false;
  for (let c = w.firstChild(clause); c !== -1; c = w.nextChild(c)) {
    const tag = w.kind(c);
    if (tag === K.identifier) {
      name = w.nameOf(c);
      w.nameRow(c, scope, R.type);
    } else if (tag === K.type_parameter_constraint) {
      const type = w.child(c, FIELD.type);
      if (type !== -1) bounds.push(w.type(type, scope));
      isMakeable ||= w.childOf(c, K.constructor_constraint) !== -1;
    }
  }
  const decl = typeParams.find((candidate) => w.build.declName(candidate) === name);
  if (decl !== undefined && isMakeable) w.build.addFlags(decl, F.makeable);
  if (decl === undefined || bounds.length === 0) return;
  w.build.set(decl, 'type', bounds.length === 1 ? (bounds[0] as number) : w.union(clause, scope, bounds, R.type));
}

/**
 * Walks a block or `=> e` as the body of `decl` and gives what it returns. `target`: the type of a returned `new()`.
 */
export function walkBody(w: Walk, body: number, inner: number, decl: number, target: number): number[] {
  const around = w.state.body;
  const returns: number[] = [];
  w.state.body = { decl, returns, target };
  if (w.kind(body) === K.block) w.lastOf(body, inner);
  else {
    const result = w.kind(body) === K.arrow_expression_clause ? w.first(body) : body;
    aimNew(w, result, target);
    if (result !== -1) returns.push(w.value(result, inner));
  }
  w.state.body = around;
  return returns;
}

/** The type of `new()` in a return: the declared type, or its argument where the method is async or an iterator. */
export function functionTarget(w: Walk, type: number, typeNode: number, isAsync: boolean): number {
  if (!isAsync) return type;
  return typeNode !== -1 && w.kind(typeNode) === K.generic_name ? w.state.lastTypeArgument : -1;
}

/**
 * Tells the target-typed `new()` that `node` is, or evaluates to, what type it makes: `type` is
 * the row of a declared type, which thereby names what is created, or of what is assigned to.
 */
export function aimNew(w: Walk, node: number, type: number): void {
  if (node === -1 || type === -1) return;
  switch (w.kind(node)) {
    case K.implicit_object_creation_expression: {
      w.state.targets.set(node, type);
      const head = w.build.exprOp(type) === E.index ? w.build.exprA(type) : type;
      if (w.build.exprRole(head) === R.type) w.build.setRole(head, R.newCallee);
      return;
    }
    case K.parenthesized_expression:
      return aimNew(w, w.first(node), type);
    case K.conditional_expression:
      aimNew(w, w.child(node, FIELD.consequence), type);
      return aimNew(w, w.child(node, FIELD.alternative), type);
    case K.binary_expression:
      if (w.text.startsWith('??', w.start(w.child(node, FIELD.operator)))) aimNew(w, w.child(node, FIELD.right), type);
      return;
    case K.switch_expression:
      for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c))
        if (w.kind(c) === K.switch_expression_arm) aimNew(w, w.last(c), type);
      return;
    default:
  }
}

/** A lambda or anonymous method: its closure row. */
export function lambda(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const parent = build.scopeBlock(scope);
  const decl = w.declare(D.lambda, -1, node, scope);
  const inner = build.scope(S.function, scope, decl, parent);
  build.set(decl, 'inner', inner);
  let body = -1;
  let type = -1;
  let list = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const tag = w.kind(c);
    const field = w.field(c);
    if (tag === K.modifier) build.addFlags(decl, w.text.startsWith('async', w.start(c)) ? F.async : F.static);
    else if (tag === K.attribute_list) attributesOf(w, c, scope);
    else if (field === FIELD.type) type = w.type(c, scope);
    else if (tag === K.implicit_parameter) {
      build.set(decl, 'params', build.list([w.declare(D.param, c, c, inner)]));
    } else if (tag === K.parameter_list) list = c;
    else if (field === FIELD.body || tag === K.block) body = c;
  }
  if (list !== -1) build.set(decl, 'params', build.list(parameters(w, list, scope, inner).decls));
  build.set(decl, 'type', type);
  if (body !== -1) {
    build.set(decl, 'bodyStart', w.start(body));
    build.set(decl, 'parts', build.list(walkBody(w, body, inner, decl, type)));
  }
  return w.expr(E.closure, node, scope, '', decl);
}
