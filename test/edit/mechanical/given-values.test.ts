/** Values for new parameters, given for all calls or place by place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GivenValues } from '#src/edit/mechanical/calls/given-values.js';
import type { Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../../support/grammars.js';
import { marked, propagated, treeOf, type Files } from '../../support/propagated.js';

const grammars = await testGrammars();

/** A repository in which `calls[i]` is how often the i-th block calls the function that gets another parameter. */
const PROGRAMS: Readonly<Record<string, (calls: readonly number[]) => Files>> = {
  python: (calls) => ({
    's.py': 'def put(key{+, ttl+}):\n    return key\n',
    'u.py': `from s import put\n${calls.map((n, i) => `\ndef f${i}():\n${'    put(put(1))\n'.repeat(n)}    return 0\n`).join('')}`,
  }),
  typescript: (calls) => ({
    's.ts': 'export const put = (key: number{+, ttl: number+}) => key;\n',
    'u.ts': `import { put } from './s.js';\n${calls.map((n, i) => `export function f${i}() {\n${'  put(put(1));\n'.repeat(n)}}\n`).join('')}`,
  }),
  java: (calls) => ({
    'S.java': 'class S {\n  static int put(int key{+, int ttl+}) { return key; }\n}\n',
    'U.java': `class U {\n${calls.map((n, i) => `  void f${i}() {\n${'    S.put(S.put(1));\n'.repeat(n)}  }\n`).join('')}}\n`,
  }),
  csharp: (calls) => ({
    'S.cs': 'class S {\n  public static int Put(int key{+, int ttl+}) { return key; }\n}\n',
    'U.cs': `class U {\n${calls.map((n, i) => `  void F${i}() {\n${'    S.Put(S.Put(1));\n'.repeat(n)}  }\n`).join('')}}\n`,
  }),
};

for (const [language, program] of Object.entries(PROGRAMS))
  test(`${language}: a value given at the key of each place, one after the other, does what one for all does`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }), async (calls) => {
        const { before, edit } = marked(program(calls));
        const everywhere = await propagated(grammars, before, edit, { values: { ttl: '60' } });
        const values: Record<string, string> = {};
        for (;;) {
          const { plan, all } = await propagated(grammars, before, edit, { values });
          const keys = plan.steps.flatMap((step) => step.open?.key ?? []);
          if (keys.length === 0) {
            assert.deepEqual(all, everywhere.all);
            return;
          }
          for (const key of keys) {
            assert.ok(!(key in values), `${key} was given already`);
            values[key] = '60';
          }
        }
      }),
      { numRuns: 12 },
    );
  });

test('the most specific value holds: block before file before folder before all, and in each the call', () => {
  const text = 'class A:\n    def f(self):\n        put(1)\n        put(2)\n        drop(3)\n';
  const summary = treeOf(grammars, { 'src/a.py': text }).snapshot.summary('src/a.py') as Summary;
  const callee = (call: string): number =>
    [...summary.exprs.named(summary.idOf(call.slice(0, call.indexOf('('))))].find(
      (row) => summary.exprs.startOf(row) === text.indexOf(call),
    ) ?? -1;
  const keys = [
    'ttl',
    'ttl#put',
    'ttl@src',
    'ttl@src#put',
    'ttl@src/a.py',
    'ttl@src/a.py#put',
    'ttl@src/a.py:A',
    'ttl@src/a.py:A#put',
    'ttl@src/a.py:A.f',
    'ttl@src/a.py:A.f#put',
    'ttl@src/a.py:A.f#put.2',
  ];
  for (let i = keys.length; i > 0; i--) {
    const given = new GivenValues(Object.fromEntries(keys.slice(0, i).map((key) => [key, key])));
    assert.equal(given.at('ttl', { file: 'src/a.py', summary, callee: callee('put(2') })?.text, keys[i - 1]);
  }
  const given = new GivenValues(Object.fromEntries(keys.map((key) => [key, key])));
  assert.equal(given.at('ttl', { file: 'src/a.py', summary, callee: callee('put(1') })?.text, 'ttl@src/a.py:A.f#put');
  assert.equal(given.at('ttl', { file: 'src/a.py', summary, callee: callee('drop(3') })?.text, 'ttl@src/a.py:A.f');
  assert.equal(given.at('ttl', { file: 'src/ab.py', summary, callee: callee('drop(3') })?.text, 'ttl@src');
  assert.equal(given.at('other', { file: 'src/a.py', summary, callee: callee('drop(3') }), undefined);
});

test('a value that nothing took is told, with what is wrong with its place', async () => {
  const { before, edit } = marked((PROGRAMS['python'] as (calls: readonly number[]) => Files)([1]));
  const tree = treeOf(grammars, { ...before, ...edit });
  const keys = ['ttl@u.py:f0', 'when', 'ttl@v.py', 'ttl@u.py:f1', 'ttl@u.py:f0#drop', 'ttl@s.py'];
  const given = new GivenValues(Object.fromEntries(keys.map((key) => [key, '60'])));
  await propagated(grammars, before, edit, { given });
  assert.deepEqual(
    given
      .untaken(keys, { paths: () => tree.snapshot.files.keys(), summary: (file) => tree.snapshot.summary(file) })
      .sort(),
    [
      'the value for ttl@s.py was not used: no call there needed ttl',
      'the value for ttl@u.py:f0#drop was not used: no call of drop there needed ttl',
      'the value for ttl@u.py:f1 was not used: u.py has no block f1',
      'the value for ttl@v.py was not used: there is no file v.py',
      'the value for when was not used: no call needed when',
    ],
  );
});
