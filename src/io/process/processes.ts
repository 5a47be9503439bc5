/** Whether another process still runs, and since when. */
import { readFileSync } from 'node:fs';

/**
 * False for one that has ended, also while its parent has not asked for its exit code: in containers that may be never.
 */
export function isRunning(pid: number): boolean {
  const state = statOf(pid)?.[0];
  if (state !== undefined) return state !== 'Z' && state !== 'X';
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When the process started, in the system's own unit; `-` where the system does not tell. */
export function startOf(pid: number): string {
  return statOf(pid)?.[19] ?? '-';
}

/** The fields behind the command in `/proc/<pid>/stat`; undefined where there is no such file. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the command in parentheses, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
