/** What is shown of a text can be told apart from it, and never holds what a terminal obeys or a reader cannot see. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { shownDiff, shownInLine, shownJson, shownName, shownText, shownWord } from '#src/base/shown.js';

/**
 * Said in other words than the source does: controls but tab and line feed, formats, separators, lone surrogates, and
 * letters and marks that nobody sees; but for the selector behind a picture.
 */
const UNSAFE = new RegExp(
  [
    '(?![\\t\\n])[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\u061c\\ufeff]',
    '[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0\\ufe00-\\ufe0e\\u{e0000}-\\u{e0fff}]',
    '(?<!\\p{Extended_Pictographic})\\ufe0f',
  ].join('|'),
  'u',
);
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\u001b[31m',
          '\u001b]0;title\u0007',
          '\r',
          '\n',
          '\t',
          '\u202e',
          '\u2066',
          '\u009b2J',
          '\u007f',
        ),
        fc.constantFrom('\u3164', '\u115f', '\u034f', '\ufe0f', '\u{e0101}', '\u180f', '❤\ufe0f', '\u{1d173}'),
        fc.constantFrom('"', "'", '\\', '\u2028', '\ufeff', '\u{e0041}', '\ud800', 'é', 'ب', '名', '$(x)', '`x`'),
        fc.string({ maxLength: 3 }),
      ),
    )
    .map((parts) => parts.join('')),
);

test('no form of a text holds what is unsafe, and each is shown as itself when shown again', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const show of [shownText, shownInLine, shownName, shownWord])
        assert.doesNotMatch(show(text), UNSAFE, show.name);
      for (const show of [shownInLine, shownName, shownWord]) assert.doesNotMatch(show(text), /[\t\n]/u, show.name);
      for (const line of shownDiff(text)) assert.doesNotMatch(line, UNSAFE);
      assert.equal(shownText(shownText(text)), shownText(text));
      assert.equal(shownText(shownName(text)), shownName(text));
    }),
    { numRuns: 2000 },
  );
});

test('a document stays the same data', () => {
  fc.assert(
    fc.property(fc.dictionary(texts, fc.oneof(texts, fc.array(texts))), (document) => {
      for (const indent of [undefined, 2]) {
        assert.doesNotMatch(shownJson(document, indent), UNSAFE);
        assert.deepEqual(JSON.parse(shownJson(document, indent)), JSON.parse(JSON.stringify(document)));
      }
    }),
    { numRuns: 1000 },
  );
});

test('names are quoted as git quotes them, and ordinary names of all languages stay', () => {
  for (const [name, shown] of [
    ['src/a b.py', 'src/a b.py'],
    ['café/名.py', 'café/名.py'],
    ['a\u001b[31m\nb\t.py', '"a\\033[31m\\nb\\t.py"'],
    ['say "x"\\.py', '"say \\"x\\"\\\\.py"'],
    ['a\u202eyp.b', '"a\\342\\200\\256yp.b"'],
    ['a\u007f\u009b.py', '"a\\177\\302\\233.py"'],
  ] as const)
    assert.equal(shownName(name), shown);
});

test('a word that was copied into a shell is that word', { skip: process.platform === 'win32' }, () => {
  const words = ["when@a'; touch x;'.py:f=<e>", 'a\n\u001b$(id)\\\'".py', 'plain', '\u202e', '!x'];
  const script = words.map((word) => `printf '%s\\0' ${shownWord(word)}`).join('\n');
  assert.deepEqual(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1), words);
});

test('a diff of a file with CR LF is shown without them, and one with some CR shows these', () => {
  assert.deepEqual(shownDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n'), [
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    '-a',
    '+b',
  ]);
  assert.deepEqual(shownDiff('@@ -1 +1 @@\n-a\n+b\r\n'), ['@@ -1 +1 @@', '-a', '+b[U+000D]']);
  assert.deepEqual(shownDiff('@@ -1 +1 @@\n-a\n+b\rc\u001b[2K\n'), ['@@ -1 +1 @@', '-a', '+b[U+000D]c[U+001B][2K']);
});
