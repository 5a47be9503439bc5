/** Misspelt members, found again by a tool or not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recoverable } from '#src/eval/recoverable.js';
import { testGrammars } from '../support/grammars.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const members = ['open', 'put_entry', 'remove_all', 'close'];
const STORE = `class Store:\n${members.map((name) => `    def ${name}(self):\n        return 1\n`).join('\n')}`;
const USE = `from store import Store\n\n\ndef use(store: Store, other):\n${members
  .map((name) => `    store.${name}()\n`)
  .join('')}    other.put_entry()\n`;

test('each member that is used on a receiver of a known class is tried once, and found from what it was made', async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { 'store.py': STORE, 'use.py': USE });
  const options = { root, grammars: await testGrammars(), signal: new AbortController().signal };
  const { ways, lost } = await recoverable({ ...options, most: 100 });
  assert.equal(
    ways.reduce((sum, { tried }) => sum + tried, 0),
    members.length,
  );
  assert.deepEqual(lost, []);
  assert.ok(ways.every(({ tried, recovered }) => tried === recovered));
  assert.deepEqual(await recoverable({ ...options, most: 100 }), { ways, lost });
  assert.equal((await recoverable({ ...options, most: 1 })).ways[0]?.tried, 1);
});
