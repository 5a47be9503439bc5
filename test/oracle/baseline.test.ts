/** What counts as new after an edit: lines move, names change, checks fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRuns, NO_RENAMES, type CheckedTree, type Comparison, type Renames } from '#src/oracle/baseline.js';
import type { Diagnostic, OracleError } from '#src/oracle/diagnostic.js';
import { presetNamed, presetsFor } from '#src/oracle/presets.js';

type Files = Record<string, string>;

/** `'a.py:2 message'` is an error there. */
function checked(files: Files, ...errors: string[]): CheckedTree {
  const diagnostics = errors.map((error): Diagnostic => {
    const [, file, line, message] = /^(.*?):(\d+) (.*)$/.exec(error) as unknown as [string, string, string, string];
    return { file, line: Number(line), column: 1, severity: 'error', code: 'c', message };
  });
  return { outcome: { ok: true, diagnostics }, lineText: (file, line) => files[file]?.split('\n')[line - 1] };
}

function fresh(comparison: Comparison): string[] {
  assert.ok(comparison.kind === 'compared', JSON.stringify(comparison));
  return comparison.fresh.map(
    ({ diagnostic, resembles }) =>
      `${diagnostic.file}:${diagnostic.line} ${diagnostic.message}${resembles === undefined ? '' : ` (was ${resembles.line})`}`,
  );
}

const BEFORE: Files = { 'a.py': 'import os\nf(1)\ng(2)\n' };

test('old errors on moved lines are not new, equal ones are counted', () => {
  const after = checked({ 'a.py': 'import os\n\n\nf(1)\nf(1)\n' }, 'a.py:4 bad call', 'a.py:5 bad call');
  assert.deepEqual(fresh(compareRuns(checked(BEFORE, 'a.py:2 bad call'), after, NO_RENAMES)), ['a.py:5 bad call']);
});

test('the same error at the same line number of other code is new', () => {
  const after = checked({ 'a.py': 'import os\nh(1)\n' }, 'a.py:2 bad call');
  const comparison = compareRuns(checked(BEFORE, 'a.py:2 bad call'), after, NO_RENAMES);
  assert.deepEqual(fresh(comparison), ['a.py:2 bad call (was 2)']);
});

test('numbers of lines in a message do not make it new, other numbers do', () => {
  const run = (...messages: string[]): CheckedTree =>
    checked(BEFORE, ...messages.map((message) => `a.py:2 ${message}`));
  const before = run(
    'obscured by a declaration on line 12',
    'see b.py:3:4',
    'at (3,4)',
    'defined at "12"',
    'expected 2 arguments',
  );
  assert.deepEqual(
    fresh(
      compareRuns(
        before,
        run(
          'obscured by a declaration on line 15',
          'see b.py:7:1',
          'at (9,1)',
          'defined at "40"',
          'expected 3 arguments',
        ),
        NO_RENAMES,
      ),
    ),
    ['a.py:2 expected 3 arguments'],
  );
});

test('renamed files and names keep their errors', () => {
  const after = checked({ 'b.py': 'import os\nfetch(1)\n' }, 'b.py:2 "fetch" is unknown');
  const before = checked(BEFORE, 'a.py:2 "f" is unknown');
  const renames: Renames = { files: new Map([['a.py', 'b.py']]), names: new Map([['f', 'fetch']]) };
  assert.deepEqual(fresh(compareRuns(before, after, renames)), []);
  assert.deepEqual(fresh(compareRuns(before, after, NO_RENAMES)), ['b.py:2 "fetch" is unknown']);
});

test('counts and what is gone', () => {
  const comparison = compareRuns(checked(BEFORE, 'a.py:2 x', 'a.py:3 y'), checked(BEFORE, 'a.py:3 y'), NO_RENAMES);
  assert.ok(comparison.kind === 'compared');
  assert.deepEqual(
    [comparison.baseline, comparison.after, comparison.fresh, comparison.gone.map((d) => d.line)],
    [2, 1, [], [2]],
  );
});

test('a check that failed before or after is unknown, neither clean nor all new', () => {
  const error: OracleError = { kind: 'timeout', message: 'too slow' };
  const failed: CheckedTree = { outcome: { ok: false, error }, lineText: () => undefined };
  for (const [before, after] of [
    [failed, checked(BEFORE)],
    [checked(BEFORE), failed],
  ] as const) {
    const comparison = compareRuns(before, after, NO_RENAMES);
    assert.ok(comparison.kind === 'unknown');
    assert.match(comparison.reason, /too slow/);
  }
});

test('presets by language and by what lies at the root', () => {
  const names = (language: 'python' | 'typescript' | 'java' | 'csharp', ...files: string[]): string[] =>
    presetsFor(language, files).map((preset) => preset.name);
  assert.deepEqual(names('python', 'setup.py'), ['pyright']);
  assert.deepEqual(names('python', 'mypy.ini'), ['mypy', 'pyright']);
  assert.deepEqual(names('typescript', 'package.json'), []);
  assert.deepEqual(names('typescript', 'tsconfig.json'), ['tsc']);
  assert.deepEqual(names('java', 'pom.xml'), ['maven', 'javac']);
  assert.deepEqual(names('csharp', 'X.sln'), ['dotnet', 'mcs']);
  assert.equal(presetNamed('javac')?.pattern, 'javac');
  assert.equal(presetNamed('nothing'), undefined);
});
