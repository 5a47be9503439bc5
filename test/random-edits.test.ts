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
import type { LanguageId } from '#src/syntax/summary.js';
import { edgesFromTargets, edgesOf, edgesToBlocks } from './support/fingerprint.js';
import { fixturePaths, readFixture } from './support/fixture-files.js';
import { advance, treeOf, type Texts } from './support/fixture-trees.js';
import { testGrammars } from './support/grammars.js';

const SEED = Number(process.env.SEED ?? 20231101);
/** Sequences a language, and edits in one. Together some ten seconds for four languages. */
const RUNS = 40;
const EDITS_MOST = 6;
/** Fixtures that make up a repository. */
const PARTS = [
  'import-alias',
  're-export',
  'inherited-method',
  'override-both-ways',
  'typed-field',
  'constructor-call',
  'static-import',
  'namespaces',
];

const grammars = await testGrammars();

/** Files of a few fixtures side by side; those of equal path: the first. */
function repositoryOf(language: LanguageId): Texts {
  const texts = new Map<string, string>();
  for (const path of fixturePaths()) {
    if (!PARTS.some((part) => path === `languages/${language}/${part}.txt`)) continue;
    for (const { after } of readFixture(path).files)
      if (after !== undefined && !texts.has(after.path)) texts.set(after.path, after.text);
  }
  return texts;
}

/** One edit, as numbers that are taken modulo what there is to choose from. */
type Edit = readonly [
  kind: 'insertLine' | 'deleteLine' | 'renameName' | 'deleteFile' | 'renameFile' | 'copyFile' | 'undo',
  file: number,
  place: number,
  other: number,
];

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.tuple(
    fc.constantFrom(
      'insertLine',
      'deleteLine',
      'deleteLine',
      'renameName',
      'renameName',
      'deleteFile',
      'renameFile',
      'copyFile',
      'undo',
    ),
    fc.nat(1000),
    fc.nat(1000),
    fc.nat(1000),
  ),
  { minLength: 1, maxLength: EDITS_MOST },
);

function edited(states: readonly Texts[], [kind, fileNumber, place, other]: Edit): Texts {
  const now = states[states.length - 1] as Texts;
  if (kind === 'undo' || now.size === 0) return states[place % states.length] as Texts;
  const paths = [...now.keys()];
  const path = paths[fileNumber % paths.length] as string;
  const text = now.get(path) as string;
  const out = new Map(now);
  const lines = text.split('\n');
  const names = [...new Set([...now.values()].join(' ').match(/[A-Za-z_]\w+/g))];
  switch (kind) {
    case 'insertLine': {
      const source = (now.get(paths[other % paths.length] as string) as string).split('\n');
      lines.splice(place % lines.length, 0, source[other % source.length] as string);
      return out.set(path, lines.join('\n'));
    }
    case 'deleteLine':
      lines.splice(place % lines.length, 1);
      return out.set(path, lines.join('\n'));
    case 'renameName': {
      const name = names[place % names.length] as string;
      return out.set(path, text.replace(new RegExp(`\\b${name}\\b`), names[other % names.length] as string));
    }
    case 'deleteFile':
      out.delete(path);
      return out;
    case 'renameFile':
      out.delete(path);
      return out.set(elsewhere(path, other), text);
    case 'copyFile':
      return out.set(elsewhere(path, other), text);
  }
}

/** Another path of the same extension: beside the file, or in a folder. */
function elsewhere(path: string, number: number): string {
  const dot = path.lastIndexOf('.');
  return [`${path.slice(0, dot)}2${path.slice(dot)}`, `moved/${path.slice(path.lastIndexOf('/') + 1)}`][
    number % 2
  ] as string;
}

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
