/**
 * Keeps the names of a plan's blocks right while edits move, rename and delete the blocks.
 *
 * A step says what its block was called when it was raised, and what it is called now. An edit that
 * renames a block, or adds an overload before it, changes names; a pending step whose block is gone
 * is stale.
 */
import type { Turns } from '../base/turns.js';
import { blockName } from '../change/block-name.js';
import type { Matches } from '../change/edit.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { editInTurns } from './edit-between.js';
import type { WorkingTree } from './working-tree.js';

export interface Named {
  readonly plan: Plan;
  /** Which step made which block what it is, by {@link blockKey}. */
  readonly madeBy: ReadonlyMap<string, number>;
}

export const blockKey = (file: string, block: string): string => `${file}::${block}`;

/**
 * The same with the names that the blocks have in `after`. Linear in the blocks of the files that differ and have
 * steps.
 */
export function* renamedWith(named: Named, before: WorkingTree, after: WorkingTree): Turns<Named> {
  const { matches } = yield* editInTurns(before, after);
  const withSteps = new Set(named.plan.steps.map((step) => step.file));
  const now = new Map<string, string | undefined>();
  for (const file of after.snapshot.differingFrom(before.snapshot))
    if (withSteps.has(file)) {
      addPlaces(now, file, { before, after, matches });
      yield;
    }
  if (now.size === 0) return named;
  const steps = named.plan.steps.map((step): Step => {
    const key = blockKey(step.file, step.nowBlock);
    if (!now.has(key)) return step;
    const nowBlock = now.get(key);
    if (nowBlock !== undefined) return nowBlock === step.nowBlock ? step : { ...step, nowBlock };
    if (step.status !== 'pending' && step.status !== 'postponed') return step;
    const { open: _open, ...rest } = step;
    return { ...rest, status: 'stale' };
  });
  const madeBy = new Map<string, number>();
  for (const [key, step] of named.madeBy) {
    const nowBlock = now.get(key);
    madeBy.set(nowBlock === undefined ? key : blockKey(key.slice(0, key.indexOf('::')), nowBlock), step);
  }
  return { plan: { steps }, madeBy };
}

function addPlaces(
  now: Map<string, string | undefined>,
  file: string,
  { before, after, matches }: { readonly before: WorkingTree; readonly after: WorkingTree; readonly matches: Matches },
): void {
  const old = before.snapshot.summary(file);
  const summary = after.snapshot.summary(file);
  if (old === undefined || summary === undefined) return;
  const { pairs, deleted } = matches.of(file);
  for (const row of deleted) now.set(blockKey(file, blockName(old, row)), undefined);
  for (const pair of pairs) now.set(blockKey(file, blockName(old, pair.before)), blockName(summary, pair.after));
}
