/** What people said is read by the next program as it was said, whatever of it was written from what was known before. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Decisions } from '#src/engine/left.js';
import { rootKey } from '#src/io/disk/folders.js';
import { LeftStore } from '#src/io/journal/left-store.js';
import { quickFolder } from '../support/temporary-folder.js';

const SETTLED = { commit: 'c', texts: { 'b.py': 'b = "ä\ud800"\n', '1': null, 'a.py': '' } };

test('each change is read as it was made, and what is the same is not written again', (t) => {
  const state = quickFolder(t);
  const store = new LeftStore(state, '/root');
  const place = join(state, rootKey('/root'), 'left.json');
  const changes: readonly ((known: Decisions) => Decisions)[] = [
    (known) => ({ ...known, settled: SETTLED }),
    (known) => ({ ...known, dismissed: ['one'] }),
    (known) => ({ ...known, settled: { ...SETTLED, texts: { 'b.py': 'c' } }, dismissed: ['one', 'two'] }),
    (known) => ({ ...known, settled: null }),
  ];
  for (const change of changes) {
    store.change(change);
    const again = new LeftStore(state, '/root');
    assert.deepEqual(again.read(), store.read());
    assert.equal(again.problem, undefined);
    const { ino } = statSync(place);
    for (const one of [store, again])
      one.change((known) => ({
        ...known,
        settled: known.settled && { ...known.settled },
        dismissed: [...known.dismissed],
      }));
    assert.equal(statSync(place).ino, ino);
  }
});
