/** Shorter forms of answers, made whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { EditRequest } from '#src/context/edit-request.js';
import { answersTogether, wholeAnswer } from '#src/context/whole-answer.js';
import { editRequest } from '../support/edit-request.js';

const FRAGMENT = '    def save(self, k):\n        a = k\n        self.put(k)\n        a = k\n        return a\n';
const place = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;

function text(answer: string, given: Partial<EditRequest> = {}): string {
  const whole = wholeAnswer(answer, editRequest({ fragment: FRAGMENT, ...given }));
  assert.equal(whole.kind, 'edit', JSON.stringify(whole));
  return whole.kind === 'edit' ? whole.text : '';
}

function reason(answer: string, given: Partial<EditRequest> = {}): string {
  const whole = wholeAnswer(answer, editRequest({ fragment: FRAGMENT, ...given }));
  assert.equal(whole.kind, 'refused', JSON.stringify(whole));
  return whole.kind === 'refused' ? whole.reason : '';
}

test('a changed place is found once, whatever its blanks, and what replaces it moves along', () => {
  const wanted = FRAGMENT.replace('self.put(k)', 'self.put(k, 60)');
  assert.equal(text(place('        self.put(k)', '        self.put(k, 60)')), wanted);
  assert.equal(text(place('self.put(k)', 'self.put(k, 60)')), wanted);
  assert.equal(text(place('            self.put(k)  ', '            self.put(k, 60)')), wanted);
  assert.equal(
    text(place('        self.put(k)', '        self.put(k, 60)'), { fragment: FRAGMENT.replaceAll('\n', '\r\n') }),
    wanted,
  );
});

test('places are changed one after the other, imports go in front, and lines can go', () => {
  assert.equal(
    text(
      `\`\`\`\nimport os\n${place('self.put(k)', 'self.put(os.sep)')}\n${place('a = k\nreturn a', 'return k')}\n\`\`\``,
    ),
    'import os\n\n    def save(self, k):\n        a = k\n        self.put(os.sep)\n        return k\n',
  );
  assert.equal(
    text('<<<<<<< SEARCH\nself.put(k)\n=======\n>>>>>>> REPLACE'),
    FRAGMENT.replace('        self.put(k)\n', ''),
  );
});

test('what is not there, or there twice, is refused with what to do', () => {
  assert.match(reason(place('self.get(k)', 'x')), /begin with "self.get\(k\)" are not in the fragment/);
  assert.match(reason(place('a = k', 'a = 1')), /stand in the fragment 2 times; copy more lines around/);
  assert.match(reason(place('', 'a = 1')), /no lines to look for/);
  assert.match(reason(place(FRAGMENT.trimEnd(), '')), /to remove the fragment, answer "Delete\."/);
});

test('members go in at the end of a class, and behind a function', () => {
  const java = '    class A {\n        int x;\n    }\n';
  assert.equal(
    text('```java add\nint y() {\n    return x;\n}\n```', { kind: 'class', fragment: java }),
    '    class A {\n        int x;\n\n        int y() {\n            return x;\n        }\n    }',
  );
  assert.equal(
    text('```add\ndef g(self):\n    pass\n```', {
      kind: 'class',
      fragment: 'class A:\n    def f(self):\n        pass\n',
    }),
    'class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass',
  );
  assert.equal(
    text('```add\ndef g(self): ...\n```', { kind: 'method', fragment: '    def f(self): ...\n' }),
    '    def f(self): ...\n\n    def g(self): ...',
  );
});

test('a block can go, code at module level cannot', () => {
  assert.deepEqual(wholeAnswer('Delete.', editRequest()), { kind: 'delete' });
  assert.match(reason('Delete.', { kind: 'module' }), /not removed as a whole/);
});

test('any lines of a fragment that stand there once can be changed to any others', () => {
  const line = fc.constantFrom('a()', 'b()', '    c()', '', '\td()');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.array(line, { maxLength: 3 }), (lines, added) => {
      const marked = lines.map((each, i) => `${each}#${i}`);
      const wanted = [...marked.slice(0, -1), ...added, 'end'];
      assert.equal(
        text(place(marked.at(-1) ?? '', [...added, 'end'].join('\n')), { fragment: marked.join('\n') }),
        wanted.join('\n'),
      );
    }),
  );
});

test('several answers stand below their numbers, and what looks like one inside of code is none', () => {
  const requests = [1, 2, 3].map(() => editRequest({ fragment: FRAGMENT }));
  const code = '```python\n    def save(self, k):\n        # 2 is no number\n        ## 3\n        return k\n```';
  const kinds = (answer: string): readonly string[] => answersTogether(answer, requests).map(({ kind }) => kind);
  assert.deepEqual(kinds(`## 1\n${code}\n\n## 2\nNo changes.\n## 3\nDelete.`), ['edit', 'noChange', 'delete']);
  assert.deepEqual(kinds(`<think>## 1\nDelete.</think>### Fragment 2: save\n${code}\n`), [
    'refused',
    'edit',
    'refused',
  ]);
  assert.deepEqual(kinds(code), ['refused', 'refused', 'refused']);
});

test('several answers never throw, and are as many as the requests', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('## 1', '##2', '# 3', '```', '~~~', 'x = 1', 'No changes.', '<think>', '</think>', '')),
      (lines) => answersTogether(lines.join('\n'), [editRequest(), editRequest()]).length === 2,
    ),
  );
});

test('a class that was shown without its bodies is not written whole', () => {
  const outline = '    def save(self, k):\n        …\n';
  assert.match(reason('```\n    def save(self, k):\n        return k\n```', { outline }), /were not shown/);
  assert.match(text(place('self.put(k)', 'self.put(k, 60)'), { outline }), /self\.put\(k, 60\)/);
});
