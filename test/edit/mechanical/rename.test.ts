/** Renames: every mention that is certain follows, in the style of its place; a collision is refused. */
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

test('Python: a class through imports, aliases, re-exports, annotations and __all__', async () => {
  const { changed, open } = await after({
    'pkg/__init__.py': 'from .store import Store, make as m\n__all__ = ["Store", "m"]\n',
    'pkg/store.py':
      'class {-Store-}{+Shop+}:\n    """A Store, see :class:`Store`."""\n    def put(self, key):\n        return key\n\n\ndef make():\n    return Store()\n',
    'use.py':
      'from pkg import Store\nfrom pkg.store import Store as S\nimport pkg\n\n\ndef f(a: Store, b: "Store", c: S) -> "list[Store]":\n    pkg.Store().put(1)\n    x = "a Store"\n    return isinstance(a, Store)\n',
  });
  assert.deepEqual(changed, {
    'pkg/__init__.py': 'from .store import Shop, make as m\n__all__ = ["Shop", "m"]\n',
    'pkg/store.py':
      'class Shop:\n    """A Store, see :class:`Shop`."""\n    def put(self, key):\n        return key\n\n\ndef make():\n    return Shop()\n',
    'use.py':
      'from pkg import Shop\nfrom pkg.store import Shop as S\nimport pkg\n\n\ndef f(a: Shop, b: "Shop", c: S) -> "list[Shop]":\n    pkg.Shop().put(1)\n    x = "a Store"\n    return isinstance(a, Shop)\n',
  });
  assert.deepEqual(open, []);
});

test('Python: a method in overrides above and below, super calls and bound methods', async () => {
  const { changed, open } = await after({
    'a.py':
      'class Base:\n    def go(self, key):\n        return 1\n\n\nclass Mid(Base):\n    def {-go-}{+walk+}(self, key):\n        return super().go(key)\n\n\nclass Low(Mid):\n    def go(self, key):\n        return super().go(key=key)\n',
    'b.py':
      'from a import Base, Low\n\n\ndef run(b: Base, l: Low, other):\n    b.go(1)\n    f = l.go\n    return f\n\n\ndef unsure(other):\n    return other.go(1)\n',
  });
  assert.deepEqual(changed, {
    'a.py':
      'class Base:\n    def walk(self, key):\n        return 1\n\n\nclass Mid(Base):\n    def walk(self, key):\n        return super().walk(key)\n\n\nclass Low(Mid):\n    def walk(self, key):\n        return super().walk(key=key)\n',
    'b.py':
      'from a import Base, Low\n\n\ndef run(b: Base, l: Low, other):\n    b.walk(1)\n    f = l.walk\n    return f\n\n\ndef unsure(other):\n    return other.go(1)\n',
  });
  assert.equal(open.length, 1);
  assert.match(open[0] ?? '', /^b\.py::unsure: .*not certain/);
});

test('Python: field, enumeration member, module variable', async () => {
  const { changed, open } = await after({
    'a.py':
      'import enum\n\n\nclass Color(enum.Enum):\n    {-RED-}{+CRIMSON+} = 1\n    BLUE = 2\n\n\n{-LIMIT-}{+MOST+} = 300\n\n\nclass Box:\n    def __init__(self):\n        self.{-width-}{+breadth+} = 1\n\n    def area(self):\n        return self.width * 2\n',
    'b.py':
      'import a\nfrom a import Box, Color, LIMIT\n\n\ndef f(box: Box):\n    box.width += LIMIT\n    return Color.RED, a.LIMIT\n\n\ndef g(LIMIT):\n    return LIMIT\n',
  });
  assert.deepEqual(open, []);
  assert.equal(
    changed['b.py'],
    'import a\nfrom a import Box, Color, MOST\n\n\ndef f(box: Box):\n    box.breadth += MOST\n    return Color.CRIMSON, a.MOST\n\n\ndef g(LIMIT):\n    return LIMIT\n',
  );
  assert.match(changed['a.py'] ?? '', /return self\.breadth \* 2/);
});

test('a name that is taken at the place is refused, with what takes it, and stays imported under the old one', async () => {
  const { changed, open } = await after({
    'a.py': 'def {-run-}{+execute+}(a, b):\n    return [a, b, "more", "text"]\n',
    'b.py': 'from a import run\n\n\ndef execute():\n    return run(1, 2)\n',
    'c.py': 'from a import run\n\n\ndef f(execute):\n    return run(execute, 2)\n',
  });
  assert.deepEqual(open, [
    'b.py::execute: execute already means something else here: b.py::execute',
    'c.py::f: execute already means something else here: c.py::f.execute',
  ]);
  assert.deepEqual(Object.keys(changed), ['b.py', 'c.py']);
  for (const text of Object.values(changed)) assert.match(text, /^from a import execute as run\n/);
  assert.match(changed['c.py'] ?? '', /return run\(execute, 2\)/);
});

test('TypeScript: shorthand properties, destructuring, re-exports, interface and implementation', async () => {
  const { changed, open } = await after({
    'a.ts':
      'export interface Box {\n  {-width-}{+breadth+}: number;\n}\nexport function {-size-}{+measure+}(box: Box) {\n  return [box, "some", "more", "text"];\n}\n',
    'index.ts': "export { size } from './a.js';\nexport { size as extent } from './a.js';\n",
    'use.ts':
      "import { size, extent } from './index.js';\nimport type { Box } from './a.js';\n\nexport const tools = { size, extent };\nexport function f(box: Box) {\n  const { width } = box;\n  return width + box.width;\n}\nexport class Crate implements Box {\n  width = 3;\n}\n",
  });
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'index.ts': "export { measure } from './a.js';\nexport { measure as extent } from './a.js';\n",
    'use.ts':
      "import { measure, extent } from './index.js';\nimport type { Box } from './a.js';\n\nexport const tools = { size: measure, extent };\nexport function f(box: Box) {\n  const { breadth: width } = box;\n  return width + box.breadth;\n}\nexport class Crate implements Box {\n  breadth = 3;\n}\n",
  });
});

test('Java: a class with its constructors and import, a method with its documentation', async () => {
  const { changed, open } = await after({
    'p/Store.java':
      'package p;\n\npublic class {-Store-}{+Shop+} {\n  public {-Store-}{+Shop+}() {}\n\n  public void {-put-}{+insert+}(String key) { System.out.println(key); }\n}\n',
    'q/Use.java':
      'package q;\n\nimport p.Store;\n\n/** See {@link Store#put}. */\nclass Use extends Store {\n  @Override\n  public void put(String key) { super.put(key); }\n\n  static Store make() { return new Store(); }\n}\n',
  });
  assert.deepEqual(open, ['p/Store.java::Shop: rename p/Store.java to Shop.java']);
  assert.deepEqual(changed, {
    'q/Use.java':
      'package q;\n\nimport p.Shop;\n\n/** See {@link Shop#insert}. */\nclass Use extends Shop {\n  @Override\n  public void insert(String key) { super.insert(key); }\n\n  static Shop make() { return new Shop(); }\n}\n',
  });
});

test('C#: a property, an enum member, an interface method with its implementation', async () => {
  const { changed, open } = await after({
    'A.cs':
      'namespace P;\n\npublic enum Color { {-Red-}{+Crimson+}, Blue }\n\npublic interface IBox {\n    int {-Width-}{+Breadth+} { get; }\n    void {-Open-}{+Unlock+}(int key, string reason);\n}\n',
    'B.cs':
      'namespace P;\n\npublic class Box : IBox {\n    public int Width { get; set; }\n    public void Open(int key, string reason) { Width = key; }\n    public static Color F(IBox box) { box.Open(1, "x"); var b = new Box { Width = 2 }; return box.Width > b.Width ? Color.Red : Color.Blue; }\n}\n',
  });
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'B.cs':
      'namespace P;\n\npublic class Box : IBox {\n    public int Breadth { get; set; }\n    public void Unlock(int key, string reason) { Breadth = key; }\n    public static Color F(IBox box) { box.Unlock(1, "x"); var b = new Box { Breadth = 2 }; return box.Breadth > b.Breadth ? Color.Crimson : Color.Blue; }\n}\n',
  });
});

test('a renamed import alias renames its uses, unless something shadows it', async () => {
  const { changed, open } = await after({
    'a.py':
      'import os.path as {-p-}{+osp+}\n\n\ndef f():\n    return p.join("a", "b")\n\n\ndef g(osp):\n    return p.join(osp)\n',
  });
  assert.deepEqual(changed, {
    'a.py':
      'import os.path as osp\n\n\ndef f():\n    return osp.join("a", "b")\n\n\ndef g(osp):\n    return p.join(osp)\n',
  });
  assert.deepEqual(open, ['a.py::g: osp means something else here']);
});

test('generated, foreign and minified files are reported and keep their text', async () => {
  const text = 'from a import run\n\nrun(1, 2)\n';
  const { changed, open } = await after({
    'a.py': 'def {-run-}{+execute+}(a, b):\n    return [a, b, "more", "text"]\n',
    'gen.py': `# Generated by a tool. DO NOT EDIT.\n${text}`,
    'x_pb2.py': text,
    'vendor/v.py': text,
    'hand.py': text,
  });
  assert.deepEqual(Object.keys(changed), ['hand.py']);
  assert.deepEqual(
    open.map((line) => line.replace(/:.*/, '')),
    ['gen.py', 'vendor/v.py', 'x_pb2.py'],
  );
});
