/**
 * `codeplan ground` as a person runs it: by words alone, and with models that say what symbols could be asked for by
 * and give vectors, through real servers.
 */
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import * as z from 'zod';
import { groundReport } from '#protocol/tools.js';
import { repository } from '../support/git-repository.js';
import { json, modelServer, piece, streams, type Asked, type ModelServer, type Turn } from '../support/model-server.js';
import { home, type Home, type Outcome } from '../support/program.js';

const FILES = {
  'post.py':
    'def dispatch(parcel):\n    """Hands a parcel over."""\n    return parcel\n\n\ndef weigh(parcel):\n    return 1\n',
  'shelf.py': 'class Shelf:\n    """Holds goods."""\n\n    def stack(self, goods):\n        return goods\n',
  'keys_secret.py': 'def letter_key(parcel):\n    return 3\n',
};
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const promptOf = ({ body }: Asked): string =>
  (body['messages'] as { content: string }[]).map(({ content }) => content).join('\n');

/** Somebody mails letters with `dispatch`; of all else only its name is said. */
const describes: Turn = (response, asked) => {
  const of = /The \w+ (\S+) of the repository/.exec(promptOf(asked))?.[1] ?? '';
  const intents = of.endsWith('dispatch') ? ['I want to mail a letter to my customers'] : [`I want ${of} things`];
  says(JSON.stringify({ intents }))(response, asked);
};
const embeds: Turn = (response, asked) => {
  const data = (asked.body['input'] as string[]).map((text, index) => ({
    index,
    embedding: /envelope|dispatch/iu.test(text) ? [1, 0.1] : [0.1, 1],
  }));
  json(200, { data, usage: { prompt_tokens: 9 } })(response, asked);
};

interface There {
  readonly root: string;
  readonly there: Home;
  readonly describer: ModelServer;
  readonly embedder: ModelServer;
  ground(...args: string[]): Promise<Outcome>;
}

async function at(t: TestContext, describing: Turn = describes): Promise<There> {
  const root = repository(t, FILES);
  writeFileSync(join(root, 'codeplan.json'), JSON.stringify({ noSend: ['keys_*.py'] }));
  const [describer, embedder] = await Promise.all([modelServer(describing), modelServer(embeds)]);
  t.after(() => Promise.all([describer.close(), embedder.close()]));
  const there = home(t, {
    CODEPLAN_DESCRIBE_BASE_URL: describer.baseUrl,
    CODEPLAN_DESCRIBE_MODEL: 'd',
    CODEPLAN_EMBED_BASE_URL: embedder.baseUrl,
    CODEPLAN_EMBED_MODEL: 'v',
  });
  return { root, there, describer, embedder, ground: (...args) => there.run(root, 'ground', '--no-daemon', ...args) };
}

const { results } = groundReport.shape;
const { symbols: symbolsShape } = results.element.shape;
const one = z.strictObject({
  schema: groundReport.shape.schema,
  intent: z.string(),
  symbols: symbolsShape,
  usage: groundReport.shape.usage,
  notes: groundReport.shape.notes,
});
const batchLine = z.strictObject({ id: z.union([z.string(), z.number()]), symbols: symbolsShape });
const read = ({ stdout }: Outcome): z.infer<typeof one> => one.parse(JSON.parse(stdout));
const blocks = (symbols: z.infer<typeof symbolsShape>): string[] => symbols.map(({ block }) => block);

test('without the flags no model is asked, whoever is configured, and the answer is what it is without one', async (t) => {
  const { ground, root, describer, embedder } = await at(t);
  const plain = await home(t).run(root, 'ground', '--no-daemon', 'hand a parcel over', '--json');
  const configured = await ground('hand a parcel over', '--json');
  assert.equal(configured.stdout, plain.stdout);
  assert.deepEqual(Object.keys(JSON.parse(plain.stdout) as object), ['schema', 'intent', 'symbols']);
  assert.equal((await ground('mail letters to customers')).code, 0, 'a key of letters has the word');
  assert.equal(describer.asked.length + embedder.asked.length, 0);
});

test('a symbol is found by what a model says of it; what may not be sent is not described', async (t) => {
  const { ground, describer } = await at(t);
  const outcome = await ground('mail a letter to customers', '--describe', 'all', '--json');
  const { symbols, usage, notes } = read(outcome);
  assert.equal(outcome.code, 0, outcome.stderr);
  assert.deepEqual(blocks(symbols), ['dispatch', 'letter_key']);
  assert.deepEqual([usage?.calls, notes], [4, []]);
  assert.ok(describer.asked.every((asked) => !promptOf(asked).includes('letter_key')));
  const again = read(await ground('mail a letter to customers', '--describe', 'all', '--json'));
  assert.deepEqual([again.symbols, again.usage?.calls], [symbols, 0], 'what was said is kept');
  const without = read(await ground('mail a letter', '--describe', 'all', '--exclude', 'post.py', '--json'));
  assert.deepEqual(blocks(without.symbols), ['letter_key']);
});

test('a batch is one question with one account, for what its lines lead to', async (t) => {
  const { ground, root, describer, embedder } = await at(t);
  const lines = ['hand a parcel over', 'mail a letter to customers', 'frank an envelope'];
  const batch = lines.map((intent, id) => JSON.stringify({ id, intent })).join('\n');
  writeFileSync(join(root, 'lines.jsonl'), batch);
  const asked = ['--batch', 'lines.jsonl', '--json'];
  const words = (await ground(...asked)).stdout.trim().split('\n');
  assert.deepEqual(blocks(batchLine.parse(JSON.parse(words[2] ?? '')).symbols), []);
  const limited = await ground(...asked, '--describe', 'found', '--max-calls', '1');
  assert.equal(describer.asked.length, 1);
  assert.equal(limited.code, 1, limited.stderr);
  assert.match(limited.stderr, /some symbols were not described: /);
  const outcome = await ground(...asked, '--describe', 'found', '--vectors', 'found');
  const found = outcome.stdout.trim().split('\n');
  const answers = found.map((line) => batchLine.parse(JSON.parse(line)));
  assert.deepEqual(
    answers.map(({ id, symbols }) => [id, symbols[0]?.block, symbols[0]?.via]),
    [
      [0, 'dispatch', 'doc'],
      [1, 'dispatch', 'doc'],
      [2, 'dispatch', 'vectors'],
    ],
  );
  assert.equal(embedder.asked.length, 1, 'the lines and their symbols together');
  assert.ok((embedder.asked[0]?.body['input'] as string[]).every((text) => !text.includes('letter_key')));
});

test('a batch is a regular file of bounded size', async (t) => {
  const { ground, root } = await at(t);
  writeFileSync(join(root, 'large.jsonl'), '');
  truncateSync(join(root, 'large.jsonl'), 64 * 1024 * 1024 + 1);
  for (const [batch, why] of [
    ['large.jsonl', /cannot read the batch \S+: it has 67108865 bytes, more than the 67108864 that it may have/u],
    ['/dev/zero', /cannot read the batch \S+: it is no regular file/u],
  ] as const) {
    const { code, stderr } = await ground('--batch', batch, '--json');
    assert.equal(code, 2);
    assert.match(stderr, why);
  }
});

test('models that fail or are not configured are said', async (t) => {
  const { ground, root } = await at(t, json(401, { error: { message: 'no' } }));
  const outcome = await ground('hand a parcel over', '--describe', 'found');
  assert.equal(outcome.code, 1);
  assert.match(outcome.stdout, /^post\.py:1 {2}dispatch/);
  assert.match(outcome.stderr, /some symbols were not described: asked model d/);
  const bare = home(t);
  for (const flag of ['--describe', '--vectors']) {
    const refused = await bare.run(root, 'ground', '--no-daemon', 'hand a parcel over', flag, 'found');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /none is configured: set model\./);
  }
});

test('of a sentence without a known word it is said that what is found is only spelt like it', async (t) => {
  const { ground, root } = await at(t);
  const guessed = await ground('shelv');
  assert.deepEqual([guessed.code, /no block says a word of the sentence/.test(guessed.stderr)], [1, true]);
  assert.match(guessed.stdout, /Shelf/);
  assert.deepEqual([...new Set(read(await ground('shelv', '--json')).symbols.map(({ via }) => via))], ['spelling']);
  const known = await ground('shelv goods');
  assert.deepEqual([known.code, known.stderr], [0, '']);
  writeFileSync(join(root, 'batch.jsonl'), '{"id":1,"intent":"goods"}\n{"id":2,"intent":"shelv"}\n');
  assert.equal((await ground('--batch', join(root, 'batch.jsonl'))).code, 1);
});
