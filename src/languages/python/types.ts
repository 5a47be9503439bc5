/**
 * Annotations to rows: what is written as a type, also inside a string.
 *
 * Forms of `typing` that only qualify a type (`Annotated[T, …]`, `ClassVar[T]`) give the row of
 * the type they qualify; `Union` and `|` give a union, `Callable` a function type, `Self` the
 * row for "an object of the class around". The names written are rows in any case.
 */
import { E, R, TAKES, type Role } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import { stringType } from './string-types.js';
import { applied, namedType, qualifiedType } from './type-forms.js';
import type { Table, Walk } from './walk.js';

/** Forms whose further arguments are values, not types. */
const FIRST_ONLY = new Set(['Annotated']);

function inParentheses(w: Walk, node: number, scope: number, role: Role): number {
  const only = w.first(node);
  return only !== -1 && w.next(only) === -1 ? w.type(only, scope, role) : w.value(node, scope, role);
}

function attribute(w: Walk, node: number, scope: number, role: Role): number {
  const object = w.child(node, FIELD.object);
  const name = w.child(node, FIELD.attribute);
  if (object === -1 || name === -1) return w.value(node, scope, role);
  const receiver = w.kind(object) === K.subscript ? w.type(object, scope, R.read) : w.value(object, scope);
  const row = w.memberRow(name, receiver, scope, role);
  return qualifiedType(w, w.textOf(object), w.nameOf(name), row, w.start(node), w.end(node), scope);
}

function binary(w: Walk, node: number, scope: number, role: Role): number {
  const left = w.child(node, FIELD.left);
  return left !== -1 && w.textOf(w.after(left)) === '|' ? union(w, node, scope) : w.value(node, scope, role);
}

function union(w: Walk, node: number, scope: number): number {
  return w.union(node, scope, w.typesIn(node, scope), R.type);
}

function tuple(w: Walk, node: number, scope: number): number {
  return w.list(node, scope, 'tuple', w.typesIn(node, scope), R.type);
}

function last(w: Walk, node: number, scope: number): number {
  return w.typesIn(node, scope).at(-1) ?? w.other(node, scope);
}

/** A bare name as a type; `Self` means the class around. */
function typeName(w: Walk, node: number, scope: number, role: Role): number {
  const row = w.nameRow(node, scope, role);
  const name = w.textOf(node);
  return namedType(w, name, row, w.start(node), w.end(node), scope);
}

/** `A[int].B`, which the grammar has as a member of a type. */
function memberType(w: Walk, node: number, scope: number, role: Role): number {
  let row = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    row = w.kind(c) === K.identifier && row !== -1 ? w.memberRow(c, row, scope, role) : w.type(c, scope, R.read);
  }
  return row === -1 ? w.other(node, scope) : row;
}

function alternatives(w: Walk, node: number, out: number[]): number[] {
  for (let c = w.first(node); c !== -1; c = w.next(c)) out.push(c);
  return out;
}

function quoted(w: Walk, node: number, scope: number): number {
  const content = w.childOf(node, K.string_content);
  const isPlain = content !== -1 && w.first(content) === -1 && w.childOf(node, K.interpolation) === -1;
  if (!isPlain) return w.value(node, scope);
  return stringType(w, w.start(content), w.end(content), scope);
}

/** `X[A, B]`, from either of the grammar's two shapes. */
function generic(w: Walk, node: number, scope: number, role: Role): number {
  const base = w.first(node);
  if (base === -1) return w.other(node, scope);
  const args: number[] = [];
  for (let c = w.next(base); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.type_parameter) for (let t = w.first(c); t !== -1; t = w.next(t)) args.push(onlyInside(w, t));
    else args.push(c);
  }
  const baseRow = w.kind(base) === K.identifier ? w.nameRow(base, scope, role) : w.type(base, scope, role);
  const name = lastName(w, base);
  if (name === 'Literal') return literal(w, node, scope, baseRow, args);
  if (name === 'Callable' && args.length === 2) return callable(w, node, scope, args);
  if (FIRST_ONLY.has(name)) {
    const [first, ...rest] = args.map((arg, i) => (i === 0 ? w.type(arg, scope) : w.value(arg, scope)));
    return first ?? w.union(node, scope, rest);
  }
  const rows = args
    .flatMap((arg) => (w.kind(arg) === K.tuple && args.length === 1 ? alternatives(w, arg, []) : [arg]))
    .map((arg) => w.type(arg, scope));
  return applied(w, name, baseRow, rows, w.start(node), w.end(node), scope);
}

/** The expression in the grammar's `type` wrapper. */
function onlyInside(w: Walk, node: number): number {
  const inner = w.kind(node) === K.type ? w.first(node) : -1;
  return inner !== -1 && w.next(inner) === -1 ? inner : node;
}

/** `Literal["a"]`: the arguments are values. */
function literal(w: Walk, node: number, scope: number, base: number, args: readonly number[]): number {
  const rows = args.map((arg) => w.value(arg, scope));
  return w.index(node, scope, base, rows, R.type);
}

/** `Callable[[A, B], C]`; of `Callable[..., C]` and `Callable[P, C]` is known that they take anything. */
function callable(w: Walk, node: number, scope: number, [params, result]: readonly number[]): number {
  const parameters: number[] = [];
  const isListed = params !== undefined && w.kind(params) === K.list;
  if (params !== undefined) {
    if (isListed) for (let c = w.first(params); c !== -1; c = w.next(c)) parameters.push(w.type(c, scope));
    else w.type(params, scope);
  }
  const returned = result === undefined ? -1 : w.type(result, scope);
  const takes = isListed ? '' : TAKES.any;
  return w.expr(E.functionType, node, scope, takes, returned, w.build.list(parameters), R.type);
}

/** Last identifier of `a.b.C`, `C[x]`; '' for anything else. */
export function lastName(w: Walk, node: number): string {
  for (let at = node; at !== -1; at = w.first(at)) {
    switch (w.kind(at)) {
      case K.identifier:
        return w.textOf(at);
      case K.attribute: {
        const name = w.child(at, FIELD.attribute);
        return name === -1 ? '' : w.textOf(name);
      }
      case K.subscript:
      case K.call:
      case K.generic_type:
      case K.type:
      case K.parenthesized_expression:
        break;
      default:
        return '';
    }
  }
  return '';
}

/** Names that only occur in types when they are subscripted. */
const TYPE_FORMS = new Set([
  'Union',
  'Optional',
  'Callable',
  'Type',
  'Literal',
  'Annotated',
  'List',
  'Dict',
  'Set',
  'FrozenSet',
  'Tuple',
  'Sequence',
  'MutableSequence',
  'Mapping',
  'MutableMapping',
  'Iterable',
  'Iterator',
  'AsyncIterable',
  'AsyncIterator',
  'Collection',
  'Awaitable',
  'Coroutine',
  'Generator',
  'AsyncGenerator',
  'ContextManager',
  'AsyncContextManager',
  'DefaultDict',
  'OrderedDict',
  'Counter',
  'Deque',
  'ChainMap',
  'ClassVar',
  'Final',
  'list',
  'dict',
  'set',
  'frozenset',
  'tuple',
  'type',
]);

/** Whether the value of an assignment is a type: `Union[...]`, `dict[str, "Foo"]`, `A | None` in capitals. */
export function isTypeForm(w: Walk, node: number): boolean {
  // Down the left side, as long as alternatives are not types.
  for (let at = node; at !== -1;) {
    const kind = w.kind(at);
    if (kind === K.parenthesized_expression) {
      at = w.first(at);
      continue;
    }
    if (kind === K.subscript) {
      const base = w.first(at);
      return base !== -1 && TYPE_FORMS.has(lastName(w, base));
    }
    if (kind !== K.binary_operator) return false;
    const left = w.child(at, FIELD.left);
    const right = w.child(at, FIELD.right);
    if (left === -1 || right === -1 || w.textOf(w.after(left)) !== '|') return false;
    if (w.kind(right) === K.none || isTypeForm(w, right)) return true;
    at = left;
  }
  return false;
}

export const TYPES: Table = {
  identifier: typeName,
  type: inParentheses,
  parenthesized_expression: inParentheses,
  attribute,
  member_type: memberType,
  generic_type: generic,
  subscript: generic,
  union_type: union,
  binary_operator: binary,
  string: quoted,
  list: tuple,
  tuple,
  splat_type: last,
  list_splat: last,
  constrained_type: last,
};
