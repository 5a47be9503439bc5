/** Mentions of what an edit renamed or moved, in a whole repository: listed, rewritten on request, taken back. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { commitAll, initRepository } from '../support/git-repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const FILES = {
  'shop/__init__.py': '',
  'shop/store.py':
    'class Store:\n    def fetch_all(self):\n        """Gives what fetch_all found last."""\n        return []\n',
  'shop/use.py':
    'from shop.store import Store\n\n\ndef main():\n    # fetch_all is slow\n    return Store().fetch_all()\n',
  'README.md': 'Call `Store.fetch_all()` once.\n\nQueue.fetch_all is something else.\n',
  'CHANGELOG.md': '- Store.fetch_all is new\n',
  'setup.cfg': '[entry]\nrun = shop.store:Store.fetch_all\n',
  'data.bin': 'fetch_all\0',
};

function opened(t: TestContext): { root: string; service: Service } {
  const folder = temporaryFolder(t);
  const root = join(folder, 'repository');
  mkdirSync(root);
  initRepository(root, FILES);
  commitAll(root, 'before');
  const here = { HOME: folder, PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: join(folder, 'state') };
  const environment = { ...here, CODEPLAN_CACHE_DIR: join(folder, 'cache') };
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  return { root, service: engine.connect({ id: 'test', name: 'test', workingDirectory: root, environment }) };
}

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

test('a renamed method: its mentions are listed by rank, and rewritten where the person asks for their kind', async (t) => {
  const { root, service } = opened(t);
  writeFileSync(join(root, 'shop/store.py'), FILES['shop/store.py'].replace('def fetch_all', 'def load_all'));
  const impact = await service.ask('codeplan/impact', { mentions: true }, call);
  assert.deepEqual(
    impact.mentions?.map(({ file, line, kind, rank }) => `${file}:${line} ${kind} ${rank}`),
    [
      'CHANGELOG.md:1 docs qualified',
      'README.md:1 docs qualified',
      'setup.cfg:2 config qualified',
      'shop/store.py:3 comments spelled',
      'shop/use.py:5 comments spelled',
    ],
  );
  assert.equal((await service.ask('codeplan/impact', {}, call)).mentions, undefined);

  const done = await service.ask(
    'codeplan/plan',
    { model: 'none', oracle: false, mentions: ['docs', 'comments'], apply: true },
    call,
  );
  assert.deepEqual(
    done.mentions?.map(({ file }) => file),
    ['CHANGELOG.md', 'setup.cfg'],
  );
  assert.deepEqual(
    done.steps.map(({ file, rule, status }) => `${file} ${rule} ${status}`),
    [
      'shop/use.py rename applied',
      'shop/store.py mention applied',
      'shop/use.py mention applied',
      'README.md mention applied',
    ],
  );
  assert.equal(read(root, 'README.md'), FILES['README.md'].replace('Store.fetch_all', 'Store.load_all'));
  assert.equal(read(root, 'shop/use.py'), FILES['shop/use.py'].replaceAll('fetch_all', 'load_all'));
  assert.match(read(root, 'shop/store.py'), /what load_all found/);
  await service.ask('codeplan/undo', {}, call);
  for (const file of ['README.md', 'shop/use.py', 'setup.cfg'] as const) assert.equal(read(root, file), FILES[file]);
});

test('a message names a moved module with all that stands around it; strings that may be data are left alone', async (t) => {
  const { root, service } = opened(t);
  const use =
    "from shop.store import Store\n\nSAYS = 'shop.store.Store() was deprecated, and goes soon'\nTABLE = 'shop.store'\n" +
    "SQL = 'select all of them from store.items where it fits'\nSTORE = Store\n";
  writeFileSync(join(root, 'shop/use.py'), use);
  const refactoring = { kind: 'rename-file', from: 'shop/store.py', to: 'shop/depot.py' } as const;
  await service.ask(
    'codeplan/refactor',
    { refactoring, model: 'none', oracle: false, mentions: ['comments'], apply: true },
    call,
  );
  assert.equal(
    read(root, 'shop/use.py'),
    use.replace('from shop.store', 'from shop.depot').replace("'shop.store.Store()", "'shop.depot.Store()"),
  );
});

test('a page that is called by the name of a moved module is renamed with it, unless that name is taken', async (t) => {
  const { root, service } = opened(t);
  mkdirSync(join(root, 'docs'));
  writeFileSync(join(root, 'docs/shop.store.rst'), 'shop.store\n==========\n');
  writeFileSync(join(root, 'docs/shop.use.rst'), 'shop.use\n');
  writeFileSync(join(root, 'docs/shop.taken.rst'), 'taken\n');
  commitAll(root, 'pages');
  renameSync(join(root, 'shop/store.py'), join(root, 'shop/stock.py'));
  renameSync(join(root, 'shop/use.py'), join(root, 'shop/taken.py'));
  await service.ask(
    'codeplan/plan',
    { model: 'none', oracle: false, mentions: ['docs', 'comments', 'config'], apply: true },
    call,
  );
  assert.equal(read(root, 'docs/shop.stock.rst'), 'shop.stock\n==========\n');
  assert.equal(existsSync(join(root, 'docs/shop.store.rst')), false);
  assert.equal(read(root, 'docs/shop.use.rst'), 'shop.taken\n');
  assert.equal(read(root, 'docs/shop.taken.rst'), 'taken\n');
  await service.ask('codeplan/undo', {}, call);
  assert.equal(read(root, 'docs/shop.store.rst'), 'shop.store\n==========\n');
  assert.equal(existsSync(join(root, 'docs/shop.stock.rst')), false);
});

test('a moved file: its path and its module are mentions', async (t) => {
  const { root, service } = opened(t);
  writeFileSync(join(root, 'README.md'), 'See shop/store.py, or `shop.store`. The store is open.\n');
  commitAll(root, 'page');
  renameSync(join(root, 'shop/store.py'), join(root, 'shop/stock.py'));
  await service.ask(
    'codeplan/plan',
    { model: 'none', oracle: false, mentions: ['docs', 'comments', 'config'], apply: true },
    call,
  );
  assert.equal(read(root, 'README.md'), 'See shop/stock.py, or `shop.stock`. The store is open.\n');
  assert.equal(read(root, 'setup.cfg'), '[entry]\nrun = shop.stock:Store.fetch_all\n');
});

test('nothing is looked for where no name went', async (t) => {
  const { root, service } = opened(t);
  writeFileSync(join(root, 'shop/store.py'), FILES['shop/store.py'].replace('return []', 'return [1]'));
  assert.deepEqual((await service.ask('codeplan/impact', { mentions: true }, call)).mentions, []);
});
