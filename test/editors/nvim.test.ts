/** A session in a real Neovim (the distribution's 0.7 or whatever is on the path): hints, list, plan, review, undo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorPrograms, neovimSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { SHOP_APART as SHOP } from '../support/shop.js';

interface Seen {
  readonly messages: readonly string[];
  readonly hint: string;
  readonly statusline: string;
  readonly lens: string;
  readonly list: readonly string[];
  readonly diff: string;
  readonly hunk: string;
  readonly in_part: readonly string[];
  readonly plan: readonly string[];
  readonly page: string;
  readonly report: readonly string[];
  readonly on_disk: readonly string[];
  readonly modified: boolean;
  readonly job: string;
  readonly store: string;
  readonly asked: readonly string[];
  readonly choices: readonly string[];
  readonly scopes: readonly string[];
  readonly refusals: readonly string[];
  readonly given: string;
  readonly given_apart: string;
  readonly after: string;
  readonly saved: readonly string[];
  readonly completion: readonly string[];
  readonly health: string;
  readonly help: string;
}

for (const { title, program, options } of editorPrograms('nvim'))
  test(
    `${title}: an unsaved rename is seen, planned, reviewed, applied in part, and taken back`,
    options,
    async (t) => {
      const root = repository(t, SHOP);
      const seen = (await neovimSession(t, program, 'nvim.lua', root)) as Seen;

      assert.match(seen.hint, /insert/u);
      assert.equal(seen.statusline, 'CP:2');
      assert.equal(seen.lens, 'codeplan: 2 blocks affected (2 break)');
      assert.deepEqual([...seen.list].sort(), ['job.py:5 W', 'report.py:5 W']);
      assert.match(seen.diff, /^-.*put/mu);
      assert.match(seen.hunk, /^ +@@ /u, 'the second one');
      assert.match(seen.in_part.join('\n'), /^2 edits in 2 files, 1 in part$[^]*^ {2}~ +2 [^]*^ +- @@ /mu);
      assert.match(seen.plan.join('\n'), /^2 edits in 2 files, 1 rejected$/mu);
      assert.match(
        seen.plan.join('\n'),
        /^job\.py {2}1\n +1 {2}line 5 +save {2}[^]*^report\.py {2}0 of 1\n {2}- +2 /mu,
      );
      assert.match(seen.page, /<title>[^]*report\.py/u);
      assert.equal(`${seen.report.join('\n')}\n`, SHOP['report.py'], 'the rejected step');
      assert.equal(`${seen.on_disk.join('\n')}\n`, SHOP['job.py'], 'nothing is written behind the editor');
      assert.equal(seen.modified, true);
      assert.deepEqual([seen.job, seen.store], [SHOP['job.py'], SHOP['store.py']]);
      assert.deepEqual(
        seen.asked.map((prompt) => /^Value for (\w+)/u.exec(prompt)?.[1]),
        ['when', 'when', 'when', 'when'],
        'asked once for a plan, then once for each place',
      );
      assert.deepEqual(seen.scopes, ['everywhere', 'only here']);
      assert.deepEqual(seen.choices, ['when', 'another expression'], 'the callers can take it themselves');
      assert.match(seen.given, /store\.put\(1, 2, 0\),[^]*store\.put\(3, 4, 0\)/u);
      assert.match(seen.given_apart, /store\.put\(1, 2, 8\),[^]*store\.put\(3, 4, 9\)/u);
      assert.equal(seen.after, SHOP['store.py'] + SHOP['job.py'] + SHOP['report.py']);
      assert.deepEqual(seen.saved, [SHOP['store.py'], SHOP['job.py'], SHOP['report.py']], 'byte for byte');
      assert.deepEqual(
        seen.refusals.map((message) => message.replace(/^codeplan: /u, '')),
        [
          'nothing changed since the last settled state',
          'nothing has to follow from the latest edit',
          'nothing has to follow from the latest edit',
          'there is no run to undo',
          'nothing is under way',
          'there is no plan; :Codeplan plan makes one',
          'there is no plan; :Codeplan plan makes one',
          'this buffer shows no file of a repository',
        ],
      );
      assert.ok(
        seen.messages.some((message) => message.includes('there is no "nonsense"')),
        seen.messages.join('\n'),
      );
      assert.deepEqual(
        ['propagate', 'diff', 'accept', 'reject', 'why', 'apply', 'undo', 'status', 'cancel'].filter(
          (name) => !seen.completion.includes(name),
        ),
        [],
      );
      assert.match(seen.health, /serves /u);
      assert.equal(seen.help, 'codeplan.txt');
    },
  );
