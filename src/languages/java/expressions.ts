/**
 * Expressions: one row for each that has a value, its parts in rows of their own.
 *
 * `Outer.this` and `I.super` are casts of `this` and `super` to the named type. A call that finds
 * declarations by a name which is data (`Class.forName`, `getDeclaredField`) is undecidable; the
 * methods of `Class` are told from others of their name by syntax (`A.class.getMethod`,
 * `w.getClass().getMethod`) or by an import from `java.lang.reflect` in the file. Object creation,
 * lambdas, patterns and annotations have files of their own.
 */
import { E, R } from '../../syntax/summary.js';
import { argumentsOf } from './arguments.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Table, Walk } from './walk.js';

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
  (w, node, scope) =>
    w.expr(E.literal, node, scope, name);

const integer: Handler = (w, node, scope) =>
  w.expr(E.literal, node, scope, /[lL]$/.test(w.textOf(node)) ? 'long' : 'int');
const real: Handler = (w, node, scope) =>
  w.expr(E.literal, node, scope, /[fF]$/.test(w.textOf(node)) ? 'float' : 'double');

/** The row of the only proper child: parentheses and wrappers vanish. */
const inner: Handler = (w, node, scope) => {
  const child = w.first(node);
  const row = child === -1 ? -1 : w.visit(child, scope);
  const stop = w.after(node);
  for (let c = child === -1 ? stop : w.after(child); c < stop; c = w.after(c)) if (w.isPart(c)) w.visit(c, scope);
  return row;
};

const identifier: Handler = (w, node, scope) => w.nameRow(node, scope);
const thisRow: Handler = (w, node, scope) => w.expr(E.this, node, scope);
const superRow: Handler = (w, node, scope) => w.expr(E.super, node, scope);
const type: Handler = (w, node, scope) => w.type(node, scope);

const fieldAccess: Handler = (w, node, scope) => {
  const object = w.child(node, FIELD.object);
  const field = w.child(node, FIELD.field);
  if (object === -1 || field === -1) return w.children(node, scope);
  if (w.kind(field) === K.this) return qualified(w, object, w.visit(field, scope), node, scope);
  return w.memberRow(field, receiver(w, node, object, scope), scope);
};

/** The row before the dot of a field or method; `Outer.super` counts as one. */
function receiver(w: Walk, node: number, object: number, scope: number): number {
  const between = w.childOf(node, K.super);
  if (between === -1 || between === object) return w.value(object, scope);
  return qualified(w, object, w.visit(between, scope), node, scope);
}

/** `A.this` or `A.super`: a value of the type that `object` names. */
function qualified(w: Walk, object: number, value: number, node: number, scope: number): number {
  const named = w.value(object, scope);
  w.build.setRole(named, R.type);
  return w.expr(E.cast, node, scope, '', value, named);
}

const methodInvocation: Handler = (w, node, scope) => {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.children(node, scope);
  const object = w.child(node, FIELD.object);
  const generic = w.child(node, FIELD.type_arguments);
  const callee =
    object === -1
      ? w.nameRow(name, scope, R.callee)
      : w.memberRow(name, receiver(w, node, object, scope), scope, R.callee);
  const types = generic === -1 ? [] : w.typesIn(generic, scope);
  const args = argumentsOf(w, w.child(node, FIELD.arguments), scope, types);
  const row = w.expr(E.call, node, scope, '', callee, args);
  if (object !== -1 && isReflection(w, object, w.textOf(name))) build.undecidable(row);
  return row;
};

/**
 * Whether a call finds declarations by name at run time: of `Class` by its syntax, or of anything in a file that
 * imports reflection.
 */
function isReflection(w: Walk, object: number, name: string): boolean {
  if (name === 'forName') return w.textOf(object) === 'Class' || w.textOf(object) === 'java.lang.Class';
  if (!REFLECTION.has(name)) return false;
  if (w.state.reflective || w.kind(object) === K.class_literal) return true;
  if (w.kind(object) !== K.method_invocation) return false;
  const called = w.child(object, FIELD.name);
  return (
    called !== -1 &&
    (w.textOf(called) === 'getClass' || w.textOf(called) === 'forName' || w.textOf(called) === 'lookup')
  );
}

const arrayAccess: Handler = (w, node, scope) => {
  const array = w.first(node);
  if (array === -1) return -1;
  const base = w.value(array, scope);
  const index = w.last(node);
  const rows = index === array ? [] : [w.value(index, scope)];
  return w.index(node, scope, base, rows);
};

const classLiteral: Handler = (w, node, scope) => {
  const named = w.first(node);
  if (named === -1) return -1;
  return w.expr(E.classOf, node, scope, '', w.type(named, scope));
};

const cast: Handler = (w, node, scope) => {
  let to = -1;
  let value = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.field(c) === FIELD.type) {
      const row = w.type(c, scope);
      if (to === -1) to = row;
    } else if (w.isPart(c)) value = w.value(c, scope);
  }
  if (to === -1) return value;
  return w.expr(E.cast, node, scope, '', value, to);
};

/** `a + b`. Concatenations nest to the left by the thousand in generated code, so that side is a loop. */
const binary: Handler = (w, node, scope) => {
  let leaf = node;
  let left = w.first(leaf);
  while (left !== -1 && w.kind(left) === K.binary_expression) {
    leaf = left;
    left = w.first(leaf);
  }
  let row = left === -1 ? -1 : w.value(left, scope);
  for (let n = leaf; ; n = w.tree.parent[n] as number) {
    row = binaryStep(w, n, row, scope);
    if (n === node) return row;
  }
};

function binaryStep(w: Walk, node: number, left: number, scope: number): number {
  const operator = w.child(node, FIELD.operator);
  const first = w.first(node);
  let right = -1;
  const stop = w.after(node);
  for (let c = first === -1 ? stop : w.after(first); c < stop; c = w.after(c))
    if (w.isPart(c)) right = w.value(c, scope);
  return w.expr(E.operator, node, scope, operator === -1 ? '' : w.textOf(operator), left, right);
}

const unary: Handler = (w, node, scope) => {
  const operator = w.child(node, FIELD.operator);
  const operand = w.last(node);
  const row = operand === -1 ? -1 : w.value(operand, scope);
  return w.expr(E.operator, node, scope, operator === -1 ? '' : w.textOf(operator), row);
};

const update: Handler = (w, node, scope) => {
  const operand = w.first(node);
  if (operand === -1) return -1;
  const row = w.value(operand, scope);
  w.build.setRole(row, R.update);
  return w.expr(
    E.operator,
    node,
    scope,
    w.text.startsWith('--', w.start(operand) === w.start(node) ? w.end(node) - 2 : w.start(node)) ? '--' : '++',
    row,
  );
};

const assignment: Handler = (w, node, scope) => {
  const { build } = w;
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  const operator = w.child(node, FIELD.operator);
  if (left === -1 || right === -1 || operator === -1) return w.children(node, scope);
  const target = w.value(left, scope);
  const isPlain = w.end(operator) - w.start(operator) === 1;
  build.setRole(target, isPlain ? R.write : R.update);
  const value = w.value(right, scope);
  if (isPlain) {
    w.expr(E.store, node, scope, '', target, value);
    return value;
  }
  return w.expr(E.operator, node, scope, w.textOf(operator), target, value);
};

const ternary: Handler = (w, node, scope) => {
  const rows: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const row = w.value(c, scope);
    if (w.field(c) !== FIELD.condition) rows.push(row);
  }
  return w.union(node, scope, rows);
};

const string: Handler = (w, node, scope) => {
  const fragment = w.first(node);
  if (
    fragment !== -1 &&
    w.kind(fragment) === K.string_fragment &&
    w.end(fragment) + 1 === w.end(node) &&
    w.start(fragment) === w.start(node) + 1
  ) {
    const at = lastNamePart(w.text, w.start(fragment), w.end(fragment));
    if (at !== -1) return w.build.expr(E.string, at, w.end(fragment), scope, w.text.slice(at, w.end(fragment)));
  }
  const row = w.expr(E.literal, node, scope, 'str');
  if (fragment !== -1) w.children(node, scope);
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

export const EXPRESSIONS: Table = {
  identifier,
  this: thisRow,
  super: superRow,
  field_access: fieldAccess,
  method_invocation: methodInvocation,
  array_access: arrayAccess,
  class_literal: classLiteral,
  cast_expression: cast,
  binary_expression: binary,
  unary_expression: unary,
  update_expression: update,
  assignment_expression: assignment,
  ternary_expression: ternary,
  parenthesized_expression: inner,
  string_literal: string,
  character_literal: literal('char'),
  decimal_integer_literal: integer,
  hex_integer_literal: integer,
  octal_integer_literal: integer,
  binary_integer_literal: integer,
  decimal_floating_point_literal: real,
  hex_floating_point_literal: real,
  true: literal('bool'),
  false: literal('bool'),
  null_literal: literal('null'),
  type_identifier: type,
  scoped_type_identifier: type,
  generic_type: type,
  array_type: type,
  annotated_type: type,
  integral_type: type,
  floating_point_type: type,
  boolean_type: type,
  void_type: type,
  wildcard: type,
};
