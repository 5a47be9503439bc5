/** The search index: what it finds, and that one which was brought along answers as one that is built afresh. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES } from '#src/languages/registry.js';
import { SearchMemory } from '#src/engine/search-memory.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { ground, queryOf } from '#src/retrieve/ground.js';
import { relevantWindows } from '#src/retrieve/relevant.js';
import { SearchIndex } from '#src/retrieve/search-index.js';
import { stem, wordsOfIdentifier } from '#src/retrieve/words.js';
import { atOnce } from '#src/base/turns.js';
import { advance, treeOf, type Texts } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';
import { edited, edits, repositoryOf } from '../support/random-edits.js';

const SEED = Number(process.env.SEED ?? 20231101);
const RUNS = 10;
const grammars = await testGrammars();

const indexOf = (tree: WorkingTree): SearchIndex => atOnce(new SearchMemory().of(tree));

/** What both have to agree on: every score of every block, for the words that the texts say. */
function answersOf(index: SearchIndex, tree: WorkingTree, texts: Texts): unknown {
  const words = [...new Set([...texts.values()].join(' ').match(/[A-Za-z_]\w+/g))].sort();
  const sentences = words.filter((_, i) => i % 7 === 0).map((word, i) => `${word} ${words[(i * 13) % words.length]}`);
  return {
    size: index.size,
    found: sentences.map((sentence) => [
      sentence,
      index.search(queryOf(index, sentence), 1000),
      ground(index, tree.snapshot, sentence, 20),
      relevantWindows(index, tree.snapshot, (file) => tree.text(file), sentence, 5),
    ]),
  };
}

for (const language of LANGUAGES) {
  test(`${language.id}: an index that was brought along answers as a rebuilt one (seed ${SEED})`, () => {
    const start = repositoryOf(language.id);
    const first = treeOf(start, grammars);
    fc.assert(
      fc.property(edits, (sequence) => {
        const memory = new SearchMemory();
        atOnce(memory.of(first));
        const states: Texts[] = [start];
        let tree = first;
        for (const edit of sequence) {
          const after = edited(states, edit);
          tree = advance(tree, states[states.length - 1] as Texts, after, grammars);
          states.push(after);
          const brought = atOnce(memory.of(tree));
          assert.deepEqual(answersOf(brought, tree, after), answersOf(indexOf(tree), tree, after));
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
}

test('an index that many files were put into one after the other is the one of all of them', () => {
  const texts = new Map(
    Array.from({ length: 150 }, (_, i) => [`m${i}.py`, `def load_${i}(path):\n    return read_file(path, ${i})\n`]),
  );
  const all = treeOf(texts, grammars);
  const memory = new SearchMemory();
  let tree = treeOf(new Map(), grammars);
  let before: Texts = new Map();
  for (const [path, text] of texts) {
    const after = new Map([...before, [path, text] as const]);
    tree = advance(tree, before, after, grammars);
    before = after;
    atOnce(memory.of(tree));
  }
  const search = (index: SearchIndex): unknown => index.search(queryOf(index, 'load a file by its path'), 200);
  assert.deepEqual(search(atOnce(memory.of(tree))), search(indexOf(all)));
  assert.equal(indexOf(all).size, 150);
});

test('the best so many are the first of all, however many are alike, and whichever part of the index they are in', () => {
  const word = (i: number): string => ['path', 'image', 'file'][i % 3] as string;
  const written = (i: number): string => `def load_${word(i)}(${word(i * 7)}):\n    return read_${word(i * 5)}()\n`;
  const texts: Texts = new Map(Array.from({ length: 240 }, (_, i) => [`m${(i * 89) % 240}.py`, written(i)]));
  const tree = treeOf(texts, grammars);
  const memory = new SearchMemory();
  atOnce(memory.of(tree));
  const after: Texts = new Map(
    [...texts].map(([path, text], i) => [path, i % 9 === 0 ? `${text}\n\n${written(i + 1)}` : text]),
  );
  const edited = advance(tree, texts, after, grammars);
  const index = atOnce(memory.of(edited));
  const query = queryOf(index, 'load a file or an image by its path');
  const all = index.search(query, index.size);
  const inOrder = all.toSorted(
    (a, b) => b.score - a.score || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl),
  );
  assert.equal(all.length, index.size);
  assert.deepEqual(all, inOrder);
  const grounded = ground(index, edited.snapshot, 'load a file or an image by its path', index.size);
  for (const most of [0, 1, 2, 7, 20, 64]) {
    assert.deepEqual(index.search(query, most), all.slice(0, most));
    if (most > 0)
      assert.deepEqual(
        ground(index, edited.snapshot, 'load a file or an image by its path', most),
        grounded.slice(0, most),
      );
  }
});

test('a file that is left out of the search changes what the words of the others are worth', () => {
  const tree = treeOf(
    new Map([
      ['lib.py', 'def smooth(image):\n    """Blur an image."""\n'],
      ['examples/plot.py', 'def show():\n    """Blur an image and smooth it."""\n'],
    ]),
    grammars,
  );
  const whole = indexOf(tree);
  const rest = whole.without((file) => file.startsWith('examples/'));
  assert.deepEqual(
    ground(rest, tree.snapshot, 'blur an image', 5).map(({ file }) => file),
    ['lib.py'],
  );
  assert.equal(rest.size, 1);
  assert.equal(whole.size, 2);
  assert.equal(
    whole.without(() => false),
    whole,
  );
});

test('names are words as they are written apart, and as a whole', () => {
  assert.deepEqual(wordsOfIdentifier('maxRetryCount'), ['max', 'retry', 'count', '=maxretrycount']);
  assert.deepEqual(wordsOfIdentifier('HTTPServer_v2'), ['http', 'server', '=httpserver_v2']);
  assert.deepEqual(wordsOfIdentifier('x'), ['x']);
  assert.deepEqual(['settings', 'stopping', 'copies', 'used'].map(stem), ['set', 'stop', 'copy', 'used']);
});

test('a word that nobody says stands for those that are spelt nearly like it', () => {
  const tree = treeOf(new Map([['shop.py', 'def normalise_price(price): ...\ndef other(): ...\n']]), grammars);
  const found = ground(indexOf(tree), tree.snapshot, 'normalize', 5);
  const { decls } = tree.resolver.summary('shop.py');
  assert.deepEqual(
    found.map(({ decl, via }) => [decls.nameOf(decl), via]),
    [['normalise_price', 'spelling']],
  );
  assert.deepEqual(ground(indexOf(tree), tree.snapshot, 'the of and', 5), []);
  assert.deepEqual(ground(SearchIndex.empty(), treeOf(new Map(), grammars).snapshot, 'anything', 5), []);
});

/** The blocks that a sentence leads to, by name. */
function groundedIn(tree: WorkingTree, index: SearchIndex, sentence: string): string[] {
  return ground(index, tree.snapshot, sentence, 5).map(
    ({ file, decl }) => tree.snapshot.summary(file)?.decls.pathOf(decl) ?? '',
  );
}

test('two words are one where names write them so, and a long word stands for what names cut it to', () => {
  const text = 'def colorbar(): ...\ndef load_config(): ...\ndef conf(): ...\ndef barrier(): ...\ndef other(): ...\n';
  const tree = treeOf(new Map([['plot.py', text]]), grammars);
  const index = indexOf(tree);
  assert.deepEqual(groundedIn(tree, index, 'a color bar beside the picture'), ['colorbar']);
  assert.deepEqual(groundedIn(tree, index, 'reads the configuration'), ['load_config', 'conf']);
});

const USES: Texts = new Map([
  [
    'lib/table.ts',
    'export class Table {\n  coalesce(): void {}\n  purge(): void {}\n}\nexport function emd(): void {}\n',
  ],
  [
    'test/table.test.ts',
    "import { Table, emd } from '../lib/table';\n" +
      "describe('tables', () => {\n  it('joins neighbouring cells', () => {\n" +
      '    new Table().coalesce();\n  });\n});\n' +
      "it('measures earth moving', () => {\n  emd();\n});\n",
  ],
  [
    'lib/nightly.ts',
    "import { Table } from './table';\nexport function run(t: Table) {\n  // forget what is stale\n  t.purge();\n}\n",
  ],
]);

test('a block is found by what a test that uses it is called, and by the comment above a use', () => {
  const tree = treeOf(USES, grammars);
  const index = indexOf(tree);
  assert.ok(groundedIn(tree, index, 'join neighbouring cells').includes('Table.coalesce'));
  assert.equal(groundedIn(tree, index, 'measure earth moving')[0], 'emd');
  assert.ok(groundedIn(tree, index, 'forget stale things').includes('Table.purge'));
  assert.equal(index.testsSaying('coalesce'), 1);
  assert.equal(index.testsSaying('coalesce', 'Table'), 1);
  assert.equal(index.testsSaying('coalesce', 'emd'), 0);
});

test('an edit of a test, and one that brings the name that it uses, is followed', () => {
  const memory = new SearchMemory();
  let texts: Texts = USES;
  let tree = treeOf(texts, grammars);
  atOnce(memory.of(tree));
  const edit = (path: string, text: string): void => {
    const after = new Map([...texts, [path, text] as const]);
    tree = advance(tree, texts, after, grammars);
    texts = after;
    assert.deepEqual(answersOf(atOnce(memory.of(tree)), tree, texts), answersOf(indexOf(tree), tree, texts));
  };
  edit('test/new.test.ts', "it('shuffles all rows', () => {\n  mix();\n});\n");
  assert.ok(!groundedIn(tree, indexOf(tree), 'shuffle all rows').includes('mix'));
  edit('lib/mix.ts', 'export function mix(): void {}\n');
  assert.ok(groundedIn(tree, indexOf(tree), 'shuffle all rows').includes('mix'));
  edit('test/table.test.ts', "it('is empty', () => {});\n");
  assert.ok(!groundedIn(tree, indexOf(tree), 'join neighbouring cells').includes('Table.coalesce'));
});

test('a docstring says what its function is for, however long it is', () => {
  const long = `def emd():\n    \"\"\"\n    Move earth.\n\n${'    more of it\n'.repeat(1000)}    \"\"\"\n`;
  const tree = treeOf(new Map([['lib.py', `${long}def other():\n    return move(earth)\n`]]), grammars);
  assert.deepEqual(groundedIn(tree, indexOf(tree), 'moves the earth'), ['emd', 'other']);
});

test('what fits best by itself stays first, however many others lie in one file', () => {
  const others = ['Oak', 'Ash', 'Elm', 'Fir'].map((name) => `class ${name}:\n    def colour_paint(self): ...\n`);
  const tree = treeOf(
    new Map([
      ['paint.py', others.join('')],
      ['store.py', 'def colour_paint(): ...\n'],
    ]),
    grammars,
  );
  assert.equal(groundedIn(tree, indexOf(tree), 'colour of the paint')[0], 'colour_paint');
});

test('overloads are one answer', () => {
  const overloads = Array.from({ length: 12 }, (_, i) => `  void scatter(${'int a, '.repeat(i)}int z) {}`).join('\n');
  const tree = treeOf(
    new Map([['Plot.java', `class Plot {\n${overloads}\n  void scatterLine() {}\n  void scatterPoints() {}\n}\n`]]),
    grammars,
  );
  const found = groundedIn(tree, indexOf(tree), 'scatter');
  assert.equal(found.filter((name) => name === 'Plot.scatter').length, 1);
  assert.ok(found.includes('Plot.scatterLine') && found.includes('Plot.scatterPoints'));
});
