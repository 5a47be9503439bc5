/**
 * `codeplan graph export --format scip`: the file is read back byte by byte, by the rules of protocol buffers and not
 * by the writer's own schema. Numbers of fields: https://github.com/sourcegraph/scip/blob/main/scip.proto.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { home } from '../support/program.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Fields = ReadonlyMap<number, readonly (Uint8Array | number)[]>;

/** A message's fields by number: numbers as they are, everything else as its bytes. */
function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const out = new Map<number, (Uint8Array | number)[]>();
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    out.set(field, [
      ...(out.get(field) ?? []),
      wireType === WireType.LengthDelimited ? reader.bytes() : reader.uint32(),
    ]);
  }
  return out;
}

const messages = (fields: Fields, field: number): Fields[] =>
  (fields.get(field) ?? []).map((value) => fieldsOf(value as Uint8Array));
const text = (fields: Fields, field: number): string =>
  (fields.get(field) ?? []).map((value) => Buffer.from(value as Uint8Array).toString('utf8')).join();
const number = (fields: Fields, field: number): number => (fields.get(field)?.[0] ?? 0) as number;

/** A packed list of small numbers. */
const range = (fields: Fields): number[] => [...((fields.get(1)?.[0] ?? new Uint8Array()) as Uint8Array)];

const FILES = {
  ...SHOP,
  'disk.py': 'from store import Store\n\n\nclass Disk(Store):\n    def put(self, key, ttl):\n        return 1\n',
};

test('definitions, certain references and what overrides what, as code search reads them', async (t) => {
  const root = repository(t, FILES);
  const target = join(temporaryFolder(t), 'index.scip');
  const { code, stderr } = await home(t).run(root, 'graph', 'export', '--no-daemon', '--format', 'scip', target);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /\d+ places in 5 files written to /u);
  const index = fieldsOf(readFileSync(target));
  const [metadata] = messages(index, 1);
  assert.ok(metadata !== undefined);
  assert.match(text(metadata, 3), /^file:\/\//u);
  const documents = new Map(messages(index, 2).map((document) => [text(document, 1), document]));
  assert.deepEqual([...documents.keys()].sort(), Object.keys(FILES).sort());
  const occurrences = (file: string): string[] =>
    messages(documents.get(file) ?? new Map(), 2)
      .map((each) => `${range(each).join(':')} ${number(each, 3)} ${text(each, 2)}`)
      .sort();
  assert.deepEqual(occurrences('job.py'), [
    '0:0:0 1 codeplan . . . `job.py`/',
    '0:18:23 2 codeplan . . . `store.py`/Store#',
    '3:16:21 8 codeplan . . . `store.py`/Store#',
    '3:4:8 1 codeplan . . . `job.py`/save().',
    '4:10:13 8 codeplan . . . `store.py`/Store#put().',
  ]);
  const [put] = messages(documents.get('disk.py') ?? new Map(), 3).filter((each) => text(each, 6) === 'put');
  assert.ok(put !== undefined);
  assert.deepEqual(
    messages(put, 4).map((each) => [text(each, 1), number(each, 3)]),
    [['codeplan . . . `store.py`/Store#put().', 1]],
  );
});

test('what SCIP cannot hold, or a terminal cannot show, is refused in words', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  for (const [args, said] of [
    [['-'], /SCIP is not text: give a file to write it to/u],
    [['index.scip', '--confidence', 'all'], /SCIP has no word for what is only possible/u],
  ] as const) {
    const { code, stderr } = await there.run(root, 'graph', 'export', '--no-daemon', '--format', 'scip', ...args);
    assert.equal(code, 2);
    assert.match(stderr, said);
  }
  assert.equal(existsSync(join(root, 'index.scip')), false);
});
