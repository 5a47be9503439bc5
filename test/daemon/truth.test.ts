/** An answer is of what the disk holds at that moment, whatever was done to it a moment before. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ImpactReport } from '#protocol/impact.js';
import type { RefsReport } from '#protocol/graph.js';
import { eventually } from '../support/eventually.js';
import { commitAll, git, repository } from '../support/git-repository.js';
import { home, type Home } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { writeFiles } from '../support/temporary-folder.js';

async function warm(t: TestContext): Promise<{ readonly there: Home; readonly root: string }> {
  const root = repository(t, SHOP);
  const there = home(t);
  assert.equal((await there.run(root, 'daemon', 'start')).code, 0);
  await eventually('the index', async () => {
    const { stdout } = await there.run(root, 'status', '--json');
    return (JSON.parse(stdout) as { state: string }).state === 'ready' || undefined;
  });
  return { there, root };
}

async function impact(there: Home, root: string): Promise<ImpactReport> {
  const { stdout, stderr } = await there.run(root, 'impact', '--json');
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as ImpactReport;
}

async function referring(there: Home, root: string): Promise<string[]> {
  const { stdout, stderr } = await there.run(root, 'graph', 'refs', 'Store.put', '--json');
  assert.notEqual(stdout, '', stderr);
  return [...new Set((JSON.parse(stdout) as RefsReport).references.map(({ file }) => file))].sort();
}

test('a file that was moved into a folder made a moment before is seen at once, again and again', async (t) => {
  const { there, root } = await warm(t);
  for (let round = 0; round < 4; round++) {
    mkdirSync(join(root, `deep/p${round}/q`), { recursive: true });
    cpSync(join(root, 'job.py'), join(root, `deep/p${round}/q/job${round}.py`));
    assert.deepEqual(await referring(there, root), [
      ...Array.from({ length: round + 1 }, (_, i) => `deep/p${i}/q/job${i}.py`),
      'job.py',
      'report.py',
    ]);
  }
  mkdirSync(join(root, 'work'));
  renameSync(join(root, 'job.py'), join(root, 'work/job.py'));
  const { changes } = await impact(there, root);
  assert.ok(changes.some(({ file }) => file === 'work/job.py'));
  rmSync(join(root, 'deep'), { recursive: true });
  assert.deepEqual(await referring(there, root), ['report.py', 'work/job.py']);
});

test('a folder that was there empty is looked into', async (t) => {
  const { there, root } = await warm(t);
  mkdirSync(join(root, 'empty/below'), { recursive: true });
  assert.deepEqual(await referring(there, root), ['job.py', 'report.py']);
  cpSync(join(root, 'job.py'), join(root, 'empty/below/more.py'));
  assert.deepEqual(await referring(there, root), ['empty/below/more.py', 'job.py', 'report.py']);
});

test('a root that is removed and made anew is read anew', async (t) => {
  const { there, root } = await warm(t);
  rmSync(root, { recursive: true });
  mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main');
  writeFiles(root, { 'store.py': SHOP['store.py'], 'other.py': SHOP['job.py'] });
  commitAll(root, 'anew');
  assert.deepEqual(await referring(there, root), ['other.py']);
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const { changes } = await eventually('the edit in the new root', async () => {
    const report = await impact(there, root);
    return report.changes.length > 0 ? report : undefined;
  });
  assert.deepEqual(
    changes.map(({ file }) => file),
    ['store.py'],
  );
});

test('an answer that is given while git changes the tree says so, and the next one does not', async (t) => {
  const { there, root } = await warm(t);
  const lock = join(root, '.git/index.lock');
  writeFileSync(lock, '');
  const meanwhile = await impact(there, root);
  assert.equal(meanwhile.complete, false);
  assert.match(meanwhile.problems.map(({ message }) => message).join(), /git is changing the working tree/u);
  rmSync(lock);
  const after = await impact(there, root);
  assert.deepEqual([after.complete, after.problems], [true, []]);
});

test('after a checkout of another branch the answer is of that branch', async (t) => {
  const { there, root } = await warm(t);
  git(root, 'checkout', '-q', '-b', 'side');
  mkdirSync(join(root, 'aside'));
  renameSync(join(root, 'report.py'), join(root, 'aside/report.py'));
  commitAll(root, 'aside');
  assert.deepEqual(await referring(there, root), ['aside/report.py', 'job.py']);
  git(root, 'checkout', '-q', 'main');
  assert.deepEqual(await referring(there, root), ['job.py', 'report.py']);
  git(root, 'checkout', '-q', 'side');
  assert.deepEqual(await referring(there, root), ['aside/report.py', 'job.py']);
});
