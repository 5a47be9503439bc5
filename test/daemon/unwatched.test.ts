/**
 * A system that allows no file watches: the daemon looks from time to time, people hear of it once, and what an
 * editor says of its files is believed at once.
 */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { RefsReport } from '#protocol/graph.js';
import {
  DidCreateFilesNotification,
  DidDeleteFilesNotification,
  DidRenameFilesNotification,
} from 'vscode-languageserver/node';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { EVERYTHING, LspClient } from '../support/lsp-client.js';
import { home, type Home } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const WITH_FILES = {
  ...EVERYTHING,
  workspace: { ...EVERYTHING.workspace, fileOperations: { didCreate: true, didRename: true, didDelete: true } },
};

/** Programs started from it get the kernel's refusal for every watch, in the package's words. */
function withoutWatches(t: TestContext): Home {
  const folder = temporaryFolder(t);
  const watcher = createRequire(import.meta.url).resolve('@parcel/watcher');
  writeFiles(folder, {
    'refuse.cjs': `require(${JSON.stringify(watcher)}).subscribe = () => Promise.reject(new Error('inotify_add_watch failed: No space left on device'));\n`,
  });
  return home(t, { NODE_OPTIONS: `--require ${join(folder, 'refuse.cjs')}` });
}

test('the limit on watches: each editor hears of it once, with what to do, and changes are found all the same', async (t) => {
  const root = repository(t, SHOP);
  const there = withoutWatches(t);
  const editor = new LspClient(there, root);
  t.after(() => editor.kill());
  await editor.initialize();
  await eventually('the message', () => editor.messages.length > 0 || undefined);
  assert.match(
    editor.messages[0] ?? '',
    /^codeplan: the disk is looked at from time to time instead of watched: .*raise fs\.inotify\.max_user_watches/u,
  );
  const status = await eventually('the index', async () => {
    const found = await editor.connection.sendRequest<{ state: string; watch: unknown }>('codeplan/status', {});
    return found.state === 'ready' ? found : undefined;
  });
  assert.deepEqual((status.watch as { mode: string }).mode, 'polling');
  await editor.open('job.py', SHOP['job.py']);
  writeFileSync(join(root, 'store.py'), RENAMED_STORE);
  await eventually('the hint', () => editor.hints('job.py').length > 0 || undefined);
  const second = new LspClient(there, root);
  t.after(() => second.kill());
  await second.initialize();
  await eventually('the message to one that comes later', () => second.messages.length > 0 || undefined);
  assert.deepEqual([editor.messages.length, second.messages.length], [1, 1]);
});

test('files that an editor makes, renames and removes are seen with the next request', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(withoutWatches(t), root);
  t.after(() => editor.kill());
  const { capabilities } = await editor.initialize(WITH_FILES);
  assert.deepEqual(Object.keys(capabilities.workspace?.fileOperations ?? {}), ['didCreate', 'didRename', 'didDelete']);
  const referring = async (): Promise<string[]> =>
    [
      ...new Set(
        (await editor.connection.sendRequest<RefsReport>('codeplan/graph/refs', { block: 'Store.put' })).references.map(
          ({ file }) => file,
        ),
      ),
    ].sort();
  assert.deepEqual(await referring(), ['job.py', 'report.py']);

  mkdirSync(join(root, 'work'));
  renameSync(join(root, 'job.py'), join(root, 'work/job.py'));
  await editor.connection.sendNotification(DidRenameFilesNotification.type, {
    files: [{ oldUri: editor.uri('job.py'), newUri: editor.uri('work/job.py') }],
  });
  assert.deepEqual(await referring(), ['report.py', 'work/job.py']);

  writeFileSync(join(root, 'more.py'), SHOP['job.py']);
  await editor.connection.sendNotification(DidCreateFilesNotification.type, {
    files: [{ uri: editor.uri('more.py') }],
  });
  assert.deepEqual(await referring(), ['more.py', 'report.py', 'work/job.py']);

  rmSync(join(root, 'work'), { recursive: true });
  await editor.connection.sendNotification(DidDeleteFilesNotification.type, { files: [{ uri: editor.uri('work') }] });
  assert.deepEqual(await referring(), ['more.py', 'report.py']);
});

test('a client without file operations is promised none', async (t) => {
  const editor = new LspClient(home(t), repository(t, SHOP));
  t.after(() => editor.kill());
  assert.equal((await editor.initialize()).capabilities.workspace, undefined);
});
