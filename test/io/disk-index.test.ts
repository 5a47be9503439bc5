/** The index follows the disk, and a restart takes from the cache what has not changed. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Host } from '#src/engine/host.js';
import { DiskIndex } from '#src/io/index/disk-index.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { ParsePool } from '#src/io/index/parse-pool.js';
import { SummaryCache } from '#src/io/index/summary-cache.js';
import { eventually } from '../support/eventually.js';
import { git } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const signal = new AbortController().signal;
const pool = new ParsePool(1);

interface Running {
  readonly host: Host;
  readonly index: DiskIndex;
}

async function start(root: string, cacheFolder: string, exclude: readonly string[] = []): Promise<Running> {
  const host = new Host(await grammarsOfThread());
  const cache = await SummaryCache.open(cacheFolder, root, 'build');
  const index = new DiskIndex({ root, exclude, cache, pool, post: (event) => host.post(event) });
  await index.load(signal);
  return { host, index };
}

/** Moves the clock of a file back, so that its stamp counts as settled. */
function settle(root: string, ...paths: string[]): void {
  const past = new Date(Date.now() - 60_000);
  for (const path of paths) utimesSync(join(root, path), past, past);
}

const files = (host: Host): string[] => [...host.snapshot().files.keys()].sort();
const unit = (name: string, body = ''): string => `class ${name} { ${body} }\n`;

test('empty files share one summary a language, on the first start and after a restart', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  const python = Array.from({ length: 10 }, (_, i) => `p${i}/__init__.py`);
  const java = Array.from({ length: 10 }, (_, i) => `E${i}.java`);
  writeFiles(root, Object.fromEntries([...python, ...java].map((path) => [path, ''])));
  for (const round of ['first', 'restart']) {
    const { host, index } = await start(root, cacheFolder);
    for (const paths of [python, java]) {
      const summaries = paths.map((path) => host.snapshot().summary(path));
      assert.ok(summaries[0] !== undefined);
      assert.equal(new Set(summaries).size, 1, round);
    }
    assert.notEqual(host.snapshot().summary('E0.java'), host.snapshot().summary('p0/__init__.py'));
    await index.close();
  }
});

test('the first index reads all, a restart reads what changed', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  const names = Array.from({ length: 20 }, (_, i) => `C${i}.java`);
  writeFiles(root, Object.fromEntries(names.map((path) => [path, unit(path.slice(0, -5), 'int f;')])));
  settle(root, ...names);
  const first = await start(root, cacheFolder);
  assert.deepEqual(files(first.host), [...names].sort());
  assert.deepEqual(first.index.counts, { hits: 0, misses: 20, pending: 0 });
  await first.index.close();

  writeFiles(root, { 'C3.java': unit('C3', 'int g;'), 'New.java': unit('New') });
  rmSync(join(root, 'C4.java'));
  settle(root, 'C5.java');
  const second = await start(root, cacheFolder);
  assert.deepEqual(second.index.counts.misses, 2, 'the changed and the new file');
  assert.equal(second.index.counts.hits, 18, 'a touched file is recognised by its content');
  assert.ok(second.host.snapshot().summary('C3.java')?.names.includes('g'));
  assert.ok(!second.host.snapshot().hasFile('C4.java'));
  for (const path of names)
    if (path !== 'C3.java' && path !== 'C4.java')
      assert.deepEqual(second.host.snapshot().summary(path), first.host.snapshot().summary(path));
  await second.index.close();
});

test('a file that was written again right after it was read is noticed', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, { 'A.java': unit('A', 'int a;') });
  const first = await start(root, cacheFolder);
  await first.index.close();
  const { host, index } = await start(root, cacheFolder);
  assert.equal(index.counts.misses, 0);
  writeFiles(root, { 'A.java': unit('A', 'int b;') });
  await index.refresh(['A.java'], signal);
  assert.ok(host.snapshot().summary('A.java')?.names.includes('b'));
});

test('a refresh takes in edits, new and removed files, renamed folders, ignore files', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  git(root, 'init', '-q');
  writeFiles(root, { 'A.java': unit('A'), 'p/B.java': unit('B'), 'p/C.java': unit('C') });
  const { host, index } = await start(root, cacheFolder);
  writeFiles(root, { 'A.java': unit('A', 'int later;'), 'D.java': unit('D') });
  await index.refresh(['A.java', 'D.java', 'notes.txt'], signal);
  assert.ok(host.snapshot().summary('A.java')?.names.includes('later'));
  assert.deepEqual(files(host), ['A.java', 'D.java', 'p/B.java', 'p/C.java']);
  rmSync(join(root, 'D.java'));
  await index.refresh(['D.java'], signal);
  renameSync(join(root, 'p'), join(root, 'q'));
  await index.refresh(['p', 'q'], signal);
  assert.deepEqual(files(host), ['A.java', 'q/B.java', 'q/C.java']);
  writeFiles(root, { '.gitignore': 'q\n' });
  await index.refresh(['.gitignore'], signal);
  assert.deepEqual(files(host), ['A.java']);
});

test('what git lists otherwise counts, though no file of the work tree changed', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  git(root, 'init', '-q');
  writeFiles(root, { '.gitignore': 'made\n', 'A.java': unit('A'), 'B.java': unit('B'), 'made/C.java': unit('C') });
  const { host, index } = await start(root, cacheFolder);
  const become = (expected: readonly string[]): Promise<boolean> =>
    eventually(`the index holds ${expected.join(', ')}`, async () => {
      await index.settle(signal);
      return isDeepStrictEqual(files(host), expected) || undefined;
    });
  await become(['A.java', 'B.java']);
  git(root, 'add', '-f', 'made/C.java');
  await become(['A.java', 'B.java', 'made/C.java']);
  git(root, 'add', 'A.java');
  git(root, 'rm', '-q', '--cached', 'made/C.java');
  await become(['A.java', 'B.java']);
  writeFileSync(join(root, '.git/info/exclude'), 'B.java\n');
  await become(['A.java']);
});

test('a write in place is seen in folders that were made or moved meanwhile, though no event tells of it', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, { 'old/deep/A.java': unit('A') });
  const { host, index } = await start(root, cacheFolder);
  const holds = (path: string, name: string): Promise<boolean> =>
    eventually(`${path} has ${name}`, async () => {
      await index.settle(signal);
      return host.snapshot().summary(path)?.names.includes(name) === true || undefined;
    });
  renameSync(join(root, 'old'), join(root, 'moved'));
  writeFiles(root, { 'made/er/B.java': unit('B', 'int first;') });
  await holds('made/er/B.java', 'first');
  await holds('moved/deep/A.java', 'A');
  writeFileSync(join(root, 'made/er/B.java'), unit('B', 'int second;'));
  writeFileSync(join(root, 'moved/deep/A.java'), unit('A', 'int third;'));
  await holds('made/er/B.java', 'second');
  await holds('moved/deep/A.java', 'third');
});

test('a file that cannot be read is refused until it can', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, { 'A.java': Buffer.from([0x63, 0xff]), 'B.java': unit('B') });
  const { host, index } = await start(root, cacheFolder);
  assert.match(host.refused().get('A.java') ?? '', /UTF-8/u);
  assert.deepEqual(files(host), ['B.java']);
  writeFiles(root, { 'A.java': unit('A') });
  await index.refresh(['A.java'], signal);
  assert.equal(host.refused().size, 0);
  assert.deepEqual(files(host), ['A.java', 'B.java']);
  writeFiles(root, { 'A.java': Buffer.from([0x63, 0xff]) });
  await index.refresh(['A.java'], signal);
  assert.deepEqual(files(host), ['B.java']);
  rmSync(join(root, 'A.java'));
  await index.refresh(['A.java'], signal);
  assert.equal(host.refused().size, 0);
});

test('it says which paths it covers, present or not', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  git(root, 'init', '-q');
  writeFiles(root, {
    'A.java': unit('A'),
    'Bad.java': Buffer.from([0x63, 0xff]),
    'Big.java': Buffer.alloc(3 * 1024 * 1024, 'int a;\n'),
    '.codeplanignore': 'own\n',
    'own/B.java': unit('B'),
  });
  const { index } = await start(root, cacheFolder, ['gen']);
  const covered = (path: string): boolean => index.covers(path);
  assert.deepEqual(['A.java', 'deleted/long/ago.java'].map(covered), [true, true]);
  assert.deepEqual(
    ['Bad.java', 'Big.java', 'own/B.java', 'gen/C.java', 'node_modules/D.java', 'notes.txt'].map(covered),
    [false, false, false, false, false, false],
  );
});

test('an index that is cancelled keeps what it read', async (t) => {
  const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
  const names = Array.from({ length: 200 }, (_, i) => `C${i}.java`);
  writeFiles(root, Object.fromEntries(names.map((path) => [path, unit(path.slice(0, -5), 'int f;')])));
  const host = new Host(await grammarsOfThread());
  const index = new DiskIndex({
    root,
    exclude: [],
    cache: await SummaryCache.open(cacheFolder, root, 'build'),
    pool,
    post: (event) => host.post(event),
  });
  const controller = new AbortController();
  await assert.rejects(
    index.load(controller.signal, () => controller.abort(new Error('stop'))),
    /stop/u,
  );
  const some = files(host).length;
  assert.ok(some > 0 && some < names.length, `${some}`);
  assert.equal(index.counts.pending, 0);
  await index.load(signal);
  assert.equal(files(host).length, names.length);
});

test('after any changes of the disk the index equals one built afresh', async (t) => {
  const names = ['A.java', 'B.java', 'p/C.java', 'p/q/D.java'] as const;
  const action = fc.oneof(
    fc.record({
      do: fc.constant('write' as const),
      path: fc.constantFrom(...names),
      field: fc.constantFrom('x', 'y', 'zz'),
    }),
    fc.record({ do: fc.constant('remove' as const), path: fc.constantFrom(...names) }),
    fc.record({ do: fc.constant('move' as const), from: fc.constantFrom(...names), to: fc.constantFrom(...names) }),
    fc.record({ do: fc.constant('refresh' as const) }),
    fc.record({ do: fc.constant('restart' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
      const [root, cacheFolder] = [temporaryFolder(t), temporaryFolder(t)];
      let running = await start(root, cacheFolder);
      const touched = new Set<string>();
      for (const step of actions) {
        if (step.do === 'write') writeFiles(root, { [step.path]: unit('C', `int ${step.field};`) });
        else if (step.do === 'remove') rmSync(join(root, step.path), { force: true });
        else if (step.do === 'move') move(root, step.from, step.to);
        else {
          if (step.do === 'restart') {
            await running.index.close();
            running = await start(root, cacheFolder);
          } else await running.index.refresh([...touched], signal);
          touched.clear();
        }
        if (step.do === 'move') touched.add(step.from).add(step.to);
        else if ('path' in step) touched.add(step.path);
      }
      await running.index.refresh([...touched], signal);
      await assertFresh(t, root, running.host);
      await running.index.close();
    }),
    { numRuns: 25 },
  );
});

function move(root: string, from: string, to: string): void {
  let text: string;
  try {
    text = readFileSync(join(root, from), 'utf8');
  } catch {
    return;
  }
  rmSync(join(root, from));
  mkdirSync(join(root, to, '..'), { recursive: true });
  writeFileSync(join(root, to), text);
}

async function assertFresh(t: TestContext, root: string, host: Host): Promise<void> {
  const fresh = await start(root, temporaryFolder(t));
  assert.deepEqual(files(host), files(fresh.host));
  for (const path of files(host)) assert.deepEqual(host.snapshot().summary(path), fresh.host.snapshot().summary(path));
  await fresh.index.close();
}
