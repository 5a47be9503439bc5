/**
 * What follows `new`, what stands before `::`, and class bodies without a name.
 *
 * A `new` row names the type whose constructor runs. Two shapes need care: `new X() {…}` runs X's
 * constructor and has a value of a class of its own, so it gives a `new` row and then a `closure`;
 * `A::new` gives a `new` row whose one argument is spread, since nobody can say here how many there
 * will be; it begins where its type begins. An array creation instantiates nothing: it is a cast of the
 * elements to the array type.
 */
import { D, E, R, S } from '../../syntax/summary.js';
import { argumentsOf } from './arguments.js';
import { typeArguments, typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

const objectCreation: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  let outer = -1;
  let made = -1;
  let args = -1;
  let body = -1;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (x.tree.field[c] === kinds.typeField)
      made = outer === -1 ? typeRow(x, c, scope, R.newCallee) : memberType(x, outer, c, scope);
    else if (x.tree.field[c] === kinds.argumentsField) args = argumentsOf(x, c, scope);
    else if (x.kind(c) === kinds.classBody) body = c;
    else if (x.kind(c) === kinds.typeArguments) typeArguments(x, c, scope);
    else if (x.proper(c)) {
      const row = x.walk(c, scope);
      if (x.kind(c) !== kinds.annotation && x.kind(c) !== kinds.markerAnnotation) outer = row;
    }
  }
  if (made === -1) return -1;
  const row = build.expr(
    E.new,
    x.start(node),
    body === -1 ? x.end(node) : x.start(body),
    scope,
    '',
    made,
    args === -1 ? build.argumentList([]) : args,
  );
  return body === -1 ? row : anonymousClass(x, node, body, made, scope);
};

/** The type in `outer.new Inner<T>()`. */
function memberType(x: Walk, outer: number, node: number, scope: number): number {
  const { kinds } = x;
  if (x.kind(node) !== kinds.genericType) return x.member(outer, node, scope, R.newCallee);
  const base = x.first(node);
  if (base === -1) return x.value(node, scope);
  const row = x.member(outer, base, scope, R.newCallee);
  const list = x.childOf(node, kinds.typeArguments);
  const rows = list === -1 ? [] : typeArguments(x, list, scope);
  return rows.length === 0
    ? row
    : x.build.expr(E.index, x.start(node), x.end(node), scope, '', row, x.build.list(rows), R.type);
}

/** A class body without a name, of an object creation or an enum constant; `base` is the type that it extends. */
export function anonymousClass(x: Walk, node: number, body: number, base: number, scope: number): number {
  const { build } = x;
  const block = build.scopeBlock(scope);
  const decl = build.decl({
    kind: D.anonymousClass,
    name: '',
    nameStart: -1,
    start: x.start(node),
    end: x.end(node),
    bodyStart: x.start(body),
    scope,
    parent: block,
  });
  const members = build.scope(S.class, scope, decl, block);
  build.set(decl, 'inner', members);
  build.set(decl, 'parts', build.list([base]));
  const { returns, yields } = x;
  x.parts(body, members);
  x.returns = returns;
  x.yields = yields;
  return build.expr(E.closure, x.start(node), x.end(node), scope, '', decl);
}

const arrayCreation: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  let elementType = -1;
  let dimensions = 0;
  let value = -1;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    const kind = x.kind(c);
    if (x.tree.field[c] === kinds.typeField) elementType = typeRow(x, c, scope);
    else if (kind === kinds.dimensions) {
      for (let d = c + 1; d < x.skip(c); d = x.skip(d)) {
        if (x.proper(d)) x.walk(d, scope);
        else if (x.tree.text.charCodeAt(x.start(d)) === 0x5b /* [ */) dimensions++;
      }
    } else if (kind === kinds.dimensionsExpr) {
      dimensions++;
      x.parts(c, scope);
    } else if (x.proper(c)) value = x.walk(c, scope);
  }
  if (value === -1) value = build.expr(E.list, x.start(node), x.end(node), scope, 'list');
  if (elementType === -1) return value;
  let array = elementType;
  for (; dimensions > 0; dimensions--)
    array = build.expr(E.array, x.start(node), x.end(node), scope, '', array, -1, R.type);
  return build.expr(E.cast, x.start(node), x.end(node), scope, '', value, array);
};

const methodReference: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  let base = -1;
  let baseNode = -1;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    const kind = x.kind(c);
    if (kind === kinds.new && base !== -1) {
      markMade(x, base);
      const unknown = build.expr(E.other, x.start(c), x.end(c), scope);
      return build.expr(
        E.new,
        x.start(node),
        x.end(node),
        scope,
        '',
        base,
        build.argumentList([{ expr: unknown, spread: 'list', start: x.start(c) }]),
      );
    }
    if (!x.proper(c)) continue;
    if (baseNode === -1) {
      baseNode = c;
      base = x.value(c, scope);
    } else if (kind === kinds.typeArguments) typeArguments(x, c, scope);
    else if (kind === kinds.identifier) return x.member(base, c, scope);
    else x.walk(c, scope);
  }
  return base;
};

/** Gives the name row of a type expression the role of what is instantiated. An array of it instantiates nothing. */
function markMade(x: Walk, row: number): void {
  const { build } = x;
  let named = row;
  while (build.exprOp(named) === E.index) named = build.exprA(named);
  if (build.exprOp(named) === E.name || build.exprOp(named) === E.member) build.setRole(named, R.newCallee);
}

export const OBJECT_CREATION: readonly (readonly [string, Handler])[] = [
  ['object_creation_expression', objectCreation],
  ['array_creation_expression', arrayCreation],
  ['method_reference', methodReference],
];
