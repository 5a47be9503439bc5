/** Async functions and abstract members: awaits and stubs, and what is left to decide. */
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

test('a function made async is awaited, and takes callers along that have a name', async () => {
  const { changed, open } = await after({
    'a.py':
      '{+async +}def load(x):\n    return x\n\n\nasync def f():\n    v = load(1).name\n    return [load(i) for i in v], load(load(4))\n\n\nasync def g():\n    return lambda: load(3)\n\n\ndef h():\n    return load(1)\n\n\nasync def i(loop):\n    return loop.create_task(load(1))\n',
  });
  assert.equal(
    changed['a.py'],
    'async def load(x):\n    return x\n\n\nasync def f():\n    v = (await load(1)).name\n    return [await load(i) for i in v], await load(await load(4))\n\n\nasync def g():\n    return lambda: load(3)\n\n\nasync def h():\n    return await load(1)\n\n\nasync def i(loop):\n    return loop.create_task(load(1))\n',
  );
  assert.deepEqual(open, [
    'a.py::g: the function around it has no name, and who calls it is not known',
    'a.py::i: its result is handed to create_task',
  ]);
});

test('a function made sync again is not awaited any more; one that gave a promise before stays as it is called', async () => {
  const { changed, open } = await after({
    'a.ts':
      'export {-async -}function load() {\n  return { n: 1 };\n}\nexport {+async +}function later(): Promise<number> {\n  return Promise.resolve(1);\n}\n',
    'b.ts':
      "import { later, load } from './a.js';\nexport async function f() {\n  const x = (await load()).n;\n  later().then(() => x);\n  return await load();\n}\n",
  });
  assert.deepEqual(changed, {
    'b.ts':
      "import { later, load } from './a.js';\nexport async function f() {\n  const x = load().n;\n  later().then(() => x);\n  return load();\n}\n",
  });
  assert.deepEqual(open, []);
});

test('a new abstract member gets a stub that fails, and its body stays open', async () => {
  const java = await after({
    'S.java': 'interface S {\n  void put(String k);\n{+  int drop(String key);\n+}}\n',
    'M.java': 'class M implements S {\n  public void put(String k) {\n  }\n}\n',
  });
  assert.deepEqual(java.changed, {
    'M.java':
      'class M implements S {\n  public void put(String k) {\n  }\n\n  @Override\n  public int drop(String key) {\n    throw new UnsupportedOperationException("drop is not implemented");\n  }\n}\n',
  });
  assert.deepEqual(java.open, ['M.java::M: drop has no body yet']);
  const csharp = await after({
    'S.cs':
      'public abstract class S {\n    public abstract void Put(string k);\n{+    protected abstract int Drop(string key);\n+}}\npublic class M : S {\n    public override void Put(string k) { }\n}\n',
  });
  assert.match(
    csharp.changed['S.cs'] ?? '',
    /\n {4}protected override int Drop\(string key\)\n {4}\{\n {8}throw new System\.NotImplementedException\("Drop"\);\n {4}\}\n\}\n$/,
  );
  const python = await after({
    's.py':
      'from abc import ABC, abstractmethod\n\n\nclass S(ABC):\n    @abstractmethod\n    def put(self): ...\n{+\n    @abstractmethod\n    def drop(self, key: str) -> None: ...\n+}\n\nclass M(S):\n    def put(self):\n        return 1\n',
  });
  assert.match(
    python.changed['s.py'] ?? '',
    /return 1\n\n {4}def drop\(self, key: str\) -> None:\n {8}raise NotImplementedError\n$/,
  );
  const script = await after({
    's.ts': 'export interface S {\n  put(k: string): void;\n{+  drop(key: string): number;\n+}}\n',
    'm.ts': "import type { S } from './s.js';\nexport class M implements S {\n  put(k: string): void {}\n}\n",
  });
  assert.equal(
    script.changed['m.ts'],
    "import type { S } from './s.js';\nexport class M implements S {\n  put(k: string): void {}\n\n  drop(key: string): number {\n    throw new Error('drop is not implemented');\n  }\n}\n",
  );
});
