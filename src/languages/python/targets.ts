/**
 * What assignments bind: names, fields of `self`, and the parts of destructured values.
 *
 * The first binding of a name in a scope declares it; a further one is a row with
 * `F.reassigned`, and also a `write` of the name. At module and class level the declarations
 * are blocks, so their spans must not overlap: see {@link Spans}.
 */
import { D, E, F, R, S, SLICE, type DeclKind } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import type { Frame, Walk } from './walk.js';

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

/**
 * Spans of the declarations that one statement makes, in the order of its names: the first
 * reaches from the statement's start to the second name, the last to the statement's end.
 */
export class Spans {
  private readonly starts: number[] = [];
  private next = 0;
  constructor(
    w: Walk,
    targets: readonly number[],
    private readonly whole: Span,
  ) {
    for (const target of targets) namesOf(w, target, this.starts);
  }
  /** Span for the next name of the statement. */
  take(): Span {
    const { starts, whole } = this;
    const i = this.next++;
    const start = i === 0 ? whole.start : (starts[i] ?? whole.start);
    const end = starts[i + 1] ?? whole.end;
    return { start, end, bodyStart: Math.min(end, Math.max(start, whole.bodyStart)) };
  }
}

/** Starts of the names and member targets in a target, in order. */
function namesOf(w: Walk, node: number, out: number[]): void {
  const kind = w.kind(node);
  if (kind === K.identifier || kind === K.attribute) out.push(w.start(node));
  else if (isTaking(kind)) for (let c = w.first(node); c !== -1; c = w.next(c)) namesOf(w, c, out);
}

const isTaking = (kind: number): boolean =>
  kind === K.pattern_list ||
  kind === K.tuple_pattern ||
  kind === K.list_pattern ||
  kind === K.tuple ||
  kind === K.list ||
  kind === K.expression_list ||
  kind === K.list_splat_pattern ||
  kind === K.list_splat ||
  kind === K.parenthesized_expression ||
  kind === K.as_pattern_target ||
  kind === K.parenthesized_list_splat;

/** What is known about a binding. */
export interface Binding {
  /** Row of the value, -1 for unknown. */
  readonly value?: number;
  /** Row of the declared type. */
  readonly type?: number;
  /** Spans of the statement's declarations; else each name is its own span. */
  readonly spans?: Spans;
  /** A scope that binds instead of the frame's: comprehensions, `except`. */
  readonly into?: number;
  readonly flags?: number;
}

/** Binds everything in a target of an assignment, `for`, `with`. */
export function bindTarget(w: Walk, node: number, scope: number, binding: Binding): void {
  const kind = w.kind(node);
  if (kind === K.identifier) {
    bindName(w, node, scope, binding);
    return;
  }
  if (kind === K.attribute) {
    bindMember(w, node, scope, binding);
    return;
  }
  if (
    kind === K.list_splat_pattern ||
    kind === K.list_splat ||
    kind === K.as_pattern_target ||
    kind === K.parenthesized_expression
  ) {
    for (let c = w.first(node); c !== -1; c = w.next(c)) bindTarget(w, c, scope, binding);
    return;
  }
  if (isTaking(kind)) w.nested(node, scope, () => bindParts(w, node, scope, binding));
  else store(w, node, scope, w.value(node, scope, R.write), binding);
}

/** The row of an assignment to a place that no declaration stands for. */
function store(w: Walk, node: number, scope: number, place: number, binding: Binding): void {
  const value = binding.value ?? -1;
  if (value !== -1) w.expr(E.store, node, scope, '', place, value, w.state.branches === 0 ? R.write : R.read);
}

function bindParts(w: Walk, node: number, scope: number, binding: Binding): number {
  const value = binding.value ?? -1;
  let i = 0;
  let afterStar = false;
  let behind = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) behind = isStarred(w, c) ? 0 : behind < 0 ? -1 : behind + 1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    let part = -1;
    const isStar = isStarred(w, c);
    if (value !== -1) {
      // What stands behind the star is counted from the end.
      if (isStar)
        part = w.list(c, scope, 'list', [w.expr(E.element, c, scope, '', cut(w, c, scope, value, [i, -1 - behind]))]);
      else part = afterStar ? w.expr(E.element, c, scope, '', value) : w.expr(E.nth, c, scope, '', value, i);
    }
    afterStar ||= isStar;
    i++;
    bindTarget(w, c, scope, { ...binding, value: part, type: -1 });
  }
  return -1;
}

const cut = (w: Walk, node: number, scope: number, value: number, ends: readonly number[]): number =>
  w.expr(E.union, node, scope, SLICE, w.build.list(ends), w.build.list([value]));

const isStarred = (w: Walk, node: number): boolean =>
  w.kind(node) === K.list_splat_pattern || w.kind(node) === K.list_splat;

/** Binds a name and gives its declaration. */
export function bindName(w: Walk, node: number, scope: number, binding: Binding): number {
  const name = w.nameOf(node);
  const nameStart = w.start(node);
  const { frame } = w.state;
  const span = binding.spans?.take();
  if (name === '') return -1;
  const into = binding.into ?? frame.elsewhere?.get(name) ?? frame.scope;
  const isFirst = w.state.declaredIn(into, name) < 0;
  if (!isFirst) w.nameRow(node, scope, R.write);
  else if (frame.elsewhere?.has(name) === true && binding.into === undefined) w.nameRow(node, scope, R.declares);
  const kind = binding.into !== undefined ? D.local : kindIn(w, into, frame, name);
  const replaces = w.state.branches === 0 && into === frame.scope ? F.replaces : 0;
  const { type = -1, value = -1 } = binding;
  const decl = w.declare(kind, node, node, into, {
    start: span?.start ?? nameStart,
    end: span?.end ?? w.end(node),
    bodyStart: span?.bodyStart ?? w.end(node),
    flags: (binding.flags ?? 0) | (isFirst ? 0 : F.reassigned) | replaces,
    type,
    value,
  });
  w.state.remember(into, name, decl);
  if (frame.kind === 'function' && into === frame.scope) w.state.endNarrowings(name, scope, { nameStart, type, value });
  return decl;
}

function kindIn(w: Walk, scope: number, frame: Frame, name: string): DeclKind {
  switch (w.build.scopeKind(scope)) {
    case S.module:
      return D.variable;
    case S.class:
      return frame.fields?.isEnum === true && scope === frame.scope && !name.startsWith('_') ? D.enumMember : D.field;
    default:
      return D.local;
  }
}

/** `self.x = v` declares the field; any other member is only written. */
function bindMember(w: Walk, node: number, scope: number, binding: Binding): void {
  const object = w.child(node, FIELD.object);
  const name = w.child(node, FIELD.attribute);
  const span = binding.spans?.take();
  if (object === -1 || name === -1) {
    w.value(node, scope, R.write);
    return;
  }
  const receiver = w.value(object, scope);
  if (!w.state.narrowedPaths.isEmpty) w.state.narrowedPaths.end(w.textOf(node), scope);
  const field = w.textOf(name);
  const { method } = w.state.frame;
  if (method === undefined || field === '' || w.kind(object) !== K.identifier || w.textOf(object) !== method.receiver) {
    store(w, node, scope, w.memberRow(name, receiver, scope, R.write), binding);
    return;
  }
  const known = w.state.declaredIn(method.classScope, field);
  w.memberRow(name, receiver, scope, known < 0 ? R.declares : R.write);
  if (known >= 0 && !addsKnowledge(w, known, binding)) return;
  const decl = w.declare(D.field, name, node, method.classScope, {
    start: span?.start ?? w.start(node),
    end: span?.end ?? w.end(node),
    bodyStart: span?.bodyStart ?? w.end(node),
    flags: (binding.flags ?? 0) | (known < 0 ? 0 : F.reassigned) | (w.state.branches === 0 ? 0 : F.conditional),
    type: binding.type ?? -1,
    value: binding.value ?? -1,
  });
  w.state.remember(method.classScope, field, decl);
}

/** Whether a further assignment of a field says more about its type: not if the field is a method, nor for literals. */
function addsKnowledge(w: Walk, known: number, binding: Binding): boolean {
  const kind = w.build.get(known, 'kind');
  if (kind !== D.field && kind !== D.enumMember) return false;
  if ((binding.type ?? -1) !== -1) return true;
  const value = binding.value ?? -1;
  return value !== -1 && w.build.exprOp(value) !== E.literal;
}
