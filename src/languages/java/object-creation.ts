/**
 * What follows `new`, what stands before `::`, and class bodies without a name.
 *
 * A `new` row names the type whose constructor runs. Two shapes need care: `new X() {…}` runs X's
 * constructor and has a value of a class of its own, so it gives a `new` row and then a `closure`;
 * `A::new` gives a `new` row whose one argument is spread, since nobody can say here how many there
 * will be; it begins where its type begins. An array creation instantiates nothing: it is a cast of the
 * elements to the array type.
 */
import { D, E, R, REFERENCE, S } from '../../syntax/summary.js';
import { argumentsOf } from './arguments.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Table, Walk } from './walk.js';

const objectCreation: Handler = (w, node, scope) => {
  const { build } = w;
  let outer = -1;
  let made = -1;
  let args = -1;
  let body = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.field(c) === FIELD.type) made = outer === -1 ? w.type(c, scope, R.newCallee) : memberType(w, outer, c, scope);
    else if (w.field(c) === FIELD.arguments) args = argumentsOf(w, c, scope);
    else if (w.kind(c) === K.class_body) body = c;
    else if (w.kind(c) === K.type_arguments) w.typesIn(c, scope);
    else if (w.isPart(c)) {
      const row = w.visit(c, scope);
      if (w.kind(c) !== K.annotation && w.kind(c) !== K.marker_annotation) outer = row;
    }
  }
  if (made === -1) return -1;
  const row = build.expr(
    E.new,
    w.start(node),
    body === -1 ? w.end(node) : w.start(body),
    scope,
    '',
    made,
    args === -1 ? build.argumentList([]) : args,
  );
  return body === -1 ? row : anonymousClass(w, node, body, made, scope);
};

/** The type in `outer.new Inner<T>()`. */
function memberType(w: Walk, outer: number, node: number, scope: number): number {
  if (w.kind(node) !== K.generic_type) return w.memberRow(node, outer, scope, R.newCallee);
  const base = w.first(node);
  if (base === -1) return w.value(node, scope);
  const row = w.memberRow(base, outer, scope, R.newCallee);
  const list = w.childOf(node, K.type_arguments);
  const rows = list === -1 ? [] : w.typesIn(list, scope);
  return rows.length === 0 ? row : w.index(node, scope, row, rows, R.type);
}

/** A class body without a name, of an object creation or an enum constant; `base` is the type that it extends. */
export function anonymousClass(w: Walk, node: number, body: number, base: number, scope: number): number {
  const { build } = w;
  const block = build.scopeBlock(scope);
  const decl = w.declare(D.anonymousClass, -1, node, scope, { body });
  const members = build.scope(S.class, scope, decl, block);
  build.set(decl, 'inner', members);
  build.set(decl, 'parts', build.list([base]));
  const { returns, yields } = w.state;
  w.children(body, members);
  w.state.returns = returns;
  w.state.yields = yields;
  return w.expr(E.closure, node, scope, '', decl);
}

const arrayCreation: Handler = (w, node, scope) => {
  let elementType = -1;
  let dimensions = 0;
  let value = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const kind = w.kind(c);
    if (w.field(c) === FIELD.type) elementType = w.type(c, scope);
    else if (kind === K.dimensions) {
      for (let d = c + 1; d < w.after(c); d = w.after(d)) {
        if (w.isPart(d)) w.visit(d, scope);
        else if (w.text.charCodeAt(w.start(d)) === 0x5b /* [ */) dimensions++;
      }
    } else if (kind === K.dimensions_expr) {
      dimensions++;
      w.children(c, scope);
    } else if (w.isPart(c)) value = w.visit(c, scope);
  }
  if (value === -1) value = w.expr(E.list, node, scope, 'list');
  if (elementType === -1) return value;
  let array = elementType;
  for (; dimensions > 0; dimensions--) array = w.expr(E.array, node, scope, '', array, -1, R.type);
  return w.expr(E.cast, node, scope, '', value, array);
};

const methodReference: Handler = (w, node, scope) => {
  const { build } = w;
  let base = -1;
  let baseNode = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const kind = w.kind(c);
    if (kind === K.new && base !== -1) {
      markMade(w, base);
      const unknown = w.other(c, scope);
      return w.expr(
        E.new,
        node,
        scope,
        '',
        base,
        build.argumentList([{ expr: unknown, spread: 'list', start: w.start(c) }]),
      );
    }
    if (!w.isPart(c)) continue;
    if (baseNode === -1) {
      baseNode = c;
      base = w.value(c, scope);
    } else if (kind === K.type_arguments) w.typesIn(c, scope);
    else if (kind === K.identifier && w.isPresent(c)) return w.expr(E.member, c, scope, w.textOf(c), base, REFERENCE);
    else w.visit(c, scope);
  }
  return base;
};

/** Gives the name row of a type expression the role of what is instantiated. An array of it instantiates nothing. */
function markMade(w: Walk, row: number): void {
  const { build } = w;
  let named = row;
  while (build.exprOp(named) === E.index) named = build.exprA(named);
  if (build.exprOp(named) === E.name || build.exprOp(named) === E.member) build.setRole(named, R.newCallee);
}

export const OBJECT_CREATION: Table = {
  object_creation_expression: objectCreation,
  array_creation_expression: arrayCreation,
  method_reference: methodReference,
};
