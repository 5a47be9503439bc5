/**
 * Binding and assignment patterns: `{a, b: c = 1, ...d}`, `[x, , y]`.
 *
 * Each bound name is one declaration whose value says how it is taken out of the whole: a
 * `member` row named after the key, an `nth` row for a place in an array, a `union` with the
 * default. Without a binding the same patterns are assignments, and their names are `write` rows.
 */
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { isMemberText, memberName } from './names.js';
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
    case 'identifier':
    case 'shorthand_property_identifier_pattern':
      if (binding === undefined) w.name(node, scope, R.write);
      else declareName(w, node, value, binding);
      return;
    case 'object_pattern':
      return objectPattern(w, node, scope, value, binding);
    case 'array_pattern':
      return arrayPattern(w, node, scope, value, binding);
    case 'assignment_pattern':
    case 'object_assignment_pattern': {
      const left = w.child(node, w.f.left);
      const taken = w.kind(left) === 'shorthand_property_identifier_pattern' ? w.member(left, value, scope) : value;
      const fallback = w.expression(w.child(node, w.f.right), scope);
      if (left !== -1) pattern(w, left, scope, orDefault(w, node, scope, taken, fallback), binding);
      return;
    }
    case 'rest_pattern': {
      const inner = w.part(node);
      if (inner !== -1) pattern(w, inner, scope, value, binding);
      return;
    }
    default:
      w.build.setRole(w.expression(node, scope), R.write);
  }
}

function orDefault(w: Walk, node: number, scope: number, taken: number, fallback: number): number {
  if (fallback < 0 || taken < 0) return Math.max(fallback, taken);
  return w.build.expr(E.union, w.start(node), w.end(node), scope, '', -1, w.build.list([taken, fallback]));
}

function objectPattern(w: Walk, node: number, scope: number, value: number, binding: Binding | undefined): void {
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    switch (w.kind(c)) {
      case 'shorthand_property_identifier_pattern':
        pattern(w, c, scope, w.member(c, value, scope), binding);
        break;
      case 'pair_pattern': {
        const key = w.child(c, w.f.key);
        const target = w.child(c, w.f.value);
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
  if (kind === 'property_identifier' || kind === 'private_property_identifier') return w.member(key, value, scope);
  const name = memberName(w, key);
  if (name.start > w.start(key) && isMemberText(name.text))
    return w.build.expr(E.member, name.start, name.start + name.text.length, scope, name.text, value);
  const inner = kind === 'computed_property_name' ? w.part(key) : -1;
  const index =
    inner === -1 ? w.build.expr(E.literal, w.start(key), w.end(key), scope, 'str') : w.expression(inner, scope);
  return w.build.expr(E.index, w.start(key), w.end(key), scope, '', value, w.build.list([index]));
}

function arrayPattern(w: Walk, node: number, scope: number, value: number, binding: Binding | undefined): void {
  const stop = w.skip(node);
  let place = 0;
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) {
      if (w.kind(c) === ',') place++;
      continue;
    }
    const taken =
      w.kind(c) === 'rest_pattern' ? value : w.build.expr(E.nth, w.start(c), w.end(c), scope, '', value, place);
    pattern(w, c, scope, taken, binding);
  }
}

function declareName(w: Walk, node: number, value: number, binding: Binding): void {
  w.declareNode(binding.kind, node, binding.scope, binding.flags, value);
}

/** A plain assignment `x = value`: a further declaration where `x` has neither type nor value of its own, else nothing. */
export function declareAssigned(w: Walk, node: number, statement: number, scope: number, value: number): void {
  const name = w.textOf(node);
  const scopes = w.unassigned.get(name);
  if (scopes === undefined) return;
  for (let s = scope; s >= 0; s = w.build.scopeParent(s)) {
    if (!scopes.includes(s)) continue;
    w.declare(variableKind(w, s), name, w.start(node), w.start(statement), w.end(statement), s, F.reassigned, value);
    return;
  }
}
