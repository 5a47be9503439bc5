/** `codeplan fleet`: one change of a library, carried through many repositories. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { FleetReport } from '#protocol/fleet.js';
import { modelChoice } from '#protocol/propagate.js';
import { values } from '#protocol/words.js';
import { PageServer } from '../daemon/page-server.js';
import { ServiceError } from '../engine/service.js';
import { campaignId, type Campaign } from '../fleet/campaign.js';
import type { FleetEvent } from '../fleet/event.js';
import { sha256 } from '../fleet/input.js';
import { nextOf } from '../fleet/next.js';
import { fleetReport } from '../fleet/report.js';
import { changeFileIn, readChangeText } from '../io/disk/change-file.js';
import { realFileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';
import { campaignIds, CampaignStore } from '../io/fleet/campaign-store.js';
import { drive, placeIn } from '../io/fleet/coordinator.js';
import { EmbeddedQueue } from '../io/fleet/embedded-queue.js';
import { wordsOf } from '../io/fleet/person-command.js';
import type { Queue } from '../io/fleet/queue.js';
import { repositoriesOf } from '../io/fleet/repository-list.js';
import { personalGitSettings } from '../io/process/run-git.js';
import { fleetPage } from '../page/fleet-page.js';
import { wholeNumber } from './common-flags.js';
import { addFleetJob, addFleetWorker, engineStamp } from './fleet-job.js';
import { fleetLines, isSettled } from './fleet-text.js';
import { liveCampaign } from './live-campaign.js';
import { printerFor, type Printer } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface OutputFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface WorkFlags extends OutputFlags {
  readonly parallel: number;
  readonly queue?: string;
}

interface PlanFlags extends WorkFlags {
  readonly repositories: string;
  readonly name?: string;
  readonly title?: string;
  readonly model: string;
  readonly value?: Readonly<Record<string, string>>;
  readonly oracle?: string;
  readonly trustOracle?: boolean;
  readonly push?: boolean;
  readonly propose?: string;
  readonly lookUp?: string;
  readonly canary: number;
  readonly open: number;
  readonly perHour: number;
}

type Finish = (code: ExitCode) => void;

/** Each process keeps an index and runs the repository's own tools: two fit on a laptop that is in use. */
const PARALLEL = 2;

export function addFleet(program: Command, world: World, finish: Finish): void {
  const fleet = program.command('fleet').description('carry one change of a library through many repositories');
  addPlan(fleet, world, finish);
  withWork(
    named(fleet, 'run', 'go on: make branches, propose them where that was asked for, see what was merged'),
  ).action(async (id: string | undefined, flags: WorkFlags) => {
    const store = storeOf(id, world);
    finish(await work(store, flags, world, 'propose'));
  });
  withOutput(named(fleet, 'status', 'say how far it is'))
    .option('--page', 'serve it as a page as well, which follows the campaign until this command is interrupted')
    .action(async (id: string | undefined, flags: OutputFlags & { readonly page?: boolean }) => {
      const store = storeOf(id, world);
      const code = told(reportOf(store, world), flags, world, false);
      finish(flags.page === true ? await servePage(store, flags, world) : code);
    });
  withOutput(named(fleet, 'report', 'say all of each repository: what was edited, what is open, where its branch is'))
    .option('--html <file>', 'write it as one page to this file as well')
    .action((id: string | undefined, flags: OutputFlags & { readonly html?: string }) => {
      const report = reportOf(storeOf(id, world), world);
      if (flags.html !== undefined) writePage(resolve(world.workingDirectory, flags.html), report);
      finish(told(report, flags, world, true));
    });
  addRetry(fleet, world, finish);
  for (const [name, description] of [
    ['pause', 'hand out no more work; what runs is ended in peace'],
    ['resume', 'go on after a pause, or say yes after the canary'],
    ['abort', 'end the campaign for good; branches and proposals stay as they are'],
  ] as const)
    withOutput(named(fleet, name, description)).action((id: string | undefined, flags: OutputFlags) => {
      const store = storeOf(id, world);
      const type = name === 'resume' && store.state().state.status === 'running' ? 'approve' : name;
      store.append({ type, time: new Date().toISOString() });
      finish(told(reportOf(store, world), flags, world, false));
    });
  addFleetWorker(fleet, world, finish);
  addFleetJob(fleet, world, finish);
}

const named = (fleet: Command, name: string, description: string): Command =>
  fleet.command(name).description(description).argument('[campaign]', 'its name (default: the only one there is)');

const withOutput = (command: Command): Command =>
  command
    .option('--json', 'print one JSON document on standard output')
    .option('--quiet', 'print no progress and no advice');

const withWork = (command: Command): Command =>
  withOutput(command)
    .option('--parallel <n>', 'processes at once on this machine', wholeNumber(1), PARALLEL)
    .option('--queue <address>', 'hand work to "codeplan fleet worker" by this server: redis://… or postgres://…');

function addPlan(fleet: Command, world: World, finish: Finish): void {
  withWork(
    fleet
      .command('plan')
      .description('begin a campaign, and plan what follows in each repository; nothing of theirs is written')
      .argument('<change>', 'the change file that "codeplan api diff --out" wrote'),
  )
    .requiredOption(
      '--repositories <list>',
      'a file with a path or an address a line, a folder of repositories, or "!command" that prints lines',
    )
    .option('--name <name>', 'of the campaign and its branches (default: by the library and its new version)')
    .option('--title <words>', 'of commits and proposals')
    .addOption(
      new Option('--model <model>', 'who edits what no rule can').argParser(parsedModel).default('none', 'none'),
    )
    .option('--value <name=expression>', 'what to pass for a new parameter; may be given again', addValue)
    .option('--oracle <preset>', 'check each repository before and after with this checker')
    .option('--trust-oracle', 'let the checker run what lies in the repositories, all of them')
    .option('--push', 'push branches to where the repositories came from')
    .option(
      '--propose <command>',
      'push, and run this for each branch: {slug} {branch} {base} {title} {body} (a file) and others are filled in',
    )
    .option(
      '--look-up <command>',
      'prints the address of a branch’s proposal and open, merged or closed, if there is one',
    )
    .option('--canary <n>', 'let so many go first, and wait for "codeplan fleet resume"', wholeNumber(0), 0)
    .option('--open <n>', 'most open proposals of an owner (0: no limit)', wholeNumber(0), 0)
    .option('--per-hour <n>', 'most proposals in an hour (0: no limit)', wholeNumber(0), 0)
    .addHelpText('after', '\nExit codes: 0 nothing has to follow anywhere, 1 something has to, or is open, 2 failure.')
    .action(async (change: string, flags: PlanFlags) => finish(await plan(change, flags, world)));
}

function addRetry(fleet: Command, world: World, finish: Finish): void {
  withOutput(
    named(fleet, 'retry', 'try again what failed or waits for somebody, or these; "codeplan fleet run" then does it'),
  )
    .option('--only <key...>', 'these repositories')
    .option('--value <name=expression>', 'what to pass for a new parameter; may be given again', addValue)
    .action((id: string | undefined, flags: OutputFlags & Pick<PlanFlags, 'value'> & { readonly only?: string[] }) => {
      const store = storeOf(id, world);
      const unknown = flags.only?.find((key) => !store.campaign.repositories.some((each) => each.key === key));
      if (unknown !== undefined)
        throw new ServiceError(
          'settings',
          `${unknown} is no repository of ${store.campaign.id}; "codeplan fleet status" names them`,
        );
      const event: FleetEvent = {
        type: 'retry',
        time: new Date().toISOString(),
        repositories: flags.only ?? null,
        ...(flags.value === undefined ? {} : { values: { ...flags.value } }),
      };
      store.append(event);
      finish(told(reportOf(store, world), flags, world, false));
    });
}

async function plan(change: string, flags: PlanFlags, world: World): Promise<ExitCode> {
  const path = resolve(world.workingDirectory, change);
  const text = readChangeText(path);
  const { packages, breaks, may } = changeFileIn(text, path);
  const place = { directory: world.workingDirectory, environment: world.environment, signal: world.signal };
  const [first] = packages;
  const id = flags.name ?? nameOf(first?.name ?? 'change', first?.to);
  if (!campaignId.safeParse(id).success)
    throw new ServiceError('settings', `${id} is no name of a campaign; give --name with small letters, digits, . _ -`);
  const campaign: Campaign = {
    version: 1,
    id,
    created: new Date().toISOString(),
    change: sha256(text),
    packages,
    repositories: await repositoriesOf(flags.repositories, place),
    settings: {
      model: flags.model,
      values: { ...flags.value },
      oracle: flags.oracle ?? null,
      trustOracle: flags.trustOracle === true,
      push: flags.push === true || flags.propose !== undefined,
      propose: flags.propose === undefined ? null : wordsOf(flags.propose),
      lookUp: flags.lookUp === undefined ? null : wordsOf(flags.lookUp),
      title: flags.title ?? `Follow ${[first?.name ?? 'a change', first?.to].join(' ').trim()}`,
      author: {
        name: await personal('user.name', 'codeplan'),
        email: await personal('user.email', 'codeplan@localhost'),
      },
      canary: flags.canary,
      openMost: flags.open,
      hourMost: flags.perHour,
    },
  };
  const print = printerFor(world, flags.quiet === true);
  if (breaks + may === 0) print.note('this change file says that nothing of the library breaks or may break its users');
  return work(CampaignStore.create(world.environment, campaign, text), flags, world, 'plan');
}

const nameOf = (name: string, version: string | undefined): string =>
  [name.replace(/^@/u, ''), version]
    .filter((part) => part !== undefined)
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[^a-z0-9]+/u, '')
    .slice(0, 64);

async function personal(name: string, otherwise: string): Promise<string> {
  const said = await personalGitSettings('--global', name, { kind: 'plain' });
  const value = said.ok ? said.stdout.toString('utf8').split('\0')[0]?.trim() : undefined;
  return value === undefined || value === '' ? otherwise : value;
}

/** Goes on as far as it can, alone: one process at a time hands out a campaign's work. */
async function work(
  store: CampaignStore,
  flags: WorkFlags,
  world: World,
  until: 'plan' | 'propose',
): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const lock = store.coordinate();
  if (lock === undefined)
    throw new ServiceError(
      'settings',
      `process ${store.coordinator() ?? ''} goes on with ${store.campaign.id} already; see "codeplan fleet status"`,
    );
  const queue = await queueFor(store, flags, world, print).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  try {
    const total = store.campaign.repositories.length;
    await drive(store, queue, {
      until,
      ...(until === 'propose' ? { watching: new Date().toISOString() } : {}),
      engine: engineStamp(world),
      signal: world.signal,
      tell: (key, state, reason) => {
        print.progress(`${key} of ${total}: ${state}, ${reason}`);
      },
    });
  } finally {
    print.clear();
    await queue.close();
    lock.release();
  }
  return told(reportOf(store, world), flags, world, false);
}

async function queueFor(store: CampaignStore, flags: WorkFlags, world: World, print: Printer): Promise<Queue> {
  const { program, environment } = world;
  if (flags.queue === undefined) return new EmbeddedQueue(flags.parallel, placeIn(store), { program, environment });
  const { ServerQueue } = await import('../io/fleet/server-queue.js');
  return ServerQueue.open(flags.queue, store, (line) => print.note(line));
}

function storeOf(id: string | undefined, { environment }: World): CampaignStore {
  const ids = campaignIds(environment);
  const only = id ?? (ids.length === 1 ? ids[0] : undefined);
  if (only === undefined)
    throw new ServiceError(
      'settings',
      ids.length === 0 ? 'there is no campaign; make one with "codeplan fleet plan"' : `name one of ${ids.join(', ')}`,
    );
  return CampaignStore.open(environment, only);
}

function reportOf(store: CampaignStore, world: World): FleetReport {
  const { campaign, folder } = store;
  const { state, damaged } = store.state();
  const { held } = nextOf(campaign, state, { until: 'propose', engine: engineStamp(world), now: Date.now() });
  return fleetReport({ campaign, state, held, damaged, folder, isRunning: store.coordinator() !== undefined });
}

/** Until the person interrupts, which is how it ends well. */
async function servePage(store: CampaignStore, { json }: OutputFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, false);
  const server = new PageServer(liveCampaign(store, () => reportOf(store, world)));
  try {
    const line = `The page, which this address opens once: ${await server.url()}`;
    if (json === true) print.note(line);
    else print.line(`${line}\nIt follows the campaign until you interrupt this command.`);
    if (!world.signal.aborted) await once(world.signal, 'abort');
  } finally {
    server.close();
  }
  return EXIT.done;
}

function told(report: FleetReport, flags: OutputFlags, world: World, isWhole: boolean): ExitCode {
  const print: Printer = printerFor(world, flags.quiet === true);
  if (flags.json === true) print.json(report);
  else for (const line of fleetLines(report, isWhole, print.paint)) print.line(line);
  return report.repositories.every((each) => isSettled(each, report)) && report.damaged === 0 ? EXIT.done : EXIT.open;
}

function writePage(path: string, report: FleetReport): void {
  try {
    writeAtomically(realFileSystem, path, fleetPage(report), { mode: undefined, durable: false });
  } catch (error) {
    throw new ServiceError('write', `cannot write the page: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parsedModel(text: string): string {
  if (!modelChoice.safeParse(text).success) throw new InvalidArgumentError('give none, openai, chat, or replay:<dir>.');
  return text;
}

function addValue(text: string, known: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const equals = text.indexOf('=');
  const given = { [text.slice(0, equals)]: text.slice(equals + 1) };
  if (equals < 1 || !values.safeParse(given).success)
    throw new InvalidArgumentError('give <name>=<expression>, for example timeout=30.');
  return { ...known, ...given };
}
