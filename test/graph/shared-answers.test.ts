/**
 * Trees that share answers give those that each would give alone: on every fixture, in either
 * order of questions, and for one text after the other of each file under edit.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedAnswers } from '#src/graph/resolve/answers.js';
import { WorkingTree } from '#src/engine/working-tree.js';
import { languageOf } from '#src/languages/registry.js';
import { edgesFromTargets, edgesOf } from '../support/fingerprint.js';
import { fixturePaths, readFixture } from '../support/fixture-files.js';
import { advance, fixtureTrees, treeOf, type Texts } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';

const grammars = await testGrammars();
const cases = fixturePaths().map((path) => ({ path, trees: fixtureTrees(readFixture(path), grammars) }));

const alone = (tree: WorkingTree): WorkingTree => new WorkingTree(tree.snapshot, (file) => tree.text(file));

test('two sides of an edit that share answers give their own', () => {
  let shared = 0;
  for (const { path, trees } of cases) {
    const underEdit = new Set(trees.after.snapshot.differingFrom(trees.before.snapshot));
    for (const order of [
      [trees.before, trees.after],
      [trees.after, trees.before],
    ] as const) {
      const answers = new SharedAnswers(order[0].snapshot, underEdit);
      if (!answers.admits(order[1].snapshot)) continue;
      for (const tree of order) {
        assert.deepEqual(edgesFromTargets(tree.sharing(answers)), edgesFromTargets(alone(tree)), path);
        assert.deepEqual(edgesOf(tree.sharing(answers)), edgesOf(alone(tree)), path);
      }
      if (answers.count > 0) shared++;
    }
  }
  assert.ok(shared > 0, 'no fixture shared anything');
});

test('answers that serve one text of a file serve the next, or refuse it', () => {
  let refused = 0;
  let served = 0;
  for (const { path, trees } of cases) {
    for (const file of trees.afterTexts.keys()) {
      if (languageOf(file) === undefined) continue;
      const answers = new SharedAnswers(trees.after.snapshot, new Set([file]));
      edgesFromTargets(trees.after.sharing(answers));
      for (const texts of variants(trees.afterTexts, file)) {
        const tree = advance(trees.after, trees.afterTexts, texts, grammars);
        if (!answers.admits(tree.snapshot)) {
          refused++;
          continue;
        }
        served++;
        assert.deepEqual(edgesFromTargets(tree.sharing(answers)), edgesFromTargets(alone(tree)), `${path}: ${file}`);
        assert.deepEqual(edgesOf(tree.sharing(answers)), edgesOf(alone(tree)), `${path}: ${file}`);
      }
    }
  }
  assert.ok(served > 0 && refused > 0, `served ${served}, refused ${refused}`);
});

test('a tree keeps what it knows beside other answers, and gives them nothing that one of their files touches', () => {
  let kept = 0;
  for (const { path, trees } of cases) {
    const files = [...trees.afterTexts.keys()].filter((file) => languageOf(file) !== undefined);
    for (const [i, file] of files.entries()) {
      const first = new SharedAnswers(trees.after.snapshot, new Set([file]));
      const known = trees.after.sharing(first);
      edgesFromTargets(known);
      const underEdit = [file, files[(i + 1) % files.length] as string];
      const second = new SharedAnswers(trees.after.snapshot, new Set(underEdit));
      const again = known.sharing(second);
      for (const [name, summary] of again.snapshot.files)
        for (let expr = 0; expr < summary.exprs.count; expr++) if (again.resolver.knowsRow(name, expr)) kept++;
      assert.deepEqual(edgesFromTargets(again), edgesFromTargets(alone(again)), `${path}: ${file}`);
      assert.deepEqual(edgesOf(again), edgesOf(alone(again)), `${path}: ${file}`);
      for (const texts of variants(trees.afterTexts, underEdit[1] as string)) {
        const tree = advance(trees.after, trees.afterTexts, texts, grammars);
        if (!second.admits(tree.snapshot)) continue;
        assert.deepEqual(edgesOf(tree.sharing(second)), edgesOf(alone(tree)), `${path}: ${underEdit.join(', ')}`);
      }
    }
  }
  assert.ok(kept > 0, 'nothing was kept');
});

/**
 * The file without its second half, without its first, and with the text of each other file of its language
 * behind it.
 */
function variants(texts: Texts, file: string): Texts[] {
  const text = texts.get(file) as string;
  const lines = text.split('\n');
  const middle = Math.floor(lines.length / 2);
  const others = [...texts]
    .filter(([path]) => path !== file && languageOf(path) !== undefined && languageOf(path) === languageOf(file))
    .map(([, other]) => other);
  return [
    lines.slice(0, middle).join('\n'),
    lines.slice(middle).join('\n'),
    ...others.map((other) => `${text}\n${other}`),
  ].map((next) => new Map(texts).set(file, next));
}

test('a tree with another file, or another configuration, shares nothing', () => {
  const texts: Texts = new Map([
    ['a.py', 'def f(): ...\n'],
    ['b.py', 'from a import f\nf()\n'],
  ]);
  const tree = treeOf(texts, grammars);
  const answers = new SharedAnswers(tree.snapshot, new Set(['a.py']));
  const admitsWith = (path: string, text: string): boolean =>
    answers.admits(advance(tree, texts, new Map(texts).set(path, text), grammars).snapshot);
  assert.equal(admitsWith('a.py', 'def f(x): ...\n'), true);
  assert.equal(admitsWith('b.py', 'f()\n'), false);
  assert.equal(admitsWith('c.py', ''), false);
  assert.equal(admitsWith('tsconfig.json', '{}'), false);
});

test('a global using under edit counts for the files that it serves', () => {
  const using = 'global using Shop.Stock;\n';
  const texts: Texts = new Map([
    ['Usings.cs', using],
    ['Item.cs', 'namespace Shop.Stock;\npublic class Item { public int Cents() => 1; }\n'],
    ['Till.cs', 'namespace Shop;\npublic class Till { public int Total(Item item) => item.Cents(); }\n'],
  ]);
  const tree = treeOf(texts, grammars);
  const without = advance(tree, texts, new Map(texts).set('Usings.cs', '// none\n'), grammars);
  const answers = new SharedAnswers(tree.snapshot, new Set(['Usings.cs']));
  assert.ok(
    edgesOf(tree.sharing(answers)).some(
      (edge) => edge.startsWith('Till.cs') && edge.includes('Item.cs::Item#') && edge.endsWith('certain'),
    ),
  );
  const then = answers.admits(without.snapshot) ? without.sharing(answers) : without;
  assert.deepEqual(edgesOf(then), edgesOf(alone(without)));
  assert.ok(
    !edgesOf(then).some(
      (edge) => edge.startsWith('Till.cs') && edge.includes('Item.cs::Item#') && edge.endsWith('certain'),
    ),
  );
});
