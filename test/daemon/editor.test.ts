/** An editor on the daemon: unsaved edits, hints, lenses, actions, applied edits, and taking them back. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  CancellationTokenSource,
  DiagnosticSeverity,
  DidChangeTextDocumentNotification,
  ExecuteCommandRequest,
  LSPErrorCodes,
  WorkDoneProgress,
  type ChangeAnnotation,
  type CodeAction,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { PropagateReport } from '#protocol/propagate.js';
import { eventually } from '../support/eventually.js';
import { EVERYTHING, LspClient } from '../support/lsp-client.js';
import { home } from '../support/program.js';
import { git, repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';

interface Editing {
  readonly editor: LspClient;
  readonly root: string;
}

async function editing(t: TestContext, ...args: string[]): Promise<Editing> {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root, ...args);
  t.after(() => editor.kill());
  await editor.initialize();
  return { editor, root };
}

for (const args of [[], ['--no-daemon']]) {
  const route = args.length === 0 ? 'through the daemon' : 'in process';
  test(`an unsaved rename is hinted at, propagated, and taken back, ${route}`, async (t) => {
    const { editor, root } = await editing(t, ...args);
    await editor.renameStore();
    const [hint] = editor.hints('job.py');
    assert.deepEqual(
      [hint?.range.start.line, hint?.source, hint?.code, hint?.severity],
      [4, 'codeplan', 'impact/called-by', DiagnosticSeverity.Information],
    );
    assert.equal(hint?.relatedInformation?.[0]?.location.uri, editor.uri('store.py'));
    assert.match(String(hint?.message), /insert/u);
    await eventually(
      'codeplan/changed',
      () =>
        editor.notified.some(
          ({ method, params }) => method === 'codeplan/changed' && (params as { affected: number }).affected === 2,
        ) || undefined,
    );
    await eventually(
      'the refresh',
      () => editor.notified.some(({ method }) => method === 'workspace/codeLens/refresh') || undefined,
    );
    const [lens] = await editor.lenses('store.py');
    assert.equal(lens?.range.start.line, 1);
    assert.equal(lens?.command?.title, 'codeplan: 2 blocks affected (2 break)');

    await editor.execute('codeplan.propagate');
    assert.deepEqual(
      editor.applied[0]?.edit.documentChanges?.map(
        (change) => 'textDocument' in change && [change.textDocument.uri, change.textDocument.version],
      ),
      [
        [editor.uri('job.py'), 1],
        [editor.uri('report.py'), null],
      ],
    );
    await eventually('the new text', () => editor.text('job.py').includes('store.insert') || undefined);
    assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), SHOP['job.py'], 'nothing is written behind the editor');
    await eventually('the hint to go', () => editor.hints('job.py').length === 0 || undefined);

    await editor.execute('codeplan.undo');
    await eventually('the old text', () => editor.text('job.py') === SHOP['job.py'] || undefined);
    await eventually(
      'the hint again, since the edit that it follows from is still there',
      () => editor.hints('job.py').length > 0 || undefined,
    );
    await editor.execute('codeplan.propagate');
    await eventually('the new text again', () => editor.text('job.py').includes('store.insert') || undefined);
    assert.equal(await editor.quit(), 0);
  });
}

test('a change that is told before its document is opened counts all the same', async (t) => {
  const { editor } = await editing(t);
  const uri = editor.uri('report.py');
  const added = '    store.put(5, 6)\n';
  const end = { line: SHOP['report.py'].split('\n').length - 1, character: 0 };
  await editor.connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: end, end }, text: added }],
  });
  await editor.open('report.py', SHOP['report.py']);
  editor.buffers.set(uri, TextDocument.create(uri, 'python', 2, SHOP['report.py'] + added));
  await editor.renameStore();
  await editor.execute('codeplan.propagate');
  await eventually('the edit', () => editor.text('report.py').includes('store.insert(5, 6)') || undefined);
});

test('where the client has annotations, each edit says where it comes from', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize({
    ...EVERYTHING,
    workspace: { ...EVERYTHING.workspace, workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
  });
  await editor.renameStore();
  await editor.execute('codeplan.propagate');
  const [{ edit } = { edit: {} }] = editor.applied;
  const annotation = {
    label: 'codeplan: follows from your edit by a rule',
    description: 'renamed: put → insert (calls method put by its old name)',
  };
  assert.deepEqual(annotationsOf(edit), [annotation, annotation]);
});

test('where the client can, a person takes or leaves each edit of a plan, and taking none is no failure', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize({
    ...EVERYTHING,
    workspace: {
      ...EVERYTHING.workspace,
      workspaceEdit: { documentChanges: true, changeAnnotationSupport: {}, metadataSupport: true },
    },
  });
  await editor.renameStore();
  const { run } = (await editor.execute('codeplan.preview')) as PropagateReport;
  editor.refuseEdit = '';
  const left = await editor.execute('codeplan.propagate', { run, confirm: true });
  assert.equal((left as { applied: boolean }).applied, false);
  assert.deepEqual(editor.messages, []);
  editor.refuseEdit = undefined;
  await editor.execute('codeplan.propagate', { run, confirm: true });
  assert.equal(editor.applied.length, 2);
  for (const { edit, metadata } of editor.applied) {
    assert.deepEqual(metadata, { isRefactoring: true });
    assert.ok(annotationsOf(edit).every((one) => one?.needsConfirmation === true));
  }
  await eventually('the edit', () => editor.text('job.py').includes('store.insert') || undefined);
  await eventually(
    'the word',
    () => editor.messages.includes('codeplan: what was taken is not yet saved') || undefined,
  );
});

const annotationsOf = ({
  documentChanges = [],
  changeAnnotations = {},
}: WorkspaceEdit): (ChangeAnnotation | undefined)[] =>
  documentChanges
    .flatMap((change) => ('edits' in change ? change.edits : []))
    .map((one) => ('annotationId' in one ? changeAnnotations[one.annotationId] : undefined));

test('a long command reports its progress, and a request that is cancelled is answered so', async (t) => {
  const { editor } = await editing(t);
  await editor.renameStore();
  const seen: string[] = [];
  editor.connection.onProgress(WorkDoneProgress.type, 'mine', ({ kind }) => void seen.push(kind));
  await editor.connection.sendRequest(ExecuteCommandRequest.type, {
    command: 'codeplan.preview',
    arguments: [{}],
    workDoneToken: 'mine',
  });
  assert.deepEqual([seen[0], seen.at(-1)], ['begin', 'end']);
  // All of a round may be answered before their cancellations are read.
  await eventually('a cancelled request', async () => {
    const sources = Array.from({ length: 30 }, () => new CancellationTokenSource());
    const asked = sources.map(({ token }) =>
      editor.connection.sendRequest('codeplan/graph', {}, token).then(
        () => 'answered',
        (error: unknown) => (error as { code?: unknown }).code,
      ),
    );
    for (const source of sources) source.cancel();
    const outcomes = new Set(await Promise.all(asked));
    outcomes.delete('answered');
    assert.ok(
      [...outcomes].every((outcome) => outcome === LSPErrorCodes.RequestCancelled),
      [...outcomes].join(),
    );
    return outcomes.size > 0 || undefined;
  });
});

test('taking the edit back by hand takes the hints back', async (t) => {
  const { editor } = await editing(t);
  await editor.renameStore();
  await editor.replace('store.py', 'insert', 'put');
  await eventually('no hint', () => editor.hints('job.py').length === 0 || undefined);
  assert.deepEqual(await editor.lenses('store.py'), []);
});

test('code actions come from what is known, by kind, and a dismissed hint stays away', async (t) => {
  const { editor } = await editing(t);
  await editor.renameStore();
  const actions = (await editor.actions('job.py', 4, 11)) as CodeAction[];
  assert.deepEqual(
    actions.map(({ kind }) => kind),
    ['refactor.rewrite.codeplan.propagate', 'refactor.rewrite.codeplan.propagate', 'quickfix', 'quickfix', 'quickfix'],
  );
  assert.deepEqual((await editor.actions('job.py', 4, 11, ['refactor.rewrite'])).length, 2);
  assert.deepEqual((await editor.actions('job.py', 4, 11, ['source'])).length, 0);
  assert.equal(
    (await editor.actions('store.py', 1, 10)).length,
    3,
    'on the changed declaration, with that to make it async',
  );
  assert.equal((await editor.actions('job.py', 0, 0)).length, 0);
  const dismiss = actions.find(({ title }) => title.includes('dismiss'))?.command;
  await editor.execute(dismiss?.command ?? '', (dismiss?.arguments?.[0] ?? {}) as object);
  await eventually('no hint', () => editor.hints('job.py').length === 0 || undefined);
  const [lens] = await editor.lenses('store.py');
  assert.equal(lens?.command?.title, 'codeplan: 1 block affected (1 breaks)');
  const update = actions.find(({ title }) => title.startsWith('Update save'))?.command;
  await editor.execute(update?.command ?? '', (update?.arguments?.[0] ?? {}) as object);
  assert.equal(editor.applied[0]?.edit.documentChanges?.length, 1, 'one block, not all');
});

test('a dismissed hint comes back when its cause becomes another one', async (t) => {
  const { editor } = await editing(t);
  await editor.renameStore();
  const actions = (await editor.actions('job.py', 4, 11)) as CodeAction[];
  const dismiss = actions.find(({ title }) => title.includes('dismiss'))?.command;
  await editor.execute(dismiss?.command ?? '', (dismiss?.arguments?.[0] ?? {}) as object);
  await eventually('no hint', () => editor.hints('job.py').length === 0 || undefined);
  await editor.replace('store.py', 'insert', 'append');
  await eventually(
    'the hint again',
    () => editor.hints('job.py').some(({ message }) => String(message).includes('append')) || undefined,
  );
});

test('an editor that refuses the edits keeps its hints and is told', async (t) => {
  const { editor } = await editing(t);
  await editor.renameStore();
  editor.refuseEdit = 'the buffer is read-only';
  const result = (await editor.execute('codeplan.propagate')) as { applied: boolean };
  assert.equal(result.applied, false);
  await eventually('the message', () => editor.messages.some((message) => message.includes('read-only')) || undefined);
  assert.equal(editor.hints('job.py').length, 1);
});

test('what we offer is narrow, and nothing is sent that the client did not ask for', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const full = new LspClient(there, root);
  t.after(() => full.kill());
  const { capabilities } = await full.initialize();
  assert.deepEqual(Object.keys(capabilities).sort(), [
    'codeActionProvider',
    'codeLensProvider',
    'executeCommandProvider',
    'experimental',
    'positionEncoding',
    'textDocumentSync',
  ]);
  const bare = new LspClient(there, root);
  t.after(() => bare.kill());
  const { capabilities: few } = await bare.initialize({});
  assert.deepEqual(Object.keys(few).sort(), ['executeCommandProvider', 'experimental', 'textDocumentSync']);
  await bare.renameStore();
  const [hint] = bare.hints('job.py');
  assert.equal(hint?.relatedInformation, undefined);
  assert.match(String(hint?.message), /store\.py:2/u, 'the cause stands in the message');
  assert.deepEqual(
    bare.notified.filter(({ method }) => method !== 'textDocument/publishDiagnostics'),
    [],
  );
  await bare.execute('codeplan.propagate');
  assert.deepEqual(bare.applied, []);
  await eventually(
    'the message',
    () => bare.messages.some((message) => message.includes('codeplan propagate --apply')) || undefined,
  );
});

test('positions are UTF-16, whichever encodings a client has, and so are places behind what takes two units', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  for (const positionEncodings of [['utf-8', 'utf-16', 'utf-32'], ['utf-32', 'utf-16'], ['utf-16']]) {
    const editor = new LspClient(there, root);
    t.after(() => editor.kill());
    const { capabilities } = await editor.initialize({ ...EVERYTHING, general: { positionEncodings } });
    assert.equal(capabilities.positionEncoding, 'utf-16');
    await editor.renameStore();
    const before = editor.hints('job.py')[0]?.range.start.character ?? 0;
    await editor.replace('job.py', 'store.put', '"\u{1f600}", store.put');
    await eventually(
      'the hint behind it',
      () => editor.hints('job.py')[0]?.range.start.character === before + '"\u{1f600}", '.length || undefined,
    );
    await editor.execute('codeplan.propagate');
    await eventually(
      'the edit behind it',
      () => editor.text('job.py').includes('"\u{1f600}", store.insert(k, 1)') || undefined,
    );
    await editor.quit();
  }
});

test('a client that can put a choice before the person is asked for a value, once for a plan', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize({ ...EVERYTHING, window: { ...EVERYTHING.window, showMessage: {} } });
  await editor.renameStore();
  await editor.replace('store.py', 'insert(self, key, ttl)', 'put(self, key, ttl, when)');
  await eventually(
    'the hint of the parameter',
    () => editor.hints('job.py').some(({ message }) => String(message).includes('when')) || undefined,
  );

  await editor.execute('codeplan.propagate');
  assert.deepEqual(
    editor.questions.map(({ actions }) => actions?.map(({ title }) => title)),
    [['when', 'Leave these places to me']],
  );
  assert.match(editor.questions[0]?.message ?? '', /when/u);
  assert.deepEqual(editor.applied, [], 'nothing was chosen');
  editor.choose = 'when';
  await editor.execute('codeplan.propagate');
  assert.equal(editor.questions.length, 2);
  await eventually(
    'the parameter handed on',
    () => editor.text('job.py').includes('def save(store: Store, k, when):\n    store.put(k, 1, when)') || undefined,
  );
});

test('a choice that does at one place alone is offered as that, and then the other places are asked for', async (t) => {
  const root = repository(t, SHOP);
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize({ ...EVERYTHING, window: { ...EVERYTHING.window, showMessage: {} } });
  await editor.renameStore();
  await editor.replace('store.py', 'insert(self, key, ttl)', 'put(self, key, ttl, when: int)');
  await editor.replace('job.py', 'k)', 'k, at: int)');
  await eventually(
    'the hint of the parameter',
    () => editor.hints('job.py').some(({ message }) => String(message).includes('when')) || undefined,
  );
  editor.choose = 'at (only here)';
  await editor.execute('codeplan.propagate');
  assert.deepEqual(
    editor.questions.map(({ actions }) => actions?.map(({ title }) => title)),
    [
      ['when', 'at (only here)', 'Leave these places to me'],
      ['when', 'Leave these places to me'],
    ],
  );
  await eventually(
    'the value of the one place',
    () => editor.text('job.py').includes('store.put(k, 1, at)') || undefined,
  );
});

test('a parameter that nothing reads any more goes when the person agrees', async (t) => {
  const root = repository(t, {
    ...SHOP,
    'job.py': 'from store import Store\n\n\ndef save(store: Store, k, ttl):\n    store.put(k, ttl)\n',
  });
  const editor = new LspClient(home(t), root);
  t.after(() => editor.kill());
  await editor.initialize({ ...EVERYTHING, window: { ...EVERYTHING.window, showMessage: {} } });
  await editor.open('job.py', readFileSync(join(root, 'job.py'), 'utf8'));
  await editor.open('store.py', SHOP['store.py']);
  await eventually(
    'the index',
    async () =>
      (await editor.connection.sendRequest<{ state: string }>('codeplan/status', {})).state === 'ready' || undefined,
  );
  await editor.replace('store.py', 'put(self, key, ttl)', 'put(self, key)');
  await eventually('the hint', () => editor.hints('job.py').length > 0 || undefined);
  editor.choose = 'Do it';
  await editor.execute('codeplan.propagate');
  assert.match(editor.questions[0]?.message ?? '', /save in job\.py: nothing reads its parameter ttl any more/u);
  await eventually(
    'the parameter gone',
    () => editor.text('job.py').includes('def save(store: Store, k):\n    store.put(k)') || undefined,
  );
});

test('two editors see their own unsaved texts, and one that is killed takes nothing along', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const first = new LspClient(there, root);
  await first.initialize();
  const second = new LspClient(there, root);
  t.after(() => second.kill());
  await second.initialize();
  await second.open('job.py', SHOP['job.py']);
  await second.open('store.py', SHOP['store.py']);
  await first.renameStore();
  await second.replace('store.py', 'put', 'add_entry');
  await eventually(
    'the other hint',
    () => second.hints('job.py').some(({ message }) => String(message).includes('add_entry')) || undefined,
  );
  assert.ok(first.hints('job.py').every(({ message }) => String(message).includes('insert')));
  const clients = async (): Promise<number> =>
    (await second.connection.sendRequest<{ clients: unknown[] }>('codeplan/status', {})).clients.length;
  assert.equal(await clients(), 2);
  first.kill();
  await eventually('one client', async () => (await clients()) === 1 || undefined);
  await second.replace('store.py', 'add_entry', 'put');
  await eventually('no hint', () => second.hints('job.py').length === 0 || undefined);
});

test('a change on the disk reaches the hints; a commit settles what it holds, and what it does not stays the latest edit', async (t) => {
  const { editor, root } = await editing(t);
  await editor.renameStore();
  const title = async (): Promise<string | undefined> => (await editor.lenses('store.py'))[0]?.command?.title;
  writeFileSync(join(root, 'report.py'), SHOP['report.py'].replaceAll('put', 'insert'));
  await eventually(
    'one block less',
    async () => (await title()) === 'codeplan: 1 block affected (1 breaks)' || undefined,
  );
  // Saved: on the disk as in the buffer.
  writeFileSync(join(root, 'store.py'), editor.text('store.py'));
  await editor.replace('job.py', '(k, 1)', '(k, 2)');
  git(root, 'commit', '-q', 'store.py', '-m', 'store');
  await eventually('no lens on what is committed', async () => (await title()) === undefined || undefined);
  await eventually('no hint either', () => editor.hints('job.py').length === 0 || undefined);
  const { changes } = await editor.connection.sendRequest<{ changes: { block: string }[] }>('codeplan/impact', {});
  assert.deepEqual(
    changes.map(({ block }) => block),
    ['save', 'report'],
  );
});

test('a branch switch is no edit of the person, also while the editor still shows the old texts of some files', async (t) => {
  const { editor, root } = await editing(t);
  git(root, 'checkout', '-q', '-b', 'other');
  for (const path of ['store.py', 'job.py', 'report.py'] as const)
    writeFileSync(join(root, path), SHOP[path].replaceAll('put', 'insert'));
  git(root, 'commit', '-q', '-a', '-m', 'other');
  git(root, 'checkout', '-q', 'main');
  await editor.open('store.py', SHOP['store.py']);
  await editor.open('job.py', SHOP['job.py']);
  const labels = async (): Promise<string[]> =>
    (await editor.connection.sendRequest<{ changes: { block: string }[] }>('codeplan/impact', {})).changes.map(
      ({ block }) => block,
    );
  assert.deepEqual(await labels(), []);
  git(root, 'checkout', '-q', 'other');
  // Editors read changed files again one by one.
  await editor.replace('store.py', 'def put', 'def insert');
  await editor.replace('job.py', 'store.put', 'store.insert');
  await eventually('nothing to follow', async () => (await labels()).length === 0 || undefined);
  await eventually('no hint', () => editor.hints('job.py').length === 0 || undefined);
  await editor.replace('store.py', 'def insert', 'def add');
  await eventually('the hint of an edit on the other branch', () => editor.hints('job.py').length > 0 || undefined);
  assert.deepEqual(await labels(), ['Store.add']);
});

test('initialize is answered at once while a large index is being built', async (t) => {
  const files: Record<string, string> = { ...SHOP };
  for (let n = 0; n < 300; n++) files[`many/f${n}.py`] = `def f${n}(x):\n    return f${n}(x)\n`.repeat(150);
  const root = repository(t, files);
  const there = home(t);
  await there.run(root, 'daemon', 'start');
  const editor = new LspClient(there, root);
  t.after(() => editor.kill());
  const state = async (): Promise<string> =>
    (await editor.connection.sendRequest<{ state: string }>('codeplan/status', {})).state;
  assert.equal(await state(), 'indexing');
  await editor.initialize({ ...EVERYTHING });
  assert.equal(await state(), 'indexing', 'the answer did not wait for the index');
});
