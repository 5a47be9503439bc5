/** The metrics of the evaluation, on texts and trees small enough to be worked out by hand. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { blockMetrics } from '#src/eval/block-metrics.js';
import { bleu, tokens13a } from '#src/eval/bleu.js';
import { diffBleu } from '#src/eval/diff-bleu.js';
import { textAfter } from '#src/eval/difference-page.js';
import { editDistance } from '#src/eval/edit-distance.js';
import { exp, log } from '#src/eval/exact-math.js';
import { scoredBlocks } from '#src/eval/scored-blocks.js';
import type { Tree } from '#src/eval/tree.js';
import { summarise } from '#src/languages/summarise.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { testGrammars } from '../support/grammars.js';

let grammars: Grammars;
before(async () => {
  grammars = await testGrammars();
});
const signal = new AbortController().signal;
const tree = (files: Readonly<Record<string, string>>): Tree => new Map(Object.entries(files));

test('edit distance counts code points, whatever is equal around them', () => {
  assert.equal(editDistance('', ''), 0);
  assert.equal(editDistance('abc', ''), 3);
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('a\u{1F600}b', 'ab'), 1);
  assert.equal(editDistance(`${'x'.repeat(200)}abc`, `abc${'x'.repeat(200)}`), 6);
  // Far apart, so that the band has to be widened.
  assert.equal(editDistance('a'.repeat(100), 'b'.repeat(150)), 150);
});

test('tokens are cut at punctuation, but not inside of numbers', () => {
  assert.deepEqual(tokens13a('f(x, 1.5) - a.b'), ['f', '(', 'x', ',', '1.5', ')', '-', 'a', '.', 'b']);
  assert.deepEqual(tokens13a('a &lt; b\nc-\nd 3-4'), ['a', '<', 'b', 'cd', '3', '-', '4']);
});

test('BLEU is the geometric mean of four precisions, less for what is too short', () => {
  assert.equal(bleu('a b c d e', 'a b c d e'), 1);
  assert.equal(bleu('a b c d', 'a b c d e'), Math.exp(1 - 5 / 4));
  assert.equal(bleu('a b c x', 'a b c d'), 0);
  assert.equal(bleu('a b c d', ''), 0);
  // 4 of 5, 3 of 4, 2 of 3, 1 of 2.
  assert.ok(Math.abs(bleu('a b c d x', 'a b c d e') - (0.8 * 0.75 * (2 / 3) * 0.5) ** 0.25) < 1e-15);
});

test('logarithm and exponential are within half a unit of the last digit', () => {
  assert.equal(log(1), 0);
  assert.equal(exp(0), 1);
  assert.equal(log(Math.E), 1);
  assert.equal(exp(1), Math.E);
  assert.equal(log(0.5), -Math.LN2);
  assert.equal(log(10), Math.LN10);
});

test('DiffBLEU leaves one-sided files out, the strict form counts them as 0', async () => {
  const source = tree({ 'a.py': 'x = 1\ny = 2\n', 'b.py': 'z = 1\n', 'c.py': 'w = 1\n' });
  const target = tree({ 'a.py': 'x = 5\ny = 2\n', 'b.py': 'z = 7\n', 'c.py': 'w = 1\n' });
  const onlyOne = await diffBleu(
    source,
    target,
    tree({ 'a.py': 'x = 5\ny = 2\n', 'b.py': 'z = 1\n', 'c.py': 'w = 1\n' }),
    'python',
    signal,
  );
  assert.deepEqual([onlyOne.mean, onlyOne.strict], [1, 0.5]);
  const oneTooMany = await diffBleu(
    source,
    target,
    tree({ 'a.py': 'x = 5\ny = 2\n', 'b.py': 'z = 7\n', 'c.py': 'w = 9\n' }),
    'python',
    signal,
  );
  assert.deepEqual([oneTooMany.mean, oneTooMany.strict], [1, 2 / 3]);
  const none = await diffBleu(source, target, source, 'python', signal);
  assert.deepEqual([none.mean, none.strict], [0, 0]);
});

const STORE = `class Store:
    def put(self, k):
        return k
    def get(self, k):
        return self.put(k)
    if True:
        def odd(self): pass
    @a
    @b
    def twice(self): pass
def save():
    def inner(): pass
    return 1
`;

test('blocks of Python are functions and methods, without what stands under a condition', () => {
  const summary = summarise(grammars, 'a.py', STORE);
  assert.ok(summary !== undefined);
  assert.deepEqual(
    scoredBlocks('a.py', STORE, summary).map((block) => block.name),
    ['METHOD Store.put', 'METHOD Store.get', 'METHOD save'],
  );
});

test('blocks of C# are members of classes, without events, operators and members of interfaces', () => {
  const text =
    'class A {\n  int a;\n  event E ev;\n  int P { get; set; }\n  int this[int i] => 1;\n  A() {}\n  void M() { void Local() {} }\n  static A operator +(A x) => x;\n  interface I { void Z(); }\n  enum K { One }\n}\n';
  const summary = summarise(grammars, 'a.cs', text);
  assert.ok(summary !== undefined);
  assert.deepEqual(
    scoredBlocks('a.cs', text, summary).map((block) => block.name),
    ['VARIABLE A.a', 'METHOD A.P', 'METHOD A.<init>', 'METHOD A.M'],
  );
});

test('a block is matched when both change it, missed and spurious when one does', () => {
  const target = STORE.replace('return k', 'return k + 1').replace('return 1', 'return 2');
  const predicted = STORE.replace('return k', 'return k - 1').replace('self.put(k)', 'k');
  const found = blockMetrics(grammars, tree({ 'a.py': STORE }), tree({ 'a.py': target }), tree({ 'a.py': predicted }));
  const names = (blocks: readonly { name: string }[]): string[] => blocks.map((block) => block.name);
  assert.deepEqual(
    [names(found.matched), names(found.missed), names(found.spurious)],
    [['METHOD Store.put'], ['METHOD save'], ['METHOD Store.get']],
  );
  assert.deepEqual([found.exact, found.untouched], [0, 0]);
});

test('added blocks match by name, blank lines are no change, and overloads pair with their like', () => {
  const source = 'class A {\n  void M(int a) { One(); }\n  void M(string b) { Two(); }\n}\n';
  const target = 'class A {\n\n  void M(string b)\n  { Two(); }\n  void M(int a) { Three(); }\n  void N() { }\n}\n';
  const predicted = 'class A {\n  void N() { X(); }\n  void M(int a) { Three(); }\n  void M(string b) { Two(); }\n}\n';
  const found = blockMetrics(grammars, tree({ 'a.cs': source }), tree({ 'a.cs': target }), tree({ 'a.cs': predicted }));
  assert.deepEqual(
    [found.matched.length, found.missed.length, found.spurious.length, found.exact, found.untouched],
    [2, 0, 0, 1, 1],
  );
});

test('a text is rebuilt from the page of differences, and proves itself', () => {
  const page = (blob: string): string =>
    `<html><body><pre><hr><h1>pkg\\a.py</h1><h2><span style="color:orangered;">Source</span> vs <span style="color:green;">Predicted</span></h2>index 1234567..${blob} 100644<br><span style="color:blue;">@@ -1,2 +1,2 @@</span><br><span style="color:orangered;">-x = 1</span><br><span style="color:green;">+x = &quot;&lt;2&gt;&quot;</span><br> y = 2<br>`;
  assert.equal(textAfter(page('5b7be77'), 'pkg/b.py', 'Source vs Predicted', 'kept\n'), 'kept\n');
  assert.equal(textAfter(page('d1b17f0'), 'pkg/a.py', 'Source vs Predicted', 'x = 1\ny = 2\n'), 'x = "<2>"\ny = 2\n');
  assert.throws(
    () => textAfter(page('5b7be77'), 'pkg/a.py', 'Source vs Predicted', 'x = 1\ny = 2\n'),
    /cannot be rebuilt/,
  );
});
