/** The five parts of a prompt, and what does not vary. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promptOf, promptText } from '#src/context/prompt.js';
import { estimateTokens } from '#src/context/tokens.js';
import { editRequest } from '../support/edit-request.js';

const FULL = editRequest({
  instruction: 'Give every entry a time to live.',
  temporal: [
    {
      file: 'store.py',
      block: 'Store.put',
      before: 'def put(self, key): ...',
      after: 'def put(self, key, ttl): ...',
      cause: 'save calls Store.put.',
    },
  ],
  spatial: [
    { file: 'store.py', block: 'Store', signature: 'class Store:' },
    { file: 'a.py', block: 'f', signature: 'def f()', code: 'def f():\n    pass' },
  ],
  diagnostics: ['Argument missing for parameter "ttl"'],
  draft: 'def save(store, k):\n    store.put(k, ...)',
  refusal: 'the code block is empty',
});

function user(request: Parameters<typeof promptOf>[0]): string {
  const message = promptOf(request).messages[1];
  assert.ok(message);
  return message.content;
}

test('the parts stand in their order', () => {
  const parts = [
    'Give every entry',
    '## Edit 1: Store.put in store.py',
    'def put(self, key): ...',
    'def put(self, key, ttl): ...',
    'Its effect: save calls Store.put.',
    '# Why this fragment is affected',
    '- Store.put takes one more',
    '- A check reports: Argument missing',
    '# Related code',
    'Store in store.py',
    'class Store:',
    'f in a.py',
    '# The fragment: function save in pkg/job.py (python)',
    'store.put(k)\n',
    'store.put(k, ...)',
    'could not be used: the code block is empty',
    'No changes.',
  ];
  let reached = 0;
  for (const part of parts) {
    const at = user(FULL).indexOf(part, reached);
    assert.notEqual(at, -1, part);
    reached = at + part.length;
  }
});

test('the instructions are the same for every request, and what is absent leaves no heading', () => {
  assert.equal(promptOf(FULL).messages[0]?.content, promptOf(editRequest()).messages[0]?.content);
  assert.doesNotMatch(user(editRequest({ causes: [] })), /# (?:Task|Edits|Why|Related)/);
});

test('the same request gives the same prompt, which as one text ends where the answer begins', () => {
  assert.deepEqual(promptOf(FULL), promptOf(FULL));
  assert.ok(promptText(promptOf(FULL)).endsWith('# Answer\n\n'));
});

test('tokens are estimated on the high side, but not wildly', () => {
  // Counts of a common byte-pair vocabulary.
  const counted: [string, number][] = [
    ['def save(store, k):\n    store.put(k)\n', 14],
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['public static void main(String[] args) {\n        System.out.println("Hello");\n    }\n', 21],
    ['', 0],
  ];
  for (const [text, tokens] of counted) {
    const estimate = estimateTokens(text);
    assert.ok(estimate >= tokens && estimate <= tokens * 1.8, `${estimate} for ${tokens}: ${text}`);
  }
  assert.ok(promptOf(FULL).tokens > promptOf(editRequest()).tokens);
});
