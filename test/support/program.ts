/** Runs the real program in processes of its own, with folders of the test's own for all that it keeps. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';

export const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Home {
  readonly environment: NodeJS.ProcessEnv;
  readonly runtime: string;
  run(workingDirectory: string, ...args: string[]): Promise<Outcome>;
  start(workingDirectory: string, ...args: string[]): ChildProcessWithoutNullStreams;
  /** Another program, such as an editor, that starts ours. */
  runEditor(
    program: string,
    args: readonly string[],
    workingDirectory: string,
    more: NodeJS.ProcessEnv,
  ): Promise<Outcome>;
}

/** Daemons that were started from it are ended with the test. */
export function home(t: TestContext, more: NodeJS.ProcessEnv = {}): Home {
  const folder = temporaryFolder(t);
  const runtime = join(folder, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: folder,
    LANG: 'C.UTF-8',
    XDG_RUNTIME_DIR: runtime,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    CODEPLAN_IDLE_SECONDS: '60',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...more,
  };
  const start = (cwd: string, ...args: string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [PROGRAM, ...args], { cwd, env: environment });
  const roots = new Set<string>();
  const run = (cwd: string, ...args: string[]): Promise<Outcome> => {
    roots.add(cwd);
    return finished(start(cwd, ...args));
  };
  t.after(async () => {
    for (const root of roots) await finished(start('/', 'daemon', 'stop', '--root', root));
  });
  return {
    environment,
    runtime,
    run,
    start: (cwd, ...args) => {
      roots.add(cwd);
      return start(cwd, ...args);
    },
    runEditor: (program, args, cwd, given) => {
      roots.add(cwd);
      return finished(spawn(program, args, { cwd, env: { ...environment, ...given } }));
    },
  };
}

function finished(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdin.end();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
