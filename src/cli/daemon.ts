/** `codeplan daemon …`: start, look at, stop and restart the daemon of a root, and read its log. */
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { Option, type Command } from 'commander';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { introduction, reachDaemon, reachOrStartDaemon } from '../daemon/daemon-connection.js';
import { ServiceError, type Call } from '../engine/service.js';
import { logPath, openLog } from '../io/disk/log-file.js';
import type { RemoteService } from '../daemon/remote-service.js';
import { forgetSuddenEnds } from '../daemon/sudden-ends.js';
import { holderOf } from '../io/process/process-lock.js';
import { isRunning, startOf } from '../io/process/processes.js';
import { readSettings } from '../io/settings/settings.js';
import { socketAddress } from '../io/socket/socket-address.js';
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

/**
 * A daemon closes its engine within four seconds, whether it was asked or got a signal; one that is killed is gone once
 * the system looks. The rest is for a busy machine.
 */
const ASKED_MS_MOST = 8000;
const TERM_MS_MOST = 6000;
const KILL_MS_MOST = 5000;
/** A screen of a terminal. */
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
  forgetSuddenEnds(socketAddress(root, build, environment).lock);
  const socket = await reachOrStartDaemon({ root, build, program, environment });
  const service = await over(socket, 'codeplan daemon start', world);
  await service.close();
  if (flags.json === true)
    print.json({ schema: SCHEMA_VERSION, running: true, root, pid: service.daemon.pid, log: service.daemon.log });
  else print.line(`The daemon of ${shownName(root)} runs as process ${service.daemon.pid}.`);
  return EXIT.done;
}

async function status(flags: CommonFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const { build, program, environment } = world;
  const socket = await reachDaemon({ root, build, program, environment });
  if (socket === undefined) {
    if (flags.json === true) print.json({ schema: SCHEMA_VERSION, running: false, root });
    else print.line(`No daemon runs for ${shownName(root)}.`);
    return EXIT.done;
  }
  const service = await over(socket, 'codeplan daemon status', world);
  const report = await service.ask('codeplan/status', {}, callOf(world));
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
  const { root, ended } = await endDaemon(flags, world);
  if (flags.json === true)
    print.json({
      schema: SCHEMA_VERSION,
      running: false,
      root,
      ...(ended === undefined ? {} : { stopped: ended.pid, by: ended.by }),
    });
  else
    print.line(
      ended === undefined
        ? `No daemon runs for ${shownName(root)}.`
        : `The daemon of ${shownName(root)} (process ${ended.pid}) has ended${ENDED_BY[ended.by]}.`,
    );
  return EXIT.done;
}

interface Ended {
  readonly pid: number;
  /** What it took. */
  readonly by: 'asking' | 'SIGTERM' | 'SIGKILL';
}

const ENDED_BY: Readonly<Record<Ended['by'], string>> = {
  asking: '',
  SIGTERM: ': it did not answer, and heeded SIGTERM',
  SIGKILL:
    ': it heeded neither a request nor SIGTERM and was killed; what it wrote is whole, what it had not ' +
    'cached is read again',
};

/**
 * `ended`: the process that was, or undefined if there was none. Throws ServiceError `daemon` if even killing it does
 * not help.
 */
async function endDaemon(
  flags: CommonFlags,
  world: World,
): Promise<{ readonly root: string; readonly ended: Ended | undefined }> {
  const root = await resolveRoot(flags, world.workingDirectory);
  const { build, program, environment } = world;
  const { lock } = socketAddress(root, build, environment);
  const socket = await reachDaemon({ root, build, program, environment });
  const holder = holderOf(lock);
  // The start tells a process from a later one of the same id.
  const since = holder === undefined ? undefined : startOf(holder);
  const asked =
    socket === undefined
      ? undefined
      : await askToStop(socket, world).catch((error: unknown) => {
          // One that does not answer may heed a signal.
          if (error instanceof ServiceError && error.kind === 'daemon' && holder !== undefined) return undefined;
          throw error;
        });
  forgetSuddenEnds(lock);
  const pid = asked ?? holder;
  if (pid === undefined) return { root, ended: undefined };
  const isThere = (): boolean => isRunning(pid) && (since === undefined || startOf(pid) === since);
  if (asked !== undefined && (await gone(isThere, ASKED_MS_MOST))) return { root, ended: { pid, by: 'asking' } };
  for (const [by, ms] of [
    ['SIGTERM', TERM_MS_MOST],
    ['SIGKILL', KILL_MS_MOST],
  ] as const) {
    signal(pid, by);
    if (await gone(isThere, ms)) return { root, ended: { pid, by } };
  }
  throw new ServiceError(
    'daemon',
    `the daemon of ${shownName(root)} (process ${pid}) did not end, though it was killed`,
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended meanwhile, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function askToStop(socket: Awaited<ReturnType<typeof reachOrStartDaemon>>, world: World): Promise<number> {
  const service = await over(socket, 'codeplan daemon stop', world);
  const { pid } = await service.stop(callOf(world));
  await service.close();
  return pid;
}

/** The service of the daemon behind a socket, which is told who asks. */
async function over(socket: Socket, client: string, world: World): Promise<RemoteService> {
  const { RemoteService } = await import('../daemon/remote-service.js');
  const { pid, workingDirectory, environment, build, signal } = world;
  return RemoteService.over(socket, build, introduction(client, pid, workingDirectory, environment), signal);
}

/** Whether it is gone within that time. */
async function gone(isThere: () => boolean, msMost: number): Promise<boolean> {
  const end = Date.now() + msMost;
  while (isThere()) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

async function logs(flags: LogFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const path = logPath(root, world.environment);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(-flags.lines) : [];
  if (flags.json === true) print.json({ schema: SCHEMA_VERSION, log: path, lines });
  else if (lines.length === 0) print.note(`there is no log yet at ${shownName(path)}`);
  else for (const line of lines) print.line(line);
  return EXIT.done;
}

function callOf(world: World): Call {
  return { signal: world.signal, progress: () => undefined };
}
