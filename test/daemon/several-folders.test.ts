/** Several folders on one connection: each with its own server, hints and plans, and folders that come and go. */
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { test } from 'node:test';
import { DidChangeWorkspaceFoldersNotification } from 'vscode-languageserver/node';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { asFolder, EVERYTHING, LspClient } from '../support/lsp-client.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const WITH_FOLDERS = { ...EVERYTHING, workspace: { ...EVERYTHING.workspace, workspaceFolders: true } };

for (const args of [[], ['--no-daemon']]) {
  test(`each folder has its own hints and plans, ${args.length === 0 ? 'through daemons' : 'in process'}`, async (t) => {
    const [first, second, third] = [repository(t, SHOP), repository(t, SHOP), repository(t, SHOP)];
    const there = home(t);
    // So that their daemons are ended with the test.
    if (args.length === 0) for (const root of [second, third]) await there.run(root, 'status');
    const editor = new LspClient(there, first, ...args);
    t.after(() => editor.kill());
    const { capabilities } = await editor.initialize(WITH_FOLDERS, [first, second]);
    assert.deepEqual(capabilities.workspace?.workspaceFolders, { supported: true, changeNotifications: true });
    const [there2, there3] = [relative(first, second), relative(first, third)];

    await editor.open('report.py', SHOP['report.py']);
    await editor.renameStore(there2);
    assert.deepEqual(editor.hints('report.py'), [], 'the other folder');
    await editor.execute('codeplan.propagate');
    await eventually(
      'the edit in the folder of the latest document',
      () => editor.text(`${there2}/job.py`).includes('store.insert') || undefined,
    );
    assert.equal(editor.text('report.py'), SHOP['report.py']);
    await editor.renameStore();
    await editor.execute('codeplan.propagate');
    await eventually('the edit in the first folder', () => editor.text('job.py').includes('store.insert') || undefined);
    await eventually(
      'the edit of the document that was open before',
      () => editor.text('report.py').includes('store.insert(1, 2)') || undefined,
    );

    await editor.execute('codeplan.undo');
    await eventually('the hint again', () => editor.hints('job.py').length > 0 || undefined);
    await editor.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
      event: { added: [asFolder(third)], removed: [asFolder(first)] },
    });
    await eventually('no hint of the folder that went', () => editor.hints('job.py').length === 0 || undefined);
    await editor.renameStore(there3);
    await editor.execute('codeplan.propagate');
    await eventually(
      'the edit in the folder that came later',
      () => editor.text(`${there3}/job.py`).includes('store.insert') || undefined,
    );
    assert.equal(await editor.quit(), 0);
  });
}

test('a folder that is none is said, requests are answered all the same, and one that comes later is served', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize(WITH_FOLDERS, [`${temporaryFolder(t)}/none`]);
  await assert.rejects(editor.execute('codeplan.propagate'), /no folder is open/u);
  assert.match(editor.messages[0] ?? '', /^codeplan: .*none/u);
  await editor.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
    event: { added: [asFolder(root)], removed: [] },
  });
  await editor.renameStore();
  assert.equal(await editor.quit(), 0);
});

test('a folder whose daemon ends is served again when it is spoken to, with what was typed meanwhile', async (t) => {
  const [first, second] = [repository(t, SHOP), repository(t, SHOP)];
  const there = home(t);
  await there.run(second, 'status');
  const editor = new LspClient(there, first);
  t.after(() => editor.kill());
  await editor.initialize(WITH_FOLDERS, [first, second]);
  const folder = relative(first, second);
  await editor.renameStore(folder);
  await there.run(second, 'daemon', 'stop');
  await eventually('no hint of what has ended', () => editor.hints(`${folder}/job.py`).length === 0 || undefined);
  // The new one has seen no state before what is unsaved, so the edit is made again.
  await editor.replace(`${folder}/store.py`, 'insert', 'put');
  await eventually(
    'the index',
    async () =>
      (await editor.connection.sendRequest<{ state: string }>('codeplan/status', {})).state === 'ready' || undefined,
  );
  await editor.replace(`${folder}/store.py`, 'put', 'keep');
  await eventually(
    'the hint',
    () => String(editor.hints(`${folder}/job.py`)[0]?.message).includes('keep') || undefined,
  );
  assert.equal(await editor.quit(), 0);
});

test('an editor without a folder is served in the repository of the document that it opens', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize(WITH_FOLDERS, []);
  await assert.rejects(editor.execute('codeplan.propagate'), /no folder is open/u);
  await editor.open('../stray.py', 'x = 1\n');
  await assert.rejects(editor.execute('codeplan.propagate'), /no folder is open/u, 'a file of no repository');
  await editor.renameStore();
  await editor.execute('codeplan.propagate');
  await eventually('the edit', () => editor.text('job.py').includes('store.insert') || undefined);
  assert.equal(await editor.quit(), 0);
});
