/** A campaign whose work goes over a real server to workers, which die on the way, and the server too. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ChildProcess } from 'node:child_process';
import { fleetReport } from '#protocol/fleet.js';
import { campaignId, repositoryKey, type Settings } from '#src/fleet/campaign.js';
import { outcome } from '#src/fleet/event.js';
import type { Job } from '#src/io/fleet/job.js';
import { unallowed } from '#src/io/fleet/server-queue.js';
import { eventually } from '../support/eventually.js';
import { home, type Home } from '../support/program.js';
import { postgresServer, redisServer, type QueueServer } from '../support/queue-server.js';
import { makeRepositories, syntheticFleet, type SyntheticFleet } from '../support/synthetic-fleet.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

const CAMPAIGN_SETTINGS: Settings = {
  model: 'none',
  values: {},
  oracle: null,
  trustOracle: false,
  push: true,
  propose: null,
  lookUp: null,
  title: 'a change',
  author: { name: 'a', email: 'a@example.org' },
  canary: 0,
  openMost: 0,
  hourMost: 0,
};

function worker(
  t: TestContext,
  there: Home,
  folder: string,
  name: string,
  address: string,
  lockSeconds: string,
): ChildProcess {
  const args = ['--queue', address, '--work', join(folder, name), '--lock-seconds', lockSeconds];
  const child = there.start(folder, 'fleet', 'worker', ...args);
  child.stdin.end();
  t.after(() => child.kill('SIGKILL'));
  return child;
}

interface UnderWay {
  readonly there: Home;
  readonly folder: string;
  readonly fleet: SyntheticFleet;
  readonly first: ChildProcess;
  /** What the first worker has said. */
  readonly said: () => string;
  readonly planned: Promise<number | null>;
}

/** A campaign that is planned over the server, with a first worker in the middle of a job. */
async function underWay(t: TestContext, server: QueueServer, lockSeconds: string): Promise<UnderWay> {
  const there = home(t);
  const folder = temporaryFolder(t);
  const fleet = syntheticFleet('python');
  makeRepositories(join(folder, 'repositories'), fleet.consumers);
  writeFiles(join(folder, 'from'), fleet.from);
  writeFiles(join(folder, 'to'), fleet.to);
  await there.run(folder, 'api', 'diff', 'from', 'to', '--out', 'change.json', '--quiet');
  const first = worker(t, there, folder, 'first', server.address, lockSeconds);
  let said = '';
  first.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const args = ['change.json', '--repositories', 'repositories', '--name', 'shop', '--queue', server.address];
  const planning = there.start(folder, 'fleet', 'plan', ...args, '--push', '--quiet');
  t.after(() => planning.kill('SIGKILL'));
  const planned = new Promise<number | null>((resolve) => planning.once('close', resolve));
  await eventually('the first worker has a job', () => /look of/u.test(said));
  return { there, folder, fleet, first, said: () => said, planned };
}

async function overServer(t: TestContext, server: QueueServer): Promise<void> {
  const { there, folder, fleet, first, planned } = await underWay(t, server, '2');
  // Another worker gets its job when the first one's lock is over.
  first.kill('SIGKILL');
  const second = worker(t, there, folder, 'second', server.address, '2');
  await server.kill();
  await server.start();
  assert.equal(await planned, 1);
  const run = await there.run(folder, 'fleet', 'run', 'shop', '--queue', server.address, '--json');
  const report = fleetReport.parse(JSON.parse(run.stdout));
  const states = report.repositories.map(({ source, state }) => `${source.split('/').at(-1) ?? ''} ${state}`).sort();
  assert.deepEqual(states, fleet.consumers.map(({ name, state }) => `${name} ${state}`).sort());
  second.kill('SIGTERM');
}

/** A worker that is told to end gives its job back: another one has it long before the first one's lock is over. */
async function givenBack(t: TestContext, server: QueueServer): Promise<void> {
  const { there, folder, first, said, planned } = await underWay(t, server, '600');
  const ended = new Promise<number | null>((resolve) => first.once('close', resolve));
  first.kill('SIGTERM');
  assert.equal(await ended, 0, said());
  assert.match(said(), /given back/u);
  worker(t, there, folder, 'second', server.address, '600');
  assert.equal(await planned, 1);
}

test('over Redis: a worker that is told to end gives its job back', needs('redis-server'), async (t) =>
  givenBack(t, await redisServer(t)),
);

test('over PostgreSQL: a worker that is told to end gives its job back', needs('postgres'), async (t) =>
  givenBack(t, await postgresServer(t)),
);

test('over Redis: a worker and the server die on the way', needs('redis-server'), async (t) =>
  overServer(t, await redisServer(t)),
);

test('over PostgreSQL: a worker and the server die on the way', needs('postgres'), async (t) =>
  overServer(t, await postgresServer(t)),
);

test('what a job would run on a worker is not run unless its person allowed it', () => {
  const job = (steps: Job['steps'], more: Partial<Job['settings']>): string | undefined =>
    unallowed({ steps, settings: { ...CAMPAIGN_SETTINGS, ...more } });
  assert.equal(job(['look', 'plan', 'commit', 'propose', 'watch'], {}), undefined);
  assert.equal(job(['plan'], { oracle: 'pyright' }), undefined);
  assert.match(job(['propose'], { propose: ['sh'] }) ?? '', /--allow-commands/u);
  assert.match(job(['watch'], { lookUp: ['sh'] }) ?? '', /--allow-commands/u);
  for (const step of ['plan', 'commit', 'propose'] as const)
    assert.match(job([step], { oracle: 'pytest', trustOracle: true }) ?? '', /--allow-commands/u);
});

test('a message of the queue names no folder but its own, and no commit that is an option', () => {
  for (const key of ['.', '..', '../x', 'a/b', '', '-x'])
    assert.equal(repositoryKey.safeParse(key).success, false, key);
  for (const id of ['..', '.x', '-x', 'a/b', 'A']) assert.equal(campaignId.safeParse(id).success, false, id);
  const looked = { step: 'look', input: 'a'.repeat(64), baseBranch: 'main', dependence: 'none', reason: 'x' };
  const rest = { publishes: [], uses: [], isDirty: false };
  assert.equal(outcome.safeParse({ ...looked, ...rest, base: 'b'.repeat(40) }).success, true);
  assert.equal(outcome.safeParse({ ...looked, ...rest, base: '--output=/tmp/x' }).success, false);
});

test('an address of no queue is refused with what to give', async (t) => {
  const there = home(t);
  const told = await there.run(temporaryFolder(t), 'fleet', 'worker', '--queue', 'http://127.0.0.1/');
  assert.equal(told.code, 2);
  assert.match(told.stderr, /give redis:\/\/… or postgres:\/\/…/u);
});

test('a server that is not there is told of', async (t) => {
  const there = home(t);
  const child = there.start(temporaryFolder(t), 'fleet', 'worker', '--queue', 'redis://someone:secret@127.0.0.1:1/');
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  await eventually('what is wrong', () => /127\.0\.0\.1:1\S* cannot be used: .*ECONNREFUSED/u.test(said) || undefined);
  assert.ok(!said.includes('secret'));
});
