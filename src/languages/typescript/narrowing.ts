/**
 * Narrowing by `instanceof`: in the branch where the test holds, the tested name is declared
 * again with the class as its type. Where the branch of the other case leaves, the rest of the block
 * is narrowed. `typeof` tests and type guards are not read.
 */
import { isPath } from '../narrowed-paths.js';
import { D, F } from '../../syntax/summary.js';
import { passes } from './body-end.js';
import { FIELD, K } from './kinds.js';

import { declareSpan } from './names.js';
import type { Walk } from './walk.js';

/**
 * A scope for what runs when `condition` (already walked) came out as `holds`; `scope` itself if that tells nothing.
 */
export function narrowedScope(w: Walk, condition: number, scope: number, holds: boolean): number {
  if (condition === -1 || w.state.instanceTests.size === 0) return scope;
  const tests: number[] = [];
  collectTests(w, condition, holds, tests);
  if (tests.length === 0) return scope;
  const inner = w.blockScope(scope);
  for (const test of tests) {
    const name = w.child(test, FIELD.left);
    if (w.kind(name) !== K.identifier) {
      w.state.narrowedPaths.narrow(w.textOf(name), inner, w.state.instanceTests.get(test) ?? -1);
      continue;
    }
    const decl = declareSpan(w, D.local, w.textOf(name), w.start(name), w.start(test), w.end(test), inner, F.narrowing);
    w.build.set(decl, 'type', w.state.instanceTests.get(test) ?? -1);
  }
  return inner;
}

/**
 * Narrows the rest of the block behind `if (!(x instanceof A)) return;`: `consequence` is what runs where `condition`
 * holds.
 */
export function narrowBehind(w: Walk, condition: number, consequence: number, scope: number): void {
  if (condition === -1 || consequence === -1 || w.state.instanceTests.size === 0 || passes(w, consequence)) return;
  const tests: number[] = [];
  collectTests(w, condition, false, tests);
  for (const test of tests)
    w.state.narrowedPaths.narrow(w.textOf(w.child(test, FIELD.left)), scope, w.state.instanceTests.get(test) ?? -1);
}

/** The `instanceof` nodes on a name or path that are true if the condition comes out as `holds`. */
function collectTests(w: Walk, node: number, holds: boolean, out: number[]): void {
  switch (w.kind(node)) {
    case K.parenthesized_expression: {
      const inner = w.first(node);
      if (inner !== -1) collectTests(w, inner, holds, out);
      return;
    }
    case K.unary_expression: {
      const argument = w.child(node, FIELD.argument);
      if (argument !== -1 && w.text[w.start(node)] === '!') collectTests(w, argument, !holds, out);
      return;
    }
    case K.binary_expression:
      return collectBinary(w, node, holds, out);
    default:
  }
}

function collectBinary(w: Walk, node: number, holds: boolean, out: number[]): void {
  for (let at = node; at !== -1 && w.kind(at) === K.binary_expression; at = w.child(at, FIELD.left)) {
    if (w.state.instanceTests.has(at)) {
      const left = w.child(at, FIELD.left);
      if (
        holds &&
        left !== -1 &&
        (w.kind(left) === K.identifier || (w.kind(left) === K.member_expression && isPath(w.textOf(left))))
      )
        out.push(at);
      return;
    }
    const operator = w.child(at, FIELD.operator);
    if (operator === -1 || w.textOf(operator) !== (holds ? '&&' : '||')) return;
    const right = w.child(at, FIELD.right);
    if (right !== -1) collectTests(w, right, holds, out);
    const left = w.child(at, FIELD.left);
    if (left !== -1 && w.kind(left) !== K.binary_expression) {
      collectTests(w, left, holds, out);
      return;
    }
  }
}
