/**
 * Every single call of the file system goes wrong in turn, in every way, and each time the state is
 * the one before or the one after, nothing is left lying about, and other runs can be taken back.
 *
 * How many calls and faults that were stands in the output of each law.
 */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { FileEdit } from '#src/engine/file-edit.js';
import { realFileSystem, type FileSystem } from '#src/io/disk/file-system.js';
import { rootKey } from '#src/io/disk/folders.js';
import { Journal } from '#src/io/journal/journal.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { tryLock } from '#src/io/process/process-lock.js';
import { readText } from '#src/io/index/read-sources.js';
import { LeftStore } from '#src/io/journal/left-store.js';
import { SealedLog } from '#src/io/fleet/sealed-log.js';
import { DiskRunNotes } from '#src/io/journal/run-notes.js';
import { SummaryCache } from '#src/io/index/summary-cache.js';
import { grantOfSettings, grantTrust, standingOf, withdrawTrust } from '#src/io/settings/trust.js';
import { eachFault } from '../support/each-fault.js';
import { faultyFileSystem, Killed, withoutOpenFolders } from '../support/faulty-file-system.js';
import { pictureOf, rememberFolder } from '../support/picture.js';
import { quickFolder, writeFiles } from '../support/temporary-folder.js';

const EDITS: readonly FileEdit[] = [
  { kind: 'change', file: 'a.py', before: 'A\n', after: 'AA\n' },
  { kind: 'create', file: 'made/n.py', after: 'n\n' },
  { kind: 'delete', file: 'd.py', before: 'd\n' },
  { kind: 'rename', file: 'old.py', to: 'pkg/new.py', before: 'old\n', after: 'new\n' },
];

/** A tree with one run applied, on which `second` is about to work; put back as it was before each fault. */
function prepared(t: TestContext, begin: (state: string, root: string) => void) {
  const folder = quickFolder(t);
  const [root, state] = [join(folder, 'root'), join(folder, 'state')];
  writeFiles(root, { 'a.py': 'a\n', 'd.py': 'd\n', 'old.py': 'old\n', 'pkg/p.py': 'p\n', 'a.py.codeplan.tmp': 'mine' });
  chmodSync(join(root, 'd.py'), 0o640);
  const first = pictureOf(root);
  new Journal(state, root).apply('first', '', [{ kind: 'change', file: 'a.py', before: 'a\n', after: 'A\n' }]);
  const before = pictureOf(root);
  begin(state, root);
  const started = pictureOf(root);
  return {
    root,
    state,
    before,
    started,
    reset: rememberFolder(folder),
    /** What has to hold after any fault once the run `second` is no more. */
    expectTheRest: () => {
      const journal = new Journal(state, root);
      assert.deepEqual(pictureOf(root), before);
      assert.deepEqual(journal.log().damaged, []);
      assert.equal(journal.log().entries.find(({ run }) => run === 'first')?.state, 'applied');
      journal.undo('first');
      assert.deepEqual(pictureOf(root), first);
      const left = readdirSync(join(state, rootKey(root), 'journal'));
      assert.deepEqual(
        left.filter((name) => !/^\d{8}\.\w+$/u.test(name) && !name.startsWith(`lock.${process.pid}.`)),
        [],
      );
    },
  };
}

const stateOf = (journal: Journal, run: string): string | undefined =>
  journal.log().entries.find((entry) => entry.run === run)?.state;

for (const [where, base, stride] of [
  ['through open folders', realFileSystem, 1],
  ['by paths', withoutOpenFolders(realFileSystem), 5],
] as const) {
  test(`an apply of which one call fails has happened or has not, ${where}`, async (t) => {
    const tree = prepared(t, () => undefined);
    tree.reset();
    new Journal(tree.state, tree.root).apply('second', '', EDITS);
    const after = pictureOf(tree.root);
    await eachFault(
      t,
      base,
      tree.reset,
      (fs) => new Journal(tree.state, tree.root, fs).apply('second', '', EDITS),
      (fault, error) => {
        const journal = new Journal(tree.state, tree.root);
        const state = stateOf(journal, 'second');
        if (error === undefined) assert.deepEqual([state, pictureOf(tree.root)], ['applied', after]);
        else if (fault !== 'kill' && fault !== 'full')
          assert.deepEqual([state, pictureOf(tree.root)], [undefined, tree.before], 'a single failure is answered');
        if (state !== undefined) journal.undo('second');
        tree.expectTheRest();
      },
      stride,
    );
  });

  test(`an undo of which one call fails has happened or has not, ${where}`, async (t) => {
    const tree = prepared(t, (state, root) => new Journal(state, root).apply('second', '', EDITS));
    await eachFault(
      t,
      base,
      tree.reset,
      (fs) => new Journal(tree.state, tree.root, fs).undo('second'),
      (_, error) => {
        const journal = new Journal(tree.state, tree.root);
        const state = stateOf(journal, 'second');
        if (error === undefined) assert.equal(state, 'undone');
        if (state === 'applied') assert.deepEqual(pictureOf(tree.root), tree.started);
        if (state !== 'undone') journal.undo('second');
        tree.expectTheRest();
      },
      stride,
    );
  });
}

test('hole 9: a renamed file is at one of its places, whenever an apply or an undo of it is killed', (t) => {
  const [root, state] = [quickFolder(t), quickFolder(t)];
  writeFiles(root, { 'old.py': 'old\n' });
  const edit: FileEdit = { kind: 'rename', file: 'old.py', to: 'new.py', before: 'old\n', after: 'new\n' };
  let moments = 0;
  for (const what of ['apply', 'undo'] as const) {
    if (what === 'undo') new Journal(state, root).apply('r', '', [edit]);
    const reset = [rememberFolder(root), rememberFolder(state)];
    const work = (fs: FileSystem): unknown => {
      const journal = new Journal(state, root, fs);
      return what === 'apply' ? journal.apply('r', '', [edit]) : journal.undo('r');
    };
    const counting = faultyFileSystem(undefined, 'kill');
    work(counting.fs);
    for (let at = 0; at < counting.calls(); at++, moments++) {
      for (const again of reset) again();
      assert.throws(() => work(faultyFileSystem(at, 'kill').fs));
      assert.ok(existsSync(join(root, 'old.py')) || existsSync(join(root, 'new.py')), `${what}, call ${at}`);
    }
    for (const again of reset) again();
  }
  t.diagnostic(`${moments} moments`);
});

test('the undo of a run that was killed half way, of which one call fails as well', async (t) => {
  const tree = prepared(t, (state, root) => {
    const counting = faultyFileSystem(undefined, 'kill');
    const trial = quickFolder(t);
    cpSync(root, join(trial, 'root'), { recursive: true });
    new Journal(join(trial, 'state'), join(trial, 'root'), counting.fs).apply('second', '', EDITS);
    // So late that some files have their new content, and some do not.
    const killing = faultyFileSystem(Math.floor(counting.calls() * 0.75), 'kill');
    assert.throws(() => new Journal(state, root, killing.fs).apply('second', '', EDITS), Killed);
  });
  assert.notDeepEqual(tree.started, tree.before);
  await eachFault(
    t,
    realFileSystem,
    tree.reset,
    (fs) => new Journal(tree.state, tree.root, fs).undo('second'),
    (_, error) => {
      const journal = new Journal(tree.state, tree.root);
      if (error === undefined) assert.equal(stateOf(journal, 'second'), 'undone');
      if (stateOf(journal, 'second') !== 'undone') journal.undo('second');
      tree.expectTheRest();
    },
  );
});

test('trust of which one call fails is that from before or that from after', async (t) => {
  const [state, root] = [quickFolder(t), '/somewhere'];
  const [old, next] = [{ oracle: { preset: 'old' } }, { oracle: { preset: 'new' } }];
  await eachFault(
    t,
    realFileSystem,
    () => grantTrust(state, root, [grantOfSettings(old)]),
    (fs) => grantTrust(state, root, [grantOfSettings(next)], fs),
    (_, error) => {
      const granted = standingOf(state, root, grantOfSettings(next)).kind === 'granted';
      assert.notEqual(standingOf(state, root, grantOfSettings(old)).kind === 'granted', granted);
      if (error === undefined) assert.ok(granted);
    },
  );
  await eachFault(
    t,
    realFileSystem,
    () => grantTrust(state, root, [grantOfSettings(old)]),
    (fs) => {
      const seen = standingOf(state, root, grantOfSettings(old), fs).kind === 'granted';
      withdrawTrust(state, root, fs);
      return seen;
    },
    (_, error) => {
      if (error === undefined) assert.ok(!(standingOf(state, root, grantOfSettings(old)).kind === 'granted'));
      assert.ok(!(standingOf(state, root, grantOfSettings(next)).kind === 'granted'));
    },
  );
});

test('what was said of places that are left is never forgotten by a call that fails', async (t) => {
  const state = quickFolder(t);
  const dismissing = (store: LeftStore, what: string): void =>
    store.change((decisions) => ({ ...decisions, dismissed: [...decisions.dismissed, what] }));
  await eachFault(
    t,
    realFileSystem,
    () => {
      rmSync(join(state, rootKey('/r')), { recursive: true, force: true });
      dismissing(new LeftStore(state, '/r'), 'old');
    },
    (fs) => dismissing(new LeftStore(state, '/r', fs), 'next'),
    (_, error) => {
      const store = new LeftStore(state, '/r');
      const { dismissed } = store.read();
      assert.deepEqual(dismissed, dismissed.length === 1 ? ['old'] : ['old', 'next']);
      if (error === undefined) assert.equal(dismissed.length, 2);
      dismissing(store, 'later');
      assert.deepEqual(new LeftStore(state, '/r').read().dismissed, [...dismissed, 'later']);
      assert.equal(store.problem, undefined);
    },
  );
});

test("events of a campaign's log stay once appended, and one that was cut takes no other with it", async (t) => {
  const path = join(quickFolder(t), 'events.log');
  const log = (fs: FileSystem): SealedLog<string> =>
    new SealedLog(fs, path, (value) => (typeof value === 'string' ? value : undefined));
  const appended: string[] = [];
  await eachFault(
    t,
    realFileSystem,
    () => {
      rmSync(path, { force: true });
      appended.length = 0;
    },
    (fs) => {
      for (const events of [['a', 'b'], ['c']]) {
        log(fs).append(events);
        appended.push(...events);
      }
      assert.deepEqual(log(fs).read().events, ['a', 'b', 'c']);
    },
    () => {
      log(realFileSystem).append(['later']);
      const { events, damaged } = log(realFileSystem).read();
      for (const event of [...appended, 'later']) assert.ok(events.includes(event), `${event} is lost`);
      assert.deepEqual(events, ['a', 'b', 'c'].filter((event) => events.includes(event)).concat('later'));
      assert.ok(damaged <= 1);
    },
  );
});

test('a lock of which one call fails is held or is free, never lost', async (t) => {
  const path = join(quickFolder(t), 'lock');
  await eachFault(
    t,
    realFileSystem,
    () => undefined,
    (fs) => {
      const lock = tryLock(path, fs);
      assert.ok(lock !== undefined);
      assert.equal(tryLock(path), undefined);
      lock.release();
    },
    () => {
      const lock = tryLock(path);
      assert.ok(lock !== undefined);
      lock.release();
      assert.ok(!existsSync(path));
    },
  );
});

test('answers that were noted are there, and one that was cut takes no other with it', async (t) => {
  const state = quickFolder(t);
  const answer = (raw: string) =>
    ({ model: 'm', usage: { promptTokens: 1, completionTokens: 1 }, raw, kind: 'noChange' }) as const;
  const noted: string[] = [];
  await eachFault(
    t,
    realFileSystem,
    () => {
      rmSync(join(state, rootKey('/r')), { recursive: true, force: true });
      noted.length = 0;
    },
    (fs) => {
      const notes = new DiskRunNotes(state, '/r', fs);
      notes.begin('run', {});
      noted.push('begun');
      for (const key of ['1', '2', '3']) {
        notes.answered('run', key, answer(key.repeat(50)));
        noted.push(key);
      }
      assert.equal(notes.read('run').answers.size, 3);
    },
    () => {
      if (!noted.includes('begun')) return;
      const notes = new DiskRunNotes(state, '/r');
      notes.answered('run', 'later', answer('later'));
      const { answers } = notes.read(undefined);
      for (const key of [...noted.slice(1), 'later']) assert.ok(answers.has(key), `${key} is lost`);
      for (const [key, { raw }] of answers) assert.equal(raw, key === 'later' ? key : key.repeat(50));
    },
  );
});

test('a cache of which one call fails gives what was put in or nothing', async (t) => {
  const folder = quickFolder(t);
  const grammars = await grammarsOfThread();
  const file = {
    stamp: { size: 1, mtimeMs: 1, ctimeMs: 1, inode: 1 },
    settled: true,
    digest: '',
    byteOrderMark: false,
  };
  const summaryOf = (name: string) => {
    const reading = readText(grammars, { path: 'A.java', text: `class ${name} { void m() { ${name}.x(); } }\n` });
    assert.ok(reading.kind === 'text');
    return reading.summary;
  };
  const [old, added] = [summaryOf('Old'), summaryOf('Added')];
  const first = await SummaryCache.open(folder, '/r', 'build');
  first.put('Old.java', file, old);
  await first.save();
  const expectOld = async (): Promise<SummaryCache> => {
    const cache = await SummaryCache.open(folder, '/r', 'build');
    assert.deepEqual(cache.summary('Old.java'), old);
    return cache;
  };
  let opened = false;
  const reset = rememberFolder(folder);
  await eachFault(
    t,
    realFileSystem,
    () => {
      opened = false;
      reset();
    },
    async (fs) => {
      const cache = await SummaryCache.open(folder, '/r', 'build', fs);
      opened = true;
      const known = cache.summary('Old.java');
      if (known !== undefined) assert.deepEqual(known, old);
      cache.put('Old.java', file, old);
      cache.put('Added.java', file, added);
      await cache.save();
    },
    async (fault) => {
      assert.ok(opened || fault === 'kill', 'a cache that cannot be read is an empty one');
      const found = (await expectOld()).summary('Added.java');
      if (found !== undefined) assert.deepEqual(found, added);
    },
  );
});
