/**
 * Processes of other people's tools: with which environment they run, how one that does not start
 * is told, and how they and all that they started are ended.
 */
import type { ChildProcess } from 'node:child_process';
import { delimiter, isAbsolute, join } from 'node:path';
import { isBelow } from '../disk/repository-file.js';
import { realFolder } from './installed-program.js';

/** How long a group has to end by itself before it is killed. */
const GRACE_MS = 1000;
/** Where tools of the repository lie; searched before the person's path. */
export const TOOL_FOLDERS: readonly string[] = [
  'node_modules/.bin',
  '.venv/bin',
  'venv/bin',
  '.venv/Scripts',
  'venv/Scripts',
];
/**
 * Folders of installed packages. Build folders (`target`, `bin`) are none: a build would write
 * what is only proposed into the person's own.
 */
export const LINKED_FOLDERS: readonly string[] = ['node_modules', '.venv', 'venv', '.yarn'];
/** Keys for model endpoints are no business of a compiler. */
const WITHHELD = /^(?:CODEPLAN|OPENAI|ANTHROPIC)_.*KEY$/;

export interface ToolPlace {
  /** Where the tool works: the repository, or a copy of it. */
  readonly directory: string;
  /** A real path. */
  readonly repository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether programs that lie in the repository may be run. Otherwise no folder of it is on the path. */
  readonly ownTools: boolean;
}

export function toolEnvironment({ directory, repository, environment, ownTools }: ToolPlace): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !WITHHELD.test(name));
  const own = ownTools ? TOOL_FOLDERS.map((folder) => join(directory, folder)) : [];
  // A folder without a full path is one of wherever the tool runs: the repository.
  const others = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && (ownTools || !isBelow(repository, realFolder(folder))));
  const path = [...own, ...others];
  return {
    ...Object.fromEntries(kept),
    // An empty path would mean the working directory.
    PATH: path.length === 0 ? '/nowhere' : path.join(delimiter),
    NO_COLOR: '1',
    TERM: 'dumb',
    PYRIGHT_PYTHON_IGNORE_WARNINGS: '1',
    // Who starts Python gets its modules, and not files of their names from where it was started.
    ...(ownTools ? {} : { PYTHONSAFEPATH: '1' }),
  };
}

/** `otherwise`: what to do in place of installing it. */
export function startFailure(
  program: string,
  error: NodeJS.ErrnoException,
  otherwise: string,
): { readonly kind: 'missing' | 'failed'; readonly message: string } {
  if (error.code === 'ENOENT')
    return { kind: 'missing', message: `${program} is not installed, or not on the path; install it, or ${otherwise}` };
  return { kind: 'failed', message: `${program} could not be started: ${error.code ?? error.message}` };
}

/** Asks the group to end, and kills it when it does not. The process must lead a group of its own (`detached`). */
export function killGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const later = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
  child.once('close', () => clearTimeout(later));
}

export function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    child.kill(name);
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    // The group has ended, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
