/** Numbers and places as a person reads them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesInWords } from '#src/base/counted.js';

test('lines are named as one says them, and of many the first', () => {
  assert.equal(linesInWords([3]), 'line 3');
  assert.equal(linesInWords([3, 5]), 'lines 3 and 5');
  assert.equal(linesInWords([3, 5, 8]), 'lines 3, 5 and 8');
  const many = Array.from({ length: 30 }, (_, i) => i + 1);
  assert.equal(linesInWords(many), 'lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 18 more');
});
