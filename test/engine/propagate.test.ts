/**
 * Propagation as a whole, in process: rewrites, a model behind a real HTTP server, replay from a
 * target tree, and a real type checker as the oracle. The repository is on the disk, in git.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { impactLines } from '#src/cli/impact-text.js';
import { planLines } from '#src/cli/plan-text.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { commitAll, git, initRepository } from '../support/git-repository.js';
import { json, modelServer, piece, streams, type Turn } from '../support/model-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const STORE =
  'class Store:\n    def put(self, key: str, ttl: int) -> None:\n        self.last = key\n\n    def size(self) -> int:\n        return 1\n';
const JOB =
  'from store import Store\n\n\ndef save(store: Store, key: str) -> int:\n    store.put(key, 60)\n    return store.size()\n\n\ndef main() -> None:\n    save(Store(), "a")\n';
const call: Call = { signal: new AbortController().signal, progress: () => undefined };

/** Makes the repository, edits the store, and gives a service on it; everything ends with the test. */
function opened(
  t: TestContext,
  edited: string,
  settings: object = {},
  environment: Record<string, string> = {},
): { root: string; service: Service } {
  const folder = temporaryFolder(t);
  const root = join(folder, 'repository');
  mkdirSync(root);
  initRepository(root, { 'store.py': STORE, 'job.py': JOB });
  commitAll(root, 'before');
  writeFileSync(join(root, 'store.py'), edited);
  writeFileSync(join(root, 'codeplan.json'), JSON.stringify(settings));
  const here = {
    HOME: folder,
    PATH: `${dirname(createRequire(import.meta.url).resolve('pyright/package.json'))}/../.bin:${process.env['PATH'] ?? ''}`,
    CODEPLAN_CACHE_DIR: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    ...environment,
  };
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment: here, log: () => undefined });
  t.after(() => engine.close());
  return { root, service: engine.connect({ id: 'test', name: 'test', workingDirectory: root, environment: here }) };
}

async function withModel(
  t: TestContext,
  edited: string,
  params: PropagateParams & { readonly settings?: object },
  ...turns: readonly Turn[]
): Promise<{ report: PropagateReport; asked: readonly string[]; root: string }> {
  const server = await modelServer(...turns);
  t.after(() => server.close());
  const { settings, ...asking } = params;
  const { root, service } = opened(t, edited, settings, {
    CODEPLAN_BASE_URL: server.baseUrl,
    CODEPLAN_MODEL: 'test-model',
    CODEPLAN_API_KEY: 'key',
  });
  const report = await service.ask('codeplan/plan', { model: 'openai', oracle: false, ...asking }, call);
  return { report, asked: server.asked.map((one) => JSON.stringify(one.body)), root };
}

const RENAMED = STORE.replace('def size', 'def count');
/** A whole answer, streamed as endpoints do. */
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
/** A new parameter that only a person or a model can give a value for. */
const WIDENED = STORE.replace('ttl: int)', 'ttl: int, region: str)');

test('without a model the mechanical edits are made and written only when asked', async (t) => {
  const { root, service } = opened(t, RENAMED);
  const shown = await service.ask('codeplan/plan', { model: 'none', oracle: false }, call);
  assert.equal(shown.applied, false);
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), JOB);
  const applied = await service.ask('codeplan/plan', { model: 'none', oracle: false, apply: true }, call);
  assert.deepEqual(
    applied.steps.map((step) => [step.block, step.how, step.rule, step.status]),
    [['save', 'mechanical', 'rename', 'applied']],
  );
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), JOB.replace('store.size()', 'store.count()'));
  await service.ask('codeplan/undo', {}, call);
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), JOB);
});

test('a parameter that nothing reads any more is listed, and goes with what callers pass when that is accepted', async (t) => {
  const { root, service } = opened(t, STORE.replace(', ttl: int', ''));
  writeFileSync(
    join(root, 'job.py'),
    'from store import Store\n\n\ndef save(store: Store, ttl: int) -> None:\n    store.put("k", ttl)\n\n\ndef main() -> None:\n    save(Store(), 60)\n',
  );
  git(root, 'commit', '-q', '-m', 'job', 'job.py');
  const listed = await service.ask('codeplan/plan', { model: 'none', oracle: false }, call);
  assert.deepEqual(
    listed.open.map(({ block, needs, accept }) => [block, needs, accept]),
    [['save', 'person', 'drop-unread']],
  );
  const done = await service.ask('codeplan/plan', { model: 'none', oracle: false, accept: ['drop-unread'] }, call);
  assert.deepEqual(done.open, []);
  assert.deepEqual(
    done.steps.map(({ block, rule }) => [block, rule]),
    [
      ['save', 'remove-parameter'],
      ['save', 'drop-unread'],
      ['main', 'remove-parameter'],
    ],
  );
});

test('of two steps in one file the one that was chosen is made', async (t) => {
  const { root, service } = opened(t, RENAMED);
  const more =
    'from store import Store\n\n\ndef one(store: Store) -> int:\n    return store.size()\n\n\ndef two(store: Store) -> int:\n    return store.size() + 1\n';
  writeFileSync(join(root, 'more.py'), more);
  git(root, 'add', 'more.py');
  git(root, 'commit', '-q', '-m', 'more', 'more.py');
  const report = await service.ask('codeplan/plan', { model: 'none', oracle: false }, call);
  const two = report.steps.find((step) => step.block === 'two');
  const done = await service.ask('codeplan/execute', { run: report.run, steps: [two?.id ?? 0] }, call);
  assert.deepEqual(done.files, ['more.py']);
  assert.equal(readFileSync(join(root, 'more.py'), 'utf8'), more.replace('store.size() + 1', 'store.count() + 1'));
  assert.deepEqual(
    report.steps.map((step) => [step.block, done.steps.find(({ id }) => id === step.id)?.status]).sort(),
    [
      ['one', 'rejected'],
      ['save', 'rejected'],
      ['two', 'applied'],
    ],
  );
  await service.ask('codeplan/undo', {}, call);
  assert.equal(readFileSync(join(root, 'more.py'), 'utf8'), more);
});

test('what no rule can do stays open, with its reason', async (t) => {
  const { service } = opened(t, WIDENED);
  const report = await service.ask('codeplan/plan', { model: 'none', oracle: false }, call);
  const open = report.open.find((entry) => entry.block === 'save');
  assert.match(open?.reason ?? '', /region/);
});

test('a file whose syntax errors hide blocks counts as it was, and is named', async (t) => {
  const report = await opened(
    t,
    STORE.replace('def put(self, key: str, ttl: int) -> None:', 'def put(self, key: str, ttl: int'),
  ).service.ask('codeplan/impact', {}, call);
  assert.deepEqual(report.affected, []);
  assert.deepEqual(
    report.problems.map((problem) => [problem.file, problem.message.split(',')[0]]),
    [['store.py', 'has syntax errors that hide blocks']],
  );
  assert.equal(report.complete, false);

  const { root, service } = opened(t, RENAMED);
  writeFileSync(
    join(root, 'job.py'),
    JOB.replace('def save(store: Store, key: str) -> int:', 'def save(store: Store, key: str -> int'),
  );
  const broken = readFileSync(join(root, 'job.py'), 'utf8');
  const propagated = await service.ask('codeplan/plan', { model: 'none', oracle: false, apply: true }, call);
  assert.deepEqual(
    propagated.open.map((entry) => entry.file),
    ['job.py'],
  );
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), broken);
});

test('a withheld file is neither asked about nor shown', async (t) => {
  const asked = await withModel(t, WIDENED, { settings: { noSend: ['job.py'] } }, says('No changes.'));
  assert.match(
    asked.report.open.find((entry) => entry.block === 'save')?.reason ?? '',
    /^job\.py is never sent to a model \(noSend: job\.py\)/u,
  );
  assert.deepEqual(asked.asked, []);

  const shown = await withModel(t, WIDENED, { settings: { noSend: ['/store.py'] } }, says('No changes.'));
  assert.ok(shown.asked.length > 0);
  assert.ok(
    shown.asked.every(
      (body) => !body.includes('self.last') && !body.includes('def put') && !body.includes('class Store'),
    ),
    shown.asked[0],
  );
});

test('the model is asked for the rest, and its answer is merged', async (t) => {
  const answer = 'def save(store: Store, key: str) -> int:\n    store.put(key, 60, "eu")\n    return store.size()';
  const { report, asked, root } = await withModel(
    t,
    WIDENED,
    { apply: true, maxCalls: 1 },
    says(`\`\`\`python\n${answer}\n\`\`\``),
  );
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? '', /lacks a value for region/);
  const step = report.steps.find((entry) => entry.block === 'save');
  assert.deepEqual([step?.how, step?.status], ['model', 'applied']);
  assert.equal(
    readFileSync(join(root, 'job.py'), 'utf8'),
    JOB.replace('store.put(key, 60)', 'store.put(key, 60, "eu")'),
  );
  assert.equal(report.usage.calls, 1);
});

test('a refused answer is asked for again with the reason, then reported; nothing is lost', async (t) => {
  const prose = says('You should pass the region, I think.');
  const { report, asked, root } = await withModel(t, WIDENED, { apply: true, maxCalls: 3 }, prose, prose, prose);
  assert.equal(asked.length, 3);
  assert.match(report.open.find((entry) => entry.block === 'save')?.reason ?? '', /refused/);
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), JOB);
});

test('an endpoint that refuses the key is a reason, not a crash', async (t) => {
  const { report } = await withModel(t, WIDENED, { maxCalls: 1 }, json(401, { error: { message: 'no' } }));
  assert.match(report.open.find((entry) => entry.block === 'save')?.reason ?? '', /401|key|unauthori/i);
});

/** One event of a stream of completion pieces. */
const bit = (text: string, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'text_completion', created: 0, model: 'm', choices: [{ index: 0, text, finish_reason: finish }] })}\n\n`;

test('a model that continues edits is asked with numbered lines, and the next in the chain what it leaves', async (t) => {
  const lines = streams([bit('6-\n6+    store.put(key, 60, "eu")', 'stop')], 'end');
  const filled = await withModel(
    t,
    WIDENED,
    { model: 'fill-in', apply: true, settings: {} },
    streams([bit('2-\n2+    store.put(key, 60, "eu")', 'stop')], 'end'),
  );
  assert.match(readFileSync(join(filled.root, 'job.py'), 'utf8'), /store\.put\(key, 60, "eu"\)/);
  assert.match(filled.asked[0] ?? '', /1\|def save\(store: Store, key: str\)/);
  const chained = await withModel(
    t,
    WIDENED,
    { model: 'fill-in,chat', apply: true, maxCalls: 1 },
    lines,
    says('```\ndef save(store: Store, key: str) -> int:\n    store.put(key, 60, "us")\n    return store.size()\n```'),
  );
  assert.equal(chained.asked.length, 2);
  assert.match(readFileSync(join(chained.root, 'job.py'), 'utf8'), /"us"/);
});

test('replay answers with the target tree', async (t) => {
  const target = temporaryFolder(t);
  writeFileSync(join(target, 'store.py'), WIDENED);
  writeFileSync(join(target, 'job.py'), JOB.replace('store.put(key, 60)', 'store.put(key, 60, region="us")'));
  const { root, service } = opened(t, WIDENED);
  const report = await service.ask('codeplan/plan', { model: `replay:${target}`, oracle: false, apply: true }, call);
  assert.equal(report.steps.find((step) => step.block === 'save')?.how, 'replay');
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), readFileSync(join(target, 'job.py'), 'utf8'));
});

test('the oracle counts only errors that the tree before did not have', async (t) => {
  const { service } = opened(t, RENAMED);
  const report = await service.ask('codeplan/plan', { model: 'none', oracle: 'pyright' }, call);
  // `self.last` is no error; the edit alone would leave `store.size()` unknown, and the plan mends it.
  assert.deepEqual(
    { name: report.oracle?.name, baseline: report.oracle?.baseline, fresh: report.oracle?.new },
    { name: 'pyright', baseline: 0, fresh: [] },
  );
});

test('an error that the oracle finds becomes an open step', async (t) => {
  const { service } = opened(
    t,
    STORE.replace('def size(self) -> int:\n        return 1', 'def size(self) -> str:\n        return "1"'),
  );
  const report = await service.ask('codeplan/plan', { model: 'none', oracle: 'pyright' }, call);
  assert.equal(report.oracle?.new.length, 1);
  assert.equal(report.oracle?.new[0]?.file, 'job.py');
  assert.ok(report.open.some((entry) => entry.block === 'save'));
});

test('an unknown oracle or replay folder is refused with what to do', async (t) => {
  const { service } = opened(t, RENAMED);
  await assert.rejects(
    service.ask('codeplan/plan', { model: 'none', oracle: 'nonsense' }, call),
    /no oracle named nonsense; the known ones are .*pyright/,
  );
  await assert.rejects(
    service.ask('codeplan/plan', { model: 'replay:/does/not/exist', oracle: false }, call),
    /is no directory/,
  );
});

test('the prompt of a step is shown as it would be sent, to whom, and is not sent', async (t) => {
  const server = await modelServer();
  t.after(() => server.close());
  const environment = { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'test-model', CODEPLAN_API_KEY: 'key' };
  const { service } = opened(t, WIDENED, {}, environment);
  const shown = await service.ask('codeplan/prompt', { step: 'job.py::save' }, call);
  assert.equal(shown.to, new URL(server.baseUrl).host);
  assert.deepEqual(
    shown.messages.map((message) => message.role),
    ['system', 'user'],
  );
  assert.match(shown.messages[1]?.content ?? '', /lacks a value for region[^]*store\.put\(key, 60\)/);
  assert.ok(shown.tokens > 100);
  assert.equal(server.asked.length, 0);
  await assert.rejects(service.ask('codeplan/prompt', { step: 'job.py::load' }, call), /no step job\.py::load/);

  const nobody = await opened(t, WIDENED).service.ask('codeplan/prompt', { step: 'save' }, call);
  assert.deepEqual([nobody.to, nobody.messages.length], [null, 2]);
  const withheld = await opened(t, WIDENED, { noSend: ['job.py'] }, environment).service.ask(
    'codeplan/prompt',
    { step: 'save' },
    call,
  );
  assert.match(withheld.refused ?? '', /never sent/);
});

test('where a call certainly breaks, "No changes." leaves the step open; where another answer mended it, it does not', async (t) => {
  const { report } = await withModel(t, WIDENED, {}, says('No changes are needed here.'));
  assert.deepEqual(
    report.open.map(({ block, needs }) => [block, needs]),
    [['save', 'person']],
  );
  assert.match(
    report.open[0]?.reason ?? '',
    /the model answered that nothing has to change, but it still breaks: .*put/,
  );
});

test('an answer that leaves the call as broken as it was is shown, and the step stays open', async (t) => {
  const { report } = await withModel(
    t,
    WIDENED,
    {},
    says('```python\ndef save(store: Store) -> None:\n    store.put("key", 60)\n```'),
  );
  assert.match(report.open.map(({ reason }) => reason).join(), /with the model's edit it still breaks: /);
});

test('what impact lists as possible, and a place that cannot be decided, are open and counted', async (t) => {
  const { root, service } = opened(t, STORE);
  const helper =
    'def load_rows(path: str) -> list[str]:\n    with open(path) as rows:\n        return rows.read().split(",")\n';
  writeFileSync(join(root, 'first.py'), helper);
  writeFileSync(join(root, 'second.py'), `${helper}\n\nNAMES = ["load_rows"]\n`);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'two copies');
  writeFileSync(join(root, 'first.py'), helper.replace('load_rows', 'read_rows'));
  const listed = await service.ask('codeplan/impact', {}, call);
  assert.deepEqual(
    listed.affected.map(({ file, block, tier, confidence }) => [file, block, tier, confidence]),
    [['second.py', 'load_rows', 'may', 'possible']],
  );
  const plan = await service.ask('codeplan/plan', { model: 'none', oracle: false }, call);
  assert.deepEqual(
    plan.open.map(({ file, block, needs, confidence }) => [file, block, needs, confidence]),
    [['second.py', 'load_rows', 'person', 'possible']],
  );
  assert.deepEqual(plan.undecided, listed.undecided);
  const paint = (text: string): string => text;
  assert.match(planLines(plan, paint).at(-1) ?? '', /1 open \(1 only possibly\), 1 place undecided/);
  assert.match(impactLines(listed, paint).at(-1) ?? '', /\(1 of all only possibly\); 1 place undecided/);
});
