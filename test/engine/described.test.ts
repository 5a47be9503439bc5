/**
 * What a model says that symbols could be asked for by, through a real server: found by it, kept by content, followed
 * through edits, moves, deletions and a restart.
 */
import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PlanSearchParams, PlanSearchReport } from '#protocol/plan-search.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';
import { ContentStore, type Writing } from '#src/io/model/content-store.js';
import { repository } from '../support/git-repository.js';
import { json, modelServer, piece, streams, type Asked, type Turn } from '../support/model-server.js';
import { home } from '../support/program.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FILES = {
  'post.py':
    'def dispatch(parcel):\n    """Hands a parcel over."""\n    return parcel\n\n\ndef weigh(parcel):\n    return 1\n',
  'shelf.py': 'class Shelf:\n    """Holds goods."""\n\n    def stack(self, goods):\n        return goods\n',
};
const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const promptOf = ({ body }: Asked): string =>
  (body['messages'] as { content: string }[]).map(({ content }) => content).join('\n');
/** Which symbols were asked about, by name. */
const askedAbout = (asked: readonly Asked[]): string[] =>
  asked.map((one) => /The \w+ (\S+) of the repository/.exec(promptOf(one))?.[1] ?? '?').sort();

const describes: Turn = (response, asked) => {
  const of = askedAbout([asked])[0] ?? '';
  const intents = of.endsWith('dispatch') ? ['I want to mail a letter to my customers'] : [`I want ${of} things`];
  says(JSON.stringify({ intents }))(response, asked);
};

async function there(
  t: TestContext,
  describing: Turn = describes,
  more: NodeJS.ProcessEnv = {},
): Promise<{
  readonly root: string;
  readonly cache: string;
  readonly described: () => string[];
  /** In an engine of its own, which knows only what is on the disk. */
  readonly search: (params?: Partial<PlanSearchParams>) => Promise<PlanSearchReport>;
}> {
  const root = repository(t, FILES);
  const plan = says(JSON.stringify({ steps: [{ intent: 'mail a letter to customers' }] }));
  const [planner, describer] = await Promise.all([modelServer(plan), modelServer(describing)]);
  t.after(() => Promise.all([planner.close(), describer.close()]));
  const cache = temporaryFolder(t);
  const { environment } = home(t, {
    CODEPLAN_CACHE_DIR: cache,
    CODEPLAN_PLAN_BASE_URL: planner.baseUrl,
    CODEPLAN_PLAN_MODEL: 'p',
    CODEPLAN_DESCRIBE_BASE_URL: describer.baseUrl,
    CODEPLAN_DESCRIBE_MODEL: 'd',
    ...more,
  });
  let known = 0;
  return {
    root,
    cache,
    described: () => askedAbout(describer.asked.slice(known, (known = describer.asked.length))),
    search: async (params = { describe: 'all' }) => {
      const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
      const service = engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
      const asked = { request: 'mail a letter', branching: 1, budget: 2, ...params };
      try {
        return await service.ask('codeplan/planSearch', asked, call);
      } finally {
        await engine.close();
      }
    },
  };
}

const foundBy = ({ plans }: PlanSearchReport): string[] =>
  plans[0]?.steps[0]?.symbols.map(({ block, file }) => `${file}:${block}`) ?? [];

test('a symbol is found by what a model says of it, and described once', async (t) => {
  const { search, described } = await there(t);
  assert.deepEqual(foundBy(await search({ describe: 'found' })), [], 'no symbol has a word of the request');
  assert.deepEqual(described(), []);
  const report = await search();
  assert.equal(foundBy(report)[0], 'post.py:dispatch');
  assert.deepEqual(described(), ['post.dispatch', 'post.weigh', 'shelf.Shelf', 'shelf.Shelf.stack']);
  assert.equal(report.usage.calls, 5, 'what describing took counts');
  assert.deepEqual(report.notes, []);
});

test('an edited body is described anew alone, a moved file not at all, a deleted symbol is not found', async (t) => {
  const { search, described, root } = await there(t);
  await search();
  described();
  assert.equal(foundBy(await search())[0], 'post.py:dispatch');
  assert.deepEqual(described(), [], 'an engine that starts again asks for nothing');
  writeFileSync(join(root, 'shelf.py'), FILES['shelf.py'].replace('return goods', 'return [goods]'));
  await search();
  assert.deepEqual(described(), ['shelf.Shelf.stack'], 'not its class, whose heads are as they were');
  renameSync(join(root, 'post.py'), join(root, 'parcels.py'));
  assert.equal(foundBy(await search())[0], 'parcels.py:dispatch');
  assert.deepEqual(described(), []);
  rmSync(join(root, 'parcels.py'));
  assert.ok(foundBy(await search()).every((place) => place.startsWith('shelf.py')));
  assert.deepEqual(described(), []);
});

test('for what a request leads to only that is described; a model that fails is said, and words still answer', async (t) => {
  const found = await there(t);
  await found.search({ request: 'hand a parcel over', describe: 'found' });
  assert.deepEqual(found.described(), ['post.dispatch', 'post.weigh']);
  const failing = await there(t, json(401, { error: { message: 'no' } }));
  const report = await failing.search({ request: 'hand a parcel over', describe: 'all' });
  assert.match(report.notes.join(), /some symbols were not described: asked model d/);
  assert.equal(report.plans.length, 1);
});

/** Near for texts of letters and parcels; the rest is far from them. */
const embeds: Turn = (response, asked) => {
  const data = (asked.body['input'] as string[]).map((text, index) => ({
    index,
    embedding: /letter|parcel/iu.test(text) ? [1, 0.1] : [0.1, 1],
  }));
  json(200, { data, usage: { prompt_tokens: 9 } })(response, asked);
};

test('vectors find a symbol that has no word of the intent, and are asked for once', async (t) => {
  const server = await modelServer(embeds);
  t.after(() => server.close());
  const { search, root } = await there(t, describes, {
    CODEPLAN_EMBED_BASE_URL: server.baseUrl,
    CODEPLAN_EMBED_MODEL: 'v',
  });
  let known = 0;
  const embedded = (): string[] =>
    server.asked.slice(known, (known = server.asked.length)).flatMap(({ body }) => body['input'] as string[]);
  const plain = { vectors: 'all' } as const;
  const report = await search(plain);
  assert.deepEqual(foundBy(report).slice(0, 2), ['post.py:dispatch', 'post.py:weigh']);
  assert.equal(embedded().length, 5, 'four symbols and the intent');
  assert.deepEqual(foundBy(await search(plain)), foundBy(report));
  assert.deepEqual(embedded(), [], 'also of an engine that starts again');
  renameSync(join(root, 'post.py'), join(root, 'parcels.py'));
  writeFileSync(join(root, 'shelf.py'), FILES['shelf.py'].replace('return goods', 'return [goods]'));
  assert.equal(foundBy(await search(plain))[0], 'parcels.py:dispatch');
  assert.deepEqual(
    embedded().map((text) => text.split('\n')[0]),
    ['Shelf.stack'],
  );
});

const plainText: Writing<string> = { write: (text) => text, read: (text) => text };

test('a store is what was put in, whatever a killed process left; what is used last stays', (t) => {
  const folder = join(temporaryFolder(t), 'made');
  const open = (most: number): ContentStore<string> => new ContentStore(folder, { writing: plainText, most });
  const first = open(1000);
  for (let at = 0; at < 9; at++) {
    const one = open(1000);
    one.put(`key ${at}`, `value ${at}`);
    one.close();
  }
  first.close();
  writeFileSync(join(folder, '00000090-feed.jsonl'), '{"k":"whole","v":"yes"}\nnonsense\n{"k":4}\n{"k":"cut","v":"n');
  // So long ago that nobody can still be writing to them.
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  const second = open(1000);
  assert.deepEqual(
    ['key 0', 'key 8', 'whole', 'cut', 'nothing'].map((key) => second.get(key)),
    ['value 0', 'value 8', 'yes', undefined, undefined],
  );
  second.close();
  // Room for three: those that were used last.
  const third = open(3 * 'key 0value 0'.length);
  assert.deepEqual(
    ['key 0', 'key 1', 'key 8', 'whole'].map((key) => third.get(key)),
    ['value 0', undefined, 'value 8', 'yes'],
  );
  third.close();
  assert.ok(!readdirSync(folder).includes('00000090-feed.jsonl'), 'what was joined into one is gone');
});

test('a store that cannot be had on the disk keeps things in memory', (t) => {
  const folder = join(temporaryFolder(t), 'file');
  writeFileSync(folder, 'no folder');
  const store = new ContentStore(folder, { writing: plainText, most: 1000 });
  store.put('a', 'b');
  assert.equal(store.get('a'), 'b');
  store.close();
});
