/**
 * An impact as a person reads it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactReport } from '#protocol/impact.js';
import { impactLines, impactStat, unfollowed } from '#src/cli/impact-text.js';

const change = (block: string, detail: object): object => ({
  file: 'a.py',
  block,
  kind: 'variable',
  label: 'MF',
  detail,
  startLine: 1,
});

const reportOf = (...changes: readonly object[]): ReturnType<typeof impactReport.parse> =>
  impactReport.parse({
    schema: 1,
    root: '/shop',
    base: 'HEAD',
    languages: ['python'],
    changes,
    affected: [],
    undecided: [],
    mentions: [],
    complete: true,
    problems: [],
  });

test('what was changed is said in words, with the label of the rules behind it', () => {
  const labelled = (label: string): object => ({ ...change('x', {}), label });
  const text = impactLines(reportOf(...['MMS', 'MMB', 'AM', 'DF', 'MC'].map(labelled)), (word) => word).join('\n');
  assert.deepEqual(
    [...text.matchAll(/^changed {2}a\.py: x {2}(.+)$/gmu)].map(([, said]) => said),
    ['its signature (MMS)', 'its body (MMB)', 'added (AM)', 'deleted (DF)', 'modified (MC)'],
  );
});

test('what reads a changed value is not listed, and that is said', () => {
  const report = reportOf(change('TIMEOUT', { valueOnly: true }));
  for (const lines of [impactLines(report, (text) => text), impactStat(report, (text) => text)]) {
    const text = lines.join('\n');
    assert.match(text, /^not listed {2}what reads TIMEOUT: of it only the value changed$/mu);
    assert.match(text, /; nothing else is affected but by a value\.$/u);
  }
});

test('uses of what has another type are too many to list, and that is said', () => {
  const offer = { parameter: 'Store.put', block: 'Store.put', uses: 36, files: 2, retold: true as const };
  const report = { ...reportOf(change('Store.put', {})), offers: [offer] };
  const text = impactLines(report, (word) => word).join('\n');
  assert.match(text, /36 uses of Store\.put in 2 files do what they did: only a type is written otherwise$/mu);
  assert.match(text, /; nothing else is affected but by a type\.$/u);
});

test('what nothing follows of a header or of code of its own is said, and no end is promised', () => {
  const report = reportOf(change('Store', { own: 'header' }), change('Page', { own: 'body' }));
  const text = impactLines(report, (word) => word).join('\n');
  assert.match(text, /^not listed {2}what uses Store: it changed in a way that nothing follows$/mu);
  assert.match(text, /^not listed {2}what uses Page: code of its own changed, outside of its members$/mu);
  assert.match(text, /; nothing else is known to be affected\.$/u);
});

test('where no value changed, nothing is said of values', () => {
  const text = impactLines(reportOf(change('TIMEOUT', { type: { from: 'int', to: 'float' } })), (word) => word).join(
    '\n',
  );
  assert.match(text, /; nothing else is affected\.$/u);
  assert.doesNotMatch(text, /value/u);
});

test('what nothing follows counts, and what only reads a changed value does not', () => {
  const report = reportOf(
    change('Store', { own: 'header' }),
    change('Shop', { bases: { added: ['Base'], removed: [] } }),
    change('TIMEOUT', { valueOnly: true }),
    change('Page', { own: 'body' }),
  );
  assert.deepEqual(unfollowed(report), ['Store', 'Shop']);
});

test('calls that fit a parameter of another type are counted, and not said to lack it', () => {
  const offers = [{ parameter: 'shape', block: 'draw', uses: 2, files: 1, widens: true as const }];
  const text = impactLines({ ...reportOf(change('draw', {})), offers }, (word) => word).join('\n');
  assert.match(
    text,
    /^not listed {2}2 uses of draw in 1 file fit as they are: the type of shape takes what they give$/mu,
  );
});

test('calls for which a type parameter is inferred in another way are counted, and not said to lack one', () => {
  const offers = [{ parameter: 'const T', block: 'kept', uses: 30, files: 4, infers: true as const }];
  const text = impactLines({ ...reportOf(change('kept', {})), offers }, (word) => word).join('\n');
  assert.match(text, /^not listed {2}30 uses of kept in 4 files, for which const T is inferred in another way now$/mu);
});
