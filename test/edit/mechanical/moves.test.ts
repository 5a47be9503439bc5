/** Moved and deleted definitions: imports follow in the style of the old ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGrammars } from '../../support/grammars.js';
import { marked, propagated, type Files } from '../../support/propagated.js';

const grammars = await testGrammars();

async function after(files: Files): Promise<{ changed: Files; open: readonly string[] }> {
  const { before, edit } = marked(files);
  const { changed, open } = await propagated(grammars, before, edit);
  return { changed, open };
}

const HELPER = 'def helper(x):\n    y = x + 1\n    return [str(y), "a", "b"]\n';

test('Python: a moved function, split statements, aliases, packages that pass it on, and the old file itself', async () => {
  const { changed, open } = await after({
    'pkg/__init__.py': 'from .a import helper, other\n',
    'pkg/a.py': `{-${HELPER}\n\n-}def other(x):\n    return helper(x)\n`,
    'pkg/b.py': `from .a import helper\n\n\ndef third():\n    return helper(3)\n{+\n\n${HELPER}+}`,
    'use.py':
      'from pkg import helper\nfrom pkg.a import helper as h, other\nfrom pkg.a import (\n    helper,  # the one\n    other as o,\n)\n\nh(helper(2))\n',
  });
  assert.deepEqual(open, []);
  assert.equal(changed['pkg/__init__.py'], 'from .a import other\nfrom .b import helper\n');
  assert.equal(changed['pkg/a.py'], 'from .b import helper\n\n\ndef other(x):\n    return helper(x)\n');
  assert.match(changed['pkg/b.py'] ?? '', /^\n\ndef third/);
  assert.equal(
    changed['use.py'],
    'from pkg import helper\nfrom pkg.a import other\nfrom pkg.b import helper as h\nfrom pkg.a import (\n    other as o,\n)\nfrom pkg.b import helper\n\nh(helper(2))\n',
  );
});

test('an import that would lead in a circle is refused', async () => {
  const { changed, open } = await after({
    'a.py': `{-${HELPER}\n\n-}def other(x):\n    return helper(x)\n`,
    'b.py': `from a import other\n\n\ndef third():\n    return other(3)\n{+\n\n${HELPER}+}`,
  });
  assert.deepEqual(changed, {});
  assert.deepEqual(open, ['a.py::other: b.py imports a.py: the two would import each other']);
});

test('Python: a moved file, its importers of every form, and its own relative imports', async () => {
  const { before } = marked({
    'pkg/__init__.py': 'VERSION = 1\n',
    'pkg/sub/__init__.py': 'LEVEL = 2\n',
    'pkg/a.py': `from .c import thing\n\n\n${HELPER}`,
    'pkg/c.py':
      'from .a import *\nfrom pkg.a import helper\nimport pkg.a\nfrom . import a\n\n\ndef thing():\n    return pkg.a.helper(1), a.helper(2), helper(3)\n',
  });
  const { changed, open } = await propagated(
    grammars,
    before,
    { 'pkg/a.py': '', 'pkg/sub/a.py': before['pkg/a.py'] ?? '' },
    { renames: { 'pkg/a.py': 'pkg/sub/a.py' } },
  );
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'pkg/c.py':
      'from .sub.a import *\nfrom pkg.sub.a import helper\nimport pkg.sub.a\nfrom .sub import a\n\n\ndef thing():\n    return pkg.sub.a.helper(1), a.helper(2), helper(3)\n',
    'pkg/sub/a.py': `from ..c import thing\n\n\n${HELPER}`,
  });
});

test('TypeScript: a moved file keeps endings, quotes and the form of each specifier', async () => {
  const text =
    "import { cc } from './c.js';\n\nexport function helper(x: number) {\n  return cc(x, 'something', 'else');\n}\nexport const K = 3;\n";
  const files = {
    'src/a.ts': text,
    'src/c.ts': 'export function cc(x: number, y: string, z: string) {\n  return x;\n}\n',
    'src/index.ts': "export * from './a.js';\nexport { K } from './a.js';\n",
    'src/use.ts':
      "import { helper, K } from './a.js';\nimport * as all from './a.js';\nimport { K as KK } from './index.js';\nimport type { helper as H } from \"./a\";\n\nhelper(K);\nall.helper(2);\n",
  };
  const { changed, open } = await propagated(
    grammars,
    files,
    { 'src/a.ts': '', 'src/util/a.ts': text },
    { renames: { 'src/a.ts': 'src/util/a.ts' } },
  );
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'src/index.ts': "export * from './util/a.js';\nexport { K } from './util/a.js';\n",
    'src/use.ts':
      "import { helper, K } from './util/a.js';\nimport * as all from './util/a.js';\nimport { K as KK } from './index.js';\nimport type { helper as H } from \"./util/a\";\n\nhelper(K);\nall.helper(2);\n",
    'src/util/a.ts': text.replace('./c.js', '../c.js'),
  });
});

test('TypeScript: a moved function leaves the statement it shared', async () => {
  const moved = "export function helper(x: number) {\n  return [x, 'something', 'else'];\n}\n";
  const { changed, open } = await after({
    'src/a.ts': `{-${moved}-}export function other(x: number) {\n  return x;\n}\n`,
    'src/b/index.ts': `export const q = 1;\n{+${moved}+}`,
    'src/use.ts':
      'import { helper, other } from \'./a\';\nimport {\n  other as o,\n  helper as h,\n} from "./a"\n\nhelper(other(h(o(1))));\n',
    'src/barrel.ts': "export { helper, other } from './a';\n",
    'src/far.ts': "import { helper } from './barrel';\n\nhelper(2);\n",
  });
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'src/use.ts':
      'import { other } from \'./a\';\nimport { helper } from \'./b\';\nimport {\n  other as o,\n} from "./a"\nimport { helper as h } from "./b"\n\nhelper(other(h(o(1))));\n',
    'src/barrel.ts': "export { other } from './a';\nexport { helper } from './b';\n",
  });
});

test('Java: a class in another package is imported anew, also by its old neighbours', async () => {
  const foo = 'package com.a;\n\npublic class Foo {\n  public int go(int x) { return x + 1; }\n}\n';
  const files = {
    'com/a/Foo.java': foo,
    'com/a/Bar.java':
      'package com.a;\n\nimport java.util.List;\n\nclass Bar {\n  int f(Foo foo) { return foo.go(1); }\n}\n',
    'com/c/Baz.java':
      'package com.c;\n\nimport com.a.Foo;\nimport java.util.List;\n\nclass Baz {\n  int f(Foo foo) { return foo.go(1); }\n}\n',
  };
  const { changed, open } = await propagated(
    grammars,
    files,
    { 'com/a/Foo.java': '', 'com/b/Foo.java': foo.replace('com.a', 'com.b') },
    { renames: { 'com/a/Foo.java': 'com/b/Foo.java' } },
  );
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'com/a/Bar.java':
      'package com.a;\n\nimport com.b.Foo;\nimport java.util.List;\n\nclass Bar {\n  int f(Foo foo) { return foo.go(1); }\n}\n',
    'com/c/Baz.java':
      'package com.c;\n\nimport com.b.Foo;\nimport java.util.List;\n\nclass Baz {\n  int f(Foo foo) { return foo.go(1); }\n}\n',
  });
});

test('C#: a class in another namespace gets a using where it was visible without one', async () => {
  const { changed, open } = await after({
    'A/Foo.cs': 'namespace A{+.B+};\n\npublic class Foo { public int Go(int x) { return x + 1; } }\n',
    'C/Baz.cs': 'using System;\nusing A;\n\nnamespace C;\n\nclass Baz { int F(Foo foo) => foo.Go(1); }\n',
    'D/Inner.cs': 'namespace A.B;\n\nclass Inner { int F(Foo foo) => foo.Go(1); }\n',
  });
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'C/Baz.cs': 'using System;\nusing A.B;\n\nnamespace C;\n\nclass Baz { int F(Foo foo) => foo.Go(1); }\n',
  });
});

test('the import of a deleted definition goes, unless a use that stays open needs it', async () => {
  const { changed, open } = await after({
    'm.py': `{-${HELPER}\n\n-}def kept():\n    pass\n`,
    'n.py': 'from m import helper, kept\nfrom m import helper as g\n\n\ndef f():\n    kept()\n    return helper(1)\n',
    'o.py': 'from m import (\n    kept,\n    helper,\n)\n\nkept()\n',
  });
  assert.deepEqual(changed, {
    'n.py': 'from m import helper, kept\n\n\ndef f():\n    kept()\n    return helper(1)\n',
    'o.py': 'from m import (\n    kept,\n)\n\nkept()\n',
  });
  assert.equal(open.length, 2);
  assert.match(open.join('\n'), /^n\.py::f: .*it is deleted/mu);
  assert.match(open.join('\n'), /^n\.py::<module>: helper is still used here/mu);
});
