/** Hints appear beside Eglot, which takes Flymake over when it connects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorPrograms, emacsLoadPath, emacsSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';
import { needs } from '../support/tool.js';

/** Eglot came with Emacs 29, and is a package before. */
for (const { title, program, options } of editorPrograms('emacs')) {
  const packaged = program === 'emacs';
  test(`${title}: hints beside Eglot and pyright`, packaged ? needs('emacs', 'eglot') : options, async (t) => {
    const more = packaged ? emacsLoadPath() : [];
    const root = repository(t, SHOP);
    const seen = (await emacsSession(t, program, 'emacs-eglot.el', root, more)) as Record<string, string>;
    assert.match(seen['beside'] ?? '', /^renamed: put → insert \[Store\.insert, store\.py:2\]/u);
    assert.equal(seen['both'], 'yes');
  });
}
