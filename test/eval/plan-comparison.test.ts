/** Code compared by what it calls, and the comparison of ways to a context as a person runs it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { planComparison } from '#protocol/evaluation.js';
import { apiOverlap, calledNames } from '#src/eval/api-overlap.js';
import { repository } from '../support/git-repository.js';
import { testGrammars } from '../support/grammars.js';
import { modelServer, piece, streams, type Turn } from '../support/model-server.js';
import { LIBRARY } from '../support/plan-repository.js';
import { home } from '../support/program.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

test('only what is called counts: bare, on something, as a new instance', async () => {
  const grammars = await testGrammars();
  const python = calledNames(grammars, 'python', 'import a.run\nload("x").sort(key=a.mention)\nx.y.render()\n');
  assert.deepEqual([...python].sort(), ['load', 'render', 'sort']);
  const typescript = calledNames(grammars, 'typescript', 'import { put } from "a";\nnew Store().take(put);\n');
  assert.deepEqual([...typescript].sort(), ['Store', 'take']);
  assert.equal(apiOverlap(python, ['lib.load', 'lib.Report.render', 'lib.run', 'mention']), 0.5);
  assert.equal(apiOverlap(python, []), undefined);
  assert.equal(apiOverlap(calledNames(grammars, 'python', 'def ('), ['a']), 0);
});

const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');

test('ways to a context are compared on tasks; one without its model is said to have failed', async (t) => {
  const library = repository(t, LIBRARY);
  const folder = temporaryFolder(t);
  const task = {
    id: 'page',
    root: library,
    request: 'render a report as a page',
    apis: ['render_page', 'load_report'],
  };
  writeFiles(folder, { 'tasks.jsonl': `${JSON.stringify(task)}\n` });
  const plan = says(JSON.stringify({ steps: ['load the report from a file', 'render the report as a page'] }));
  const server = await modelServer(plan, says('```python\nrender_page(load_report("x"))\n```'), says('print(1)'));
  t.after(() => server.close());
  const there = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const run = await there.run(
    folder,
    ...['eval', 'plans', 'tasks.jsonl', '--modes', 'search', '--budget', '2', '--codegen', '2', '--json'],
  );
  assert.equal(run.code, 0, run.stderr);
  const [row] = planComparison.parse(JSON.parse(run.stdout)).modes;
  assert.deepEqual([row?.tasks, row?.steps, row?.recall, row?.overlapBest, row?.overlapMean], [1, 2, 1, 1, 0.5]);
  const bare = await home(t).run(
    folder,
    'eval',
    'plans',
    join(folder, 'tasks.jsonl'),
    '--modes',
    'topk,search',
    '--codegen',
    '0',
  );
  assert.equal(bare.code, 1);
  assert.match(bare.stdout, /\| topk \| 1 \| 0 \| \d+ \| 1\.0 \|/);
  assert.match(bare.stdout, /\| search \| 0 \| 1 \|/);
  assert.match(bare.stderr, /search: a plan is searched with a model, and none is configured/);
});
