/**
 * What is left: the next place and its edit, what was rejected or dismissed, and that nothing of it ends with a
 * session.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LeftReport, NextReport } from '#protocol/left.js';
import type { PropagateReport } from '#protocol/propagate.js';
import { eventually } from '../support/eventually.js';
import { git, repository } from '../support/git-repository.js';
import { LspClient } from '../support/lsp-client.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';

const left = (editor: LspClient): Promise<LeftReport> => editor.connection.sendRequest('codeplan/left', {});
const next = (editor: LspClient, at: object): Promise<NextReport> => editor.connection.sendRequest('codeplan/next', at);
const said = ({ place }: NextReport): string => `${place?.file}:${place?.line} ${place?.fact}`;

test('place by place: taken, skipped, dismissed; the plan holds while its edits are taken', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.renameStore();
  await editor.open('report.py', SHOP['report.py']);

  const first = await next(editor, { file: 'job.py', line: 1 });
  assert.equal(said(first), 'job.py:5 renamed: put → insert');
  assert.deepEqual(first.edit?.lines, [
    { line: 5, removed: ['    store.put(k, 1)'], added: ['    store.insert(k, 1)'] },
  ]);
  assert.deepEqual([first.number, first.counts.left, first.counts.breaks], [1, 2, 2]);
  assert.equal(said(await next(editor, { file: 'report.py' })), 'report.py:5 renamed: put → insert', 'this file first');

  await editor.execute('codeplan.next', { skip: first.place?.id });
  assert.equal(editor.shown.at(-1), editor.uri('report.py'), 'an editor without a list of its own is led there');
  const other = await next(editor, { file: 'job.py' });
  assert.equal(said(other), 'report.py:5 renamed: put → insert');
  await editor.connection.sendRequest('codeplan/decide', { ids: [other.place?.id], as: 'skipped' });
  const again = await next(editor, { file: 'report.py', line: 5 });
  assert.equal(said(again), 'job.py:5 renamed: put → insert', 'all were skipped, this one not last');

  await editor.execute('codeplan.take', { id: first.place?.id });
  await eventually('the new text', () => editor.text('job.py').includes('store.insert') || undefined);
  const second = await next(editor, { file: 'job.py' });
  assert.equal(said(second), 'report.py:5 renamed: put → insert');
  assert.equal(second.counts.left, 1);
  await eventually('the list without what was taken', async () => (await left(editor)).counts.left === 1 || undefined);

  await editor.connection.sendRequest('codeplan/decide', { ids: [second.place?.id], as: 'dismissed' });
  const none = await next(editor, {});
  assert.deepEqual([none.place, none.counts.left, none.counts.dismissed], [null, 0, 1]);
  await eventually('no hint', () => editor.hints('report.py').length === 0 || undefined);
  await editor.execute('codeplan.undo');
  await eventually('the place again', async () => (await left(editor)).counts.left === 1 || undefined);
});

test('who does not wait for the plan has the place at once, and all who wait have the same one', async (t) => {
  const editor = new LspClient(home(t), repository(t, SHOP));
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.renameStore();
  const at = { file: 'job.py' };
  const soon = next(editor, { ...at, early: true });
  const [one, other] = await Promise.all([next(editor, at), next(editor, at)]);
  const early = await soon;
  assert.deepEqual(early.place, one.place);
  assert.equal(early.counts.left, 2);
  assert.equal(early.edit === null, !early.planned);
  assert.equal(early.says.includes('its edit is being worked out'), !early.planned);
  assert.ok(one.planned && one.edit !== null);
  assert.equal(one.edit.run, other.edit?.run);
  assert.deepEqual(await next(editor, { ...at, early: true }), one);
});

test('what was rejected is left after an apply and after a restart, in every count, until it is mended', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const editor = new LspClient(there, root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.renameStore();
  const plan = (await editor.execute('codeplan.preview')) as PropagateReport;
  const inReport = plan.steps.find(({ file }) => file === 'report.py');
  await editor.connection.sendRequest('codeplan/review', { run: plan.run, reject: [inReport?.id] });
  await editor.execute('codeplan.propagate', { run: plan.run });
  await eventually('the new text', () => editor.text('job.py').includes('store.insert') || undefined);
  await eventually('the hint to go', () => editor.hints('job.py').length === 0 || undefined);
  const states = async (client: LspClient): Promise<string[]> =>
    (await left(client)).entries.map(({ file, state }) => `${file} ${state}`);
  assert.deepEqual(await states(editor), ['report.py rejected']);
  assert.equal((await editor.lenses('store.py'))[0]?.command?.title, 'codeplan: 1 block affected (1 breaks)');

  for (const file of ['store.py', 'job.py']) writeFileSync(join(root, file), editor.text(file));
  const later = new LspClient(there, root);
  t.after(() => later.kill());
  await editor.quit();
  await there.run(root, 'daemon', 'stop');
  await later.initialize();
  await later.open('report.py', SHOP['report.py']);
  await eventually('the hint after the restart', () => later.hints('report.py').length > 0 || undefined);
  assert.deepEqual(await states(later), ['report.py rejected']);
  const status = await there.run(root, 'status');
  assert.match(status.stdout, /^left +1 block left \(1 breaks, 1 rejected\)$/mu);
  const again = await next(later, {});
  assert.equal(again.edit?.lines.length, 1, 'its edit is there still');

  await later.replace('report.py', 'store.put(1, 2), store.put', 'store.insert(1, 2), store.insert');
  await eventually('nothing left', async () => (await states(later)).length === 0 || undefined);
  await eventually('no hint', () => later.hints('report.py').length === 0 || undefined);
});

test('a commit ends the list of what it holds, and what was said of it', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  writeFileSync(join(root, 'store.py'), SHOP['store.py'].replace('put', 'insert'));
  const before = await there.run(root, 'next', '--all');
  const [, id] = /job\.py.* (\w+)$/mu.exec(before.stdout) ?? [];
  const dismissed = await there.run(root, 'next', '--dismiss', id ?? '');
  assert.match(dismissed.stdout, /1 block left \(1 breaks, 1 dismissed\)/u);
  git(root, 'commit', '-q', '-a', '-m', 'rename');
  assert.equal((await there.run(root, 'next')).stdout, 'nothing is left\n');
});

test('a deleted member has its lens where it stood', async (t) => {
  const store = `${SHOP['store.py']}\n    def drop(self):\n        return 1\n\n    def last(self):\n        return 2\n`;
  const root = repository(t, { ...SHOP, 'store.py': store, 'use.py': 'from store import Store\n\n\nStore().drop()\n' });
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.open('store.py', store);
  await eventually('the index', async () => (await left(editor)).complete || undefined);
  await editor.replace('store.py', '    def drop(self):\n        return 1\n\n', '');
  const lens = await eventually('the lens', async () => (await editor.lenses('store.py'))[0]);
  assert.deepEqual(
    [lens.range.start.line, lens.command?.title],
    [3, 'codeplan: Store.drop was here: 1 block affected (1 breaks)'],
  );
  assert.equal(lens.command?.command, 'codeplan.plan', 'a click shows, and changes nothing');
});
