/**
 * Waits until the edits that an editor applied have come back as its texts, and then settles: what
 * was propagated is no longer a change that something must follow.
 *
 * An editor answers before it has told of all changes. A file that it does not open is expected on
 * the disk. Edits that do not arrive in time are forgotten and the baseline stays, which errs
 * towards showing too much.
 */
import type { FileEdit } from '../engine/file-edit.js';
import type { Service } from '../engine/service.js';
import { sourceBytes } from '../io/disk/repository-file.js';
import { decodeSource } from '../io/disk/source-text.js';
import type { OpenDocuments } from './open-documents.js';

const WAIT_MS_MOST = 30_000;

export class ArrivingEdits {
  /** Path to the text that it will have; undefined: no file. */
  private expected = new Map<string, string | undefined>();
  private until = 0;
  private arrived = (): void => undefined;

  constructor(
    private readonly root: string,
    private readonly documents: OpenDocuments,
    private readonly service: Service,
  ) {}

  /** `arrived` is called once they have all come. */
  expect(edits: readonly FileEdit[], arrived: () => void): void {
    this.arrived = arrived;
    this.expected = new Map();
    for (const edit of edits) {
      if (edit.kind === 'rename') this.expected.set(edit.file, undefined).set(edit.to, edit.after);
      else this.expected.set(edit.file, edit.kind === 'delete' ? undefined : edit.after);
    }
    this.until = Date.now() + WAIT_MS_MOST;
    this.look();
  }

  /** What was expected was taken back. */
  forget(): void {
    this.expected.clear();
  }

  /** Some text changed, in a buffer or on the disk. */
  look(): void {
    if (this.expected.size === 0) return;
    if (Date.now() > this.until) {
      this.expected.clear();
      return;
    }
    for (const [path, text] of this.expected) if (this.textOf(path) !== text) return;
    this.expected.clear();
    this.service.settle();
    this.arrived();
  }

  private textOf(path: string): string | undefined {
    const open = this.documents.atPath(path);
    if (open !== undefined) return open.text.getText();
    const bytes = sourceBytes(this.root, path);
    const source = bytes === undefined ? undefined : decodeSource(bytes);
    return source?.ok === true ? source.text : undefined;
  }
}
