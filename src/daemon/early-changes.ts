/**
 * Changes of documents that are told before the documents are opened.
 *
 * Helix opens a file for a workspace edit and tells of the opening, with the text before the edit, and of the
 * change in either order. Each change says which version it leads to, so the order can be mended.
 */
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';

export interface VersionedChange {
  readonly version: number;
  readonly changes: TextDocumentContentChangeEvent[];
}

/** Of so many documents, and so many changes of each; a client that tells of more is not waiting for an opening. */
const DOCUMENTS_MOST = 64;
const CHANGES_MOST = 16;

export class EarlyChanges {
  private readonly byUri = new Map<string, VersionedChange[]>();

  note(uri: string, change: VersionedChange): void {
    const known = this.byUri.get(uri) ?? [];
    this.byUri.delete(uri);
    this.byUri.set(uri, [...known, change].slice(-CHANGES_MOST));
    for (const oldest of this.byUri.keys()) {
      if (this.byUri.size <= DOCUMENTS_MOST) break;
      this.byUri.delete(oldest);
    }
  }

  /** Those that lead on from the version with which a document is opened now, in their order, and forgets them all. */
  after(uri: string, version: number): readonly VersionedChange[] {
    const known = this.byUri.get(uri) ?? [];
    this.byUri.delete(uri);
    return known.filter((change) => change.version > version);
  }
}
