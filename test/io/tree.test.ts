/** What is written in the person's tree is the file that was asked for, and nothing else. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FileEdit } from '#src/engine/file-edit.js';
import { ServiceError } from '#src/engine/service.js';
import { realFileSystem, type FileSystem } from '#src/io/disk/file-system.js';
import { Journal } from '#src/io/journal/journal.js';
import { writeAtomically } from '#src/io/disk/write-atomically.js';
import { withoutOpenFolders } from '../support/faulty-file-system.js';
import { asOrdinaryUser } from '../support/ordinary-user.js';
import { pictureOf } from '../support/picture.js';
import { refused } from '../support/refused.js';
import { quickFolder, temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const change = (file: string, before: string, after: string): FileEdit => ({ kind: 'change', file, before, after });

test('hole 1: a committed link of the name of a temporary file leads nowhere', (t) => {
  const [folder, state] = [temporaryFolder(t), temporaryFolder(t)];
  const root = join(folder, 'root');
  writeFiles(folder, { 'root/use.py': 'use\n', 'out/victim': 'victim\n', 'root/own.py': 'o\n' });
  symlinkSync('../out/victim', join(root, 'use.py.codeplan.tmp'));
  writeFiles(root, { 'own.py.codeplan.tmp': 'the own file of the person\n' });
  const before = pictureOf(folder);
  const journal = new Journal(state, root);
  journal.apply('r', '', [change('use.py', 'use\n', 'used\n'), change('own.py', 'o\n', 'O\n')]);
  assert.equal(readFileSync(join(root, 'use.py'), 'utf8'), 'used\n');
  assert.ok(statSync(join(root, 'use.py')).isFile());
  const after = pictureOf(folder);
  for (const path of ['out/victim', 'root/use.py.codeplan.tmp', 'root/own.py.codeplan.tmp'])
    assert.equal(after[path], before[path]);
  journal.undo(undefined);
  assert.deepEqual(pictureOf(folder), before);
});

test('hole 1: links and second names are refused as targets, with the reason, and nothing is written', (t) => {
  const [parent, state] = [temporaryFolder(t), temporaryFolder(t)];
  const root = join(parent, 'root');
  writeFiles(parent, { 'root/a.py': 'a', 'root/pkg/p.py': 'p', 'root/two.py': '2', 'secret.py': 's', 'out/x.py': 'x' });
  symlinkSync('../secret.py', join(root, 'link.py'));
  symlinkSync('../out', join(root, 'folder'));
  symlinkSync('pkg', join(root, 'inner'));
  symlinkSync('nowhere', join(root, 'dangling.py'));
  symlinkSync('a.py', join(root, 'inside.py'));
  linkSync(join(root, 'two.py'), join(parent, 'second'));
  mkdirSync(join(root, 'folder.py'));
  const before = pictureOf(parent);
  const journal = new Journal(state, root);
  const reasons: readonly [string, RegExp][] = [
    ['../secret.py', /outside/],
    ['link.py', /link\.py is a link/],
    ['inside.py', /inside\.py is a link/],
    ['folder/x.py', /folder is a link/],
    ['inner/p.py', /inner is a link/],
    ['two.py', /2 names \(hard links\).*copying/],
  ];
  for (const [file, reason] of reasons) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const edit of [change(file, text, '!'), { kind: 'delete', file, before: text } as const])
      assert.throws(
        () => journal.apply('r', '', [change('a.py', 'a', 'A'), edit]),
        (error) => refused('write', file)(error) && reason.test((error as Error).message),
      );
  }
  for (const file of [
    '../new.py',
    'folder/new.py',
    'inner/new.py',
    'dangling.py',
    'folder.py',
    'a.py/b.py',
    'x/../../y',
  ])
    assert.throws(() => journal.apply('r', '', [{ kind: 'create', file, after: '!' }]), refused('write', file));
  assert.deepEqual(pictureOf(parent), before);
  assert.deepEqual(journal.log().entries, []);
});

test('hole 1: a file that got a second name since is not taken back, and the reason is said', (t) => {
  const [root, state] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, { 'a.py': 'a' });
  const journal = new Journal(state, root);
  journal.apply('r', '', [change('a.py', 'a', 'A')]);
  linkSync(join(root, 'a.py'), join(root, 'b.py'));
  assert.throws(
    () => journal.undo('r'),
    (error) => refused('write', 'a.py')(error) && /hard links/.test((error as Error).message),
  );
  unlinkSync(join(root, 'b.py'));
  journal.undo('r');
  assert.equal(readFileSync(join(root, 'a.py'), 'utf8'), 'a');
});

test('hole 1: owner and permissions stay, through changes, removals, moves and back', (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: only root can give files to somebody else');
  const [root, state] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, { 'a.py': 'a', 'gone.py': 'g', 'old.py': 'o' });
  for (const [name, uid, mode] of [
    ['a.py', 1234, 0o4750],
    ['gone.py', 1235, 0o640],
    ['old.py', 1236, 0o600],
  ] as const) {
    chownSync(join(root, name), uid, uid + 10);
    chmodSync(join(root, name), mode);
  }
  const before = pictureOf(root);
  const journal = new Journal(state, root);
  journal.apply('r', '', [
    change('a.py', 'a', 'A'),
    { kind: 'delete', file: 'gone.py', before: 'g' },
    { kind: 'rename', file: 'old.py', to: 'new.py', before: 'o', after: 'O' },
  ]);
  const attributes = (name: string): unknown[] => {
    const { uid, gid, mode } = statSync(join(root, name));
    return [uid, gid, mode & 0o7777];
  };
  assert.deepEqual(attributes('a.py'), [1234, 1244, 0o4750]);
  assert.deepEqual(attributes('new.py'), [1236, 1246, 0o600]);
  journal.undo(undefined);
  assert.deepEqual(pictureOf(root), before);
});

test('a file of somebody else in a folder of ours is replaced, its special rights are not passed on', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: only root can make a file of somebody else');
  const root = temporaryFolder(t);
  writeFiles(root, { 'theirs.py': 'a' });
  chownSync(join(root, 'theirs.py'), 1234, 1234);
  chmodSync(join(root, 'theirs.py'), 0o6755);
  await asOrdinaryUser(root, [], async () => {
    const journal = new Journal(join(root, 'state'), root);
    journal.apply('r', '', [change('theirs.py', 'a', 'A')]);
    assert.equal(readFileSync(join(root, 'theirs.py'), 'utf8'), 'A');
    assert.equal(statSync(join(root, 'theirs.py')).mode & 0o7777, 0o755);
    journal.undo(undefined);
    assert.equal(readFileSync(join(root, 'theirs.py'), 'utf8'), 'a');
  });
});

test('when the disk refuses half way, what was written goes back', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'a.py': 'a', 'closed/b.py': 'b', 'z.py': 'z' });
  let before: Record<string, string> = {};
  chmodSync(join(root, 'closed'), 0o500);
  try {
    await asOrdinaryUser(root, ['a.py', 'closed', 'closed/b.py', 'z.py'], async () => {
      before = pictureOf(root);
      const journal = new Journal(join(root, 'state'), root);
      assert.throws(
        () =>
          journal.apply('r', '', [
            { kind: 'change', file: 'a.py', before: 'a', after: 'A' },
            { kind: 'create', file: 'made/n.py', after: 'n' },
            { kind: 'change', file: 'closed/b.py', before: 'b', after: 'B' },
            { kind: 'change', file: 'z.py', before: 'z', after: 'Z' },
          ]),
        refused('write'),
      );
      assert.deepEqual(journal.log().entries, []);
    });
  } finally {
    chmodSync(join(root, 'closed'), 0o755);
  }
  rmSync(join(root, 'state'), { recursive: true });
  assert.deepEqual(pictureOf(root), before);
});

/** Something else happens before the call of this index. */
function interrupting(at: number, meanwhile: () => void): { readonly fs: FileSystem; readonly calls: () => number } {
  let calls = 0;
  const fs = new Proxy(realFileSystem, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (calls++ === at) meanwhile();
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
  return { fs, calls: () => calls };
}

test('what an editor saves meanwhile stands, but for the moment between the last look and the rename', (t) => {
  let lost = 0;
  /** Gives how many calls there were. */
  const applyAround = (at: number): number => {
    const [root, state] = [quickFolder(t), quickFolder(t)];
    writeFiles(root, { 'a.py': 'a', 'b.py': 'b' });
    const save = interrupting(at, () => writeFiles(root, { 'a.py': 'saved' }));
    try {
      new Journal(state, root, save.fs).apply('r', '', [change('b.py', 'b', 'B'), change('a.py', 'a', 'A')]);
    } catch (error) {
      refused('textMovedOn', 'a.py')(error);
      assert.equal(readFileSync(join(root, 'b.py'), 'utf8'), 'b', `saved before call ${at}`);
    }
    if (readFileSync(join(root, 'a.py'), 'utf8') !== 'saved') lost++;
    return save.calls();
  };
  const calls = applyAround(Infinity);
  lost = 0;
  for (let at = 0; at < calls; at++) applyAround(at);
  t.diagnostic(`${calls} moments, ${lost} of them between the last look and the rename`);
  // The file is closed, the folder asked for its place once more, and the file renamed.
  assert.ok(calls > 50 && lost <= 3);
});

test('a folder that is replaced by a link, at whichever moment, leads no write outside', (t) => {
  if (process.platform !== 'linux') return t.skip('not run: only Linux has paths through open folders');
  const edits: readonly FileEdit[] = [
    change('pkg/a.py', 'a', 'A'),
    { kind: 'create', file: 'pkg/n.py', after: 'n' },
    { kind: 'delete', file: 'pkg/d.py', before: 'd' },
  ];
  let calls = 1;
  for (let at = 0; at < calls; at++) {
    const folder = quickFolder(t);
    const [root, state] = [join(folder, 'root'), join(folder, 'state')];
    writeFiles(folder, { 'root/pkg/a.py': 'a', 'root/pkg/d.py': 'd', 'outside/a.py': 'a', 'outside/d.py': 'd' });
    const [before, outside] = [pictureOf(root), pictureOf(join(folder, 'outside'))];
    const pkg = join(root, 'pkg');
    const swap = interrupting(at, () => {
      renameSync(pkg, `${pkg}.aside`);
      symlinkSync(join(folder, 'outside'), pkg);
    });
    try {
      new Journal(state, root, swap.fs).apply('r', '', edits);
    } catch (error) {
      assert.ok(error instanceof ServiceError, String(error));
    }
    calls = Math.max(calls, swap.calls());
    assert.deepEqual(pictureOf(join(folder, 'outside')), outside, `swapped before call ${at}`);
    if (existsSync(`${pkg}.aside`)) {
      rmSync(pkg);
      renameSync(`${pkg}.aside`, pkg);
    }
    const journal = new Journal(state, root);
    if (journal.log().entries.length > 0) journal.undo(undefined);
    assert.deepEqual(pictureOf(root), before, `swapped before call ${at}`);
  }
  t.diagnostic(`${calls} moments`);
  assert.ok(calls > 50);
});

test('without paths through open folders, a link in the way is refused all the same', (t) => {
  const folder = temporaryFolder(t);
  const root = join(folder, 'root');
  writeFiles(folder, { 'root/pkg/a.py': 'a', 'out/x.py': 'x' });
  symlinkSync('../out', join(root, 'folder'));
  const before = pictureOf(root);
  const journal = new Journal(join(folder, 'state'), root, withoutOpenFolders(realFileSystem));
  assert.throws(() => journal.apply('r', '', [change('folder/x.py', 'x', '!')]), refused('write', 'folder/x.py'));
  journal.apply('r', '', [change('pkg/a.py', 'a', 'A'), { kind: 'create', file: 'pkg/sub/n.py', after: 'n' }]);
  assert.equal(readFileSync(join(root, 'pkg/sub/n.py'), 'utf8'), 'n');
  journal.undo(undefined);
  assert.deepEqual(pictureOf(root), before);
});

test('what the person asked to be written to takes the place of a regular file only, and keeps its rights', (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, { 'page.html': 'old', target: 'target' });
  chmodSync(join(folder, 'page.html'), 0o640);
  symlinkSync('target', join(folder, 'link'));
  const options = { mode: undefined, durable: false };
  writeAtomically(realFileSystem, join(folder, 'page.html'), 'new', options);
  assert.equal(readFileSync(join(folder, 'page.html'), 'utf8'), 'new');
  assert.equal(statSync(join(folder, 'page.html')).mode & 0o777, 0o640);
  const before = pictureOf(folder);
  for (const name of ['link', '.'])
    assert.throws(() => writeAtomically(realFileSystem, join(folder, name), 'new', options), /no regular file/);
  assert.deepEqual(pictureOf(folder), before);
});
