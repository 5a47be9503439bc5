/** What is left out of a prompt that is too long, and in which order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditRequest } from '#src/context/edit-request.js';
import { promptOf } from '#src/context/prompt.js';
import { fitted } from '#src/context/token-budget.js';
import { editRequest } from '../support/edit-request.js';

const edit = (block: string, cause: string): EditRequest['temporal'][number] => ({
  file: 'a.py',
  block,
  before: 'def f(): pass\n'.repeat(20),
  after: 'def f(a): pass\n'.repeat(20),
  cause,
});
const FULL = editRequest({
  temporal: [edit('old', ''), edit('older', ''), edit('direct', 'It calls f.')],
  spatial: [
    { file: 'a.py', block: 'near', signature: 'def near()', code: 'def near():\n    pass\n'.repeat(30) },
    { file: 'a.py', block: 'far', signature: 'def far()', code: 'def far():\n    pass\n'.repeat(30) },
  ],
  around: 'class A:\n    def m(self): ...\n'.repeat(10),
});

/** The parts that are there, in words. */
function parts({ spatial, temporal, around }: EditRequest): string {
  return [
    ...spatial.map(({ block, code }) => (code === undefined ? block : `${block}*`)),
    ...temporal.map(({ block }) => block),
    ...(around === undefined ? [] : ['around']),
  ].join(' ');
}

test('context goes part by part in the order that is written down, until the prompt fits', () => {
  const seen: string[] = [];
  for (let most = promptOf(FULL).tokens; ;) {
    const fit = fitted(FULL, most);
    if (!fit.ok) break;
    const { tokens } = promptOf(fit.request);
    assert.ok(tokens <= most);
    seen.push(parts(fit.request));
    most = tokens - 1;
  }
  assert.deepEqual(seen, [
    'near* far* old older direct around',
    'near* far old older direct around',
    'near far old older direct around',
    'near far older direct around',
    'near far direct around',
    'near direct around',
    'direct around',
    'direct',
    '',
  ]);
  assert.equal(fitted(FULL, 10).ok, false);
  assert.deepEqual(fitted(FULL, 10_000), { ok: true, request: FULL, leftOut: [] });
});
