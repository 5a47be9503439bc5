/**
 * Places that nobody can decide, as a person reads them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undecidedLines } from '#src/cli/undecided-text.js';

const place = (line: number): { file: string; line: number; reason: string } => ({
  file: 'a.py',
  line,
  reason: 'a string spells put',
});

test('several places of one line that say the same are one line of text, and all are counted', () => {
  assert.deepEqual(
    undecidedLines([place(3), place(3), place(4)], (word) => word),
    ['undecided  a.py:3: a string spells put (2 places)', 'undecided  a.py:4: a string spells put'],
  );
  const many = [place(0), ...Array.from({ length: 30 }, (_, i) => place(i))];
  const lines = undecidedLines(many, (word) => word);
  assert.equal(lines.length, 21);
  assert.equal(lines.at(-1), 'undecided  and 10 more: see --json');
});
