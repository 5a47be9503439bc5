/**
 * The same edit elsewhere: blocks that no relation leads to from the edit, and that people edit
 * along with it all the same. Reports of impact end with them, and a plan with a model asks about them.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { fellowCallers } from './fellow-callers.js';
import type { AffectedBlock } from './impact.js';
import { namesakes } from './namesakes.js';
import type { Graphs } from './predicates.js';

/** Blocks beside those that are `affected`, each once, in the edited tree. */
export function* elsewhere(
  graphs: Graphs,
  changes: readonly AtomicChange[],
  affected: readonly AffectedBlock[],
): Turns<AffectedBlock[]> {
  const named = yield* piece(() => namesakes(graphs, changes, affected));
  yield;
  return [...named, ...(yield* piece(() => fellowCallers(graphs, changes, [...affected, ...named])))];
}
