/**
 * Patterns and deconstruction: what `is`, `case` and `(a, b) = …` test, take apart and bind.
 *
 * `subject` is the row of the value that a pattern is held against; what a part of the pattern
 * binds gets its type from the type that the pattern names, or from the subject. The grammar
 * reads many patterns as expressions (`Foo(1, var x)` as a call, `(1, A a)` as a tuple), which
 * are understood here.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import { T } from './kinds.js';
import { typeRow } from './types.js';
import type { Walk } from './walk.js';

/** Walks a pattern; locals are declared in `scope`. `nameRole`: the role of a bare name, which may be a type or a constant. */
export function pattern(w: Walk, node: number, subject: number, scope: number, nameRole: Role): void {
  if (node === -1) return;
  const { fields } = w.kinds;
  switch (w.tag(node)) {
    case T.discard:
      return;
    case T.constant_pattern:
      return pattern(w, w.firstNamed(node), subject, scope, nameRole);
    case T.identifier:
    case T.generic_name:
    case T.member_access_expression:
      w.build.setRole(w.visit(node, scope), nameRole);
      return;
    case T.type_pattern:
      typeRow(w, w.inField(node, fields.type), scope);
      return;
    case T.declaration_pattern:
    case T.var_pattern: {
      const type = typeRow(w, w.inField(node, fields.type), scope);
      return designate(w, node, node, type, subject, scope);
    }
    case T.recursive_pattern:
      return recursive(w, node, subject, scope, nameRole);
    case T.negated_pattern:
    case T.parenthesized_pattern:
    case T.or_pattern:
      for (const alternative of alternatives(w, node)) pattern(w, alternative, subject, scope, nameRole);
      return;
    case T.and_pattern:
      for (let c = w.first(node); c !== -1; c = w.next(node, c))
        if (w.counts(c)) pattern(w, c, subject, scope, nameRole);
      return;
    case T.list_pattern: {
      const element = subject === -1 ? -1 : w.expr(E.element, node, scope, '', subject);
      const name = w.inField(node, fields.name);
      for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
        if (w.counts(c) && c !== name) pattern(w, c, element, scope, nameRole);
      }
      if (name !== -1) w.local(name, node, scope, -1, subject);
      return;
    }
    case T.tuple_expression:
      return parts(w, node, subject, scope, nameRole);
    case T.invocation_expression: {
      const type = typeRow(w, w.inField(node, fields.function), scope);
      const list = w.inField(node, fields.arguments);
      if (list !== -1) parts(w, list, type === -1 ? subject : type, scope, nameRole);
      return;
    }
    case T.declaration_expression: {
      const type = typeRow(w, w.inField(node, fields.type), scope);
      const name = w.inField(node, fields.name);
      if (name !== -1) w.local(name, node, scope, type, type === -1 ? subject : -1);
      return;
    }
    default:
      w.visit(node, scope);
  }
}

/** Arguments of what the grammar took for a tuple or a call. */
function parts(w: Walk, list: number, subject: number, scope: number, nameRole: Role): void {
  let position = 0;
  for (let c = w.first(list); c !== -1; c = w.next(list, c)) {
    if (!w.counts(c)) continue;
    const inner = w.tag(c) === T.argument ? w.lastNamed(c) : c;
    const keyword = w.tag(c) === T.argument ? w.inField(c, w.kinds.fields.name) : -1;
    if (keyword !== -1 && keyword !== inner) memberOfMatched(w, keyword, subject, scope);
    pattern(w, inner, part(w, c, subject, position, scope), scope, nameRole);
    position++;
  }
}

function part(w: Walk, node: number, whole: number, position: number, scope: number): number {
  return whole === -1 ? -1 : w.expr(E.nth, node, scope, '', whole, position);
}

function memberOfMatched(w: Walk, identifier: number, matched: number, scope: number): number {
  return w.build.expr(E.initializer, w.nameStart(identifier), w.end(identifier), scope, w.name(identifier), matched);
}

/** `Foo(p, q) { X: r } name`, each part of which may be missing. */
function recursive(w: Walk, node: number, subject: number, scope: number, nameRole: Role): void {
  const { fields } = w.kinds;
  const type = typeRow(w, w.inField(node, fields.type), scope);
  const matched = type === -1 ? subject : type;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const tag = w.tag(c);
    if (tag === T.property_pattern_clause) clause(w, c, matched, scope, nameRole, false);
    else if (tag === T.positional_pattern_clause) clause(w, c, matched, scope, nameRole, true);
    else if (w.counts(c) && w.tree.field[c] === 0 && tag !== T.parenthesized_variable_designation && tag !== T.discard)
      pattern(w, c, matched, scope, nameRole);
  }
  designate(w, node, node, type, subject, scope);
}

function clause(w: Walk, node: number, matched: number, scope: number, nameRole: Role, positional: boolean): void {
  let position = 0;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (w.tag(c) !== T.subpattern) continue;
    const first = w.firstNamed(c);
    const last = w.lastNamed(c);
    const member = first === last || first === -1 ? -1 : subpatternMember(w, first, matched, scope);
    pattern(w, last, positional ? part(w, c, matched, position, scope) : member, scope, nameRole);
    position++;
  }
}

/** `X` or `X.Y` in front of a sub-pattern's colon. */
function subpatternMember(w: Walk, node: number, matched: number, scope: number): number {
  const { fields } = w.kinds;
  if (w.tag(node) === T.identifier) return memberOfMatched(w, node, matched, scope);
  if (w.tag(node) !== T.member_access_expression) return w.value(node, scope);
  const base = w.inField(node, fields.expression);
  const name = w.inField(node, fields.name);
  const row = base === -1 ? matched : subpatternMember(w, base, matched, scope);
  return name === -1 || w.tag(name) !== T.identifier ? row : w.memberRow(name, row, scope, R.read);
}

/** The name or names that a pattern gives to what it matched. */
function designate(w: Walk, node: number, whole: number, type: number, subject: number, scope: number): void {
  const value = type === -1 ? subject : -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (w.tree.field[c] === w.kinds.fields.name && w.tag(c) === T.identifier) w.local(c, whole, scope, type, value);
    else if (w.tag(c) === T.parenthesized_variable_designation) bindParts(w, c, type === -1 ? subject : type, scope);
  }
}

/**
 * Binds the parts of `value` to the names in a tuple pattern, tuple expression, argument list or
 * designation: new locals where it declares them (`var (a, b)`), else writes of what is there.
 */
export function bindParts(w: Walk, node: number, value: number, scope: number): void {
  if (node === -1) return;
  const declares = w.tag(node) !== T.tuple_expression;
  let position = 0;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    bindPart(w, w.tag(c) === T.argument ? w.lastNamed(c) : c, c, value, position, scope, declares);
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
  const { fields } = w.kinds;
  const tag = node === -1 ? T.discard : w.tag(node);
  if (tag === T.discard) return;
  const row = part(w, whole, value, position, scope);
  if (tag === T.tuple_pattern || tag === T.tuple_expression || tag === T.parenthesized_variable_designation)
    bindParts(w, node, row, scope);
  else if (tag === T.declaration_expression) {
    const type = typeRow(w, w.inField(node, fields.type), scope);
    const name = w.inField(node, fields.name);
    if (name !== -1) w.local(name, node, scope, type, type === -1 ? row : -1);
  } else if (declares && tag === T.identifier) w.local(node, node, scope, -1, row);
  else w.build.setRole(w.visit(node, scope), R.write);
}

/** The patterns of `a or b or c`, in order: a chain that leans to the left. */
function alternatives(w: Walk, node: number): number[] {
  const out: number[] = [];
  for (let at = node; at !== -1;) {
    const [left, ...right] = w.counted(at);
    out.push(...right.reverse());
    at = left ?? -1;
    if (at !== -1 && w.tag(at) !== T.or_pattern) {
      out.push(at);
      at = -1;
    }
  }
  return out.reverse();
}
