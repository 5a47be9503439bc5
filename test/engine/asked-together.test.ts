/**
 * Steps that are one question, through a real server: what it says, what its answer does, and when a block is asked
 * about on its own.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { modelServer, piece, streams, type Asked, type Turn } from '../support/model-server.js';
import { home } from '../support/program.js';

const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const STORE = 'def put(key):\n    return key\n';
const WIDENED = STORE.replace('(key)', '(key, region)');
const caller = (name: string): string => `from store import put\n\n\ndef run_${name}(key):\n    return put(key)\n`;
const NAMES = ['a', 'b', 'c'];
const FILES = { 'store.py': STORE, ...Object.fromEntries(NAMES.map((name) => [`${name}.py`, caller(name)])) };

const answering =
  (text: string): Turn =>
  (response, asked) => {
    streams([piece(text), piece('', 'stop')], 'end')(response, asked);
  };
const followed = (name: string): string => `\`\`\`\ndef run_${name}(key):\n    return put(key, "${name}")\n\`\`\``;
const userOf = ({ body }: Asked): string =>
  (body['messages'] as readonly { readonly content: string }[]).map(({ content }) => content).join('\n');

interface Ran {
  readonly report: PropagateReport;
  readonly prompts: readonly string[];
  readonly textOf: (file: string) => string;
  readonly service: Service;
}

async function ran(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  turns: readonly Turn[],
  params: PropagateParams = {},
): Promise<Ran> {
  const root = repository(t, files);
  writeFileSync(join(root, 'store.py'), WIDENED);
  const server = await modelServer(...turns);
  t.after(() => server.close());
  const { environment } = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
  const report = await service.propagate({ apply: true, oracle: false, parallel: 1, questions: true, ...params }, call);
  return {
    report,
    prompts: server.asked.map(userOf),
    textOf: (file) => readFileSync(join(root, file), 'utf8'),
    service,
  };
}

const ALL = NAMES.map((name, at) => `## ${at + 1}\n${followed(name)}`).join('\n\n');

test('callers of one function are one question, and each gets its own answer', async (t) => {
  const { report, prompts, textOf } = await ran(t, FILES, [answering(ALL)]);
  assert.equal(prompts.length, 1);
  assert.equal(report.usage.calls, 1);
  assert.deepEqual(report.questions?.[0]?.steps, [1, 2, 3]);
  for (const name of NAMES) assert.match(textOf(`${name}.py`), new RegExp(`put\\(key, "${name}"\\)`));
  const [prompt = ''] = prompts;
  assert.equal(prompt.match(/# Edits so far/g)?.length, 1, prompt);
  for (const [at, name] of NAMES.entries())
    assert.ok(prompt.includes(`# Fragment ${at + 1}: function run_${name} in ${name}.py`), prompt);
});

test('what uses members of one class that were edited together is one question, however it uses them', async (t) => {
  const members = 'class Store:\n    def put(self, key): ...\n\n    def drop(self, key): ...\n';
  const using = (name: string, value: string): string =>
    `from store import Store\n\n\ndef run_${name}(store: Store, keys):\n    return ${value}\n`;
  const root = repository(t, {
    'store.py': members,
    'a.py': using('a', 'store.drop(keys)'),
    'b.py': using('b', '[*map(store.put, keys)]'),
  });
  writeFileSync(join(root, 'store.py'), members.replaceAll('(self, key)', '(self, key, region)'));
  const after = { a: 'store.drop(keys, "a")', b: '[store.put(key, "b") for key in keys]' };
  const server = await modelServer((response, asked) => {
    const said = Object.entries(after).map(([name, value]) => {
      const number = new RegExp(`# Fragment (\\d): function run_${name}`).exec(userOf(asked))?.[1] ?? '?';
      return `## ${number}\n\`\`\`\ndef run_${name}(store: Store, keys):\n    return ${value}\n\`\`\``;
    });
    answering(said.join('\n\n'))(response, asked);
  });
  t.after(() => server.close());
  const { environment } = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
  await service.propagate({ apply: true, oracle: false, parallel: 1 }, call);
  assert.equal(server.asked.length, 1);
  for (const [name, value] of Object.entries(after))
    assert.ok(readFileSync(join(root, `${name}.py`), 'utf8').includes(value));
});

test('what one of several answers lacks is asked for on its own, with the reason', async (t) => {
  const two = `## 1\n${followed('a')}\n## 3\nas above`;
  const { prompts, textOf } = await ran(t, FILES, [answering(two), answering(followed('b')), answering(followed('c'))]);
  assert.equal(prompts.length, 3);
  assert.match(prompts[1] ?? '', /no line "## 2" says that an answer to fragment 2 follows/);
  assert.match(prompts[1] ?? '', /The fragment: function run_b/);
  for (const name of NAMES) assert.match(textOf(`${name}.py`), new RegExp(`put\\(key, "${name}"\\)`));
});

test('an answer that ignores the numbers changes nothing, and each is asked on its own', async (t) => {
  const { prompts, textOf } = await ran(t, FILES, [
    answering(followed('a')),
    ...NAMES.map((name) => answering(followed(name))),
  ]);
  assert.equal(prompts.length, 4);
  for (const name of NAMES) assert.match(textOf(`${name}.py`), new RegExp(`put\\(key, "${name}"\\)`));
});

test('one that calls another waits for it: what an answer changes is not what the next one read', async (t) => {
  const chain = `${caller('a')}\n\ndef run_b(key):\n    put(key)\n    return run_a(key)\n`;
  const { prompts } = await ran(t, { 'store.py': STORE, 'a.py': chain }, [
    answering(followed('a')),
    answering('```\ndef run_b(key):\n    put(key, 1)\n    return run_a(key)\n```'),
  ]);
  assert.equal(prompts.length, 2);
  assert.match(prompts[0] ?? '', /# The fragment: function run_a/);
});

test('one by one, each has a question of its own', async (t) => {
  const { prompts } = await ran(
    t,
    FILES,
    NAMES.map((name) => answering(followed(name))),
    { oneByOne: true },
  );
  assert.equal(prompts.length, 3);
});

test('a secret in one of several holds back that one alone', async (t) => {
  const key = 'AKIA' + 'Q3EGRIPLKJ7WXYZ2';
  const files = { ...FILES, 'b.py': caller('b').replace('    return', `    token = "${key}"\n    return`) };
  const { prompts, report, textOf } = await ran(t, files, [answering(followed('a')), answering(followed('c'))]);
  assert.ok(prompts.every((prompt) => !prompt.includes(key)));
  assert.deepEqual(
    report.open.map(({ file }) => file),
    ['b.py'],
  );
  for (const name of ['a', 'c']) assert.match(textOf(`${name}.py`), new RegExp(`put\\(key, "${name}"\\)`));
});

test('the question can be seen before it is sent, with the blocks that it asks about besides', async (t) => {
  const { prompts, service } = await ran(t, FILES, [answering(ALL)], { apply: false });
  const shown = await service.ask('codeplan/prompt', { step: '1' }, call);
  assert.equal(shown.messages.map(({ content }) => content).join('\n'), prompts[0]);
  assert.deepEqual(
    shown.with?.map(({ block }) => block),
    ['run_b', 'run_c'],
  );
});

test('callers of a body that only passes what is new on are not asked', async (t) => {
  const files = { 'store.py': STORE, 'a.py': `${caller('a')}\n\ndef over(key):\n    return run_a(key)\n` };
  const { prompts, report } = await ran(t, files, [answering(followed('a'))]);
  assert.equal(prompts.length, 1);
  assert.deepEqual(report.open, []);
  const more = await ran(t, files, [
    answering('```\ndef run_a(key):\n    return [put(key, "a")]\n```'),
    answering('No changes.'),
  ]);
  assert.equal(more.prompts.length, 2);
  assert.match(more.prompts[1] ?? '', /The fragment: function over/);
});
