/**
 * Binding and assignment patterns: `{a, b: c = 1, ...d}`, `[x, , y]`.
 *
 * Each bound name is one declaration whose value says how it is taken out of the whole: a
 * `member` row named after the key, an `nth` row for a place in an array, a `union` with the
 * default. Without a binding the same patterns are assignments, and their names are `write` rows.
 */
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';

import { declareSpan, isMemberText, memberName } from './names.js';
import { symbolKey, symbolMember } from './symbol-keys.js';
import type { Walk } from './walk.js';

/** How names in a pattern are declared. */
export interface Binding {
  readonly kind: DeclKind;
  /** Scope in which they are declared. */
  readonly scope: number;
  readonly flags: number;
}

/** Kind of what `let`, `const` or `var` declares in a scope. */
export function variableKind(w: Walk, scope: number): DeclKind {
  const kind = w.build.scopeKind(scope);
  return kind === S.module || kind === S.namespace ? D.variable : D.local;
}

/** Declares or assigns the names of a pattern that is given `value`. */
export function pattern(w: Walk, node: number, scope: number, value: number, binding: Binding | undefined): void {
  switch (w.kind(node)) {
    case K.identifier:
    case K.shorthand_property_identifier_pattern:
      if (binding === undefined) w.nameRow(node, scope, R.write);
      else declareName(w, node, value, binding);
      return;
    case K.object_pattern:
      return objectPattern(w, node, scope, value, binding);
    case K.array_pattern:
      return arrayPattern(w, node, scope, value, binding);
    case K.assignment_pattern:
    case K.object_assignment_pattern: {
      const left = w.child(node, FIELD.left);
      const taken = w.kind(left) === K.shorthand_property_identifier_pattern ? w.memberRow(left, value, scope) : value;
      const fallback = w.visit(w.child(node, FIELD.right), scope);
      if (left !== -1) pattern(w, left, scope, orDefault(w, node, scope, taken, fallback), binding);
      return;
    }
    case K.rest_pattern: {
      const inner = w.first(node);
      if (inner !== -1) pattern(w, inner, scope, value, binding);
      return;
    }
    default:
      w.build.setRole(w.visit(node, scope), R.write);
  }
}

function orDefault(w: Walk, node: number, scope: number, taken: number, fallback: number): number {
  if (fallback < 0 || taken < 0) return Math.max(fallback, taken);
  return w.union(node, scope, [taken, fallback]);
}

function objectPattern(w: Walk, node: number, scope: number, value: number, binding: Binding | undefined): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    switch (w.kind(c)) {
      case K.shorthand_property_identifier_pattern:
        pattern(w, c, scope, w.memberRow(c, value, scope), binding);
        break;
      case K.pair_pattern: {
        const key = w.child(c, FIELD.key);
        const target = w.child(c, FIELD.value);
        const taken = key === -1 ? -1 : takenByKey(w, key, value, scope);
        if (target !== -1) pattern(w, target, scope, taken, binding);
        break;
      }
      default:
        pattern(w, c, scope, value, binding);
    }
  }
}

/** The row of what a pattern's key takes out of the value. */
function takenByKey(w: Walk, key: number, value: number, scope: number): number {
  const kind = w.kind(key);
  if (kind === K.property_identifier || kind === K.private_property_identifier) return w.memberRow(key, value, scope);
  const name = memberName(w, key);
  if (name.start > w.start(key) && isMemberText(name.text))
    return w.build.expr(E.member, name.start, name.start + name.text.length, scope, name.text, value);
  const inner = kind === K.computed_property_name ? w.first(key) : -1;
  const index = inner === -1 ? w.expr(E.literal, key, scope, 'str') : w.visit(inner, scope);
  const symbol = inner === -1 ? undefined : symbolKey(w, inner, scope);
  const named = symbol === undefined ? -1 : symbolMember(w, inner, w.end(key), scope, value, symbol.name);
  if (symbol?.isSymbol === true) return named;
  return w.index(key, scope, value, [index]);
}

function arrayPattern(w: Walk, node: number, scope: number, value: number, binding: Binding | undefined): void {
  let place = 0;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c)) {
      if (w.kind(c) === K[',']) place++;
      continue;
    }
    const taken = w.kind(c) === K.rest_pattern ? value : w.expr(E.nth, c, scope, '', value, place);
    pattern(w, c, scope, taken, binding);
  }
}

function declareName(w: Walk, node: number, value: number, binding: Binding): void {
  w.declare(binding.kind, node, node, binding.scope, { flags: binding.flags, value });
}

/**
 * A plain assignment `x = value`: a further declaration where `x` has neither type nor value of its own; false
 * elsewhere.
 */
export function declareAssigned(w: Walk, node: number, statement: number, scope: number, value: number): boolean {
  const name = w.textOf(node);
  const scopes = w.state.unassigned.get(name);
  if (scopes === undefined) return false;
  for (let s = scope; s >= 0; s = w.build.scopeParent(s)) {
    if (!scopes.includes(s)) continue;
    declareSpan(
      w,
      variableKind(w, s),
      name,
      w.start(node),
      w.start(statement),
      w.end(statement),
      s,
      F.reassigned,
      value,
    );
    return true;
  }
  return false;
}
