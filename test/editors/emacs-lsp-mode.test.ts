/**
 * Emacs with the distribution's lsp-mode: codeplan as a further server of the same buffers; and what
 * package-lint says of the package.
 */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { emacsLoadPath, emacsSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGE = join(CHECKOUT, 'editors/emacs');
const ADD_ON = join(CHECKOUT, 'editors/emacs-lsp-mode');

test('lsp-mode: an unsaved rename is hinted at, propagated and taken back', needs('emacs', 'lsp-mode'), async (t) => {
  const root = repository(t, SHOP);
  const seen = (await emacsSession(t, 'emacs', 'emacs-lsp-mode.el', root, ['-L', ADD_ON, ...emacsLoadPath()])) as {
    hint: string;
    job: string;
  };
  assert.match(seen.hint, /insert/u);
  assert.equal(seen.job, SHOP['job.py']);
});

test(
  'the add-on compiles without a warning, its documentation passes checkdoc, and package-lint finds nothing in both files',
  needs('emacs', 'lsp-mode', 'package-lint'),
  async (t) => {
    const folder = temporaryFolder(t);
    const { runEditor } = home(t);
    const file = join(folder, 'codeplan-lsp-mode.el');
    copyFileSync(join(ADD_ON, 'codeplan-lsp-mode.el'), file);
    const compiled = await runEditor(
      'emacs',
      [
        '-Q',
        '--batch',
        ...emacsLoadPath(),
        '--eval',
        '(setq byte-compile-error-on-warn t)',
        '-f',
        'batch-byte-compile',
        file,
      ],
      folder,
      {},
    );
    assert.equal(compiled.code, 0, compiled.stderr);
    const checked = await runEditor(
      'emacs',
      ['-Q', '--batch', '--eval', `(checkdoc-file ${JSON.stringify(file)})`],
      folder,
      {},
    );
    assert.equal(checked.stderr, '');
    const linted = await runEditor(
      'emacs',
      [
        '-Q',
        '--batch',
        ...emacsLoadPath(),
        '-l',
        'package-lint',
        '-f',
        'package-lint-batch-and-exit',
        join(PACKAGE, 'codeplan.el'),
        join(ADD_ON, 'codeplan-lsp-mode.el'),
      ],
      folder,
      {},
    );
    assert.match(`${linted.stdout}${linted.stderr}`, /codeplan-lsp-mode\.el/u, 'both were looked at');
    // Debian 12's package-lint is older than its Emacs and takes 28 for unreleased; and no archive of packages
    // is set up.
    const findings = `${linted.stdout}${linted.stderr}`
      .split('\n')
      .filter(
        (line) =>
          / (?:error|warning): /u.test(line) &&
          !/uninstallable in all released|lsp-mode is not installable/u.test(line),
      );
    assert.deepEqual(findings, []);
  },
);
