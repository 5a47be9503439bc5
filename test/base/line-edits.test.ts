/** Differing lines as edits: they lead from one text to the other, and touch nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lineEdits } from '#src/base/line-edits.js';
import { applyEdits } from '#src/base/text-edit.js';

test('a changed line is one edit, and what is equal is left alone', () => {
  assert.deepEqual(lineEdits('a\nb\nc\n', 'a\nB\nc\n'), [{ start: 2, end: 4, text: 'B\n' }]);
  assert.deepEqual(lineEdits('a\r\nb', 'a\r\nb\r\nc'), [{ start: 3, end: 4, text: 'b\r\nc' }]);
  assert.deepEqual(lineEdits('', 'a'), [{ start: 0, end: 0, text: 'a' }]);
  assert.deepEqual(lineEdits('a', 'a'), []);
});

test('law: the edits of one text give the other', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', 'c d'), { maxLength: 12 })
    .chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((end) => lines.join(end)));
  fc.assert(
    fc.property(text, text, (before, after) => assert.equal(applyEdits(before, lineEdits(before, after)), after)),
  );
});
