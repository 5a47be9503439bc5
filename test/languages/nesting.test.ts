/** No text is nested too deep to be read: neither the process nor the file is lost, and what is not read is said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise, summariseEdited } from '#src/languages/summarise.js';
import { ParsePool } from '#src/io/index/parse-pool.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import type { Reading } from '#src/io/index/read-sources.js';
import type { Source } from '#src/syntax/source.js';
import { NESTED } from '../support/nested-texts.js';

/** A parser needs some seconds for each of a few texts beyond that. */
const BYTES_MOST = 400_000;
const texts = (levels: number): { path: string; text: string }[] =>
  Object.entries(NESTED).flatMap(([file, constructs]) =>
    Object.entries(constructs)
      .map(([construct, text]) => ({ path: `${construct}/${file}`, text: text(levels) }))
      .filter(({ text }) => text.length <= BYTES_MOST),
  );

for (const levels of [100, 2000, 20_000]) {
  test(`texts of ${levels} levels give a summary, the same under edit`, async () => {
    const grammars = await grammarsOfThread();
    for (const { path, text } of texts(levels)) {
      const summary = summarise(grammars, path, text);
      assert.ok(summary, path);
      assert.doesNotMatch(summary.unread?.reason ?? '', /defect/, path);
      if (levels === 100) assert.equal(summary.unread, null, path);
      if (levels < 20_000) assert.deepEqual(summariseEdited(grammars, path, path, text), summary, path);
    }
  });
}

test('texts of 20,000 levels are read by workers, of which none dies', async () => {
  const pool = new ParsePool(1);
  const readings: Reading<Source>[] = [];
  await pool.parseTexts(texts(20_000), (some) => readings.push(...some), new AbortController().signal);
  await pool.close();
  const jobs = texts(20_000);
  assert.equal(readings.length, jobs.length);
  for (const reading of readings) {
    assert.equal(reading.kind, 'text', reading.path);
    if (reading.kind === 'text') assert.doesNotMatch(reading.summary.unread?.reason ?? '', /defect/, reading.path);
  }
});

test('what is nested too deep is said with its place; what is around it is read', async () => {
  const grammars = await grammarsOfThread();
  const summary = summarise(
    grammars,
    'a.py',
    `def f(): pass\nx = ${'('.repeat(1000)}1${')'.repeat(1000)}\ndef g(): pass\n`,
  );
  assert.match(summary?.unread?.reason ?? '', /deeper than 500 levels/);
  assert.ok((summary?.unread?.at ?? 0) > 500 && (summary?.unread?.at ?? 0) < 600);
  for (const name of ['f', 'x', 'g']) assert.ok(summary?.names.includes(name), name);
});

test('a text that the parser would take half a minute for is not read, which is said, and the next one is', async () => {
  const grammars = await grammarsOfThread();
  const casts = NESTED['C.cs']?.['casts']?.(200_000) ?? '';
  for (const summary of [
    summarise(grammars, 'C.cs', casts),
    summariseEdited(grammars, 'casts', 'C.cs', 'class A { void f() { } }') &&
      summariseEdited(grammars, 'casts', 'C.cs', casts),
  ]) {
    assert.match(summary?.unread?.reason ?? '', /takes the parser many times as long as other texts/u);
    assert.equal(summary?.textLength, casts.length);
    assert.equal(summary.decls.count, 0);
  }
  assert.deepEqual(
    summarise(grammars, 'A.cs', 'class A { void f() { } }')?.names.filter((name) => name.length === 1),
    ['A', 'f'],
  );
});
