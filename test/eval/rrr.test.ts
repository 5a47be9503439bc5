/** Pass@k by its closed forms, and the evaluation of generation on small tasks of our own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RrrEvaluation } from '#protocol/rrr-evaluation.js';
import { passAtK } from '#src/eval/pass-at-k.js';
import { fenced, generationServer } from '../support/generation.js';
import { home } from '../support/program.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

test('Pass@k of six tries is what the binomials say', () => {
  const near = (value: number, wanted: number): void => assert.ok(Math.abs(value - wanted) < 1e-12, `${value}`);
  for (const k of [1, 2, 3]) {
    assert.equal(passAtK(6, 0, k), 0);
    assert.equal(passAtK(6, 6, k), 1);
    near(passAtK(6, 1, k), k / 6);
  }
  near(passAtK(6, 2, 2), 1 - 6 / 15);
  near(passAtK(6, 3, 3), 1 - 1 / 20);
  assert.equal(passAtK(6, 4, 3), 1);
});

const STORE = 'class Store:\n    def put(self, key):\n        return key\n';
const GOOD = 'from store import Store\n\n\ndef keep():\n    return Store().put(1)';

test('tasks of a folder are tried in each way, and summed up', async (t) => {
  const data = temporaryFolder(t);
  writeFiles(data, {
    'keep/task.json': JSON.stringify({ file: 'keep.py', description: 'Keeps one in the store.' }),
    'keep/repo/store.py': STORE,
    'none/readme.txt': 'no task',
  });
  const server = await generationServer({
    code: [fenced(GOOD.replace(/^.*\n\n\n/, '')), fenced(GOOD)],
    tools: ['get_imports()'],
  });
  t.after(() => server.close());
  const { run } = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const said = await run(data, 'eval', 'rrr', '--data', '.', '--mode', 'rrr', 'basic', '--samples', '2', '--json');
  assert.equal(said.code, 0, said.stderr);
  const { sums, tasks } = JSON.parse(said.stdout) as RrrEvaluation;
  assert.deepEqual(
    tasks.map(({ id, modes }) => [
      id,
      modes.map(({ mode, samples }) => [mode, samples.map(({ solvedAt }) => solvedAt)]),
    ]),
    [
      [
        'keep',
        [
          ['rrr', [2, 1]],
          ['basic', [1, 1]],
        ],
      ],
    ],
  );
  const [rrr, basic] = sums;
  assert.deepEqual(rrr?.passAt, [
    { k: 1, value: 1 },
    { k: 2, value: 1 },
  ]);
  assert.deepEqual([rrr?.curve, rrr?.tools, rrr?.compileRate], [[0.5, 1, 1, 1, 1], { get_imports: 1 }, 1]);
  assert.deepEqual([basic?.calls, basic?.tools], [2, {}]);
});

test('what is no task is said', async (t) => {
  const data = temporaryFolder(t);
  const { run } = home(t);
  const empty = await run(data, 'eval', 'rrr', '--data', '.');
  assert.equal(empty.code, 2);
  assert.match(empty.stderr, /has no task: a task is a folder with task\.json and repo/);
  writeFiles(data, { 'a/task.json': '{"file": 1}', 'a/repo/x.py': '' });
  assert.match((await run(data, 'eval', 'rrr', '--data', '.')).stderr, /task\.json is no task/);
});
