/** From place to place in real editors: the edit beside the text, taken, skipped, dismissed, a value given, undone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorPrograms, emacsSession, neovimSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';

type Seen = Readonly<Record<'first' | 'second' | 'unsaved' | 'undone' | 'asked' | 'refusal', string>>;

function check(seen: Seen): void {
  assert.match(seen.first, /renamed: put → insert {2}\(1 of 2 left\)/u);
  assert.match(seen.first, /^- {4}store\.put\(k, 1\)$/mu);
  assert.match(seen.first, /^\+ {4}store\.insert\(k, 1\)$/mu);
  assert.match(seen.second, /store\.insert\(1, 2\), store\.insert\(3, 4\)/u);
  assert.equal(seen.unsaved, SHOP['report.py'], 'nothing is written behind the editor');
  assert.equal(seen.undone, SHOP['report.py'], 'one step of the own undo');
  assert.match(seen.asked, /missing argument: when/u);
  assert.match(seen.asked, /waits for a value: when/u);
  assert.match(seen.refusal, /no place is shown/iu);
}

for (const { title, program, options } of editorPrograms('nvim'))
  test(`${title}: one key to the next place, one to take it`, options, async (t) => {
    check((await neovimSession(t, program, 'nvim-next.lua', repository(t, SHOP))) as Seen);
  });

for (const { title, program, options } of editorPrograms('emacs'))
  test(`${title}: one key to the next place, one to take it`, options, async (t) => {
    check((await emacsSession(t, program, 'emacs-next.el', repository(t, SHOP))) as Seen);
  });
