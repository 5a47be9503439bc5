/** What models write, and what is made of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAnswer } from '#src/context/answer.js';
import { promptOf } from '#src/context/prompt.js';
import { editRequest } from '../support/edit-request.js';

const edit = (text: string): { kind: 'edit'; text: string } => ({ kind: 'edit', text });
function reason(answer: string): string {
  const parsed = parseAnswer(answer);
  assert.equal(parsed.kind, 'refused', answer);
  return parsed.kind === 'refused' ? parsed.reason : '';
}

test('one code block is the edit, whatever stands around it', () => {
  for (const answer of [
    '```python\nx = 1\n```',
    'Sure!\n\n```\nx = 1\n```\nI changed x.',
    '~~~\nx = 1\n~~~',
    '  ```py\nx = 1\n  ```',
    '```\r\nx = 1\r\n```\r\n',
    '<think>\n```\nx = 0\n```\n</think>\n```\nx = 1\n```',
    'No changes.\n```\nx = 1\n```',
  ])
    assert.deepEqual(parseAnswer(answer), edit('x = 1'), answer);
});

test('indentation, blank lines and inner fences are kept', () => {
  assert.deepEqual(parseAnswer('```\n    def f():\n\n        pass\n```'), edit('    def f():\n\n        pass'));
  assert.deepEqual(parseAnswer('````\na\n```\nb\n```\n````'), edit('a\n```\nb\n```'));
  assert.deepEqual(parseAnswer('```\nx = """\n    ```\n"""\n```'), edit('x = """\n    ```\n"""'));
});

test('no change is understood in any form without code', () => {
  for (const answer of [
    'No changes.',
    ' No changes.\n',
    '```\nNo changes.\n```',
    '<think>hm</think>\nNo changes.',
    'No changes',
    '**No changes.**',
    'No changes. The code is fine.',
    'There are no changes.',
    'No changes are needed: the call passes the new argument already.',
    'No further changes required.',
    'Nothing in the fragment has to change.',
    "The method doesn't need any changes.",
    'The fragment can remain unchanged.',
    'I would make no changes.\n```\nNo changes.\n```',
  ])
    assert.deepEqual(parseAnswer(answer), { kind: 'noChange' }, answer);
  for (const answer of [
    'No changes are needed here, but the caller should be renamed.',
    'The signature needs no changes; however, the body must pass the key.',
    'Rename it.\n```\nNo changes.\n```',
    'You should rename it.',
  ])
    assert.equal(parseAnswer(answer).kind, 'refused', answer);
});

test('a diff asks for the whole block', () => {
  const diff = '--- a/store.py\n+++ b/store.py\n@@ -1,2 +1,2 @@\n-def put(key):\n+def put(key, ttl):';
  for (const answer of [diff, `\`\`\`diff\n${diff}\n\`\`\``])
    assert.match(reason(answer), /is a diff; write the whole block/, answer);
});

test('changed places, members and a deletion are told from whole texts', () => {
  const place = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE';
  const changes = { kind: 'changes', head: '', places: [{ search: 'a', replace: 'b' }] };
  assert.deepEqual(parseAnswer(`\`\`\`\n${place}\n\`\`\``), changes);
  assert.deepEqual(parseAnswer(place), changes);
  assert.deepEqual(parseAnswer(`\`\`\`python\nimport os\n${place}\n\n${place}\n\`\`\``), {
    kind: 'changes',
    head: 'import os',
    places: [...changes.places, ...changes.places],
  });
  assert.match(reason('```\n<<<<<<< SEARCH\na\n=======\nb\n```'), /not closed/);
  assert.match(reason(`\`\`\`\n${place}\nx = 1\n${place}\n\`\`\``), /between two changed places/);
  assert.deepEqual(parseAnswer('```python add\ndef f(): ...\n```'), { kind: 'members', text: 'def f(): ...' });
  for (const answer of ['Delete.', '**Delete**', '```\nDelete.\n```'])
    assert.deepEqual(parseAnswer(answer), { kind: 'delete' }, answer);
});

test('several blocks are one only if the others are empty or the same', () => {
  assert.deepEqual(parseAnswer('```\nx\n```\nagain\n```\nx\n```\n```\n\n```'), edit('x'));
  assert.match(reason('```\nx\n```\n```\ny\n```'), /2 different code blocks/);
});

test('what is no answer says why', () => {
  assert.match(reason(''), /empty/);
  assert.match(reason('You should rename it.'), /no code block/);
  assert.match(reason('x = 1'), /no code block/);
  assert.match(reason('```\n  \n```'), /empty/);
  assert.match(reason('```\nx = 1\n'), /not closed/);
});

test('no text makes it throw, and a quoted fragment comes back as it was', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('`', '```', '~~~', '\n', ' ', 'x', 'No changes.', '<think>', '</think>')),
      (parts) => {
        parseAnswer(parts.join(''));
      },
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '```', '\n', '    ', 'x', 'é'), { minLength: 1 }), (parts) => {
      const fragment = `x${parts.join('')}y`;
      const message = promptOf(editRequest({ fragment, causes: [] })).messages[1];
      assert.ok(message);
      const quoted = message.content.slice(message.content.indexOf('`'), message.content.lastIndexOf('Write save'));
      assert.deepEqual(parseAnswer(quoted), edit(fragment));
    }),
  );
});
