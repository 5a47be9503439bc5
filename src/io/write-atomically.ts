/**
 * Replaces a file as a whole: readers see the old content or the new one, never a part.
 *
 * The content is written beside the target and renamed over it. `durable` also waits for the
 * disk, so that after a power failure the same holds; for what can be computed again that is
 * not worth the wait.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface WriteOptions {
  /** Permissions of the result whatever the umask says; undefined: as the umask says. */
  readonly mode: number | undefined;
  readonly durable: boolean;
  /** Where the content is written first, in the target's folder; a name that nobody else has when not given. What lies there is overwritten. */
  readonly temporary?: string;
}

/** Throws the file system's error; the target is then as it was, and nothing is left beside it. */
export function writeAtomically(
  target: string,
  content: string | Uint8Array | readonly Uint8Array[],
  options: WriteOptions,
): void {
  const temporary = options.temporary ?? `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeWhole(temporary, content, options);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (options.durable) syncFolder(dirname(target));
}

/** Makes creations, renames and removals in a folder survive a power failure. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder, and orders these by itself.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeWhole(path: string, content: string | Uint8Array | readonly Uint8Array[], options: WriteOptions): void {
  const parts =
    typeof content === 'string' ? [Buffer.from(content, 'utf8')] : content instanceof Uint8Array ? [content] : content;
  const descriptor = openSync(path, 'w');
  try {
    if (options.mode !== undefined) fchmodSync(descriptor, options.mode);
    for (const part of parts) for (let at = 0; at < part.length;) at += writeSync(descriptor, part, at);
    if (options.durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
