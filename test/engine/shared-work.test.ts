/** One piece of work for all who wait: it goes on as long as one of them does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '#src/engine/service.js';
import { SharedWork } from '#src/engine/shared-work.js';

interface Waiting extends Call {
  readonly told: string[];
  leave(): void;
}

function waiting(): Waiting {
  const gone = new AbortController();
  const told: string[] = [];
  return {
    signal: gone.signal,
    told,
    progress: (message) => told.push(message),
    leave: () => gone.abort(new Error('gone')),
  };
}

/** Work that ends when told to, and fails when it is given up. */
function work(): {
  readonly begin: (call: Call) => Promise<string>;
  tell(what: string): void;
  end(result: string): void;
} {
  let call: Call | undefined;
  let resolve: (result: string) => void = () => undefined;
  return {
    begin: (shared) => {
      call = shared;
      return new Promise((done, failed) => {
        resolve = done;
        shared.signal.addEventListener('abort', () => failed(shared.signal.reason as Error));
      });
    },
    tell: (what) => call?.progress(what),
    end: (result) => resolve(result),
  };
}

test('one who leaves ends nothing for another, who is told how far it is', async () => {
  const { begin, tell, end } = work();
  const shared = new SharedWork(begin);
  const [one, other] = [waiting(), waiting()];
  const left = shared.resultFor(one);
  const stays = shared.resultFor(other);
  tell('half');
  one.leave();
  await assert.rejects(left, /gone/u);
  tell('nearly all');
  end('done');
  assert.equal(await stays, 'done');
  assert.deepEqual([one.told, other.told], [['half'], ['half', 'nearly all']]);
});

test('when the last one leaves it is given up, and is not under way any more', async () => {
  const { begin } = work();
  const shared = new SharedWork(begin);
  const [one, other] = [waiting(), waiting()];
  const [first, last] = [shared.resultFor(one), shared.resultFor(other)];
  one.leave();
  await assert.rejects(first, /gone/u);
  assert.ok(shared.isUnderWay);
  other.leave();
  await assert.rejects(last, /gone/u);
  assert.ok(!shared.isUnderWay);
  await assert.rejects(shared.resultFor(waiting()), /nobody waits/u);
});

test('all who wait hear of a failure', async () => {
  const shared = new SharedWork(() => Promise.reject(new Error('no plan')));
  await Promise.all([waiting(), waiting()].map((call) => assert.rejects(shared.resultFor(call), /no plan/u)));
});
