/** Campaigns over synthetic fleets with known answers, by the real command line. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FleetReport } from '#protocol/fleet.js';
import { assertAnswers, byName, changeFile, fakeHost, report } from '../support/fleet-campaign.js';
import { git } from '../support/git-repository.js';
import { home } from '../support/program.js';
import {
  FLEET_LANGUAGES,
  makeRepositories,
  oddConsumers,
  syntheticFleet,
  type Consumer,
} from '../support/synthetic-fleet.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
  const odd = oddConsumers('python', marker);
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

test('a change file or a list that is a pipe or a device, and a list without an end, are refused', async (t) => {
  const there = home(t);
  const folder = temporaryFolder(t);
  const change = await changeFile(there, folder, syntheticFleet('python'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const refused = async (given: string, repositories: string): Promise<string> => {
    const { code, stderr } = await there.run(folder, 'fleet', 'plan', given, '--repositories', repositories);
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(await refused('pipe', '.'), /cannot read the change file .*pipe: it is no regular file/u);
  assert.match(await refused('/dev/zero', '.'), /cannot read the change file .*zero: it is no regular file/u);
  assert.match(await refused('.', '.'), /cannot read the change file .*: there is no file of this name/u);
  assert.match(await refused(change, 'pipe'), /cannot read the list of repositories .*pipe: it is no regular file/u);
  assert.match(await refused(change, '!yes'), /cannot list the repositories: yes printed more than \d+ bytes/u);
});
