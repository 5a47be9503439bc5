/** Files that pass on all of each other offer what any of them declares; a circle of them is not walked by each way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGrammars } from '../support/grammars.js';
import { treeOf } from '../support/fixture-trees.js';

const grammars = await testGrammars();

/** Of that many files the ways from one to another are more than could be walked. */
const FILES = 40;
const rows = Array.from({ length: FILES }, (_, row) => row);
const others = (row: number): number[] => rows.filter((other) => other !== row);

const LANGUAGES = [
  {
    path: (row: number): string => `f${row}.ts`,
    text: (row: number): string =>
      others(row)
        .map((other) => `export * from './f${other}.js';\n`)
        .join('') + `export const only${row} = ${row};\n`,
  },
  {
    path: (row: number): string => `f${row}.py`,
    text: (row: number): string =>
      others(row)
        .map((other) => `from f${other} import *\n`)
        .join('') + `only${row} = ${row}\n`,
  },
];

for (const { path, text } of LANGUAGES)
  test(`each of ${FILES} files that pass on all others offers what one declares, ${path(0)}`, () => {
    const { resolver } = treeOf(new Map(rows.map((row) => [path(row), text(row)])), grammars);
    for (const asked of rows)
      for (const declared of [0, 7, FILES - 1])
        assert.deepEqual(
          resolver.exported(path(asked), `only${declared}`).map((entity) => entity.kind === 'decl' && entity.file),
          [path(declared)],
        );
    for (const asked of rows) assert.deepEqual(resolver.exported(path(asked), 'nowhere'), []);
  });

test('what is found in a circle does not hang on who is asked first', () => {
  const texts = new Map([
    ['a.ts', `export * from './b.js';\nexport * from './c.js';\n`],
    ['b.ts', `export * from './c.js';\nexport * from './a.js';\n`],
    ['c.ts', `export * from './b.js';\nexport * from './d.js';\n`],
    ['d.ts', `export * from './a.js';\nexport const one = 1;\n`],
  ]);
  const found = (order: readonly string[]): unknown => {
    const { resolver } = treeOf(texts, grammars);
    const answers = new Map(order.map((file) => [file, resolver.exported(file, 'one')]));
    return [...texts.keys()].map((file) => answers.get(file));
  };
  const first = found(['a.ts', 'b.ts', 'c.ts', 'd.ts']);
  assert.deepEqual(first, Array<unknown>(4).fill([{ kind: 'decl', file: 'd.ts', decl: 0 }]));
  for (const order of [
    ['d.ts', 'c.ts', 'b.ts', 'a.ts'],
    ['b.ts', 'd.ts', 'a.ts', 'c.ts'],
    ['c.ts', 'a.ts', 'd.ts', 'b.ts'],
  ])
    assert.deepEqual(found(order), first);
});
