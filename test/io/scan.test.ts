/** What a scan lists, in a git work tree and outside of one: the same files for the same rules. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServiceError } from '#src/engine/service.js';
import { scan, type Scan } from '#src/io/index/scan.js';
import { git, initRepository } from '../support/git-repository.js';
import { asOrdinaryUser } from '../support/ordinary-user.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const never = new AbortController().signal;
const scanned = (root: string, exclude: readonly string[] = []): Promise<Scan> =>
  scan(root, { exclude, signal: never });
const paths = (found: Scan): string[] => found.sources.map((file) => file.path);

const TREE = {
  'a.py': 'x = 1\n',
  'pkg/b.py': 'y = 2\n',
  'pkg/readme.txt': 'no source',
  '.gitignore': 'build/\n*.gen.py\n!keep.gen.py\n',
  'build/out.py': '',
  'c.gen.py': '',
  'keep.gen.py': '',
  'pkg/.gitignore': 'local.py\n/deep/*.py\n',
  'pkg/local.py': '',
  'pkg/deep/d.py': '',
  'pkg/deep/more/e.py': '',
  'local.py': '',
  '.codeplanignore': 'vendored\n',
  'vendored/v.py': '',
  'pkg/vendored/v.py': '',
  'pkg/.codeplanignore': 'skipped.py\n',
  'pkg/skipped.py': '',
  'skipped.py': '',
  'node_modules/m.py': '',
  'pkg/__pycache__/p.py': '',
  '.venv/lib/v.py': '',
};
const LISTED = ['a.py', 'keep.gen.py', 'local.py', 'pkg/b.py', 'pkg/deep/more/e.py', 'skipped.py'];

test('git and our own walk list the same files', async (t) => {
  const plain = temporaryFolder(t);
  writeFiles(plain, TREE);
  const walked = await scanned(plain);
  assert.equal(walked.by, 'walk');
  assert.deepEqual(paths(walked), LISTED);

  const repository = temporaryFolder(t);
  git(repository, 'init', '-q');
  writeFiles(repository, TREE);
  const listed = await scanned(repository);
  assert.equal(listed.by, 'git');
  assert.deepEqual(paths(listed), LISTED);
  assert.deepEqual(listed.problems, []);
});

test('a manifest beside built ones of its name is read without git as with it', async (t) => {
  const files = {
    'pkg/.gitignore': '**/*.js\n**/package.json\n',
    'pkg/package.json': '{}',
    'pkg/index.ts': '',
    'left/package.json': '{}',
    'left/.codeplanignore': 'package.json\n',
    '.gitignore': 'built/\n',
    'built/package.json': '{}',
  };
  const plain = temporaryFolder(t);
  writeFiles(plain, files);
  const configs = (await scanned(plain)).configs.map(({ path }) => path);
  assert.deepEqual(configs, ['pkg/package.json']);

  const repository = temporaryFolder(t);
  writeFiles(repository, files);
  git(repository, 'init', '-q');
  git(repository, 'add', '--force', 'pkg/package.json', 'left/package.json');
  assert.deepEqual(
    (await scanned(repository)).configs.map(({ path }) => path),
    configs,
  );
});

test('what git tracks is read in spite of ignore files, but for foreign folders', async (t) => {
  const root = temporaryFolder(t);
  initRepository(root, { 'a.py': '', 'build/kept.py': '', 'node_modules/m.py': '', 'gone.py': '' });
  writeFiles(root, { '.gitignore': 'build/\n', '.git/info/exclude': 'private.py\n', 'private.py': '', 'new.py': '' });
  rmSync(join(root, 'gone.py'));
  assert.deepEqual(paths(await scanned(root)), ['a.py', 'build/kept.py', 'new.py']);
  assert.deepEqual(paths(await scanned(root, ['build', '*w.py'])), ['a.py']);
});

test('a subdirectory of a repository is a root of its own', async (t) => {
  const root = temporaryFolder(t);
  initRepository(root, { 'a.py': '', 'sub/b.py': '', 'sub/c/d.py': '' });
  assert.deepEqual(paths(await scanned(join(root, 'sub'))), ['b.py', 'c/d.py']);
});

test('a folder that an outer repository ignores is walked', async (t) => {
  const root = temporaryFolder(t);
  initRepository(root, { '.gitignore': 'scratch\n', 'a.py': '' });
  writeFiles(root, { 'scratch/b.py': '' });
  const found = await scanned(join(root, 'scratch'));
  assert.equal(found.by, 'walk');
  assert.deepEqual(paths(found), ['b.py']);
});

test('repositories inside of the repository are part of it', async (t) => {
  const root = temporaryFolder(t);
  initRepository(root, { 'a.py': '' });
  mkdirSync(join(root, 'inner'));
  initRepository(join(root, 'inner'), { 'b.py': '', '.gitignore': 'c.py\n' });
  writeFiles(root, { 'inner/c.py': '' });
  assert.deepEqual(paths(await scanned(root)), ['a.py', 'inner/b.py']);
  git(root, 'add', 'inner');
  assert.deepEqual(paths(await scanned(root)), ['a.py', 'inner/b.py'], 'listed like a file once it is added');
});

test('links: no loops, none out of the root, a target only once', async (t) => {
  for (const repository of [false, true]) {
    const root = temporaryFolder(t);
    const outside = temporaryFolder(t);
    writeFiles(outside, { 'secret.py': '' });
    if (repository) git(root, 'init', '-q');
    writeFiles(root, { 'a.py': '', 'text.in': 'z = 3\n', 'pkg/b.py': '' });
    symlinkSync('.', join(root, 'pkg/loop'));
    symlinkSync(join(root, 'pkg'), join(root, 'again'));
    symlinkSync('a.py', join(root, 'same.py'));
    symlinkSync('text.in', join(root, 'other.py'));
    symlinkSync(join(outside, 'secret.py'), join(root, 'secret.py'));
    symlinkSync('self.py', join(root, 'self.py'));
    symlinkSync('ada@host.12:34', join(root, 'pkg/.#b.py'));
    const found = await scanned(root);
    assert.deepEqual(paths(found), ['a.py', 'other.py', 'pkg/b.py']);
    assert.deepEqual(
      found.problems.map((problem) => problem.file),
      ['secret.py', 'self.py'],
    );
    assert.match(found.problems[0]?.message ?? '', /out of the root/u);
  }
});

test('a file of 5 MB is a problem, not a source', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'big.py': Buffer.alloc(5 * 1024 * 1024, 'a = 1\n'), 'a.py': '' });
  const found = await scanned(root);
  assert.deepEqual(paths(found), ['a.py']);
  assert.match(found.problems[0]?.message ?? '', /5\.0 MB/u);
});

test('a folder without permission is a problem, and the rest is listed', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'a.py': '', 'closed/b.py': '' });
  chmodSync(join(root, 'closed'), 0);
  try {
    await asOrdinaryUser(root, ['closed'], async () => {
      const found = await scanned(root);
      assert.deepEqual(paths(found), ['a.py']);
      assert.equal(found.problems[0]?.file, 'closed');
    });
  } finally {
    chmodSync(join(root, 'closed'), 0o700);
  }
});

test('a root that is gone, or a file, is refused', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'a.py': '' });
  for (const bad of [join(root, 'nowhere'), join(root, 'a.py')]) {
    await assert.rejects(
      scanned(bad),
      (error) => error instanceof ServiceError && error.kind === 'root' && error.message.includes(bad),
    );
  }
});

test('odd names are listed as they are', async (t) => {
  const root = temporaryFolder(t);
  const names = ['a b.py', 'é.py', 'q"uote.py', 'tab\t.py', '-dash.py', '𝒳.py'];
  git(root, 'init', '-q');
  writeFiles(root, Object.fromEntries(names.map((name) => [name, ''])));
  assert.deepEqual(paths(await scanned(root)), [...names].sort());
});
