/**
 * The edit that leads from one working tree to another. It is remembered with the two trees, since
 * many ask: impact, the names of a plan's steps, the title of a run, what a model is told.
 */
import { atOnce, type Turns } from '../base/turns.js';
import { editOf, type Edit, type FilePair } from '../change/edit.js';
import type { WorkingTree } from './working-tree.js';

const known = new WeakMap<WorkingTree, WeakMap<WorkingTree, Edit>>();

/** `renames`: files that have another path now, old to new; the same at each asking. */
export function* editInTurns(
  before: WorkingTree,
  after: WorkingTree,
  renames: ReadonlyMap<string, string> = new Map(),
): Turns<Edit> {
  let edits = known.get(after);
  if (edits === undefined) known.set(after, (edits = new WeakMap<WorkingTree, Edit>()));
  let edit = edits.get(before);
  if (edit === undefined) {
    edit = yield* editOf(
      (file) => before.version(file),
      (file) => after.version(file),
      filesThatDiffer(before, after, renames),
    );
    edits.set(before, edit);
  }
  return edit;
}

/** The same without giving way. */
export const editBetween = (before: WorkingTree, after: WorkingTree, renames?: ReadonlyMap<string, string>): Edit =>
  atOnce(editInTurns(before, after, renames));

function filesThatDiffer(before: WorkingTree, after: WorkingTree, renames: ReadonlyMap<string, string>): FilePair[] {
  const renamedTo = new Map([...renames].map(([from, to]) => [to, from]));
  return after.snapshot.differingFrom(before.snapshot).flatMap((file): FilePair[] => {
    const isThere = after.snapshot.summary(file) !== undefined;
    if (!isThere && renames.has(file)) return [];
    const oldFile = renamedTo.get(file) ?? file;
    const wasThere = before.snapshot.summary(oldFile) !== undefined;
    return [{ ...(wasThere ? { before: oldFile } : {}), ...(isThere ? { after: file } : {}) }];
  });
}
