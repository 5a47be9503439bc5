/** A difference on a page: whole, escaped, and coloured as the text that each side is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { difference } from '#src/page/difference.js';

const textOf = (page: string): string =>
  page
    .replace(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test('a string over several lines is one, and what stands on one side alone is not part of the other', () => {
  const page = difference(
    '--- a/store.py\n+++ b/store.py\n@@ -1,3 +1,3 @@\n def put():\n-    # """\n+    """Put\n     one."""\n',
  ).source;
  assert.match(page, /<span class="removed">-\s+<i class="hljs-comment"># &quot;&quot;&quot;<\/i><\/span>/u);
  assert.match(page, /<span class="added">\+\s+<i class="hljs-string">&quot;&quot;&quot;Put<\/i><\/span>/u);
  assert.match(page, /<span class="same"> <i class="hljs-string">\s+one\.&quot;&quot;&quot;<\/i><\/span>/u);
});

test('a file of another kind, and a line that nobody reads, are shown as they are', () => {
  const plain = (file: string, line: string): void =>
    assert.doesNotMatch(difference(`--- a/${file}\n+++ b/${file}\n@@ -0,0 +1 @@\n+${line}\n`).source, /<i /u);
  plain('notes.md', 'return 1');
  plain('x.py', `x = "${'a'.repeat(2000)}"`);
});

test('whatever the code is, its lines are all there and nothing of it is markup', () => {
  const piece = fc.constantFrom(
    '"',
    "'",
    '`',
    '/*',
    '*/',
    '#',
    '//',
    '<b>',
    '&lt;',
    '${',
    '}',
    'def f(',
    '\\',
    ' ',
    '1',
  );
  const line = fc
    .tuple(fc.constantFrom('+', '-', ' '), fc.array(piece, { maxLength: 8 }))
    .map(([sign, pieces]) => sign + pieces.join(''));
  fc.assert(
    fc.property(fc.constantFrom('a.py', 'a.ts', 'A.java', 'A.cs'), fc.array(line, { minLength: 1 }), (file, lines) => {
      const diff = `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n${lines.join('\n')}\n`;
      assert.equal(textOf(difference(diff).source), diff);
    }),
  );
});
