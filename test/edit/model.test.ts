/** Chains of edit models, and the one that knows the result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from '#src/edit/model/chain.js';
import type { EditAnswer, EditModel } from '#src/edit/model/edit-model.js';
import type { ModelError } from '#src/edit/model/model-error.js';
import { replayOf, targetKey } from '#src/edit/model/replay.js';
import { editRequest } from '../support/edit-request.js';

const signal = new AbortController().signal;
const usage = { promptTokens: 10, completionTokens: 1 };

interface Counted extends EditModel {
  calls: number;
}

function fixed(id: string, kind: 'edit' | 'noChange' | 'cannot', error?: ModelError): Counted {
  const answered = { model: id, usage, raw: '' };
  const answers: Record<typeof kind, EditAnswer> = {
    edit: { ...answered, kind: 'edit', text: `by ${id}` },
    noChange: { ...answered, kind: 'noChange' },
    cannot: { ...answered, kind: 'cannot', reason: `${id} does not know`, ...(error === undefined ? {} : { error }) },
  };
  const model: Counted = {
    id, calls: 0,
    edit: async () => {
      model.calls++;
      return answers[kind];
    },
  };
  return model;
}

test('the first that answers decides, and what others used is counted', async () => {
  const last = fixed('c', 'edit');
  const answer = await chainOf([fixed('a', 'cannot'), fixed('b', 'edit'), last]).edit(editRequest(), signal);
  assert.ok(answer.kind === 'edit');
  assert.deepEqual([answer.model, answer.text, answer.usage], ['b', 'by b', { promptTokens: 20, completionTokens: 2 }]);
  assert.equal(last.calls, 0);
});

test('no change is an answer, and ends the chain', async () => {
  const last = fixed('b', 'edit');
  assert.equal((await chainOf([fixed('a', 'noChange'), last]).edit(editRequest(), signal)).kind, 'noChange');
  assert.equal(last.calls, 0);
});

test('when nobody can, all reasons are given', async () => {
  const error = { kind: 'timeout', message: 'm' } as const;
  const answer = await chainOf([fixed('a', 'cannot', error), fixed('b', 'cannot')]).edit(editRequest(), signal);
  assert.ok(answer.kind === 'cannot');
  assert.equal(answer.reason, 'a: a does not know; b: b does not know');
  assert.equal(answer.error, error);
  const none = await chainOf([]).edit(editRequest(), signal);
  assert.ok(none.kind === 'cannot');
  assert.match(none.reason, /no edit model/);
});

test('an abort ends the chain before the next model is asked', async () => {
  const abort = new AbortController();
  const first: EditModel = { id: 'a', edit: async () => {
    abort.abort(new Error('stop'));
    return { kind: 'cannot', model: 'a', usage, raw: '', reason: '' };
  } };
  const second = fixed('b', 'edit');
  await assert.rejects(chainOf([first, second]).edit(editRequest(), abort.signal), /stop/);
  assert.equal(second.calls, 0);
});

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
