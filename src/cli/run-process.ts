/**
 * One run of the command line in this process: signals, streams and exit code.
 *
 * The first interruption aborts what runs and lets it clean up; a second one ends the process at
 * once. The exit code is set rather than exited with, so that everything printed gets out.
 */
import type { CreateEngine } from '../engine/service.js';
import { buildIdentity } from '../io/build-identity.js';
import { runProgram } from './program.js';
import { EXIT } from './world.js';

/** `program` is the module to start a daemon from. */
export async function runProcess(loadEngine: () => Promise<CreateEngine>, program: string): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
    interrupted.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // `codeplan impact | head`: the reader had enough, which is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed));
  process.exitCode = await runProgram(process.argv.slice(2), {
    loadEngine,
    build: buildIdentity(),
    program,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    workingDirectory: process.cwd(),
    pid: process.pid,
    signal: interrupted.signal,
  });
  // An editor's open pipe would hold the process for as long as the editor lives.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- a file as standard input has no unref, whatever its type says
  process.stdin.unref?.();
}
