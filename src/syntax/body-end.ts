/**
 * Whether the end of a block is reached: over each of its statements. What passes is each language's to say
 * (`languages/<x>/body-end.ts`).
 */
import type { TreeWalk } from './tree-walk.js';

/** Statements within one another are looked into so far; what lies deeper passes. */
const DEPTH_MOST = 100;

/** Whether what stands behind a statement is reached over it. `depth`: of blocks around it. */
export type Passes<State> = (w: TreeWalk<State>, statement: number, depth: number) => boolean;

export function isEndReached<State>(w: TreeWalk<State>, block: number, passes: Passes<State>, depth: number): boolean {
  if (depth > DEPTH_MOST) return true;
  for (let c = w.first(block); c !== -1; c = w.next(c)) if (!passes(w, c, depth + 1)) return false;
  return true;
}
