/**
 * Runs that end before their end: at a limit, by a failing endpoint, by a killed process; and go on where they
 * were.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PropagateReport } from '#protocol/propagate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { json, modelServer, piece, streams, type ModelServer, type Turn } from '../support/model-server.js';
import { home, type Home } from '../support/program.js';

const STORE = 'def put(key):\n    return key\n';
const caller = (name: string): string => `from store import put\n\n\ndef run_${name}(key):\n    return put(key)\n`;
const NAMES = ['a', 'b', 'c'];
const FILES = { 'store.py': STORE, ...Object.fromEntries(NAMES.map((name) => [`${name}.py`, caller(name)])) };
const call: Call = { signal: new AbortController().signal, progress: () => undefined };

/** Answers whatever function it is asked about with a region of its own. */
const answers: Turn = (response, asked) => {
  const name = /Write run_(\w)/.exec(JSON.stringify(asked.body))?.[1] ?? '';
  streams([piece(`\`\`\`\ndef run_${name}(key):\n    return put(key, "${name}")\n\`\`\``), piece('', 'stop')], 'end')(
    response,
    asked,
  );
};

interface Opened {
  readonly root: string;
  readonly server: ModelServer;
  readonly home: Home;
}

async function opened(t: TestContext, ...turns: readonly Turn[]): Promise<Opened> {
  const root = repository(t, FILES);
  writeFileSync(join(root, 'store.py'), STORE.replace('(key)', '(key, region)'));
  const server = await modelServer(...turns);
  t.after(() => server.close());
  return { root, server, home: home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' }) };
}

function service(t: TestContext, { root, home: { environment } }: Opened): Service {
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  return engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
}

const text = (root: string, name: string): string => readFileSync(join(root, `${name}.py`), 'utf8');
const followed = (root: string): string[] => NAMES.filter((name) => text(root, name).includes(`put(key, "${name}")`));

test('a run that a limit ended goes on, and asks nothing twice', async (t) => {
  const here = await opened(t, answers);
  const first = await service(t, here).propagate(
    { model: 'openai', oracle: false, parallel: 1, oneByOne: true, maxCalls: 2, apply: true },
    call,
  );
  assert.deepEqual(followed(here.root), ['a', 'b']);
  assert.equal(first.resume, `codeplan propagate --resume ${first.run}`);
  assert.equal(first.open.length, 1);
  const second = await service(t, here).propagate({ resume: true, maxCalls: 1 }, call);
  assert.equal(here.server.asked.length, 3);
  assert.deepEqual(followed(here.root), NAMES);
  assert.equal(second.resume, undefined);
  assert.equal(second.usage.calls, 1);
  assert.deepEqual(
    second.steps.map((step) => step.status),
    ['applied', 'applied', 'applied'],
  );
  await service(t, here).undo({}, call);
  for (const name of NAMES) assert.equal(text(here.root, name), caller(name));
  await assert.rejects(service(t, here).propagate({ resume: true }, call), /no run stopped before its end/);
});

test('what was written needs the word to be written again, or to be taken back', async (t) => {
  const here = await opened(t, answers);
  const mine = service(t, here);
  const shown = await mine.propagate(
    { model: 'openai', oracle: false, parallel: 1, oneByOne: true, maxCalls: 1 },
    call,
  );
  await mine.execute({ run: shown.run }, call);
  await assert.rejects(
    mine.propagate({ resume: shown.run }, call),
    /give --apply to go on and write again, or take them back first/,
  );
  await mine.undo({ run: shown.run }, call);
  const all = await mine.propagate({ resume: shown.run, maxCalls: 10 }, call);
  assert.equal(all.steps.length, 3);
  assert.equal(here.server.asked.length, 3);
});

test('an endpoint that fails in the middle ends the run, and it goes on when it is back', async (t) => {
  const here = await opened(t, answers, json(429, { error: { message: 'later' } }, { 'retry-after': '3600' }), answers);
  const first = await service(t, here).propagate({ model: 'openai', oracle: false, parallel: 1, oneByOne: true }, call);
  assert.match(first.problems.map(({ message }) => message).join(), /stopped, because the model cannot be asked/);
  assert.equal(here.server.asked.length, 2);
  assert.equal(first.open.length, 2);
  const second = await service(t, here).propagate({ resume: first.run, apply: true }, call);
  assert.deepEqual(followed(here.root), NAMES);
  assert.equal(second.usage.calls, 2);
});

test('a run whose process was killed goes on with the answers that it had', async (t) => {
  const silent: Turn = () => undefined;
  const here = await opened(t, answers, silent, answers);
  const child = here.home.start(
    here.root,
    'propagate',
    '--model',
    'openai',
    '--no-oracle',
    '--no-daemon',
    '--one-by-one',
    '--parallel',
    '1',
    '--quiet',
  );
  await eventually('the second question', () => here.server.asked.length === 2 || undefined);
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
  assert.deepEqual(followed(here.root), []);
  const resumed = await here.home.run(here.root, 'propagate', '--resume', '--apply', '--json', '--no-daemon');
  const report = JSON.parse(resumed.stdout) as PropagateReport;
  assert.equal(report.usage.calls, 2, resumed.stderr);
  assert.deepEqual(followed(here.root), NAMES);
  const nothing = await here.home.run(here.root, 'propagate', '--resume', 'never', '--no-daemon');
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /no run never to go on with/);
});

test('a run that goes on after an edit asks anew what the edit changed', async (t) => {
  const here = await opened(t, answers);
  const first = await service(t, here).propagate(
    { model: 'openai', oracle: false, parallel: 1, oneByOne: true, maxCalls: 2 },
    call,
  );
  writeFileSync(join(here.root, 'a.py'), caller('a').replace('return put(key)', 'return put(key)  # soon'));
  const second = await service(t, here).propagate({ resume: first.run, apply: true, maxCalls: 9 }, call);
  assert.equal(second.usage.calls, 2);
  assert.deepEqual(followed(here.root), NAMES);
});
