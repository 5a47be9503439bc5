/**
 * What is affected in a few files is found without a look at the others, the changed body's own use of what went
 * included, and it is nothing that the whole answer has not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '#src/base/turns.js';
import { editBetween } from '#src/engine/edit-between.js';
import type { AffectedBlock } from '#src/impact/affected.js';
import { impactInFiles, impactOf } from '#src/impact/impact.js';
import { questionAbout } from '#src/impact/question.js';
import { advance, treeOf } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';

const grammars = await testGrammars();

test('a body that still reads a removed parameter is told with the first hints', () => {
  const texts = new Map([
    ['store.py', 'class Store:\n    def put(self, key, ttl):\n        return key + ttl\n'],
    ['use.py', 'from store import Store\n\n\ndef use(store: Store):\n    store.put(1, 2)\n'],
  ]);
  const before = treeOf(texts, grammars);
  const edited = new Map([...texts, ['store.py', texts.get('store.py')?.replace(', ttl', '') ?? '']]);
  const after = advance(before, texts, edited, grammars);
  const question = questionAbout({ before: before.resolver, after: after.resolver }, editBetween(before, after));
  const places = (blocks: readonly AffectedBlock[]): string[] =>
    blocks.flatMap(({ file, sites }) => sites.map(({ expr, rule }) => `${file} ${expr} ${rule}`));
  const near = places(atOnce(impactInFiles({ ...question, files: new Set(['store.py']) })));
  assert.equal(near.length, 1);
  const whole = places(atOnce(impactOf(question)).affected);
  assert.deepEqual(
    near,
    whole.filter((place) => place.startsWith('store.py')),
  );
  assert.equal(whole.length, 2);
});
