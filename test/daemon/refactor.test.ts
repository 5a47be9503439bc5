/** Refactorings over LSP: what stands at a place, code actions where nothing has to be asked, the command, its undo. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CodeAction } from 'vscode-languageserver/node';
import type { PropagateReport } from '#protocol/propagate.js';
import type { HereReport } from '#protocol/refactor.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { EVERYTHING, LspClient } from '../support/lsp-client.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';

const here = (editor: LspClient, file: string, line: number, column: number): Promise<HereReport> =>
  editor.connection.sendRequest('codeplan/refactor/here', { file, line, column });

const ready = (editor: LspClient): Promise<true> =>
  eventually(
    'the index',
    async () =>
      (await editor.connection.sendRequest<{ state: string }>('codeplan/status', {})).state === 'ready' || undefined,
  );

const titles = (actions: readonly { readonly title: string }[]): string[] => actions.map(({ title }) => title);

test('the command renames what is under the cursor, unsaved, everywhere, and undo takes it back', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.open('store.py', SHOP['store.py']);
  await editor.open('job.py', SHOP['job.py']);
  await ready(editor);
  // Unsaved text counts: the method is a line further down in it.
  await editor.replace('store.py', 'class Store:\n', 'class Store:\n    """Kept."""\n');
  const found = await eventually('the unsaved text', async () => {
    const at = await here(editor, 'store.py', 3, 8);
    return at.rename?.name === 'put' ? at : undefined;
  });
  assert.deepEqual(found.signature, {
    block: 'store.py:3:8',
    name: 'put',
    parameters: 'key, ttl',
    isAsync: false,
    isHeader: true,
  });
  assert.equal((await here(editor, 'store.py', 3, 5)).rename, null, 'a keyword names nothing');
  assert.equal((await here(editor, 'job.py', 5, 11)).rename?.name, 'put', 'a use names what it means');
  assert.deepEqual((await here(editor, 'job.py', 4, 24)).rename, {
    block: 'job.py:4:24',
    name: 'k',
    isExported: false,
  });

  const refactoring = { kind: 'rename', block: 'job.py:5:11', to: 'insert' };
  const plan = (await editor.execute('codeplan.refactor', { refactoring, preview: true })) as PropagateReport;
  assert.equal(plan.steps.length, 3);
  assert.equal(editor.applied.length, 0, 'a preview edits nothing');
  await editor.execute('codeplan.propagate', { run: plan.run });
  await eventually('the new texts', () => editor.text('job.py').includes('store.insert(k, 1)') || undefined);
  assert.match(editor.text('store.py'), /"""Kept\."""\n {4}def insert\(/);
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), SHOP['job.py'], 'saving is the person’s');
  await editor.execute('codeplan.undo');
  await eventually('the old texts', () => editor.text('job.py') === SHOP['job.py'] || undefined);

  await editor.execute('codeplan.refactor', { refactoring: { kind: 'rename', block: 'job.py:4:24', to: 'what' } });
  await eventually('the parameter', () => editor.text('job.py').includes('(store: Store, what):') || undefined);
  assert.match(editor.text('job.py'), /store\.put\(what, 1\)/);
});

test('a signature is given as the list that it is to be; what lacks a value stays open', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.open('store.py', SHOP['store.py']);
  await editor.open('job.py', SHOP['job.py']);
  await ready(editor);
  const change = (parameters: string, more = {}): Promise<unknown> =>
    editor.execute('codeplan.refactor', {
      refactoring: { kind: 'signature', block: 'store.py:2:8', parameters },
      ...more,
    });
  const preview = (await change('key -> name, ttl, unit: str', { preview: true })) as PropagateReport;
  assert.equal(preview.open.length, 2);
  assert.match(preview.steps[0]?.diff ?? '', /\+ {4}def put\(self, name, ttl, unit: str\):/);
  await change('ttl, key', {});
  await eventually('the other order', () => editor.text('job.py').includes('store.put(1, k)') || undefined);
  assert.match(editor.text('store.py'), /def put\(self, ttl, key\):/);
  await assert.rejects(change('ttl, ttl'), /stands twice/);
  await assert.rejects(change('ttl, key, class'), /class/);
});

test('code actions on a name do what needs no question; a client that asks is offered the others', async (t) => {
  const root = repository(t, {
    ...SHOP,
    'two.py': 'class One:\n    pass\n\n\nclass TwoParts:\n    pass\n',
    'shop/__init__.py': 'from .net import send as send\n',
    'shop/net.py': 'def send(): ...\n',
  });
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.open('two.py', 'class One:\n    pass\n\n\nclass TwoParts:\n    pass\n');
  await editor.open('store.py', SHOP['store.py']);
  await ready(editor);
  const actions = await editor.actions('two.py', 4, 8, ['refactor']);
  assert.deepEqual(titles(actions), ['Move TwoParts to two_parts.py']);
  assert.deepEqual(titles(await editor.actions('store.py', 1, 9)), ['Make put async']);
  assert.deepEqual(titles(await editor.actions('store.py', 2, 9)), [], 'none off a name');
  assert.deepEqual(titles(await editor.actions('store.py', 1, 9, ['quickfix'])), []);
  const [move] = actions;
  assert.ok(CodeAction.is(move) && move.command !== undefined);
  await editor.execute(move.command.command, (move.command.arguments as object[])[0]);
  const [applied] = editor.applied;
  assert.deepEqual(
    applied?.edit.documentChanges?.map((change) => ('kind' in change ? change.kind : 'edits')),
    ['edits', 'create', 'edits'],
  );

  const asking = new LspClient(home(t), root);
  t.after(() => asking.kill());
  await asking.initialize({ ...EVERYTHING, experimental: { codeplan: { version: 1, asks: true } } });
  await asking.open('store.py', SHOP['store.py']);
  await ready(asking);
  assert.deepEqual(titles(await asking.actions('store.py', 1, 9)), [
    'Rename put…',
    'Change the signature of put…',
    'Make put async',
  ]);
  await asking.open('shop/net.py', 'def send(): ...\n');
  const [, kept] = await asking.actions('shop/net.py', 0, 5);
  assert.equal(kept?.title, 'Rename send, and keep the exported name…');
  assert.deepEqual(CodeAction.is(kept) && kept.command?.arguments, [{ keepExports: true }]);
});
