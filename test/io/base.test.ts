/** The tree from before, out of git or a directory: the same list of differing files. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Base } from '#src/engine/effects.js';
import { ServiceError } from '#src/engine/service.js';
import { atOnce } from '#src/base/turns.js';
import { baseOfDirectory } from '#src/io/git/base.js';
import { baseOfRevision, readHead, resolveRevision, STAGED } from '#src/io/git/git.js';
import { pairRenames } from '#src/io/git/renames.js';
import { isOfInterest, scan } from '#src/io/index/scan.js';
import { commitAll, git, initRepository } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const signal = new AbortController().signal;
const since = (root: string, revision: string): Promise<Base> =>
  scan(root, { exclude: [], signal }).then(({ repositories }) =>
    baseOfRevision(root, revision, { includes: isOfInterest, repositories, signal }),
  );
const refused =
  (kind: string) =>
  (error: unknown): boolean =>
    error instanceof ServiceError && error.kind === kind;

const body = (name: string): string =>
  `class ${name} {\n${Array.from({ length: 20 }, (_, i) => `  int field${i} = ${i * 7};\n`).join('')}}\n`;
const BEFORE = {
  'A.java': body('A'),
  'pkg/B.java': body('B'),
  'Gone.java': 'class Gone { void onlyHere() {} }\n',
  'Old.java': body('Moved'),
  'Index.java': body('Index').replaceAll('field', 'column'),
  'notes.txt': 'x',
};

function edit(root: string): void {
  writeFiles(root, { 'A.java': 'class A {}\r\n', 'New.java': 'class New { String name; }\n', 'notes.txt': 'y' });
  rmSync(join(root, 'Gone.java'));
  mkdirSync(join(root, 'moved'));
  renameSync(join(root, 'Old.java'), join(root, 'moved/Renamed.java'));
}
const EXPECTED = [
  { kind: 'changed', path: 'A.java', before: BEFORE['A.java'] },
  { kind: 'deleted', path: 'Gone.java', before: BEFORE['Gone.java'] },
  { kind: 'added', path: 'New.java' },
  { kind: 'renamed', path: 'moved/Renamed.java', from: 'Old.java', before: BEFORE['Old.java'] },
];

test('a revision and a directory give the same difference, staged or not', async (t) => {
  const root = temporaryFolder(t);
  initRepository(root, BEFORE);
  edit(root);
  const earlier = temporaryFolder(t);
  writeFiles(earlier, BEFORE);
  assert.deepEqual((await since(root, 'HEAD')).files, EXPECTED);
  assert.deepEqual((await baseOfDirectory(root, earlier, { exclude: [], signal })).files, EXPECTED);
  git(root, 'add', '-A');
  assert.deepEqual((await since(root, 'HEAD')).files, EXPECTED);
  assert.deepEqual((await since(root, STAGED)).files, []);
  writeFiles(root, { 'pkg/B.java': 'class B {}\n' });
  assert.deepEqual((await since(root, STAGED)).files, [
    { kind: 'changed', path: 'pkg/B.java', before: BEFORE['pkg/B.java'] },
  ]);
});

test('any revision will do, and paths are relative to a root inside of the work tree', async (t) => {
  const root = temporaryFolder(t);
  initRepository(root, BEFORE);
  git(root, 'tag', 'v1');
  writeFiles(root, { 'pkg/B.java': 'class B { int x; }\n', 'A.java': 'class A {}' });
  commitAll(root, 'second');
  assert.deepEqual((await since(root, 'HEAD')).files, []);
  const sub = await since(join(root, 'pkg'), 'v1');
  assert.deepEqual(sub, {
    name: 'v1',
    files: [{ kind: 'changed', path: 'B.java', before: BEFORE['pkg/B.java'] }],
    problems: [],
  });
  assert.equal(await resolveRevision(root, 'v1'), git(root, 'rev-parse', 'HEAD~1'));
  assert.deepEqual(await readHead(root), { commit: git(root, 'rev-parse', 'HEAD'), branch: 'main' });
});

test('texts come whole: line ends, byte order mark, non-ASCII names', async (t) => {
  const root = temporaryFolder(t);
  const text = 'class É { String s = "𝒳"; }\r\nclass F {}\r\n';
  initRepository(root, { 'dir é/É.java': `\uFEFF${text}`, 'Bad.java': Buffer.from([0xff, 0xfe, 0xfd, 0x0a]) });
  writeFiles(root, { 'dir é/É.java': 'class E {}\n', 'Bad.java': 'class Bad {}\n' });
  const base = await since(root, 'HEAD');
  assert.deepEqual(base.files, [{ kind: 'changed', path: 'dir é/É.java', before: text }]);
  assert.equal(base.problems[0]?.file, 'Bad.java');
});

test('errors say what was asked and what to do', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'A.java': 'class A {}' });
  await assert.rejects(
    since(root, 'HEAD'),
    (error) => refused('noGit')(error) && (error as Error).message.includes('base-dir'),
  );
  git(root, 'init', '-q');
  await assert.rejects(
    since(root, 'HEAD'),
    (error) => refused('revision')(error) && (error as Error).message.includes('no commit yet'),
  );
  commitAll(root, 'first');
  for (const bad of ['nowhere', '--all', '-h', 'HEAD~5', 'HEAD:A.java', '', 'a b', '../x'])
    await assert.rejects(since(root, bad), refused('revision'), bad);
  await assert.rejects(baseOfDirectory(root, join(root, 'nowhere'), { exclude: [], signal }), refused('baseDirectory'));
  await assert.rejects(baseOfDirectory(root, 'relative', { exclude: [], signal }), refused('baseDirectory'));
});

test('programs that a repository names are not run', async (t) => {
  const root = temporaryFolder(t);
  initRepository(root, BEFORE);
  const trap = join(root, 'trap.sh');
  writeFiles(root, {
    'trap.sh': `#!/bin/sh\ntouch ${root}/sprung\n`,
    '.gitattributes': '*.java diff=trap filter=trap\n',
  });
  git(root, 'config', 'core.fsmonitor', trap);
  git(root, 'config', 'diff.external', trap);
  git(root, 'config', 'diff.trap.textconv', trap);
  writeFiles(root, { 'A.java': 'class A {}\n' });
  chmodSync(trap, 0o755);
  await since(root, 'HEAD');
  assert.ok(!existsSync(join(root, 'sprung')));
});

test('a file is paired with the most similar one, each once', () => {
  const deleted = new Map([
    ['a.java', body('A')],
    ['b.java', body('B').replaceAll('int', 'long')],
  ]);
  const added = new Map([
    ['y.java', body('B2').replaceAll('int', 'long')],
    ['x.java', body('A2')],
    ['z.java', 'class Z {}\n'],
  ]);
  const paired = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): [string, string][] =>
    [...atOnce(pairRenames(before, after)).renames].sort();
  assert.deepEqual(paired(deleted, added), [
    ['x.java', 'a.java'],
    ['y.java', 'b.java'],
  ]);
  assert.deepEqual(
    paired(new Map([['e.java', '\n']]), new Map([['f.java', '\n']])),
    [],
    'empty files are like each other for no reason',
  );
});

test('too many deleted and new files are counted, and those with the same text are paired all the same', async (t) => {
  const root = temporaryFolder(t);
  const earlier = temporaryFolder(t);
  const shared = Array.from({ length: 300 }, (_, i) => `  int shared${i} = ${i};\n`).join('');
  const texts = (name: string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: 450 }, (_, i) => [`${name}/C${i}.java`, `class ${name}${i} {\n${shared}}\n`]),
    );
  writeFiles(earlier, { ...texts('before'), 'a/Same.java': body('Same') });
  writeFiles(root, { ...texts('after'), 'b/Same.java': body('Same') });
  const { files, problems } = await baseOfDirectory(root, earlier, { exclude: [], signal });
  assert.deepEqual(
    files.filter(({ kind }) => kind === 'renamed').map(({ path }) => path),
    ['b/Same.java'],
  );
  assert.deepEqual(problems, [
    {
      message:
        '450 deleted files were not compared with 450 new ones, which are too many: one that was renamed and edited ' +
        'counts as deleted and new',
    },
  ]);
});

test('repositories inside are compared with the commits that this one held of them', async (t) => {
  const [innermost, inner, root] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const allowed = ['-c', 'protocol.file.allow=always'] as const;
  initRepository(innermost, { 'C.java': body('C') });
  initRepository(inner, { 'B.java': body('B'), 'Same.java': body('Same') });
  git(inner, ...allowed, 'submodule', '--quiet', 'add', innermost, 'deep');
  commitAll(inner, 'second');
  initRepository(root, { 'A.java': body('A') });
  git(root, ...allowed, 'submodule', '--quiet', 'add', inner, 'parts/sub[1]');
  git(root, ...allowed, 'submodule', '--quiet', 'update', '--init', '--recursive');
  commitAll(root, 'second');
  assert.deepEqual((await since(root, 'HEAD')).files, []);

  const sub = join(root, 'parts/sub[1]');
  writeFiles(sub, { 'B.java': 'class B {}\n', 'New.java': 'class New {}\n', 'deep/C.java': 'class C {}\n' });
  const expected = [
    { kind: 'changed', path: 'parts/sub[1]/B.java', before: body('B') },
    { kind: 'added', path: 'parts/sub[1]/New.java' },
    { kind: 'changed', path: 'parts/sub[1]/deep/C.java', before: body('C') },
  ];
  assert.deepEqual((await since(root, 'HEAD')).files, expected);
  assert.deepEqual((await since(root, STAGED)).files, expected);
  commitAll(join(sub, 'deep'), 'committed there');
  commitAll(sub, 'committed there');
  assert.deepEqual((await since(root, 'HEAD')).files, expected, 'this one still holds the commits from before');
  git(root, 'add', '-A');
  assert.deepEqual((await since(root, STAGED)).files, []);
  assert.deepEqual((await since(root, 'HEAD')).files, expected);
  assert.deepEqual(
    (await since(root, 'HEAD~1')).files.map(({ kind, path }) => `${kind} ${path}`),
    ['B.java', 'New.java', 'Same.java', 'deep/C.java'].map((name) => `added parts/sub[1]/${name}`),
    'the commit before held none',
  );
});

test('what a repository inside lacks is said, and one that this one does not hold is new', async (t) => {
  const [inner, root] = [temporaryFolder(t), temporaryFolder(t)];
  initRepository(inner, { 'B.java': body('B') });
  initRepository(root, { 'A.java': body('A') });
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
  commitAll(root, 'second');
  mkdirSync(join(root, 'own'));
  initRepository(join(root, 'own'), { 'D.java': body('D'), '.gitignore': 'Ignored.java\n' });
  writeFiles(root, { 'own/Ignored.java': body('Ignored') });
  assert.deepEqual((await since(root, 'HEAD')).files, [{ kind: 'added', path: 'own/D.java' }]);
  const gone = '0123456789abcdef0123456789abcdef01234567';
  git(root, 'update-index', '--cacheinfo', `160000,${gone},sub`);
  git(root, 'commit', '-q', '-m', 'of a commit that nobody has');
  const { problems } = await since(root, 'HEAD');
  assert.deepEqual(
    problems.map(({ file }) => file),
    ['sub'],
  );
  assert.match(problems[0]?.message ?? '', /is not in this clone/u);
});

test('a repository inside that is gone is said to be, and one that is not checked out is not', async (t) => {
  const [inner, root] = [temporaryFolder(t), temporaryFolder(t)];
  initRepository(inner, { 'B.java': body('B') });
  initRepository(root, { 'A.java': body('A') });
  for (const name of ['sub', 'B.java'])
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, name);
  assert.deepEqual((await since(root, 'HEAD')).problems, [], 'new ones');
  commitAll(root, 'second');
  const gone = async (revision: string): Promise<(string | undefined)[]> =>
    (await since(root, revision)).problems.map(({ file }) => file);

  git(root, 'submodule', '--quiet', 'deinit', '-f', 'sub');
  assert.deepEqual(await gone('HEAD'), [], 'an empty folder, as after a clone');
  rmSync(join(root, 'sub'), { recursive: true });
  assert.deepEqual(await gone('HEAD'), ['sub']);
  assert.deepEqual(await gone(STAGED), ['sub']);
  git(root, 'rm', '-q', '--cached', 'sub');
  assert.deepEqual(await gone('HEAD'), ['sub']);
  rmSync(join(root, 'B.java'), { recursive: true });
  writeFiles(root, { 'B.java': body('B') });
  const { files, problems } = await since(root, 'HEAD');
  assert.deepEqual(files, [{ kind: 'added', path: 'B.java' }]);
  assert.deepEqual(problems.map(({ file }) => file).sort(), ['B.java', 'sub']);
});
