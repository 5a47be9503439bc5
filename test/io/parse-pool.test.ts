/** The pool gives the same readings as reading in the main thread, and survives what it reads. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { ParsePool } from '#src/io/index/parse-pool.js';
import { readFile, type FileJob, type Reading } from '#src/io/index/read-sources.js';
import { decodeSummary } from '#src/io/index/summary-codec.js';
import type { Summary } from '#src/syntax/summary.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const never = new AbortController().signal;
const javaClass = (i: number): string =>
  `package p;\nclass C${i} extends C${i + 1} {\n  int f${i} = ${i};\n  void m${i}(int a) { n(a, "é𝒳"); }\n}\n`;

async function readAll(
  pool: ParsePool,
  root: string,
  jobs: readonly FileJob[],
): Promise<Map<string, Reading<Summary>>> {
  const readings = new Map<string, Reading<Summary>>();
  await pool.readFiles(root, jobs, (some) => some.forEach((reading) => readings.set(reading.path, reading)), never);
  return readings;
}

test('workers and the main thread read alike', async (t) => {
  const root = temporaryFolder(t);
  const count = 150;
  const files = Object.fromEntries(Array.from({ length: count }, (_, i) => [`d/C${i}.java`, javaClass(i)]));
  writeFiles(root, files);
  const pool = new ParsePool(2);
  t.after(() => pool.close());
  const readings = await readAll(
    pool,
    root,
    Object.keys(files).map((path) => ({ path, size: 5000 })),
  );
  assert.equal(readings.size, count);
  const grammars = await grammarsOfThread();
  for (const path of Object.keys(files)) {
    const here = readFile(grammars, root, { path, size: 0 });
    const there = readings.get(path);
    assert.ok(here.kind === 'summary' && there?.kind === 'summary');
    const { encoded, ...own } = there;
    assert.ok(encoded !== undefined);
    assert.deepEqual(decodeSummary(encoded), there.summary);
    assert.deepEqual({ ...own, takenMs: 0 }, { ...here, takenMs: 0 });
  }
});

test('workers rest when nobody waits for them: whoever reads meanwhile has an answer', async (t) => {
  const root = temporaryFolder(t);
  const paths = Array.from({ length: 150 }, (_, i) => `d/C${i}.java`);
  writeFiles(root, Object.fromEntries(paths.map((path, i) => [path, javaClass(i)])));
  const jobs = paths.map((path) => ({ path, size: 5000 }));
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const reading = readAll(pool, root, jobs);
  await pool.rest();
  assert.equal((await reading).size, paths.length);
  await pool.rest();
  assert.equal((await readAll(pool, root, jobs)).size, paths.length, 'they start again');
});

test('texts are parsed without a disk', async (t) => {
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const readings: Reading<Summary>[] = [];
  await pool.parseTexts(
    Array.from({ length: 20 }, (_, i) => ({ path: `C${i}.java`, text: javaClass(i) })),
    (some) => readings.push(...some),
    never,
  );
  assert.deepEqual(
    readings.map((reading) => reading.kind),
    Array.from({ length: 20 }, () => 'text'),
  );
});

test('what cannot be read is refused with its reason, and the rest is read', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, {
    'Good.java': javaClass(1),
    'Mark.java': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(javaClass(1))]),
    'Latin.java': Buffer.from('class É {}', 'latin1'),
    'Wide.java': Buffer.from('class A {}', 'utf16le'),
    'Min.java': `class A { ${'int a = 1; '.repeat(5000)} }`,
    'Big.java': Buffer.alloc(3 * 1024 * 1024, 'int a;\n'),
    'Folder.java/x.txt': '',
  });
  symlinkSync('/dev/zero', join(root, 'Endless.java'));
  const names = ['Good', 'Mark', 'Latin', 'Wide', 'Min', 'Big', 'Folder', 'Endless', 'Gone'];
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const readings = await readAll(
    pool,
    root,
    names.map((name) => ({ path: `${name}.java`, size: 0 })),
  );
  const reason = (name: string): string => {
    const reading = readings.get(`${name}.java`);
    return reading?.kind === 'refused' ? reading.reason : (reading?.kind ?? 'none');
  };
  assert.match(reason('Latin'), /not UTF-8 \(byte 6\)/u);
  assert.match(reason('Wide'), /NUL/u);
  assert.match(reason('Min'), /minified/u);
  assert.match(reason('Big'), /3\.0 MB/u);
  assert.equal(reason('Folder'), 'gone');
  assert.match(reason('Endless'), /leads out of the root/u);
  assert.equal(reason('Gone'), 'gone');
  const good = readings.get('Good.java');
  const mark = readings.get('Mark.java');
  assert.ok(good?.kind === 'summary' && mark?.kind === 'summary');
  assert.deepEqual(mark.summary, good.summary, 'a byte order mark is no part of the text');
  assert.deepEqual([good.byteOrderMark, mark.byteOrderMark], [false, true]);
});

test('a file whose content is known is not parsed', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'A.java': javaClass(1) });
  const pool = new ParsePool(1);
  const first = (await readAll(pool, root, [{ path: 'A.java', size: 0 }])).get('A.java');
  assert.ok(first?.kind === 'summary');
  const second = (await readAll(pool, root, [{ path: 'A.java', size: 0, knownDigest: first.digest }])).get('A.java');
  assert.equal(second?.kind, 'same');
});

test('a cancelled call rejects with the reason and leaves the pool usable', async (t) => {
  const root = temporaryFolder(t);
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`C${i}.java`, javaClass(i)]));
  writeFiles(root, files);
  const jobs = Object.keys(files).map((path) => ({ path, size: 10_000 }));
  const pool = new ParsePool(1);
  t.after(() => pool.close());
  const controller = new AbortController();
  let taken = 0;
  const cancelled = pool.readFiles(
    root,
    jobs,
    (some) => {
      taken += some.length;
      controller.abort(new Error('enough'));
    },
    controller.signal,
  );
  await assert.rejects(cancelled, /enough/u);
  assert.ok(taken < jobs.length);
  assert.equal((await readAll(pool, root, jobs)).size, jobs.length);
  assert.ok(taken < jobs.length, 'nothing arrives after the rejection');
});
