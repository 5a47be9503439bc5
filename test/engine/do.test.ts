/** Requests carried out: from a plan by a model over a real server to edits with what follows; and stage by stage. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { DoParams, DoReport } from '#protocol/do.js';
import type { PropagateReport } from '#protocol/propagate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { ServiceError, type Call } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { modelServer, piece, streams, type Asked, type Turn } from '../support/model-server.js';
import { home } from '../support/program.js';

const FILES = {
  'clock.py': 'def wait_seconds(count):\n    """Waits for some seconds."""\n    return count\n',
  'retry.py':
    'from clock import wait_seconds\n\n\ndef retry(job):\n    """Runs a job again after a pause."""\n    wait_seconds(3)\n    return job()\n',
  'units.py': 'def to_seconds(text):\n    """Reads a time such as 3m as seconds."""\n    return int(text)\n',
};
const REQUEST = 'Let the pause have a limit';
const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const steps = (...intents: string[]): string => JSON.stringify({ steps: intents.map((intent) => ({ intent })) });
const work = (...entries: object[]): string => JSON.stringify({ steps: entries });
const edits = (text: string): Turn => says(`\`\`\`\n${text}\n\`\`\``);

interface Ran {
  readonly report: DoReport;
  readonly planner: readonly Asked[];
  readonly editor: readonly Asked[];
  readonly root: string;
}

/** `planning` and `editing`: answers of the two endpoints; none: no such model. */
async function ran(
  t: TestContext,
  params: DoParams,
  planning: readonly Turn[],
  editing: readonly Turn[],
): Promise<Ran> {
  const root = repository(t, FILES);
  const [planner, editor] = await Promise.all([modelServer(...planning), modelServer(...editing)]);
  t.after(() => Promise.all([planner.close(), editor.close()]));
  const { environment } = home(t, {
    ...(planning.length === 0 ? {} : { CODEPLAN_PLAN_BASE_URL: planner.baseUrl, CODEPLAN_PLAN_MODEL: 'p' }),
    ...(editing.length === 0 ? {} : { CODEPLAN_EDIT_BASE_URL: editor.baseUrl, CODEPLAN_EDIT_MODEL: 'e' }),
  });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
  const report = await service.ask('codeplan/do', { oracle: false, parallel: 1, ...params }, call);
  return { report, planner: planner.asked, editor: editor.asked, root };
}

const promptOf = (asked: Asked | undefined): string =>
  ((asked?.body['messages'] ?? []) as { content: string }[]).map(({ content }) => content).join('\n');

const PLAN = steps(
  'let the function that waits for seconds take a limit',
  'read a time as seconds',
  'build a clock face',
);
const WORK = work(
  { kind: 'edit', symbols: [1], name: '', file: '' },
  { kind: 'use', symbols: [1], name: '', file: '' },
  { kind: 'create', symbols: [], name: 'Face', file: 'face.py' },
);

test('a request is planned, its blocks are edited, what follows follows, and what is new is written', async (t) => {
  const { report, planner, editor, root } = await ran(
    t,
    { request: REQUEST, branching: 1, budget: 2, apply: true },
    [says(PLAN), says(WORK)],
    [
      edits('class Face:\n    hands = 2'),
      edits('def wait_seconds(count, limit):\n    """Waits for some seconds."""\n    return min(count, limit)'),
      edits('def retry(job):\n    """Runs a job again after a pause."""\n    wait_seconds(3, 5)\n    return job()'),
    ],
  );
  assert.equal(report.stage, 'edits');
  assert.deepEqual(
    report.work.map(({ kind, by, state, blocks, name }) => [kind, by, state, blocks.map(({ block }) => block), name]),
    [
      ['edit', 'model', 'done', ['wait_seconds'], undefined],
      ['use', 'model', 'done', [], undefined],
      ['create', 'model', 'done', [], 'Face'],
    ],
  );
  assert.equal(readFileSync(join(root, 'face.py'), 'utf8'), 'class Face:\n    hands = 2\n');
  assert.match(promptOf(editor[0]), /# Task\nWrite Face in face\.py \(python\):[^]*build a clock face/);
  assert.deepEqual(
    report.edits?.steps.map(({ block, rule, status }) => [block, rule, status]),
    [
      ['wait_seconds', 'task', 'applied'],
      ['retry', 'MMS/CalledBy', 'applied'],
    ],
  );
  assert.match(readFileSync(join(root, 'retry.py'), 'utf8'), /wait_seconds\(3, 5\)/);
  assert.match(promptOf(planner[0]), /change the code of one repository/);
  // The step's words are a reason, the request is the task, and what the plan would use is shown.
  const first = promptOf(editor[1]);
  assert.match(first, /A step of the plan begins here: let the function that waits for seconds take a limit/);
  assert.match(first, /Let the pause have a limit/);
  assert.match(first, /def to_seconds\(text\)/);
  // And what another step had written a moment before, which the edit may have to call.
  assert.match(first, /face\.py:\n  class Face:/);
  assert.equal(report.work[2]?.diff, '--- a/face.py\n+++ b/face.py\n@@ -0,0 +1,2 @@\n+class Face:\n+    hands = 2\n');
});

test('it stops after the plan, and goes on from the text that a person edited', async (t) => {
  const planned = await ran(t, { request: REQUEST, branching: 1, budget: 2, stopAfter: 'plan' }, [says(PLAN)], []);
  assert.deepEqual([planned.report.stage, planned.report.work, planned.report.edits], ['plan', [], null]);
  const text = planned.report.text
    .replace('3. build', '3. ~~build')
    .replace('clock face', 'clock face~~')
    .replace('1. let', '1. [edit] let')
    .replace('2. read', '2. [use] read');
  const only = text.replace(/(1\. .*\n {3}- `clock\.py:wait_seconds`.*\n)(?: {3}- .*\n)+/, '$1');
  const { report, planner } = await ran(
    t,
    { plan: only },
    [],
    [edits('def wait_seconds(count):\n    """Waits for some seconds."""\n    return min(count, 9)')],
  );
  assert.equal(planner.length, 0);
  assert.deepEqual(
    report.work.map(({ kind, by, state }) => [kind, by, state]),
    [
      ['edit', 'person', 'done'],
      ['use', 'person', 'done'],
    ],
  );
  assert.equal(report.request, REQUEST);
  assert.deepEqual(
    report.edits?.steps.filter(({ rule }) => rule === 'task').map(({ block, how }) => [block, how]),
    [['wait_seconds', 'model']],
  );
});

test('it stops after saying what each step asks for; what is said there is kept in the text', async (t) => {
  const { report } = await ran(
    t,
    { request: REQUEST, branching: 1, budget: 2, stopAfter: 'work' },
    [says(PLAN), says('I think all is fine.'), says(WORK)],
    [],
  );
  assert.match(report.text, /1\. \[edit\] let the function/);
  assert.match(report.text, /2\. \[use\] read/);
  assert.match(report.text, /3\. \[create face\.py:Face\] build/);
  assert.equal(report.edits, null);
});

test('without a model the words decide where they are clear, and the rest is open', async (t) => {
  const plan = [
    '> do it',
    '',
    '1. add a limit to wait_seconds',
    '2. create a parser of configuration files',
    '3. the seconds of the job',
  ].join('\n');
  const { report } = await ran(t, { plan }, [], []);
  assert.deepEqual(
    report.work.map(({ kind, by, state, blocks }) => [kind, by, state, blocks.map(({ block }) => block)]),
    [
      ['edit', 'words', 'open', ['wait_seconds']],
      ['create', 'words', 'open', []],
      ['unclear', 'words', 'open', []],
    ],
  );
  assert.match(report.work[2]?.reason ?? '', /mark the step/);
  // Nobody edits: the block is a step that is open, not silently left.
  assert.deepEqual(
    report.edits?.open.map(({ block, needs }) => [block, needs]),
    [['wait_seconds', 'model']],
  );
});

test('with --model none nobody is asked to write what is new, whatever is configured', async (t) => {
  const plan = '> do it\n\n1. [create face.py:Face] build a clock face\n';
  const { report, editor } = await ran(t, { plan, model: 'none' }, [], [edits('class Face: pass')]);
  assert.deepEqual([report.work[0]?.state, editor.length], ['open', 0]);
});

test('a model can choose among what it was shown, and nothing else', async (t) => {
  const { report } = await ran(
    t,
    { request: REQUEST, branching: 1, budget: 2, stopAfter: 'work' },
    [
      says(steps('change the pause')),
      says(work({ kind: 'edit', symbols: [99, -1, 'x'], name: '', file: '../../etc' })),
    ],
    [],
  );
  assert.deepEqual(
    report.work.map(({ kind, blocks }) => [kind, blocks]),
    [['unclear', []]],
  );
});

test('a request without a plan says why', async (t) => {
  await assert.rejects(
    () => ran(t, { request: REQUEST }, [says('No.')], []),
    (error) => error instanceof ServiceError && error.kind === 'model' && /no plan was found/.test(error.message),
  );
  await assert.rejects(() => ran(t, {}, [], []), /say what is to be done/);
});

test('a run that stops at a limit goes on with the code that was written before, while nobody edits its file', async (t) => {
  const answers: Turn = (response, asked) => {
    const prompt = promptOf(asked);
    const text = prompt.includes('Write Face')
      ? 'class Face:\n    hands = 2'
      : prompt.includes('The fragment: function wait_seconds')
        ? 'def wait_seconds(count, limit):\n    return min(count, limit)'
        : 'def retry(job):\n    wait_seconds(3, 5)\n    return job()';
    edits(text)(response, asked);
  };
  const plan =
    '# Plan\n\n> limit it\n\n1. [edit] take a limit\n   - `clock.py:wait_seconds`\n2. [create face.py:Face] show it\n';
  const root = repository(t, FILES);
  const server = await modelServer(answers);
  t.after(() => server.close());
  const { environment } = home(t, { CODEPLAN_EDIT_BASE_URL: server.baseUrl, CODEPLAN_EDIT_MODEL: 'e' });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
  const stopped = await service.ask(
    'codeplan/do',
    { plan, oracle: false, parallel: 1, maxCalls: 2, apply: true },
    call,
  );
  assert.equal(stopped.edits?.resume, `codeplan propagate --resume ${stopped.edits?.run}`);
  assert.equal(stopped.edits.open[0]?.block, 'retry');
  const face = join(root, 'face.py');
  writeFileSync(face, 'mine = 1\n');
  const again = (): Promise<PropagateReport> =>
    service.ask('codeplan/plan', { resume: true, maxCalls: 5, apply: true }, call);
  await assert.rejects(again, /face\.py/);
  writeFileSync(face, 'class Face:\n    hands = 2\n');
  const report = await again();
  assert.equal(report.resume, undefined);
  assert.equal(report.usage.calls, 1, 'only what was not answered yet');
  assert.equal(readFileSync(face, 'utf8'), 'class Face:\n    hands = 2\n');
  assert.match(readFileSync(join(root, 'retry.py'), 'utf8'), /wait_seconds\(3, 5\)/);
  assert.match(readFileSync(join(root, 'clock.py'), 'utf8'), /limit/);
  await service.ask('codeplan/undo', {}, call);
  assert.equal(existsSync(face), false);
  // Not applied yet: the file that somebody made meanwhile is not written over.
  const shown = await service.ask('codeplan/do', { plan, oracle: false, parallel: 1, maxCalls: 2 }, call);
  writeFileSync(face, 'mine = 1\n');
  await assert.rejects(
    () => service.ask('codeplan/plan', { resume: shown.edits?.run ?? '', maxCalls: 5 }, call),
    /wrote new code in face\.py, edited since/,
  );
});
