/** The watcher on real folders: what changes is reported in batches, and a moved HEAD after its files. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { watchByPolling } from '#src/io/polling-watcher.js';
import { watch, type WatchReport } from '#src/io/watcher.js';
import { eventually } from '../support/eventually.js';
import { git, repository } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

async function watching(t: TestContext, root: string): Promise<WatchReport[]> {
  const reports: WatchReport[] = [];
  const watcher = await watch({
    root,
    ignore: [],
    fellBack: (reason) => assert.fail(reason),
    report: (report) => {
      reports.push(report);
      return Promise.resolve();
    },
  });
  t.after(() => watcher.close());
  assert.equal(watcher.mode, 'native', watcher.reason);
  return reports;
}

const named = (reports: readonly WatchReport[]): Set<string> =>
  new Set(reports.flatMap((report) => (report.kind === 'paths' ? report.paths : [])));

test('files that are made, changed, renamed and removed are reported, and nothing of foreign folders', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'a.py': '1', 'b/c.py': '2', 'gone.py': '3' });
  const reports = await watching(t, root);
  mkdirSync(join(root, 'node_modules'));
  writeFiles(root, { 'a.py': 'x = 1', 'new/deep/d.py': '4', 'node_modules/m.js': '5' });
  renameSync(join(root, 'b/c.py'), join(root, 'b/e.py'));
  rmSync(join(root, 'gone.py'));
  const expected = ['a.py', 'b/c.py', 'b/e.py', 'gone.py'];
  await eventually('all paths', () => expected.every((path) => named(reports).has(path)) || undefined);
  // A folder that comes with its files is named itself or by its files; either leads to a look.
  await eventually('the new folder', () => [...named(reports)].some((path) => path.startsWith('new')) || undefined);
  assert.ok(![...named(reports)].some((path) => path.startsWith('node_modules/')));
});

test('a branch switch is one report of files and then one of HEAD', async (t) => {
  const root = repository(t, { 'a.py': '1\n', 'b.py': '1\n' });
  git(root, 'checkout', '-q', '-b', 'other');
  for (let n = 0; n < 50; n++) writeFiles(root, { [`many/f${n}.py`]: `${n}\n` });
  writeFiles(root, { 'a.py': '2\n' });
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'second');
  const reports = await watching(t, root);
  git(root, 'checkout', '-q', 'main');
  await eventually('HEAD', () => reports.some((report) => report.kind === 'head') || undefined);
  const head = reports.findIndex((report) => report.kind === 'head');
  assert.ok(named(reports.slice(0, head)).has('a.py'));
  assert.equal(reports.filter((report) => report.kind === 'head').length, 1);
});

test('a commit is reported though no file of the work tree changes', async (t) => {
  const root = repository(t, { 'a.py': '1\n' });
  writeFiles(root, { 'a.py': '2\n' });
  const reports = await watching(t, root);
  git(root, 'commit', '-q', '-a', '-m', 'second');
  await eventually('HEAD', () => reports.some((report) => report.kind === 'head') || undefined);
});

test('in a linked work tree HEAD lies elsewhere and is followed', async (t) => {
  const main = repository(t, { 'a.py': '1\n' });
  const linked = join(main, '..', 'linked');
  git(main, 'worktree', 'add', '-q', '-b', 'side', linked);
  const reports = await watching(t, linked);
  git(linked, 'commit', '-q', '--allow-empty', '-m', 'empty');
  await eventually('HEAD', () => reports.some((report) => report.kind === 'head') || undefined);
});

test('a root that disappears is reported once, as the last thing', async (t) => {
  const folder = join(temporaryFolder(t), 'root');
  writeFiles(folder, { 'a.py': '1' });
  const reports = await watching(t, folder);
  rmSync(folder, { recursive: true });
  await eventually('rootGone', () => reports.at(-1)?.kind === 'rootGone' || undefined);
  assert.equal(reports.filter((report) => report.kind === 'rootGone').length, 1);
});

test('without native events there is a poll which says why, and its pause follows its cost', async () => {
  const looks: number[] = [];
  const polling = watchByPolling(async () => {
    looks.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }, 5);
  await eventually('three looks', () => looks.length >= 3 || undefined);
  polling.close();
  const [first, second] = looks as [number, number];
  assert.ok(second - first >= 190, `a look of 10 ms was repeated after ${second - first} ms`);
});
