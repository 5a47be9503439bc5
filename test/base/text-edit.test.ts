/** Text edits: applying, undoing, moving offsets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEdits, invertEdits, movedOffset, type TextEdit } from '#src/base/text-edit.js';

test('edits apply in any order; insertions at one place keep theirs', () => {
  assert.equal(
    applyEdits('abc', [
      { start: 2, end: 3, text: 'C' },
      { start: 0, end: 0, text: '1' },
      { start: 0, end: 1, text: 'A' },
      { start: 0, end: 0, text: '2' },
    ]),
    '12AbC',
  );
});

test('overlaps and spans outside of the text throw', () => {
  assert.throws(
    () =>
      applyEdits('abc', [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 3, text: '' },
      ]),
    RangeError,
  );
  assert.throws(
    () =>
      applyEdits('abc', [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 1, text: 'x' },
      ]),
    RangeError,
  );
  for (const [start, end] of [
    [0, 4],
    [-1, 1],
    [2, 1],
  ] as const)
    assert.throws(() => applyEdits('abc', [{ start, end, text: '' }]), RangeError);
});

test('offsets move with the text', () => {
  const edits: TextEdit[] = [
    { start: 1, end: 3, text: 'x' },
    { start: 4, end: 4, text: 'yy' },
  ];
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((offset) => movedOffset(edits, offset)),
    [0, 1, 2, 2, 5, 6],
  );
});

const edited = fc
  .string({ maxLength: 30 })
  .chain((text) =>
    fc.tuple(
      fc.constant(text),
      fc.uniqueArray(fc.nat(text.length), { maxLength: 8 }),
      fc.array(fc.string({ maxLength: 4 }), { minLength: 4, maxLength: 4 }),
    ),
  );

test('what is inverted gives the text back', () => {
  fc.assert(
    fc.property(edited, ([text, cuts, inserts]) => {
      const ordered = [...cuts].sort((x, y) => x - y);
      const edits: TextEdit[] = [];
      for (let i = 0; i + 1 < ordered.length; i += 2)
        edits.push({ start: ordered[i] as number, end: ordered[i + 1] as number, text: inserts[i / 2] as string });
      assert.equal(applyEdits(applyEdits(text, edits), invertEdits(text, edits)), text);
    }),
  );
});
