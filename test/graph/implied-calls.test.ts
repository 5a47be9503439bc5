/** Who looks for the calls of a special member asks only rows whose syntax can run it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sitesOf } from '#src/graph/refer/references.js';
import type { Resolver } from '#src/graph/resolve/resolver.js';
import type { DeclRef } from '#src/languages/language.js';
import { treeOf } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';

const grammars = await testGrammars();

const FILES = {
  'gate.py': 'class Gate:\n    def __exit__(self, *args):\n        pass\n\n\ndef gate():\n    return Gate()\n',
  'walk.py': `from gate import gate\n\n\ndef walk(rows):\n    with gate():\n        ${'rows.first[rows.last] + 1\n        '.repeat(50)}pass\n`,
};

test('the rows of a member are asked, and no others', () => {
  const { resolver } = treeOf(new Map(Object.entries(FILES)), grammars);
  const gate = resolver.summary('gate.py');
  const exit = [...gate.decls.named(gate.idOf('__exit__'))][0] ?? -1;
  const said = sitesOf(resolver, { file: 'gate.py', decl: exit }).map(({ file, via }) => `${file} ${via}`);
  assert.deepEqual(said, ['walk.py syntax']);
  const walk = resolver.summary('walk.py');
  const asked = ['first', 'last'].flatMap((name) =>
    [...walk.exprs.named(walk.idOf(name))].filter((row) => resolver.knowsRow('walk.py', row)),
  );
  assert.deepEqual(asked, []);
});

const rowsAsked = (resolver: Resolver, file: string, name: string): number => {
  const summary = resolver.summary(file);
  return [...summary.exprs.named(summary.idOf(name))].filter((row) => resolver.knowsRow(file, row)).length;
};

test('of attributes those are asked whose name a field in the body of a class has, with an object that has the member', () => {
  const { resolver } = treeOf(
    new Map([
      [
        'field.py',
        'class Field:\n    def __get__(self, of, type):\n        pass\n\n\nclass Row:\n    key = Field()\n    size = 1\n',
      ],
      ['walk.py', `from field import Row\n\n\ndef walk(row: Row):\n    row.key\n${'    row.size\n'.repeat(2100)}`],
    ]),
    grammars,
  );
  const sites = sitesOf(resolver, declOf(resolver, 'field.py', '__get__'));
  assert.deepEqual(
    sites.map(({ file, via }) => `${file} ${via}`),
    ['walk.py syntax'],
  );
  assert.deepEqual([rowsAsked(resolver, 'walk.py', 'key'), rowsAsked(resolver, 'walk.py', 'size')], [1, 0]);
});

test('of a class in the middle of a program all rows are asked, and not what lies around it first', () => {
  const shapes = Array.from({ length: 40 }, (_, n): [string, string] => [
    `shape${n}.py`,
    `from base import Base\n\n\nclass Shape${n}(Base):\n    def copy(self):\n        return Shape${n}()\n`,
  ]);
  const { resolver } = treeOf(
    new Map([
      ['base.py', 'class Base:\n    def __add__(self, other):\n        return self\n'],
      ...shapes,
      [
        'hold.py',
        'from shape1 import Shape1\n\n\nclass Hold:\n    def __init__(self):\n        self.shape = Shape1()\n',
      ],
      ['give.py', 'from hold import Hold\n\n\ndef give():\n    return Hold()\n'],
      ['add.py', `from give import give\n\n\ndef add():\n    give().shape + 1\n${'    1 + 2\n'.repeat(2100)}`],
    ]),
    grammars,
  );
  const sites = sitesOf(resolver, declOf(resolver, 'base.py', '__add__'));
  assert.deepEqual(
    sites.map(({ file, via }) => `${file} ${via}`),
    ['add.py syntax'],
  );
  assert.equal(resolver.knows('named sites', 'shape7.py', declOf(resolver, 'shape7.py', 'copy').decl), false);
});

function declOf(resolver: Resolver, file: string, name: string): DeclRef {
  const summary = resolver.summary(file);
  return { file, decl: [...summary.decls.named(summary.idOf(name))][0] ?? -1 };
}

test('a call of a name that every object of this program has is a call of no member', () => {
  const { resolver } = treeOf(
    new Map([
      ['load.ts', 'export interface Load {\n  (text: string): void;\n}\n'],
      [
        'use.ts',
        "import { Load } from './load';\nexport const run = (load: Load): void => {\n  toString(load);\n  load('a');\n};\n",
      ],
    ]),
    grammars,
  );
  const signature = resolver.language('load.ts').callMember ?? '';
  const sites = sitesOf(resolver, declOf(resolver, 'load.ts', signature));
  assert.deepEqual(
    sites.map(({ file, via }) => `${file} ${via}`),
    ['use.ts syntax'],
  );
});
