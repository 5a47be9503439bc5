/**
 * A whole walk in real editors, beside Eglot and pyright where Emacs has them: edit, hint, plan, reject, apply, undo;
 * next, skip, value, take; save; an end of editor and daemon; what is left still, carried out and undone, to the byte.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { editorPrograms, emacsLoadPath, emacsSession, neovimSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';
import { needs } from '../support/tool.js';

const STORE = SHOP['store.py'].replace('ttl)', 'ttl, when)');
const JOB = SHOP['job.py'].replace('(k, 1)', '(k, 1, 0)');
const REPORT = SHOP['report.py'].replace('(1, 2)', '(1, 2, 0)').replace('(3, 4)', '(3, 4, 0)');
const HALFWAY = [STORE, SHOP['job.py'], REPORT];

type Texts = readonly string[];
interface Before {
  readonly plan: string;
  readonly applied: Texts;
  readonly undone: string;
  readonly skipped: Texts;
  readonly taken: Texts;
  readonly saved: Texts;
}
interface After {
  readonly list: string;
  readonly applied: Texts;
  readonly undone: string;
  readonly saved: Texts;
}

async function walk(
  t: TestContext,
  part: (root: string, which: 'before' | 'after') => Promise<unknown>,
): Promise<void> {
  const root = repository(t, SHOP);
  const before = (await part(root, 'before')) as Before;
  assert.match(before.plan, /^2 edits in 2 files, 1 rejected$/mu);
  assert.deepEqual(before.applied, HALFWAY, 'all but what was rejected');
  assert.equal(before.undone, 'yes');
  assert.deepEqual([...before.skipped].sort(), ['job.py:5', 'report.py:5']);
  assert.deepEqual(before.taken, HALFWAY);
  assert.deepEqual(before.saved, HALFWAY);
  assert.equal((await home(t).run(root, 'daemon', 'stop')).code, 0);
  const after = (await part(root, 'after')) as After;
  assert.match(after.list, /job\.py.*missing argument: when/u);
  assert.doesNotMatch(after.list, /report\.py/u);
  assert.deepEqual(after.applied, [STORE, JOB, REPORT]);
  assert.equal(after.undone, 'yes');
  assert.deepEqual(after.saved, HALFWAY);
  assert.equal(readFileSync(join(root, 'log.py'), 'utf8'), SHOP['log.py']);
}

for (const { title, program, options } of editorPrograms('nvim'))
  test(`${title}: a walk over a restart of editor and daemon`, options, (t) =>
    walk(t, (root, which) => neovimSession(t, program, 'nvim-walk.lua', root, { CODEPLAN_TEST_PART: which })),
  );

for (const { title, program, options } of editorPrograms('emacs'))
  test(`${title}: a walk over a restart of editor and daemon`, options, (t) =>
    walk(t, (root, which) => emacsSession(t, program, 'emacs-walk.el', root, [], { CODEPLAN_TEST_PART: which })),
  );

test('emacs, Eglot its package: a walk over a restart of editor and daemon', needs('emacs', 'eglot'), (t) =>
  walk(t, async (root, which) => {
    const part = { CODEPLAN_TEST_PART: which };
    const seen = (await emacsSession(t, 'emacs', 'emacs-walk.el', root, emacsLoadPath(), part)) as { eglot?: string };
    assert.equal(seen.eglot, 'yes');
    return seen;
  }),
);
