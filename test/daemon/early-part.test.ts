/**
 * While a repository is being read for the first time, what is left is told from the part around the files that are
 * open: less than in the end, never something else, and said to be a part. So it is later on, where a changed name is
 * said in many files, or syntax runs what changed.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { NearFiles } from '#src/io/index/near-files.js';
import type { LeftReport } from '#protocol/left.js';
import { summarise } from '#src/languages/summarise.js';
import { commitAll, initRepository } from '../support/git-repository.js';
import { testGrammars } from '../support/grammars.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const grammars = await testGrammars();
const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const STORE = 'class Store:\n    def put(self, key):\n        return key\n';
const USE = 'from shop import Store\n\n\ndef use():\n    return Store().put(1)\n';
const FILES = {
  'shop/__init__.py': 'from shop.store import Store\n',
  'shop/store.py': STORE,
  'app/use.py': USE,
  'app/far.py': 'from app.use import use\n\n\ndef far(store):\n    return store.put(2)\n',
  ...Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [`other/m${n}.py`, `def f${n}(a):\n    return [a, ${n}]\n`.repeat(40)]),
  ),
};

function opened(t: TestContext, files: Readonly<Record<string, string>>): Service {
  const folder = temporaryFolder(t);
  const root = join(folder, 'repository');
  mkdirSync(root);
  initRepository(root, files);
  commitAll(root, 'before');
  const environment = { HOME: folder, PATH: process.env['PATH'] ?? '', CODEPLAN_CACHE_DIR: join(folder, 'cache') };
  const engine = createLocalEngine({ root, mode: 'in-process', watch: true, environment, log: () => undefined });
  t.after(() => engine.close());
  return engine.connect({ id: 'test', name: 'test', workingDirectory: root, environment });
}

const places = ({ entries }: LeftReport): string[] => entries.map(({ file, block }) => `${file} ${block}`);

test('a part is told first, and then the whole', async (t) => {
  const service = opened(t, FILES);
  service.setText('shop/store.py', STORE.replace('key):', 'key, ttl):'), 1);
  service.setText('app/use.py', USE, 1);
  const early = await service.ask('codeplan/left', { early: true }, call);
  assert.ok(early.read !== undefined && early.read.files < early.read.of, JSON.stringify(early.read));
  assert.equal(early.read.of, Object.keys(FILES).length);
  assert.equal(early.complete, false);
  assert.deepEqual(places(early), ['app/use.py use']);
  assert.deepEqual(
    early.changes.map(({ block }) => block),
    ['Store.put'],
  );

  const whole = await service.ask('codeplan/left', {}, call);
  assert.equal(whole.read, undefined);
  assert.equal(whole.complete, true);
  assert.deepEqual(places(whole).sort(), ['app/far.py far', 'app/use.py use']);
  assert.equal((await service.ask('codeplan/left', { early: true }, call)).read, undefined);
});

test('a part grows by what mentions the open files, and tells so', async (t) => {
  const service = opened(t, FILES);
  service.setText('shop/store.py', STORE.replace('key):', 'key, ttl):'), 1);
  let report = await service.ask('codeplan/left', { early: true }, call);
  while (report.read !== undefined && report.entries.length === 0) {
    await new Promise<void>((resolve) => {
      const end = service.onChanged(() => {
        end();
        resolve();
      });
    });
    report = await service.ask('codeplan/left', { early: true }, call);
  }
  assert.ok(places(report).includes('app/use.py use'));
});

test('a small repository is read as a whole at once', async (t) => {
  const service = opened(t, { 'store.py': STORE, 'use.py': USE });
  service.setText('store.py', STORE, 1);
  assert.equal((await service.ask('codeplan/left', { early: true }, call)).read, undefined);
});

test('of a name that many files say the open ones are told first, in the words of the whole list', async (t) => {
  const uses = Array.from({ length: 60 }, (_, n): [string, string] => [`app/use${n}.py`, USE]);
  const service = opened(t, {
    'shop/__init__.py': 'from shop.store import Store\n',
    'shop/store.py': STORE,
    ...Object.fromEntries(uses),
  });
  const inOpen = ({ entries }: LeftReport): LeftReport['entries'] =>
    entries.filter(({ file }) => file === 'app/use7.py');
  await service.ask('codeplan/left', {}, call);
  service.setText('shop/store.py', STORE, 1);
  service.setText('app/use7.py', USE, 1);
  for (const name of ['insert', 'inserts']) {
    service.setText('shop/store.py', STORE.replace('put', name), 2);
    const part = await service.ask('codeplan/left', { early: true }, call);
    assert.deepEqual([part.read?.files, part.complete], [2, false]);
    const whole = await service.ask('codeplan/left', {}, call);
    assert.equal(whole.counts.left, 60);
    assert.deepEqual(part.entries, inOpen(whole));
    assert.equal(part.entries[0]?.fact, `renamed: put → ${name}`);
    assert.equal((await service.ask('codeplan/left', { early: true }, call)).read, undefined, 'the whole is known');
  }
  service.setText('shop/store.py', `${STORE}\n\ndef help(a):\n    return a\n`, 3);
  assert.equal((await service.ask('codeplan/left', { early: true }, call)).read, undefined, 'few files say it');
});

test('so are those of a member that syntax runs, and not those of a name that one other file says', async (t) => {
  const gate = (enter: string, pass: string): string =>
    `class Gate:\n    def __enter__(${enter}):\n        return self\n\n    def pass_by(${pass}):\n        return key\n`;
  const service = opened(t, {
    'gate.py': gate('self', 'self, key'),
    'walk.py': 'from gate import Gate\n\n\ndef walk():\n    with Gate() as gate:\n        return gate.pass_by(1)\n',
  });
  service.setText('gate.py', gate('self, how', 'self, key'), 1);
  const part = await service.ask('codeplan/left', { early: true }, call);
  assert.deepEqual([part.read?.files, places(part)], [1, []]);
  assert.deepEqual(places(await service.ask('codeplan/left', {}, call)), ['walk.py walk']);
  service.setText('gate.py', gate('self', 'self, key, how'), 2);
  const whole = await service.ask('codeplan/left', { early: true }, call);
  assert.deepEqual([whole.read, places(whole)], [undefined, ['walk.py walk']]);
});

test('what a file imports and what mentions it is found before anything else is read', async (t) => {
  const files: Readonly<Record<string, string>> = {
    'src/store.ts':
      'import { Base } from "./base";\nexport { help } from "./help";\nexport class Store extends Base {}\n',
    'src/base.ts': 'export class Base {}\n',
    'src/help.ts': 'export const help = 1;\n',
    'src/index.ts': 'export * from "./store";\n',
    'test/far.ts': 'import { Store } from "../src";\n',
    'src/other.ts': 'export const other = 1;\n',
    'a/Shop.java': 'package a;\nclass Shop { Till till; }\n',
    'a/Till.java': 'package a;\nclass Till {}\n',
    'b/User.java': 'package b;\nimport a.Shop;\n',
    'N/Shelf.cs': 'namespace N { class Shelf { Board board; } }\n',
    'N/Board.cs': 'namespace N { class Board {} }\n',
    'M/Room.cs': 'using N;\nclass Room { Shelf shelf; }\n',
  };
  const folder = temporaryFolder(t);
  initRepository(folder, files);
  const near = new NearFiles(folder, Object.keys(files).sort(), new Map(), grammars);
  const expected = {
    'src/store.ts': [['src/base.ts', 'src/help.ts'], ['src/help.ts'], ['src/index.ts', 'src/store.ts', 'test/far.ts']],
    'a/Shop.java': [['a/Shop.java', 'a/Till.java'], [], ['a/Shop.java', 'b/User.java']],
    'N/Shelf.cs': [['N/Board.cs', 'N/Shelf.cs'], [], ['N/Shelf.cs', 'M/Room.cs']],
  };
  for (const [file, [imported, passedOn, mentioning]] of Object.entries(expected)) {
    const summary = summarise(grammars, file, files[file] as string);
    assert.ok(summary !== undefined);
    near.take(new Map([[file, summary]]));
    assert.deepEqual(near.importedBy(file), imported);
    assert.deepEqual(near.passedOnBy(file), passedOn);
    assert.deepEqual(await near.mentioning([file], call.signal), mentioning);
  }
});
