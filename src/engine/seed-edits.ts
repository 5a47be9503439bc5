/**
 * The person's own edits, block by block, as a model is told of them.
 */
import type { EarlierEdit } from '../context/edit-request.js';
import { fragmentOf } from '../edit/merge.js';
import { editBetween } from './edit-between.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

/** One entry a changed block; imports are left out. */
export function seedEdits({ before, after, renames }: TreePair): EarlierEdit[] {
  const text = (tree: WorkingTree, ref: { file: string; decl: number } | undefined): string => {
    if (ref === undefined || ref.decl < 0) return '';
    const summary = tree.snapshot.summary(ref.file);
    return summary === undefined ? '' : fragmentOf(tree.text(ref.file) ?? '', summary, ref.decl);
  };
  return editBetween(before, after, renames)
    .changes.filter((change) => change.kind !== 'import')
    .map((change) => ({
      file: change.file,
      block: change.block,
      before: text(before, change.before),
      after: text(after, change.after),
      cause: '',
    }));
}
