/** The fixture format itself: what it reads, and what it refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FixtureError, parseFixture, withSections, type Fixture } from './support/fixture.js';

const text = (fixture: Fixture, side: 'before' | 'after'): (string | undefined)[] =>
  fixture.files.map((file) => file[side]?.text);

test('an edit has two sides, and labels stand on the lines that each side has', () => {
  const fixture = parseFixture(
    [
      'Prose.',
      '',
      '-- a.py --',
      'import os',
      '{+',
      'def new():   #@new',
      '    pass',
      '+}',
      'def put(key{+, ttl+}{-, x-}): #@put',
      '    return key',
      '',
      '== change ==',
      'put  MMS',
      '',
    ].join('\n'),
  );
  assert.equal(fixture.prose, 'Prose.');
  assert.deepEqual(text(fixture, 'before'), ['import os\n\ndef put(key, x):\n    return key\n']);
  assert.deepEqual(text(fixture, 'after'), [
    'import os\n\ndef new():\n    pass\n\ndef put(key, ttl):\n    return key\n',
  ]);
  assert.deepEqual([...(fixture.files[0]?.before?.labels ?? [])], [['put', 2]]);
  assert.deepEqual(
    [...(fixture.files[0]?.after?.labels ?? [])],
    [
      ['new', 2],
      ['put', 5],
    ],
  );
  assert.deepEqual(fixture.sections.get('change'), ['put  MMS']);
});

test('files come, go and move', () => {
  const fixture = parseFixture(
    'P.\n-- a.py (new) --\nx = 1\n-- b.py (deleted) --\ny = 1\n-- old/c.py -> c.py --\nz = {-1-}{+2+}\n== change ==\n',
  );
  assert.deepEqual(
    fixture.files.map((file) => [file.before?.path, file.after?.path]),
    [
      [undefined, 'a.py'],
      ['b.py', undefined],
      ['old/c.py', 'c.py'],
    ],
  );
  assert.deepEqual(text(fixture, 'before'), [undefined, 'y = 1\n', 'z = 1\n']);
  assert.deepEqual(text(fixture, 'after'), ['x = 1\n', undefined, 'z = 2\n']);
});

test('the labels of every language', () => {
  const fixture = parseFixture(
    'P.\n-- A.java --\nclass A {   //@a\n}\n-- b.sql --\nselect 1  --@b\n-- c.el --\n(x)  ;@c\n== graph ==\n',
  );
  assert.deepEqual(
    fixture.files.flatMap((file) => [...(file.after?.labels.keys() ?? [])]),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(text(fixture, 'after'), ['class A {\n}\n', 'select 1\n', '(x)\n']);
});

test('sections may hold file headers, and are written back', () => {
  const source = 'P.\n\n-- a.py --\nx = 1\n\n== result ==\n-- a.py --\nx = 2\n\ny = 3\n== open ==\n';
  const fixture = parseFixture(source);
  assert.deepEqual(fixture.sections.get('result'), ['-- a.py --', 'x = 2', '', 'y = 3']);
  assert.equal(withSections(fixture, fixture.sections), source);
});

const MALFORMED: Readonly<Record<string, [string, RegExp]>> = {
  'no prose': ['-- a.py --\nx\n== graph ==\n', /line 1: .*prose/],
  'no file': ['P.\n== graph ==\n', /line 2: no file/],
  'no section': ['P.\n-- a.py --\nx\n', /no section/],
  'an edit that stays open': ['P.\n-- a.py --\nx {+1\n== graph ==\n', /line 3: \{\+ is never closed/],
  'an edit inside an edit': ['P.\n-- a.py --\nx {+1{-2-}+}\n== graph ==\n', /line 3: \{- inside of \{\+/],
  'a label twice': ['P.\n-- a.py --\nx #@a\ny #@a\n== graph ==\n', /line 4: the label a/],
  'a path twice': ['P.\n-- a.py --\nx\n-- a.py --\ny\n== graph ==\n', /line 4: a.py stands here twice/],
  'a path out of the root': ['P.\n-- ../a.py --\nx\n== graph ==\n', /line 2: .* relative/],
  'an edit in a new file': ['P.\n-- a.py (new) --\nx{+1+}\n== graph ==\n', /line 2: a new file/],
  'a section twice': ['P.\n-- a.py --\nx\n== graph ==\n== graph ==\n', /line 5: the section graph/],
};
for (const [what, [source, message]] of Object.entries(MALFORMED)) {
  test(`refuses ${what}`, () =>
    assert.throws(
      () => parseFixture(source),
      (error) => error instanceof FixtureError && message.test(error.message),
    ));
}
