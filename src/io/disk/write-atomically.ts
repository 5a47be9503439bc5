/**
 * Replaces a file of the program's own, or one that the person asked for by name, as a whole:
 * readers see the old content or the new one, never a part. Files of the repository are written
 * by tree.ts, which promises more.
 *
 * The content is written to a new file beside the target, of a name that nobody can know before,
 * and renamed over it. `durable` also waits for the disk, so that after a power failure the same
 * holds; for what can be computed again that is not worth the wait.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { shownName } from '../../base/shown.js';
import { isSystemError, NO_LINKS, type FileSystem } from './file-system.js';

export interface WriteOptions {
  /**
   * Permissions of the result whatever the umask says; undefined: those of the file that is replaced, else as the umask
   * says.
   */
  readonly mode: number | undefined;
  readonly durable: boolean;
}

export interface NewFileOptions extends WriteOptions {
  /** Whose the file shall be, where the system lets us give files away. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

const EXCLUSIVELY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINKS;
/**
 * Nothing but the owner's, the group's and the others' rights: who runs a file that changed hands must not become its
 * new owner.
 */
const PLAIN_RIGHTS = 0o1777;

/** Throws the file system's error, or that the target is no regular file; the target is then as it was. */
export function writeAtomically(
  fs: FileSystem,
  target: string,
  content: string | Uint8Array,
  options: WriteOptions,
): void {
  const standing = fs.lstatSync(target, { throwIfNoEntry: false });
  if (standing?.isFile() === false) throw new Error(`${shownName(target)} is there already and is no regular file`);
  const mode = options.mode ?? (standing === undefined ? undefined : standing.mode & PLAIN_RIGHTS);
  const temporary = `${target}.${randomBytes(12).toString('hex')}.tmp`;
  writeNewFile(fs, temporary, content, { mode, durable: options.durable, owner: undefined });
  try {
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  if (options.durable) syncFolder(fs, dirname(target));
}

/** Makes a file that was not there, not even as a link. Throws the file system's error; nothing is left then. */
export function writeNewFile(
  fs: FileSystem,
  path: string,
  content: string | Uint8Array,
  { mode, owner, durable }: NewFileOptions,
): void {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const descriptor = fs.openSync(path, EXCLUSIVELY, mode === undefined ? 0o666 : 0o600);
  try {
    try {
      const kept = owner === undefined || giveTo(fs, descriptor, owner);
      if (mode !== undefined) fs.fchmodSync(descriptor, kept ? mode : mode & PLAIN_RIGHTS);
      for (let at = 0; at < bytes.length;) at += fs.writeSync(descriptor, bytes, at);
      if (durable) fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    fs.rmSync(path, { force: true });
    throw error;
  }
}

/** Makes creations, renames and removals in a folder survive a power failure. */
export function syncFolder(fs: FileSystem, folder: string): void {
  // Windows cannot open a folder, and orders these by itself.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** False where the owner or the group could not be kept: an ordinary user can give nothing to somebody else. */
function giveTo(fs: FileSystem, descriptor: number, owner: { readonly uid: number; readonly gid: number }): boolean {
  const own = fs.fstatSync(descriptor);
  if (own.uid === owner.uid && own.gid === owner.gid) return true;
  if (chowned(fs, descriptor, owner.uid, owner.gid)) return true;
  if (own.gid !== owner.gid) chowned(fs, descriptor, own.uid, owner.gid);
  return false;
}

function chowned(fs: FileSystem, descriptor: number, uid: number, gid: number): boolean {
  try {
    fs.fchownSync(descriptor, uid, gid);
    return true;
  } catch (error) {
    if (isSystemError(error, 'EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP')) return false;
    throw error;
  }
}
