/** A repository on a disk that is full. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { FileEdit } from '#src/engine/file-edit.js';
import { Journal } from '#src/io/journal/journal.js';
import { pictureOf } from '../support/picture.js';
import { refused } from '../support/refused.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const KILOBYTE = 1024;

/** A disk of so many bytes; undefined where this user may mount none. */
function smallDisk(t: TestContext, bytes: number): string | undefined {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codeplan-test-')));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status === 0;
  t.after(() => {
    if (isMounted) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  return isMounted ? folder : undefined;
}

function fill(root: string): string {
  const filler = join(root, 'filler');
  const { bavail, bsize } = statfsSync(root);
  writeFileSync(filler, Buffer.alloc(bavail * bsize));
  return filler;
}

const COUNT = 20;
const small = (i: number): string => `${i}\n`;
const large = (i: number): string => `${i}\n`.repeat(4 * KILOBYTE);
const files = (text: (i: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`f${i}.py`, text(i)]));
const edits = (from: (i: number) => string, to: (i: number) => string): readonly FileEdit[] =>
  Array.from({ length: COUNT }, (_, i) => ({ kind: 'change', file: `f${i}.py`, before: from(i), after: to(i) }));

test('a repository without space left is as it was before the apply, and before the undo', (t) => {
  const [root, state] = [smallDisk(t, 512 * KILOBYTE), temporaryFolder(t)];
  if (root === undefined) return t.skip('not run: only root can mount a small disk');
  const journal = new Journal(state, root);

  writeFiles(root, files(small));
  const before = pictureOf(root);
  const filler = join(root, 'filler');
  writeFileSync(filler, Buffer.alloc(350 * KILOBYTE));
  assert.throws(() => journal.apply('r', '', edits(small, large)), refused('write'));
  rmSync(filler);
  assert.deepEqual(pictureOf(root), before);
  assert.deepEqual(journal.log().entries, []);

  writeFiles(root, files(large));
  const whole = pictureOf(root);
  journal.apply('shrink', '', edits(large, small));
  const shrunk = pictureOf(root);
  fill(root);
  assert.throws(() => journal.undo(undefined), refused('write'));
  rmSync(filler);
  assert.deepEqual(pictureOf(root), shrunk);
  assert.equal(journal.log().entries[0]?.state, 'applied');
  journal.undo(undefined);
  assert.deepEqual(pictureOf(root), whole);
});

test('a journal without space left lets nothing be applied, and takes back what it holds', (t) => {
  const [root, state] = [temporaryFolder(t), smallDisk(t, 128 * KILOBYTE)];
  if (state === undefined) return t.skip('not run: only root can mount a small disk');
  writeFiles(root, files(large));
  const before = pictureOf(root);
  const journal = new Journal(state, root);
  journal.apply('fits', '', edits(large, small).slice(0, 2));
  const after = pictureOf(root);
  assert.throws(() => journal.apply('r', '', edits(large, small).slice(2)), refused('write'));
  const filler = fill(state);
  assert.throws(() => journal.apply('r', '', edits(large, small).slice(2, 4)), refused('write'));
  assert.throws(() => journal.undo(undefined), refused('write'));
  assert.deepEqual(pictureOf(root), after);
  rmSync(filler);
  journal.undo(undefined);
  assert.deepEqual(pictureOf(root), before);
});
