/**
 * Runs git: argument vectors only, never a shell, and nothing of the caller's git environment.
 *
 * A repository's own configuration could name programs that git starts by itself (a file system
 * monitor, hooks, text conversion); the options here switch off what the commands we use could
 * start. Output is bytes, because paths and texts need not be UTF-8.
 */
import { spawn } from 'node:child_process';

export type GitOutcome =
  | { readonly ok: true; readonly stdout: Buffer; readonly stderr: string }
  | {
      readonly ok: false;
      readonly kind: 'missing' | 'failed';
      readonly exitCode: number | null;
      readonly stderr: string;
    };

/** Set by git for the commands and hooks that it starts; each would redirect us to another repository or index. */
const INHERITED = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_EXTERNAL_DIFF',
  'GIT_CONFIG_PARAMETERS',
  'GIT_CONFIG_COUNT',
];
const SAFE_OPTIONS = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'diff.external=',
];

function gitEnvironment(): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !INHERITED.includes(name)));
  return { ...own, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat' };
}

/** Runs `git <args>` in a directory and collects what it prints. Rejects only when `signal` aborts. */
export function runGit(
  directory: string,
  args: readonly string[],
  input?: Buffer,
  signal?: AbortSignal,
): Promise<GitOutcome> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const child = spawn('git', ['-C', directory, ...SAFE_OPTIONS, ...args], {
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const abort = (): void => {
      child.kill('SIGKILL');
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // git may end before it has read all of its input; its exit code says why.
    child.stdin.on('error', () => undefined);
    child.on('error', (error: NodeJS.ErrnoException) => {
      signal?.removeEventListener('abort', abort);
      resolve({
        ok: false,
        kind: error.code === 'ENOENT' ? 'missing' : 'failed',
        exitCode: null,
        stderr: error.message,
      });
    });
    child.on('close', (exitCode) => {
      signal?.removeEventListener('abort', abort);
      const errors = Buffer.concat(stderr).toString('utf8').trim();
      if (exitCode === 0) resolve({ ok: true, stdout: Buffer.concat(stdout), stderr: errors });
      else resolve({ ok: false, kind: 'failed', exitCode, stderr: errors });
    });
    child.stdin.end(input ?? '');
  });
}

/** The NUL-separated fields of an output of `-z`. */
export function fieldsOf(output: Buffer): string[] {
  const fields = output.toString('utf8').split('\0');
  if (fields[fields.length - 1] === '') fields.pop();
  return fields;
}
