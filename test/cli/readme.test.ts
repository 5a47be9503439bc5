/** README.md: the session that it begins with is what the program says, and every rewrite is named there. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REWRITES } from '#src/edit/mechanical/rewrites.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { ROOT } from '../support/source-files.js';

const PAGE = join(ROOT, 'README.md');
const LINES_MOST = 150;
const BEFORE = 'class Store:\n    def put(self, key, value):\n        self.items[key] = value\n';
const FILES = {
  'store.py': BEFORE,
  'job.py': 'from store import Store\n\n\ndef save(store: Store, row):\n    store.put(row.id, row)\n',
  'log.py': 'class Log:\n    def put(self, key): ...\n\n\ndef write(log: Log):\n    log.put(1)\n',
};

test('the session at its beginning is what the program answers; UPDATE=1 writes it', async (t) => {
  const page = readFileSync(PAGE, 'utf8');
  const session = /```console\n\$ codeplan (.*)\n([^]*?)```\n/u.exec(page);
  assert.ok(session);
  const [, args = '', shown = ''] = session;
  const root = repository(t, FILES);
  writeFileSync(join(root, 'store.py'), BEFORE.replace('value)', 'value, ttl)'));
  const { stdout } = await home(t).run(root, ...args.split(' '));
  if (process.env['UPDATE'] !== undefined)
    writeFileSync(
      PAGE,
      page.replace(shown, () => stdout),
    );
  else assert.equal(shown, stdout, 'run it with UPDATE=1 and read the difference');
});

test('it names every rewrite and none that does not exist, and fits a page', () => {
  const page = readFileSync(PAGE, 'utf8');
  const table = page.split(/^## What it rewrites$/mu)[1]?.split(/^## /mu)[0] ?? '';
  const named = [...table.matchAll(/`([a-z]+(?:-[a-z]+)*)`/gu)].map(([, id]) => id);
  assert.deepEqual(named.sort(), REWRITES.map(({ id }) => id).sort());
  assert.ok(page.split('\n').length <= LINES_MOST, `at most ${LINES_MOST} lines`);
});
