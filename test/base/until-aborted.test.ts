/** Waiting for work that goes on without whoever gave up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { untilAborted } from '#src/base/until-aborted.js';

// A rejection that nobody hears of fails the test by itself.
test('work that fails after nobody waits for it any more is no error of its own', async () => {
  const given = new AbortController();
  const work = (): Promise<never> => turn().then(() => Promise.reject(new Error('the work failed')));

  const waited = untilAborted(work(), given.signal);
  given.abort(new Error('given up'));
  await assert.rejects(waited, /given up/);
  await assert.rejects(untilAborted(work(), given.signal), /given up/);
  for (let k = 0; k < 5; k++) await turn();
});

test('work that ends before anybody gives up is what is given, its failure too', async () => {
  const { signal } = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
  await assert.rejects(untilAborted(Promise.reject(new Error('the work failed')), signal), /the work failed/);
});
