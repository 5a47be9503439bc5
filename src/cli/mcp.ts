/**
 * `codeplan mcp`: tools for agents on standard input and output, answered by the root's daemon.
 *
 * It starts a daemon if need be and finds a new one when that ended; with `--no-daemon`, or if none can be had, the
 * engine runs in this process.
 */
import { Option, type Command } from 'commander';
import type { ToolSet } from '../agents/agent-tools.js';
import { untilAborted } from '../base/until-aborted.js';
import { introduction, reachOrStartDaemon } from '../daemon/daemon-connection.js';
import { ServiceError, type Engine, type Service } from '../engine/service.js';
import { resolveRoot, withCommonFlags, type CommonFlags } from './common-flags.js';
import { complain, writeLines } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface McpFlags extends CommonFlags {
  readonly tools: ToolSet;
  readonly structured?: boolean;
  readonly instructions?: boolean;
  readonly install?: string;
  readonly uninstall?: string;
  readonly print?: boolean;
}

export function addMcp(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program
      .command('mcp')
      .description('offer tools to agents by the Model Context Protocol on standard input and output'),
  )
    .addOption(
      new Option('--tools <set>', 'which tools to offer')
        .choices(['agent', 'repository', 'plans', 'all'])
        .default('agent'),
    )
    .option('--structured', 'answer with data beside the text, for programs')
    .option('--instructions', 'print what a host is told of the tools, and end')
    .option('--install <host>', 'write the entry into the settings of a host of agents, and end')
    .option('--uninstall <host>', 'take the entry out again, and end')
    .option('--print', 'with --install: only show what would be written')
    .action(async (flags: McpFlags) => finish(await mcp(flags, world)));
}

async function mcp(flags: McpFlags, world: World): Promise<ExitCode> {
  if (flags.instructions === true) {
    const { INSTRUCTIONS } = await import('../agents/instructions.js');
    writeLines(world.stdout, `${INSTRUCTIONS}\n`);
    return EXIT.done;
  }
  const root = await resolveRoot(flags, world.workingDirectory);
  if (flags.install !== undefined || flags.uninstall !== undefined) return settings(root, flags, world);
  const provider = new ServiceProvider(root, flags, world);
  const { serveMcp } = await import('../agents/mcp-server.js');
  try {
    const served = serveMcp({
      tools: flags.tools,
      structured: flags.structured === true,
      version: world.build.version,
      input: world.stdin,
      output: world.stdout,
      service: () => provider.service(),
      log: (message) => complain(world.stderr, message),
    });
    await untilAborted(served, world.signal);
    return EXIT.done;
  } finally {
    await provider.close();
  }
}

async function settings(
  root: string,
  { install: host, uninstall: gone, print }: McpFlags,
  world: World,
): Promise<ExitCode> {
  const { install, printed, uninstall } = await import('./mcp-install.js');
  const place = { root, environment: world.environment };
  const lines =
    gone !== undefined
      ? uninstall(gone, place)
      : print === true
        ? printed(host ?? '', place)
        : install(host ?? '', place);
  writeLines(world.stdout, `${lines.join('\n')}\n`);
  return EXIT.done;
}

/** The service behind a session of an agent: over a daemon, found anew when the connection broke, else in process. */
class ServiceProvider {
  private current: Promise<Service> | undefined;
  private engine: Engine | undefined;

  constructor(
    private readonly root: string,
    private readonly flags: McpFlags,
    private readonly world: World,
  ) {}

  async service(): Promise<Service> {
    const known = this.current;
    if (known !== undefined && (this.engine !== undefined || (await isAlive(known)))) return known;
    this.current = this.connect();
    this.current.catch(() => (this.current = undefined));
    return this.current;
  }

  private async connect(): Promise<Service> {
    const { root, flags, world } = this;
    if (!flags.daemon || flags.config !== undefined) return this.inProcess();
    try {
      const { build, program, environment } = world;
      const socket = await reachOrStartDaemon({ root, build, program, environment });
      const { RemoteService } = await import('../daemon/remote-service.js');
      const client = introduction('an agent', world.pid, world.workingDirectory, environment);
      return await RemoteService.over(socket, build, client, world.signal);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      complain(world.stderr, error.message);
      complain(world.stderr, 'serving this agent alone');
      return this.inProcess();
    }
  }

  private async inProcess(): Promise<Service> {
    const { root, flags, world } = this;
    const createEngine = await world.loadEngine();
    this.engine = createEngine({
      root,
      mode: 'in-process',
      watch: true,
      environment: world.environment,
      ...(flags.config === undefined ? {} : { configFile: flags.config }),
      log: (message) => complain(world.stderr, message),
    });
    return this.engine.connect({
      id: `mcp-${world.pid}`,
      name: 'an agent',
      workingDirectory: world.workingDirectory,
      environment: world.environment,
    });
  }

  async close(): Promise<void> {
    const service = await this.current?.catch(() => undefined);
    await service?.close();
    await this.engine?.close();
  }
}

/** Whether a daemon still answers on the connection. */
async function isAlive(service: Promise<Service>): Promise<boolean> {
  try {
    await (
      await service
    ).ask('codeplan/status', {}, { signal: new AbortController().signal, progress: () => undefined });
    return true;
  } catch {
    return false;
  }
}
