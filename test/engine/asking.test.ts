/** How steps are asked of a model: at the same time, within limits, with the context that led to them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { EditRequest } from '#src/context/edit-request.js';
import type { EditModel } from '#src/edit/model/edit-model.js';
import { NO_USAGE } from '#src/model/usage.js';
import { QuestionCosts } from '#src/context/question-cost.js';
import { ModelSession } from '#src/engine/answer-step.js';
import { FREE, type Budget } from '#src/model/budget.js';
import { GivenValues } from '#src/edit/mechanical/calls/given-values.js';
import { runPlan, type PlanResult } from '#src/engine/plan-run.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { testGrammars } from '../support/grammars.js';
import { treeOf } from '../support/propagated.js';

let grammars: Grammars;
before(async () => {
  grammars = await testGrammars();
});

const NO_LIMIT: Budget = { calls: Infinity, tokens: Infinity, money: Infinity, seconds: Infinity, files: Infinity };
const STORE = 'class Store:\n    def put(self, key):\n        return key\n';
const WIDENED = STORE.replace('key):', 'key, region):');
/** Five callers, the last one of them called by a sixth. */
const CALLERS: Record<string, string> = Object.fromEntries(
  ['a', 'b', 'c', 'd', 'e'].map((name) => [
    `${name}.py`,
    `from store import Store\n\ndef run_${name}(store: Store, key):\n    return store.put(key)\n`,
  ]),
);
const FILES = {
  'store.py': STORE,
  ...CALLERS,
  'last.py': 'from e import run_e\n\ndef last(store):\n    return run_e(store, 1)\n',
};

interface Asked {
  readonly result: PlanResult;
  readonly requests: readonly EditRequest[];
  readonly most: number;
  readonly usage: ReturnType<ModelSession['usage']>;
  readonly costs: QuestionCosts['all'];
}

/** How many turns of the loop the first answer takes; each later one takes five fewer. */
const TURNS_MOST = 30;

/** Every caller takes the region as a parameter of its own and passes it on; the later asked, the sooner answered. */
async function asked(
  parallel: number,
  budget: Partial<Budget> = {},
  without: readonly ('temporal' | 'spatial')[] = [],
): Promise<Asked> {
  const requests: EditRequest[] = [];
  let running = 0;
  let most = 0;
  const model: EditModel = {
    id: 'openai',
    async edit(request) {
      requests.push(request);
      most = Math.max(most, ++running);
      for (let turns = TURNS_MOST - 5 * requests.length; turns > 0; turns--) await turn();
      running--;
      const text = request.fragment
        .replaceAll('key)', 'key, region)')
        .replace('(store):', '(store, region):')
        .replace('1)', '1, region)');
      return { kind: 'edit', text, raw: text, model: 'openai', usage: { promptTokens: 100, completionTokens: 10 } };
    },
  };
  const signal = new AbortController().signal;
  const seeds = [{ file: 'store.py', block: 'Store.put', before: 'old', after: 'new', isDirect: false }];
  const costs = new QuestionCosts();
  const session = new ModelSession({
    model,
    instruction: '',
    seeds,
    without: new Set(without),
    promptTokensMost: Infinity,
    grammars,
    budget: { ...NO_LIMIT, ...budget },
    prices: { prompt: 1, completion: 10 },
    parallel,
    oneByOne: false,
    signal,
    costs,
  });
  const result = await runPlan(treeOf(grammars, FILES), treeOf(grammars, { ...FILES, 'store.py': WIDENED }), {
    grammars,
    asker: session,
    planning: true,
    askAll: false,
    values: new GivenValues({}),
    certainOnly: false,
    stepsMost: 100,
    signal,
    progress: () => undefined,
  });
  return { result, requests, most, usage: session.usage(), costs: costs.all };
}

const texts = ({ result }: Asked): readonly (string | undefined)[] =>
  Object.keys(FILES).map((file) => result.tree.text(file));

test('steps that are asked at the same time give what they give one after the other', async () => {
  const [one, many] = [await asked(1), await asked(4)];
  assert.equal(one.most, 1);
  assert.ok(many.most > 1, 'nothing was asked ahead');
  assert.deepEqual(many.result.plan, one.result.plan);
  assert.deepEqual(texts(many), texts(one));
  assert.equal(
    one.result.tree.text('last.py'),
    'from e import run_e\n\ndef last(store, region):\n    return run_e(store, 1, region)\n',
  );
});

test('a limit stops the plan with what was done, and says so', async () => {
  const calls = await asked(1, { calls: 2 });
  assert.equal(calls.requests.length, 2);
  assert.deepEqual(calls.result.cut, ['stopped after 2 model calls, the limit that was set']);
  assert.equal(calls.result.plan.steps.filter((step) => step.status === 'proposed').length, 2);
  assert.ok(
    calls.result.plan.steps.filter((step) => step.status === 'pending').every((step) => step.open !== undefined),
  );

  for (const parallel of [1, 4]) {
    const files = await asked(parallel, { files: 2 });
    assert.equal(files.requests.length, 2, `${parallel} at once`);
    assert.equal(files.result.tree.editedFiles.length, 2);
  }
  assert.equal((await asked(1, { tokens: 0 })).requests.length, 0);
  assert.equal((await asked(1, { seconds: -1 })).requests.length, 0);
  const cost = await asked(1, { money: 0.0002 });
  assert.ok(cost.requests.length < 3, `${cost.requests.length} questions`);
  assert.match(cost.result.cut.join(), /cost/);
  assert.equal((await asked(4, { calls: 3 })).requests.length, 3);
});

test('many failures of the endpoint in a row end the run, which can go on', async () => {
  let asked = 0;
  const model: EditModel = {
    id: 'openai',
    edit: () => {
      asked++;
      return Promise.resolve({
        kind: 'cannot',
        reason: 'no answer within 60 s',
        error: { kind: 'timeout', message: 'no answer within 60 s' },
        raw: '',
        model: 'openai',
        usage: NO_USAGE,
      });
    },
  };
  const signal = new AbortController().signal;
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, i): [string, string] => [
      `f${i}.py`,
      `from store import Store\n\ndef run(store: Store):\n    return store.put(1)\n`,
    ]),
  );
  const session = new ModelSession({
    model,
    instruction: '',
    seeds: [],
    without: new Set(),
    promptTokensMost: Infinity,
    grammars,
    budget: NO_LIMIT,
    prices: FREE,
    parallel: 1,
    oneByOne: false,
    signal,
  });
  const result = await runPlan(
    treeOf(grammars, { 'store.py': STORE, ...many }),
    treeOf(grammars, { 'store.py': WIDENED, ...many }),
    {
      grammars,
      asker: session,
      planning: true,
      askAll: false,
      values: new GivenValues({}),
      certainOnly: false,
      stepsMost: 100,
      signal,
      progress: () => undefined,
    },
  );
  assert.equal(asked, 6);
  assert.deepEqual([result.stopped, session.failed], [true, true]);
  assert.deepEqual(result.cut, ['stopped after 6 failures of the model in a row: no answer within 60 s']);
});

test('what the known steps seem to take is estimated before the first question', async () => {
  const { usage, requests } = await asked(1, { calls: 1 });
  assert.equal(usage.estimated?.calls, 5);
  assert.ok((usage.estimated?.promptTokens ?? 0) > 5 * 100);
  assert.equal(requests.length, 1);
  assert.equal(usage.money, 0.0002);
});

test('what a question takes is noted by part, and how much of it begins as an earlier one', async () => {
  const { costs, requests } = await asked(1);
  assert.deepEqual(
    costs.map(({ block }) => block),
    requests.map(({ block }) => block),
  );
  const [first, ...others] = costs;
  assert.equal(first?.shared, 0);
  for (const { shared, tokens, parts } of others) {
    const instructions = parts.find(({ part }) => part === 'instructions')?.tokens ?? 0;
    assert.ok(instructions > 0 && shared >= instructions && shared < tokens, `${shared} of ${tokens}`);
  }
});

test('a step is told the edits that led to it, and no others', async () => {
  const { requests } = await asked(1);
  const last = requests.find((request) => request.block === 'last');
  assert.deepEqual(
    last?.temporal.map((edit) => [edit.block, edit.isDirect]),
    [
      ['Store.put', false],
      ['run_e', true],
    ],
  );
  assert.match(last.temporal[1]?.after ?? '', /store\.put\(key, region\)/);
  const { requests: bare } = await asked(1, {}, ['temporal', 'spatial']);
  assert.ok(
    bare.every(
      (request) => request.temporal.length === 0 && request.spatial.length === 0 && request.around === undefined,
    ),
  );
});

test('without planning nothing is asked', async () => {
  const signal = new AbortController().signal;
  const model: EditModel = {
    id: 'openai',
    edit: () => Promise.resolve({ kind: 'noChange', raw: '', model: 'openai', usage: NO_USAGE }),
  };
  const session = new ModelSession({
    model,
    instruction: '',
    seeds: [],
    without: new Set(),
    promptTokensMost: Infinity,
    grammars,
    budget: NO_LIMIT,
    prices: FREE,
    parallel: 1,
    oneByOne: false,
    signal,
  });
  const result = await runPlan(treeOf(grammars, FILES), treeOf(grammars, { ...FILES, 'store.py': WIDENED }), {
    grammars,
    asker: session,
    planning: false,
    askAll: false,
    values: new GivenValues({}),
    certainOnly: false,
    stepsMost: 100,
    signal,
    progress: () => undefined,
  });
  assert.deepEqual(result.plan.steps, []);
});

/** A plan whose model answers a fragment with what `edit` makes of it. */
async function answered(
  files: Record<string, string>,
  edited: Record<string, string>,
  edit: (request: EditRequest) => string,
  promptTokensMost = Infinity,
): Promise<{ result: PlanResult; requests: EditRequest[] }> {
  const signal = new AbortController().signal;
  const requests: EditRequest[] = [];
  const model: EditModel = {
    id: 'openai',
    edit: (request) => {
      requests.push(request);
      const text = edit(request);
      return Promise.resolve({ kind: 'edit', text, raw: text, model: 'openai', usage: NO_USAGE });
    },
  };
  const session = new ModelSession({
    model,
    instruction: '',
    seeds: [],
    without: new Set(),
    promptTokensMost,
    grammars,
    budget: NO_LIMIT,
    prices: FREE,
    parallel: 1,
    oneByOne: false,
    signal,
  });
  const result = await runPlan(treeOf(grammars, files), treeOf(grammars, { ...files, ...edited }), {
    grammars,
    asker: session,
    planning: true,
    askAll: false,
    values: new GivenValues({}),
    certainOnly: false,
    stepsMost: 100,
    signal,
    progress: () => undefined,
  });
  return { result, requests };
}

test('a function whose rewrite changed what becomes of its own parameters is asked about, and its callers follow', async () => {
  const files = {
    'store.py': 'def put(key, spider):\n    return key\n',
    'mid.py': 'from store import put\n\ndef keep(key, spider):\n    return put(key, spider)\n',
    'top.py': 'from mid import keep\n\ndef run(spider):\n    keep(1, spider)\n    return spider\n',
  };
  const { result, requests } = await answered(
    files,
    { 'store.py': 'def put(key):\n    return key\n' },
    ({ fragment }) => fragment.replace('keep(key, spider):', 'keep(key):'),
  );
  assert.deepEqual(
    requests.map(({ block, causes }) => [block, causes.at(-1)]),
    [
      ['keep', 'Its parameter spider is not used any more.'],
      ['run', 'Its parameter spider is used less than it was.'],
    ],
  );
  assert.equal(result.tree.text('mid.py'), 'from store import put\n\ndef keep(key):\n    return put(key)\n');
  assert.equal(
    result.tree.text('top.py'),
    'from mid import keep\n\ndef run(spider):\n    keep(1)\n    return spider\n',
  );
});

test('a function that hands its parameters on in another order is asked whether it takes them so', async () => {
  const files = {
    'a.py':
      'def put(key, ttl):\n    return key\n\n\ndef keep(key, ttl):\n    return put(key, ttl)\n\n\ndef run(x, y):\n    return keep(x, y)\n',
  };
  const { result, requests } = await answered(
    files,
    { 'a.py': files['a.py'].replace('put(key, ttl):', 'put(ttl, key):') },
    ({ fragment }) => fragment.replace('keep(key, ttl)', 'keep(ttl, key)'),
  );
  assert.deepEqual(
    requests.map(({ block }) => block),
    ['keep', 'run'],
  );
  assert.match(
    result.tree.text('a.py') ?? '',
    /def keep\(ttl, key\):\n    return put\(ttl, key\)[^]*return keep\(y, x\)/,
  );
});

test('a block that two causes pull to and fro is left where it is, and reported', async () => {
  const files = {
    'a.py': 'from b import pong\n\n\ndef ping(n):\n    return pong()\n',
    'b.py': 'from a import ping\n\n\ndef pong(n):\n    return ping()\n',
  };
  // Whoever is asked takes another number of parameters, and so gives the other a reason to be asked.
  const flip = ({ fragment }: EditRequest): string =>
    fragment.includes('(n, m)')
      ? fragment.replace('(n, m)', '(n)')
      : fragment.replace('(n)', '(n, m)').replace('k, j', 'k');
  const { result } = await answered(files, { 'a.py': files['a.py'].replace('ping(n)', 'ping(n, k, j)') }, flip);
  const ends = result.plan.steps.map(
    ({ block, status, open }) => `${block} ${status} ${/pull it to and fro/.test(open?.reason ?? '')}`,
  );
  assert.deepEqual(ends, ['pong proposed false', 'ping proposed false', 'pong failed true']);
  assert.match(result.tree.text('b.py') ?? '', /def pong\(n, m\)/);
});

test('blocks like those that needed no change are asked about no more, the nearest first; what breaks always is', async () => {
  const callers = Object.fromEntries(
    ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => [
      `far/${name}.py`,
      `from near.a import put\n\n\ndef run_${name}():\n    put(1)\n`,
    ]),
  );
  const files = {
    'near/__init__.py': '',
    'far/__init__.py': '',
    'near/a.py': 'def put(key):\n    return key\n\n\ndef own():\n    put(2)\n',
    'near/n.py': 'from near.a import put\n\n\ndef near(ttl):\n    put(3)\n',
    ...callers,
  };
  const keep = ({ fragment }: EditRequest): string => fragment;
  const may = await answered(files, { 'near/a.py': files['near/a.py'].replace('put(key)', 'put(key, ttl=0)') }, keep);
  assert.deepEqual(
    may.requests.map(({ block }) => block),
    ['near', 'own'],
  );
  const left = may.result.plan.steps.filter((step) => step.status === 'postponed');
  assert.equal(left.length, 6);
  assert.ok(
    left.every((step) =>
      /2 other blocks that are affected in the same way needed no change/.test(step.open?.reason ?? ''),
    ),
  );
  const breaks = await answered(files, { 'near/a.py': files['near/a.py'].replace('put(key)', 'put(key, ttl)') }, keep);
  // The one with a ttl of its own passes it by rule.
  assert.equal(breaks.requests.length, 7);
});

test('a prompt keeps to its tokens, and a block that is too long for them is not asked about', async () => {
  const long = `def run(store, key):\n${'    print("a line among many others")\n'.repeat(200)}    return put(key)\n`;
  const files = { 'store.py': 'def put(key):\n    return key\n', 'job.py': `from store import put\n\n\n${long}` };
  const { result, requests } = await answered(
    files,
    { 'store.py': files['store.py'].replace('(key)', '(key, ttl)') },
    ({ fragment }) => fragment,
    800,
  );
  assert.deepEqual(requests, []);
  assert.match(result.plan.steps[0]?.open?.reason ?? '', /alone take about \d+ tokens, and a prompt may have 800/);
});

test('a class that a step took a member from is asked about, and its uses follow when it goes', async () => {
  const files = {
    'base.py': 'class Base:\n    def stop(self): ...\n',
    'sub.py': 'from base import Base\n\n\nclass Sub(Base):\n    def stop(self):\n        return super().stop()\n',
    'use.py': 'from sub import Sub\n\n\ndef make():\n    return Sub()\n',
  };
  const blocks: string[] = [];
  const model: EditModel = {
    id: 'openai',
    edit: (request) => {
      blocks.push(request.block);
      return Promise.resolve({
        kind: request.block === 'make' ? 'noChange' : 'delete',
        raw: '',
        model: 'openai',
        usage: NO_USAGE,
      });
    },
  };
  const signal = new AbortController().signal;
  const session = new ModelSession({
    model,
    instruction: '',
    seeds: [],
    without: new Set(),
    promptTokensMost: Infinity,
    grammars,
    budget: NO_LIMIT,
    prices: FREE,
    parallel: 1,
    oneByOne: false,
    signal,
  });
  await runPlan(treeOf(grammars, files), treeOf(grammars, { ...files, 'base.py': 'class Base:\n    pass\n' }), {
    grammars,
    asker: session,
    planning: true,
    askAll: false,
    values: new GivenValues({}),
    certainOnly: false,
    stepsMost: 100,
    signal,
    progress: () => undefined,
  });
  assert.deepEqual(blocks, ['Sub.stop', 'Sub', 'make']);
});

test('a private member whose last use an answer took away is asked about', async () => {
  const source =
    'class Base {\n  stop(): void {}\n}\nclass Sub extends Base {\n  stop(): void {\n    this.tell();\n  }\n  run(): void {\n    this.note();\n  }\n  private tell(): void {\n    this.note();\n  }\n  private note(): void {}\n}\n';
  const { result, requests } = await answered(
    { 'a.ts': source },
    { 'a.ts': source.replace('  stop(): void {}\n', '') },
    ({ block, fragment }) => (block === 'Sub.stop' ? fragment.replace('this.tell();', '') : fragment),
  );
  assert.deepEqual(
    requests.map(({ block }) => block),
    ['Sub.stop', 'Sub.tell'],
  );
  assert.deepEqual(result.plan.steps.at(-1)?.reasons, ['Sub.tell is not used any more: Sub.stop was its last use.']);
});

test('a definition is asked about before what uses it, and a circle comes to an end', async () => {
  const files = {
    'store.py': 'def put(key):\n    return key\n',
    'a.py': 'from b import keep\nfrom store import put\n\n\ndef run():\n    put(1)\n    keep(2)\n',
    'b.py': 'from store import put\n\n\ndef keep(key):\n    return put(key)\n',
  };
  const wider = ({ fragment }: EditRequest): string =>
    fragment
      .replace('keep(key)', 'keep(key, ttl)')
      .replace('put(key)', 'put(key, ttl)')
      .replace('put(1)', 'put(1, 0)')
      .replace('keep(2)', 'keep(2, 0)');
  const line = await answered(files, { 'store.py': 'def put(key, ttl):\n    return key\n' }, wider);
  assert.deepEqual(
    line.requests.map(({ block }) => block),
    ['keep', 'run'],
  );
  assert.match(line.result.tree.text('a.py') ?? '', /put\(1, 0\)\n {4}keep\(2, 0\)/);
  const round = {
    ...files,
    'b.py': 'from a import run\nfrom store import put\n\n\ndef keep(key):\n    run()\n    return put(key)\n',
  };
  const circle = await answered(round, { 'store.py': 'def put(key, ttl):\n    return key\n' }, wider);
  assert.deepEqual(
    circle.requests.map(({ block }) => block),
    ['keep', 'run'],
  );
});

test('what only may be affected is asked before what uses it, may that break or not', async () => {
  const files = {
    'store.py': 'def put(key):\n    return key\n',
    'deep.py': 'from store import put\n\n\ndef deep():\n    return put(1)\n',
    'mid.py': 'from deep import deep\nfrom store import put\n\n\ndef mid():\n    return put(2) + deep()\n',
    'near.py':
      'from deep import deep\nfrom mid import mid\nfrom store import put\n\n\n' +
      'def near(ttl):\n    return put(3) + mid() + deep()\n',
  };
  const optional = { 'store.py': 'def put(key, ttl=0):\n    return key\n' };
  const blocksOf = ({ requests }: { readonly requests: readonly EditRequest[] }): string[] =>
    requests.map(({ block }) => block);
  const kept = await answered(files, optional, ({ fragment }) => fragment);
  // The nearest is asked although two that stand farther away needed no change.
  assert.deepEqual(blocksOf(kept), ['deep', 'mid', 'near']);
  const followed = await answered(files, optional, ({ block, fragment }) =>
    block === 'deep' ? fragment.replace('deep()', 'deep(ttl)').replace('put(1)', 'put(1, ttl)') : fragment,
  );
  assert.deepEqual(
    blocksOf(followed).filter((block, at, all) => all.indexOf(block) === at),
    ['deep', 'mid', 'near'],
  );
  const mixed = await answered(
    {
      'store.py': 'def put(key):\n    return key\n\n\ndef drop(key):\n    return key\n',
      'may.py': 'from store import put\n\n\ndef keep():\n    return put(1)\n',
      'breaks.py': 'from may import keep\nfrom store import drop\n\n\ndef run():\n    drop(keep())\n',
    },
    { 'store.py': 'def put(key, ttl=0):\n    return key\n\n\ndef drop(key, why):\n    return key\n' },
    ({ block, fragment }) =>
      block === 'keep'
        ? fragment.replace('keep()', 'keep(ttl)').replace('put(1)', 'put(1, ttl)')
        : fragment.replace('keep())', 'keep(1), 2)'),
  );
  assert.deepEqual(blocksOf(mixed), ['keep', 'run']);
  assert.match(mixed.result.tree.text('breaks.py') ?? '', /drop\(keep\(1\), 2\)/);
});

test('members of a class that was just answered whole are not asked again, unless they break or something else led there', async () => {
  const ledger =
    'from rates import rate\n\n\nclass Ledger:\n    rate(1)\n\n' +
    '    def total(self, n):\n        return rate(n)\n\n' +
    '    def twice(self, n):\n        return self.total(n) * 2\n';
  const files = { 'rates.py': 'def rate(n):\n    return n\n', 'ledger.py': ledger };
  const optional = { 'rates.py': 'def rate(n, day=0):\n    return n\n' };
  const blocksAfter = async (
    edit: (fragment: string) => string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> => {
    const all = { ...files, ...more };
    const { requests } = await answered(all, optional, ({ block, fragment }) =>
      block === 'Ledger' ? edit(fragment) : fragment,
    );
    return requests.map(({ block }) => block);
  };
  assert.deepEqual(await blocksAfter((fragment) => fragment), ['Ledger']);
  const user = 'from ledger import Ledger\n\n\ndef use(a: Ledger):\n    return a.total(1)\n';
  const widened = (parameter: string) => (fragment: string) => fragment.replace('self, n):', `self, n, ${parameter}):`);
  assert.deepEqual(await blocksAfter(widened('day=0'), { 'use.py': user }), ['Ledger', 'use']);
  assert.deepEqual(await blocksAfter(widened('day')), ['Ledger', 'Ledger.twice']);
  const other = { 'rates.py': 'def rate(n):\n    return n\n\n\ndef fee(n):\n    return n\n' };
  const two = await answered(
    {
      ...other,
      'ledger.py': ledger.replace('import rate', 'import fee, rate').replace('    return rate(n)', '    return fee(n)'),
    },
    { 'rates.py': 'def rate(n, day=0):\n    return n\n\n\ndef fee(n, day=0):\n    return n\n' },
    ({ fragment }) => fragment,
  );
  assert.deepEqual(
    two.requests.map(({ block }) => block),
    ['Ledger', 'Ledger.total'],
  );
});

test('a long class is shown without the bodies of its members, and those are asked all the same', async () => {
  const lines = Array.from({ length: 120 }, (_, at) => `        print("line ${at} of many others")\n`).join('');
  const ledger = `from rates import rate\n\n\nclass Ledger:\n    rate(1)\n\n    def total(self, n):\n${lines}        return rate(n)\n`;
  const { requests } = await answered(
    { 'rates.py': 'def rate(n):\n    return n\n', 'ledger.py': ledger },
    { 'rates.py': 'def rate(n, day=0):\n    return n\n' },
    ({ fragment }) => fragment,
  );
  assert.deepEqual(
    requests.map(({ block, outline }) => [block, outline !== undefined]),
    [
      ['Ledger', true],
      ['Ledger.total', false],
    ],
  );
});
