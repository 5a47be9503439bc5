/** Questions on an account: what is refused before it is sent, and what is charged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE } from '#src/model/budget.js';
import { Ledger, metered } from '#src/model/metered.js';
import { scriptedModel } from '../support/scripted-model.js';

const { signal } = new AbortController();
const ROOMY = { calls: Infinity, tokens: Infinity, money: Infinity, seconds: Infinity, files: Infinity };
const asking = (content: string) => ({ kind: 'test', messages: [{ role: 'user', content }] as const });

test('a prompt that would exceed the tokens is not sent', async () => {
  const script = scriptedModel({ test: () => ['yes'] });
  const ledger = new Ledger({ ...ROOMY, tokens: 40 }, FREE, () => 0);
  const model = metered(script, ledger);
  const long = await model.complete(asking('word '.repeat(100)), { signal });
  assert.ok(!long.ok);
  assert.equal(long.error.kind, 'budget');
  assert.equal(script.told.length, 0);
  assert.ok((await model.complete(asking('word'), { signal })).ok);
  assert.deepEqual(ledger.spent, { calls: 1, promptTokens: 10, completionTokens: 1 });
});

test('two models on one ledger share it, and time ends it', async () => {
  let seconds = 0;
  const ledger = new Ledger({ ...ROOMY, calls: 2, seconds: 5 }, FREE, () => seconds);
  const [plan, judge] = [scriptedModel({ test: () => ['a'] }), scriptedModel({ test: () => ['b'] })];
  assert.ok((await metered(plan, ledger).complete(asking('x'), { signal })).ok);
  seconds = 6;
  assert.ok(!(await metered(judge, ledger).complete(asking('x'), { signal })).ok);
  seconds = 5;
  assert.ok((await metered(judge, ledger).complete(asking('x'), { signal })).ok);
  assert.ok(!(await metered(plan, ledger).complete(asking('x'), { signal })).ok);
});

test('questions that are on their way at once count against what may be asked', async () => {
  const script = scriptedModel({ test: () => ['yes'] });
  const ledger = new Ledger({ ...ROOMY, calls: 2 }, FREE, () => 0);
  const model = metered(script, ledger);
  const answers = await Promise.all(['a', 'b', 'c'].map((content) => model.complete(asking(content), { signal })));
  assert.deepEqual(
    answers.map(({ ok }) => ok),
    [true, true, false],
  );
  assert.equal(script.told.length, 2);
  assert.equal(ledger.spent.calls, 2);
});
