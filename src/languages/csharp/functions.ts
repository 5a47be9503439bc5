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
import { T } from './kinds.js';
import { typeRow } from './types.js';
import type { Walk } from './walk.js';

export interface Parameters {
  readonly decls: number[];
  /** Whether the first has the modifier `this`. */
  readonly extension: boolean;
}

/** Declares the parameters of a list in `inner`; their types, defaults and attributes are text of `header`. */
export function parameters(w: Walk, list: number, header: number, inner: number, parent: number): Parameters {
  const decls: number[] = [];
  let extension = false;
  // `params A[] rest` has no node of its own: its parts are children of the list.
  let restStart = -1;
  let restType = -1;
  for (let c = list === -1 ? -1 : w.first(list); c !== -1; c = w.next(list, c)) {
    const tag = w.tag(c);
    if (tag === T.parameter) {
      if (decls.length === 0 && hasThis(w, c)) extension = true;
      const decl = parameter(w, c, header, inner, parent);
      if (decl >= 0) decls.push(decl);
    } else if (tag === T.attribute_list) attributesOf(w, c, header);
    else if (tag === T.params) restStart = w.start(c);
    else if (w.tree.field[c] === w.kinds.fields.type) restType = elementType(w, c, header);
    else if (w.tree.field[c] === w.kinds.fields.name) {
      decls.push(
        w.build.decl({
          kind: D.param,
          name: w.name(c),
          nameStart: w.nameStart(c),
          start: restStart === -1 ? w.start(c) : restStart,
          end: w.end(c),
          scope: inner,
          parent,
          flags: F.rest | F.optional,
          type: restType,
        }),
      );
    } else if (w.counts(c)) w.visit(c, header);
  }
  return { decls, extension };
}

/** What one of the `params` arguments is: the element of the array, or the argument of the collection, that is written. */
function elementType(w: Walk, node: number, scope: number): number {
  const row = typeRow(w, node, scope);
  if (w.tag(node) === T.array_type) return w.build.exprA(row);
  return w.tag(node) === T.generic_name ? w.lastTypeArgument : row;
}

function hasThis(w: Walk, parameterNode: number): boolean {
  const modifier = w.ofTag(parameterNode, T.modifier);
  return modifier !== -1 && w.tree.text.startsWith('this', w.start(modifier));
}

function parameter(w: Walk, node: number, header: number, inner: number, parent: number): number {
  const { fields } = w.kinds;
  let type = -1;
  let name = -1;
  let value = -1;
  const decorators: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    const tag = w.tag(c);
    if (tag === T.attribute_list || tag === T.preproc_if_in_attribute_list)
      decorators.push(...attributesOf(w, c, header));
    else if (tag === T.modifier) continue;
    else if (w.tree.field[c] === fields.type) type = typeRow(w, c, header);
    else if (w.tree.field[c] === fields.name) name = c;
    else value = w.value(c, header);
  }
  if (name === -1) return -1;
  const decl = w.build.decl({
    kind: D.param,
    name: w.name(name),
    nameStart: w.nameStart(name),
    start: w.start(node),
    end: w.end(node),
    scope: inner,
    parent,
    flags: value === -1 ? 0 : F.optional,
    type,
    value,
  });
  w.build.set(decl, 'decorators', w.build.list(decorators));
  return decl;
}

/** Declares the type parameters of a list in `scope`. */
export function typeParameters(w: Walk, list: number, scope: number, parent: number): number[] {
  const decls: number[] = [];
  for (let c = list === -1 ? -1 : w.first(list); c !== -1; c = w.next(list, c)) {
    if (w.tag(c) !== T.type_parameter) continue;
    const name = w.inField(c, w.kinds.fields.name);
    if (name === -1) continue;
    attributesOf(w, c, scope);
    decls.push(
      w.build.decl({
        kind: D.typeParam,
        name: w.name(name),
        nameStart: w.nameStart(name),
        start: w.start(c),
        end: w.end(c),
        scope,
        parent,
      }),
    );
  }
  return decls;
}

/** `where T : A, B`: the bound of T is A, or the union of all. */
export function constraints(w: Walk, clause: number, scope: number, typeParams: readonly number[]): void {
  const bounds: number[] = [];
  let name = '';
  for (let c = w.first(clause); c !== -1; c = w.next(clause, c)) {
    const tag = w.tag(c);
    if (tag === T.identifier) {
      name = w.name(c);
      w.nameRow(c, scope, R.type);
    } else if (tag === T.type_parameter_constraint) {
      const type = w.inField(c, w.kinds.fields.type);
      if (type !== -1) bounds.push(typeRow(w, type, scope));
    }
  }
  const decl = typeParams.find((candidate) => w.build.declName(candidate) === name);
  if (decl === undefined || bounds.length === 0) return;
  w.build.set(
    decl,
    'type',
    bounds.length === 1 ? (bounds[0] as number) : w.expr(E.union, clause, scope, '', -1, w.build.list(bounds), R.type),
  );
}

/** Walks a block or `=> e` as the body of `decl` and gives what it returns. `target`: the type of a returned `new()`. */
export function walkBody(w: Walk, body: number, inner: number, decl: number, target: number): number[] {
  const around = w.body;
  const returns: number[] = [];
  w.body = { decl, returns, target };
  if (w.tag(body) === T.block) w.visitChildren(body, inner);
  else {
    const result = w.tag(body) === T.arrow_expression_clause ? w.firstNamed(body) : body;
    aimNew(w, result, target);
    if (result !== -1) returns.push(w.value(result, inner));
  }
  w.body = around;
  return returns;
}

/** The type of `new()` in a return: the declared type, or its argument where the method is async or an iterator. */
export function functionTarget(w: Walk, type: number, typeNode: number, isAsync: boolean): number {
  if (!isAsync) return type;
  return typeNode !== -1 && w.tag(typeNode) === T.generic_name ? w.lastTypeArgument : -1;
}

/**
 * Tells the target-typed `new()` that `node` is, or evaluates to, what type it makes: `type` is
 * the row of a declared type, which thereby names what is created, or of what is assigned to.
 */
export function aimNew(w: Walk, node: number, type: number): void {
  if (node === -1 || type === -1) return;
  const { fields } = w.kinds;
  switch (w.tag(node)) {
    case T.implicit_object_creation_expression: {
      w.targets.set(node, type);
      const head = w.build.exprOp(type) === E.index ? w.build.exprA(type) : type;
      if (w.build.exprRole(head) === R.type) w.build.setRole(head, R.newCallee);
      return;
    }
    case T.parenthesized_expression:
      return aimNew(w, w.firstNamed(node), type);
    case T.conditional_expression:
      aimNew(w, w.inField(node, fields.consequence), type);
      return aimNew(w, w.inField(node, fields.alternative), type);
    case T.binary_expression:
      if (w.tree.text.startsWith('??', w.start(w.inField(node, fields.operator))))
        aimNew(w, w.inField(node, fields.right), type);
      return;
    case T.switch_expression:
      for (let c = w.first(node); c !== -1; c = w.next(node, c))
        if (w.tag(c) === T.switch_expression_arm) aimNew(w, w.lastNamed(c), type);
      return;
    default:
  }
}

/** A lambda or anonymous method: its closure row. */
export function lambda(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const { fields } = w.kinds;
  const parent = build.scopeBlock(scope);
  const decl = build.decl({
    kind: D.lambda,
    name: '',
    nameStart: -1,
    start: w.start(node),
    end: w.end(node),
    scope,
    parent,
  });
  const inner = build.scope(S.function, scope, decl, parent);
  build.set(decl, 'inner', inner);
  let body = -1;
  let type = -1;
  let list = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const tag = w.tag(c);
    const field = w.tree.field[c];
    if (tag === T.modifier) build.addFlags(decl, w.tree.text.startsWith('async', w.start(c)) ? F.async : F.static);
    else if (tag === T.attribute_list) attributesOf(w, c, scope);
    else if (field === fields.type) type = typeRow(w, c, scope);
    else if (tag === T.implicit_parameter) {
      const param = build.decl({
        kind: D.param,
        name: w.name(c),
        nameStart: w.nameStart(c),
        start: w.start(c),
        end: w.end(c),
        scope: inner,
        parent,
      });
      build.set(decl, 'params', build.list([param]));
    } else if (tag === T.parameter_list) list = c;
    else if (field === fields.body || tag === T.block) body = c;
  }
  if (list !== -1) build.set(decl, 'params', build.list(parameters(w, list, scope, inner, parent).decls));
  build.set(decl, 'type', type);
  if (body !== -1) {
    build.set(decl, 'bodyStart', w.start(body));
    build.set(decl, 'parts', build.list(walkBody(w, body, inner, decl, type)));
  }
  return w.expr(E.closure, node, scope, '', decl);
}
