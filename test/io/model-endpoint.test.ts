/**
 * The edit models that ask an endpoint, against a real server on the loopback interface.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import type { EditAnswer } from '#src/edit/model/edit-model.js';
import { completionsModel } from '#src/io/model/completions-endpoint.js';
import { chatModel } from '#src/io/model/model-endpoint.js';
import { ENDPOINT_DEFAULTS, settingsFromEnvironment, type EndpointSettings } from '#src/io/model/model-settings.js';
import { editRequest } from '../support/edit-request.js';
import { eventually } from '../support/eventually.js';
import { json, modelServer, piece, says, streams, type ModelServer, type Turn } from '../support/model-server.js';

const KEY = 'test-key-0123456789';
const ANSWER = 'Here:\n```python\ndef save(store, k):\n    store.put(k, 0)\n```\n';
const EDIT = 'def save(store, k):\n    store.put(k, 0)';

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...turns: Turn[]): Promise<ModelServer> {
  const server = await modelServer(...turns);
  servers.push(server);
  return server;
}

function settings(baseUrl: string, given: Partial<EndpointSettings> = {}): EndpointSettings {
  return {
    ...ENDPOINT_DEFAULTS,
    baseUrl,
    apiKey: KEY,
    model: 'small',
    streaming: false,
    timeoutMs: 5000,
    retriesMax: 1,
    ...given,
  };
}

async function ask(baseUrl: string, given: Partial<EndpointSettings> = {}): Promise<EditAnswer> {
  return chatModel(settings(baseUrl, given)).edit(editRequest(), new AbortController().signal);
}

/** The error's kind; its message must name the host and must not hold the key. */
function failed(answer: EditAnswer, baseUrl: string): string {
  assert.equal(answer.kind, 'cannot');
  assert.ok(answer.error, answer.reason);
  assert.ok(answer.error.message.includes(new URL(baseUrl).host), answer.error.message);
  assert.ok(!answer.error.message.includes(KEY));
  return answer.error.kind;
}

test('a whole answer becomes an edit; the request is as agreed', async () => {
  const { baseUrl, asked } = await serve(says(ANSWER));
  const answer = await ask(baseUrl);
  assert.deepEqual(answer, {
    kind: 'edit',
    model: 'openai',
    text: EDIT,
    raw: ANSWER,
    usage: { promptTokens: 11, completionTokens: 7 },
  });
  const [request] = asked;
  assert.ok(request);
  assert.equal(request.path, '/v1/chat/completions');
  assert.equal(request.headers.authorization, `Bearer ${KEY}`);
  assert.equal(request.body['temperature'], 0);
  assert.equal(request.body['model'], 'small');
  assert.deepEqual(
    Object.keys(request.headers).filter((name) => name.startsWith('x-') || name.startsWith('openai')),
    [],
  );
});

test('a streamed answer becomes an edit', async () => {
  const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } })}\n\n`;
  const { baseUrl } = await serve(
    streams([piece(ANSWER.slice(0, 20)), piece(ANSWER.slice(20)), piece('', 'stop'), usage, 'data: [DONE]\n\n'], 'end'),
  );
  assert.deepEqual(await ask(baseUrl, { streaming: true }), {
    kind: 'edit',
    model: 'openai',
    text: EDIT,
    raw: ANSWER,
    usage: { promptTokens: 3, completionTokens: 4 },
  });
});

test('no change is an answer', async () => {
  const { baseUrl } = await serve(says('No changes.\n'));
  assert.equal((await ask(baseUrl)).kind, 'noChange');
});

test('an answer that cannot be used says why and is no error of the endpoint', async () => {
  for (const [said, reason] of [
    ['You should pass a ttl.', /no code block/],
    ['```\na\n```\n```\nb\n```', /2 different code blocks/],
  ] as const) {
    const { baseUrl } = await serve(says(said));
    const answer = await ask(baseUrl);
    assert.ok(answer.kind === 'cannot');
    assert.match(answer.reason, reason);
    assert.equal(answer.error, undefined);
    assert.equal(answer.raw, said);
  }
});

test('without a key no authorization is sent', async () => {
  const { baseUrl, asked } = await serve(says(ANSWER));
  await ask(baseUrl, { apiKey: undefined });
  assert.equal(asked[0]?.headers.authorization, undefined);
});

test('errors that will not pass are not tried again', async () => {
  const cases: [Turn, string][] = [
    [json(401, { error: { message: `Incorrect API key provided: ${KEY}` } }), 'unauthorised'],
    [json(404, { error: { message: `no model small for ${KEY}` } }), 'not-found'],
    [
      json(400, { error: { message: 'maximum context length is 8 tokens', code: 'context_length_exceeded' } }),
      'too-long',
    ],
    [json(422, { error: { message: 'bad' } }), 'refused'],
    [json(429, { error: { message: 'pay', code: 'insufficient_quota' } }), 'refused'],
    [json(302, '', { location: 'http://elsewhere.invalid/v1' }), 'refused'],
    [json(200, '{"choices": [{"mess'), 'bad-answer'],
    [json(200, { choices: [] }), 'bad-answer'],
    [json(200, { hello: 'world' }), 'bad-answer'],
    [says(ANSWER, 'length'), 'too-long'],
    [says(ANSWER, 'content_filter'), 'refused'],
  ];
  for (const [turn, kind] of cases) {
    const { baseUrl, asked } = await serve(turn);
    const answer = await ask(baseUrl);
    assert.equal(failed(answer, baseUrl), kind, answer.kind === 'cannot' ? answer.reason : '');
    assert.equal(asked.length, 1, kind);
  }
});

test('a redirect to another host gets neither prompt nor key', async () => {
  const other = await serve(says(ANSWER));
  const { baseUrl } = await serve(json(307, '', { location: `${other.baseUrl}/chat/completions` }));
  const answer = await ask(baseUrl);
  assert.equal(failed(answer, baseUrl), 'refused');
  assert.equal(other.asked.length, 0);
});

test('too many requests: the wait that was asked for, then an answer', async () => {
  const { baseUrl, asked } = await serve(
    json(429, { error: { message: 'slow down' } }, { 'retry-after': '1' }),
    says(ANSWER),
  );
  const start = performance.now();
  assert.equal((await ask(baseUrl)).kind, 'edit');
  assert.ok(performance.now() - start >= 990);
  assert.equal(asked.length, 2);
});

test('too long a wait is not waited for, and the person is told', async () => {
  const { baseUrl, asked } = await serve(json(429, { error: { message: 'slow down' } }, { 'retry-after': '3600' }));
  const answer = await ask(baseUrl);
  assert.equal(failed(answer, baseUrl), 'rate-limited');
  assert.ok(answer.kind === 'cannot');
  assert.match(answer.reason, /try again in 3600 s/);
  assert.equal(asked.length, 1);
});

test('a server that fails once is asked again, one that always fails a bounded number of times', async () => {
  const failing = json(500, { error: { message: 'oops' } }, { 'retry-after': '0' });
  const once = await serve(failing, says(ANSWER));
  assert.equal((await ask(once.baseUrl)).kind, 'edit');
  const always = await serve(failing);
  const answer = await ask(always.baseUrl, { retriesMax: 2 });
  assert.equal(failed(answer, always.baseUrl), 'server');
  assert.ok(answer.kind === 'cannot');
  assert.match(answer.reason, /oops.*after 3 tries/);
  assert.equal(always.asked.length, 3);
});

test('a stream that is cut in the middle is tried again as a whole', async () => {
  const { baseUrl, asked } = await serve(streams([piece('```\nhalf')], 'cut'), streams([piece(ANSWER, 'stop')], 'end'));
  const answer = await ask(baseUrl, { streaming: true });
  assert.ok(answer.kind === 'edit');
  assert.equal(answer.text, EDIT);
  assert.equal(asked.length, 2);
});

test('a stream that ends without the model being done is no answer', async () => {
  const { baseUrl } = await serve(streams([piece(ANSWER)], 'end'));
  assert.equal(failed(await ask(baseUrl, { streaming: true, retriesMax: 0 }), baseUrl), 'unreachable');
});

test('silence ends in a timeout, before the first byte and in the middle', async () => {
  const mute = await serve(() => undefined);
  assert.equal(failed(await ask(mute.baseUrl, { timeoutMs: 100 }), mute.baseUrl), 'timeout');
  const stuck = await serve(streams([piece('```\nhalf')], 'hang'));
  assert.equal(failed(await ask(stuck.baseUrl, { streaming: true, timeoutMs: 200 }), stuck.baseUrl), 'timeout');
  const halfBody = await serve((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{');
  });
  assert.equal(failed(await ask(halfBody.baseUrl, { timeoutMs: 200 }), halfBody.baseUrl), 'timeout');
});

test('an answer that trickles in without an end is cut off, and so is one that is longer than any', async () => {
  const trickle = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(piece('x')), 5);
    response.on('close', () => clearInterval(timer));
  });
  assert.equal(failed(await ask(trickle.baseUrl, { streaming: true, timeoutMs: 100 }), trickle.baseUrl), 'timeout');
  const long = 'x'.repeat(100_000);
  for (const streaming of [false, true]) {
    const endless = await serve(
      streaming
        ? streams([...Array.from({ length: 9 }, () => piece(long)), piece('', 'stop')], 'end')
        : says(long.repeat(9)),
    );
    const answer = await ask(endless.baseUrl, { streaming });
    assert.equal(failed(answer, endless.baseUrl), 'bad-answer');
    assert.match(answer.kind === 'cannot' ? answer.reason : '', /longer than 500000 characters/);
  }
});

test('a server that takes tokens back gives nobody a budget without an end', async () => {
  const usage = { prompt_tokens: -1e9, completion_tokens: -5 };
  const choices = [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }];
  const { baseUrl } = await serve(json(200, { choices, usage }));
  assert.deepEqual((await ask(baseUrl)).usage, { promptTokens: 0, completionTokens: 0 });
});

test('nobody listens', async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const answer = await ask(baseUrl, { retriesMax: 0 });
  assert.equal(failed(answer, baseUrl), 'unreachable');
  assert.ok(answer.kind === 'cannot');
  assert.match(answer.reason, /nothing listens there/);
});

test('an abort rejects with its reason, while waiting for an answer and between two tries', async () => {
  const reason = new Error('the person pressed a key');
  const turns: Turn[] = [() => undefined, json(429, {}, { 'retry-after': '50' })];
  for (const turn of turns) {
    const { baseUrl, asked } = await serve(turn);
    const abort = new AbortController();
    const answer = chatModel(settings(baseUrl)).edit(editRequest(), abort.signal);
    await eventually('the question', () => asked.length > 0 || undefined);
    abort.abort(reason);
    await assert.rejects(answer, reason);
  }
});

test('text with a secret is not sent, and the line is named', async () => {
  const { baseUrl, asked } = await serve(says(ANSWER));
  const fragment = `def save():\n    key = "AKIA${'ABCDEFGH'.repeat(2)}"\n`;
  const answer = await chatModel(settings(baseUrl)).edit(editRequest({ fragment }), new AbortController().signal);
  assert.equal(failed(answer, baseUrl), 'secret');
  assert.ok(answer.kind === 'cannot');
  assert.match(answer.reason, /pkg\/job\.py:\d+ looks like a secret of the kind aws-access-token/);
  assert.ok(!answer.reason.includes('AKIA'));
  assert.equal(asked.length, 0);
});

test('a model that continues a text gets the prompt as one', async () => {
  const completion = json(200, {
    choices: [{ index: 0, text: ANSWER, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 6 },
  });
  const { baseUrl, asked } = await serve(completion);
  const answer = await completionsModel(settings(baseUrl)).edit(editRequest(), new AbortController().signal);
  assert.deepEqual(answer, {
    kind: 'edit',
    model: 'completions',
    text: EDIT,
    raw: ANSWER,
    usage: { promptTokens: 5, completionTokens: 6 },
  });
  assert.equal(asked[0]?.path, '/v1/completions');
  const prompt = asked[0]?.body['prompt'];
  assert.ok(typeof prompt === 'string' && prompt.includes('store.put(k)') && prompt.endsWith('# Answer\n\n'));
  const event = (text: string, finish: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, text, finish_reason: finish }] })}\n\n`;
  const streaming = await serve(streams([event(ANSWER, null), event('', 'stop'), 'data: [DONE]\n\n'], 'end'));
  assert.equal(
    (
      await completionsModel(settings(streaming.baseUrl, { streaming: true })).edit(
        editRequest(),
        new AbortController().signal,
      )
    ).kind,
    'edit',
  );
});

test("settings come from the environment, the program's own names first", () => {
  const openai = { OPENAI_BASE_URL: 'https://a.example/v1/', OPENAI_API_KEY: 'a', OPENAI_MODEL: 'm' };
  const found = settingsFromEnvironment(openai);
  assert.ok(found.ok);
  assert.deepEqual(
    [found.settings.baseUrl, found.settings.apiKey, found.settings.model],
    ['https://a.example/v1', 'a', 'm'],
  );
  const own = settingsFromEnvironment({ ...openai, CODEPLAN_BASE_URL: 'http://127.0.0.1:1/v1', CODEPLAN_MODEL: 'n' });
  assert.ok(own.ok);
  assert.deepEqual(
    [own.settings.baseUrl, own.settings.apiKey, own.settings.model],
    ['http://127.0.0.1:1/v1', 'a', 'n'],
  );
});

test('settings that cannot work say what to set, and never repeat a key', () => {
  const messages = [
    settingsFromEnvironment({ OPENAI_API_KEY: KEY }),
    settingsFromEnvironment({ CODEPLAN_BASE_URL: 'nonsense' }),
    settingsFromEnvironment({ CODEPLAN_BASE_URL: `https://me:${KEY}@a.example/v1`, CODEPLAN_MODEL: 'm' }),
    settingsFromEnvironment({ CODEPLAN_BASE_URL: 'ftp://a.example' }),
    settingsFromEnvironment({ CODEPLAN_BASE_URL: 'https://a.example/v1' }),
    settingsFromEnvironment({ CODEPLAN_BASE_URL: `https://a.example/v1?key=${KEY}` }),
  ].map((result) => (result.ok ? 'accepted' : result.message));
  const expected = [/CODEPLAN_BASE_URL/, /not a URL/, /CODEPLAN_API_KEY/, /https:\/\//, /CODEPLAN_MODEL/, /query/];
  messages.forEach((message, i) => {
    assert.match(message, expected[i] as RegExp);
    assert.ok(!message.includes(KEY));
  });
});
