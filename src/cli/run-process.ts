/**
 * One run of the command line in this process: signals, streams and exit code.
 *
 * The first interruption aborts what runs and lets it clean up; a second one ends the process at
 * once. The exit code is set rather than exited with, so that everything printed gets out.
 */
import type { CreateEngine } from '../engine/service.js';
import { greet } from '../daemon/greeting.js';
import { buildIdentity, packageVersion } from '../io/process/build-identity.js';
import { pagerOf } from '../io/process/pager.js';
import { complain } from './print.js';
import { EXIT } from './world.js';

/** `program` is the module to start a daemon from. */
export async function runProcess(loadEngine: () => Promise<CreateEngine>, program: string): Promise<void> {
  const workingDirectory = folderWeAreIn();
  if (workingDirectory === undefined) {
    complain(process.stderr, 'the working directory is gone; go to one that exists');
    process.exitCode = EXIT.failed;
    return;
  }
  process.on('uncaughtException', endWith);
  // `codeplan impact | head`: the reader had enough, which is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
  );
  const args = process.argv.slice(2);
  // Before all that a command loads.
  const greeting =
    args[0] === 'lsp' && !args.some((arg) => arg === '--help' || arg === '-h')
      ? await greet(process.stdin, process.stdout, packageVersion())
      : undefined;
  // Before an editor has spoken there is nothing to clean up, and a signal ends the process as it ends any.
  const interrupted = new AbortController();
  const interrupt = (): void => {
    if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
    interrupted.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const { runProgram } = await import('./program.js');
  const page = process.stdout.isTTY ? pagerOf(process.env, process.stdout) : undefined;
  process.exitCode = await runProgram(args, {
    loadEngine,
    build: buildIdentity(),
    greeting,
    program,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    ...(page === undefined
      ? {}
      : {
          page: (text: string) => {
            // Who interrupts now means the pager, which knows what to do.
            process.off('SIGINT', interrupt).on('SIGINT', () => undefined);
            return page(text);
          },
        }),
    environment: process.env,
    workingDirectory,
    pid: process.pid,
    signal: interrupted.signal,
  });
  // What a daemon started may hold on to the process, which nobody needs any more.
  if (args[0] === 'daemon' && args[1] === 'run') process.exit();
  // An editor's open pipe would hold the process for as long as the editor lives.
  // A file as standard input has no unref, whatever its type says.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- as said above
  process.stdin.unref?.();
}

/**
 * What nobody caught. Node would end with 1, which says that something is affected. A server goes on instead
 * (daemon/last-resort.ts).
 */
function endWith(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  complain(
    process.stderr,
    `a defect of codeplan: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exit(EXIT.failed);
}

/** Undefined if it was removed. */
function folderWeAreIn(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
