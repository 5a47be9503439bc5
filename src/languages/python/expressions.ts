/**
 * Value expressions to rows.
 *
 * Every function takes the scope in which names are looked up and gives the row that stands for
 * the value. Where the value of a builtin's call is known from its arguments, that row is not
 * the call's own (`reversed(xs)` is a list of the elements of `xs`).
 */
import { P } from '../../syntax/paths.js';
import { E, NARROWED, R, SLICE, type Role } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { builtinCall, isSpecialCall } from './builtin-calls.js';
import { lambda } from './functions.js';
import { FIELD, K } from './kinds.js';
import { formatFields, formatOf, implied, percentFormat } from './implied.js';
import { choice, condition, narrowedScope, type Fact } from './narrowing.js';
import { block } from './statements.js';
import { bindName, bindTarget } from './targets.js';
import type { Handler, Table, Walk } from './walk.js';

/** Something without a meaning of its own: ERROR nodes, what the grammar may bring. Its parts count. */
export function pieces(w: Walk, node: number, scope: number): number {
  block(w, node, scope);
  return w.other(node, scope);
}

/** Numbers up to here may be indices. */
const DIGITS_MOST = 4;

function wholeNumber(w: Walk, node: number, scope: number): number {
  const start = w.start(node);
  const end = w.end(node);
  const text = end - start <= DIGITS_MOST ? w.textOf(node) : '';
  return w.build.expr(E.literal, start, end, scope, 'int', -1, /^\d+$/.test(text) ? Number(text) : -1);
}

function literal(name: string): Handler {
  return (w, node, scope) => w.expr(E.literal, node, scope, name);
}

/** The one expression inside parentheses, a spread, an interpolation. */
function inner(w: Walk, node: number, scope: number, role: Role): number {
  let row = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const part = w.value(c, scope, role);
    if (row === -1) row = part;
  }
  return row === -1 ? w.other(node, scope) : row;
}

function attribute(w: Walk, node: number, scope: number, role: Role): number {
  const object = w.child(node, FIELD.object);
  const name = w.child(node, FIELD.attribute);
  const receiver = object === -1 ? -1 : narrowedObject(w, object, w.value(object, scope), scope);
  if (name === -1) return receiver === -1 ? w.other(node, scope) : receiver;
  if (role !== R.write && w.end(name) - w.start(name) === 9 && w.nameOf(name) === '__class__') {
    return w.expr(E.classOf, node, scope, '', receiver);
  }
  return w.memberRow(name, receiver, scope, role);
}

/** A path that a test around narrows is cast to what the test says. */
function narrowedObject(w: Walk, node: number, row: number, scope: number): number {
  const type =
    w.state.narrowedPaths.isEmpty || w.kind(node) !== K.attribute
      ? -1
      : w.state.narrowedPaths.typeOf(w.textOf(node), scope);
  return type === -1 ? row : w.expr(E.cast, node, scope, NARROWED, row, type);
}

function subscript(w: Walk, node: number, scope: number, role: Role): number {
  let base = -1;
  let slice = -1;
  const indices: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.field(c) === FIELD.value) base = w.value(c, scope, baseRole(w, c, role));
    else {
      if (w.kind(c) === K.slice) slice = c;
      indices.push(w.value(c, scope));
    }
  }
  const own = role === R.write || role === R.update ? role : R.read;
  const row = w.index(node, scope, base, indices, own);
  // A slice has the type of what it is cut from.
  return slice !== -1 && indices.length === 1
    ? w.expr(E.union, node, scope, SLICE, w.build.list(boundsOf(w, slice)), w.build.list([base]))
    : row;
}

/** `[1:3]` as numbers, -1 for an end that is not written; none where they are not as plain. */
function boundsOf(w: Walk, slice: number): readonly number[] {
  const text = /^(\d{0,6}):(\d{0,6})$/.exec(w.textOf(slice));
  return text === null ? [] : [text[1] === '' ? 0 : Number(text[1]), text[2] === '' ? -1 : Number(text[2])];
}

/** `Box[int](x)` calls the class; `handlers[key](x)` only reads `handlers`. Capitals tell them apart. */
function baseRole(w: Walk, base: number, role: Role): Role {
  if (role === R.base || role === R.type) return role;
  if (role !== R.callee) return R.read;
  const name = w.kind(base) === K.attribute ? w.child(base, FIELD.attribute) : base;
  return name !== -1 && w.kind(name) === K.identifier && /^_*\p{Lu}/u.test(w.textOf(name)) ? role : R.read;
}

// ---- calls

function call(w: Walk, node: number, scope: number, role: Role): number {
  const callee = w.child(node, FIELD.function);
  const args = w.child(node, FIELD.arguments);
  if (callee === -1) return pieces(w, node, scope);
  if (isSpecialCall(w, callee, scope)) {
    const special = builtinCall(w, node, callee, args, scope, role);
    if (special !== -1) return special;
  }
  const calleeRow = w.value(callee, scope, role === R.decorator ? R.decorator : R.callee);
  const given = argumentsOf(w, args, scope);
  const format = formatOf(w, callee);
  if (format !== -1) formatFields(w, format, given, scope);
  return w.expr(E.call, node, scope, '', calleeRow, w.build.argumentList(given));
}

/** The arguments of a call, walked. `-1`: none. */
export function argumentsOf(w: Walk, list: number, scope: number): NewArgument[] {
  const out: NewArgument[] = [];
  if (list === -1) return out;
  if (w.kind(list) === K.generator_expression) return [{ expr: w.value(list, scope), start: w.start(list) }];
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const start = w.start(c);
    const kind = w.kind(c);
    if (kind === K.keyword_argument) {
      const name = w.child(c, FIELD.name);
      const value = w.child(c, FIELD.value);
      out.push({
        expr: value === -1 ? w.other(c, scope) : w.value(value, scope),
        keyword: name === -1 ? '' : w.nameOf(name),
        start,
      });
    } else if (kind === K.list_splat) out.push({ expr: inner(w, c, scope, R.read), spread: 'list', start });
    else if (kind === K.dictionary_splat) out.push({ expr: inner(w, c, scope, R.read), spread: 'keywords', start });
    else out.push({ expr: w.value(c, scope), start });
  }
  return out;
}

// ---- operators

function binary(w: Walk, node: number, scope: number): number {
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  if (left === -1 || right === -1) return pieces(w, node, scope);
  const a = w.value(left, scope);
  const b = w.value(right, scope);
  const operator = operatorText(w, node, left);
  if (operator === '%') percentFormat(w, left, right, scope, b);
  return w.expr(E.operator, node, scope, operator, a, b);
}

/** The token that follows an operand. */
function operatorText(w: Walk, node: number, operand: number): string {
  const { skip } = w.tree;
  for (let c = skip[operand] as number; c < (skip[node] as number); c = skip[c] as number)
    if (w.field(c) === FIELD.operator) return w.textOf(c);
  return '';
}

/** `-x` is named `-@`, so that it is not taken for a subtraction. */
function unary(w: Walk, node: number, scope: number): number {
  const argument = w.child(node, FIELD.argument);
  if (argument === -1) return pieces(w, node, scope);
  const sign = w.text.charAt(w.start(node));
  return w.expr(E.operator, node, scope, sign === '~' ? sign : `${sign}@`, w.value(argument, scope));
}

/** `a < b < c` is two operators which share `b`. */
function comparison(w: Walk, node: number, scope: number): number {
  const { skip } = w.tree;
  const stop = skip[node] as number;
  let left = -1;
  let operator = '';
  let row = -1;
  for (let c = node + 1; c < stop; c = skip[c] as number) {
    if (w.field(c) === FIELD.operators) operator = w.textOf(c).replace(/\s+/g, ' ');
    else if (w.isPart(c)) {
      const right = w.value(c, scope);
      if (left !== -1) row = w.expr(E.operator, node, scope, operator, left, right);
      left = right;
    }
  }
  return row === -1 ? w.other(node, scope) : row;
}

function conditional(w: Walk, node: number, scope: number): number {
  const parts: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) parts.push(c);
  const [yes, test, no] = parts;
  if (parts.length !== 3 || yes === undefined || test === undefined || no === undefined) return pieces(w, node, scope);
  const positive: Fact[] = [];
  const negative: Fact[] = [];
  condition(w, test, scope, positive, negative);
  const rows = [w.value(yes, narrowedScope(w, scope, positive)), w.value(no, narrowedScope(w, scope, negative))];
  return w.union(node, scope, rows);
}

function named(w: Walk, node: number, scope: number): number {
  const name = w.child(node, FIELD.name);
  const value = w.child(node, FIELD.value);
  if (name === -1 || value === -1) return pieces(w, node, scope);
  const row = w.value(value, scope);
  // In `a and (b := c)` nothing may be assigned.
  w.build.path(P.fork, w.start(name), w.end(name));
  w.build.path(P.arm, w.start(name), w.end(name));
  bindName(w, name, scope, { value: row });
  return row;
}

function awaited(w: Walk, node: number, scope: number): number {
  return w.expr(E.await, node, scope, '', inner(w, node, scope, R.read));
}

function yielded(w: Walk, node: number, scope: number): number {
  if (w.first(node) !== -1) {
    const value = inner(w, node, scope, R.read);
    w.state.frame.yielded.push(w.childOf(node, K.from) === -1 ? value : w.expr(E.element, node, scope, '', value));
  } else w.state.frame.yielded.push(w.expr(E.literal, node, scope, 'null'));
  return w.other(node, scope);
}

// ---- collections

function collection(name: string): Handler {
  return (w, node, scope, role) => {
    const rows: number[] = [];
    for (let c = w.first(node); c !== -1; c = w.next(c)) {
      const kind = w.kind(c);
      if (kind === K.list_splat || kind === K.parenthesized_list_splat || kind === K.list_splat_pattern) {
        rows.push(w.expr(E.element, c, scope, '', inner(w, c, scope, role)));
      } else {
        const row = w.value(c, scope, role);
        rows.push(name === 'set' ? implied(w, 'hash', c, scope, row) : row);
      }
    }
    return w.list(node, scope, name, rows);
  };
}

function dictionary(w: Walk, node: number, scope: number): number {
  const keys: number[] = [];
  const values: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.pair) {
      const { key, value } = pair(w, c, scope);
      keys.push(key);
      values.push(value);
    } else if (w.kind(c) === K.dictionary_splat) {
      keys.push(-1);
      values.push(w.expr(E.index, c, scope, '', inner(w, c, scope, R.read)));
    } else w.value(c, scope);
  }
  return w.expr(E.dict, node, scope, 'dict', w.build.list(keys), w.build.list(values));
}

/** Walks `key: value` and gives both. */
function pair(w: Walk, node: number, scope: number): { readonly key: number; readonly value: number } {
  const key = w.child(node, FIELD.key);
  const value = w.child(node, FIELD.value);
  return {
    key: key === -1 ? -1 : implied(w, 'hash', key, scope, w.value(key, scope)),
    value: value === -1 ? w.other(node, scope) : w.value(value, scope),
  };
}

/**
 * A comprehension has a scope of its own, but its first iterable is looked up outside: in a class
 * body only that one sees the class's names.
 */
function comprehension(op: typeof E.list | typeof E.dict, name: string): Handler {
  return (w, node, scope) => {
    const own = w.blockScope(w.state.closureParent(scope));
    let seen = own;
    let isFirst = true;
    let body = -1;
    for (let c = w.first(node); c !== -1; c = w.next(c)) {
      const kind = w.kind(c);
      if (kind === K.for_in_clause) {
        forClause(w, c, isFirst ? scope : seen, seen, own);
        isFirst = false;
      } else if (kind === K.if_clause) {
        const facts: Fact[] = [];
        const test = w.first(c);
        if (test !== -1) condition(w, test, seen, facts, []);
        seen = narrowedScope(w, seen, facts);
      } else if (body === -1) body = c;
      else w.value(c, seen);
    }
    const row = body === -1 ? -1 : w.kind(body) === K.pair ? pair(w, body, seen).value : w.value(body, seen);
    return w.expr(op, node, scope, name, -1, w.build.list(row === -1 ? [] : [row]));
  };
}

function forClause(w: Walk, node: number, iterableScope: number, scope: number, into: number): void {
  const left = w.child(node, FIELD.left);
  let iterable = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) if (c !== left) iterable = w.value(c, iterableScope);
  if (left === -1) return;
  const element =
    iterable === -1 ? -1 : w.expr(E.element, left, scope, w.childOf(node, K.async) === -1 ? '' : 'async', iterable);
  bindTarget(w, left, scope, { value: element, into });
}

// ---- strings

/** An identifier, or several with dots between. */
const DOTTED = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;
/** A module beside the file's own, as an import would name it. */
const RELATIVE = /^(\.+)((?:[\p{L}_][\p{L}\p{N}_]*\.)*)([\p{L}_][\p{L}\p{N}_]*)$/u;
/** Longer strings name nothing. */
const DOTTED_MOST = 80;

function string(w: Walk, node: number, scope: number): number {
  const start = w.start(node);
  const end = w.end(node);
  let content = -1;
  let plain = true;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const kind = w.kind(c);
    if (kind === K.string_content) content = c;
    else if (kind === K.interpolation) {
      interpolation(w, c, scope);
      plain = false;
    } else if (kind !== K.string_start && kind !== K.string_end) {
      w.visit(c, scope);
      plain = false;
    }
  }
  const isBytes = isBytesPrefix(w.text, start);
  if (plain && !isBytes && content !== -1) {
    const from = w.start(content);
    const to = w.end(content);
    if (to - from <= DOTTED_MOST) {
      const text = w.text.slice(from, to);
      if (DOTTED.test(text)) {
        const last = text.lastIndexOf('.') + 1;
        const path = last === 0 ? -1 : w.build.expr(E.other, from, from + last - 1, scope, text.slice(0, last - 1));
        return w.build.expr(E.string, from + last, to, scope, text.slice(last), path);
      }
      const [, dots = '', folders = '', last] = RELATIVE.exec(text) ?? [];
      if (last !== undefined) {
        const path = dots + folders.slice(0, -1);
        const of = w.build.expr(E.other, from, from + path.length, scope, path);
        const named = w.build.expr(E.other, to - last.length, to, scope, last, of);
        return w.build.expr(E.literal, start, end, scope, 'str', named);
      }
    }
  }
  return w.build.expr(E.literal, start, end, scope, isBytes ? 'bytes' : 'str');
}

function isBytesPrefix(text: string, start: number): boolean {
  const first = text.charCodeAt(start) | 32;
  return first === 98 /* b */ || (first === 114 /* r */ && (text.charCodeAt(start + 1) | 32) === 98);
}

/** `{x!r:>{width}}`: the value, and values in the format. */
function interpolation(w: Walk, node: number, scope: number): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const kind = w.kind(c);
    if (kind === K.format_specifier) {
      for (let f = w.first(c); f !== -1; f = w.next(f)) interpolation(w, f, scope);
    } else if (kind !== K.type_conversion) implied(w, 'text', c, scope, w.value(c, scope));
  }
}

function concatenated(w: Walk, node: number, scope: number): number {
  for (let c = w.first(node); c !== -1; c = w.next(c)) w.value(c, scope);
  return w.expr(E.literal, node, scope, isBytesPrefix(w.text, w.start(node)) ? 'bytes' : 'str');
}

export const EXPRESSIONS: Table = {
  identifier: (w, node, scope, role) => w.nameRow(node, scope, role),
  attribute,
  subscript,
  call,
  lambda,
  string,
  parenthesized_expression: inner,
  list_splat: inner,
  dictionary_splat: inner,
  list_splat_pattern: inner,
  dictionary_splat_pattern: inner,
  parenthesized_list_splat: inner,
  as_pattern_target: inner,
  type: inner,
  binary_operator: binary,
  unary_operator: unary,
  comparison_operator: comparison,
  boolean_operator: choice,
  not_operator: choice,
  conditional_expression: conditional,
  named_expression: named,
  await: awaited,
  yield: yielded,
  list: collection('list'),
  set: collection('set'),
  tuple: collection('tuple'),
  expression_list: collection('tuple'),
  pattern_list: collection('tuple'),
  tuple_pattern: collection('tuple'),
  list_pattern: collection('list'),
  dictionary,
  list_comprehension: comprehension(E.list, 'list'),
  set_comprehension: comprehension(E.list, 'set'),
  generator_expression: comprehension(E.list, 'list'),
  dictionary_comprehension: comprehension(E.dict, 'dict'),
  concatenated_string: concatenated,
  integer: wholeNumber,
  float: literal('float'),
  true: literal('bool'),
  false: literal('bool'),
  none: literal('null'),
  ellipsis: (w, node, scope) => w.other(node, scope),
};
