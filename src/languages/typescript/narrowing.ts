/**
 * Narrowing by `instanceof`: in the branch where the test holds, the tested name is declared
 * again with the class as its type. Where the branch of the other case leaves, the rest of the block
 * is narrowed. `typeof` tests and type guards are not read.
 */
import { isPath } from '../narrowed-paths.js';
import { D, F } from '../../syntax/summary.js';
import type { Walk } from './walk.js';

/** A scope for what runs when `condition` (already walked) came out as `holds`; `scope` itself if that tells nothing. */
export function narrowedScope(w: Walk, condition: number, scope: number, holds: boolean): number {
  if (condition === -1 || w.instanceTests.size === 0) return scope;
  const tests: number[] = [];
  collectTests(w, condition, holds, tests);
  if (tests.length === 0) return scope;
  const inner = w.blockScope(scope);
  for (const test of tests) {
    const name = w.child(test, w.f.left);
    if (w.kind(name) !== 'identifier') {
      w.narrowedPaths.narrow(w.textOf(name), inner, w.instanceTests.get(test) ?? -1);
      continue;
    }
    const decl = w.declare(D.local, w.textOf(name), w.start(name), w.start(test), w.end(test), inner, F.narrowing);
    w.build.set(decl, 'type', w.instanceTests.get(test) ?? -1);
  }
  return inner;
}

/** Narrows the rest of the block behind `if (!(x instanceof A)) return;`: `consequence` is what runs where `condition` holds. */
export function narrowBehind(w: Walk, condition: number, consequence: number, scope: number): void {
  if (condition === -1 || consequence === -1 || w.instanceTests.size === 0 || !leaves(w, consequence)) return;
  const tests: number[] = [];
  collectTests(w, condition, false, tests);
  for (const test of tests)
    w.narrowedPaths.narrow(w.textOf(w.child(test, w.f.left)), scope, w.instanceTests.get(test) ?? -1);
}

const LEAVING = new Set(['return_statement', 'throw_statement', 'continue_statement', 'break_statement']);

/** Whether what follows the statement is reached only around it. */
function leaves(w: Walk, statement: number): boolean {
  let last = statement;
  if (w.kind(statement) === 'statement_block')
    for (let c = statement + 1, stop = w.skip(statement); c < stop; c = w.skip(c)) if (w.isPart(c)) last = c;
  return LEAVING.has(w.kind(last));
}

/** The `instanceof` nodes on a name or path that are true if the condition comes out as `holds`. */
function collectTests(w: Walk, node: number, holds: boolean, out: number[]): void {
  switch (w.kind(node)) {
    case 'parenthesized_expression': {
      const inner = w.part(node);
      if (inner !== -1) collectTests(w, inner, holds, out);
      return;
    }
    case 'unary_expression': {
      const argument = w.child(node, w.f.argument);
      if (argument !== -1 && w.text[w.start(node)] === '!') collectTests(w, argument, !holds, out);
      return;
    }
    case 'binary_expression':
      return collectBinary(w, node, holds, out);
    default:
  }
}

function collectBinary(w: Walk, node: number, holds: boolean, out: number[]): void {
  for (let at = node; at !== -1 && w.kind(at) === 'binary_expression'; at = w.child(at, w.f.left)) {
    if (w.instanceTests.has(at)) {
      const left = w.child(at, w.f.left);
      if (
        holds &&
        left !== -1 &&
        (w.kind(left) === 'identifier' || (w.kind(left) === 'member_expression' && isPath(w.textOf(left))))
      )
        out.push(at);
      return;
    }
    const operator = w.child(at, w.f.operator);
    if (operator === -1 || w.textOf(operator) !== (holds ? '&&' : '||')) return;
    const right = w.child(at, w.f.right);
    if (right !== -1) collectTests(w, right, holds, out);
    const left = w.child(at, w.f.left);
    if (left !== -1 && w.kind(left) !== 'binary_expression') {
      collectTests(w, left, holds, out);
      return;
    }
  }
}
