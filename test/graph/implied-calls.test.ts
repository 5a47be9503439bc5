/** Who looks for the calls of a special member asks only rows whose syntax can run it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sitesOf } from '#src/graph/refer/references.js';
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
