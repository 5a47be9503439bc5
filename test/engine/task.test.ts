/** Plans that begin with words: for blocks that the person names, and for the repository, where the model picks. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { parsePick } from '#src/context/pick.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { modelServer, piece, streams, type Turn } from '../support/model-server.js';
import { home } from '../support/program.js';

const FILES = {
  'clock.py': 'def wait_seconds(count):\n    return count\n',
  'retry.py':
    'from clock import wait_seconds\n\n\ndef retry(job):\n    """Runs a job again after a pause."""\n    wait_seconds(3)\n    return job()\n',
  'login_secret.py': 'def pause_retry_limit():\n    return 7\n',
  'other.py': 'def paint(colour):\n    return colour\n',
};
const TASK = 'Let retries take a limit of seconds for the pause';
const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const edits = (text: string): Turn => says(`\`\`\`\n${text}\n\`\`\``);

interface Ran {
  readonly report: PropagateReport;
  readonly prompts: readonly string[];
  readonly planned: readonly string[];
  readonly root: string;
}

const promptsTo = ({ asked }: Awaited<ReturnType<typeof modelServer>>): string[] =>
  asked.map(({ body }) => (body['messages'] as { content: string }[]).map((message) => message.content).join('\n'));

/** `turns`: answers of the model that edits; `planning`: of one that plans, where there is one. */
async function ran(
  t: TestContext,
  params: PropagateParams,
  turns: readonly Turn[],
  edited: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = FILES,
  planning?: Turn,
): Promise<Ran> {
  const root = repository(t, files);
  for (const [file, text] of Object.entries(edited)) writeFileSync(join(root, file), text);
  const [server, planner] = await Promise.all([
    modelServer(...turns),
    modelServer(...(planning === undefined ? [] : [planning])),
  ]);
  t.after(() => Promise.all([server.close(), planner.close()]));
  const { environment } = home(t, {
    CODEPLAN_EDIT_BASE_URL: server.baseUrl,
    CODEPLAN_EDIT_MODEL: 'm',
    ...(planning === undefined ? {} : { CODEPLAN_PLAN_BASE_URL: planner.baseUrl, CODEPLAN_PLAN_MODEL: 'p' }),
  });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const report = await engine
    .connect({ id: '1', name: 'a test', workingDirectory: root, environment })
    .propagate({ oracle: false, parallel: 1, ...params }, call);
  return { report, root, prompts: promptsTo(server), planned: promptsTo(planner) };
}

const RETRY =
  'def retry(job, limit):\n    """Runs a job again after a pause."""\n    wait_seconds(limit)\n    return job()';

test('a task begins with the block that the person names, and what follows from its edit follows', async (t) => {
  const { report, prompts, root } = await ran(
    t,
    { model: 'openai', instruction: TASK, blocks: ['clock.py:wait_seconds'], apply: true },
    [
      edits('def wait_seconds(count, limit):\n    return min(count, limit)'),
      edits('def retry(job):\n    """Runs a job again after a pause."""\n    wait_seconds(3, 5)\n    return job()'),
    ],
  );
  assert.deepEqual(
    report.steps.map(({ block, rule, causes, status }) => [
      block,
      rule,
      [...new Set(causes.map(({ step }) => step))],
      status,
    ]),
    [
      ['wait_seconds', 'task', [], 'applied'],
      ['retry', 'MMS/CalledBy', [1], 'applied'],
    ],
  );
  assert.ok(prompts.every((prompt) => prompt.includes(TASK)));
  assert.match(prompts[1] ?? '', /# Edits so far[^]*count\{\+, limit\+\}/);
  assert.match(readFileSync(join(root, 'retry.py'), 'utf8'), /wait_seconds\(3, 5\)/);
});

test('a task that names no block begins where the model says, among what a search finds', async (t) => {
  const { report, prompts } = await ran(t, { model: 'openai', instruction: TASK }, [
    says('the second one'),
    says('1'),
    edits(RETRY),
  ]);
  assert.match(prompts[0] ?? '', /1\. retry in retry\.py: def retry\(job\):/);
  assert.doesNotMatch(prompts[0] ?? '', /paint/);
  assert.doesNotMatch(prompts[0] ?? '', /login_secret/, 'what is never sent is no candidate either');
  assert.match(prompts[1] ?? '', /could not be used: the answer is not a list of numbers/);
  assert.deepEqual(
    report.steps.map(({ block, rule }) => [block, rule]),
    [['retry', 'task']],
  );
});

test('what the model picks is one of the candidates or nothing', async (t) => {
  assert.deepEqual(parsePick('2, 1 2.', 3), { kind: 'picked', picked: [1, 0] });
  assert.deepEqual(parsePick('None', 3), { kind: 'picked', picked: [] });
  assert.equal(parsePick('4', 3).kind, 'refused');
  assert.equal(parsePick('retry', 3).kind, 'refused');
  const none = await ran(t, { model: 'openai', instruction: TASK }, [says('none')]);
  assert.deepEqual(none.report.steps, []);
  assert.match(none.report.problems.map(({ message }) => message).join(), /says that none of them has to be edited/);
  await assert.rejects(
    ran(t, { model: 'openai', instruction: TASK }, [says('9')]),
    /did not say where the task begins: there is no candidate 9/,
  );
});

test('a task needs words, a model and blocks that exist; with an edit it goes along', async (t) => {
  await assert.rejects(ran(t, { model: 'openai', blocks: ['retry.py:retry'] }, []), /not what is to be done/);
  await assert.rejects(ran(t, { model: 'none', instruction: TASK, blocks: ['retry.py:retry'] }, []), /needs a model/);
  await assert.rejects(
    ran(t, { model: 'openai', instruction: TASK, blocks: ['retry.py:again'] }, []),
    /no block called again/,
  );
  await assert.rejects(ran(t, { model: 'openai', instruction: 'xyzzy' }, []), /shares a word/);
  const along = await ran(t, { model: 'openai', instruction: TASK }, [says('No changes.')], {
    'clock.py': 'def wait_seconds(count, limit):\n    return count\n',
  });
  assert.deepEqual(
    along.report.steps.map(({ block, rule }) => [block, rule]),
    [['retry', 'MMS/CalledBy']],
  );
});

test('a secret among the blocks to choose from, or in the task, is held back with its place', async (t) => {
  const files = {
    ...FILES,
    'retry.py': `x = 1\n\n\ndef retry(\n    job,\n    pause_password="tr0ub4dor-horse",\n):\n    return job()\n`,
  };
  for (const [instruction, says_] of [
    [
      TASK,
      /nothing was sent to .*: retry\.py:6, among the blocks to choose from, looks like .* \(rule assigned-literal\); name the blocks to begin with instead/,
    ],
    [
      `${TASK}\nwith password = "tr0ub4dor-horse"`,
      /nothing was sent to .*: line 2 of the task looks like .*leave it out of the task/,
    ],
  ] as const)
    await assert.rejects(ran(t, { model: 'openai', instruction }, [], {}, files), (error: Error) => {
      assert.match(error.message, says_);
      assert.doesNotMatch(error.message, /tr0ub/);
      return true;
    });
});

const PLAN = { steps: [{ intent: 'let retry take a limit for its pause' }, { intent: 'wait for some seconds' }] };
/** Plans the same again and again, which ends a search, and says what the steps ask for. */
const planner =
  (...work: readonly object[]): Turn =>
  (response, asked) => {
    const isWork = JSON.stringify(asked.body['messages']).includes('what each step of a plan means');
    says(JSON.stringify(isWork ? { steps: work } : PLAN))(response, asked);
  };
const USE = { kind: 'use', symbols: [1], name: '', file: '' };

test('where a model plans, a task that names no block is planned first, and its steps are what is edited', async (t) => {
  const { report, prompts, planned, root } = await ran(
    t,
    { model: 'openai', instruction: TASK, apply: true },
    [edits(RETRY)],
    {},
    FILES,
    planner({ kind: 'edit', symbols: [1], name: '', file: '' }, USE),
  );
  assert.match(planned[0] ?? '', /change the code of one repository/);
  assert.deepEqual(
    report.steps.map(({ block, rule, status }) => [block, rule, status]),
    [['retry', 'task', 'applied']],
  );
  assert.match(prompts[0] ?? '', /A step of the plan begins here: let retry take a limit for its pause/);
  assert.deepEqual(
    report.task?.work.map(({ kind, by, state }) => [kind, by, state]),
    [
      ['edit', 'model', 'done'],
      ['use', 'model', 'done'],
    ],
  );
  assert.match(report.task?.text ?? '', /1\. \[edit\] let retry take a limit/);
  assert.equal(report.usage.calls, planned.length + prompts.length, 'all questions count, whoever was asked');
  assert.match(readFileSync(join(root, 'retry.py'), 'utf8'), /wait_seconds\(limit\)/);
});

test('a task whose plan edits nothing says so, and what it could not do stays open', async (t) => {
  const { report, prompts } = await ran(
    t,
    { model: 'openai', instruction: TASK },
    [],
    {},
    FILES,
    planner(USE, { kind: 'create', symbols: [], name: 'Clock', file: '' }),
  );
  assert.deepEqual([report.steps, prompts], [[], []]);
  assert.deepEqual(
    report.task?.work.map(({ kind, state }) => [kind, state]),
    [
      ['use', 'done'],
      ['create', 'open'],
    ],
  );
});

test('the limit of calls is one for the plan and the edits of a task', async (t) => {
  const { report, prompts, planned } = await ran(
    t,
    { model: 'openai', instruction: TASK, maxCalls: 2 },
    [edits(RETRY)],
    {},
    FILES,
    planner(USE, USE),
  );
  // What is left open by the limit is listed: the words said that `retry` is to be edited.
  assert.deepEqual([planned.length, prompts.length, report.usage.calls], [2, 0, 2]);
  assert.deepEqual(
    report.open.map(({ block, needs }) => [block, needs]),
    [['retry', 'model']],
  );
});

test('the plan of a task is searched for as options say, which are refused where no plan is searched', async (t) => {
  const one = await ran(
    t,
    { model: 'openai', instruction: TASK, branching: 1, budget: 3, symbols: 1 },
    [edits(RETRY)],
    {},
    FILES,
    planner(USE, USE),
  );
  assert.deepEqual(
    one.report.task?.steps.map(({ symbols }) => symbols.length),
    [1, 1],
  );
  assert.equal(one.report.task?.search?.usage.samples, 2, 'one proposal for each of two plans');
  for (const params of [{ instruction: TASK, blocks: ['retry.py:retry'] }, {}])
    await assert.rejects(
      ran(t, { model: 'openai', ...params, budget: 3, scorer: 'likert' }, [edits(RETRY)], {}, FILES, planner(USE)),
      /no plan is searched for here, so nothing can come of scorer, budget/,
    );
});
