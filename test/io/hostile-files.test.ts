/** Whoever wrote the repository chose every name, link, pipe and index in it: nothing outside of the root is read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createHash } from 'node:crypto';
import { withheldBy } from '#src/context/no-send.js';
import type { HostEvent } from '#src/engine/event.js';
import { ServiceError } from '#src/engine/service.js';
import { baseOfRevision } from '#src/io/git/git.js';
import { DiskIndex } from '#src/io/index/disk-index.js';
import { ParsePool } from '#src/io/index/parse-pool.js';
import { isPathInside } from '#src/base/paths.js';
import { readRepositoryFile, realPathInside } from '#src/io/disk/repository-file.js';
import { scan } from '#src/io/index/scan.js';
import { readSettings } from '#src/io/settings/settings.js';
import { SummaryCache } from '#src/io/index/summary-cache.js';
import { git, repository } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const signal = new AbortController().signal;
const scanned = (root: string): ReturnType<typeof scan> => scan(root, { exclude: [], signal });
const limits = { bytesMost: 1000, links: 'inside' } as const;

/** A folder beside every root, with what must not be told. */
function outside(t: TestContext): string {
  const folder = temporaryFolder(t);
  writeFiles(folder, { 'b.py': 'SECRET = 1\n', 'plain.txt': 'root:x:0:0 SECRET\n' });
  return folder;
}

const readable = (root: string, path: string): string => {
  const file = readRepositoryFile(root, path, limits);
  return file.kind === 'file' ? file.bytes.toString() : file.kind;
};

test('one reader: regular files of bounded size whose real path is inside, and nothing waits', (t) => {
  const root = temporaryFolder(t);
  const elsewhere = outside(t);
  writeFiles(root, { 'a.txt': 'a', 'sub/b.txt': 'b', 'large.txt': 'x'.repeat(1001) });
  symlinkSync('a.txt', join(root, 'inside'));
  symlinkSync(join(elsewhere, 'b.py'), join(root, 'out'));
  symlinkSync(elsewhere, join(root, 'folder'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync('/dev/zero', join(root, 'device'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  assert.deepEqual(
    ['a.txt', 'sub/b.txt', 'inside', 'none', 'sub', 'a.txt/x'].map((path) => readable(root, path)),
    ['a', 'b', 'a', 'gone', 'gone', 'gone'],
  );
  for (const path of ['out', 'folder/b.py', 'loop', 'device', 'pipe', 'large.txt', '../x'.repeat(1) + '/../..'])
    assert.notEqual(readRepositoryFile(root, path, limits).kind, 'file', path);
  assert.equal(readRepositoryFile(root, 'inside', { ...limits, links: 'none' }).kind, 'refused');
});

test('what no file of a repository is called', () => {
  const no = [
    '',
    '.',
    '..',
    '../a',
    'a/../b',
    '/etc/passwd',
    'a//b',
    'a/',
    '.git',
    '.git/config',
    'a/.GIT/x',
    'git~1/x',
    'C:/x',
    './a',
    'a\0',
  ];
  assert.deepEqual(no.filter(isPathInside), []);
  const yes = ['a', '...', '.gitignore', 'a/.github/x', 'git/x', '..a/b', 'a..', 'x.git/y', 'a:b'];
  assert.deepEqual(
    yes.filter((path) => !isPathInside(path)),
    [],
  );
});

test('a tracked folder that became a link is not there, and is said', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n', 'pkg/b.py': 'y = 1\n' });
  const elsewhere = outside(t);
  renameSync(join(root, 'pkg'), join(root, 'old'));
  symlinkSync(elsewhere, join(root, 'pkg'));
  const found = await scanned(root);
  assert.deepEqual(
    found.sources.map(({ path }) => path),
    ['a.py', 'old/b.py'],
  );
  assert.match(
    found.problems.find(({ file }) => file === 'pkg/b.py')?.message ?? '',
    /is a link, which is not followed/u,
  );
  const base = await baseOfRevision(root, 'HEAD', { includes: () => true, repositories: [], signal });
  assert.ok(!JSON.stringify(base).includes('SECRET'));
});

test('a link that leads nowhere, or to itself, is said in words and holds up nothing', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n' });
  symlinkSync('gone.py', join(root, 'b.py'));
  symlinkSync('c.py', join(root, 'c.py'));
  const found = await scanned(root);
  assert.deepEqual(
    found.sources.map(({ path }) => path),
    ['a.py'],
  );
  assert.deepEqual(found.problems, [
    { file: 'b.py', message: 'the link leads nowhere' },
    { file: 'c.py', message: 'the link leads nowhere' },
  ]);
});

/** An index of version 2 with these names, all of one blob. */
function craftedIndex(root: string, names: readonly string[]): void {
  const blob = git(root, 'rev-parse', 'HEAD:a.py');
  const entries = [...names].sort().map((name) => {
    const bytes = Buffer.from(name);
    const length = 62 + bytes.length;
    const entry = Buffer.alloc(length + (8 - (length % 8)));
    entry.writeUInt32BE(0o100644, 24);
    Buffer.from(blob, 'hex').copy(entry, 40);
    entry.writeUInt16BE(bytes.length, 60);
    bytes.copy(entry, 62);
    return entry;
  });
  const header = Buffer.alloc(12);
  header.write('DIRC');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(names.length, 8);
  const body = Buffer.concat([header, ...entries]);
  writeFileSync(join(root, '.git/index'), Buffer.concat([body, createHash('sha1').update(body).digest()]));
}

test('an index made by hand names nothing outside', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n' });
  writeFiles(join(root, '..'), { 'beside/b.py': 'SECRET = 1\n' });
  writeFileSync(join(root, '.git/hook.py'), 'SECRET = 1\n');
  craftedIndex(root, ['../beside/b.py', join(root, '../beside/b.py'), '.git/hook.py', 'a.py']);
  const found = await scanned(root);
  assert.deepEqual(
    found.sources.map(({ path }) => path),
    ['a.py'],
  );
  assert.ok(
    found.problems.length === 0 || found.problems.every(({ message }) => message.includes('no file of the repository')),
  );
  const base = await baseOfRevision(root, 'HEAD', { includes: () => true, repositories: [], signal });
  assert.ok(!JSON.stringify(base).includes('SECRET'), JSON.stringify(base));
});

test('a known file that becomes a link is refused by a running index as by a fresh one', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n', 'b.py': 'y = 1\n', 'sub/c.py': 'z = 1\n' });
  const elsewhere = outside(t);
  const events: HostEvent[] = [];
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const cache = await SummaryCache.open(temporaryFolder(t), root, 'test');
  const index = new DiskIndex({ root, exclude: [], cache, pool, post: (event) => events.push(event) });
  await index.load(signal);
  rmSync(join(root, 'b.py'));
  symlinkSync(join(elsewhere, 'b.py'), join(root, 'b.py'));
  rmSync(join(root, 'sub'), { recursive: true });
  symlinkSync(elsewhere, join(root, 'sub'));
  events.length = 0;
  await index.refresh(['b.py', 'sub'], signal);
  const seen = events
    .flatMap((event) => (event.kind === 'disk' ? [...event.files] : []))
    .filter(([path]) => path !== 'a.py');
  assert.deepEqual(
    seen.filter(([, file]) => file !== undefined),
    [],
    'nothing is read',
  );
  assert.deepEqual(seen.map(([path]) => path).sort(), ['b.py', 'sub/c.py']);
  assert.throws(() => index.text('b.py'), ServiceError);
});

test('settings and ignore files: no links, pipes, devices or gigabytes, and no error quotes what a link leads to', async (t) => {
  const elsewhere = outside(t);
  const environment = { HOME: temporaryFolder(t) };
  const makers: Readonly<Record<string, (path: string) => void>> = {
    'a link out': (path) => symlinkSync(join(elsewhere, 'plain.txt'), path),
    'a device': (path) => symlinkSync('/dev/zero', path),
    'a pipe': (path) => void execFileSync('mkfifo', [path]),
    'a link to a secret inside': (path) => symlinkSync('.env', path),
    'a large file': (path) => {
      writeFileSync(path, '');
      truncateSync(path, 5e9);
    },
  };
  for (const [what, make] of Object.entries(makers)) {
    const root = temporaryFolder(t);
    writeFiles(root, { 'a.py': '', '.env': '{ "SECRET": 1 }' });
    for (const name of ['codeplan.json', '.codeplanignore', '.gitignore']) make(join(root, name));
    assert.throws(
      () => readSettings({ realRoot: root, environment }),
      (error: unknown) =>
        error instanceof ServiceError && !error.message.includes('SECRET') && /codeplan\.json/u.test(error.message),
      what,
    );
    const found = await scanned(root);
    assert.deepEqual(
      found.sources.map(({ path }) => path),
      ['a.py'],
      what,
    );
    assert.ok(
      found.problems.some(({ file }) => file === '.codeplanignore'),
      what,
    );
  }
  const root = temporaryFolder(t);
  writeFiles(root, { 'codeplan.json': 'root:x:0:0 SECRET' });
  assert.throws(
    () => readSettings({ realRoot: root, environment }),
    (error: Error) => !error.message.includes('SECRET'),
  );
});

test('noSend looks at what a path really is', (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { '.env': 'KEY=1', 'b.py': '' });
  symlinkSync('.env', join(root, 'conf.py'));
  symlinkSync('/etc/hostname', join(root, 'out.py'));
  const withheld = withheldBy([['.env']], (file) => realPathInside(root, file));
  assert.deepEqual(
    ['conf.py', 'out.py', 'b.py', 'new.py'].map((file) => withheld(file)),
    ['.env', 'a link out of the repository', undefined, undefined],
  );
});

test('paths of 4,000 bytes and more are read or named, and end nothing', async (t) => {
  const root = temporaryFolder(t);
  let at = root;
  const previous = process.cwd();
  t.after(() => process.chdir(previous));
  process.chdir(root);
  for (let n = 0; n < 45; n++) {
    const name = `${'d'.repeat(95)}${n}`;
    mkdirSync(name);
    process.chdir(name);
    at = join(at, name);
    writeFileSync('f.py', 'x = 1\n');
  }
  process.chdir(root);
  writeFileSync('a.py', 'x = 1\n');
  const found = await scanned(root);
  assert.ok(found.sources.length > 35, String(found.sources.length));
  assert.ok(found.problems.length > 0, 'what lies deeper than the system can name is a problem');
  process.chdir(previous);
  execFileSync('rm', ['-rf', root]);
});
