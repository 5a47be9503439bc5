/**
 * The person's own edits, block by block, as a model is told of them.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { EarlierEdit } from '../context/edit-request.js';
import { fragmentOf } from '../edit/merge.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

/** One entry a changed block, whatever was done to it; imports are left out. */
export function seedEdits({ before, after }: TreePair, changes: readonly AtomicChange[]): EarlierEdit[] {
  const text = (tree: WorkingTree, ref: { file: string; decl: number } | undefined): string => {
    if (ref === undefined || ref.decl < 0) return '';
    const summary = tree.snapshot.summary(ref.file);
    return summary === undefined ? '' : fragmentOf(tree.text(ref.file) ?? '', summary, ref.decl);
  };
  const edits = new Map<string, EarlierEdit>();
  for (const change of changes) {
    const key = `${change.file}::${change.block}`;
    if (change.kind === 'import' || edits.has(key)) continue;
    edits.set(key, {
      file: change.file,
      block: change.block,
      before: text(before, change.before),
      after: text(after, change.after),
      isDirect: false,
    });
  }
  return [...edits.values()];
}
