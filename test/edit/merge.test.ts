/**
 * What a model's answer does to a file: four languages, and all that answers get wrong.
 *
 * Each case gives a file, a block and an answer, and states the whole file after, or the reason.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applyEdits, invertEdits } from '#src/base/text-edit.js';
import { fragmentOf, mergeAnswer, type MergeResult } from '#src/edit/merge.js';
import { summarise } from '#src/languages/summarise.js';
import { type LanguageId, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../support/grammars.js';

let extractors: Record<LanguageId, (text: string) => Summary>;
before(async () => {
  const grammars = await testGrammars();
  const reading =
    (file: string) =>
    (text: string): Summary => {
      const summary = summarise(grammars, file, text);
      assert.ok(summary);
      return summary;
    };
  extractors = {
    python: reading('a.py'),
    typescript: reading('a.ts'),
    java: reading('A.java'),
    csharp: reading('A.cs'),
  };
});

function rowOf(summary: Summary, path: string): number {
  for (let row = 0; row < summary.decls.count; row++) if (summary.decls.pathOf(row) === path) return row;
  throw new Error(`no block ${path}`);
}

function merge(
  language: LanguageId,
  text: string,
  path: string,
  answer: string,
  alsoNamed: string[] = [],
): MergeResult {
  const summary = extractors[language](text);
  const decl = path === '<module>' ? -1 : rowOf(summary, path);
  return mergeAnswer(
    {
      text,
      summary,
      decl,
      answer,
      alsoNamed,
      offside: language === 'python',
      overloads: language === 'java' || language === 'csharp',
    },
    extractors[language],
  );
}

/** The merged text; also checks that the edits give it and can be undone. */
function merged(language: LanguageId, text: string, path: string, answer: string, alsoNamed: string[] = []): string {
  const result = merge(language, text, path, answer, alsoNamed);
  if (!result.ok) throw new Error(result.reason);
  assert.equal(applyEdits(text, result.edits), result.text);
  assert.equal(applyEdits(result.text, invertEdits(text, result.edits)), text);
  return result.text;
}

function refusal(language: LanguageId, text: string, path: string, answer: string): string {
  const result = merge(language, text, path, answer);
  if (result.ok) throw new Error(`accepted:\n${result.text}`);
  return result.reason;
}

const STORE = `import os


class Store:
    """Keeps things."""

    @traced
    def put(self, key):
        return key

    def get(self, key):
        return None


def main():
    return Store()
`;
const PUT_AFTER = '    @traced\n    def put(self, key, ttl=0):\n        return key, ttl\n';
const STORE_AFTER = STORE.replace('    @traced\n    def put(self, key):\n        return key\n', PUT_AFTER);

test('an import in the type of a comment is no place for imports: the answer brings the comment along', () => {
  const [above, block] = ["/** @param {import('./store.js').Store} store where to */\n", 'function save(store) {}\n'];
  assert.equal(
    merged('typescript', above + block, 'save', `import { x } from 'y';\n\n${above}function save(store) { x(); }\n`),
    `import { x } from 'y';\n\n${above}function save(store) { x(); }\n`,
  );
});

test('a fragment is shown with the blanks of its first line', () => {
  const summary = extractors.python(STORE);
  assert.equal(
    fragmentOf(STORE, summary, rowOf(summary, 'Store.put')),
    '    @traced\n    def put(self, key):\n        return key',
  );
});

test('an answer fits whichever way it is indented', () => {
  const answers = {
    'as shown': PUT_AFTER,
    'at the margin': '@traced\ndef put(self, key, ttl=0):\n    return key, ttl',
    'first line lost its blanks': '@traced\n    def put(self, key, ttl=0):\n        return key, ttl',
    'too deep': '      @traced\n      def put(self, key, ttl=0):\n          return key, ttl',
    'blank lines around': `\n\n${PUT_AFTER}\n\n`,
    tabs: '\t@traced\n\tdef put(self, key, ttl=0):\n\t\treturn key, ttl',
    'Windows line endings': PUT_AFTER.replaceAll('\n', '\r\n'),
  };
  for (const [name, answer] of Object.entries(answers))
    assert.equal(merged('python', STORE, 'Store.put', answer), STORE_AFTER, name);
});

test('an undecorated method whose first line lost its blanks', () => {
  assert.equal(
    merged('python', STORE, 'Store.get', 'def get(self, key):\n        return self.all[key]'),
    STORE.replace('return None', 'return self.all[key]'),
  );
});

test('the answer that says what stands there makes no edit', () => {
  const result = merge('python', STORE, 'Store.put', '@traced\ndef put(self, key):\n    return key');
  assert.ok(result.ok);
  assert.deepEqual(result.edits, []);
  assert.equal(result.text, STORE);
});

test('Windows line endings and a byte order mark stay', () => {
  const windows = (text: string): string => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
  assert.equal(merged('python', windows(STORE), 'Store.put', PUT_AFTER), windows(STORE_AFTER));
  const first = 'class A:\n    x = 1\n';
  assert.equal(merged('python', windows(first), 'A', '\uFEFFclass A:\n    x = 2\n'), windows('class A:\n    x = 2\n'));
});

test('an answer with a new import at the top of a file with Windows line endings', () => {
  const text = '\uFEFFdef f():\r\n    return 1\r\n';
  assert.equal(
    merged('python', text, 'f', 'import os\n\ndef f():\n    return os.sep'),
    '\uFEFFimport os\r\n\r\n\r\ndef f():\r\n    return os.sep\r\n',
  );
});

test('lines of a string keep their blanks when the code around moves, those of a docstring move', () => {
  const text = 'class A:\n    def f(self):\n        pass\n';
  const answer = 'def f(self):\n    """Says\n    more.\n    """\n    return """\nraw\n    kept\n"""';
  assert.equal(
    merged('python', text, 'A.f', answer),
    'class A:\n    def f(self):\n        """Says\n        more.\n        """\n        return """\nraw\n    kept\n"""\n',
  );
  const ts = 'class A {\n  f() {\n    return 1;\n  }\n}\n';
  assert.equal(
    merged('typescript', ts, 'A.f', 'f() {\n  return `a\n  b`;\n}'),
    'class A {\n  f() {\n    return `a\n  b`;\n  }\n}\n',
  );
});

test('a file with tabs gets tabs', () => {
  const text = 'class A {\n\tint f() {\n\t\treturn 1;\n\t}\n}\n';
  assert.equal(
    merged('java', text, 'A.f', 'int f(int x) {\n    if (x > 0) {\n        return x;\n    }\n    return 1;\n}'),
    'class A {\n\tint f(int x) {\n\t\tif (x > 0) {\n\t\t\treturn x;\n\t\t}\n\t\treturn 1;\n\t}\n}\n',
  );
});

test('imports at the head of the answer join those of the file, without what is there', () => {
  const answer =
    'import os\nfrom typing import (\n    Any,\n    Optional,\n)\nimport json\n\n@traced\ndef put(self, key):\n    return Optional[key]';
  assert.equal(
    merged('python', `from typing import Any\n${STORE}`, 'Store.put', answer),
    `from typing import Any\nimport os\nfrom typing import (\n    Optional,\n)\nimport json\n${STORE.slice('import os\n'.length).replace('return key', 'return Optional[key]')}`,
  );
});

test('imports go below the head even where a function imports too', () => {
  const text =
    '#!/usr/bin/env python\n"""Docs."""\nfrom __future__ import annotations\nimport a\n\ndef f():\n    import b\n    return b\n';
  assert.equal(
    merged('python', text, 'f', 'import c\ndef f():\n    import b\n    return c'),
    text.replace('import a\n', 'import a\nimport c\n').replace('return b', 'return c'),
  );
});

test('a future import goes first', () => {
  const text = '"""Docs."""\nimport a\n\ndef f():\n    return a\n';
  assert.equal(
    merged('python', text, 'f', 'from __future__ import annotations\ndef f() -> a:\n    return a'),
    '"""Docs."""\nfrom __future__ import annotations\nimport a\n\ndef f() -> a:\n    return a\n',
  );
});

test('the first import of a file stands above the comment of the first block and below a package', () => {
  const text = '// Licence.\npackage a.b;\n\n/** Says. */\nclass A {\n  int f() { return 1; }\n}\n';
  assert.equal(
    merged('java', text, 'A.f', 'import java.util.List;\n\npublic int f(List<A> x) { return 1; }'),
    '// Licence.\npackage a.b;\n\nimport java.util.List;\n\n/** Says. */\nclass A {\n  public int f(List<A> x) { return 1; }\n}\n',
  );
});

test('imports in TypeScript and C#', () => {
  const ts = "import { a, b } from './x';\n\nexport class A {\n  f(): void {\n    a();\n  }\n}\n";
  assert.equal(
    merged('typescript', ts, 'A.f', "import { b, c } from './x';\nimport { d } from './y';\nf(): void {\n  c();\n}"),
    ts
      .replace("from './x';\n", "from './x';\nimport { c } from './x';\nimport { d } from './y';\n")
      .replace('a();', 'c();'),
  );
  const cs = 'namespace N\n{\n    using System;\n\n    class A\n    {\n        int F() { return 1; }\n    }\n}\n';
  assert.equal(
    merged('csharp', cs, 'A.F', 'using System;\nusing System.Linq;\n\nint F(int x) { return x; }'),
    cs
      .replace('using System;\n', 'using System;\n    using System.Linq;\n')
      .replace('F() { return 1; }', 'F(int x) { return x; }'),
  );
});

test('an import that would take a name from another one is refused', () => {
  assert.match(
    refusal(
      'python',
      `from a import traced\n${STORE}`,
      'Store.put',
      'from b import traced\n@traced\ndef put(self, key): ...',
    ),
    /imports traced from b, but the file imports that name from a/,
  );
});

test('new members beside the block and overloads are welcome', () => {
  const java = 'class A {\n    int f() {\n        return 1;\n    }\n}\n';
  assert.equal(
    merged(
      'java',
      java,
      'A.f',
      'int f() {\n    return f(1);\n}\n\nint f(int x) {\n    return x;\n}\n\nint g() {\n    return 2;\n}',
    ),
    'class A {\n    int f() {\n        return f(1);\n    }\n\n    int f(int x) {\n        return x;\n    }\n\n    int g() {\n        return 2;\n    }\n}\n',
  );
});

test('the block may be renamed only where the task says so', () => {
  assert.match(
    refusal('python', STORE, 'Store.get', 'def fetch(self, key):\n    return None'),
    /does not declare Store\.get but Store\.fetch/,
  );
  assert.equal(
    merged('python', STORE, 'Store.get', 'def fetch(self, key):\n    return None', ['Store.fetch']),
    STORE.replace('def get', 'def fetch'),
  );
});

test('what does not parse is refused, old errors are borne', () => {
  assert.match(
    refusal('python', STORE, 'Store.put', 'def put(self, key:\n    return key'),
    /would not parse: syntax error near line/,
  );
  assert.match(
    refusal('java', 'class A {\n  int f() { return 1; }\n}\n', 'A.f', 'int f() { return 1; '),
    /would not parse/,
  );
  const broken = 'def f():\n    return 1\n\n\ndef g():\n    return )\n';
  assert.equal(merged('python', broken, 'f', 'def f():\n    return 2'), broken.replace('return 1', 'return 2'));
});

test('an answer that leaves its block is refused', () => {
  assert.match(refusal('python', STORE, 'Store.put', STORE), /./);
  assert.match(
    refusal('python', STORE, 'Store.put', 'class Store:\n    size = 1\n\n    def put(self, key): ...'),
    /repeats the declaration around Store\.put/,
  );
  assert.match(
    refusal('python', STORE, 'Store.get', 'class Other:\n    def get(self, key): ...'),
    /does not declare Store\.get but Store\.Other/,
  );
  assert.match(
    refusal('python', STORE, 'Store.put', 'def put(self, key): ...\ndef get(self, key): ...'),
    /defines Store\.get again/,
  );
  assert.match(
    refusal('python', STORE, 'Store.put', 'def put(self, key): ...\ndef put(self, key): ...'),
    /declares Store\.put 2 times/,
  );
  assert.match(
    refusal('python', STORE, 'main', 'def main():\n    return 1\n\nos.remove("x")'),
    /code outside of main, at module level/,
  );
  assert.match(
    refusal('python', STORE, 'Store.put', 'def put(self, key): ...\nprint("in the class")'),
    /code outside of Store\.put, in Store/,
  );
  assert.match(
    refusal(
      'java',
      'class A {\n  int f() { return 1; }\n  int g() { return 2; }\n}\n',
      'A.f',
      'int f() { return 1; }\n}\nclass B {',
    ),
    /./,
  );
  assert.match(refusal('python', STORE, 'main', 'import os'), /./);
  assert.match(refusal('python', STORE, 'main', '  \n'), /empty/);
});

test('a field keeps the one semicolon behind it', () => {
  const text = 'class A {\n  x = 1;\n}\n';
  assert.equal(merged('typescript', text, 'A.x', 'x: number = 2;'), 'class A {\n  x: number = 2;\n}\n');
});

test('module level: a shown part may change, its declarations stay', () => {
  const text = 'import a\nimport b\n\nclass C:\n    pass\n\nrun(a)\n';
  const summary = extractors.python(text);
  const span = { start: 0, end: 'import a\nimport b'.length };
  const result = mergeAnswer(
    { text, summary, decl: -1, span, answer: 'import a\nimport b2 as b', overloads: false, offside: true },
    extractors.python,
  );
  assert.ok(result.ok);
  assert.equal(result.text, text.replace('import b', 'import b2 as b'));
  assert.match(refusal('python', text, '<module>', 'import a\n'), /C disappears/);
});

test('a class written around the one block that was asked for is taken off', () => {
  assert.equal(
    merged('python', STORE, 'Store.get', 'class Store:\n    def get(self, key):\n        return 1'),
    STORE.replace('return None', 'return 1'),
  );
  assert.equal(
    merged('python', STORE, 'Store.put', `import sys\n\nclass Store:\n${PUT_AFTER}`),
    STORE_AFTER.replace('import os\n', 'import os\nimport sys\n'),
  );
  const java = 'class A {\n    int f() {\n        return 1;\n    }\n\n    int g;\n}\n';
  assert.equal(
    merged('java', java, 'A.f', 'public class A {\n    int f() {\n        return 2;\n    }\n}'),
    java.replace('return 1', 'return 2'),
  );
});

test('the package or namespace that the file says is taken off, another one is refused', () => {
  const java = 'package shop.cart;\n\npublic class Cart {\n}\n';
  const cart = 'import java.util.List;\n\npublic class Cart {\n    List<String> all;\n}';
  const after = java.replace('public class Cart {\n}', cart);
  assert.equal(merged('java', java, 'Cart', `package shop.cart;\n\n${cart}`), after);
  const said = merged('java', java, 'Cart', `// As asked.\npackage shop.cart;\n${cart}`);
  assert.equal(said, after.replace('import', '// As asked.\nimport'));
  assert.match(refusal('java', java, 'Cart', `package shop;\n\n${cart}`), /code outside of Cart, at module level/);
  const type = 'public class Cart\n{\n    List<string> All;\n}';
  const line = 'namespace Shop;\n\npublic class Cart\n{\n}\n';
  const lineAfter = 'using System.Linq;\n\nnamespace Shop;\n\n' + `${type}\n`;
  assert.equal(merged('csharp', line, 'Cart', `using System.Linq;\n\nnamespace Shop;\n\n${type}`), lineAfter);
  const braces = 'namespace Shop\n{\n    public class Cart\n    {\n    }\n}\n';
  const inner = type.replace(/^/gm, '    ');
  assert.equal(merged('csharp', braces, 'Cart', `namespace Shop\n{\n${inner}\n}`), `namespace Shop\n{\n${inner}\n}\n`);
  assert.match(refusal('csharp', braces, 'Cart', `namespace Other\n{\n${inner}\n}`), /syntax|outside|again/);
});

test('an answer that leaves code out and says so is refused', () => {
  const body = (line: string): string => `@traced\ndef put(self, key, ttl):\n    check(ttl)\n    ${line}`;
  for (const line of [
    '# ... rest of the method unchanged',
    '# rest of the code remains the same',
    '# ...',
    '# existing code here',
    '# unchanged',
    '# (omitted for brevity)',
    '...',
  ])
    assert.match(refusal('python', STORE, 'Store.put', body(line)), /leaves code out where it says/, line);
  const java = 'class A {\n    int f() {\n        return 1;\n    }\n}\n';
  for (const comment of ['// ... existing code ...', '/* ... */', '// remaining logic unchanged', '// \u2026'])
    assert.match(refusal('java', java, 'A.f', `int f() {\n    ${comment}\n}`), /leaves code out/, comment);
});

test('a comment that only speaks of what is unchanged, and a body that is a stub, are no elision', () => {
  const keeps = '@traced\ndef put(self, key):\n    # The other keys keep their order.\n    return key';
  assert.match(merged('python', STORE, 'Store.put', keeps), /keep their order/);
  const stub = 'class P:\n    def f(self):\n        """Dots... and the rest."""\n        return 1\n';
  assert.match(merged('python', stub, 'P.f', 'def f(self) -> int:\n    ...'), /-> int:\n {8}\.\.\.\n/);
  const dotted = 'def f():\n    # ... the rest of the code\n    return 1\n';
  assert.equal(
    merged('python', dotted, 'f', 'def f():\n    # ... the rest of the code\n    return 2'),
    dotted.replace('1', '2'),
  );
});

test('lines at an indentation that fits no block are refused', () => {
  const halfMoved =
    'def helper(key):\n    return key\n\n    @traced\n    def put(self, key):\n        return helper(key)';
  assert.match(refusal('python', STORE, 'Store.put', halfMoved), /./);
  const uneven = 'def main():\n    if a:\n        a = 1\n      b = 2\n    return a';
  assert.match(refusal('python', STORE, 'main', uneven), /indentation fits no block near line \d+|would not parse/);
  const continued = 'def main(\n    a=1,\n        b=2,\n):\n    text = """\n  odd\n"""\n    return (a\n  + b)';
  assert.match(merged('python', STORE, 'main', continued), /\+ b/);
});

test('a member that a class has may go only where the answer insists', () => {
  const answer = 'class Store:\n    """Keeps things."""\n\n    @traced\n    def put(self, key):\n        return key';
  const summary = extractors.python(STORE);
  const request = { text: STORE, summary, decl: rowOf(summary, 'Store'), answer, overloads: false, offside: true };
  const first = mergeAnswer(request, extractors.python);
  assert.ok(!first.ok);
  assert.match(first.reason, /leaves out get, which Store has/);
  assert.deepEqual(first.lost, ['Store.get']);
  assert.ok(mergeAnswer({ ...request, mayLose: first.lost }, extractors.python).ok);
  const renamed = STORE.slice(STORE.indexOf('class'), STORE.indexOf('\n\n\ndef main')).replace('def get', 'def fetch');
  assert.match(merged('python', STORE, 'Store', renamed), /def fetch/);
});

test('a second function of the same parameter types is refused, whatever its parameters are called', () => {
  const java = 'class A {\n    A(int size) {\n    }\n\n    A(String name) {\n    }\n}\n';
  assert.match(
    refusal('java', java, 'A.<init>', 'A(String text) {\n}'),
    /declares A\.<init> 2 times with the same parameters/,
  );
});

test('a line that nothing changed keeps its line break in a file of mixed ones', () => {
  const mixed = 'class A {\r\n    int f() {\r\n        int a = 1;\n        return a;\r\n    }\n}\n';
  assert.equal(
    merged('java', mixed, 'A.f', 'int f() {\n    int a = 1;\n    a++;\n    return a;\n}'),
    mixed.replace('int a = 1;\n', 'int a = 1;\n        a++;\n'),
  );
});

test('an answer whose end would become part of the next block is refused', () => {
  const text = 'public enum Size { Tiny }\npublic static class Limits\n{\n    public const int Greatest = 10;\n}\n';
  assert.match(
    refusal('csharp', text, 'Size', 'public enum Size { Tiny }\npublic'),
    /runs into Limits, which lies beside/,
  );
});
