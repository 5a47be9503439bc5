/**
 * Laws that hold for every fixture, whatever it expects (ARCHITECTURE.md, "Laws").
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '#src/base/text-edit.js';
import { atOnce } from '#src/base/turns.js';
import { editBetween } from '#src/engine/edit-between.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { pathOf } from '#src/graph/explain/path-of-resolution.js';
import { sitesIn } from '#src/graph/refer/sites-in.js';
import { Resolver } from '#src/graph/resolve/resolver.js';
import { TracingResolver } from '#src/graph/resolve/trace.js';
import { impactInFiles, impactOf } from '#src/impact/impact.js';
import { questionAbout } from '#src/impact/question.js';
import { languageOf } from '#src/languages/registry.js';
import { summarise } from '#src/languages/summarise.js';
import type { Summary } from '#src/syntax/summary.js';
import { planOf } from './support/check.js';
import { edgesFromTargets, edgesOf, edgesToBlocks } from './support/fingerprint.js';
import { fixturePaths, readFixture } from './support/fixture-files.js';
import { advance, fixtureTrees, treeOf, type Texts } from './support/fixture-trees.js';
import { testGrammars } from './support/grammars.js';
import { randomNumbers } from './support/random-numbers.js';

/** At how many places a file's text is cut. */
const CUTS = 5;
/** Which order questions come in that are asked at random, and how many of them are asked afresh. */
const ORDER_SEED = 16;
const FRESH_EVERY = 5;

const grammars = await testGrammars();
const cases = fixturePaths().map((path) => ({ path, trees: fixtureTrees(readFixture(path), grammars) }));

function forEach(law: string, check: (trees: (typeof cases)[number]['trees']) => void | Promise<void>): void {
  test(law, async (t) => {
    for (const { path, trees } of cases) {
      try {
        await check(trees);
      } catch (error) {
        t.diagnostic(path);
        throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
  });
}

forEach('an advanced tree equals one built from nothing', (trees) => {
  assert.deepEqual(edgesOf(trees.after), edgesOf(treeOf(trees.afterTexts, grammars)));
});

forEach('an edit that is undone leaves the first answers and no changes', (trees) => {
  const undone = advance(trees.after, trees.afterTexts, trees.beforeTexts, grammars);
  assert.deepEqual(edgesOf(undone), edgesOf(trees.before));
  assert.deepEqual(editBetween(trees.before, undone).changes, []);
});

forEach('the order in which files come makes no difference', (trees) => {
  const reversed: Texts = new Map([...trees.afterTexts].reverse());
  assert.deepEqual(edgesOf(treeOf(reversed, grammars)), edgesOf(trees.after));
});

forEach('the order in which questions are asked makes no difference', (trees) => {
  const asked = treeOf(trees.afterTexts, grammars);
  edgesFromTargets(asked);
  assert.deepEqual(edgesOf(asked), edgesOf(trees.after));
});

forEach('what was asked before, in any order, changes no answer', ({ after: { snapshot } }) => {
  const random = randomNumbers(ORDER_SEED);
  const questions = [...snapshot.files]
    .flatMap(([file, { exprs }]) => Array.from({ length: exprs.count }, (_, expr) => ({ file, expr, at: random() })))
    .sort((a, b) => a.at - b.at);
  const asked = new Resolver(snapshot);
  const answer = (resolver: Resolver, { file, expr }: (typeof questions)[number]): unknown => [
    resolver.resolve(file, expr),
    resolver.typeOf(file, expr),
  ];
  questions.forEach((question, i) => {
    const found = answer(asked, question);
    if (i % FRESH_EVERY === 0 || i === questions.length - 1)
      assert.deepEqual(found, answer(new Resolver(snapshot), question), `${question.file} row ${question.expr}`);
  });
});

forEach('relations and their inverses agree', (trees) => {
  assert.deepEqual(edgesFromTargets(trees.after), edgesToBlocks(trees.after));
});

forEach('a resolver that notes its questions answers as one that does not', ({ after }) => {
  const trace = new TracingResolver(after.snapshot);
  const plain = new Resolver(after.snapshot);
  for (const [file, { exprs }] of after.snapshot.files) {
    for (let expr = 0; expr < exprs.count; expr++) assert.deepEqual(trace.typeOf(file, expr), plain.typeOf(file, expr));
    for (const site of sitesIn(plain, file)) pathOf(trace, site);
  }
  assert.deepEqual(
    [...after.snapshot.files.keys()].flatMap((file) => sitesIn(trace, file)),
    [...after.snapshot.files.keys()].flatMap((file) => sitesIn(after.resolver, file)),
  );
});

forEach('text cut off anywhere is no error', (trees) => {
  for (const [path, text] of trees.afterTexts) {
    if (languageOf(path) === undefined) continue;
    for (let cut = 1; cut <= CUTS; cut++) {
      const texts = new Map(trees.afterTexts).set(path, text.slice(0, Math.floor((text.length * cut) / (CUTS + 1))));
      const tree = advance(trees.after, trees.afterTexts, texts, grammars);
      edgesOf(tree);
      editBetween(trees.after, tree);
    }
  }
});

forEach('the edits between two texts, applied, give the planned text', async (trees) => {
  const { tree } = await planOf(trees, grammars);
  for (const file of tree.editedFiles) {
    const from = trees.afterTexts.get(file);
    const to = tree.text(file);
    assert.ok(from !== undefined && to !== undefined);
    assert.equal(applyEdits(from, [lineEdit(from, to)]), to);
    assertSameSummary(tree, file, to);
  }
  const again = advance(
    trees.after,
    trees.afterTexts,
    new Map([...trees.afterTexts].map(([file, text]) => [file, tree.text(file) ?? text])),
    grammars,
  );
  assert.deepEqual(edgesOf(tree), edgesOf(again));
});

forEach('a plan that is run twice is the same plan', async (trees) => {
  const first = await planOf(trees, grammars);
  const second = await planOf(
    { ...trees, before: treeOf(trees.beforeTexts, grammars), after: treeOf(trees.afterTexts, grammars) },
    grammars,
  );
  assert.deepEqual(second.plan, first.plan);
  assert.deepEqual(second.tree.editedFiles, first.tree.editedFiles);
  for (const file of first.tree.editedFiles) assert.equal(second.tree.text(file), first.tree.text(file));
});

forEach('what a plan made is left as it is by the same plan again', async (trees) => {
  const { tree } = await planOf(trees, grammars);
  const madeTexts: Texts = new Map([...trees.afterTexts].map(([file, text]) => [file, tree.text(file) ?? text]));
  const again = await planOf({ ...trees, after: treeOf(madeTexts, grammars), afterTexts: madeTexts }, grammars);
  for (const file of again.tree.editedFiles) assert.equal(again.tree.text(file), madeTexts.get(file), file);
});

forEach(
  'what is found in a few files, before all is known, is in the whole answer too',
  ({ before, after, renames }) => {
    const edit = editBetween(before, after, renames);
    const question = questionAbout({ before: before.resolver, after: after.resolver }, edit);
    const whole = atOnce(impactOf(question));
    const known = new Set(
      [
        ...whole.affected.flatMap(({ file, sites }) => sites.map(({ expr }) => ({ file, expr }))),
        ...whole.undecided,
      ].map(({ file, expr }) => `${file} ${expr}`),
    );
    const files = new Set(after.snapshot.files.keys());
    for (const { file, sites } of atOnce(impactInFiles({ ...question, files })))
      for (const { expr, rule } of sites) assert.ok(known.has(`${file} ${expr}`), `${file} ${expr} by ${rule}`);
  },
);

/** The smallest single edit that leads from one text to the other. */
function lineEdit(from: string, to: string): { start: number; end: number; text: string } {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  let tail = 0;
  while (
    tail < from.length - start &&
    tail < to.length - start &&
    from[from.length - 1 - tail] === to[to.length - 1 - tail]
  )
    tail++;
  return { start, end: from.length - tail, text: to.slice(start, to.length - tail) };
}

/** The tree's summary of a file is that of the text it gives. */
function assertSameSummary(tree: WorkingTree, file: string, text: string): void {
  const summary: Summary | undefined = summarise(grammars, file, text);
  assert.equal(tree.snapshot.summary(file)?.hash, summary?.hash);
}
