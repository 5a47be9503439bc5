/** What an editor opens is read ahead as the index reads it, and nothing else is: neither outside of the root, nor data. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { OpenedFirst } from '#src/daemon/opened-first.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { ParsePool } from '#src/io/index/parse-pool.js';
import { readFile } from '#src/io/index/read-sources.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

test('a file is read as the index reads it, whatever is written afterwards', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'store.py': '\uFEFFclass Store:\n    pass\n' });
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const opened = new OpenedFirst(root, pool, new AbortController().signal);
  const asIndexed = readFile(await grammarsOfThread(), root, { path: 'store.py', size: 0 });
  opened.begin('store.py');
  const file = await opened.fileOf('store.py');
  assert.ok(file !== undefined && asIndexed.kind === 'summary');
  assert.deepEqual([file.digest, file.byteOrderMark], [asIndexed.digest, true]);
  assert.equal(file.summary.hash, asIndexed.summary.hash);
  writeFiles(root, { 'store.py': 'class Other:\n    pass\n' });
  opened.begin('store.py');
  assert.equal((await opened.fileOf('store.py'))?.digest, asIndexed.digest);
  opened.forget();
  assert.equal(await opened.fileOf('store.py'), undefined);
});

test('what is no source of the repository is not read', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, { 'outside.py': 'class Outside:\n    pass\n', 'root/notes.txt': 'words\n' });
  const root = join(folder, 'root');
  symlinkSync(join(dirname(root), 'outside.py'), join(root, 'link.py'));
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const opened = new OpenedFirst(root, pool, new AbortController().signal);
  const paths = ['../outside.py', 'link.py', 'notes.txt', 'gone.py'];
  for (const path of paths) opened.begin(path);
  for (const path of paths) assert.equal(await opened.fileOf(path), undefined, path);
});

test('of many files the first few are read, and none once the engine ends', async (t) => {
  const root = temporaryFolder(t);
  const paths = Array.from({ length: 12 }, (_, i) => `m${i}.py`);
  writeFiles(root, Object.fromEntries(paths.map((path) => [path, 'x = 1\n'])));
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const opened = new OpenedFirst(root, pool, new AbortController().signal);
  for (const path of paths) opened.begin(path);
  const read = await Promise.all(paths.map((path) => opened.fileOf(path)));
  assert.deepEqual(
    read.map((file) => file !== undefined),
    paths.map((_, i) => i < 8),
  );
  const ended = new OpenedFirst(root, pool, AbortSignal.abort(new Error('the engine ends')));
  ended.begin('m0.py');
  assert.equal(await ended.fileOf('m0.py'), undefined);
});
