/** Counts do not go down and up again while a repository is being read: a smaller part brings its hints alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfLess } from '#src/daemon/latest-left.js';

test('a report of fewer files counts less than what is known, one of as many or all does not', () => {
  const part = (files: number): { read: { files: number; of: number } } => ({ read: { files, of: 90 } });
  const whole = {};
  assert.equal(isOfLess(part(2), part(52)), true, 'the open files alone, after the part around them');
  assert.equal(isOfLess(part(2), whole), true);
  assert.equal(isOfLess(part(52), part(52)), false, 'the same part of other texts');
  assert.equal(isOfLess(part(52), part(2)), false);
  assert.equal(isOfLess(whole, part(52)), false);
  assert.equal(isOfLess(whole, whole), false);
});
