/**
 * One service, two transports: a daemon that is running, else this process.
 *
 * A one-shot command never starts a daemon, so that a build server is left as it was. A settings
 * file of one's own (`--config`) means an engine of one's own.
 */
import { untilAborted } from '../base/until-aborted.js';
import type { Call, Service } from '../engine/service.js';
import { isHeldByCaller } from '../io/git/held-by-caller.js';
import { introduction, reachDaemon } from '../daemon/daemon-connection.js';
import { resolveRoot, type CommonFlags } from './common-flags.js';
import { printerFor, type Printer } from './print.js';
import type { ExitCode, World } from './world.js';

export interface CommandContext {
  readonly service: Service;
  readonly root: string;
  readonly call: Call;
  readonly print: Printer;
  /** Whether a daemon answers. */
  readonly remote: boolean;
  /** Resolves when the first index stands; at once with a daemon, which answers from what it has. */
  warm(): Promise<void>;
}

export async function withService(
  name: string,
  flags: CommonFlags,
  world: World,
  use: (context: CommandContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const call: Call = {
    signal: world.signal,
    progress: (message, fraction) =>
      print.progress(fraction === undefined ? message : `${message} ${Math.round(fraction * 100)}%`),
  };
  const root = await resolveRoot(flags, world.workingDirectory);
  // A daemon cannot know that the lock which it sees is that of the commit whose hook asks.
  const isAlone = !flags.daemon || flags.config !== undefined || isHeldByCaller(world.environment);
  const remote = isAlone ? undefined : await reach(name, root, world);
  if (remote !== undefined) {
    try {
      return await use({ service: remote, root, call, print, remote: true, warm: () => Promise.resolve() });
    } finally {
      print.clear();
      await remote.close();
    }
  }
  const createEngine = await world.loadEngine();
  const engine = createEngine({
    root,
    mode: 'in-process',
    watch: false,
    environment: world.environment,
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
    log: print.note,
  });
  const service = engine.connect({
    id: `${name}-${world.pid}`,
    name: `codeplan ${name}`,
    workingDirectory: world.workingDirectory,
    environment: world.environment,
  });
  try {
    return await use({
      service,
      root,
      call,
      print,
      remote: false,
      warm: () => untilAborted(engine.warm(), world.signal),
    });
  } finally {
    print.clear();
    await service.close();
    await engine.close();
  }
}

async function reach(name: string, root: string, world: World): Promise<Service | undefined> {
  const socket = await reachDaemon({
    root,
    build: world.build,
    program: world.program,
    environment: world.environment,
  });
  if (socket === undefined) return undefined;
  // Only a command that talks to a daemon pays for loading the protocol.
  const { RemoteService } = await import('../daemon/remote-service.js');
  return RemoteService.over(
    socket,
    world.build,
    introduction(`codeplan ${name}`, world.pid, world.workingDirectory, world.environment),
    world.signal,
  );
}
