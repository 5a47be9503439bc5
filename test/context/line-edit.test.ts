/** Requests as documents of edits, and records as the answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineEditPrompt, parseLineEdits } from '#src/context/line-edit.js';
import { editRequest } from '../support/edit-request.js';

const FRAGMENT = 'def save(store, k):\n    store.put(k)\n    return k\n';

test('a request is what changed, what is used, and numbered lines, and says no word of the task', () => {
  const request = editRequest({
    fragment: FRAGMENT,
    instruction: 'Give entries a life.',
    diagnostics: ['missing ttl'],
    temporal: [
      {
        file: 'store.py',
        block: 'Store.put',
        before: 'def put(self, key):\n    pass',
        after: 'def put(self, key, ttl):\n    pass',
        isDirect: true,
      },
    ],
    spatial: [{ file: 'store.py', block: 'Store', signature: 'class Store:' }],
  });
  assert.equal(
    lineEditPrompt(request).messages[0]?.content,
    [
      '# Edit: Store.put in store.py',
      '-def put(self, key):',
      '+def put(self, key, ttl):',
      '     pass',
      '',
      '# Declarations',
      'class Store:',
      '',
      '# Code to edit: save in pkg/job.py',
      '1|def save(store, k):',
      '2|    store.put(k)',
      '3|    return k',
      '',
      '# Line edits, then end',
      '',
    ].join('\n'),
  );
});

test('records take lines away and put lines in, and an answer without any changes nothing', () => {
  assert.deepEqual(parseLineEdits('2-\n2+    store.put(k, 60)\nend\n9-', FRAGMENT), {
    kind: 'edit',
    text: 'def save(store, k):\n    store.put(k, 60)\n    return k',
  });
  assert.deepEqual(parseLineEdits('4+    # done\n1+@timed', FRAGMENT), {
    kind: 'edit',
    text: '@timed\ndef save(store, k):\n    store.put(k)\n    return k\n    # done',
  });
  assert.deepEqual(parseLineEdits('end', FRAGMENT), { kind: 'noChange' });
  assert.deepEqual(parseLineEdits('', FRAGMENT), { kind: 'noChange' });
  for (const nonsense of ['No changes.', '9+x', '0-', '2-store', '4-', '1-\n2-\n3-'])
    assert.equal(parseLineEdits(nonsense, FRAGMENT).kind, 'refused', nonsense);
});
