/**
 * The daemon's log: one JSON object a line, in the person's state folder.
 *
 * It names files, counts and durations; source text and prompts never go in. When it has grown
 * too large it becomes `<name>.1`, in place of the one before.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shownJson } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { makePrivateFolder, rootKey, stateFolder } from './folders.js';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LEVELS)[number];
export type Log = (level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Of two files at most: days of a busy daemon, and an editor still opens it. */
const LOG_BYTES_MOST = 5 * 1024 * 1024;
/** How many lines are written between two looks at the size. */
const LOOK_LINES = 500;

/** Makes the folder. Throws ServiceError: daemon, where it cannot be made or is somebody else's. */
export function logPath(realRoot: string, environment: NodeJS.ProcessEnv): string {
  const folder = join(stateFolder(environment), 'log');
  try {
    makePrivateFolder(folder);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ServiceError('daemon', `cannot keep a log: ${said}; set XDG_STATE_HOME to a folder of yours`);
  }
  return join(folder, `${rootKey(realRoot)}.log`);
}

/** `CODEPLAN_LOG` names the level; `info` when it does not. */
export function openLog(path: string, environment: NodeJS.ProcessEnv): Log {
  const asked = LEVELS.indexOf(environment['CODEPLAN_LOG'] as LogLevel);
  const most = asked === -1 ? LEVELS.indexOf('info') : asked;
  let lines = 0;
  return (level, event, fields = {}) => {
    if (LEVELS.indexOf(level) > most) return;
    const line = shownJson({ time: new Date().toISOString(), level, pid: process.pid, event, ...fields });
    try {
      if (lines++ % LOOK_LINES === 0) rotate(path);
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      // A full disk costs the line, and not the process that wrote it.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  };
}

function rotate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && stats.size > LOG_BYTES_MOST) renameSync(path, `${path}.1`);
}
