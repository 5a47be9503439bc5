/**
 * Counts do not go down and up again while a repository is being read: a smaller part brings its hints alone. What is
 * asked while a person types is shown when the person rests, and never of an earlier text.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { LeftParams, LeftReport } from '#protocol/left.js';
import { isOfLess, LatestLeft, QUIET_MS } from '#src/daemon/latest-left.js';

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

const report = (version: number): LeftReport => ({
  schema: 1,
  root: '/shop',
  base: `${version}`,
  changes: [],
  entries: [],
  files: [],
  counts: { left: 0, breaks: 0, waiting: 0, rejected: 0, dismissed: 0, undecided: 0 },
  says: [],
  undecided: [],
  complete: true,
  problems: [],
});

test('nothing is published inside a word', async () => {
  const shown = new EventTarget();
  const left = new LatestLeft(
    () => Promise.resolve(report(1)),
    () => undefined,
    () => shown.dispatchEvent(new Event('report')),
    () => undefined,
    () => undefined,
  );
  const publishing = once(shown, 'report');
  const touchedAt = performance.now();
  left.touch();
  await publishing;
  // Timers may come a millisecond early.
  assert.ok(performance.now() - touchedAt >= QUIET_MS - 1);
  left.close();
});

test('an answer for a text that changed in the quiet is not published', async () => {
  const shown = new EventTarget();
  const published: string[] = [];
  const asked = new EventTarget();
  let version = 0;
  const left = new LatestLeft(
    () => {
      version++;
      asked.dispatchEvent(new Event('question'));
      return Promise.resolve(report(version));
    },
    () => undefined,
    ({ base }) => {
      published.push(base);
      shown.dispatchEvent(new Event('report'));
    },
    () => undefined,
    () => undefined,
  );
  const question = once(asked, 'question');
  const publishing = once(shown, 'report');
  left.touch();
  await question;
  left.touch();
  await publishing;
  assert.deepEqual(published, ['2']);
  left.close();
});

test('once nothing comes any more, what may be edited next is asked about, and nothing is published of it', async () => {
  const asked: LeftParams[] = [];
  const looking = new EventTarget();
  let published = 0;
  const left = new LatestLeft(
    (params) => {
      asked.push(params);
      if (params.ahead === true) looking.dispatchEvent(new Event('ahead'));
      return Promise.resolve(report(1));
    },
    () => undefined,
    () => {
      published++;
    },
    () => undefined,
    () => undefined,
  );
  const ahead = once(looking, 'ahead');
  left.touch();
  await ahead;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked, [{ early: true }, { ahead: true }]);
  assert.equal(published, 1);
  left.close();
});

test('the quiet begins with the key, not once the text was taken in; what else was written begins it', async () => {
  const shown = new EventTarget();
  let [expected, asked] = [0, 0];
  const left = new LatestLeft(
    () => {
      asked++;
      return Promise.resolve(report(1));
    },
    () => {
      expected++;
      // The host has read the text by now, and says so.
      if (asked === 0) left.taken();
    },
    () => shown.dispatchEvent(new Event('report')),
    () => undefined,
    () => undefined,
  );
  let publishing = once(shown, 'report');
  left.touch();
  await publishing;
  assert.deepEqual([expected, asked], [1, 1], 'the question that waited was of the text already');
  publishing = once(shown, 'report');
  left.taken();
  await publishing;
  assert.deepEqual([expected, asked], [2, 2], 'nothing waited: the text came another way');
  left.close();
});
