/**
 * Law 1 on random edits: after any sequence of them the session's snapshot gives the answers of
 * one that is built from nothing, and the incremental parser those of the whole one.
 *
 * Each language has a small repository, made of its own fixtures. A failure prints the sequence
 * that fast-check shrank it to and the seed; `SEED=n` runs another one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { languageOf, LANGUAGES } from '#src/languages/registry.js';
import { summarise, summariseEdited } from '#src/languages/summarise.js';
import { edgesFromTargets, edgesOf, edgesToBlocks } from './support/fingerprint.js';
import { advance, treeOf, type Texts } from './support/fixture-trees.js';
import { testGrammars } from './support/grammars.js';
import { edited, edits, repositoryOf } from './support/random-edits.js';

const SEED = Number(process.env.SEED ?? 20231101);
/** Sequences a language. Together some ten seconds for four languages. */
const RUNS = 40;
const grammars = await testGrammars();

for (const language of LANGUAGES) {
  test(`${language.id}: an advanced snapshot answers as a rebuilt one (seed ${SEED})`, () => {
    const start = repositoryOf(language.id);
    assert.ok(
      start.size > 5 && [...start.keys()].every((path) => languageOf(path) === language),
      'a repository of the language alone',
    );
    const first = treeOf(start, grammars);
    fc.assert(
      fc.property(edits, (sequence) => {
        const states: Texts[] = [start];
        let tree = first;
        for (const edit of sequence) {
          const before = states[states.length - 1] as Texts;
          const after = edited(states, edit);
          tree = advance(tree, before, after, grammars);
          states.push(after);
          for (const [path, text] of after)
            if (before.get(path) !== text)
              assert.deepEqual(
                summariseEdited(grammars, path, path, text),
                summarise(grammars, path, text),
                'what is parsed incrementally is what is parsed whole',
              );
          assert.deepEqual(edgesOf(tree), edgesOf(treeOf(after, grammars)));
        }
        assert.deepEqual(edgesFromTargets(tree), edgesToBlocks(tree), 'inverse relations agree');
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
}

test('a text with syntax errors has one summary, whatever text was there before', () => {
  const before = 'final class e{{l(iterator(){@S("")r r;\n}return(r);';
  const after = 'final class e{{l(iterator r;\n}return(r);';
  summariseEdited(grammars, 'broken', 'e.java', before);
  assert.deepEqual(summariseEdited(grammars, 'broken', 'e.java', after), summarise(grammars, 'e.java', after));
});
