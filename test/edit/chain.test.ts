/** Models asked one after the other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from '#src/edit/model/chain.js';
import type { EditAnswer, EditModel } from '#src/edit/model/edit-model.js';
import { NO_USAGE } from '#src/model/usage.js';
import type { ModelErrorKind } from '#src/model/model-error.js';
import { editRequest } from '../support/edit-request.js';

const usage = { promptTokens: 10, completionTokens: 1 };
const model = (id: string, answer: Partial<EditAnswer>, more: Partial<EditModel> = {}): EditModel => ({
  id,
  edit: () => Promise.resolve({ model: id, usage, raw: '', ...answer } as EditAnswer),
  ...more,
});
const cannot = (kind: ModelErrorKind): Partial<EditAnswer> => ({
  kind: 'cannot',
  reason: kind,
  error: { kind, message: kind },
});
const ask = (...models: [EditModel, ...EditModel[]]): Promise<EditAnswer> =>
  chainOf(models).edit(editRequest(), new AbortController().signal);

test('the next one is asked what the one before cannot, and what both took is counted', async () => {
  const answer = await ask(
    model('a', cannot('unreachable')),
    model('b', { kind: 'edit', text: 'x' }),
    model('c', { kind: 'edit', text: 'y' }),
  );
  assert.deepEqual([answer.kind, answer.model, answer.usage], ['edit', 'b', { promptTokens: 20, completionTokens: 2 }]);
  assert.equal((await ask(model('a', cannot('timeout')), model('b', cannot('server')))).kind, 'cannot');
});

test('"no changes" ends it, unless it comes from one that was not told why', async () => {
  assert.equal((await ask(model('a', { kind: 'noChange' }), model('b', { kind: 'edit', text: 'x' }))).model, 'a');
  assert.equal(
    (await ask(model('a', { kind: 'noChange' }, { readsWords: false }), model('b', { kind: 'edit', text: 'x' }))).model,
    'b',
  );
  assert.equal((await ask(model('a', { kind: 'noChange' }, { readsWords: false }))).kind, 'noChange');
});

test('what must not be sent is offered to nobody else', async () => {
  assert.equal((await ask(model('a', cannot('secret')), model('b', { kind: 'edit', text: 'x' }))).kind, 'cannot');
  assert.equal((await ask(model('a', cannot('withheld')), model('b', { kind: 'edit', text: 'x' }))).model, 'a');
});

test('it picks and previews as the first that can', async () => {
  const chain = chainOf([
    model('a', {}),
    model(
      'b',
      {},
      {
        pick: () => Promise.resolve({ kind: 'picked', picked: [2], usage: NO_USAGE }),
        preview: () => ({ to: 'host', model: 'm', prompt: { messages: [], tokens: 0, parts: [] } }),
      },
    ),
  ]);
  assert.equal(chain.preview?.(editRequest()).to, 'host');
  assert.deepEqual(await chain.pick?.({ instruction: '', candidates: [] }, new AbortController().signal), {
    kind: 'picked',
    picked: [2],
    usage: NO_USAGE,
  });
  assert.equal(chainOf([model('a', {})]).pick, undefined);
});
