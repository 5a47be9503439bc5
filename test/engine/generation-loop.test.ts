/** The loop that writes a block, with a scripted model behind a real server and an oracle of the test's own. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { generated, type Generated, type Looked, type LoopOptions } from '#src/engine/generation-loop.js';
import type { Judgement } from '#src/generate/judgement.js';
import { MODES, SWITCHES, type Mode } from '#src/generate/task.js';
import { endpointClient } from '#src/io/model/model-client.js';
import { ENDPOINT_DEFAULTS } from '#src/io/model/model-settings.js';
import { FREE } from '#src/model/budget.js';
import { Ledger, metered } from '#src/model/metered.js';
import { callsTools, fenced, generationServer, type GenerationServer, type Script } from '../support/generation.js';

const GOOD: Judgement = { compiles: true, findings: [] };
const bad = (message: string, given: Partial<Judgement> = {}): Judgement => ({
  compiles: true,
  findings: [{ file: 'a.py', line: 1, message }],
  ...given,
});

interface Ran {
  readonly result: Generated;
  readonly server: GenerationServer;
  readonly looks: readonly string[];
  readonly lookedUp: readonly string[];
  readonly snippetQueries: readonly string[];
}

interface Given extends Partial<LoopOptions> {
  /** What the oracle says to each text: by number of the look, or the text. */
  readonly oracle?: (text: string, nth: number) => Looked | Judgement;
  readonly callsMost?: number;
}

async function run(t: TestContext, script: Script, given: Given = {}): Promise<Ran> {
  const server = await generationServer(script);
  t.after(() => server.close());
  const looks: string[] = [];
  const lookedUp: string[] = [];
  const snippetQueries: string[] = [];
  const {
    oracle = (text: string): Judgement => (text.includes('good') ? GOOD : bad(`wrong: ${text}`)),
    callsMost,
    ...options
  } = given;
  const client = endpointClient({
    ...ENDPOINT_DEFAULTS,
    baseUrl: server.baseUrl,
    apiKey: undefined,
    model: 'm',
    streaming: false,
    retriesMax: 0,
  });
  const ledger = new Ledger(
    { calls: callsMost ?? 100, tokens: Infinity, money: Infinity, seconds: Infinity, files: Infinity },
    FREE,
    () => 0,
  );
  const result = await generated(
    {
      task: { language: 'python', file: 'a.py', name: 'Cache', description: 'A cache.' },
      around: 'import os\n',
      mode: 'rrr',
      oracleCallsMost: 5,
      feedbackTokensMost: 400,
      showTestSource: true,
      temperature: 0.2,
      ...options,
    },
    {
      model: metered(client, ledger),
      signal: new AbortController().signal,
      progress: () => undefined,
      place: (code) =>
        code.includes('unplaceable') ? { ok: false, reason: 'it does not fit' } : { ok: true, text: code },
      look: (text) => {
        looks.push(text);
        const said = oracle(text, looks.length);
        return Promise.resolve('ok' in said ? said : { ok: true, judgement: said });
      },
      lookUp: ({ tool, arguments: given }, _code, thought) => {
        lookedUp.push(`${tool.name} ${JSON.stringify(given)} (${thought})`);
        return Promise.resolve(`found by ${tool.name}`);
      },
      snippets: (query) => {
        snippetQueries.push(query);
        return Promise.resolve(`a piece like ${query}`);
      },
    },
  );
  return { result, server, looks, lookedUp, snippetQueries };
}

const codes = (...names: string[]): string[] => names.map((name) => fenced(name));

test('1: what passes at once ends it, without a tool', async (t) => {
  const { result, server, looks } = await run(t, { code: codes('good') });
  assert.equal(result.outcome, 'passed');
  assert.deepEqual([server.phases, looks, result.oracleCalls], [['code'], ['good'], 1]);
});

test('2: what fails is looked up, thought about and written again', async (t) => {
  const { result, server, lookedUp } = await run(t, {
    code: codes('one', 'good'),
    tools: ['I want to know of the store.\nget_class_info("Store")'],
    reflect: ['Store has no such member.'],
  });
  assert.equal(result.outcome, 'passed');
  assert.deepEqual(server.phases, ['code', 'tools', 'reflect', 'code']);
  assert.equal(lookedUp.length, 1);
  assert.match(lookedUp[0] ?? '', /^get_class_info \{"classes":"?\[?"Store"/);
  const [first = '', last = ''] = server.prompts('code');
  assert.match(first, /a piece like A cache\./);
  assert.match(last, /wrong: one[^]*found by get_class_info[^]*Store has no such member\./);
  assert.deepEqual(result.attempts[0]?.reflection, 'Store has no such member.');
});

test('3: five looks and four further tries, no more', async (t) => {
  const { result, server, looks } = await run(t, { code: codes('a', 'b', 'c', 'd', 'e', 'f') });
  assert.equal(result.outcome, 'exhausted');
  assert.equal(looks.length, 5);
  const count = (phase: string): number => server.phases.filter((known) => known === phase).length;
  assert.deepEqual([count('code'), count('tools'), count('reflect')], [5, 4, 4]);
});

test('4, 5, 7: no more than three calls are made; what is none is left out and told; the same one counts once', async (t) => {
  const { lookedUp, result, server } = await run(t, {
    code: codes('one', 'good'),
    tools: [
      [
        'get_class_info("A")',
        'get_class_info("A")',
        'get_magic("A")',
        'get_signature(method="put", class="A", size=3)',
        'get_signature(class=A, method=put)',
        'get_method_body("A", "put")',
        'get_relevant_code("entries")',
      ].join('\n'),
    ],
  });
  assert.deepEqual(
    lookedUp.map((call) => call.split(' ')[0]),
    ['get_class_info', 'get_signature', 'get_method_body'],
  );
  const notes = result.attempts[0]?.notes ?? [];
  assert.equal(notes.length, 3);
  assert.match(notes.join('\n'), /get_magic: there is no such tool/);
  assert.match(notes.join('\n'), /get_signature: .*size/);
  assert.match(notes.join('\n'), /get_relevant_code: left out, since no more than 3 calls/);
  assert.match(server.prompts('reflect')[0] ?? '', /there is no such tool/);
});

test('native calls are taken where the endpoint has them; broken arguments are told', async (t) => {
  const { lookedUp, result } = await run(t, {
    code: codes('one', 'good'),
    tools: [
      callsTools(
        { name: 'get_imports', arguments: '' },
        { name: 'get_class_info', arguments: '{"classes":["Store"],"query":"put"}' },
        { name: 'get_signature', arguments: '{"method":' },
      ),
    ],
  });
  assert.deepEqual(lookedUp, [
    'get_imports {} (I look it up.)',
    'get_class_info {"classes":["Store"],"query":"put"} (I look it up.)',
  ]);
  assert.match(result.attempts[0]?.notes.join() ?? '', /get_signature: its arguments are no JSON object/);
});

test('6: no call at all is a fine answer', async (t) => {
  const { lookedUp, result, server } = await run(t, { code: codes('one', 'good'), tools: ['None.'] });
  assert.deepEqual([lookedUp, result.outcome], [[], 'passed']);
  assert.doesNotMatch(server.prompts('reflect')[0] ?? '', /# What was looked up/);
});

test('8: what is wrong in the file itself is told first, however much else there is', async (t) => {
  const findings = [
    ...Array.from({ length: 60 }, (_, i) => ({
      file: 'other.py',
      line: i + 1,
      message: `elsewhere ${i} ${'x '.repeat(20)}`,
    })),
    { file: 'a.py', line: 1, message: 'mine is wrong' },
  ];
  const { server } = await run(
    t,
    { code: codes('one', 'good') },
    { oracle: (text) => (text === 'good' ? GOOD : { compiles: true, findings }) },
  );
  const told = server.prompts('reflect')[0] ?? '';
  assert.match(told, /The check reports:\na\.py:1: mine is wrong\n {4}one\nother\.py:1: elsewhere 0/);
  assert.match(told, /… and \d+ more\n/);
  assert.doesNotMatch(told, /elsewhere 59/);
});

test('9: an oracle that cannot run counts as no look; one that never can ends it', async (t) => {
  const failing = await run(
    t,
    { code: codes('one', 'good') },
    { oracle: (text, nth) => (nth === 1 ? { ok: false, message: 'no memory' } : text === 'good' ? GOOD : bad('w')) },
  );
  assert.deepEqual([failing.result.outcome, failing.looks.length, failing.result.oracleCalls], ['passed', 3, 2]);
  const never = await run(t, { code: codes('one') }, { oracle: () => ({ ok: false, message: 'no such program' }) });
  assert.deepEqual(
    [never.result.outcome, never.result.message, never.result.oracleCalls],
    ['oracle', 'no such program', 0],
  );
  assert.equal(never.result.best?.code, 'one');
});

test('10: the same code again and again ends it, and is not looked at again', async (t) => {
  const { result, looks } = await run(t, { code: codes('one') });
  assert.deepEqual([result.outcome, looks.length], ['fixpoint', 1]);
});

test('feedback that stays the same ends it', async (t) => {
  const { result, looks } = await run(t, { code: codes('a', 'b', 'c', 'd', 'e') }, { oracle: () => bad('the same') });
  assert.deepEqual([result.outcome, looks.length], ['stagnant', 3]);
});

test('11: the best candidate is given back, not the last one; of equal ones the later', async (t) => {
  const tests = (passed: number): Judgement => ({
    compiles: true,
    findings: [],
    tests: {
      passed: Array.from({ length: passed }, (_, i) => `p${i}`),
      failed: Array.from({ length: 4 - passed }, (_, i) => ({ name: `f${i} of ${passed}` })),
      expected: 4,
    },
  });
  const by: Record<string, Judgement> = {
    a: bad('x', { compiles: false }),
    b: tests(3),
    c: tests(3),
    d: tests(1),
    e: bad('y', { compiles: false }),
  };
  const { result } = await run(t, { code: codes('a', 'b', 'c', 'd', 'e') }, { oracle: (text) => by[text] ?? GOOD });
  assert.deepEqual([result.outcome, result.best?.code, result.attempts.length], ['exhausted', 'c', 5]);
});

test('13: each way asks what it should, and nothing else', async (t) => {
  const phases: Record<Mode, number[]> = {
    rrr: [5, 4, 4],
    reflexion: [5, 0, 4],
    repocoder: [5, 0, 0],
    rag: [1, 0, 0],
    basic: [1, 0, 0],
  };
  for (const mode of MODES) {
    const { server, looks, snippetQueries, result } = await run(t, { code: codes('a', 'b', 'c', 'd', 'e') }, { mode });
    const count = (phase: string): number => server.phases.filter((known) => known === phase).length;
    assert.deepEqual([count('code'), count('tools'), count('reflect')], phases[mode], mode);
    const { hasOracle, hasSnippets, looksUpAgain, isLoop } = SWITCHES[mode];
    assert.equal(looks.length, hasOracle ? 5 : 1, mode);
    assert.equal(result.outcome, hasOracle ? 'exhausted' : 'unchecked', mode);
    assert.equal(snippetQueries.length, hasSnippets ? (looksUpAgain ? 5 : 1) : 0, mode);
    assert.equal(
      server.prompts('code').some((prompt) => prompt.includes('wrong: ')),
      hasOracle && isLoop,
      mode,
    );
  }
});

test('15: nothing is looked up about what is being written', async (t) => {
  const { lookedUp, result } = await run(t, {
    code: codes('one', 'good'),
    tools: ['get_class_info("Cache")\nget_signature("Cache", "put")\nget_method_body(method="Cache")'],
  });
  assert.deepEqual(lookedUp, []);
  assert.equal(result.attempts[0]?.notes.filter((note) => /Cache is what is being written/.test(note)).length, 3);
});

test('16: a text that is called a call is never run', async (t) => {
  const before = process.env['INJECTED'];
  const { lookedUp } = await run(t, {
    code: codes('one', 'good'),
    tools: [
      [
        'get_class_info(process.env.INJECTED = "1")',
        'get_class_info(__import__("os").system("touch /tmp/injected"))',
        'get_signature(`${process.exit(1)}`, (() => 1)())',
        'get_class_info("Store"); process.exit(1)',
      ].join('\n'),
    ],
  });
  assert.equal(process.env['INJECTED'], before);
  assert.deepEqual(
    lookedUp.map((call) => call.replace(/ \(.*/s, '')),
    ['get_class_info {"classes":["Store"]}'],
  );
});

test('answers that cannot be used are asked for again with the reason, and then it ends', async (t) => {
  const mended = await run(t, { code: ['I cannot do that.', fenced('unplaceable'), fenced('good')] });
  assert.equal(mended.result.outcome, 'passed');
  const [, second = '', third = ''] = mended.server.prompts('code');
  assert.match(second, /could not be used: the answer holds no code block/);
  assert.match(third, /could not be used: it does not fit/);
  const never = await run(t, { code: ['No.'] });
  assert.equal(never.result.outcome, 'refused');
  assert.equal(never.server.phases.length, 3);
});

test('limits and a failing endpoint end it with the best so far', async (t) => {
  const limited = await run(t, { code: codes('one', 'two') }, { callsMost: 4 });
  assert.deepEqual([limited.result.outcome, limited.result.best?.code], ['budget', 'two']);
  assert.match(limited.result.message ?? '', /4 model calls, the limit/);
  const gone = await run(t, { code: codes('one'), tools: [(response) => response.writeHead(401).end('{}')] });
  assert.deepEqual([gone.result.outcome, gone.result.best?.code], ['model', 'one']);
});
