/**
 * Patterns and deconstruction: what `is`, `case` and `(a, b) = …` test, take apart and bind.
 *
 * `subject` is the row of the value that a pattern is held against; what a part of the pattern
 * binds gets its type from the type that the pattern names, or from the subject. The grammar
 * reads many patterns as expressions (`Foo(1, var x)` as a call, `(1, A a)` as a tuple), which
 * are understood here.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

/** Walks a kind of pattern against the value at `subject`. */
type PatternHandler = (w: Walk, node: number, subject: number, scope: number, nameRole: Role) => void;

/**
 * Walks a pattern; locals are declared in `scope`. `nameRole`: the role of a bare name, which may be a type or a
 * constant.
 */
export function pattern(w: Walk, node: number, subject: number, scope: number, nameRole: Role): void {
  if (node === -1) return;
  const handler = PATTERNS.get(w.kind(node));
  if (handler === undefined) w.visit(node, scope);
  else
    w.nested(node, scope, () => {
      handler(w, node, subject, scope, nameRole);
      return -1;
    });
}

const constant: PatternHandler = (w, node, subject, scope, nameRole) =>
  pattern(w, w.first(node), subject, scope, nameRole);

const bareName: PatternHandler = (w, node, _subject, scope, nameRole) =>
  w.build.setRole(w.visit(node, scope), nameRole);

const declaration: PatternHandler = (w, node, subject, scope) => {
  const type = w.type(w.child(node, FIELD.type), scope);
  designate(w, node, node, type, subject, scope);
};

/** `not p`, `(p)`, `p and q`. */
const several: PatternHandler = (w, node, subject, scope, nameRole) => {
  for (let c = w.first(node); c !== -1; c = w.next(c)) pattern(w, c, subject, scope, nameRole);
};

/** `p or q or r` leans to the left, as deep as it is long. */
const alternatives: PatternHandler = (w, node, subject, scope, nameRole) => {
  const spine = w.leftSpine(node, (at) => w.first(at));
  for (let i = spine.length - 1; i >= 0; i--)
    for (let c = w.first(spine[i] as number); c !== -1; c = w.next(c))
      if (c !== spine[i + 1]) pattern(w, c, subject, scope, nameRole);
};

const list: PatternHandler = (w, node, subject, scope, nameRole) => {
  const element = subject === -1 ? -1 : w.expr(E.element, node, scope, '', subject);
  const name = w.child(node, FIELD.name);
  for (let c = w.first(node); c !== -1; c = w.next(c)) if (c !== name) pattern(w, c, element, scope, nameRole);
  if (name !== -1) w.local(name, node, scope, -1, subject);
};

/** `Foo(1, var x)`, which the grammar takes for a call. */
const callLike: PatternHandler = (w, node, subject, scope, nameRole) =>
  takenApart(w, w.child(node, FIELD.function), w.child(node, FIELD.arguments), subject, scope, nameRole);

/** A type and the list of patterns in parentheses behind it. */
export function takenApart(
  w: Walk,
  typeNode: number,
  list: number,
  subject: number,
  scope: number,
  nameRole: Role,
): void {
  const type = w.type(typeNode, scope);
  if (list !== -1) parts(w, list, type === -1 ? subject : type, scope, nameRole);
}

const declarationLike: PatternHandler = (w, node, subject, scope) => {
  const type = w.type(w.child(node, FIELD.type), scope);
  const name = w.child(node, FIELD.name);
  if (name !== -1) w.local(name, node, scope, type, type === -1 ? subject : -1);
};

const PATTERNS: ReadonlyMap<number, PatternHandler> = new Map<number, PatternHandler>([
  [K.discard, () => undefined],
  [K.constant_pattern, constant],
  [K.identifier, bareName],
  [K.generic_name, bareName],
  [K.member_access_expression, bareName],
  [K.type_pattern, (w, node, _subject, scope) => void w.type(w.child(node, FIELD.type), scope)],
  [K.declaration_pattern, declaration],
  [K.var_pattern, declaration],
  [K.recursive_pattern, recursive],
  [K.negated_pattern, several],
  [K.parenthesized_pattern, several],
  [K.or_pattern, alternatives],
  [K.and_pattern, several],
  [K.list_pattern, list],
  [K.tuple_expression, parts],
  [K.invocation_expression, callLike],
  [K.declaration_expression, declarationLike],
]);

/** Arguments of what the grammar took for a tuple or a call. */
function parts(w: Walk, list: number, subject: number, scope: number, nameRole: Role): void {
  let position = 0;
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const inner = w.kind(c) === K.argument ? w.last(c) : c;
    const keyword = w.kind(c) === K.argument ? w.child(c, FIELD.name) : -1;
    if (keyword !== -1 && keyword !== inner) memberOfMatched(w, keyword, subject, scope);
    pattern(w, inner, part(w, c, subject, position, scope), scope, nameRole);
    position++;
  }
}

function part(w: Walk, node: number, whole: number, position: number, scope: number): number {
  return whole === -1 ? -1 : w.expr(E.nth, node, scope, '', whole, position);
}

function memberOfMatched(w: Walk, identifier: number, matched: number, scope: number): number {
  return w.keyRow(identifier, matched, scope);
}

/** `Foo(p, q) { X: r } name`, each part of which may be missing. */
function recursive(w: Walk, node: number, subject: number, scope: number, nameRole: Role): void {
  const type = w.type(w.child(node, FIELD.type), scope);
  const matched = type === -1 ? subject : type;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const tag = w.kind(c);
    if (tag === K.property_pattern_clause) clause(w, c, matched, scope, nameRole, false);
    else if (tag === K.positional_pattern_clause) clause(w, c, matched, scope, nameRole, true);
    else if (w.isPart(c) && w.field(c) === 0 && tag !== K.parenthesized_variable_designation && tag !== K.discard)
      pattern(w, c, matched, scope, nameRole);
  }
  designate(w, node, node, type, subject, scope);
}

function clause(w: Walk, node: number, matched: number, scope: number, nameRole: Role, positional: boolean): void {
  let position = 0;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== K.subpattern) continue;
    const first = w.first(c);
    const last = w.last(c);
    const member = first === last || first === -1 ? -1 : subpatternMember(w, first, matched, scope);
    pattern(w, last, positional ? part(w, c, matched, position, scope) : member, scope, nameRole);
    position++;
  }
}

/** `X` or `X.Y` in front of a sub-pattern's colon. */
function subpatternMember(w: Walk, node: number, matched: number, scope: number): number {
  if (w.kind(node) === K.identifier) return memberOfMatched(w, node, matched, scope);
  if (w.kind(node) !== K.member_access_expression) return w.value(node, scope);
  const base = w.child(node, FIELD.expression);
  const name = w.child(node, FIELD.name);
  const row = base === -1 ? matched : subpatternMember(w, base, matched, scope);
  return name === -1 || w.kind(name) !== K.identifier ? row : w.memberRow(name, row, scope, R.read);
}

/** The name or names that a pattern gives to what it matched. */
function designate(w: Walk, node: number, whole: number, type: number, subject: number, scope: number): void {
  const value = type === -1 ? subject : -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.field(c) === FIELD.name && w.kind(c) === K.identifier) w.local(c, whole, scope, type, value);
    else if (w.kind(c) === K.parenthesized_variable_designation) bindParts(w, c, type === -1 ? subject : type, scope);
  }
}

/**
 * Binds the parts of `value` to the names in a tuple pattern, tuple expression, argument list or
 * designation: new locals where it declares them (`var (a, b)`), else writes of what is there.
 */
export function bindParts(w: Walk, node: number, value: number, scope: number): void {
  if (node === -1) return;
  const declares = w.kind(node) !== K.tuple_expression;
  let position = 0;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    bindPart(w, w.kind(c) === K.argument ? w.last(c) : c, c, value, position, scope, declares);
    position++;
  }
}

function bindPart(
  w: Walk,
  node: number,
  whole: number,
  value: number,
  position: number,
  scope: number,
  declares: boolean,
): void {
  const tag = node === -1 ? K.discard : w.kind(node);
  // What is taken and thrown away counts among the parts.
  const row = part(w, whole, value, position, scope);
  if (tag === K.discard) return;
  if (tag === K.tuple_pattern || tag === K.tuple_expression || tag === K.parenthesized_variable_designation)
    bindParts(w, node, row, scope);
  else if (tag === K.declaration_expression) {
    const type = w.type(w.child(node, FIELD.type), scope);
    const name = w.child(node, FIELD.name);
    if (name !== -1) w.local(name, node, scope, type, type === -1 ? row : -1);
  } else if (declares && tag === K.identifier) w.local(node, node, scope, -1, row);
  else w.build.setRole(w.visit(node, scope), R.write);
}
