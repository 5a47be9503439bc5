/** The five parts of a prompt, and what does not vary. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inlineDiff } from '#src/context/inline-diff.js';
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
      isDirect: true,
    },
  ],
  spatial: [
    { file: 'store.py', block: 'Store', signature: 'class Store(Base):' },
    { file: 'a.py', block: 'f', signature: 'def f()', code: 'def f():\n    pass' },
  ],
  imports: 'from store import Store',
  around: 'class Job:',
  comment: '# Saves.',
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
    'Store.put in store.py',
    'def put(self, key{+, ttl+}): ...',
    '# Imports',
    'from store import Store',
    '# The class around',
    'class Job:',
    '# Related code',
    'store.py:',
    'class Store(Base):',
    'f in a.py',
    '# The fragment: function save in pkg/job.py',
    '- Store.put takes one more',
    '- A check reports: Argument missing',
    'Above it stands this comment',
    '# Saves.',
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
  assert.doesNotMatch(user(editRequest({ causes: [] })), /# (?:Task|Edits|Imports|The class|Related)/);
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

test('an edit is told by the lines that changed, a rewritten text by what came of it, and a long one is cut', () => {
  const long = Array.from({ length: 60 }, (_, i) => `    line_${i}()`);
  const [head, last] = ['def f():', '    return 1'];
  const told = (before: readonly string[], after: readonly string[]): string =>
    user(
      editRequest({
        temporal: [{ file: 'a.py', block: 'f', before: before.join('\n'), after: after.join('\n'), isDirect: true }],
      }),
    );
  assert.match(
    told([head, ...long, last], [head, ...long, '    return 2']),
    /f in a\.py:\n```\n-return 1\n\+return 2\n```/,
  );
  assert.match(told([], [head, last]), /f in a\.py, added:\n```\ndef f\(\):\n {4}return 1\n```/);
  const anew = told(
    [head, ...long],
    long.map((line) => line.replace('line', 'other')),
  );
  assert.match(anew, /f in a\.py, written anew:\n```\nother_0\(\)\n/);
  assert.match(anew, /… \d+ more lines\n```/);
  assert.doesNotMatch(anew, /line_1\(\)/);
});

test('the parts add up to the prompt', () => {
  const { tokens, parts } = promptOf(FULL);
  const sum = parts.reduce((total, part) => total + part.tokens, 0);
  assert.ok(sum <= tokens && tokens <= sum + 60, `${sum} of ${tokens}`);
  assert.deepEqual(
    parts.map(({ part }) => part),
    [
      'instructions',
      'task',
      'earlier edits',
      'imports',
      'the class around',
      'related code',
      'reasons',
      'the fragment',
      'the answer wanted',
    ],
  );
});

test('of several fragments each thing is said once: imports that all files have, the file, why', () => {
  const one = editRequest({
    file: 'a.py',
    block: 'f',
    imports: 'import os\nfrom b import g',
    causes: ['f calls function g: it can be given size now.', 'f calls function g, and what it does changed.'],
  });
  const two = { ...one, block: 'h', causes: one.causes.map((cause) => cause.replace('f', 'h')) };
  const three = { ...one, file: 'c.py', imports: 'import os\nimport re', causes: ['f is new.'] };
  const { messages } = promptOf(one, [two, three]);
  const said = messages[1]?.content ?? '';
  assert.match(
    said,
    /^# Imports\nOf all files:\n```\nimport os\n```\nOf a\.py:\n```\nfrom b import g\n```\nOf c\.py:\n```\nimport re\n```\n/,
  );
  assert.match(
    said,
    /# Fragment 1: function f in a\.py\n- It calls function g: it can be given size now; what it does changed\.\n```/,
  );
  assert.match(said, /# Fragment 2: function h\n- As fragment 1\.\n```/);
  assert.match(said, /# Fragment 3: function f in c\.py\n- It is new\.\n```/);
});

test('a few words that changed are marked in place, unless code could be taken for a mark', () => {
  assert.equal(
    inlineDiff(
      ['def load(path: str, device="cpu", cache: str = ""):'],
      ['def load(path: str,', '         device="cpu",', '         name: str = "",', '         cache: str = ""):'],
    ),
    'def load(path: str,\n         device="cpu",\n         {+name: str = "",+}\n         cache: str = ""):',
  );
  assert.equal(
    inlineDiff(
      ['return get(path, filename="all_in_one", cache=cache)'],
      ['return get(path, filename=name, cache=cache)'],
    ),
    'return get(path, filename=[-"all_in_one"-]{+name+}, cache=cache)',
  );
  assert.equal(inlineDiff(['return 1'], ['return 2']), undefined);
  assert.equal(
    inlineDiff(['first = all_of_them[-1] + offset_of_them'], ['first = all_of_them[-1] + offset']),
    undefined,
  );
  assert.equal(inlineDiff([], ['return 2']), undefined);
});
