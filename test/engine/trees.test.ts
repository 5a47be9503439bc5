/**
 * A tree keeps the texts that it was made with: what a client types, or the disk gets, during a long answer is not
 * mixed in.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { SETTLED_BASE, ServiceError, type Call, type Service } from '#src/engine/service.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';

const call: Call = { signal: new AbortController().signal, progress: () => undefined };

async function started(t: TestContext): Promise<{ readonly service: Service; readonly root: string }> {
  const root = repository(t, SHOP);
  const { environment } = home(t);
  const engine = createLocalEngine({ root, mode: 'in-process', watch: true, environment, log: () => undefined });
  t.after(() => engine.close());
  await engine.warm();
  const service = engine.connect({ id: 'one', name: 'a test', workingDirectory: root, environment });
  return { service, root };
}

/** Does something at each turn of an answer, which has as many as the event loop gives it. */
async function meanwhile<T>(answer: Promise<T>, act: (turn: number) => void): Promise<T> {
  let isDone = false;
  const done = answer.finally(() => (isDone = true));
  done.catch(() => undefined);
  for (let turn = 0; !isDone; turn++) {
    act(turn);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

test('texts that a client changes during its answer are in the next one', async (t) => {
  const { service } = await started(t);
  service.setText('store.py', RENAMED_STORE, 1);
  const plain = await service.ask('codeplan/plan', { base: SETTLED_BASE, rulesOnly: true }, call);
  assert.ok(plain.steps.length > 0);
  const job = SHOP['job.py'];
  const mixed = await meanwhile(service.ask('codeplan/plan', { base: SETTLED_BASE, rulesOnly: true }, call), (turn) =>
    service.setText('job.py', turn % 2 === 0 ? `\n\n# shifted ${turn}\n${job}` : job, turn + 2),
  );
  // Each answer is of one moment: the difference of a step is either of the text or of a shifted one, and never of
  // both.
  for (const { diff, file } of mixed.steps)
    if (file === 'job.py') assert.match(diff, /^-    store\.put\(k, 1\)\n\+    store\.insert\(k, 1\)$/mu);
});

test('a file that is written during an answer: impact begins again, a plan says so, and nothing is written over', async (t) => {
  const { service, root } = await started(t);
  const job = SHOP['job.py'];
  writeFileSync(join(root, 'store.py'), RENAMED_STORE);
  const seen = await meanwhile(service.ask('codeplan/impact', {}, call), (turn) => {
    if (turn < 3) writeFileSync(join(root, 'job.py'), `${'\n'.repeat(turn + 1)}${job}`);
  });
  assert.ok(seen.affected.some(({ file, sites }) => file === 'job.py' && sites.length === 1));
  let outcome: unknown;
  try {
    outcome = await meanwhile(service.ask('codeplan/plan', { rulesOnly: true, apply: true }, call), (turn) =>
      writeFileSync(join(root, 'job.py'), `# ${turn}\n${job}`),
    );
  } catch (error) {
    outcome = error;
  }
  const now = readFileSync(join(root, 'job.py'), 'utf8');
  assert.ok(
    [job, job.replace('store.put', 'store.insert')].includes(now.replace(/^# \d+\n/u, '')),
    `what was saved last is there, whole: ${now}`,
  );
  // Either it was of one moment throughout, or it is refused; a text that was saved meanwhile stays.
  if (outcome instanceof Error)
    assert.ok(outcome instanceof ServiceError && outcome.kind === 'textMovedOn', String(outcome));
});

test('a file that is saved broken between two answers is no file that moves on during each of them', async (t) => {
  const { service, root } = await started(t);
  writeFileSync(join(root, 'store.py'), RENAMED_STORE);
  const before = await service.ask('codeplan/impact', {}, call);
  // Its last good text stays in the snapshot, which so is the same one.
  writeFileSync(join(root, 'job.py'), SHOP['job.py'].replace('(', '(((').replace(':', ''));
  const after = await eventually('the broken file', async () => {
    const { broken } = await service.ask('codeplan/status', {}, call);
    return broken.includes('job.py') ? service.ask('codeplan/impact', {}, call) : undefined;
  });
  const files = ({ affected }: typeof before): string[] => affected.map(({ file }) => file);
  assert.deepEqual(files(after), files(before));
});

test('an impact that is asked for again is found anew as soon as anything differs that it was found from', async (t) => {
  const { service } = await started(t);
  const asked = async (certain: boolean): Promise<string> => {
    const report = await service.ask('codeplan/impact', { base: SETTLED_BASE, certain }, call);
    return JSON.stringify(report);
  };
  const quiet = await asked(false);
  service.setText('store.py', RENAMED_STORE, 1);
  const renamed = await asked(false);
  assert.notEqual(renamed, quiet);
  assert.equal(await asked(false), renamed);
  service.setText('job.py', SHOP['job.py'].replaceAll('store.put', 'store.insert'), 2);
  const followed = await asked(false);
  assert.notEqual(followed, renamed);
  service.closeText('job.py');
  assert.equal(await asked(false), renamed);
  await asked(true);
  assert.equal(await asked(false), renamed);
  const { affected } = await service.ask('codeplan/impact', { base: SETTLED_BASE }, call);
  const { run } = await service.ask('codeplan/plan', { base: SETTLED_BASE, rulesOnly: true, apply: true }, call);
  assert.ok(affected.length > 0 && run !== '');
  assert.notEqual(await asked(false), renamed);
});
