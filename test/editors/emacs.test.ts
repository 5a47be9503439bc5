/** A session in a real Emacs (28 or newer): notes, list, plan, review, undo; and the package's own checks. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { editorPrograms, emacsSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { SHOP_APART as SHOP } from '../support/shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGE = join(CHECKOUT, 'editors/emacs');

type Seen = Readonly<Record<'asked' | 'choices' | 'refusals' | 'saved', readonly string[]>> &
  Readonly<
    Record<
      | 'given'
      | 'givenApart'
      | 'hint'
      | 'lighter'
      | 'list'
      | 'diff'
      | 'plan'
      | 'hunk'
      | 'inPart'
      | 'page'
      | 'report'
      | 'disk'
      | 'modified'
      | 'job'
      | 'store'
      | 'nothing'
      | 'again'
      | 'unfound'
      | 'stray'
      | 'strayed'
      | 'off',
      string
    >
  >;

for (const { title, program, options } of editorPrograms('emacs'))
  test(
    `${title}: an unsaved rename is seen, planned, reviewed, applied in part, and taken back`,
    options,
    async (t) => {
      const root = repository(t, SHOP);
      const seen = (await emacsSession(t, program, 'emacs.el', root)) as Seen;

      assert.match(seen.hint, /insert/u);
      assert.equal(seen.lighter, ' CP:2');
      assert.match(seen.list, /^job\.py:5: breaks save: /mu);
      assert.match(seen.diff, /^-.*put/mu);
      assert.match(seen.hunk, /^ +@@ /u, 'the second one');
      assert.match(seen.inPart, /^2 edits in 2 files, 1 in part$[^]*^ {2}~ +2 [^]*^ +- @@ /mu);
      assert.match(seen.plan, /^job\.py {2}1$/mu);
      assert.match(seen.plan, /^report\.py {2}0 of 1$/mu);
      assert.match(seen.page, /<title>[^]*report\.py/u);
      assert.equal(seen.report, SHOP['report.py'], 'the rejected step');
      assert.equal(seen.disk, SHOP['job.py'], 'nothing is written behind the editor');
      assert.equal(seen.modified, 'yes');
      assert.deepEqual(
        seen.asked.map((prompt) => /^Value for (\w+)/u.exec(prompt)?.[1]),
        ['when'],
        'asked once for a plan',
      );
      assert.deepEqual(seen.choices, ['when'], 'the callers can take it themselves');
      assert.match(seen.given, /store\.put\(1, 2, 0\),[^]*store\.put\(3, 4, 0\)/u);
      assert.match(seen.givenApart, /store\.put\(1, 2, 8\),[^]*store\.put\(3, 4, 9\)/u);
      assert.deepEqual(seen.saved, [SHOP['store.py'], SHOP['job.py'], SHOP['report.py']], 'byte for byte');
      assert.equal(seen.nothing, 'nothing changed since the last settled state\n');
      assert.deepEqual(seen.refusals, [
        'Nothing has to follow from the latest edit',
        'Codeplan: there is no run to undo',
        'There is no step here',
      ]);
      assert.equal(seen.again, 'yes', 'both buffers after the daemon ended');
      assert.deepEqual(
        [seen.unfound, seen.stray, seen.strayed],
        ['off', 'off', 'Turn codeplan-mode on in a file of a repository first'],
      );
      assert.deepEqual([seen.job, seen.store, seen.off], [SHOP['job.py'], SHOP['store.py'], 'yes']);
    },
  );

for (const { title, program, options } of editorPrograms('emacs'))
  test(
    `${title}: the package compiles without a warning, and its documentation passes checkdoc`,
    options,
    async (t) => {
      const folder = temporaryFolder(t);
      const file = join(folder, 'codeplan.el');
      copyFileSync(join(PACKAGE, 'codeplan.el'), file);
      const { runEditor } = home(t);
      const compiled = await runEditor(
        program,
        ['-Q', '--batch', '--eval', '(setq byte-compile-error-on-warn t)', '-f', 'batch-byte-compile', file],
        folder,
        {},
      );
      assert.equal(compiled.code, 0, compiled.stderr);
      const checked = await runEditor(
        program,
        ['-Q', '--batch', '--eval', `(checkdoc-file ${JSON.stringify(file)})`],
        folder,
        {},
      );
      assert.equal(checked.stderr, '');
    },
  );
