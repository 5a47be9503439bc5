/** `codeplan refs` and `codeplan context`: the words of the tools for agents, on the command line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';

test('refs and context say what the tools say, as text and as data', async (t) => {
  const root = repository(t, SHOP);
  const { run } = home(t);
  const refs = await run(root, 'refs', 'Store.put');
  assert.deepEqual(
    [refs.code, refs.stdout],
    [0, 'store.py:Store.put: 3 uses in 2 files\njob.py\n  5 save\nreport.py\n  5 report\ngraph: current\n'],
  );
  const data = z
    .looseObject({ schema: z.literal(1), text: z.string(), references: z.array(z.looseObject({ file: z.string() })) })
    .parse(JSON.parse((await run(root, 'refs', 'Store.put', '--json')).stdout));
  assert.equal(data.references.length, 3);
  assert.equal(`${data.text}\n`, refs.stdout);
  const context = await run(root, 'context', 'Store.put', '--tokens', '300');
  assert.equal(context.code, 0);
  assert.match(context.stdout, /^The blocks:\nstore\.py:2 Store\.put\n[^]*Used by 2 blocks[^]*graph: current\n$/);
  assert.match(
    (await run(root, 'context', '--task', 'save a key in the store')).stdout,
    /def save\(store: Store, k\):/,
  );
});

test('an unknown, an ambiguous and a missing block are failures that say what there is', async (t) => {
  const root = repository(t, SHOP);
  const { run } = home(t);
  const ambiguous = await run(root, 'refs', 'put');
  assert.equal(ambiguous.code, 2);
  assert.match(ambiguous.stderr, /2 blocks are called put; say which one:\n +log\.py:Log\.put\n +store\.py:Store\.put/);
  const missing = await run(root, 'context');
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /Give blocks, or --task in words/);
  assert.equal((await run(root, 'refs', 'Store.put', '--depth', '11')).code, 2);
});
