/** The edit model that knows the result: answers, what needs no change, and what it cannot say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayOf, targetKey } from '#src/edit/model/replay.js';
import { editRequest } from '../support/edit-request.js';

const signal = new AbortController().signal;

test('a replay answers with the target, knows when nothing is to do, and when it cannot say', async () => {
  const request = editRequest();
  const replay = replayOf(new Map([[targetKey(request.file, request.block), 'def save(store, k):\n    store.put(k, 0)']]));
  const answer = await replay.edit(request, signal);
  assert.ok(answer.kind === 'edit');
  assert.equal(answer.text, 'def save(store, k):\n    store.put(k, 0)');
  assert.equal((await replay.edit(editRequest({ fragment: 'def save(store, k):\r\n    store.put(k, 0)\r\n' }), signal)).kind, 'noChange');
  const gone = await replay.edit(editRequest({ block: 'load' }), signal);
  assert.ok(gone.kind === 'cannot');
  assert.match(gone.reason, /no block load in pkg\/job\.py/);
});
