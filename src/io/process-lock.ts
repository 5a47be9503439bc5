/**
 * A lock between processes: a file that only one of them can create, naming its holder.
 *
 * A lock whose holder no longer runs is taken over. The holder is named by its process id and,
 * where the system tells, by when that process started, since ids are used again.
 */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

export interface ProcessLock {
  release(): void;
}

/** Undefined while another living process holds the lock; that process's id is then in `holderOf`. */
export function tryLock(path: string): ProcessLock | undefined {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const descriptor = openSync(path, 'wx', 0o600);
      writeSync(descriptor, `${process.pid} ${startOf(process.pid)}\n`);
      closeSync(descriptor);
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (holderOf(path) !== undefined) return undefined;
      rmSync(path, { force: true });
    }
  }
  return undefined;
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When the process started, in the system's own unit; `-` where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the command in parentheses, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '-';
    throw error;
  }
}
