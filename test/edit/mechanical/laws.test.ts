/**
 * What holds for all rewrites: the result is a fixed point, an inverse edit gives the text back, the time is
 * linear.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testGrammars } from '../../support/grammars.js';
import { propagated, type Files } from '../../support/propagated.js';

const grammars = await testGrammars();

/** A store and many files that call it, some through aliases, some nested, some on several lines. */
function repository(files: number): Files {
  const out: Record<string, string> = {
    'store.py':
      'class Store:\n    def put(self, key, ttl):\n        return key\n\n    def get(self, key):\n        return key\n',
  };
  for (let i = 0; i < files; i++) {
    out[`users/user_${i}.py`] =
      `from store import Store\n\n\ndef save_${i}(store: Store, k):\n    store.put(k, 60)\n    store.put(\n        k,  # key\n        ttl=3,\n    )\n\n\ndef load_${i}(k):\n    s = Store()\n    s.put(s.put(k, 1), 2)\n    return s.get(k)\n`;
  }
  return out;
}

const cpuMs = async (run: () => Promise<void>): Promise<number> => {
  const start = process.cpuUsage();
  await run();
  const used = process.cpuUsage(start);
  return (used.user + used.system) / 1000;
};

/** What eight times the size may cost, in times of the size: linear work takes 8, quadratic work 64. */
const GROWTH_MOST = 24;

async function growth(run: (size: number) => Promise<void>, size: number): Promise<number> {
  await run(size);
  const small = Math.min(await cpuMs(() => run(size)), await cpuMs(() => run(size)));
  return (await cpuMs(() => run(8 * size))) / Math.max(small, 2);
}

test('the cost of a thousand sites in 300 files grows with their number', async (t) => {
  const run = async (count: number): Promise<void> => {
    const files = repository(count);
    const edit = { 'store.py': (files['store.py'] ?? '').replace(', ttl', '') };
    const { changed, open } = await propagated(grammars, files, edit);
    assert.equal(Object.keys(changed).length, count);
    assert.deepEqual(open, []);
  };
  const ratio = await growth(run, 38);
  t.diagnostic(`8 times the files take ${ratio.toFixed(1)} times the CPU time`);
  assert.ok(ratio <= GROWTH_MOST, `${ratio.toFixed(1)} times`);
});

test('the cost of a thousand sites in one file grows with their number', async (t) => {
  const run = async (count: number): Promise<void> => {
    let text = 'def put(key, ttl):\n    return key\n';
    for (let i = 0; i < count; i++) text += `\n\ndef f${i}(k):\n    put(k, ${i})\n    return put(k, 1)\n`;
    const { changed, open } = await propagated(grammars, { 'a.py': text }, { 'a.py': text.replace(', ttl', '') });
    assert.deepEqual(open, []);
    assert.ok(!/put\(k, /.test(changed['a.py'] ?? ''));
  };
  const ratio = await growth(run, 63);
  t.diagnostic(`8 times the sites take ${ratio.toFixed(1)} times the CPU time`);
  assert.ok(ratio <= GROWTH_MOST, `${ratio.toFixed(1)} times`);
});

test('rewriting the result again changes nothing', async () => {
  const files = repository(3);
  const edit = { 'store.py': (files['store.py'] ?? '').replace('put', 'insert').replace(', ttl', '') };
  const once = await propagated(grammars, files, edit);
  const again = await propagated(grammars, files, once.all);
  assert.deepEqual(again.changed, {});
});

const NAMES = ['insert', 'putAll', 'p', 'store_it', 'schlüssel'];

test('a rename and its inverse give the first text back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), fc.constantFrom('put', 'Store', 'key', 'get'), async (to, from) => {
      const files = repository(2);
      const old = files['store.py'] ?? '';
      const renamed = old.replace(new RegExp(`\\b${from}\\b`), to);
      const there = await propagated(grammars, files, { 'store.py': renamed });
      const back = await propagated(grammars, there.all, {
        'store.py': (there.all['store.py'] ?? '').replace(new RegExp(`\\b${to}\\b`), from),
      });
      assert.deepEqual(back.all, files);
    }),
    { numRuns: 12 },
  );
});

test('reordering and its inverse give the first text back', async () => {
  const text =
    'def put({}):\n    return a, b, c\n\n\nput(1, 2, 3)\nput(put(1, 2, 3), f(2), 4)\nput(b=2, a=1, c=3)\nput(\n    1,\n    2,\n    3,\n)\n';
  const at = (params: readonly string[]): string => text.replace('{}', params.join(', '));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }), async (order) => {
      const first = { 'a.py': at(['a', 'b', 'c']) };
      const there = await propagated(grammars, first, { 'a.py': at(order) });
      const inverse = (there.all['a.py'] ?? '').replace(/^def put\([^)]*\)/, 'def put(a, b, c)');
      const back = await propagated(grammars, there.all, { 'a.py': inverse });
      assert.deepEqual(back.all, first);
    }),
    { numRuns: 12 },
  );
});
