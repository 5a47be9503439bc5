/** `codeplan daemon …`: start, look at, stop and restart the daemon of a root, and read its log. */
import { existsSync, readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { introduction, reachDaemon, reachOrStartDaemon } from '../daemon/daemon-connection.js';
import { ServiceError, type Call } from '../engine/service.js';
import { logPath, openLog } from '../io/log-file.js';
import { holderOf } from '../io/process-lock.js';
import { readSettings } from '../io/settings.js';
import { socketAddress } from '../io/socket-address.js';
import { resolveRoot, wholeNumber, withCommonFlags, type CommonFlags } from './common-flags.js';
import { printerFor } from './print.js';
import { statusLines } from './status-text.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface RunFlags {
  readonly root: string;
  readonly idle?: number;
}

interface LogFlags extends CommonFlags {
  readonly lines: number;
}

const STOP_MS_MOST = 10_000;
const LOG_LINES = 50;

export function addDaemon(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const daemon = program.command('daemon').description('the long-running process that keeps the index warm');
  const add = (
    name: string,
    description: string,
    run: (flags: CommonFlags, world: World) => Promise<ExitCode>,
  ): void => {
    withCommonFlags(daemon.command(name).description(description)).action(async (flags: CommonFlags) =>
      finish(await run(flags, world)),
    );
  };
  add('start', 'start the daemon of this root unless it runs', start);
  add('status', 'tell whether the daemon of this root runs, and what it holds; starts nothing', status);
  add('stop', 'stop the daemon of this root', stop);
  add('restart', 'stop the daemon of this root and start it again', async (flags, restarted) => {
    await endDaemon(flags, restarted);
    return start(flags, restarted);
  });
  withCommonFlags(daemon.command('logs').description("print the end of the daemon's log"))
    .option('--lines <n>', 'how many lines', wholeNumber(1), LOG_LINES)
    .action((flags: LogFlags) => logs(flags, world).then(finish));
  daemon
    .command('run', { hidden: true })
    .description('be the daemon; others start it')
    .requiredOption('--root <dir>')
    .addOption(new Option('--idle <seconds>').argParser(wholeNumber(0)).env('CODEPLAN_IDLE_SECONDS'))
    .action(async (flags: RunFlags) => finish(await run(flags, world)));
}

async function run(flags: RunFlags, world: World): Promise<ExitCode> {
  const root = await resolveRoot(flags, world.workingDirectory);
  const { environment, build, signal } = world;
  const logFile = logPath(root, environment);
  const log = openLog(logFile, environment);
  const address = socketAddress(root, build, environment);
  const [{ serve }, createEngine] = await Promise.all([import('../daemon/serve.js'), world.loadEngine()]);
  const served = await serve({
    root,
    address,
    build,
    environment,
    createEngine,
    log,
    logFile,
    idleSeconds: flags.idle ?? readSettings({ realRoot: root, environment }).configuration.daemon.idleMinutes * 60,
    signal,
  });
  if (!served) log('debug', 'another daemon serves this root');
  return EXIT.done;
}

async function start(flags: CommonFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const { build, program, environment } = world;
  const socket = await reachOrStartDaemon({ root, build, program, environment });
  const { RemoteService } = await import('../daemon/remote-service.js');
  const service = await RemoteService.over(
    socket,
    build,
    introduction('codeplan daemon start', world.pid, world.workingDirectory, environment),
    world.signal,
  );
  await service.close();
  if (flags.json === true)
    print.json({ schema: SCHEMA_VERSION, running: true, root, pid: service.daemon.pid, log: service.daemon.log });
  else print.line(`The daemon of ${root} runs as process ${service.daemon.pid}.`);
  return EXIT.done;
}

async function status(flags: CommonFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const { build, program, environment } = world;
  const socket = await reachDaemon({ root, build, program, environment });
  if (socket === undefined) {
    if (flags.json === true) print.json({ schema: SCHEMA_VERSION, running: false, root });
    else print.line(`No daemon runs for ${root}.`);
    return EXIT.done;
  }
  const { RemoteService } = await import('../daemon/remote-service.js');
  const service = await RemoteService.over(
    socket,
    build,
    introduction('codeplan daemon status', world.pid, world.workingDirectory, environment),
    world.signal,
  );
  const report = await service.status(callOf(world));
  await service.close();
  if (flags.json === true)
    print.json({
      schema: SCHEMA_VERSION,
      running: true,
      root,
      pid: service.daemon.pid,
      log: service.daemon.log,
      status: report,
    });
  else for (const line of statusLines(report, print.paint)) print.line(line);
  return EXIT.done;
}

async function stop(flags: CommonFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const { root, stopped } = await endDaemon(flags, world);
  if (flags.json === true)
    print.json({ schema: SCHEMA_VERSION, running: false, root, ...(stopped === undefined ? {} : { stopped }) });
  else
    print.line(
      stopped === undefined ? `No daemon runs for ${root}.` : `The daemon of ${root} (process ${stopped}) has ended.`,
    );
  return EXIT.done;
}

/** `stopped`: the process that was, or undefined if there was none. Throws ServiceError `daemon` if it does not end. */
async function endDaemon(
  flags: CommonFlags,
  world: World,
): Promise<{ readonly root: string; readonly stopped: number | undefined }> {
  const root = await resolveRoot(flags, world.workingDirectory);
  const { build, program, environment } = world;
  const { lock } = socketAddress(root, build, environment);
  const socket = await reachDaemon({ root, build, program, environment });
  const holder = holderOf(lock);
  const pid =
    socket === undefined
      ? undefined
      : await askToStop(socket, world).catch((error: unknown) => {
          // One that does not answer may heed a signal.
          if (error instanceof ServiceError && error.kind === 'daemon' && holder !== undefined) return undefined;
          throw error;
        });
  if (pid === undefined && holder !== undefined) process.kill(holder, 'SIGTERM');
  await untilReleased(lock, pid ?? holder, root);
  return { root, stopped: pid ?? holder };
}

async function askToStop(socket: Awaited<ReturnType<typeof reachOrStartDaemon>>, world: World): Promise<number> {
  const { RemoteService } = await import('../daemon/remote-service.js');
  const service = await RemoteService.over(
    socket,
    world.build,
    introduction('codeplan daemon stop', world.pid, world.workingDirectory, world.environment),
    world.signal,
  );
  const { pid } = await service.stop(callOf(world));
  await service.close();
  return pid;
}

async function untilReleased(lock: string, pid: number | undefined, root: string): Promise<void> {
  const end = Date.now() + STOP_MS_MOST;
  while (holderOf(lock) !== undefined) {
    if (Date.now() > end)
      throw new ServiceError(
        'daemon',
        `the daemon of ${root} (process ${pid ?? 'unknown'}) did not end within ${STOP_MS_MOST / 1000} s; end it with "kill -9 ${pid ?? '<process>'}" and start another`,
      );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function logs(flags: LogFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const path = logPath(root, world.environment);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(-flags.lines) : [];
  if (flags.json === true) print.json({ schema: SCHEMA_VERSION, log: path, lines });
  else if (lines.length === 0) print.note(`there is no log yet at ${path}`);
  else for (const line of lines) print.line(line);
  return EXIT.done;
}

function callOf(world: World): Call {
  return { signal: world.signal, progress: () => undefined };
}
