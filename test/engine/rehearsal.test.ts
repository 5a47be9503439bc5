/**
 * What is asked about before anybody edits: the first real question finds it, with the answers that it would have had,
 * and whoever ends it loses nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rehearsal, withoutLastParameter } from '#src/engine/rehearsal.js';
import { SETTLED_BASE, type Call } from '#src/engine/service.js';
import type { Trees, TreePair } from '#src/engine/trees.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { SharedAnswers } from '#src/graph/resolve/answers.js';
import { Resolver } from '#src/graph/resolve/resolver.js';
import { summarise } from '#src/languages/summarise.js';
import { D, type Summary } from '#src/syntax/summary.js';
import { treeOf } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';
import { rowsOf } from '../support/rows.js';

const grammars = await testGrammars();
const STORE =
  'class Store:\n    def put(self, key, ttl):\n        return key\n\n    def drop(self, key):\n        return key\n';
const USE =
  'from shop import Store\n\n\ndef use(store: Store):\n    store.put(1, 2)\n    store.drop(1)\n    store.gone()\n';
const TEXTS = new Map([
  ['store.py', STORE],
  ['shop.py', 'from store import Store\n'],
  ['use.py', USE],
]);

/** As `Trees` gives them to a client that has `store.py` open: unchanged, or `settled` with another text before. */
function trees(
  tree: WorkingTree,
  answers: SharedAnswers,
  settled = tree,
): Pick<Trees, 'around' | 'pool' | 'thoughtOf'> {
  const now = tree.sharing(answers);
  const before = settled.sharing(answers);
  const pair: TreePair = { before, after: now, name: SETTLED_BASE, renames: new Map(), problems: [], present: 'after' };
  return {
    around: () => Promise.resolve(pair),
    pool: { answers, filled: 0 },
    thoughtOf: (file, text, summary) => {
      const after = now.withRead(new Map([[file, text]]), new Map([[file, summary]]));
      return answers.admits(after.snapshot) ? { before, after: after.sharing(answers) } : undefined;
    },
  };
}

const summaryOf = (file: string, text: string): Promise<Summary | undefined> =>
  Promise.resolve(summarise(grammars, file, text));

const calling = (signal: AbortSignal): Call => ({ signal, progress: () => undefined });

test('the uses of what may be edited are known before it is, and the same as if nobody had looked', async () => {
  const tree = treeOf(TEXTS, grammars);
  const answers = new SharedAnswers(tree.snapshot, new Set(['store.py']));
  const before = tree.snapshot.summary('use.py');
  assert.ok(before !== undefined);
  const receivers = rowsOf(before.exprs).filter((row) => before.exprs.nameOf(row) === 'store');
  const knownOf = (resolver: Resolver): number[] => receivers.filter((row) => resolver.knowsRow('use.py', row));
  assert.deepEqual(knownOf(new Resolver(tree.snapshot, answers)), []);
  await new Rehearsal(trees(tree, answers), summaryOf).of('store.py', calling(new AbortController().signal));
  const edited = STORE.replace('key, ttl', 'key, ttl, more');
  const summary = summarise(grammars, 'store.py', edited);
  assert.ok(summary !== undefined);
  const after = tree.withRead(new Map([['store.py', edited]]), new Map([['store.py', summary]]));
  assert.ok(answers.admits(after.snapshot), 'the pool serves the edit that is made in the end');
  const known = new Resolver(after.snapshot, answers);
  const fresh = new Resolver(after.snapshot);
  assert.ok(knownOf(known).length >= 2, 'of `put` and `drop`');
  for (const [file, { exprs }] of after.snapshot.files)
    for (const row of rowsOf(exprs))
      assert.deepEqual(known.resolve(file, row), fresh.resolve(file, row), `${file} ${row}`);
});

test('what stands behind an edit is asked about too, though its place is another one than in the settled text', async () => {
  const settled = treeOf(TEXTS, grammars);
  const edited = `import os\n\n\ndef first(path):\n    return os.stat(path)\n\n\n${STORE}`;
  const tree = treeOf(new Map([...TEXTS, ['store.py', edited]]), grammars);
  const answers = new SharedAnswers(tree.snapshot, new Set(['store.py']));
  await new Rehearsal(trees(tree, answers, settled), summaryOf).of('store.py', calling(new AbortController().signal));
  const { exprs } = tree.snapshot.summary('use.py') ?? assert.fail('use.py is read');
  const known = new Resolver(tree.snapshot, answers);
  const receivers = rowsOf(exprs).filter((row) => exprs.nameOf(row) === 'store' && known.knowsRow('use.py', row));
  assert.ok(receivers.length >= 2, 'of `put` and `drop`');
});

/** As `trees`, and calls back before each question and each reading of an edited text. */
function watched(before: {
  readonly question: () => void;
  readonly text: (text: string) => void;
}): Pick<Trees, 'around' | 'pool' | 'thoughtOf'> {
  const tree = treeOf(TEXTS, grammars);
  const answers = new SharedAnswers(tree.snapshot, new Set(['store.py']));
  const seen = trees(tree, answers);
  let isBegun = false;
  return {
    // The pool is looked at once to begin with, and then before each question.
    around: (params, call) => {
      isBegun = false;
      return seen.around(params, call);
    },
    get pool() {
      if (isBegun) before.question();
      isBegun = true;
      return seen.pool;
    },
    thoughtOf: (file, text, summary) => {
      before.text(text);
      return seen.thoughtOf(file, text, summary);
    },
  };
}

test('it ends at once where somebody types, and goes on with what it had not asked', async () => {
  const texts: string[] = [];
  let questions = 0;
  const typing = new AbortController();
  const seen = watched({
    question: () => {
      if (++questions === 3) typing.abort(new Error('the text changed'));
    },
    text: (text) => texts.push(text),
  });
  const rehearsal = new Rehearsal(seen, summaryOf);
  await assert.rejects(rehearsal.of('store.py', calling(typing.signal)), /the text changed/u);
  assert.equal(questions, 3, 'two edits of the first function, and one of the second');
  await rehearsal.of('store.py', calling(new AbortController().signal));
  assert.equal(questions, 5, 'the one that was ended is asked again');
  const edits = (text: string): string[] => text.split('\n').filter((line) => !STORE.split('\n').includes(line));
  assert.deepEqual(texts.map(edits), [
    ['    def put(self, key):', '    def drop(self):'],
    ['    def putX(self, key, ttl):', '    def dropX(self, key):'],
    ['    def drop(self):'],
    ['    def dropX(self, key):'],
  ]);
  await rehearsal.of('store.py', calling(new AbortController().signal));
  assert.equal(questions, 5, 'nothing is asked twice');
});

test('others are served between two questions, however short they are', async () => {
  let asked = 0;
  let servedAt = -1;
  let between = 0;
  const seen = watched({
    question: () => {
      if (servedAt === asked) between++;
      asked++;
      setImmediate(() => (servedAt = asked));
    },
    text: () => undefined,
  });
  await new Rehearsal(seen, summaryOf).of('store.py', calling(new AbortController().signal));
  assert.equal(asked, 4);
  assert.equal(between, asked - 1);
});

test('a file has its time, and no more is asked about it afterwards', async () => {
  let texts = 0;
  let questions = 0;
  const seen = watched({
    question: () => questions++,
    text: () => {
      texts++;
      for (const end = performance.now() + 1_500; performance.now() < end;);
    },
  });
  const rehearsal = new Rehearsal(seen, summaryOf);
  await rehearsal.of('store.py', calling(new AbortController().signal));
  assert.equal(questions, 0, 'to read the two texts took all of the time');
  await rehearsal.of('store.py', calling(new AbortController().signal));
  assert.deepEqual([texts, questions], [2, 0]);
});

test('the last parameter goes with what may not stay behind it', () => {
  const text = 'def one(\n    only,\n):\n    pass\n\n\ndef two(a, b,):\n    pass\n\n\ndef none(*rest):\n    pass\n';
  const summary = summarise(grammars, 'a.py', text);
  assert.ok(summary !== undefined);
  const heads = rowsOf(summary.decls)
    .filter((decl) => summary.decls.kindOf(decl) === D.function)
    .map((decl) => withoutLastParameter(summary, text, decl)?.match(/def [^:]*:/gu));
  assert.deepEqual(heads, [
    ['def one(\n    \n):', 'def two(a, b,):', 'def none(*rest):'],
    ['def one(\n    only,\n):', 'def two(a,):', 'def none(*rest):'],
    undefined,
  ]);
});
