/**
 * What leads from the sources that are there to those of another tree, file by file.
 */
import type { FileEdit } from './file-edit.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

/** In order of path; a file that has another path in `tree` is one edit. */
export function sourceEdits({ before, after, present, renames }: TreePair, tree: WorkingTree): FileEdit[] {
  const there = present === 'before' ? before : after;
  const isThere = (of: WorkingTree, file: string): string | undefined =>
    of.snapshot.hasFile(file) ? of.text(file) : undefined;
  // Where the edit is not there yet, it is among what is to be done.
  const [moved, differing] =
    present === 'before' ? [renames, tree.snapshot.differingFrom(before.snapshot)] : [new Map<string, string>(), []];
  const oldOf = new Map([...moved].map(([from, to]) => [to, from]));
  return [...new Set([...tree.editedFiles, ...differing])].sort().flatMap((file): FileEdit[] => {
    const now = isThere(tree, file);
    const from = oldOf.get(file);
    const old = isThere(there, from ?? file);
    if (old === now && from === undefined) return [];
    if (now === undefined) return old === undefined || moved.has(file) ? [] : [{ kind: 'delete', file, before: old }];
    if (old === undefined) return [{ kind: 'create', file, after: now }];
    return from === undefined
      ? [{ kind: 'change', file, before: old, after: now }]
      : [{ kind: 'rename', file: from, to: file, before: old, after: now }];
  });
}
