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
  readonly root: string;
}

async function ran(
  t: TestContext,
  params: PropagateParams,
  turns: readonly Turn[],
  edited: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = FILES,
): Promise<Ran> {
  const root = repository(t, files);
  for (const [file, text] of Object.entries(edited)) writeFileSync(join(root, file), text);
  const server = await modelServer(...turns);
  t.after(() => server.close());
  const { environment } = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const report = await engine
    .connect({ id: '1', name: 'a test', workingDirectory: root, environment })
    .propagate({ oracle: false, parallel: 1, ...params }, call);
  return {
    report,
    root,
    prompts: server.asked.map(({ body }) =>
      (body['messages'] as { content: string }[]).map((message) => message.content).join('\n'),
    ),
  };
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
  assert.match(prompts[1] ?? '', /# Edits made so far[^]*count, limit/);
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
