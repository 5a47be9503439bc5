/**
 * The atomic changes that lead from one working tree to another.
 */
import { atOnce, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { classify, type FilePair } from '../change/classify.js';
import type { WorkingTree } from './working-tree.js';

/** `renames`: files that have another path now, old to new. A missing text makes renames inside that file go unrecognised. */
export function changesBetween(
  before: WorkingTree,
  after: WorkingTree,
  renames: ReadonlyMap<string, string> = new Map(),
): AtomicChange[] {
  return atOnce(changesInTurns(before, after, renames));
}

/** The same as work that gives way. */
export function* changesInTurns(
  before: WorkingTree,
  after: WorkingTree,
  renames: ReadonlyMap<string, string> = new Map(),
): Turns<AtomicChange[]> {
  const pairs: FilePair[] = [];
  const renamedTo = new Map([...renames].map(([from, to]) => [to, from]));
  for (const file of after.snapshot.differingFrom(before.snapshot)) {
    yield;
    const now = after.snapshot.summary(file);
    if (now === undefined && renames.has(file)) continue;
    const oldFile = renamedTo.get(file) ?? file;
    const old = before.snapshot.summary(oldFile);
    pairs.push({
      ...(old === undefined ? {} : { before: { file: oldFile, summary: old, text: before.text(oldFile) ?? '' } }),
      ...(now === undefined ? {} : { after: { file, summary: now, text: after.text(file) ?? '' } }),
    });
  }
  return yield* classify(pairs);
}
