/** The cache gives back what was put in, or nothing; it never gives back something else. */
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { readText } from '#src/io/index/read-sources.js';
import { SummaryCache, type CachedFile } from '#src/io/index/summary-cache.js';
import type { Summary } from '#src/syntax/summary.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const ROOT = '/somewhere';
const BUILD = 'build 1';
const file = (n: number, settled = true): CachedFile => ({
  stamp: { size: n, mtimeMs: n + 0.123456, ctimeMs: n + 0.5, inode: n },
  settled,
  digest: `digest ${n}`,
  byteOrderMark: n % 2 === 0,
});

async function summaryOf(n: number): Promise<Summary> {
  const reading = readText(await grammarsOfThread(), {
    path: 'A.java',
    text: `class A${n} { void m${n}(int é) { x.y${n}(é); } }\n`,
  });
  assert.ok(reading.kind === 'text');
  return reading.summary;
}

async function filled(folder: string, count: number): Promise<SummaryCache> {
  const cache = await SummaryCache.open(folder, ROOT, BUILD);
  for (let n = 0; n < count; n++) cache.put(`A${n}.java`, file(n), await summaryOf(n));
  await cache.save();
  return cache;
}

const packsIn = (cache: SummaryCache): string[] => readdirSync(cache.folder).filter((name) => name.endsWith('.pack'));

test('what was saved is there after a restart', async (t) => {
  const folder = temporaryFolder(t);
  await filled(folder, 30);
  const cache = await SummaryCache.open(folder, ROOT, BUILD);
  assert.equal(cache.counts.entries, 30);
  for (let n = 0; n < 30; n++) {
    assert.deepEqual(cache.summary(`A${n}.java`), await summaryOf(n));
    assert.deepEqual(cache.file(`A${n}.java`), file(n));
    assert.ok(cache.holds(`A${n}.java`, file(n).stamp));
    assert.ok(!cache.holds(`A${n}.java`, { ...file(n).stamp, mtimeMs: 1 }));
    assert.ok(!cache.holds(`A${n}.java`, { ...file(n).stamp, inode: 1e6 }));
  }
  assert.equal(cache.summary('B.java'), undefined);
});

test('an unsettled stamp never holds', async (t) => {
  const folder = temporaryFolder(t);
  const cache = await SummaryCache.open(folder, ROOT, BUILD);
  cache.put('A.java', file(1, false), await summaryOf(1));
  await cache.save();
  const again = await SummaryCache.open(folder, ROOT, BUILD);
  assert.ok(!again.holds('A.java', file(1).stamp));
  assert.equal(again.file('A.java')?.digest, 'digest 1', 'the content can still be recognised');
});

test('later saves replace earlier entries, and packs are joined', async (t) => {
  const folder = temporaryFolder(t);
  const cache = await filled(folder, 60);
  let packsMost = 0;
  for (let n = 100; n < 130; n++) {
    cache.put('A7.java', file(n), await summaryOf(n));
    await cache.save();
    packsMost = Math.max(packsMost, packsIn(cache).length);
    const again = await SummaryCache.open(folder, ROOT, BUILD);
    assert.deepEqual(again.summary('A7.java'), await summaryOf(n));
    assert.deepEqual(again.summary('A8.java'), await summaryOf(8));
    assert.equal(again.counts.entries, 60);
  }
  const manifest = JSON.parse(readFileSync(join(cache.folder, 'manifest.json'), 'utf8')) as { packs: string[] };
  assert.ok(manifest.packs.length < 10 && packsMost > 1);
});

test('a joined pack drops what is gone', async (t) => {
  const folder = temporaryFolder(t);
  const cache = await filled(folder, 20);
  cache.keepOnly(new Set(['A1.java', 'A2.java']));
  for (let n = 30; n < 36; n++) cache.put(`A${n}.java`, file(n), await summaryOf(n));
  await cache.save();
  assert.equal((await SummaryCache.open(folder, ROOT, BUILD)).counts.entries, 8);
});

test('another build starts afresh', async (t) => {
  const folder = temporaryFolder(t);
  await filled(folder, 3);
  assert.equal((await SummaryCache.open(folder, ROOT, 'build 2')).counts.entries, 0);
  assert.equal((await SummaryCache.open(folder, '/elsewhere', BUILD)).counts.entries, 0);
});

test('any damage leads to an empty cache, never to an error or a wrong summary', async (t) => {
  const folder = temporaryFolder(t);
  const cache = await filled(folder, 5);
  const pack = join(cache.folder, packsIn(cache)[0] as string);
  const good = readFileSync(pack);
  for (let at = 0; at < good.length; at += Math.ceil(good.length / 60)) {
    const flipped = Buffer.from(good);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 0x55, at);
    for (const damaged of [flipped, good.subarray(0, at), Buffer.concat([good, good.subarray(0, at + 1)])]) {
      writeFileSync(pack, damaged);
      const again = await SummaryCache.open(folder, ROOT, BUILD);
      if (again.counts.entries > 0) assert.deepEqual(again.summary('A3.java'), await summaryOf(3), `byte ${at}`);
    }
  }
  writeFileSync(pack, good);
  assert.equal((await SummaryCache.open(folder, ROOT, BUILD)).counts.entries, 5);
  for (const manifest of ['', '{', 'null', '[]', '{"fingerprint":"build 1","packs":["../../secret.pack"]}']) {
    writeFileSync(join(cache.folder, 'manifest.json'), manifest);
    assert.equal((await SummaryCache.open(folder, ROOT, BUILD)).counts.entries, 0);
  }
});

test('a folder that cannot be made leaves the program without a cache', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, { file: '' });
  const cache = await SummaryCache.open(join(folder, 'file'), ROOT, BUILD);
  assert.match(cache.problem ?? '', /CODEPLAN_CACHE_DIR/u);
  cache.put('A.java', file(1), await summaryOf(1));
  await cache.save();
  assert.deepEqual(cache.summary('A.java'), await summaryOf(1), 'within the process it still serves');
});

test('only the person can look into it', async (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const cache = await filled(folder, 1);
  assert.equal(statSync(cache.folder).mode & 0o077, 0);
  for (const name of readdirSync(cache.folder)) assert.equal(statSync(join(cache.folder, name)).mode & 0o077, 0);
});
