/** Hints appear beside Eglot, which takes Flymake over when it connects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorPrograms, emacsSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';
import { needs } from '../support/tool.js';

/** Eglot came with Emacs 29, and is a package before. */
const NEWER = editorPrograms('emacs').filter(({ program }) => program !== 'emacs');

for (const { title, program } of NEWER.length > 0 ? NEWER : [{ title: 'Emacs 30', program: 'emacs' }])
  test(`${title}: hints beside Eglot and pyright`, needs('emacs-30'), async (t) => {
    const seen = (await emacsSession(t, program, 'emacs-eglot.el', repository(t, SHOP))) as Record<string, string>;
    assert.match(seen['beside'] ?? '', /^renamed: put → insert \[Store\.insert, store\.py:2\]/u);
    assert.equal(seen['both'], 'yes');
  });
