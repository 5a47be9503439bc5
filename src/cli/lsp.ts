/**
 * `codeplan lsp`: a language server on standard input and output.
 *
 * It greets the editor, and is a forwarder to the daemon of the editor's root, which it starts if
 * need be. An editor with a list of folders gets one for each. With `--no-daemon`, or if no daemon can be had,
 * the server runs in this process.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { untilAborted } from '../base/until-aborted.js';
import { introduction, reachOrStartDaemon } from '../daemon/daemon-connection.js';
import { forward } from '../daemon/forwarder.js';
import { greet, WithoutAnswer, type Greeting } from '../daemon/greeting.js';
import { ServiceError } from '../engine/service.js';
import { logPath, openLog } from '../io/disk/log-file.js';
import { repositoryAround, resolveRoot, withCommonFlags, type CommonFlags } from './common-flags.js';
import { complain } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

export function addLsp(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(program.command('lsp').description('speak the language server protocol on standard input and output'))
    // Clients add it by themselves; it is what we do anyway.
    .option('--stdio', 'use standard input and output')
    .action(async (flags: CommonFlags) => finish(await lsp(flags, world)));
}

async function lsp(flags: CommonFlags, world: World): Promise<ExitCode> {
  const greeting = world.greeting ?? (await greet(world.stdin, world.stdout, world.build.version));
  if (!greeting.said) return EXIT.done;
  if (greeting.hasFolders && flags.root === undefined) return severalFolders(flags, world, greeting);
  const folder = flags.root ?? greeting.folder;
  const root = await resolveRoot(
    flags.root === undefined ? {} : { root: flags.root },
    folder === undefined ? world.workingDirectory : resolve(world.workingDirectory, folder),
  );
  return serve(root, flags, world, greeting);
}

async function severalFolders(flags: CommonFlags, world: World, greeting: Greeting): Promise<ExitCode> {
  const { SeveralFolders } = await import('../daemon/several-folders.js');
  const folders = new SeveralFolders(
    {
      rootOf: (folder) => resolveRoot({}, folder),
      repositoryOf: repositoryAround,
      serve: (root, input, output) => {
        serve(root, flags, { ...world, stdout: output }, { ...greeting, input })
          .catch((error: unknown) => complain(world.stderr, error instanceof Error ? error.message : String(error)))
          .finally(() => output.end());
      },
    },
    world.stdout,
  );
  return (await untilAborted(folders.run(greeting.input), world.signal)) ? EXIT.done : EXIT.failed;
}

async function serve(root: string, flags: CommonFlags, world: World, greeting: Greeting): Promise<ExitCode> {
  if (!flags.daemon || flags.config !== undefined) return inProcess(root, flags, world, greeting);
  const { build, program, environment } = world;
  let socket;
  try {
    socket = await reachOrStartDaemon({ root, build, program, environment });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    complain(world.stderr, error.message);
    complain(world.stderr, 'serving this editor alone');
    return inProcess(root, flags, world, greeting);
  }
  const editorEnded = await forward(
    socket,
    build,
    introduction('an editor', world.pid, world.workingDirectory, environment),
    { input: greeting.input, output: outputOf(greeting, world) },
    world.signal,
  );
  if (world.signal.aborted) return EXIT.interrupted;
  return editorEnded ? EXIT.done : EXIT.failed;
}

async function inProcess(root: string, flags: CommonFlags, world: World, greeting: Greeting): Promise<ExitCode> {
  const { Session } = await import('../daemon/session.js');
  const { environment, build, workingDirectory } = world;
  const logFile = logPath(root, environment);
  const log = openLog(logFile, environment);
  const createEngine = await world.loadEngine();
  const engine = createEngine({
    root,
    mode: 'in-process',
    watch: true,
    environment,
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
    log: (message) => log('info', 'engine', { message }),
  });
  engine
    .warm()
    .catch((error: unknown) =>
      log('error', 'index failed', { error: error instanceof Error ? error.message : String(error) }),
    );
  let stop = (): void => undefined;
  const session = new Session(
    {
      id: 'stdio',
      engine,
      build,
      root,
      log,
      logFile,
      client: { name: 'an editor', workingDirectory, environment },
      stop: () => stop(),
    },
    greeting.input,
    outputOf(greeting, world),
  );
  stop = () => session.end();
  let code: ExitCode = EXIT.done;
  const endSuddenly = (message: string): void => {
    log('error', 'ends by itself', { message });
    complain(world.stderr, message);
    session.say(message);
    code = EXIT.failed;
    stop();
  };
  const { guardHeap } = await import('../daemon/heap-guard.js');
  const { guardProcess } = await import('../daemon/last-resort.js');
  const guards = [guardProcess(log, endSuddenly), guardHeap(endSuddenly)];
  world.signal.addEventListener('abort', stop, { once: true });
  if (world.signal.aborted) stop();
  greeting.input.once('end', stop);
  await session.ended;
  await engine.close();
  for (const unguard of guards) unguard();
  return code;
}

/** What a server says to the editor, less what the editor was told already. */
function outputOf({ answered, over }: Greeting, world: World): WithoutAnswer {
  const said = new WithoutAnswer(answered, over);
  said.pipe(world.stdout, { end: false });
  return said;
}
