/**
 * A lock between processes: a file that only one of them can create, naming its holder.
 *
 * A lock whose holder no longer runs is taken over. The holder is named by its process id and,
 * where the system tells, by when that process started, since ids are used again.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isRunning, startOf } from './processes.js';

export interface ProcessLock {
  release(): void;
}

/** Undefined while another living process holds the lock. */
export function tryLock(path: string): ProcessLock | undefined {
  const own = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}\n`, { flag: 'wx', mode: 0o600 });
  try {
    if (linked(own, path)) return { release: () => rmSync(path, { force: true }) };
    if (holderOf(path) !== undefined) return undefined;
    removeStale(path);
    return linked(own, path) ? { release: () => rmSync(path, { force: true }) } : undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Process id of the living holder, or undefined. */
export function holderOf(path: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [id, start] = text.trim().split(' ');
  const pid = Number(id);
  return Number.isInteger(pid) && pid > 0 && isRunning(pid) && startOf(pid) === start ? pid : undefined;
}

/** A link appears with its content, so nobody reads a lock half written. False if there is one already. */
function linked(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Two processes may find the same stale lock; the slower one must not remove the lock that the faster one has made since. */
function removeStale(path: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (holderOf(aside) !== undefined) linked(aside, path);
  rmSync(aside, { force: true });
}
