/**
 * A lock between processes: a file that only one of them can create, naming its holder.
 *
 * A lock whose holder no longer runs is taken over. The holder is named by its process id and,
 * where the system tells, by when that process started, since ids are used again.
 */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { isRunning, startOf } from './processes.js';
import { writeNewFile } from '../disk/write-atomically.js';

export interface ProcessLock {
  /** Whether it was taken over from a process that ended without releasing it. */
  readonly abandoned: boolean;
  release(): void;
}

/** Paths of locks that this process holds: a file that names it and is not among them is what a failed release left. */
const held = new Set<string>();

/** Undefined while another living process holds the lock, or this one does. */
export function tryLock(path: string, fs: FileSystem = realFileSystem): ProcessLock | undefined {
  const taken = held.has(path) ? undefined : take(fs, path);
  if (taken === undefined) return undefined;
  removeStrays(fs, path);
  held.add(path);
  return { abandoned: taken === 'abandoned', release: () => release(fs, path) };
}

/** Process id of the living holder, or undefined. */
export function holderOf(path: string): number | undefined {
  return holder(realFileSystem, path);
}

/** Undefined while somebody else holds it. */
function take(fs: FileSystem, path: string): 'free' | 'abandoned' | undefined {
  const own = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeNewFile(fs, own, `${process.pid} ${startOf(process.pid)}\n`, {
      mode: 0o600,
      owner: undefined,
      durable: false,
    });
    if (linked(fs, own, path)) return 'free';
    if (holder(fs, path) !== undefined) return undefined;
    removeStale(fs, path);
    return linked(fs, own, path) ? 'abandoned' : undefined;
  } finally {
    removeQuietly(fs, own);
  }
}

function holder(fs: FileSystem, path: string): number | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
  const [id, start] = text.trim().split(' ');
  const pid = Number(id);
  if (pid === process.pid && !held.has(path)) return undefined;
  return Number.isInteger(pid) && pid > 0 && isRunning(pid) && startOf(pid) === start ? pid : undefined;
}

/**
 * What was done under the lock is done, also when its file cannot be removed: this process takes it over then, and
 * others do when it has ended.
 */
function release(fs: FileSystem, path: string): void {
  held.delete(path);
  removeQuietly(fs, path);
}

/** A link appears with its content, so nobody reads a lock half written. False if there is one already. */
function linked(fs: FileSystem, own: string, path: string): boolean {
  try {
    fs.linkSync(own, path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Two processes may find the same stale lock; the slower one must not remove the lock that the faster one has made
 * since.
 */
function removeStale(fs: FileSystem, path: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    fs.renameSync(path, aside);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    throw error;
  }
  if (holder(fs, aside) !== undefined) linked(fs, aside, path);
  removeQuietly(fs, aside);
}

/** What processes left beside the lock that were killed while they asked for it. */
function removeStrays(fs: FileSystem, path: string): void {
  const name = basename(path);
  let beside: readonly string[];
  try {
    beside = fs.readdirSync(dirname(path));
  } catch (error) {
    if (isSystemError(error)) return;
    throw error;
  }
  for (const other of beside) {
    const [, pid] = /^\.(\d+)\.(?:stale|[0-9a-f]{8})$/u.exec(other.slice(name.length)) ?? [];
    if (other.startsWith(name) && pid !== undefined && !isRunning(Number(pid)))
      removeQuietly(fs, join(dirname(path), other));
  }
}

function removeQuietly(fs: FileSystem, path: string): void {
  try {
    fs.rmSync(path, { force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
