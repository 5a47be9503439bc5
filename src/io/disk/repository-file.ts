/**
 * The one way in which content of a repository is read: regular files of bounded size whose real
 * path lies inside of the root.
 *
 * A name in a repository proves nothing: it may be a link, lie in a folder that became one, or be a
 * pipe or a device. So the real path is what is opened, without following anything more and without
 * waiting, and what was opened is looked at again. Reasons name the path, never any content.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { sameStamp, stampOf, type FileStamp } from './file-stamp.js';

export type RepositoryFile =
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      readonly stamp: FileStamp;
      /** When the stamp was taken. */
      readonly takenMs: number;
    }
  | { readonly kind: 'gone' }
  /** `reason` completes "<path> …". */
  | { readonly kind: 'refused'; readonly reason: string };

export interface ReadingLimits {
  readonly bytesMost: number;
  /** Whether a link to a file inside of the root will do. */
  readonly links: 'inside' | 'none';
}

/** Larger sources are data or generated. */
export const SOURCE_BYTES_MOST = 2 * 1024 * 1024;
/** Longer settings and ignore files were not written by a person. */
export const SETTINGS_BYTES_MOST = 1024 * 1024;

const LEADS_OUT = 'is a link that leads out of the root, and is not followed';
/** How often a file that changes under our hands is read again. */
const READS_MOST = 3;
/** What Windows lacks of these is undefined there, and so no flag. */
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a file; `root` must be a real path, `path` is relative to it. */
export function readRepositoryFile(root: string, path: string, { bytesMost, links }: ReadingLimits): RepositoryFile {
  for (let attempt = 0; attempt < READS_MOST; attempt++) {
    const full = join(root, path);
    try {
      const real = realpathSync.native(full);
      if (!isBelow(root, real)) return { kind: 'refused', reason: LEADS_OUT };
      if (links === 'none' && real !== full) return { kind: 'refused', reason: 'is a link, which is not followed' };
      const read = readOnce(real, bytesMost);
      if (read !== undefined) return read;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'gone' };
      if (code === undefined) throw error;
      return { kind: 'refused', reason: `cannot be read: ${reasonOf(error)}` };
    }
  }
  return { kind: 'refused', reason: 'cannot be read: it changed again and again while it was read' };
}

/** A source's bytes; undefined when it is gone or refused, of which the index tells. */
export function sourceBytes(root: string, path: string): Buffer | undefined {
  const file = readRepositoryFile(root, path, { bytesMost: SOURCE_BYTES_MOST, links: 'inside' });
  return file.kind === 'file' ? file.bytes : undefined;
}

/**
 * What a path of the repository really is, relative to the root: itself, or where its links lead.
 * Undefined when that is outside of the root; itself when there is no such file.
 */
export function realPathInside(root: string, path: string): string | undefined {
  try {
    const real = realpathSync.native(join(root, path));
    return isBelow(root, real) ? pathBelow(root, real) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return path;
    // A loop of links, a name that is too long, a folder that may not be looked into: nobody knows.
    if (code !== undefined) return undefined;
    throw error;
  }
}

/** Answers for the folders of one look at the disk whether they are really folders of the root. */
export class RealFolders {
  private readonly known = new Map<string, boolean>([['', true]]);

  constructor(private readonly root: string) {}

  /** Whether no folder on the way to the file is a link. A folder that is not there is none. */
  areAbove(path: string): boolean {
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? '' : path.slice(0, slash);
    let isReal = this.known.get(folder);
    if (isReal === undefined) {
      const stats = lstatSync(join(this.root, folder), { throwIfNoEntry: false });
      isReal = stats?.isSymbolicLink() !== true && this.areAbove(folder);
      this.known.set(folder, isReal);
    }
    return isReal;
  }
}

/** Whether a real path is that of the root or lies below it. */
export function isBelow(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function pathBelow(root: string, real: string): string {
  return real
    .slice(root.endsWith(sep) ? root.length : root.length + 1)
    .split(sep)
    .join('/');
}

/**
 * The text of a file of the person's own, undefined if there is none. It may be a link, as those who
 * keep their settings in a repository have it. Throws when it is no regular file, or too large.
 */
export function readPersonalFile(path: string): string | undefined {
  const file = readWhereItLeads(path, SETTINGS_BYTES_MOST);
  if (file.kind === 'refused') throw new Error(file.reason);
  return file.kind === 'file' ? file.bytes.toString('utf8') : undefined;
}

/** A file that a person names, wherever it is and wherever its links lead. Throws where a link leads in a circle. */
export function readWhereItLeads(path: string, bytesMost: number): RepositoryFile {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'gone' };
    throw error;
  }
  return readRepositoryFile(dirname(real), basename(real), { bytesMost, links: 'none' });
}

export function tooLarge(size: number): string {
  return `${(size / 1024 / 1024).toFixed(1)} MB is more than a source file can have here (2 MB)`;
}

/** Undefined when the file became another one meanwhile. */
function readOnce(real: string, bytesMost: number): RepositoryFile | undefined {
  const seen = lstatSync(real);
  // Opening a device may already do something.
  if (!seen.isFile()) return seen.isDirectory() ? { kind: 'gone' } : { kind: 'refused', reason: 'is no regular file' };
  const descriptor = openSync(real, READ_ONLY);
  try {
    const takenMs = Date.now();
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || !isSame(stats, seen) || realpathSync.native(real) !== real) return undefined;
    if (stats.size > bytesMost) return { kind: 'refused', reason: tooMuch(stats.size, bytesMost) };
    const bytes = readUpTo(descriptor, stats.size);
    const stamp = stampOf(stats);
    return bytes.length === stats.size && sameStamp(stamp, stampOf(fstatSync(descriptor)))
      ? { kind: 'file', bytes, stamp, takenMs }
      : undefined;
  } finally {
    closeSync(descriptor);
  }
}

const isSame = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.dev === b.dev;

const tooMuch = (size: number, most: number): string =>
  most === SOURCE_BYTES_MOST ? tooLarge(size) : `has ${size} bytes, more than the ${most} that it may have`;

/** At most one byte more than `size`, by which the caller sees that there is more. */
function readUpTo(descriptor: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0 || length === buffer.length) return buffer.subarray(0, length);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
