/** What is left out of a prompt that is too long, and in which order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditRequest } from '#src/context/edit-request.js';
import { promptOf } from '#src/context/prompt.js';
import { fitted } from '#src/context/token-budget.js';
import { editRequest } from '../support/edit-request.js';

const edit = (block: string, isDirect: boolean): EditRequest['temporal'][number] => ({
  file: 'a.py',
  block,
  before: 'def f(): pass\n'.repeat(20),
  after: 'def f(a): pass\n'.repeat(20),
  isDirect,
});
const FULL = editRequest({
  temporal: [edit('old', false), edit('older', false), edit('direct', true)],
  spatial: [
    { file: 'a.py', block: 'near', signature: 'def near()', code: 'def near():\n    pass\n'.repeat(30) },
    { file: 'a.py', block: 'far', signature: 'def far()', code: 'def far():\n    pass\n'.repeat(30) },
  ],
  around: 'class A:\n    def m(self): ...\n'.repeat(10),
  imports: 'import os\n'.repeat(10),
});

/** The parts that are there, in words. */
function parts({ spatial, temporal, around, imports }: EditRequest): string {
  return [
    ...spatial.map(({ block, code }) => (code === undefined ? block : `${block}*`)),
    ...temporal.map(({ block }) => block),
    ...(around === undefined ? [] : ['around']),
    ...(imports === undefined ? [] : ['imports']),
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
    'near* far* old older direct around imports',
    'near* far old older direct around imports',
    'near far old older direct around imports',
    'near far older direct around imports',
    'near far direct around imports',
    'near direct around imports',
    'direct around imports',
    'direct imports',
    'direct',
    '',
  ]);
  assert.equal(fitted(FULL, 10).ok, false);
  assert.deepEqual(fitted(FULL, 10_000), { ok: true, request: FULL, leftOut: [] });
});
