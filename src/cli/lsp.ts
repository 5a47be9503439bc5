/**
 * `codeplan lsp`: a language server on standard input and output.
 *
 * It is a forwarder to the daemon of the editor's root, which it starts if need be. With
 * `--no-daemon`, or if no daemon can be had, the server runs in this process.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { introduction, reachOrStartDaemon } from '../daemon/daemon-connection.js';
import { folderOf, readFirstMessage, type FirstMessage } from '../daemon/first-message.js';
import { forward } from '../daemon/forwarder.js';
import { ServiceError } from '../engine/service.js';
import { logPath, openLog } from '../io/log-file.js';
import { resolveRoot, withCommonFlags, type CommonFlags } from './common-flags.js';
import { EXIT, type ExitCode, type World } from './world.js';

export function addLsp(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(program.command('lsp').description('speak the language server protocol on standard input and output'))
    // Clients add it by themselves; it is what we do anyway.
    .option('--stdio', 'use standard input and output')
    .action(async (flags: CommonFlags) => finish(await lsp(flags, world)));
}

async function lsp(flags: CommonFlags, world: World): Promise<ExitCode> {
  const first = await readFirstMessage(world.stdin);
  if (first.bytes.length === 0) return EXIT.done;
  const folder = flags.root ?? folderOf(first.message);
  const root = await resolveRoot(flags.root === undefined ? {} : { root: flags.root }, folder === undefined ? world.workingDirectory : resolve(world.workingDirectory, folder));
  if (!flags.daemon || flags.config !== undefined) return inProcess(root, flags, world, first);
  const { build, program, environment } = world;
  let socket;
  try {
    socket = await reachOrStartDaemon({ root, build, program, environment });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    world.stderr.write(`codeplan: ${error.message}\ncodeplan: serving this editor alone\n`);
    return inProcess(root, flags, world, first);
  }
  const editorEnded = await forward(socket, build, introduction('an editor', world.pid, world.workingDirectory, environment), { input: world.stdin, output: world.stdout, head: first.bytes });
  return editorEnded ? EXIT.done : EXIT.failed;
}

async function inProcess(root: string, flags: CommonFlags, world: World, first: FirstMessage): Promise<ExitCode> {
  const { Session } = await import('../daemon/session.js');
  const { environment, build, workingDirectory } = world;
  const logFile = logPath(root, environment);
  const log = openLog(logFile, environment);
  const createEngine = await world.loadEngine();
  const engine = createEngine({ root, mode: 'in-process', watch: true, environment, ...(flags.config === undefined ? {} : { configFile: flags.config }), log: (message) => log('info', 'engine', { message }) });
  engine.warm().catch((error: unknown) => log('error', 'index failed', { error: error instanceof Error ? error.message : String(error) }));
  world.stdin.unshift(first.bytes);
  let stop = (): void => undefined;
  const session = new Session({ id: 'stdio', engine, build, root, log, logFile, client: { name: 'an editor', workingDirectory, environment }, stop: () => stop() }, world.stdin, world.stdout);
  stop = () => session.end();
  world.signal.addEventListener('abort', stop, { once: true });
  world.stdin.once('end', stop);
  // It was paused after the first message, and a new listener does not change that.
  world.stdin.resume();
  await session.ended;
  await engine.close();
  return EXIT.done;
}
