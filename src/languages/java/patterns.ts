/**
 * Patterns: `x instanceof A a`, `case A a`, `case R(A a, var b)`.
 *
 * A variable of a pattern is a local of the scope that the statement around gave (see
 * statements.ts), with the type it names. A record pattern takes its value apart: the n-th
 * variable is the n-th part of the value seen as the record.
 */
import { D, E } from '../../syntax/summary.js';
import { isVar, typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

const instanceOf: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const left = x.child(node, kinds.leftField);
  const value = left === -1 ? -1 : x.value(left, scope);
  const right = x.child(node, kinds.rightField);
  const name = x.child(node, kinds.nameField);
  const pattern = x.child(node, kinds.patternField);
  const tested = right === -1 ? -1 : typeRow(x, right, scope);
  if (x.present(name)) bindPattern(x, name, tested, -1, scope);
  if (pattern !== -1) recordPattern(x, pattern, value, scope);
  return build.expr(E.operator, x.start(node), x.end(node), scope, 'instanceof', value, tested);
};

/** Declares the variable of a pattern. */
function bindPattern(x: Walk, name: number, type: number, value: number, scope: number): void {
  const { build } = x;
  build.decl({
    kind: D.local,
    name: x.text(name),
    nameStart: x.start(name),
    start: x.start(x.tree.parent[name] as number),
    end: x.end(name),
    scope,
    parent: build.scopeBlock(scope),
    type,
    value,
  });
}

/** `A b` or `R(A b, var c)` in a `case`. */
const typePattern: Handler = (x, node, scope) => {
  const named = x.first(node);
  const name = x.last(node);
  if (named === -1 || name === named) return x.parts(node, scope);
  const type = patternType(x, named, scope);
  if (x.kind(name) === x.kinds.identifier && x.present(name)) bindPattern(x, name, type, -1, scope);
  return -1;
};

/** Takes `value` apart as a record: each variable without a type of its own is the part at its place. */
export function recordPattern(x: Walk, node: number, value: number, scope: number): number {
  const { build, kinds } = x;
  const named = x.first(node);
  const body = x.childOf(node, kinds.recordPatternBody);
  if (named === -1) return -1;
  const type = typeRow(x, named, scope);
  const record = build.expr(E.cast, x.start(node), x.end(node), scope, '', value, type);
  if (body === -1) return record;
  let index = 0;
  const stop = x.skip(body);
  for (let c = body + 1; c < stop; c = x.skip(c)) {
    if (!x.proper(c)) continue;
    const part = build.expr(E.nth, x.start(c), x.end(c), scope, '', record, index++);
    if (x.kind(c) === kinds.recordPattern) {
      x.nested(c, scope, () => recordPattern(x, c, part, scope));
      continue;
    }
    const first = x.first(c);
    const last = x.last(c);
    if (first === -1) continue;
    const declared = first === last ? -1 : patternType(x, first, scope);
    if (x.kind(last) === kinds.identifier && x.present(last)) bindPattern(x, last, declared, part, scope);
  }
  return record;
}

function patternType(x: Walk, node: number, scope: number): number {
  return isVar(x, node) ? -1 : typeRow(x, node, scope);
}

const recordPatternHandler: Handler = (x, node, scope) => {
  recordPattern(x, node, -1, scope);
  return -1;
};

export const PATTERNS: readonly (readonly [string, Handler])[] = [
  ['instanceof_expression', instanceOf],
  ['type_pattern', typePattern],
  ['record_pattern', recordPatternHandler],
];
