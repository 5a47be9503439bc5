/**
 * `codeplan/generate` on repositories: where code goes, what tools see, what the oracle gets, what is written and what
 * follows.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { GenerateParams, GenerateReport } from '#protocol/generate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { eventually } from '../support/eventually.js';
import { fenced, generationServer, type GenerationServer, type Script } from '../support/generation.js';
import { git, repository } from '../support/git-repository.js';
import { modelServer } from '../support/model-server.js';
import { home, type Home } from '../support/program.js';
import { needs } from '../support/tool.js';
import { checkWith } from '../support/own-check.js';
import { trustRepository } from '../support/trusted.js';

const FILES = {
  'store.py':
    'class Store:\n    def put(self, key, value):\n        return key\n\n    def drop(self, key):\n        return key\n',
  'cache.py':
    'from store import Store\n\n\nclass Cache:\n    """Secret recipe."""\n\n    def get(self, key):\n        return key\n\n\nLIMIT = 10\n',
  'job.py': 'from cache import Cache\n\n\ndef run(cache: Cache):\n    return cache.get(1)\n',
};
const CACHE = 'class Cache:\n    def get(self, key, default):\n        return Store().put(key, default)';
const call: Call = { signal: new AbortController().signal, progress: () => undefined };

interface Opened {
  readonly root: string;
  readonly home: Home;
  readonly server: GenerationServer;
  readonly service: Service;
  generate(params: Partial<GenerateParams>): Promise<GenerateReport>;
}

/** `check`: source of a program that is the oracle; it writes `file:line:column: message` for each error. */
async function opened(
  t: TestContext,
  script: Script,
  files: Readonly<Record<string, string>> = FILES,
  check?: string,
): Promise<Opened> {
  const root = repository(t, files);
  const server = await generationServer(script);
  t.after(() => server.close());
  const own = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const { environment } = own;
  if (check !== undefined) await checkWith(check, root, environment);
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
  return {
    root,
    home: own,
    server,
    service,
    generate: (params) =>
      service.ask(
        'codeplan/generate',
        { file: 'cache.py', name: 'Cache', description: 'A cache.', oracle: false, ...params },
        call,
      ),
  };
}

const textOf = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');
const stateOf = (root: string): string =>
  `${git(root, 'status', '--porcelain', '--ignored')}\n${Object.keys(FILES)
    .map((file) => textOf(root, file))
    .join('\0')}`;

test('a block is written anew, what follows from it is planned, and both are written and undone together', async (t) => {
  const here = await opened(t, { code: [fenced(CACHE)] });
  const before = stateOf(here.root);
  const shown = await here.generate({});
  assert.equal(shown.outcome, 'passed', JSON.stringify(shown.attempts));
  assert.equal(stateOf(here.root), before);
  const [seed] = shown.plan?.steps ?? [];
  assert.deepEqual([seed?.id, seed?.block, seed?.how, seed?.rule], [0, 'Cache', 'seed', 'generate']);
  assert.match(seed?.diff ?? '', /\+    def get\(self, key, default\):\n[^]*-    def get\(self, key\):/);
  assert.ok(shown.plan?.open.some(({ file, block }) => file === 'job.py' && block === 'run'));
  const written = await here.generate({ apply: true, values: { default: 'None' } });
  assert.equal(written.plan?.applied, true);
  assert.match(
    textOf(here.root, 'cache.py'),
    /^from store import Store\n\n\nclass Cache:\n {4}def get\(self, key, default\)[^]*LIMIT = 10\n$/,
  );
  assert.match(textOf(here.root, 'job.py'), /cache\.get\(1, None\)/);
  await here.service.undo({}, call);
  assert.equal(stateOf(here.root), before);
});

test('a new block goes to the end, a member into its class, a new file is made', async (t) => {
  const fresh = await opened(t, { code: [fenced('import os\n\ndef sweep(cache):\n    return os.sep')] });
  const added = await fresh.generate({ name: 'sweep', apply: true });
  assert.equal(added.outcome, 'passed');
  assert.equal(
    textOf(fresh.root, 'cache.py'),
    FILES['cache.py'].replace('Store\n', 'Store\nimport os\n') + '\n\ndef sweep(cache):\n    return os.sep\n',
  );
  const member = await opened(t, { code: [fenced('def clear(self):\n    return None')] });
  await member.generate({ name: 'Cache.clear', apply: true });
  assert.match(
    textOf(member.root, 'cache.py'),
    /return key\n\n {4}def clear\(self\):\n {8}return None\n\n\nLIMIT = 10\n$/,
  );
  const file = await opened(t, { code: [fenced('def one():\n    return 1')] });
  const { name: _name, ...whole } = { name: undefined };
  await file.service.ask(
    'codeplan/generate',
    { file: 'new/one.py', description: 'One.', oracle: false, apply: true, ...whole },
    call,
  );
  assert.equal(textOf(file.root, 'new/one.py'), 'def one():\n    return 1\n');
});

test('an answer that declares another block than the wanted one is no answer, and what stands around stays', async (t) => {
  const files = {
    ...FILES,
    'cache.py': 'from store import Store\n\n\nclass Cache:\n    def get(self, key):\n        return Store()\n',
  };
  const other = await opened(
    t,
    { code: [fenced('class Cache:\n    def get(self, key, default):\n        return key')] },
    files,
  );
  const refused = await other.generate({ name: 'Other', apply: true });
  assert.deepEqual([refused.outcome, refused.plan], ['refused', null], JSON.stringify(refused));
  assert.equal(textOf(other.root, 'cache.py'), files['cache.py']);
  const alone = 'class Cache:\n    def get(self, key):\n        return Store().put(key, 1)';
  const again = await opened(t, { code: [fenced(alone)] }, files);
  await again.generate({ apply: true });
  assert.equal(textOf(again.root, 'cache.py'), `from store import Store\n\n\n${alone}\n`);
  await assert.rejects(again.generate({ description: ' ' }), /the description is empty/);
});

test('what stands there already is neither shown nor found by any tool', async (t) => {
  const here = await opened(t, {
    code: [fenced(`${CACHE}\n    def other(self):\n        return Missing().x`), fenced(CACHE)],
    tools: ['get_relevant_code("cache get Secret recipe")\nget_class_info("Store")\nget_imports()'],
  });
  const report = await here.generate({});
  assert.deepEqual(
    report.attempts[0]?.calls.map(({ tool }) => tool),
    report.attempts.length > 1 ? ['get_relevant_code', 'get_class_info', 'get_imports'] : [],
  );
  for (const phase of ['code', 'tools', 'reflect'] as const)
    for (const prompt of here.server.prompts(phase)) assert.doesNotMatch(prompt, /Secret recipe/);
  assert.match(
    here.server.prompts('code')[0] ?? '',
    /# cache\.py without it\n```\nfrom store import Store\n+LIMIT = 10/,
  );
});

/** Says an error wherever a line of a Python file holds the word WRONG, in `root` as it is laid out for it. */
const CHECK = `
import { readdirSync, readFileSync } from 'node:fs';
let bad = false;
for (const file of readdirSync('.').filter((name) => name.endsWith('.py')))
  readFileSync(file, 'utf8').split('\\n').forEach((line, i) => {
    if (line.includes('WRONG')) { bad = true; console.log(file + ':' + (i + 1) + ':1: error: it is wrong'); }
  });
process.exit(bad ? 1 : 0);
`;

test('12: the oracle sees the candidate, and the working tree stays as it is to the byte', async (t) => {
  const here = await opened(t, { code: [fenced(`${CACHE} # WRONG`), fenced(CACHE)] }, FILES, CHECK);
  const before = stateOf(here.root);
  const report = await here.generate({ oracle: true });
  assert.deepEqual([report.outcome, report.oracleCalls], ['passed', 2], JSON.stringify(report));
  assert.match(
    report.attempts[0]?.feedback ?? '',
    /cache\.py:6: it is wrong\n {4}return Store\(\)\.put\(key, default\) # WRONG/,
  );
  assert.equal(stateOf(here.root), before);
});

test('errors that were there before are no fault of the code', async (t) => {
  const files = { ...FILES, 'old.py': 'x = 1  # WRONG\n' };
  const here = await opened(t, { code: [fenced(CACHE)] }, files, CHECK);
  assert.equal((await here.generate({ oracle: true })).outcome, 'passed');
});

test('12: also after a kill in the middle', async (t) => {
  const here = await opened(t, { code: [fenced(CACHE)] });
  const silent = await modelServer(() => undefined);
  t.after(() => silent.close());
  const before = stateOf(here.root);
  const own = home(t, { CODEPLAN_BASE_URL: silent.baseUrl, CODEPLAN_MODEL: 'm' });
  const child = own.start(
    here.root,
    'generate',
    'cache.py',
    '--name',
    'Cache',
    '--description',
    'A cache.',
    '--apply',
    '--no-daemon',
    '--quiet',
  );
  await eventually('the question', () => silent.asked.length === 1 || undefined);
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
  assert.equal(stateOf(here.root), before);
});

test('what does not pass is shown, and written only where the person insists', async (t) => {
  const here = await opened(t, { code: [fenced(`${CACHE} # WRONG`)] }, FILES, CHECK);
  const before = stateOf(here.root);
  const refused = await here.generate({ oracle: true, apply: true });
  assert.deepEqual([refused.outcome, refused.plan?.applied], ['fixpoint', false]);
  assert.equal(stateOf(here.root), before);
  const forced = await here.generate({ oracle: true, apply: true, force: true });
  assert.equal(forced.plan?.applied, true);
  assert.match(textOf(here.root, 'cache.py'), /# WRONG/);
});

test('code that does not parse goes back to the model without the oracle', async (t) => {
  const here = await opened(
    t,
    { code: [fenced('def one(:\n    return 1'), fenced('def one():\n    return 1')] },
    FILES,
    CHECK,
  );
  const report = await here.service.ask(
    'codeplan/generate',
    { file: 'one.py', description: 'One.', oracle: true },
    call,
  );
  assert.equal(report.outcome, 'passed');
  assert.match(report.attempts[0]?.feedback ?? '', /does not compile\.\none\.py:1: syntax error/);
});

test('a name that the repository has, and the code does not import, is found without any oracle', async (t) => {
  const here = await opened(t, {
    code: [
      fenced('def one():\n    return Store()'),
      fenced('from store import Store\n\n\ndef one():\n    return Store()'),
    ],
    tools: ['get_imports()'],
  });
  const report = await here.service.ask(
    'codeplan/generate',
    { file: 'one.py', description: 'One.', oracle: false },
    call,
  );
  assert.deepEqual([report.outcome, report.attempts.length, report.oracle], ['passed', 2, null]);
  assert.match(report.attempts[0]?.feedback ?? '', /one\.py:2: Store is not imported/);
  assert.match(here.server.prompts('reflect')[0] ?? '', /Store: from store import Store/);
});

test('the first question is shown without being sent, also where no model is configured', async (t) => {
  const here = await opened(t, { code: [fenced(CACHE)] });
  const { prompt, outcome } = await here.generate({ prompt: true });
  assert.deepEqual([outcome, prompt?.model, here.server.asked.length], ['preview', 'm', 0]);
  assert.deepEqual(
    prompt?.parts.map(({ part }) => part),
    ['instructions', 'task', 'the file', 'related code', 'the answer wanted'],
  );
  const bare = home(t);
  const said = await bare.run(
    here.root,
    'generate',
    'cache.py',
    '--name',
    'Cache',
    '--description',
    'A cache.',
    '--prompt',
    '--no-daemon',
  );
  assert.equal(said.code, 0, said.stderr);
  assert.match(said.stdout, /^To nobody: no model is configured, about \d+ tokens: instructions \d+/);
});

test('without a model, outside of the root, or in a file that is never sent it says so', async (t) => {
  const here = await opened(t, { code: [fenced(CACHE)] });
  const bare = home(t);
  const said = await bare.run(here.root, 'generate', 'cache.py', '--description', 'A cache.', '--no-daemon');
  assert.deepEqual([said.code, said.stdout], [2, '']);
  assert.match(said.stderr, /no model is configured[^]*CODEPLAN_BASE_URL/);
  await assert.rejects(here.generate({ file: '../x.py' }), /no place for a source/);
  await assert.rejects(here.generate({ file: '.git/x.py' }), /no place for a source/);
  await assert.rejects(here.generate({ file: 'x.unknown' }), /no language/);
  await assert.rejects(here.generate({ file: 'secrets.py' }), /never sent to a model \(noSend: \*secret\*\)/);
  await assert.rejects(
    here.generate({ oracle: 'pyright', tests: ['a'] }),
    /pyright runs no tests by name; pytest, maven-test, junit do/,
  );
  assert.equal(here.server.asked.length, 0);
  assert.equal(existsSync(join(here.root, '../x.py')), false);
});

const CART_TEST =
  'package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.Test;\n\n' +
  'class CartTest {\n    @Test\n    void sums() {\n        assertEquals(3, new Cart().sum(1, 2));\n    }\n}\n';
const cart = (sign: string): string =>
  `package shop;\n\npublic class Cart {\n    public int sum(int a, int b) {\n        return a ${sign} b;\n    }\n}`;

test(
  'classes of JUnit judge once they are trusted, and failing ones are told with their text',
  needs('javac', 'junit'),
  async (t) => {
    const files = {
      'src/shop/Cart.java': 'package shop;\n\npublic class Cart {\n}\n',
      'test/shop/CartTest.java': CART_TEST,
    };
    const here = await opened(t, { code: [fenced(cart('-')), fenced(cart('+'))], reflect: ['It subtracts.'] }, files);
    const wanted = {
      file: 'src/shop/Cart.java',
      name: 'Cart',
      description: 'Sums.',
      oracle: 'junit',
      tests: ['shop.CartTest'],
    };
    const refused = await here.generate(wanted);
    assert.deepEqual([refused.outcome, refused.oracleCalls], ['oracle', 0]);
    assert.match(refused.message ?? '', /java runs the classes that it is given.*codeplan trust --oracle junit/s);
    await trustRepository(here.root, here.home.environment, 'junit');
    const report = await here.generate(wanted);
    assert.deepEqual([report.outcome, report.oracleCalls], ['passed', 2], JSON.stringify(report));
    assert.deepEqual(
      report.attempts.map(({ tests }) => tests),
      [
        { passed: 0, failed: 1, expected: 1 },
        { passed: 1, failed: 0, expected: 1 },
      ],
    );
    assert.match(
      report.attempts[0]?.feedback ?? '',
      /test\/shop\/CartTest\.java:9: CartTest\.sums: expected: <3> but was: <-1>/,
    );
    assert.match(
      report.attempts[0]?.feedback ?? '',
      /The test shop\.CartTest\.sums fails\.\n[^]*assertEquals\(3, new Cart/,
    );
  },
);

test('on the command line: tries, the difference, and how it went', async (t) => {
  const here = await opened(t, { code: [fenced(CACHE)] });
  writeFileSync(join(here.home.environment['HOME'] as string, 'what.md'), 'A cache that keeps a default.');
  const said = await here.home.run(
    here.root,
    'generate',
    'cache.py',
    '--name',
    'Cache',
    '--description',
    join(here.home.environment['HOME'] as string, 'what.md'),
    '--no-oracle',
    '--no-daemon',
  );
  assert.equal(said.code, 1, said.stderr);
  assert.match(
    said.stdout,
    /try 1: compiles, 0 findings\nCache: it passes \(checked by the parser and the names; 1 question,/,
  );
  assert.match(said.stdout, /\+    def get\(self, key, default\):/);
  assert.match(here.server.prompts('code')[0] ?? '', /A cache that keeps a default\./);
});
