/** Refactorings in real editors: what is under the cursor, the plan first, applied in buffers, taken back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorPrograms, emacsSession, neovimSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';

const SOURCES = { ...SHOP, 'shop/__init__.py': 'from .net import send as send\n', 'shop/net.py': 'def send(): ...\n' };

type Seen = Readonly<
  Record<'renaming' | 'untouched' | 'unsaved' | 'offered' | 'signing' | 'whole' | 'keeping' | 'refusal', string>
>;

function check(seen: Seen): void {
  assert.match(seen.renaming, /3 edits in 3 files/u);
  assert.equal(seen.untouched, SHOP['job.py'], 'the plan alone edits nothing');
  assert.equal(seen.unsaved, SHOP['job.py'], 'nothing is written behind the editor');
  assert.equal(seen.offered, 'key, ttl');
  assert.match(seen.signing, /store\.py/u);
  assert.equal(seen.whole, SHOP['job.py'], 'all of it or nothing');
  assert.match(seen.keeping, /2 edits in 2 files/u);
  assert.match(seen.refusal, /nothing here has a name that is known/u);
}

for (const { title, program, options } of editorPrograms('nvim'))
  test(`${title}: rename, signature and move from the cursor`, options, async (t) => {
    check((await neovimSession(t, program, 'nvim-refactor.lua', repository(t, SOURCES))) as Seen);
  });

for (const { title, program, options } of editorPrograms('emacs'))
  test(`${title}: rename, signature and move from point`, options, async (t) => {
    check((await emacsSession(t, program, 'emacs-refactor.el', repository(t, SOURCES))) as Seen);
  });
