/**
 * Expressions: one row for each that has a value, its parts in rows of their own.
 *
 * `Outer.this` and `I.super` are casts of `this` and `super` to the named type. A call that finds
 * declarations by a name which is data (`Class.forName`, `getDeclaredField`) is undecidable; the
 * methods of `Class` are told from others of their name by syntax (`A.class.getMethod`,
 * `x.getClass().getMethod`) or by an import from `java.lang.reflect` in the file. Object creation,
 * lambdas, patterns and annotations have files of their own.
 */
import { E, R } from '../../syntax/summary.js';
import { argumentsOf } from './arguments.js';
import { typeArguments, typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

/** Methods of `Class` and `ClassLoader` that find declarations by a name that is data. */
const REFLECTION: ReadonlySet<string> = new Set([
  'getMethod',
  'getDeclaredMethod',
  'getMethods',
  'getDeclaredMethods',
  'getField',
  'getDeclaredField',
  'getFields',
  'getDeclaredFields',
  'getConstructor',
  'getDeclaredConstructor',
  'getConstructors',
  'getDeclaredConstructors',
  'newInstance',
  'loadClass',
  'findVirtual',
  'findStatic',
  'findConstructor',
]);

/** Longest text of a string that is taken for a name. */
const NAME_LENGTH_MAX = 80;

const literal =
  (name: string): Handler =>
  (x, node, scope) =>
    x.build.expr(E.literal, x.start(node), x.end(node), scope, name);

/** The row of the only proper child: parentheses and wrappers vanish. */
const inner: Handler = (x, node, scope) => {
  const child = x.first(node);
  const row = child === -1 ? -1 : x.walk(child, scope);
  const stop = x.skip(node);
  for (let c = child === -1 ? stop : x.skip(child); c < stop; c = x.skip(c)) if (x.proper(c)) x.walk(c, scope);
  return row;
};

const identifier: Handler = (x, node, scope) => x.name(node, scope);
const thisRow: Handler = (x, node, scope) => x.build.expr(E.this, x.start(node), x.end(node), scope);
const superRow: Handler = (x, node, scope) => x.build.expr(E.super, x.start(node), x.end(node), scope);
const type: Handler = (x, node, scope) => typeRow(x, node, scope);

const fieldAccess: Handler = (x, node, scope) => {
  const { kinds } = x;
  const object = x.child(node, kinds.objectField);
  const field = x.child(node, kinds.fieldField);
  if (object === -1 || field === -1) return x.parts(node, scope);
  if (x.kind(field) === kinds.this) return qualified(x, object, x.walk(field, scope), node, scope);
  return x.member(receiver(x, node, object, scope), field, scope);
};

/** The row before the dot of a field or method; `Outer.super` counts as one. */
function receiver(x: Walk, node: number, object: number, scope: number): number {
  const between = x.childOf(node, x.kinds.super);
  if (between === -1 || between === object) return x.value(object, scope);
  return qualified(x, object, x.walk(between, scope), node, scope);
}

/** `A.this` or `A.super`: a value of the type that `object` names. */
function qualified(x: Walk, object: number, value: number, node: number, scope: number): number {
  const named = x.value(object, scope);
  x.build.setRole(named, R.type);
  return x.build.expr(E.cast, x.start(node), x.end(node), scope, '', value, named);
}

const methodInvocation: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const name = x.child(node, kinds.nameField);
  if (name === -1) return x.parts(node, scope);
  const object = x.child(node, kinds.objectField);
  const generic = x.child(node, kinds.typeArgumentsField);
  const callee =
    object === -1 ? x.name(name, scope, R.callee) : x.member(receiver(x, node, object, scope), name, scope, R.callee);
  const types = generic === -1 ? [] : typeArguments(x, generic, scope);
  const args = argumentsOf(x, x.child(node, kinds.argumentsField), scope, types);
  const row = build.expr(E.call, x.start(node), x.end(node), scope, '', callee, args);
  if (object !== -1 && isReflection(x, object, x.text(name))) build.undecidable(row);
  return row;
};

/** Whether a call finds declarations by name at run time: of `Class` by its syntax, or of anything in a file that imports reflection. */
function isReflection(x: Walk, object: number, name: string): boolean {
  if (name === 'forName') return x.text(object) === 'Class' || x.text(object) === 'java.lang.Class';
  if (!REFLECTION.has(name)) return false;
  if (x.reflective || x.kind(object) === x.kinds.classLiteral) return true;
  if (x.kind(object) !== x.kinds.methodInvocation) return false;
  const called = x.child(object, x.kinds.nameField);
  return (
    called !== -1 && (x.text(called) === 'getClass' || x.text(called) === 'forName' || x.text(called) === 'lookup')
  );
}

const arrayAccess: Handler = (x, node, scope) => {
  const array = x.first(node);
  if (array === -1) return -1;
  const base = x.value(array, scope);
  const index = x.last(node);
  const rows = index === array ? [] : [x.value(index, scope)];
  return x.build.expr(E.index, x.start(node), x.end(node), scope, '', base, x.build.list(rows));
};

const classLiteral: Handler = (x, node, scope) => {
  const named = x.first(node);
  if (named === -1) return -1;
  return x.build.expr(E.classOf, x.start(node), x.end(node), scope, '', typeRow(x, named, scope));
};

const cast: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  let to = -1;
  let value = -1;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (x.tree.field[c] === kinds.typeField) {
      const row = typeRow(x, c, scope);
      if (to === -1) to = row;
    } else if (x.proper(c)) value = x.value(c, scope);
  }
  if (to === -1) return value;
  return build.expr(E.cast, x.start(node), x.end(node), scope, '', value, to);
};

/** `a + b`. Concatenations nest to the left by the thousand in generated code, so that side is a loop. */
const binary: Handler = (x, node, scope) => {
  const { kinds } = x;
  let leaf = node;
  let left = x.first(leaf);
  while (left !== -1 && x.kind(left) === kinds.binary) {
    leaf = left;
    left = x.first(leaf);
  }
  let row = left === -1 ? -1 : x.value(left, scope);
  for (let n = leaf; ; n = x.tree.parent[n] as number) {
    row = binaryStep(x, n, row, scope);
    if (n === node) return row;
  }
};

function binaryStep(x: Walk, node: number, left: number, scope: number): number {
  const { kinds } = x;
  const operator = x.child(node, kinds.operatorField);
  const first = x.first(node);
  let right = -1;
  const stop = x.skip(node);
  for (let c = first === -1 ? stop : x.skip(first); c < stop; c = x.skip(c)) if (x.proper(c)) right = x.value(c, scope);
  return x.build.expr(
    E.operator,
    x.start(node),
    x.end(node),
    scope,
    operator === -1 ? '' : x.text(operator),
    left,
    right,
  );
}

const unary: Handler = (x, node, scope) => {
  const operator = x.child(node, x.kinds.operatorField);
  const operand = x.last(node);
  const row = operand === -1 ? -1 : x.value(operand, scope);
  return x.build.expr(E.operator, x.start(node), x.end(node), scope, operator === -1 ? '' : x.text(operator), row);
};

const update: Handler = (x, node, scope) => {
  const operand = x.first(node);
  if (operand === -1) return -1;
  const row = x.value(operand, scope);
  x.build.setRole(row, R.update);
  return x.build.expr(
    E.operator,
    x.start(node),
    x.end(node),
    scope,
    x.tree.text.startsWith('--', x.start(operand) === x.start(node) ? x.end(node) - 2 : x.start(node)) ? '--' : '++',
    row,
  );
};

const assignment: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const left = x.child(node, kinds.leftField);
  const right = x.child(node, kinds.rightField);
  const operator = x.child(node, kinds.operatorField);
  if (left === -1 || right === -1 || operator === -1) return x.parts(node, scope);
  const target = x.value(left, scope);
  build.setRole(target, x.end(operator) - x.start(operator) === 1 ? R.write : R.update);
  const value = x.value(right, scope);
  return build.expr(E.operator, x.start(node), x.end(node), scope, x.text(operator), target, value);
};

const ternary: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const rows: number[] = [];
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (!x.proper(c)) continue;
    const row = x.value(c, scope);
    if (x.tree.field[c] !== kinds.conditionField) rows.push(row);
  }
  return build.expr(E.union, x.start(node), x.end(node), scope, '', -1, build.list(rows));
};

const string: Handler = (x, node, scope) => {
  const fragment = x.first(node);
  if (
    fragment !== -1 &&
    x.kind(fragment) === x.kinds.stringFragment &&
    x.end(fragment) + 1 === x.end(node) &&
    x.start(fragment) === x.start(node) + 1
  ) {
    const at = lastNamePart(x.tree.text, x.start(fragment), x.end(fragment));
    if (at !== -1) return x.build.expr(E.string, at, x.end(fragment), scope, x.tree.text.slice(at, x.end(fragment)));
  }
  const row = x.build.expr(E.literal, x.start(node), x.end(node), scope, 'str');
  if (fragment !== -1) x.parts(node, scope);
  return row;
};

/** Where the last part of a dotted path of identifiers begins, -1 for any other text. */
function lastNamePart(text: string, start: number, end: number): number {
  if (end - start > NAME_LENGTH_MAX) return -1;
  let part = start;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x2e /* . */) {
      if (i === part) return -1;
      part = i + 1;
    } else if (!isNameCharacter(c) || (i === part && isDigit(c))) return -1;
  }
  return part < end ? part : -1;
}
const isDigit = (c: number): boolean => c >= 48 && c <= 57;
const isNameCharacter = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || isDigit(c) || c === 95 || c === 36 || c > 127;

export const EXPRESSIONS: readonly (readonly [string, Handler])[] = [
  ['identifier', identifier],
  ['this', thisRow],
  ['super', superRow],
  ['field_access', fieldAccess],
  ['method_invocation', methodInvocation],
  ['array_access', arrayAccess],
  ['class_literal', classLiteral],
  ['cast_expression', cast],
  ['binary_expression', binary],
  ['unary_expression', unary],
  ['update_expression', update],
  ['assignment_expression', assignment],
  ['ternary_expression', ternary],
  ['parenthesized_expression', inner],
  ['string_literal', string],
  ['character_literal', literal('char')],
  ['decimal_integer_literal', literal('int')],
  ['hex_integer_literal', literal('int')],
  ['octal_integer_literal', literal('int')],
  ['binary_integer_literal', literal('int')],
  ['decimal_floating_point_literal', literal('float')],
  ['hex_floating_point_literal', literal('float')],
  ['true', literal('bool')],
  ['false', literal('bool')],
  ['null_literal', literal('null')],
  ['type_identifier', type],
  ['scoped_type_identifier', type],
  ['generic_type', type],
  ['array_type', type],
  ['annotated_type', type],
  ['integral_type', type],
  ['floating_point_type', type],
  ['boolean_type', type],
  ['void_type', type],
  ['wildcard', type],
];
