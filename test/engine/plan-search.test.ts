/** Plans for requests: the modes that need no model, and search with a model behind a real server. */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PlanEdit, PlanRowsReport, PlanSearchParams, PlanSearchReport } from '#protocol/plan-search.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { ServiceError, type Call, type Service } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { json, modelServer, piece, streams, type Asked, type ModelServer, type Turn } from '../support/model-server.js';
import { LIBRARY } from '../support/plan-repository.js';
import { home } from '../support/program.js';

const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const REQUEST = 'export a report as a page and send it by mail';

const steps = (...intents: string[]): string =>
  JSON.stringify({ thought: 'so', steps: intents.map((intent) => ({ intent })) });
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');

interface There {
  readonly service: Service;
  readonly server: ModelServer;
  readonly root: string;
}

async function there(
  t: TestContext,
  turns: readonly Turn[],
  files: Readonly<Record<string, string>> = LIBRARY,
  more: NodeJS.ProcessEnv = {},
): Promise<There> {
  const root = repository(t, files);
  const server = await modelServer(...turns);
  t.after(() => server.close());
  const model = turns.length === 0 ? {} : { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' };
  const { environment } = home(t, { ...model, ...more });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  return { service: engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment }), server, root };
}

const search = ({ service }: There, params: Partial<PlanSearchParams> = {}): Promise<PlanSearchReport> =>
  service.ask('codeplan/planSearch', { request: REQUEST, ...params }, call);

const promptOf = ({ body }: Asked): string =>
  (body['messages'] as { content: string }[]).map(({ content }) => content).join('\n');
const namesOf = (report: PlanSearchReport): string[][] =>
  report.plans[0]?.steps.map(({ symbols }) => symbols.map(({ qualifiedName }) => qualifiedName)) ?? [];

test('a request is looked up without a model; tests and withheld files are no part of a plan', async (t) => {
  const report = await search(await there(t, []), { mode: 'topk', request: 'render the page of a report', symbols: 8 });
  assert.equal(report.stop, 'done');
  const [names = []] = namesOf(report);
  assert.equal(names[0], 'pages.render_page');
  assert.ok(!names.some((name) => /test_report|login_secret/.test(name)), names.join());
});

test('a link to what is withheld is withheld as well: from plans, from tools, from what is generated', async (t) => {
  const at = await there(t, [], { ...LIBRARY, '.env': 'def render_leaked_page(report):\n    return "HIDDEN"\n' });
  symlinkSync('.env', join(at.root, 'leak.py'));
  const report = await search(at, { mode: 'topk', request: 'render the leaked page of a report', symbols: 8 });
  assert.ok(namesOf(report)[0]?.includes('pages.render_page'));
  assert.ok(!JSON.stringify(report).includes('leaked_page'));
  const full = await search(at, { mode: 'full', prompt: 'full' });
  assert.doesNotMatch(full.prompt?.text ?? '', /HIDDEN/);
  const body = await at.service.ask(
    'codeplan/tool',
    { tool: 'get_method_body', arguments: { method: 'render_leaked_page' } },
    call,
  );
  assert.doesNotMatch(JSON.stringify(body), /HIDDEN/);
  await assert.rejects(
    at.service.ask('codeplan/generate', { file: 'leak.py', description: 'More.', prompt: true }, call),
    /never sent to a model \(noSend: \.env\)/,
  );
});

test('what a plan is compared with: the request alone, names alone, whole files', async (t) => {
  const at = await there(t, []);
  const bare = await search(at, { mode: 'instruction', prompt: 'full' });
  assert.equal(bare.prompt?.text, REQUEST);
  const names = await search(at, { mode: 'bm25', prompt: 'full' });
  assert.match(names.prompt?.text ?? '', /symbols: .*pages\.render_page/);
  assert.doesNotMatch(names.prompt?.text ?? '', /def render_page/);
  const full = await search(at, { mode: 'full', prompt: 'full' });
  assert.match(full.prompt?.text ?? '', /def render_page/);
  assert.doesNotMatch(full.prompt?.text ?? '', /test_load_report|render_login_page/);
  const cut = await search(at, { mode: 'full', prompt: 'full', promptTokens: 150 });
  assert.ok((cut.prompt?.tokens ?? 1000) < 300);
});

test('without a model a search says which setting is missing', async (t) => {
  const at = await there(t, []);
  await assert.rejects(
    () => search(at),
    (error) =>
      error instanceof ServiceError &&
      error.kind === 'settings' &&
      /model\.baseUrl.*CODEPLAN_MODEL/.test(error.message),
  );
});

test('a search asks the model, grounds its steps, and gives the best plan with runners-up', async (t) => {
  const at = await there(t, [
    says(steps('render the report as a page')),
    says(steps('render the report as a page', 'send the message by mail')),
    says('Well, I would rather not say.'),
    says(steps('load the report from a file', 'render the report as a page', 'send the message by mail')),
  ]);
  const report = await search(at, { budget: 5, prompt: 'signatures', trace: true });
  assert.equal(report.stop, 'queueEmpty');
  assert.deepEqual(
    report.plans.map((plan) => plan.steps.map(({ intent }) => intent)),
    [
      ['load the report from a file', 'render the report as a page', 'send the message by mail'],
      ['render the report as a page', 'send the message by mail'],
      ['render the report as a page'],
    ],
  );
  assert.deepEqual(
    namesOf(report).map((names) => names[0]),
    ['report.load_report', 'pages.render_page', 'mail.sendMail'],
  );
  assert.equal(report.plans[0]?.rationale, 'so');
  assert.equal(report.usage.unusable, 1);
  assert.equal(report.tree?.length, 4);
  assert.match(report.prompt?.text ?? '', /pages\.render_page \(function, pages\.py:\d+\):\n```\ndef render_page/);
  const [first] = at.server.asked;
  assert.ok(first);
  assert.match(promptOf(first), /# Request\n\nexport a report as a page/);
  assert.match(promptOf(first), /- pages\.render_page: def render_page/);
  assert.ok(at.server.asked.every((asked) => !promptOf(asked).includes('render_login_page')));
});

test('the first question of a search is shown without being sent, byte for byte, also where no model is configured', async (t) => {
  const at = await there(t, [says(steps('render it'))]);
  for (const temperature of [undefined, 0]) {
    const params = {
      budgetUnit: 'expanded',
      budget: 1,
      ...(temperature === undefined ? {} : { temperature }),
    } as const;
    const before = at.server.asked.length;
    const { question, plans, usage } = await search(at, { ...params, preview: true });
    assert.deepEqual([at.server.asked.length, plans, usage.calls], [before, [], 0]);
    await search(at, params);
    assert.deepEqual(question?.messages, at.server.asked[before]?.body['messages']);
    assert.deepEqual([question?.model, question?.to], ['m', new URL(at.server.baseUrl).host]);
    assert.deepEqual(
      question?.parts.map(({ part }) => part),
      ['instructions', 'task', 'the files', 'candidates', 'the plan so far', 'the answer wanted'],
    );
  }
  const bare = await there(t, []);
  assert.deepEqual((await search(bare, { preview: true })).question?.to, null);
  await assert.rejects(
    () => search(bare, { preview: true, mode: 'topk' }),
    /no model is asked anything with the mode topk/,
  );
});

test('the beginning of the prompts of a search is common to all', async (t) => {
  const at = await there(t, [says(steps('render it')), says(steps('render it', 'send it'))]);
  await search(at, { budgetUnit: 'expanded', budget: 2, branching: 1 });
  const [first = '', second = ''] = at.server.asked.map(promptOf);
  let common = 0;
  while (common < first.length && first[common] === second[common]) common++;
  assert.ok(common > 0.6 * first.length, `${common} of ${first.length}`);
});

test('react adds one step at a time', async (t) => {
  const at = await there(t, [
    says(steps('load the report from a file')),
    says(steps('render the report as a page')),
    says(steps('write the page to a file')),
  ]);
  const report = await search(at, { mode: 'react', budget: 4 });
  assert.deepEqual(
    report.plans.map((plan) => plan.steps.length),
    [3, 2, 1],
  );
  assert.equal(at.server.asked.length, 3);
});

test('a judge has an endpoint of its own and decides', async (t) => {
  const judge = await modelServer(says('{"plan": 3, "steps": [3, 3]}'), says('{"plan": 7, "steps": [7]}'));
  t.after(() => judge.close());
  const at = await there(t, [says(steps('load the report', 'render the page')), says(steps('send the mail'))]);
  writeFileSync(join(at.root, 'x.py'), '');
  const { environment } = home(t, {
    CODEPLAN_BASE_URL: at.server.baseUrl,
    CODEPLAN_MODEL: 'm',
    CODEPLAN_JUDGE_BASE_URL: judge.baseUrl,
  });
  const engine = createLocalEngine({
    root: at.root,
    mode: 'in-process',
    watch: false,
    environment,
    log: () => undefined,
  });
  t.after(() => engine.close());
  const service = engine.connect({ id: '2', name: 'a test', workingDirectory: at.root, environment });
  const report = await service.ask(
    'codeplan/planSearch',
    { request: REQUEST, scorer: 'likert', goal: true, branching: 2, budget: 10 },
    call,
  );
  assert.equal(report.stop, 'goal');
  assert.deepEqual(
    report.plans.map(({ score, judgement }) => [score, judgement?.plan]),
    [
      [7, 7],
      [3, 3],
    ],
  );
  assert.match(promptOf(judge.asked[0] as Asked), /# Definitions\n\nreport\.load_report/);
});

/** A vector for each text: far from zero on one axis where it is about mail. */
const embeds: Turn = (response, asked) => {
  const data = (asked.body['input'] as string[]).map((text, index) => ({
    index,
    embedding: /mail|postman/iu.test(text) ? [1, 0.1] : [0.1, 1],
  }));
  json(200, { data, usage: { prompt_tokens: 9 } })(response, asked);
};

test('with vectors an intent finds what its words alone do not put first, and vectors are kept', async (t) => {
  const vectors = await modelServer(embeds);
  t.after(() => vectors.close());
  const request = { request: 'ask the postman to bring the message of the report', branching: 1, budget: 2 };
  const plan = says(steps('let the postman bring a message, with a page of the report'));
  const twice = async (more: NodeJS.ProcessEnv): Promise<PlanSearchReport> => {
    const at = await there(t, [plan], LIBRARY, more);
    await search(at, request);
    return search(at, request);
  };
  const byWords = await twice({});
  const both = await twice({ CODEPLAN_EMBED_BASE_URL: vectors.baseUrl, CODEPLAN_EMBED_MODEL: 'v' });
  const ofMail = ({ plans }: PlanSearchReport): number =>
    plans[0]?.steps[0]?.symbols.filter(({ file }) => file === 'mail.ts').length ?? 0;
  assert.ok(ofMail(both) > ofMail(byWords), `${ofMail(both)} and ${ofMail(byWords)}`);
  assert.deepEqual(both.notes, []);
  // The second search asks for no vector that the first one had.
  assert.equal(vectors.asked.length, 1);
});

test('where vectors cannot be had the words answer, and that is said', async (t) => {
  const vectors = await modelServer(json(401, { error: { message: 'no' } }));
  t.after(() => vectors.close());
  const more = { CODEPLAN_EMBED_BASE_URL: vectors.baseUrl, CODEPLAN_EMBED_MODEL: 'v' };
  const at = await there(t, [says(steps('render the report as a page'))], LIBRARY, more);
  const report = await search(at, { branching: 1, budget: 2 });
  assert.equal(namesOf(report)[0]?.[0], 'pages.render_page');
  assert.match(report.notes.join(), /vectors were not used: asked model v/);
  assert.equal(vectors.asked.length, 1);
});

test('limits of cost are held, and the best so far is given', async (t) => {
  const at = await there(t, [says(steps('render the page')), says(steps('render the page', 'send the mail'))]);
  const report = await search(at, { branching: 1, searchCalls: 2 });
  assert.equal(report.stop, 'budget');
  assert.match(report.message ?? '', /stopped after 2 model calls/);
  assert.equal(report.plans[0]?.steps.length, 2);
  assert.equal(at.server.asked.length, 2);
  const none = await search(at, { searchTokens: 10 });
  assert.deepEqual([none.stop, none.plans.length, at.server.asked.length], ['budget', 0, 2]);
});

test('a model that refuses, writes prose or is not let in ends the search with the reason', async (t) => {
  const cases: [Turn, PlanSearchReport['stop'], RegExp][] = [
    [says('I am sorry, I cannot help with that.'), 'modelFailure', /no plan that could be read/],
    [streams([piece('', 'content_filter')], 'end'), 'modelFailure', /no plan that could be read/],
    [json(401, { error: { message: 'no' } }), 'modelFailure', /not accepted|no key/],
    [json(404, { error: { message: 'no such model' } }), 'modelFailure', /check the model's name/],
  ];
  for (const [turn, stop, message] of cases) {
    const report = await search(await there(t, [turn]));
    assert.equal(report.stop, stop);
    assert.match(report.message ?? '', message);
    assert.deepEqual(report.plans, []);
  }
});

test('an empty repository and a request without a known word are said to be so', async (t) => {
  const empty = await search(await there(t, [], { 'README.md': 'nothing' }), { mode: 'topk' });
  assert.match(empty.notes.join(), /no file of the repository is indexed/);
  const strange = await search(await there(t, []), { mode: 'topk', request: 'zzyzx qwrtl' });
  assert.match(strange.notes.join(), /nothing of the repository fits/);
  assert.deepEqual(strange.plans[0]?.steps[0]?.symbols, []);
});

test('a search is ended by its name, and gives what is best so far', async (t) => {
  const found: There[] = [];
  const stopping: Turn = (response, asked) => {
    void found[0]?.service
      .ask('codeplan/planStop', { search: 'mine' }, call)
      .then(() => says(steps('too late'))(response, asked));
  };
  const at = await there(t, [says(steps('render the page')), stopping]);
  found.push(at);
  const report = await search(at, { branching: 1, search: 'mine' });
  assert.equal(report.stop, 'cancelled');
  assert.deepEqual(
    report.plans.map((plan) => plan.steps.map(({ intent }) => intent)),
    [['render the page']],
  );
  assert.deepEqual(await at.service.ask('codeplan/planStop', { search: 'mine' }, call), { stopped: false });
});

test('a plan in Markdown is read again: struck out, reworded, grounded anew', async (t) => {
  const { service } = await there(t, []);
  const read = (
    text: string,
  ): Promise<{ steps: PlanSearchReport['plans'][number]['steps']; notes: string[]; text: string }> =>
    service.ask('codeplan/planRead', { text }, call);
  const plan = await read(
    [
      '# Plan',
      '',
      '> send the report',
      '',
      '1. ~~load the report~~',
      '   - `report.py:load_report` def load_report(path):',
      '7. render the report as a page',
      '   - `pages.py:render_page`',
      '   - `pages.py:gone`',
      '3. send the message',
      '   by mail',
      '',
      '---',
      '1. what stands here is not read',
    ].join('\n'),
  );
  assert.deepEqual(
    plan.steps.map(({ intent, symbols }) => [intent, symbols[0]?.block]),
    [
      ['render the report as a page', 'render_page'],
      ['send the message by mail', 'sendMail'],
    ],
  );
  assert.equal(plan.steps[0]?.symbols.length, 1);
  assert.match(plan.notes.join(), /there is no symbol pages\.py:gone/);
  assert.equal((await read(plan.text)).text, plan.text);
  await assert.rejects(() => read('# Plan\n\n> x\n'), /the plan has no step/);
  await assert.rejects(() => read('1. do it'), /does not say what it is for/);
});

test('plans of an editor: a step is struck out, reworded, marked, grounded anew, and stays readable', async (t) => {
  const at = await there(t, []);
  const first = await search(at, { mode: 'topk', request: 'render the page of a report', symbols: 2 });
  const rows = (plans: readonly string[], edit?: PlanEdit): Promise<PlanRowsReport> =>
    at.service.ask(
      'codeplan/planRows',
      { plans: [...plans], ...(edit === undefined ? {} : { edit }), symbols: 2 },
      call,
    );
  const text = first.plans[0]?.text ?? '';
  const shown = await rows([text, text]);
  assert.deepEqual(shown.plans, [text, text], 'what is shown is what was found');
  assert.deepEqual(
    shown.rows.filter(({ kind }) => kind === 'plan').map(({ text: said, isFolded }) => [said, isFolded]),
    [
      ['Plan 1: 1 step, 2 symbols', false],
      ['Plan 2: 1 step, 2 symbols', true],
    ],
  );
  assert.deepEqual(shown.rows[2]?.place, { file: 'pages.py', line: 15 });
  const added = await rows(shown.plans, { plan: 0, step: 1, as: 'add', to: 'send it\nby mail' });
  assert.equal(added.plans[1], text, 'the other plan stays');
  assert.match(added.plans[0] ?? '', /^2\. send it by mail\n {3}- `mail\.ts:sendMail`/mu);
  const struck = await rows(added.plans, { plan: 0, step: 1, as: 'strike' });
  assert.match(struck.plans[0] ?? '', /^1\. ~~render the page of a report~~\n {3}- `pages\.py:render_page`/mu);
  assert.equal(struck.rows[0]?.text, 'Plan 1: 1 step, 2 symbols, 1 struck out');
  const read = await at.service.ask('codeplan/planRead', { text: struck.plans[0] ?? '' }, call);
  assert.deepEqual(
    read.steps.map(({ intent }) => intent),
    ['send it by mail'],
  );
  assert.deepEqual((await rows(struck.plans, { plan: 0, step: 1, as: 'strike' })).plans, added.plans, 'and back in');
  const reworded = await rows(struck.plans, { plan: 0, step: 2, as: 'reword', to: 'load the report' });
  assert.match(reworded.plans[0] ?? '', /^2\. load the report\n {3}- `report\.py:load_report`/mu);
  const marked = await rows(reworded.plans, { plan: 0, step: 2, as: 'mark', to: 'create page.py:Page' });
  assert.match(marked.plans[0] ?? '', /^2\. \[create page\.py:Page\] load the report$/mu);
  const dropped = await rows(marked.plans, { plan: 0, step: 2, as: 'drop', to: 'report.py:load_report' });
  assert.doesNotMatch(dropped.plans[0] ?? '', /load_report/u);
  assert.deepEqual((await rows(dropped.plans, { plan: 0, step: 2, as: 'ground' })).plans, marked.plans);
  const none = await rows(['# Plan\n\n> x\n\n1. zzyzx\n\nnonsense\n']);
  assert.deepEqual([none.rows[2]?.kind, none.notes], ['nothing', ['line 7 of the plan is no part of it']]);
  for (const [edit, reason] of [
    [{ plan: 0, step: 9, as: 'strike' }, /plan 1 has no step 9/u],
    [{ plan: 3, step: 1, as: 'strike' }, /there is no plan 3/u],
    [{ plan: 0, step: 1, as: 'reword', to: '  ' }, /takes its words/u],
    [{ plan: 0, step: 1, as: 'mark', to: 'burn' }, /not burn/u],
    [{ plan: 0, step: 1, as: 'drop', to: 'pages.py:gone' }, /has no symbol pages\.py:gone/u],
  ] as const)
    await assert.rejects(() => rows([text], edit), reason);
});
