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

/** Places of the edit in the file, as found without a look at others and as in the whole answer, and its number. */
function nearAndWhole(
  texts: ReadonlyMap<string, string>,
  file: string,
  edited: string,
): { readonly near: readonly string[]; readonly there: readonly string[]; readonly all: number } {
  const before = treeOf(texts, grammars);
  const after = advance(before, texts, new Map([...texts, [file, edited]]), grammars);
  const question = questionAbout({ before: before.resolver, after: after.resolver }, editBetween(before, after));
  const places = (blocks: readonly AffectedBlock[]): string[] =>
    blocks.flatMap(({ file: at, decl, sites }) => sites.map(({ expr, rule }) => `${at} ${decl} ${expr} ${rule}`));
  const whole = places(atOnce(impactOf(question)).affected);
  return {
    near: places(atOnce(impactInFiles({ ...question, files: new Set([file]) }))),
    there: whole.filter((place) => place.startsWith(`${file} `)),
    all: whole.length,
  };
}

test('a body that still reads a removed parameter is told with the first hints', () => {
  const store = 'class Store:\n    def put(self, key, ttl):\n        return key + ttl\n';
  const texts = new Map([
    ['store.py', store],
    ['use.py', 'from store import Store\n\n\ndef use(store: Store):\n    store.put(1, 2)\n'],
  ]);
  const { near, there, all } = nearAndWhole(texts, 'store.py', store.replace(', ttl', ''));
  assert.equal(near.length, 1);
  assert.deepEqual(near, there);
  assert.equal(all, 2);
});

test('the other signatures of an overloaded method and its body are told with the first hints', () => {
  const store = [
    'export class Store {',
    '  put(key: string, ttl?: number): void;',
    '  put(key: number, ttl?: number): void;',
    '  put(key: string | number, ttl?: number): void {}',
    '}',
    '',
  ].join('\n');
  const texts = new Map([
    ['store.ts', store],
    ['use.ts', "import { Store } from './store';\n\nexport const use = (store: Store) => store.put('a', 2);\n"],
  ]);
  const { near, there, all } = nearAndWhole(texts, 'store.ts', store.replace('string, ttl?: number', 'string'));
  assert.equal(near.length, 2);
  assert.deepEqual(near, there);
  assert.equal(all, 3);
});
