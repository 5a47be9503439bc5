/**
 * `codeplan plan "<request>"` as a person runs it: what it prints, how it ends, and a plan that goes through a file.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { planDocument, planSearchReport } from '#protocol/plan-search.js';
import { repository } from '../support/git-repository.js';
import { modelServer, piece, streams, type Turn } from '../support/model-server.js';
import { LIBRARY } from '../support/plan-repository.js';
import { home, type Home, type Outcome } from '../support/program.js';

const steps = (...intents: string[]): string => JSON.stringify({ steps: intents.map((intent) => ({ intent })) });
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const REQUEST = 'export a report as a page';

interface There {
  readonly root: string;
  readonly there: Home;
  plan(...args: string[]): Promise<Outcome>;
}

async function at(t: TestContext, turns: readonly Turn[]): Promise<There> {
  const root = repository(t, LIBRARY);
  const server = await modelServer(...turns);
  t.after(() => server.close());
  const there = home(t, turns.length === 0 ? {} : { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  return { root, there, plan: (...args) => there.run(root, 'plan', '--no-daemon', ...args) };
}

test('the best plan and its runners-up are printed, with what it took', async (t) => {
  const { plan } = await at(t, [says(steps('render the page')), says(steps('render the page', 'send the mail'))]);
  const { code, stdout } = await plan(REQUEST, '--branching', '1', '--budget', '3');
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^Plan: 2 steps, \d+ symbols\n1\. render the page\n {5}pages\.py:\d+ {2}render_page/);
  assert.match(stdout, /Runners-up\n2\. 1 step, \d+ symbols: render the page\n/);
  assert.match(stdout, /2 questions to the model/);
});

test('the first question is printed with its tokens by part, and nothing is sent', async (t) => {
  const { plan } = await at(t, []);
  const { code, stdout, stderr } = await plan(REQUEST, '--prompt');
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^To nobody: no model is configured, about \d+ tokens: instructions \d+, task \d+, the files \d+/,
  );
  assert.match(stdout, /--- user ---\n# Request\n\nexport a report as a page\n/);
  const refused = await plan('--prompt');
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, /--prompt is about a plan for a request/);
});

test('a plan goes through a file: written as Markdown, edited, and gone on with', async (t) => {
  const { plan, root } = await at(t, [
    says(steps('render the page', 'paint it')),
    says('```python\nrender_page()\n```'),
  ]);
  const { stdout } = await plan(REQUEST, '--markdown', '--budget', '2');
  assert.match(stdout, /^# Plan\n\n> export a report as a page\n\n1\. render the page\n {3}- `pages\.py:render_page`/);
  writeFileSync(join(root, 'plan.md'), `${stdout.replace('2. paint it', '2. ~~paint it~~')}\n3. load the report\n`);
  const read = await plan('--plan', 'plan.md', '--json');
  assert.equal(read.code, 0, read.stderr);
  assert.deepEqual(
    planDocument.parse(JSON.parse(read.stdout)).steps.map(({ intent }) => intent),
    ['render the page', 'load the report'],
  );
  const prompt = await plan('--plan', 'plan.md', '--to-prompt', 'full');
  assert.match(prompt.stdout, /pages\.render_page \(function, pages\.py:\d+\):\n```\ndef render_page/);
  const written = await plan('--plan', 'plan.md', '--codegen', '1');
  assert.match(written.stdout, /# Answer 1\n\nrender_page\(\)\n/);
});

test('without a model, with one that fails, and with words that nobody uses, the exit code says so', async (t) => {
  const none = await at(t, []);
  const lacking = await none.plan(REQUEST);
  assert.equal(lacking.code, 2);
  assert.match(lacking.stderr, /none is configured: set model\.baseUrl/);
  assert.equal((await none.plan('zzyzx', '--mode', 'topk')).code, 1);
  assert.equal((await none.plan(REQUEST, '--mode', 'topk', '--json')).code, 0);
  const prose = await (await at(t, [says('no')])).plan(REQUEST, '--json');
  assert.equal(prose.code, 2);
  assert.equal(planSearchReport.parse(JSON.parse(prose.stdout)).stop, 'modelFailure');
  const cut = await (await at(t, [says(steps('render the page'))])).plan(REQUEST, '--max-calls', '1');
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /stopped after 1 model calls/);
});

test('a plan that is a pipe, a folder, too long or hostile ends the command with the reason', async (t) => {
  const { root, there } = await at(t, []);
  const given = (command: string, file: string): Promise<Outcome> =>
    there.run(root, command, '--no-daemon', '--plan', file);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  writeFileSync(join(root, 'long.md'), `> a\n\n1. b\n${'x'.repeat(1_100_000)}`);
  writeFileSync(join(root, 'many.md'), `> a\n\n${'1. render the page\n'.repeat(201)}`);
  for (const command of ['do', 'plan']) {
    assert.match((await given(command, 'pipe')).stderr, /cannot read the plan .*pipe: it is no regular file/);
    assert.match((await given(command, '.')).stderr, /cannot read the plan .*: there is no file of this name/);
    assert.match((await given(command, 'long.md')).stderr, /cannot read the plan .*long\.md: it has \d+ bytes/);
    assert.match((await given(command, 'many.md')).stderr, /the plan has 201 steps, more than the 200/);
  }
  writeFileSync(join(root, 'blank.md'), `> a\n\n1. ${' '.repeat(500_000)}\n`);
  const blank = await given('plan', 'blank.md');
  assert.equal(blank.code, 2);
  assert.match(blank.stderr, /the plan has no step/);
});

test('options of the other meaning of the command are refused', async (t) => {
  const { plan } = await at(t, []);
  assert.match((await plan(REQUEST, '--apply')).stderr, /--apply is about edits/);
  assert.match((await plan('--mode', 'topk')).stderr, /--mode is about a plan for a request/);
  assert.equal((await plan()).code, 0);
});

test('a request that only makes something new shows it, and is done when it is written', async (t) => {
  const file = 'footer.py';
  const made = (): Turn[] => [
    says(steps('build a footer')),
    says(JSON.stringify({ steps: [{ kind: 'create', symbols: [], name: 'Footer', file }] })),
    says('```\nclass Footer:\n    height = 2\n```'),
  ];
  const { root, there } = await at(t, [...made(), ...made()]);
  const request = ['do', '--no-daemon', 'a footer', '--branching', '1', '--budget', '2'];
  const shown = await there.run(root, ...request);
  assert.equal(shown.code, 1, shown.stderr);
  assert.match(shown.stdout, /create footer\.py: Footer, done\n--- a\/footer\.py\n.*\n@@.*\n\+class Footer:\n/);
  assert.match(shown.stdout, /1 new block proposed, nothing is open\. Nothing was written; add --apply to write\./);
  assert.equal(existsSync(join(root, file)), false);
  const written = await there.run(root, ...request, '--apply');
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stdout, /1 new block applied, nothing is open\. Take it back with: codeplan undo/);
  assert.equal(readFileSync(join(root, file), 'utf8'), 'class Footer:\n    height = 2\n');
});

test('interrupted, it prints what is best so far', async (t) => {
  let interrupt: () => void = () => undefined;
  const hanging: Turn = () => interrupt();
  const { root, there } = await at(t, [says(steps('render the page')), hanging]);
  const child = there.start(root, 'plan', '--no-daemon', REQUEST, '--branching', '1');
  interrupt = () => child.kill('SIGINT');
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 130);
  assert.match(out, /1\. render the page/);
  assert.match(out, /this is what was best so far/);
});
