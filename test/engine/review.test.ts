/** A plan under review: by step and by hunk, what its rows show, and the texts that are left. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ReviewParams } from '#protocol/propagate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { commitAll, initRepository } from '../support/git-repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const STORE = 'class Store:\n    def put(self, key):\n        return key\n';
const NEAR = 'from store import Store\n\n\ndef save(store: Store):\n    store.put(0)\n';
/** Two uses in one function, so far apart that its difference has two hunks. */
const FAR = `from store import Store\n\n\ndef report(store: Store):\n    store.put(1)\n${'    print()\n'.repeat(9)}    store.put(2)\n`;
const call: Call = { signal: new AbortController().signal, progress: () => undefined };

interface Reviewing {
  readonly service: Service;
  readonly run: string;
  readonly stepOf: (file: string) => number;
  readonly say: (said: Omit<ReviewParams, 'run'>) => Promise<string[]>;
  readonly rows: () => Promise<string[]>;
  readonly text: (file: string) => Promise<string>;
  readonly root: string;
}

async function reviewing(t: TestContext): Promise<Reviewing> {
  const folder = temporaryFolder(t);
  const root = join(folder, 'repository');
  mkdirSync(root);
  initRepository(root, { 'store.py': STORE, 'near.py': NEAR, 'far.py': FAR });
  commitAll(root, 'before');
  writeFileSync(join(root, 'store.py'), STORE.replace('def put', 'def insert'));
  const environment = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    CODEPLAN_CACHE_DIR: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: 'test', name: 'test', workingDirectory: root, environment });
  const { run, steps } = await service.ask('codeplan/plan', { model: 'none', oracle: false }, call);
  return {
    service,
    run,
    root,
    stepOf: (file) => steps.find((step) => step.file === file)?.id ?? -1,
    say: async (said) =>
      (await service.ask('codeplan/review', { run, ...said }, call)).steps.map(
        ({ id, status, leftOut }) => `${id} ${status}${leftOut === undefined ? '' : ` without ${leftOut.join()}`}`,
      ),
    rows: async () => {
      const { head, rows } = await service.ask('codeplan/rows', { run }, call);
      const shown = rows.filter(({ kind }) => ['file', 'step', 'hunk'].includes(kind));
      return [
        ...head,
        ...shown.map(({ text, hunk }) => `${text.slice(0, 6)}${hunk === undefined ? '' : ` (${hunk})`}`),
      ];
    },
    text: async (file) => {
      const { edits } = await service.ask('codeplan/edits', { run }, call);
      const edit = edits.find((one) => one.file === file);
      return edit?.kind === 'change' ? edit.after : 'not changed';
    },
  };
}

test('rows that are hidden are left out where it is said what was folded by hand', async (t) => {
  const { service, run } = await reviewing(t);
  const rowsWith = async (folded?: Readonly<Record<string, boolean>>): Promise<string[]> =>
    (await service.ask('codeplan/rows', { run, ...(folded === undefined ? {} : { folded }) }, call)).rows.map(
      ({ key }) => key.replace(/^line (\d+) .*/u, 'of $1'),
    );
  const all = await rowsWith();
  const [far, near] = [all[1] ?? '', all.findLast((key) => key.startsWith('step')) ?? ''];
  assert.deepEqual(await rowsWith({}), ['file far.py', far, 'file near.py', near]);
  const open = all.slice(0, all.indexOf('file near.py'));
  assert.ok(open.length > 2, open.join());
  assert.deepEqual(await rowsWith({ [far]: false, 'file near.py': true }), [...open, 'file near.py']);
});

test('a hunk that is left out stays as it was, and comes back', async (t) => {
  const { stepOf, say, rows, text } = await reviewing(t);
  const [far, near] = [stepOf('far.py'), stepOf('near.py')];
  assert.deepEqual(await say({ rejectHunks: [{ step: far, hunk: 1 }] }), [
    `${far} proposed without 1`,
    `${near} proposed`,
  ]);
  assert.equal(await text('far.py'), FAR.replace('store.put(2)', 'store.insert(2)'));
  assert.equal(await text('near.py'), NEAR.replace('put', 'insert'));
  assert.deepEqual(await rows(), [
    '2 edits in 2 files, 1 in part',
    'far.py',
    `~   ${far} `,
    '- @@ - (1)',
    '  @@ - (2)',
    'near.p',
    `    ${near} `,
    '@@ -2,',
  ]);
  await say({ acceptHunks: [{ step: far, hunk: 1 }] });
  assert.equal(await text('far.py'), FAR.replaceAll('put', 'insert'));
});

test('a step whose hunks are all left out is left out, and one hunk of it can be taken back', async (t) => {
  const { stepOf, say, text } = await reviewing(t);
  const step = stepOf('far.py');
  const hunks = [1, 2].map((hunk) => ({ step, hunk }));
  assert.ok((await say({ rejectHunks: hunks })).includes(`${step} rejected`));
  assert.equal(await text('far.py'), 'not changed');
  assert.ok((await say({ acceptHunks: hunks.slice(1) })).includes(`${step} proposed without 1`));
  assert.equal(await text('far.py'), FAR.replace('store.put(2)', 'store.insert(2)'));
  assert.ok((await say({ accept: [step] })).includes(`${step} accepted`), 'the whole of it');
  assert.equal(await text('far.py'), FAR.replaceAll('put', 'insert'));
});

test('what is written is without the hunks that are left out; a hunk that is none is refused', async (t) => {
  const { service, run, root, stepOf, say } = await reviewing(t);
  await assert.rejects(say({ rejectHunks: [{ step: stepOf('near.py'), hunk: 1 }] }), /has no hunk 1/u);
  await assert.rejects(say({ rejectHunks: [{ step: stepOf('far.py'), hunk: 3 }] }), /has no hunk 3/u);
  await say({ rejectHunks: [{ step: stepOf('far.py'), hunk: 2 }] });
  await service.ask('codeplan/execute', { run }, call);
  assert.equal(readFileSync(join(root, 'far.py'), 'utf8'), FAR.replace('store.put(1)', 'store.insert(1)'));
  const { counts } = await service.ask('codeplan/left', {}, call);
  assert.equal(counts.breaks, 1, 'what was left out still breaks');
});
