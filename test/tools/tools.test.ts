/** The repository tools on small repositories in four languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '#src/base/turns.js';
import { SearchMemory } from '#src/engine/search-memory.js';
import { toolDocument } from '#src/engine/tool-document.js';
import { treeOf } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';

const grammars = await testGrammars();

interface Answer {
  readonly text: string;
  readonly refused: boolean;
  readonly truncated: boolean;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly suggestions: readonly { readonly asked: string; readonly names: readonly string[] }[];
}

function asking(files: Readonly<Record<string, string>>): (tool: string, given: Record<string, unknown>) => Answer {
  const tree = treeOf(new Map(Object.entries(files)), grammars);
  const memory = new SearchMemory();
  const withheld = (file: string): string | undefined => (file === 'secrets.py' ? 'secrets.*' : undefined);
  return (tool, given) => {
    const report = atOnce(toolDocument(tree, memory, grammars, withheld, { tool, arguments: given }));
    return { suggestions: [], ...report, ...report.structured } as unknown as Answer;
  };
}

const PYTHON = asking({
  'shop/__init__.py': 'from .store import Store\n',
  'shop/base.py':
    'class Base:\n    limit: int = 3\n\n    def close(self, force: bool = False) -> None:\n' +
    '        """Ends it."""\n        self.closed = force\n',
  'shop/store.py':
    'from .base import Base\n\n\nclass Store(Base):\n    def __init__(self, path):\n        self.path = path\n\n' +
    '    def put(self, key, *, ttl=1):\n        return key\n\n\n' +
    'def open_store(path: str) -> Store:\n    return Store(path)\n',
  'shop/job.py': 'from shop import Store\nimport json\n\n\ndef save(store: Store):\n    store.put(json.dumps(1))\n',
  'secrets.py': 'def token():\n    return "nothing"\n',
});

const names = (list: unknown): unknown[] => (list as readonly { readonly name: string }[]).map(({ name }) => name);

test('a class has its own members and those of its bases, the constructor first', () => {
  const { items, text } = PYTHON('get_class_info', { classes: ['Store'] });
  assert.equal(items.length, 1);
  assert.deepEqual(names(items[0]?.['members']), ['__init__', 'path', 'put', 'limit', 'close', 'closed']);
  assert.deepEqual(items[0]?.['bases'], ['Base']);
  assert.equal(items[0]?.['qualifiedName'], 'shop.store.Store');
  assert.match(text, /close\(self, force: bool = False\) -> None: {2}\[from Base\]/);
});

test('a misspelt member of a message comes first, and a misspelt class is answered with names like it', () => {
  const { items } = PYTHON('get_class_info', {
    classes: ['shop.Store'],
    query: "'Store' object has no attribute 'clos'",
  });
  assert.equal(names(items[0]?.['members'])[1], 'close');
  const unknown = PYTHON('get_class_info', { classes: ['Stor'] });
  assert.deepEqual([unknown.items.length, unknown.suggestions], [0, [{ asked: 'Stor', names: ['Store'] }]]);
});

test('of many classes of one name those come first that the file has, and that have what the message is about', () => {
  const nested = (n: number): string => `class Case${n}:\n    class Item:\n        part_${'abcdefgh'[n]} = 1\n`;
  const all = [0, 1, 2, 3, 4, 5, 6, 7].map(nested);
  const many = asking({ 'a/cases.py': all.join('\n\n'), 'b/one.py': nested(0), 'b/two.py': nested(7) });
  const query = "'Item' object has no attribute 'aprt_h'";
  const [first] = many('get_class_info', { classes: ['Item'], query, file: 'a/cases.py' }).items;
  assert.deepEqual([first?.['qualifiedName'], names(first?.['members'])], ['cases.Case7.Item', ['part_h']]);
  const [own] = many('get_class_info', { classes: ['Item'], query, file: 'b/one.py' }).items;
  assert.equal(own?.['file'], 'b/one.py');
  const { items, truncated } = many('get_class_info', { classes: ['Item'] });
  assert.deepEqual([items.length, truncated], [5, true]);
});

test('signatures and bodies are found in the class, above it, and outside of classes', () => {
  const [close] = PYTHON('get_signature', { class: 'Store', method: 'close' }).items;
  assert.deepEqual(close?.['parameters'], [{ name: 'force', type: 'bool', optional: true }]);
  assert.equal(close?.['owner'], 'Base');
  const [open] = PYTHON('get_signature', { method: 'open_store' }).items;
  assert.deepEqual([open?.['file'], open?.['line'], open?.['returns']], ['shop/store.py', 12, 'Store']);
  const [put] = PYTHON('get_method_body', { class: 'Store', method: 'put' }).items;
  assert.equal(put?.['text'], '    def put(self, key, *, ttl=1):\n        return key');
  assert.deepEqual(PYTHON('get_signature', { class: 'Store', method: 'putt' }).suggestions[0]?.names[0], 'put');
});

test('names that code does not bind are brought by the imports that the repository uses', () => {
  const code =
    'class Copy(Base):\n    def run(self, path):\n        return json.dumps(Store(path), len(path), Unheard)\n';
  const { items } = PYTHON('get_imports', { file: 'shop/copy.py', code });
  const options: unknown = Object.fromEntries(
    items.map(({ name, options, external }) => [
      name,
      external === true ? 'external' : (options as readonly { readonly statement: string }[]).map((o) => o.statement),
    ]),
  );
  assert.deepEqual(options, {
    Base: ['from shop.base import Base'],
    Store: ['from shop.store import Store', 'from shop import Store'],
    Unheard: 'external',
    json: 'external',
  });
});

test('code that a line is about is found whole, and as windows', () => {
  const [first] = PYTHON('get_relevant_code', { query: 'store.put(key, ttl=3)' }).items;
  assert.deepEqual([first?.['block'], first?.['startLine'], first?.['endLine']], ['Store.put', 8, 9]);
  const [window] = PYTHON('get_related_snippets', { query: 'opens a store at a path' }).items;
  assert.deepEqual([window?.['file'], window?.['startLine']], ['shop/store.py', 12]);
});

test('the context of an edit is the block, its users, and what it uses', () => {
  const { text } = PYTHON('context', { blocks: ['shop/store.py:Store.put'] });
  assert.match(text, /def put\(self, key, \*, ttl=1\):/);
  assert.match(text, /Used by 1 block:\nshop\/job.py\n {2}6 save/);
  assert.match(PYTHON('context', { task: 'put a key into the store' }).text, /Store\.put/);
});

test('overloads, constructors and properties of the other languages', () => {
  const java = asking({
    'src/main/java/a/Store.java':
      'package a;\npublic class Store<T> {\n  public Store(String path) {}\n' +
      '  public void put(T key) {}\n  public void put(T key, int... ttl) {}\n}\n',
    'src/main/java/b/Big.java':
      'package b;\nimport a.Store;\npublic class Big extends Store<String> {\n  private int n;\n}\n',
  });
  const puts = java('get_signature', { class: 'Big', method: 'put' }).items;
  assert.deepEqual(
    puts.map(({ parameters }) => (parameters as readonly { readonly type: string }[]).map(({ type }) => type)),
    [['T'], ['T', 'int...']],
  );
  assert.deepEqual(names(java('get_signature', { class: 'Store', method: 'Store' }).items), ['Store']);
  const code = 'package c;\nclass X extends Big { java.util.List<Store> all; }\n';
  assert.deepEqual(
    java('get_imports', { file: 'src/main/java/c/X.java', code }).items.map(({ options }) => options),
    [
      [{ statement: 'import b.Big;', file: 'src/main/java/b/Big.java' }],
      [{ statement: 'import a.Store;', file: 'src/main/java/a/Store.java' }],
    ],
  );
  const csharp = asking({
    'Store.cs': 'namespace Shop;\npublic partial class Store { public int Count { get; set; } }\n',
    'Store.More.cs': 'namespace Shop;\npublic partial class Store { public void Put(string key, int ttl = 1) {} }\n',
  });
  assert.deepEqual(names(csharp('get_class_info', { classes: ['Shop.Store'] }).items[0]?.['members']), [
    'Put',
    'Count',
  ]);
  assert.deepEqual(
    csharp('get_imports', { file: 'X.cs', code: 'namespace Other;\nclass X { Store s; }\n' }).items[0]?.['options'],
    [{ statement: 'using Shop;', file: 'Store.cs' }],
  );
  const projects = asking({
    'App/App.csproj': '<Project><ItemGroup><ProjectReference Include="..\\Core\\Core.csproj" /></ItemGroup></Project>',
    'Core/Core.csproj': '<Project />',
    'Old/Old.csproj': '<Project />',
    'Core/Store.cs': 'namespace Core;\npublic class Store { }\n',
    'Old/Store.cs': 'namespace Old;\npublic class Store { }\npublic class Shelf { }\n',
  });
  const inApp = 'namespace App;\nclass X { Store s; Shelf t; }\n';
  assert.deepEqual(
    projects('get_imports', { file: 'App/X.cs', code: inApp }).items.map(({ options }) => options),
    [[{ statement: 'using Old;', file: 'Old/Store.cs' }], [{ statement: 'using Core;', file: 'Core/Store.cs' }]],
    'a type of a project that is not referred to, where no other has the name',
  );
  const typescript = asking({
    'src/store.ts': 'export interface Store {\n  readonly size: number;\n  put(key: string, ttl?: number): void;\n}\n',
  });
  const [put] = typescript('get_signature', { class: 'Store', method: 'put' }).items;
  assert.deepEqual(put?.['parameters'], [
    { name: 'key', type: 'string', optional: false },
    { name: 'ttl', type: 'number', optional: true },
  ]);
  assert.deepEqual(
    typescript('get_imports', { file: 'src/job.ts', code: 'export const f = (s: Store) => s.size;\n' }).items[0]?.[
      'options'
    ],
    [{ statement: "import { Store } from './store';", file: 'src/store.ts' }],
  );
});

test('wrong arguments and withheld files are answered in words', () => {
  const wrong = PYTHON('get_signature', { clas: 'Store' });
  assert.equal(wrong.refused, true);
  assert.match(wrong.text, /get_signature cannot be called so/);
  assert.match(PYTHON('no_such_tool', {}).text, /there is no tool no_such_tool; there are get_class_info/);
  assert.equal(PYTHON('get_method_body', { method: 'token' }).items[0]?.['text'], '');
});

test('a sign of money is a letter of a name, and in the name of a nested class of Java what stands between', () => {
  const typescript = asking({ 'a.ts': 'export interface $Def {\n  fn: () => void;\n}\n' });
  assert.deepEqual(names(typescript('get_class_info', { classes: ['$Def'] }).items[0]?.['members']), ['fn']);
  const java = asking({ 'Outer.java': 'class Outer {\n  static class Inner {\n    int size;\n  }\n}\n' });
  assert.deepEqual(names(java('get_class_info', { classes: ['Outer$Inner'] }).items[0]?.['members']), ['size']);
});
