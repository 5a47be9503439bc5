/**
 * What tools print, read back. The samples are each tool's own form; the tools that are at hand are
 * run for real in `test/io/run-oracle.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '#src/oracle/diagnostic.js';
import { ownPattern, parseOutput, PATTERNS, type PatternName } from '#src/oracle/patterns.js';
import { relativePath } from '#src/oracle/paths.js';
import { assertLinear } from '../support/growth.js';

const ROOTS = ['/copies/1/tree', '/home/me/repo'];

/** `file:line:column severity code message` for each diagnostic. */
function read(pattern: PatternName, output: string): string[] {
  return parseOutput(output, PATTERNS[pattern], ROOTS).map(shown);
}
function shown(d: Diagnostic): string {
  const end = d.endLine === undefined ? '' : `-${d.endLine}:${d.endColumn}`;
  return `${d.file}:${d.line}:${d.column}${end} ${d.severity} ${d.code ?? '-'} ${d.message}`;
}

const CASES: [PatternName, string, string[]][] = [
  [
    'pyright',
    '/copies/1/tree/a.py\n  /copies/1/tree/a.py:3:5 - error: Argument missing for parameter "y" (reportCallIssue)\n  /copies/1/tree/a.py:4:1 - warning: Import "x" (local) is odd\n2 errors, 1 warning\n',
    [
      'a.py:3:5 error reportCallIssue Argument missing for parameter "y"',
      'a.py:4:1 warning - Import "x" (local) is odd',
    ],
  ],
  [
    'mypy',
    'pkg/a.py:3:5: error: Missing positional argument "y" in call to "f"  [call-arg]\npkg/a.py:3: note: See docs\npkg/b.py:1:2:3:4: error: Bad  [misc]\nFound 2 errors in 1 file\n',
    [
      'pkg/a.py:3:5 error call-arg Missing positional argument "y" in call to "f"',
      'pkg/a.py:3:1 info - See docs',
      'pkg/b.py:1:2-3:4 error misc Bad',
    ],
  ],
  [
    'tsc',
    "src/a.ts(3,5): error TS2554: Expected 2 arguments, but got 1.\nsrc/(group)/b.ts:1:2 - error TS1005: ';' expected.\n  More about it.\nerror TS18003: No inputs.\n",
    ['src/a.ts:3:5 error TS2554 Expected 2 arguments, but got 1.', "src/(group)/b.ts:1:2 error TS1005 ';' expected."],
  ],
  [
    'eslint-unix',
    "/home/me/repo/a.ts:1:7: 'x' is unused. [Error/no-unused-vars]\n/home/me/repo/a.ts:2:1: Odd [Warning]\n\n2 problems\n",
    ["a.ts:1:7 error no-unused-vars 'x' is unused.", 'a.ts:2:1 warning - Odd'],
  ],
  [
    'eslint-stylish',
    "\n/home/me/repo/src/a.ts\n  1:7   error    'x' is unused  no-unused-vars\n  12:1  warning  Odd thing\n\n/home/me/repo/b c.ts\n  3:1  error  Parsing error: ; expected\n\n✖ 3 problems (2 errors, 1 warning)\n",
    [
      "src/a.ts:1:7 error no-unused-vars 'x' is unused",
      'src/a.ts:12:1 warning - Odd thing',
      'b c.ts:3:1 error - Parsing error: ; expected',
    ],
  ],
  [
    'javac',
    'src/A.java:3: error: cannot find symbol\n    foo();\n    ^\n  symbol:   method foo()\nsrc/A.java:5: warning: [deprecation] f() in B has been deprecated\nNote: Some input files\n1 error\n',
    ['src/A.java:3:1 error - cannot find symbol', 'src/A.java:5:1 warning deprecation f() in B has been deprecated'],
  ],
  [
    'maven',
    '[INFO] Compiling\n[ERROR] COMPILATION ERROR :\n[ERROR] /home/me/repo/src/A.java:[3,5] cannot find symbol\n  symbol: method foo()\n[ERROR] Failed to execute goal org.apache:x:1:compile\n',
    ['src/A.java:3:5 error - cannot find symbol'],
  ],
  [
    'gradle',
    '> Task :compileJava FAILED\n/home/me/repo/src/A.java:3: error: cannot find symbol\ne: file:///home/me/repo/src/B.kt:4:2 Unresolved reference: x\nFAILURE: Build failed\n',
    ['src/A.java:3:1 error - cannot find symbol', 'src/B.kt:4:2 error - Unresolved reference: x'],
  ],
  [
    'msbuild',
    "/home/me/repo/A.cs(3,5): error CS1501: No overload for method 'F' takes 1 arguments [/home/me/repo/A.csproj]\n  1>C:\\x\\B.cs(1,2,1,9): warning CS0168: Unused\nBuild FAILED.\n",
    ["A.cs:3:5 error CS1501 No overload for method 'F' takes 1 arguments", 'C:/x/B.cs:1:2-1:9 warning CS0168 Unused'],
  ],
  [
    'mcs',
    "A.cs(3,5): error CS1501: No overload for method `F' takes `1' arguments\nA.cs(1,2+): warning CS0168: x\nCompilation failed: 1 error(s), 0 warnings\n",
    ["A.cs:3:5 error CS1501 No overload for method `F' takes `1' arguments", 'A.cs:1:2 warning CS0168 x'],
  ],
  [
    'go',
    '# example.org/x\n./a.go:3:5: undefined: foo\nvet: ./b.go:1:2: oops\nok  example.org/y\n',
    ['a.go:3:5 error - undefined: foo', 'b.go:1:2 error - oops'],
  ],
  [
    'cargo',
    'error[E0061]: this function takes 2 arguments\n --> src/main.rs:3:5\n  |\n3 |     f(1);\n\nwarning: unused variable\n  --> src/lib.rs:1:2\nerror: aborting due to previous error\n',
    ['src/main.rs:3:5 error E0061 this function takes 2 arguments', 'src/lib.rs:1:2 warning - unused variable'],
  ],
  [
    'pytest',
    "___ test_a ___\n\n    def test_a():\n>       assert f(1) == 2\nE       assert 1 == 2\nE        +  where 1 = f(1)\n\ntests/test_a.py:5: AssertionError\n__ T.test_b[x] __\ntests/test_a.py:9: in test_b\n    g()\nlib.py:2: in g\n    h(1)\nE   TypeError: h() missing 1 required positional argument\nlib.py:3: TypeError\n=== short test summary info ===\nFAILED tests/test_a.py::test_a - assert 1 == 2\nFAILED tests/test_a.py::T::test_b[x] - TypeError\nERROR tests/test_c.py - ModuleNotFoundError: No module named 'z'\n",
    [
      'tests/test_a.py:5:1 error AssertionError test_a: assert 1 == 2',
      'lib.py:3:1 error TypeError T.test_b[x]: TypeError: h() missing 1 required positional argument',
      "tests/test_c.py:1:1 error - tests/test_c.py: ModuleNotFoundError: No module named 'z'",
    ],
  ],
];

for (const [pattern, output, expected] of CASES) {
  test(`${pattern}: its messages and nothing else, with either line ending and in colour`, () => {
    assert.deepEqual(read(pattern, output), expected);
    assert.deepEqual(read(pattern, output.replaceAll('\n', '\r\n')), expected);
    assert.deepEqual(read(pattern, output.replace(/(error|warning|E {3}|FAILED)/g, '\u001b[31m$1\u001b[0m')), expected);
  });
}

test("pyright's document, with and without text around", () => {
  const range = { start: { line: 2, character: 4 }, end: { line: 2, character: 8 } };
  const document = JSON.stringify({
    generalDiagnostics: [
      { file: '/copies/1/tree/a.py', severity: 'error', message: 'm', rule: 'r', range },
      { file: 3 },
    ],
  });
  const expected = ['a.py:3:5-3:9 error r m'];
  assert.deepEqual(read('pyright-json', document), expected);
  assert.deepEqual(read('pyright-json', `a notice\n${document}\n`), expected);
  for (const broken of ['', '{', '{"generalDiagnostics": 1}', 'No configuration file found.', '[]'])
    assert.deepEqual(read('pyright-json', broken), []);
});

test('a message that is printed twice counts once', () => {
  assert.equal(read('tsc', 'a.ts(1,1): error TS1: x\na.ts(1,1): error TS1: x\n').length, 1);
});

test("a person's own pattern", () => {
  const own = ownPattern('^(?<severity>W|E)!(?<file>.+)@(?<line>\\d+) (?<message>.*)$');
  assert.ok(own.ok);
  assert.deepEqual(parseOutput('E!src/a.x@3 broken\nother\n', own.pattern, []).map(shown), [
    'src/a.x:3:1 error - broken',
  ]);
  for (const [source, why] of [
    ['(', /not a regular expression/],
    ['(?<file>.*)', /no group \(\?<line>…\) and no \(\?<message>…\)/],
  ] as const) {
    const bad = ownPattern(source);
    assert.ok(!bad.ok);
    assert.match(bad.message, why);
  }
});

test('paths become relative to the innermost root that they lie under', () => {
  const cases = [
    ['/copies/1/tree/a/../b.py', 'b.py'],
    ['./a.py', 'a.py'],
    ['a\\b.cs', 'a/b.cs'],
    ['/copies/1/treetop/a.py', '/copies/1/treetop/a.py'],
    ['file:///home/me/repo/x.kt', 'x.kt'],
    ['../x.py', '../x.py'],
  ];
  for (const [path, expected] of cases) assert.equal(relativePath(path as string, ROOTS), expected, path);
});

test('no output makes a pattern throw or crawl', () => {
  const words = fc.array(
    fc.constantFrom(
      'error',
      ': ',
      'a.py',
      '(3,5)',
      ':3:5',
      '\n',
      '[ERROR] ',
      ' --> ',
      '___ x ___',
      'E   ',
      '{',
      '"',
      '\u001b[31m',
      '    ',
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(words, (parts) => {
      for (const pattern of Object.values(PATTERNS)) parseOutput(parts.join(''), pattern, ROOTS);
    }),
    { numRuns: 50 },
  );
  for (const [name, pattern] of Object.entries(PATTERNS))
    for (const signs of ['a', ' ', ':', 'a(1,', 'a '])
      assertLinear(`${name} on ${signs}`, 480, (size) =>
        parseOutput(`${signs.repeat(size / signs.length)}\n`.repeat(50), pattern, ROOTS),
      );
});
