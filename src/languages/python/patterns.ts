/**
 * `match` statements.
 *
 *     case A(name=n) as a:   `A` and `name` refer, `n` and `a` are bound
 *
 * A class pattern says the subject's type in the case's block, and the type of what `as` binds.
 */
import { P } from '../../syntax/paths.js';
import { E, R } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import { condition, narrowedScope, type Fact } from './narrowing.js';
import { block } from './statements.js';
import { bindName } from './targets.js';
import type { Walk } from './walk.js';

export function matchStatement(w: Walk, node: number, scope: number): void {
  const subjects: { readonly node: number; readonly row: number }[] = [];
  w.build.path(takesAll(w, node) ? P.whole : P.fork, w.start(node), w.end(node));
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.field(c) === FIELD.subject) subjects.push({ node: c, row: w.value(c, scope) });
    else if (w.kind(c) !== K.block) w.visit(c, scope);
    else {
      for (let clause = w.first(c); clause !== -1; clause = w.next(clause)) {
        if (w.kind(clause) === K.case_clause) caseClause(w, clause, scope, subjects);
        else w.visit(clause, scope);
      }
    }
  }
}

/** Whether the last case of a `match` is `case _:`. */
export function takesAll(w: Walk, node: number): boolean {
  const cases = w.childOf(node, K.block);
  let last = -1;
  if (cases !== -1) for (let c = w.first(cases); c !== -1; c = w.next(c)) if (w.kind(c) === K.case_clause) last = c;
  const only = last === -1 ? -1 : w.childOf(last, K.case_pattern);
  return only !== -1 && w.childOf(last, K.if_clause) === -1 && w.textOf(only) === '_';
}

function caseClause(
  w: Walk,
  node: number,
  scope: number,
  subjects: readonly { readonly node: number; readonly row: number }[],
): void {
  const patterns: number[] = [];
  w.build.path(P.arm, w.start(node), w.end(node));
  for (let c = w.first(node); c !== -1; c = w.next(c)) if (w.kind(c) === K.case_pattern) patterns.push(c);
  const inner = w.blockScope(scope);
  const [subject] = subjects;
  const [only] = patterns;
  const whole = subjects.length === 1 ? (subject?.row ?? -1) : -1;
  if (patterns.length === 1 && only !== undefined) {
    const type = pattern(w, only, inner, whole);
    if (
      type !== -1 &&
      subject !== undefined &&
      subjects.length === 1 &&
      w.kind(subject.node) === K.identifier &&
      w.state.isLocal(scope, w.textOf(subject.node))
    ) {
      w.state.narrow(inner, w.textOf(subject.node), w.start(subject.node), type);
    }
  } else {
    patterns.forEach((each, i) => {
      const part = subjects.length > 1 ? (subjects[i]?.row ?? -1) : partOf(w, each, inner, whole, i);
      pattern(w, each, inner, part);
    });
  }
  let body = inner;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.if_clause) {
      const facts: Fact[] = [];
      const test = w.first(c);
      if (test !== -1) condition(w, test, body, facts, []);
      body = narrowedScope(w, body, facts);
    } else if (w.kind(c) === K.block) block(w, c, body);
    else if (w.kind(c) !== K.case_pattern) w.visit(c, body);
  }
}

/** The `i`-th part of a value that is taken apart. */
function partOf(w: Walk, node: number, scope: number, value: number, i: number): number {
  return value === -1 ? -1 : w.expr(E.nth, node, scope, '', value, i);
}

/** Walks a pattern against a value (-1: unknown). Gives the type that a match means, or -1. */
function pattern(w: Walk, node: number, scope: number, value: number): number {
  return w.nested(node, scope, () => walkPattern(w, node, scope, value));
}

function walkPattern(w: Walk, node: number, scope: number, value: number): number {
  switch (w.kind(node)) {
    case K.case_pattern: {
      const only = w.first(node);
      return only === -1 ? -1 : pattern(w, only, scope, value);
    }
    case K.dotted_name:
      return dotted(w, node, scope, value);
    case K.identifier: {
      capture(w, node, scope, value, -1);
      return -1;
    }
    case K.as_pattern:
      return asPattern(w, node, scope, value);
    case K.class_pattern:
      return classPattern(w, node, scope);
    case K.list_pattern:
    case K.tuple_pattern:
      return sequence(w, node, scope, value);
    case K.dict_pattern:
      mapping(w, node, scope, value);
      return -1;
    case K.union_pattern: {
      const types: number[] = [];
      let all = true;
      for (let c = w.first(node); c !== -1; c = w.next(c)) {
        const type = pattern(w, c, scope, value);
        if (type === -1) all = false;
        else types.push(type);
      }
      return all && types.length > 0 ? w.union(node, scope, types) : -1;
    }
    case K.splat_pattern: {
      for (let c = w.first(node); c !== -1; c = w.next(c)) capture(w, c, scope, -1, -1);
      return -1;
    }
    default:
      w.value(node, scope);
      return -1;
  }
}

/** A bare name captures; a dotted one is compared with. */
function dotted(w: Walk, node: number, scope: number, value: number): number {
  const first = w.first(node);
  if (first === -1) return -1;
  if (w.next(first) === -1) capture(w, first, scope, value, -1);
  else reference(w, node, scope);
  return -1;
}

function reference(w: Walk, node: number, scope: number): number {
  let row = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c))
    row = row === -1 ? w.nameRow(c, scope, R.read) : w.memberRow(c, row, scope, R.read);
  return row;
}

/** Binds a name; in the case's block it has the type of this pattern alone, whatever other cases bind to it. */
function capture(w: Walk, node: number, scope: number, value: number, type: number): void {
  if (w.kind(node) !== K.identifier) {
    w.value(node, scope);
    return;
  }
  bindName(w, node, scope, { value, type });
  const known =
    type !== -1
      ? type
      : value !== -1 && w.build.exprOp(value) !== E.name && w.build.exprOp(value) !== E.member
        ? value
        : -1;
  if (known !== -1 && w.state.frame.kind === 'function' && w.state.declaredIn(w.state.frame.scope, w.textOf(node)) >= 0)
    w.state.narrow(scope, w.textOf(node), w.start(node), known);
}

function asPattern(w: Walk, node: number, scope: number, value: number): number {
  const inner = w.first(node);
  if (inner === -1) return -1;
  const type = pattern(w, inner, scope, value);
  for (let c = w.next(inner); c !== -1; c = w.next(c)) capture(w, c, scope, type === -1 ? value : -1, type);
  return type;
}

function classPattern(w: Walk, node: number, scope: number): number {
  let type = -1;
  let place = 0;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (type === -1 && w.kind(c) === K.dotted_name) {
      type = reference(w, c, scope);
      continue;
    }
    const inner = unwrapped(w, c);
    const aliased = inner !== -1 && w.kind(inner) === K.as_pattern ? unwrapped(w, w.first(inner)) : -1;
    if (inner !== -1 && w.kind(inner) === K.keyword_pattern) keyword(w, inner, scope, type);
    else if (aliased !== -1 && w.kind(aliased) === K.keyword_pattern) {
      // The grammar reads `name=B() as b` as `(name=B()) as b`.
      const { member, type: partType } = keyword(w, aliased, scope, type);
      for (let alias = w.next(w.first(inner)); alias !== -1; alias = w.next(alias))
        capture(w, alias, scope, partType === -1 ? member : -1, partType);
    } else pattern(w, c, scope, partOf(w, c, scope, type, place++));
  }
  return type;
}

/** What a `case_pattern` holds; any other node itself. */
function unwrapped(w: Walk, node: number): number {
  return node !== -1 && w.kind(node) === K.case_pattern ? w.first(node) : node;
}

/** `name=pattern` in a class pattern: the name refers to a member, whose row and matched type come back. */
function keyword(
  w: Walk,
  node: number,
  scope: number,
  owner: number,
): { readonly member: number; readonly type: number } {
  const name = w.first(node);
  if (name === -1 || !w.isPresent(name)) return { member: -1, type: -1 };
  const member = w.expr(E.initializer, name, scope, w.textOf(name), owner);
  let type = -1;
  for (let c = w.next(name); c !== -1; c = w.next(c)) type = pattern(w, c, scope, member);
  return { member, type };
}

function sequence(w: Walk, node: number, scope: number, value: number): number {
  const parts: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) parts.push(c);
  const [only] = parts;
  // Parentheses around one pattern mean the pattern.
  if (
    w.kind(node) === K.tuple_pattern &&
    parts.length === 1 &&
    only !== undefined &&
    w.text.slice(w.end(only), w.end(node)).trim() === ')'
  )
    return pattern(w, only, scope, value);
  parts.forEach((part, i) => pattern(w, part, scope, partOf(w, part, scope, value, i)));
  return -1;
}

function mapping(w: Walk, node: number, scope: number, value: number): void {
  let key = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.field(c) === FIELD.key) key = w.kind(c) === K.dotted_name ? reference(w, c, scope) : w.value(c, scope);
    else if (w.kind(c) === K.splat_pattern) pattern(w, c, scope, -1);
    else pattern(w, c, scope, value === -1 ? -1 : w.index(c, scope, value, key === -1 ? [] : [key]));
  }
}
