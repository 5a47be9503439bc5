/**
 * Long answers give way and can be cancelled. Counted in turns of the event loop, not in time: between two turns of an
 * answer everybody else is served once, and an answer that is cancelled ends with the turn it is in.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { SETTLED_BASE, type Service } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';

/** Turns of the loop from the cancellation to the end: that of the answer, and those of the promises around it. */
const TURNS_MOST = 6;
const HUB = 'class Hub:\n    def ask(self, a):\n        return a\n';
const EDITED = 'class Hub:\n    def ask(self, a, b):\n        return a\n';

/** One name is said everywhere, so that a question about it takes many turns. */
function wide(): Record<string, string> {
  const files: Record<string, string> = { 'hub.py': HUB };
  for (let i = 0; i < 120; i++) {
    const calls = Array.from({ length: 12 }, (_, n) => `    value.ask(${n})\n    other${n}.ask(${n})\n`).join('');
    files[`part${i}.py`] = `from hub import Hub\n\n\ndef use${i}(value: Hub):\n${calls}`;
  }
  return files;
}

async function clients(t: TestContext): Promise<{ readonly slow: Service; readonly quick: Service }> {
  const root = repository(t, wide());
  const { environment } = home(t);
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  await engine.warm();
  const of = (id: string): Service => engine.connect({ id, name: 'a test', workingDirectory: root, environment });
  return { slow: of('slow'), quick: of('quick') };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The turns that an answer takes; or, when it is cancelled after so many, those that it goes on for, if it was not
 * given before.
 */
async function turnsOf(
  ask: (signal: AbortSignal) => Promise<unknown>,
  cancelAfter = Infinity,
): Promise<number | undefined> {
  const enough = new AbortController();
  let end: 'answered' | 'cancelled' | undefined;
  const settled = ask(enough.signal).then(
    () => (end = 'answered'),
    (error: unknown) => {
      assert.match(String(error), /enough/u);
      end = 'cancelled';
    },
  );
  let turns = 0;
  for (let since = 0; end === undefined; since++) {
    if (since === cancelAfter) {
      enough.abort(new Error('enough'));
      turns = 0;
    }
    await turn();
    turns++;
  }
  await settled;
  return cancelAfter === Infinity || end === 'cancelled' ? turns : undefined;
}

test('impact with its forecast, a plan and the references of a block give way many times, and end where they are cancelled', async (t) => {
  const { slow } = await clients(t);
  const call = (signal: AbortSignal): { signal: AbortSignal; progress: () => void } => ({
    signal,
    progress: () => undefined,
  });
  let version = 0;
  // Each question is about texts of its own, so that no answer of the one before shortens it.
  const anew = (): void => slow.setText('hub.py', EDITED.replace('b)', `b${version})`), ++version);
  const questions = {
    impact: (signal: AbortSignal) => slow.ask('codeplan/impact', { base: SETTLED_BASE, all: true }, call(signal)),
    plan: (signal: AbortSignal) => slow.ask('codeplan/plan', { base: SETTLED_BASE, rulesOnly: true }, call(signal)),
    refs: (signal: AbortSignal) => slow.ask('codeplan/graph/refs', { block: 'hub.py:Hub.ask' }, call(signal)),
    callers: (signal: AbortSignal) =>
      slow.ask('codeplan/graph/calls', { block: 'hub.py:Hub.ask', direction: 'callers' }, call(signal)),
  };
  for (const [name, ask] of Object.entries(questions)) {
    anew();
    const whole = (await turnsOf(ask)) ?? 0;
    assert.ok(whole > 8, `${name} took ${whole} turns`);
    const after: number[] = [];
    for (const turns of [1, 3, 6]) {
      anew();
      const more = await turnsOf(ask, turns);
      if (more !== undefined) after.push(more);
    }
    // What is known by now makes later answers shorter than the first, and one may have been given before.
    assert.ok(after.length > 0, `${name} was never cancelled`);
    assert.ok(Math.max(...after) <= TURNS_MOST, `${name} went on for ${after.join(', ')} turns`);
    t.diagnostic(`${name}: ${whole} turns; cancelled, it ended after ${after.join(', ')}`);
  }
});

test('while one client waits for a long answer another one gets many', async (t) => {
  const { slow, quick } = await clients(t);
  const call = { signal: new AbortController().signal, progress: (): void => undefined };
  slow.setText('hub.py', EDITED, 1);
  let isDone = false;
  const long = slow.ask('codeplan/plan', { base: SETTLED_BASE, rulesOnly: true }, call).finally(() => (isDone = true));
  let answers = 0;
  for (; !isDone; answers++) await quick.ask('codeplan/status', {}, call).then(turn);
  await long;
  assert.ok(answers > 8, `${answers} answers`);
});
