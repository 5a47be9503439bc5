/** Work that nobody waits for: it stands back while somebody is answered, and ends at once when it is given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Precedence } from '#src/base/precedence.js';

test('it goes on after the answer and a pause, not before', async () => {
  const precedence = new Precedence();
  const never = new AbortController().signal;
  await precedence.standBack(never);
  const order: string[] = [];
  let answer = (): void => undefined;
  const answered = precedence.first(() => new Promise<void>((resolve) => (answer = resolve)));
  const back = precedence.standBack(never).then(() => order.push('background'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  order.push('answer');
  answer();
  await answered;
  await precedence.first(() => Promise.resolve(order.push('asked again')));
  await back;
  assert.deepEqual(order, ['answer', 'asked again', 'background']);
});

test('an answer that fails holds nobody up', async () => {
  const precedence = new Precedence();
  await assert.rejects(
    precedence.first(() => Promise.reject(new Error('no'))),
    /no/u,
  );
  await precedence.standBack(new AbortController().signal);
});

test('who is given up while standing back hears why', async () => {
  const precedence = new Precedence();
  void precedence.first(() => new Promise<void>(() => undefined));
  const typing = new AbortController();
  const back = precedence.standBack(typing.signal);
  typing.abort(new Error('the text changed'));
  await assert.rejects(back, /the text changed/u);
});
