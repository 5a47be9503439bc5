/** The watcher on real folders: what changes is reported in batches, and a moved HEAD after its files. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { watch, type WatchMode, type WatchReport } from '#src/io/watch/watcher.js';
import { eventually } from '../support/eventually.js';
import { git, repository } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

async function watching(t: TestContext, root: string, mode: WatchMode): Promise<WatchReport[]> {
  const reports: WatchReport[] = [];
  const watcher = await watch({
    root,
    first: mode,
    pollMs: 50,
    fellBack: (_mode, reason) => assert.fail(reason),
    report: (report) => {
      reports.push(report);
      return Promise.resolve();
    },
  });
  t.after(() => watcher.close());
  assert.equal(watcher.mode, mode, watcher.reason);
  return reports;
}

const named = (reports: readonly WatchReport[]): Set<string> =>
  new Set(reports.flatMap((report) => (report.kind === 'paths' ? report.paths : [])));

// First, since such a program would be asked for once in a process.
test('native: no other program is asked to watch', async (t) => {
  const bin = temporaryFolder(t);
  writeFiles(bin, { watchman: `#!/bin/sh\ntouch ${join(bin, 'ran')}\n` });
  chmodSync(join(bin, 'watchman'), 0o755);
  const before = process.env['PATH'] ?? '';
  t.after(() => (process.env['PATH'] = before));
  process.env['PATH'] = `${bin}:${before}`;
  await watching(t, temporaryFolder(t), 'native');
  assert.ok(!existsSync(join(bin, 'ran')));
});

/** Whatever tells of changes tells the same. */
const MODES: readonly WatchMode[] = ['native', 'events', 'polling'];

for (const mode of MODES) {
  test(`${mode}: files that are made, changed, renamed and removed are reported, and nothing of foreign folders`, async (t) => {
    const root = temporaryFolder(t);
    writeFiles(root, { 'a.py': '1', 'b/c.py': '2', 'gone.py': '3' });
    const reports = await watching(t, root, mode);
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

  test(`${mode}: a branch switch is one report of files and then one of HEAD`, async (t) => {
    const root = repository(t, { 'a.py': '1\n', 'b.py': '1\n' });
    git(root, 'checkout', '-q', '-b', 'other');
    for (let n = 0; n < 50; n++) writeFiles(root, { [`many/f${n}.py`]: `${n}\n` });
    writeFiles(root, { 'a.py': '2\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'second');
    const reports = await watching(t, root, mode);
    git(root, 'checkout', '-q', 'main');
    await eventually('HEAD', () => reports.some((report) => report.kind === 'head') || undefined);
    const head = reports.findIndex((report) => report.kind === 'head');
    assert.ok(named(reports.slice(0, head)).has('a.py'));
    assert.equal(reports.filter((report) => report.kind === 'head').length, 1);
  });

  test(`${mode}: a commit is reported though no file of the work tree changes`, async (t) => {
    const root = repository(t, { 'a.py': '1\n' });
    writeFiles(root, { 'a.py': '2\n' });
    const reports = await watching(t, root, mode);
    git(root, 'commit', '-q', '-a', '-m', 'second');
    await eventually('HEAD', () => reports.some((report) => report.kind === 'head') || undefined);
  });

  test(`${mode}: in a linked work tree HEAD lies elsewhere and is followed`, async (t) => {
    const main = repository(t, { 'a.py': '1\n' });
    const linked = join(main, '..', 'linked');
    git(main, 'worktree', 'add', '-q', '-b', 'side', linked);
    const reports = await watching(t, linked, mode);
    git(linked, 'commit', '-q', '--allow-empty', '-m', 'empty');
    await eventually('HEAD', () => reports.some((report) => report.kind === 'head') || undefined);
  });

  test(`${mode}: a root that disappears is reported once, as the last thing`, async (t) => {
    const folder = join(temporaryFolder(t), 'root');
    writeFiles(folder, { 'a.py': '1' });
    const reports = await watching(t, folder, mode);
    rmSync(folder, { recursive: true });
    await eventually('rootGone', () => reports.at(-1)?.kind === 'rootGone' || undefined);
    assert.equal(reports.filter((report) => report.kind === 'rootGone').length, 1);
  });

  test(`${mode}: what comes into a folder that was made a moment before is reported, or the folder`, async (t) => {
    const root = temporaryFolder(t);
    writeFiles(root, { 'src/hooks/use.ts': '1', 'src/main.ts': '2' });
    const reports = await watching(t, root, mode);
    mkdirSync(join(root, 'src/hooks/p'));
    renameSync(join(root, 'src/hooks/use.ts'), join(root, 'src/hooks/p/use.ts'));
    await eventually(
      'the new place',
      () => [...named(reports)].some((path) => path.startsWith('src/hooks/p')) || undefined,
    );
  });

  test(`${mode}: a root that is removed and made anew is followed again`, async (t) => {
    const folder = join(temporaryFolder(t), 'root');
    writeFiles(folder, { 'a.py': '1' });
    const reports: WatchReport[] = [];
    const watcher = await watch({
      root: folder,
      first: mode,
      pollMs: 50,
      fellBack: (_mode, reason) => assert.fail(reason),
      report: (report) => Promise.resolve(void reports.push(report)),
    });
    t.after(() => watcher.close());
    rmSync(folder, { recursive: true });
    writeFiles(folder, { 'b.py': '2' });
    await watcher.flush();
    await eventually('everything', () => reports.some((report) => report.kind === 'everything') || undefined);
    writeFiles(folder, { 'c.py': '3' });
    await eventually('what is in the new one', () => named(reports).has('c.py') || undefined);
  });
}

/** What a process can be given a limit of its own with, without taking anything from others. */
const OWN_LIMITS = spawnSync('unshare', ['-Ur', 'test', '-w', '/proc/sys/user/max_inotify_instances']).status === 0;

test(
  'where the kernel has no inotify left the files and HEAD are looked at from time to time, and nothing waits for ever',
  { skip: OWN_LIMITS ? false : 'needs user namespaces' },
  async (t) => {
    const root = repository(t, { 'a.py': 'x = 1\n' });
    const script = `
      import { watch } from ${JSON.stringify(import.meta.resolve('#src/io/watch/watcher.js'))};
      const print = (...words) => console.log(words.join(' '));
      const watcher = await watch({
        root: ${JSON.stringify(root)},
        pollMs: 50,
        fellBack: (mode, reason) => print('fell back to', mode, reason),
        report: async ({ kind, paths }) => print(kind, ...(paths ?? [])),
      });
      print('watches by', watcher.mode);
      process.stdin.once('data', () => watcher.close().then(() => process.exit()));
    `;
    const command = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"';
    const args = ['-Ur', 'sh', '-c', command, 'sh', process.execPath, '--input-type=module', '--eval', script];
    const child = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const says = (words: RegExp): Promise<true> => eventually(String(words), () => words.test(said) || undefined);
    await says(/^watches by polling$/mu);
    assert.match(said, /^fell back to polling the system allows no further file watches/mu);
    writeFiles(root, { 'a.py': 'x = 2\n' });
    await says(/^paths a\.py$/mu);
    git(root, 'commit', '-q', '-a', '-m', 'second');
    await says(/^head$/mu);
    const exited = once(child, 'exit');
    child.stdin.write('end\n');
    assert.deepEqual(await exited, [0, null]);
  },
);
