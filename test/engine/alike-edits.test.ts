/** Edits that say the same are told as one, whatever stands around the words that go and come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeIn } from '#src/engine/alike-edits.js';

const said = (...lines: string[]): string =>
  changeIn({ diff: ['--- a/f.py', '+++ b/f.py', '@@ -1,3 +1,3 @@', ' around = 1', ...lines, ''].join('\n') });

test('a rename and an argument are the same at each call, first argument or last, on one line or on two', () => {
  const call = 'put → insert; + 60';
  assert.equal(said('-    store.put(row.id, row)', '+    store.insert(row.id, row, 60)'), call);
  assert.equal(said('-  self.s.put((a, b), row["x"])', '+  self.s.insert((a, b), row["x"], 60)'), call);
  assert.equal(said('-put(', '-    a)', '+insert(', '+    a,', '+    60)'), call);
  assert.equal(said('-f(a)', '+f(60, a)'), '+ 60');
});

test('several places in a block say each change once', () => {
  assert.equal(said('-a.put(1)', '-a.put(2)', '+a.insert(1)', '+a.insert(2)'), 'put → insert');
  assert.equal(said('-a.put(1)', '-a.drop(2)', '+a.insert(1)', '+a.remove(2)'), 'put → insert; drop → remove');
});

test('what only comes or only goes is said too, a sign alone as it is, and blanks are nothing', () => {
  assert.equal(said('+from a import b'), '+ from a import b');
  assert.equal(said('-import a', ' ', '-import a'), '- import a');
  assert.equal(said('-f(a, b)', '+f(a)'), '- b');
  assert.equal(said('-f(a)', '+f(a,)'), '+ ,');
  assert.equal(said('-  f(a)', '+    f(a)'), '');
});

test('an edit of many words has no such name', () => {
  const words = Array.from({ length: 30 }, (_, n) => `w${n}`).join(' ');
  assert.equal(said(`+${words}`), '');
  assert.equal(said(`-${words}`, `+${words.replaceAll('w', 'v')}`), '');
});
