/**
 * Annotations to rows: what is written as a type, also inside a string.
 *
 * Forms of `typing` that only qualify a type (`Annotated[T, …]`, `ClassVar[T]`) give the row of
 * the type they qualify; `Union` and `|` give a union, `Callable` a function type, `Self` the
 * row for "an object of the class around". The names written are rows in any case.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import { expression, flat } from './expressions.js';
import { FIELD, K } from './kinds.js';
import { stringType } from './string-types.js';
import type { Walk } from './walk.js';

/** Forms whose meaning is that of their first argument. */
const QUALIFIERS = new Set([
  'Annotated',
  'ClassVar',
  'Final',
  'InitVar',
  'Required',
  'NotRequired',
  'ReadOnly',
  'Unpack',
  'TypeGuard',
  'TypeIs',
  'Mapped',
]);
/** Forms whose further arguments are values, not types. */
const FIRST_ONLY = new Set(['Annotated']);

/** The row of a type expression. `role` goes to the name that says what the type is. */
export function typeExpression(w: Walk, node: number, scope: number, role: Role = R.type): number {
  if (!w.enterLevel()) return flat(w, node, scope);
  const row = walkType(w, node, scope, role);
  w.leaveLevel();
  return row;
}

function walkType(w: Walk, node: number, scope: number, role: Role): number {
  switch (w.kind(node)) {
    case K.identifier:
      return typeName(w, node, scope, role);
    case K.type:
    case K.parenthesized_expression: {
      const only = w.first(node);
      return only !== -1 && w.next(only) === -1
        ? typeExpression(w, only, scope, role)
        : expression(w, node, scope, role);
    }
    case K.attribute: {
      const object = w.child(node, FIELD.object);
      const name = w.child(node, FIELD.attribute);
      if (object === -1 || name === -1) return expression(w, node, scope, role);
      const receiver = isGeneric(w, object) ? typeExpression(w, object, scope, R.read) : expression(w, object, scope);
      return qualifiedType(
        w,
        w.textOf(object),
        w.textOf(name),
        w.memberRow(name, receiver, scope, role),
        w.start(node),
        w.end(node),
        scope,
      );
    }
    case K.member_type:
      return memberType(w, node, scope, role);
    case K.generic_type:
    case K.subscript:
      return generic(w, node, scope, role);
    case K.union_type:
      return union(w, node, scope, alternatives(w, node, []));
    case K.binary_operator: {
      const left = w.child(node, FIELD.left);
      return left !== -1 && w.textOf(w.tree.skip[left] as number) === '|'
        ? union(w, node, scope, alternatives(w, node, []))
        : expression(w, node, scope, role);
    }
    case K.string:
      return quoted(w, node, scope);
    case K.list:
    case K.tuple: {
      const parts: number[] = [];
      for (let c = w.first(node); c !== -1; c = w.next(c)) parts.push(typeExpression(w, c, scope));
      return w.build.expr(E.list, w.start(node), w.end(node), scope, 'tuple', -1, w.build.list(parts), R.type);
    }
    case K.splat_type:
    case K.list_splat:
    case K.constrained_type: {
      let row = -1;
      for (let c = w.first(node); c !== -1; c = w.next(c)) row = typeExpression(w, c, scope);
      return row === -1 ? w.other(node, scope) : row;
    }
    default:
      return expression(w, node, scope, role);
  }
}

const isGeneric = (w: Walk, node: number): boolean => w.kind(node) === K.subscript;

/** A bare name as a type; `Self` means the class around. */
function typeName(w: Walk, node: number, scope: number, role: Role): number {
  const row = w.nameRow(node, scope, role);
  const name = w.textOf(node);
  return namedType(w, name, row, w.start(node), w.end(node), scope);
}

/** What a name that was written as a type stands for; notes type variables. */
export function namedType(w: Walk, name: string, row: number, start: number, end: number, scope: number): number {
  if (w.seenTypeVars !== undefined && w.typeVars.size > 0) {
    const variable = w.typeVars.get(name);
    if (variable !== undefined) w.seenTypeVars.add(variable);
  }
  if (name !== 'Self' || !(w.imported.get('Self')?.startsWith('typing') ?? !w.isBound(scope, 'Self'))) return row;
  return w.build.expr(E.this, start, end, scope, '', -1, -1, R.type);
}

/** What `module.name` stands for: `typing.Self` is the class around, anything else the member. */
export function qualifiedType(
  w: Walk,
  module: string,
  name: string,
  row: number,
  start: number,
  end: number,
  scope: number,
): number {
  if (name !== 'Self' || !(w.imported.get(module)?.startsWith('typing') ?? false)) return row;
  return w.build.expr(E.this, start, end, scope, '', -1, -1, R.type);
}

/** `A[int].B`, which the grammar has as a member of a type. */
function memberType(w: Walk, node: number, scope: number, role: Role): number {
  let row = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    row =
      w.kind(c) === K.identifier && row !== -1 ? w.memberRow(c, row, scope, role) : typeExpression(w, c, scope, R.read);
  }
  return row === -1 ? w.other(node, scope) : row;
}

function alternatives(w: Walk, node: number, out: number[]): number[] {
  for (let c = w.first(node); c !== -1; c = w.next(c)) out.push(c);
  return out;
}

function union(w: Walk, node: number, scope: number, parts: readonly number[]): number {
  const rows = parts.map((part) => typeExpression(w, part, scope));
  return w.build.expr(E.union, w.start(node), w.end(node), scope, '', -1, w.build.list(rows), R.type);
}

function quoted(w: Walk, node: number, scope: number): number {
  const content = w.childOf(node, K.string_content);
  const isPlain = content !== -1 && w.first(content) === -1 && w.childOf(node, K.interpolation) === -1;
  if (!isPlain) return expression(w, node, scope);
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
  const baseRow = w.kind(base) === K.identifier ? w.nameRow(base, scope, role) : typeExpression(w, base, scope, role);
  const name = lastName(w, base);
  if (name === 'Literal') return literal(w, node, scope, baseRow, args);
  if (name === 'Callable' && args.length === 2) return callable(w, node, scope, args);
  if (FIRST_ONLY.has(name)) {
    const [first, ...rest] = args.map((arg, i) =>
      i === 0 ? typeExpression(w, arg, scope) : expression(w, arg, scope),
    );
    return first ?? w.build.expr(E.union, w.start(node), w.end(node), scope, '', -1, w.build.list(rest));
  }
  const rows = args
    .flatMap((arg) => (w.kind(arg) === K.tuple && args.length === 1 ? alternatives(w, arg, []) : [arg]))
    .map((arg) => typeExpression(w, arg, scope));
  return applied(w, name, baseRow, rows, w.start(node), w.end(node), scope);
}

/** The row of `name[rows]` once both are walked. */
export function applied(
  w: Walk,
  name: string,
  base: number,
  rows: readonly number[],
  start: number,
  end: number,
  scope: number,
): number {
  const [first] = rows;
  if (QUALIFIERS.has(name) && first !== undefined) return first;
  if (name === 'Union') return w.build.expr(E.union, start, end, scope, '', -1, w.build.list(rows), R.type);
  return w.build.expr(E.index, start, end, scope, '', base, w.build.list(rows), R.type);
}

/** The expression in the grammar's `type` wrapper. */
function onlyInside(w: Walk, node: number): number {
  const inner = w.kind(node) === K.type ? w.first(node) : -1;
  return inner !== -1 && w.next(inner) === -1 ? inner : node;
}

/** `Literal["a"]`: the arguments are values. */
function literal(w: Walk, node: number, scope: number, base: number, args: readonly number[]): number {
  const rows = args.map((arg) => expression(w, arg, scope));
  return w.build.expr(E.index, w.start(node), w.end(node), scope, '', base, w.build.list(rows), R.type);
}

/** `Callable[[A, B], C]`, `Callable[..., C]`, `Callable[P, C]`. */
function callable(w: Walk, node: number, scope: number, [params, result]: readonly number[]): number {
  const parameters: number[] = [];
  if (params !== undefined) {
    if (w.kind(params) === K.list)
      for (let c = w.first(params); c !== -1; c = w.next(c)) parameters.push(typeExpression(w, c, scope));
    else typeExpression(w, params, scope);
  }
  const returned = result === undefined ? -1 : typeExpression(w, result, scope);
  return w.build.expr(
    E.functionType,
    w.start(node),
    w.end(node),
    scope,
    '',
    returned,
    w.build.list(parameters),
    R.type,
  );
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
  for (let at = node; at !== -1; ) {
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
    if (left === -1 || right === -1 || w.textOf(w.tree.skip[left] as number) !== '|') return false;
    if (w.kind(right) === K.none || isTypeForm(w, right)) return true;
    at = left;
  }
  return false;
}
