/**
 * The search index of the tree that was asked about last, brought along from one question to the next.
 *
 * Built at the first question; after an edit only the files that differ are read again. One for all clients of
 * an engine: unsaved texts of one are a few files that differ from what another sees.
 */
import { SearchIndex, type IndexedFile } from '../retrieve/search-index.js';
import type { Turns } from '../base/turns.js';
import { Snapshot } from '../graph/files/snapshot.js';
import type { WorkingTree } from './working-tree.js';

export class SearchMemory {
  private snapshot = Snapshot.empty();
  private index = SearchIndex.empty();

  /** The index of all files of the tree whose text can be had as it was indexed. */
  *of(tree: WorkingTree): Turns<SearchIndex> {
    if (tree.snapshot === this.snapshot) return this.index;
    const { snapshot, index } = this;
    const changes = new Map<string, IndexedFile | undefined>();
    for (const file of tree.snapshot.differingFrom(snapshot)) {
      yield;
      const summary = tree.snapshot.summary(file);
      const text = summary === undefined ? undefined : tree.text(file);
      // A file that was written since is on its way to the snapshot, and is read then.
      changes.set(
        file,
        summary === undefined || text === undefined || text.length !== summary.textLength
          ? undefined
          : index.read(file, { summary, text }),
      );
    }
    const next = index.withDocuments(changes);
    this.snapshot = tree.snapshot;
    this.index = next;
    return next;
  }
}
