/**
 * Campaigns over synthetic fleets with known answers, by the real command line, and with processes killed on the way.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fleetReport, type FleetReport } from '#protocol/fleet.js';
import { git } from '../support/git-repository.js';
import { home, type Home } from '../support/program.js';
import {
  FLEET_LANGUAGES,
  makeRepositories,
  oddConsumers,
  syntheticFleet,
  type Consumer,
  type Files,
  type SyntheticFleet,
} from '../support/synthetic-fleet.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

async function changeFile(
  there: Home,
  folder: string,
  { from, to }: Pick<SyntheticFleet, 'from' | 'to'>,
): Promise<string> {
  writeFiles(join(folder, 'from'), from);
  writeFiles(join(folder, 'to'), to);
  const path = join(folder, 'change.json');
  const { code, stderr } = await there.run(folder, 'api', 'diff', 'from', 'to', '--out', path, '--quiet');
  assert.equal(code, 1, stderr);
  return path;
}

async function report(there: Home, folder: string, ...args: string[]): Promise<FleetReport> {
  const { stdout, stderr, code } = await there.run(folder, 'fleet', ...args, '--json');
  assert.ok(code === 0 || code === 1, stderr);
  return fleetReport.parse(JSON.parse(stdout));
}

/** By the name of the folder that each lies in. */
const byName = (told: FleetReport): ReadonlyMap<string, FleetReport['repositories'][number]> =>
  new Map(told.repositories.map((each) => [each.source.split('/').at(-1) ?? '', each]));

function assertAnswers(told: FleetReport, consumers: readonly Consumer[]): void {
  const found = byName(told);
  for (const { name, state, reason, after } of consumers) {
    const each = found.get(name);
    assert.ok(each !== undefined, name);
    assert.equal(each.state, state, `${name}: ${each.reason}`);
    if (reason !== undefined) assert.match(each.reason, reason, name);
    if (after !== undefined && state === 'checked') assertBranch(each, after);
  }
}

function assertBranch({ ready, key }: FleetReport['repositories'][number], after: Files): void {
  assert.ok(ready !== undefined, key);
  for (const [file, text] of Object.entries(after))
    assert.equal(git(ready.repository, 'show', `${ready.branch}:${file}`), text.trimEnd(), `${key} ${file}`);
}

/** A missing value is the same to all languages of a kind, and each run takes its time. */
const WITH_RETRY: readonly string[] = ['python', 'java'];

for (const language of FLEET_LANGUAGES)
  test(`${language}: each repository ends as it should, those of a later wave too, and a value that was missing`, async (t) => {
    const there = home(t);
    const folder = temporaryFolder(t);
    const fleet = syntheticFleet(language);
    makeRepositories(join(folder, 'repositories'), fleet.consumers);
    const change = await changeFile(there, folder, fleet);
    const planned = await report(there, folder, 'plan', change, '--repositories', 'repositories', '--name', 'shop');
    for (const { name, state } of fleet.consumers)
      assert.equal(byName(planned).get(name)?.state, state === 'checked' ? 'planned' : state, name);
    const run = await report(there, folder, 'run', 'shop');
    assertAnswers(run, fleet.consumers);
    assert.equal(byName(run).get('through')?.wave, 1);
    if (!WITH_RETRY.includes(language)) return;
    await report(there, folder, 'retry', 'shop', '--value', fleet.value);
    const again = await report(there, folder, 'run', 'shop');
    assertAnswers(
      again,
      fleet.consumers.map((each) => (each.name === 'value' ? { ...each, state: 'checked', reason: /edit/u } : each)),
    );
    for (const { name, files } of fleet.consumers)
      for (const [file, text] of Object.entries(files))
        assert.equal(
          readFileSync(join(folder, 'repositories', name, file), 'utf8'),
          text,
          'nothing of theirs is written',
        );
  });

test('a dirty, a broken and a hostile repository: told, and nothing of them is run', async (t) => {
  const there = home(t);
  const folder = temporaryFolder(t);
  const marker = join(folder, 'marker');
  const odd = oddConsumers(marker);
  makeRepositories(join(folder, 'repositories'), odd);
  for (const { name, prepare } of odd) prepare(join(folder, 'repositories', name));
  const change = await changeFile(there, folder, syntheticFleet('python'));
  const list = join(folder, 'list.txt');
  writeFileSync(list, `# the odd ones\n${odd.map(({ name }) => `repositories/${name}`).join('\n')}\n`);
  await report(there, folder, 'plan', change, '--repositories', list, '--name', 'odd', '--push');
  const told = await report(there, folder, 'run', 'odd');
  assertAnswers(told, odd);
  assert.ok(!existsSync(marker), 'something of the hostile repository was run');
  const hostile = byName(told).get('hostile');
  assert.equal(
    git(join(folder, 'repositories', 'hostile'), '-c', 'core.fsmonitor=', 'rev-parse', 'codeplan/odd'),
    hostile?.ready?.commit,
    'its branch was pushed',
  );
  const text = await there.run(folder, 'fleet', 'report', 'odd', '--html', join(folder, 'page.html'));
  assert.ok(!text.stdout.includes('\u001b[2J'));
  assert.match(readFileSync(join(folder, 'page.html'), 'utf8'), /Content-Security-Policy/u);
});

/** A host of proposals that is a file: `propose` writes a line, `look-up` says what of it is there. */
function fakeHost(folder: string): { readonly args: string[]; readonly proposals: () => string[] } {
  const log = join(folder, 'proposals.log');
  const script = join(folder, 'host.mjs');
  writeFileSync(
    script,
    `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const [, , what, key] = process.argv;
const log = ${JSON.stringify(log)};
if (what === 'propose') { appendFileSync(log, key + '\\n'); console.log('https://host.example/' + key); }
else if (existsSync(log) && readFileSync(log, 'utf8').split('\\n').includes(key)) console.log('open https://host.example/' + key);
`,
  );
  const quoted = (what: string): string => `"${process.execPath}" "${script}" ${what} {key}`;
  return {
    args: ['--propose', quoted('propose'), '--look-up', quoted('look')],
    proposals: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').sort() : []),
  };
}

test('a canary, a pause, an abort, limits, proposals, a merge, and a branch that a person took over', async (t) => {
  const there = home(t);
  const folder = temporaryFolder(t);
  const fleet = syntheticFleet('python');
  const [direct] = fleet.consumers;
  const names = ['a', 'b', 'c'];
  makeRepositories(
    join(folder, 'repositories'),
    names.map((name) => ({ ...(direct as Consumer), name })),
  );
  const change = await changeFile(there, folder, fleet);
  const host = fakeHost(folder);
  const options = ['--name', 'shop', '--canary', '1', '--open', '2', ...host.args];
  await report(there, folder, 'plan', change, '--repositories', 'repositories', ...options);
  const states = (told: FleetReport): string => names.map((name) => byName(told).get(name)?.state).join(' ');
  await report(there, folder, 'pause', 'shop');
  assert.equal(states(await report(there, folder, 'run', 'shop')), 'planned planned planned');
  await report(there, folder, 'resume', 'shop');
  const first = await report(there, folder, 'run', 'shop');
  assert.deepEqual(first.repositories.map(({ state }) => state).sort(), ['planned', 'planned', 'proposed']);
  assert.ok(first.repositories.some(({ reason }) => /your yes after the canary/u.test(reason)));
  await report(there, folder, 'resume', 'shop');
  const second = await report(there, folder, 'run', 'shop');
  assert.deepEqual(second.repositories.map(({ state }) => state).sort(), ['checked', 'proposed', 'proposed']);
  assert.ok(second.repositories.some(({ reason }) => /2 open proposals, which is the limit/u.test(reason)));
  assert.equal(host.proposals().length, 2);
  // A person takes the third over: whatever stands under our name and is not ours is left alone.
  const third = second.repositories.find(({ state }) => state === 'checked');
  assert.ok(third !== undefined);
  git(third.source, 'branch', 'codeplan/shop');
  const own = git(third.source, 'rev-parse', 'codeplan/shop');
  writeFileSync(join(folder, 'proposals.log'), '');
  for (const { source, state, ready } of second.repositories)
    if (state === 'proposed') git(source, 'merge', '-q', '--ff-only', ready?.commit ?? '');
  await report(there, folder, 'run', 'shop');
  const last = await report(there, folder, 'run', 'shop');
  const ended = last.repositories.find(({ key }) => key === third.key);
  assert.equal(last.counts.merged, 2);
  assert.equal(ended?.state, 'needs-person');
  assert.match(ended.reason, /taken over by a person/u);
  assert.equal(git(third.source, 'rev-parse', 'codeplan/shop'), own);
  const aborted = await report(there, folder, 'abort', 'shop');
  assert.equal(aborted.status, 'aborted');
});

/** Kills whoever holds a workshop's lease: the process of a job. */
function killAJob(folder: string, pick: (count: number) => number): void {
  const workshops = join(folder, 'repositories');
  if (!existsSync(workshops)) return;
  const holders = readdirSync(workshops).flatMap((key) => {
    const lease = join(workshops, key, 'lease');
    return existsSync(lease) ? [Number(readFileSync(lease, 'utf8').split(' ')[0])] : [];
  });
  const pid = holders[pick(holders.length)];
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function killedOnTheWay(t: TestContext, there: Home, folder: string, kills: number): Promise<void> {
  const campaign = join(there.environment['XDG_STATE_HOME'] ?? '', 'codeplan', 'fleet', 'shop');
  let seed = 20261122;
  const random = (count: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return count === 0 ? 0 : seed % count;
  };
  for (let kill = 0; kill < kills; kill++) {
    const coordinator = there.start(folder, 'fleet', 'run', 'shop', '--quiet');
    const ended = new Promise<void>((resolve) => coordinator.once('close', () => resolve()));
    const isOver = await Promise.race([
      ended.then(() => true),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), 300 + random(1500))),
    ]);
    if (random(2) === 0) killAJob(campaign, random);
    if (!isOver) coordinator.kill('SIGKILL');
    await ended;
  }
  t.diagnostic(`${kills} kills`);
}

test('killed on the way, a campaign ends with the same commits, and nothing is proposed twice', async (t) => {
  const fleet = syntheticFleet('python');
  const consumers = fleet.consumers.filter(({ name }) => ['direct', 'own', 'through', 'unused'].includes(name));
  const seeds = temporaryFolder(t);
  makeRepositories(seeds, consumers);
  const ends: string[][] = [];
  for (const kills of [0, 6]) {
    const there = home(t);
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'repositories'));
    cpSync(seeds, join(folder, 'repositories'), { recursive: true });
    const change = await changeFile(there, folder, fleet);
    const host = fakeHost(folder);
    const plan = ['plan', change, '--repositories', 'repositories', '--name', 'shop', ...host.args];
    if (kills === 0) await report(there, folder, ...plan);
    else {
      const planning = there.start(folder, 'fleet', ...plan, '--quiet');
      const ended = new Promise<void>((resolve) => planning.once('close', () => resolve()));
      const store = join(there.environment['XDG_STATE_HOME'] ?? '', 'codeplan', 'fleet', 'shop', 'campaign.json');
      while (!existsSync(store)) await new Promise((resolve) => setTimeout(resolve, 20));
      planning.kill('SIGKILL');
      await ended;
      await killedOnTheWay(t, there, folder, kills);
    }
    const told = await report(there, folder, 'run', 'shop');
    assert.equal(told.damaged, 0);
    ends.push([...byName(told)].sort().map(([name, { state, ready }]) => `${name} ${state} ${ready?.commit ?? ''}`));
    assert.deepEqual(
      host.proposals(),
      told.repositories
        .filter(({ state }) => state === 'proposed')
        .map(({ key }) => key)
        .sort(),
    );
    assert.equal(told.counts.proposed, 3);
    for (const { source, state, ready } of told.repositories) {
      const branches = git(source, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/codeplan');
      assert.equal(branches, state === 'proposed' ? `codeplan/shop ${ready?.commit ?? ''}` : '');
    }
  }
  assert.deepEqual(ends[1], ends[0]);
});
