/**
 * Campaigns of which anything is killed at random: processes of jobs, workers, whoever hands work out, servers, with and
 * without what they held. They end as one without faults, and nothing is proposed twice.
 *
 * CODEPLAN_TEST_FLEET says how many repositories there are, in all four languages, and how many kills in all; SEED
 * makes others of them.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { FleetReport } from '#protocol/fleet.js';
import { assertAnswers, byName, changeFile, fakeHost, report } from '../support/fleet-campaign.js';
import { git } from '../support/git-repository.js';
import { home, type Home } from '../support/program.js';
import { postgresServer, redisServer, type QueueServer } from '../support/queue-server.js';
import { randomNumbers } from '../support/random-numbers.js';
import {
  FLEET_LANGUAGES,
  makeRepositories,
  oddConsumers,
  syntheticFleet,
  type Consumer,
  type FleetLanguage,
  type SyntheticFleet,
} from '../support/synthetic-fleet.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { needs, type ToolName } from '../support/tool.js';

const SIZE = Number(process.env['CODEPLAN_TEST_FLEET'] ?? 0);
const SEED = Number(process.env['SEED'] ?? 20261123);
const LANGUAGES: readonly FleetLanguage[] = SIZE > 0 ? FLEET_LANGUAGES : ['python'];
const KILLS_OF_A_SMALL_ONE = 5;
const WORKERS = 2;

interface Engine {
  readonly name: string;
  readonly tool?: ToolName;
  readonly server?: (t: TestContext) => Promise<QueueServer>;
}

const ENGINES: readonly Engine[] = [
  { name: 'on this machine' },
  { name: 'over Redis', tool: 'redis-server', server: redisServer },
  { name: 'over PostgreSQL', tool: 'postgres', server: postgresServer },
];

const KILLS = SIZE > 0 ? Math.ceil(SIZE / (LANGUAGES.length * ENGINES.length)) : KILLS_OF_A_SMALL_ONE;

/** What all campaigns of a language begin with, and how they have to end. */
interface Start {
  readonly fleet: SyntheticFleet;
  readonly consumers: readonly Consumer[];
  /** The repositories as they are before. */
  readonly folder: string;
  readonly marker: string;
}

function begun(t: TestContext, language: FleetLanguage): Start {
  const folder = temporaryFolder(t);
  const marker = join(folder, 'marker');
  const repositories = join(folder, 'repositories');
  const consumers: Consumer[] = [];
  const most = Math.max(1, SIZE / LANGUAGES.length);
  for (let copy = 1; consumers.length < most; copy++) {
    const odd = oddConsumers(language, marker, `-${copy}`);
    const all = [...syntheticFleet(language, `-${copy}`).consumers, ...odd];
    makeRepositories(repositories, all);
    for (const { name, prepare } of odd) prepare(join(repositories, name));
    consumers.push(...all);
  }
  return { fleet: syntheticFleet(language), consumers, folder: repositories, marker };
}

/** A campaign that was begun: whoever hands its work out and does it, each of which can be killed. */
class Campaign {
  private readonly workers: ChildProcess[] = [];
  private coordinator: ChildProcess | undefined;
  private workersMade = 0;
  /** The process that is ended has ended, with its code. */
  private over: Promise<number | null> = Promise.resolve(null);

  constructor(
    t: TestContext,
    private readonly there: Home,
    readonly folder: string,
    private readonly server: QueueServer | undefined,
  ) {
    t.after(() => {
      for (const child of [this.coordinator, ...this.workers]) child?.kill('SIGKILL');
    });
    for (let i = 0; server !== undefined && i < WORKERS; i++) this.addWorker(server);
  }

  get queue(): string[] {
    return this.server === undefined ? [] : ['--queue', this.server.address];
  }

  private addWorker({ address }: QueueServer): void {
    // Of a machine that is gone for good: what it kept is not there for the next one.
    const work = join(this.folder, `worker-${++this.workersMade}`);
    const args = ['--work', work, '--lock-seconds', '2', '--allow-commands', '--quiet'];
    const child = this.there.start(this.folder, 'fleet', 'worker', '--queue', address, ...args);
    child.stdin.end();
    this.workers.push(child);
  }

  /** Begins to go on with it. */
  start(...args: readonly string[]): void {
    const child = this.there.start(this.folder, 'fleet', ...args, ...this.queue, '--quiet');
    this.coordinator = child;
    this.over = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  }

  async isOverWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
    const isOver = await Promise.race([this.over.then(() => true), time]);
    clearTimeout(timer);
    return isOver;
  }

  async killCoordinator(): Promise<boolean> {
    const killed = this.coordinator?.kill('SIGKILL') ?? false;
    await this.over;
    return killed;
  }

  killWorker(random: () => number): boolean {
    if (this.server === undefined) return killed(pick(this.jobProcesses(), random));
    const [worker] = this.workers.splice(Math.floor(random() * this.workers.length), 1);
    this.addWorker(this.server);
    return worker?.kill('SIGKILL') ?? false;
  }

  async killServer(isLost: boolean): Promise<boolean> {
    await this.server?.kill();
    if (isLost) this.server?.lose();
    await this.server?.start();
    return this.server !== undefined;
  }

  /** Whoever holds a workshop's lease: the processes of jobs. */
  private jobProcesses(): number[] {
    const workshops = join(stateOf(this.there), 'repositories');
    if (!existsSync(workshops)) return [];
    return readdirSync(workshops).flatMap((key) => {
      const lease = join(workshops, key, 'lease');
      return existsSync(lease) ? [Number(readFileSync(lease, 'utf8').split(' ')[0])] : [];
    });
  }

  async report(): Promise<FleetReport> {
    return report(this.there, this.folder, 'run', 'shop', ...this.queue);
  }
}

const stateOf = ({ environment }: Home): string =>
  join(environment['XDG_STATE_HOME'] ?? '', 'codeplan', 'fleet', 'shop');

const pick = <T>(all: readonly T[], random: () => number): T | undefined => all[Math.floor(random() * all.length)];

function killed(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

async function ended(t: TestContext, start: Start, engine: Engine, kills: number): Promise<string[]> {
  const there = home(t);
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'repositories'));
  cpSync(start.folder, join(folder, 'repositories'), { recursive: true, verbatimSymlinks: true });
  const change = await changeFile(there, folder, start.fleet);
  const host = fakeHost(folder);
  const campaign = new Campaign(t, there, folder, await engine.server?.(t));
  const began = Date.now();
  campaign.start('plan', change, '--repositories', 'repositories', '--name', 'shop', ...host.args);
  // Before that there is nothing to go on with.
  while (!existsSync(join(stateOf(there), 'campaign.json'))) assert.ok(!(await campaign.isOverWithin(20)));
  const counts = await killedOnTheWay(campaign, engine, kills);
  await campaign.isOverWithin(600_000);
  const told = await campaign.report();
  t.diagnostic(
    `${engine.name}: ${start.consumers.length} repositories, ${JSON.stringify(counts)}, ${Date.now() - began} ms`,
  );
  assert.equal(told.damaged, 0);
  assertAnswers(told, start.consumers.map(asProposed));
  assert.ok(!existsSync(start.marker), 'something of a hostile repository was run');
  const proposed = told.repositories.filter(({ state }) => state === 'proposed');
  assert.deepEqual(host.proposals(), proposed.map(({ key }) => key).sort(), 'each is proposed once');
  for (const { source, state, ready } of told.repositories) {
    const branches = git(source, '-c', 'core.fsmonitor=', 'for-each-ref', '--format=%(refname:short) %(objectname)');
    const ours = branches.split('\n').filter((line) => !line.startsWith('main '));
    assert.deepEqual(ours, state === 'proposed' ? [`codeplan/shop ${ready?.commit ?? ''}`] : []);
  }
  return [...byName(told)].sort().map(([name, { state, ready }]) => `${name} ${state} ${ready?.commit ?? ''}`);
}

const asProposed = ({ state, reason, ...rest }: Consumer): Consumer =>
  state === 'checked'
    ? { ...rest, state: 'proposed' }
    : { ...rest, state, ...(reason === undefined ? {} : { reason }) };

/** How often what was killed; what ended by itself meanwhile is begun again. */
async function killedOnTheWay(
  campaign: Campaign,
  { server }: Engine,
  kills: number,
): Promise<Readonly<Record<string, number>>> {
  const random = randomNumbers(SEED);
  const counts = { coordinator: 0, worker: 0, server: 0, 'server with what it held': 0, 'after its end': 0 };
  const longest = SIZE > 0 ? 2500 : 1200;
  for (let kill = 0; kill < kills;) {
    const isOver = await campaign.isOverWithin(200 + random() * longest);
    const kind = Math.floor(random() * (server === undefined ? 2 : 3));
    if (isOver) campaign.start('run', 'shop');
    const isLost = kind === 2 && random() < 0.3;
    const isKilled =
      kind === 0
        ? await campaign.killCoordinator()
        : kind === 1
          ? campaign.killWorker(random)
          : await campaign.killServer(isLost);
    if (kind === 0) campaign.start('run', 'shop');
    if (!isKilled) continue;
    kill++;
    if (isOver) counts['after its end']++;
    counts[kind === 0 ? 'coordinator' : kind === 1 ? 'worker' : isLost ? 'server with what it held' : 'server']++;
  }
  return counts;
}

for (const language of LANGUAGES)
  test(`${language}: killed on the way, a campaign ends as one without faults, and nothing is proposed twice`, async (t) => {
    const start = begun(t, language);
    const expected = await ended(t, start, { name: 'without faults' }, 0);
    for (const engine of ENGINES)
      await t.test(engine.name, engine.tool === undefined ? {} : needs(engine.tool), async (inner) =>
        assert.deepEqual(await ended(inner, start, engine, KILLS), expected),
      );
  });
