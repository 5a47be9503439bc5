/**
 * The model client against a real server: choices, seeds, tools, forms of answers, vectors, roles, cassettes, budgets.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { endpointEmbedder } from '#src/io/model/embeddings-endpoint.js';
import { recording, replaying } from '#src/io/model/cassette.js';
import { endpointClient } from '#src/io/model/model-client.js';
import { endpointOfRole } from '#src/io/model/model-roles.js';
import { ENDPOINT_DEFAULTS, type EndpointSettings } from '#src/io/model/model-settings.js';
import { FREE } from '#src/model/budget.js';
import { Ledger, metered } from '#src/model/metered.js';
import type { AskOptions, Completion, ModelRequest } from '#src/model/model.js';
import { structured, type Form } from '#src/model/structured.js';
import { json, modelServer, says, streams, type ModelServer, type Turn } from '../support/model-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...turns: Turn[]): Promise<ModelServer> {
  const server = await modelServer(...turns);
  servers.push(server);
  return server;
}

const settings = (baseUrl: string, given: Partial<EndpointSettings> = {}): EndpointSettings => ({
  ...ENDPOINT_DEFAULTS,
  baseUrl,
  apiKey: 'k',
  model: 'small',
  streaming: false,
  timeoutMs: 30_000,
  retriesMax: 0,
  ...given,
});

const QUESTION: ModelRequest = { kind: 'test', messages: [{ role: 'user', content: 'What is next?' }] };
const { signal } = new AbortController();
const ask = (baseUrl: string, options: Partial<AskOptions> = {}, given = {}): Promise<Completion> =>
  endpointClient(settings(baseUrl, given)).complete(QUESTION, { signal, ...options });

const choices = (...texts: string[]): Turn =>
  json(200, {
    choices: texts.map((content, index) => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' })),
    usage: { prompt_tokens: 5, completion_tokens: texts.length },
  });

const textsOf = (completion: Completion): string[] =>
  completion.ok ? completion.choices.map(({ text }) => text) : [completion.error.kind];

test('n choices are asked for at once', async () => {
  const { baseUrl, asked } = await serve(choices('a', 'b', 'c'));
  const completion = await ask(baseUrl, { n: 3, temperature: 0.5, seed: 4, tokensMost: 90 });
  assert.deepEqual(textsOf(completion), ['a', 'b', 'c']);
  assert.deepEqual(completion.usage, { calls: 1, promptTokens: 5, completionTokens: 3 });
  const { n, temperature, seed, max_tokens: most } = asked[0]?.body ?? {};
  assert.deepEqual([n, temperature, seed, most], [3, 0.5, 4, 90]);
});

test('where n is not honoured the rest is asked for one by one, each with its seed', async () => {
  const { baseUrl, asked } = await serve(says('one'), says('two'), says('three'));
  const completion = await ask(baseUrl, { n: 3 });
  assert.deepEqual(textsOf(completion), ['one', 'two', 'three']);
  assert.equal(completion.usage.calls, 3);
  assert.deepEqual(
    asked.map(({ body }) => [body['n'], body['seed']]),
    [
      [3, undefined],
      [undefined, 1],
      [undefined, 2],
    ],
  );
});

test('a parameter that the endpoint does not know is left out from then on', async () => {
  const refusal = json(400, { error: { message: "Unsupported value: 'temperature' must be 1", param: 'temperature' } });
  const { baseUrl, asked } = await serve(refusal, says('ok'), says('again'));
  const client = endpointClient(settings(baseUrl));
  assert.deepEqual(textsOf(await client.complete(QUESTION, { signal, temperature: 0 })), ['ok']);
  assert.deepEqual(textsOf(await client.complete(QUESTION, { signal, temperature: 0 })), ['again']);
  assert.deepEqual(
    asked.map(({ body }) => body['temperature']),
    [0, undefined, undefined],
  );
});

const TOOL = { name: 'look', description: 'looks', parameters: { type: 'object', properties: {} } };

test('tools are offered, and what the model asks of them comes back as it wrote it', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at": "x"}' } };
  const { baseUrl, asked } = await serve(
    json(200, { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] }),
    says('done'),
  );
  const client = endpointClient(settings(baseUrl));
  const first = await client.complete(QUESTION, { signal, tools: [TOOL] });
  assert.ok(first.ok);
  const [choice] = first.choices;
  assert.deepEqual(choice, {
    text: '',
    toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at": "x"}' }],
    finish: 'stop',
  });
  const { messages } = QUESTION;
  const more = [
    { role: 'assistant', content: '', toolCalls: choice?.toolCalls ?? [] },
    { role: 'tool', callId: 'c1', content: 'nothing there' },
  ] as const;
  await client.complete({ kind: 'test', messages: [...messages, ...more] }, { signal, tools: [TOOL] });
  assert.deepEqual(asked[0]?.body['tools'], [{ type: 'function', function: TOOL }]);
  assert.deepEqual(asked[1]?.body['messages'], [
    { role: 'user', content: 'What is next?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'nothing there' },
  ]);
});

test('a stream of several choices and of a tool call in pieces is put together', async () => {
  const event = (index: number, delta: unknown, finish: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index, delta, finish_reason: finish }] })}\n\n`;
  const part = (given: string, name?: string): unknown => ({
    tool_calls: [{ index: 0, ...(name === undefined ? {} : { id: 'c9' }), function: { name, arguments: given } }],
  });
  const { baseUrl } = await serve(
    streams(
      [
        event(0, { content: 'fir' }),
        event(1, part('{"a":', 'look')),
        event(0, { content: 'st' }, 'stop'),
        event(1, part('1}'), 'tool_calls'),
        'data: [DONE]\n\n',
      ],
      'end',
    ),
  );
  const completion = await ask(baseUrl, { n: 2 }, { streaming: true });
  assert.ok(completion.ok);
  assert.deepEqual(
    completion.choices.map(({ text, toolCalls }) => [text, toolCalls]),
    [
      ['first', []],
      ['', [{ id: 'c9', name: 'look', arguments: '{"a":1}' }]],
    ],
  );
});

test('what looks like a secret does not leave', async () => {
  const { baseUrl, asked } = await serve(says('ok'));
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
  await endpointClient(settings(baseUrl)).complete(
    { kind: 'test', messages: [{ role: 'user', content: `token = ${secret}` }] },
    { signal },
  );
  assert.ok(!JSON.stringify(asked).includes(secret));
});

const WORD: Form<string> = {
  name: 'word',
  description: 'an object with the field word',
  schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'], additionalProperties: false },
  inWords: 'Answer with {"word": "..."} alone.',
  fromJson: (value) =>
    typeof value === 'object' && value !== null && 'word' in value && typeof value.word === 'string'
      ? { ok: true, value: value.word }
      : { ok: false, reason: 'there is no word' },
  fromText: (text) => {
    const word = /^word: (\w+)$/m.exec(text)?.[1];
    return word === undefined ? { ok: false, reason: 'the answer is no word' } : { ok: true, value: word };
  },
};

test('a form is asked for by schema, then by a tool, then in words; the way that works is remembered', async () => {
  const no = json(400, { error: { message: 'unknown field' } });
  const { baseUrl, asked } = await serve(no, no, says('Well:\n```json\n{"word": "here"}\n```'), says('word: there'));
  const client = endpointClient(settings(baseUrl));
  const first = await structured(client, QUESTION, WORD, { signal }, false);
  const second = await structured(client, QUESTION, WORD, { signal }, false);
  assert.deepEqual([first.values, second.values], [['here'], ['there']]);
  assert.equal(first.usage.calls, 3);
  assert.deepEqual(
    asked.map(({ body }) => ['response_format' in body, 'tools' in body]),
    [
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ],
  );
});

test('an answer that cannot be read is asked for once more, with the reason', async () => {
  const { baseUrl, asked } = await serve(says('hm'), says('{"word": "now"}'));
  const read = await structured(endpointClient(settings(baseUrl)), QUESTION, WORD, { signal }, true);
  assert.deepEqual(read.values, ['now']);
  assert.deepEqual(read.refusals, ['the answer is no word']);
  assert.match(JSON.stringify(asked[1]?.body['messages']), /could not be read: the answer is no word/);
});

test('a refused key is not tried in another form', async () => {
  const { baseUrl, asked } = await serve(json(401, { error: { message: 'no' } }));
  const read = await structured(endpointClient(settings(baseUrl)), QUESTION, WORD, { signal }, true);
  assert.equal(read.error?.kind, 'unauthorised');
  assert.equal(asked.length, 1);
});

test('a budget is checked before each question, also where one takes several', async () => {
  const { baseUrl, asked } = await serve(says('one'));
  const budget = { calls: 2, tokens: Infinity, money: Infinity, seconds: Infinity, files: Infinity };
  const ledger = new Ledger(budget, FREE, () => 0);
  const model = metered(endpointClient(settings(baseUrl)), ledger);
  assert.deepEqual(textsOf(await model.complete(QUESTION, { signal, n: 3 })), ['one', 'one']);
  assert.deepEqual(textsOf(await model.complete(QUESTION, { signal })), ['budget']);
  assert.equal(asked.length, 2);
  assert.deepEqual(ledger.spent, { calls: 2, promptTokens: 22, completionTokens: 14 });
});

test('vectors come in the order of the texts and at length 1', async () => {
  const { baseUrl, asked } = await serve(
    json(200, {
      data: [
        { index: 1, embedding: [0, 2] },
        { index: 0, embedding: [3, 4] },
      ],
      usage: { prompt_tokens: 6 },
    }),
  );
  const embedded = await endpointEmbedder(settings(baseUrl)).embed(['a', 'b'], signal);
  assert.ok(embedded.ok);
  const rounded = embedded.vectors.map((vector) => [...vector].map((value) => value.toFixed(2)));
  assert.deepEqual(rounded, [
    ['0.60', '0.80'],
    ['0.00', '1.00'],
  ]);
  assert.equal(asked[0]?.path, '/v1/embeddings');
  assert.deepEqual(asked[0].body['input'], ['a', 'b']);
});

test('vectors that do not fit the texts are an error', async () => {
  const { baseUrl } = await serve(json(200, { data: [{ index: 0, embedding: [1] }] }));
  const embedded = await endpointEmbedder(settings(baseUrl)).embed(['a', 'b'], signal);
  assert.ok(!embedded.ok);
  assert.equal(embedded.error.kind, 'bad-answer');
});

test('a role has its own endpoint, and the general key goes to the general address alone', () => {
  const section = { baseUrl: 'http://all.test/v1', model: 'big', roles: { judge: { model: 'small' } } };
  const environment = { CODEPLAN_API_KEY: 'key', CODEPLAN_PLAN_BASE_URL: 'http://plan.test/v1' };
  const of = (role: 'plan' | 'judge' | 'embed', more = {}): unknown => {
    const found = endpointOfRole(role, { section, environment: { ...environment, ...more } });
    return found.ok ? [found.settings.baseUrl, found.settings.model, found.settings.apiKey] : found.message;
  };
  assert.deepEqual(of('plan'), ['http://plan.test/v1', 'big', undefined]);
  assert.deepEqual(of('plan', { CODEPLAN_PLAN_API_KEY: 'own' }), ['http://plan.test/v1', 'big', 'own']);
  assert.deepEqual(of('judge'), ['http://all.test/v1', 'small', 'key']);
  assert.match(String(of('embed')), /no model for vectors is named/);
});

test('a cassette repeats what was recorded, and says so when it has no answer', async (t) => {
  const { baseUrl, asked } = await serve(says('first'), says('second'));
  const file = join(temporaryFolder(t), 'run.jsonl');
  const recorded = recording(endpointClient(settings(baseUrl)), file);
  await recorded.complete(QUESTION, { signal });
  await recorded.complete(QUESTION, { signal });
  assert.equal(readFileSync(file, 'utf8').trim().split('\n').length, 2);
  const model = replaying(file);
  const said: string[][] = [];
  for (let i = 0; i < 3; i++) said.push(textsOf(await model.complete(QUESTION, { signal })));
  assert.deepEqual(said, [['first'], ['second'], ['second']]);
  assert.deepEqual(textsOf(await model.complete(QUESTION, { signal, seed: 1 })), ['not-found']);
  assert.equal(asked.length, 2);
});

test('a pipe is no cassette, and a line that was never recorded is named', (t) => {
  const folder = temporaryFolder(t);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  assert.throws(() => replaying(pipe), /cannot read the cassette .*pipe: it is no regular file/);
  assert.throws(
    () => recording(endpointClient(settings('http://127.0.0.1:9')), pipe),
    /cannot record the cassette .*pipe: it is no regular file/,
  );
  const line = (promptTokens: number): string =>
    JSON.stringify({
      digest: 'd',
      kind: 'k',
      choices: [{ text: '', toolCalls: [], finish: 'stop' }],
      usage: { calls: 1, promptTokens, completionTokens: 0 },
    });
  const file = join(folder, 'crafted.jsonl');
  for (const hostile of ['{', '[]', line(-1_000_000), '['.repeat(200_000)]) {
    writeFileSync(file, `${line(1)}\n\n${hostile}\n`);
    assert.throws(() => replaying(file), /crafted\.jsonl:3 is no line of a cassette/);
  }
});
