/** `codeplan hook`: silent but for what breaks, and never a failure of the host. */
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { answerFor, readEvent } from '#src/agents/hook-event.js';
import { textOf } from '#src/cli/hook.js';
import { estimateTokens } from '#src/context/tokens.js';
import { commitAll, repository } from '../support/git-repository.js';
import { home, type Home } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import * as z from 'zod';

/** What the hook says to an event on its standard input. */
async function saying(
  { start }: Home,
  folder: string,
  event: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const hook = start(folder, 'hook');
  let [out, err] = ['', ''];
  hook.stdout.on('data', (chunk) => (out += String(chunk)));
  hook.stderr.on('data', (chunk) => (err += String(chunk)));
  hook.stdin.on('error', () => undefined);
  hook.stdin.end(event);
  const code = await new Promise<number | null>((resolve) => hook.once('close', resolve));
  return { code, out, err };
}

const edit = (root: string, file: string): string =>
  JSON.stringify({
    hook_event_name: 'PostToolUse',
    session_id: 's',
    cwd: root,
    tool_name: 'Edit',
    tool_input: { file_path: join(root, file), old_string: 'put', new_string: 'insert' },
  });

test('an edit that breaks others is told in the form of the host; one that breaks nothing is not', async (t) => {
  const root = repository(t, SHOP);
  const own = home(t, { CODEPLAN_HOOK_MS: '120000' });
  // The daemon of the root answers; the hook itself waits for none to start.
  assert.equal((await own.run(root, 'daemon', 'start', '--root', root)).code, 0);
  assert.equal((await own.run(root, 'impact', '--root', root)).code, 0);
  const calm = await saying(own, root, edit(root, 'store.py'));
  assert.deepEqual(calm, { code: 0, out: '', err: '' });
  writeFileSync(join(root, 'store.py'), RENAMED_STORE);
  await own.run(root, 'impact', '--root', root);
  const { code, out } = await saying(own, root, edit(root, 'store.py'));
  assert.equal(code, 0);
  const said = z
    .object({
      hookSpecificOutput: z.object({ hookEventName: z.literal('PostToolUse'), additionalContext: z.string() }),
    })
    .parse(JSON.parse(out)).hookSpecificOutput.additionalContext;
  assert.match(said, /^codeplan: the edit of store\.py breaks 2 blocks in 2 files:\njob\.py:5 save: /);
  assert.ok(estimateTokens(said) <= 300);
  assert.equal((await saying(own, root, edit(root, 'log.py'))).out, '');

  renameSync(join(root, 'store.py'), join(root, 'größe.py'));
  writeFileSync(join(root, 'größe.py'), SHOP['store.py']);
  for (const user of ['job.py', 'report.py'] as const)
    writeFileSync(join(root, user), SHOP[user].replace('from store', 'from größe'));
  commitAll(root, 'renamed');
  writeFileSync(join(root, 'größe.py'), RENAMED_STORE);
  await own.run(root, 'impact', '--root', root);
  const whole = await saying(own, root, edit(root, 'größe.py'));
  assert.match(whole.out, /breaks 2 blocks/, 'a name that is not of ASCII');
});

test('what is no edit, or none of this repository, is passed over in silence', async (t) => {
  const root = repository(t, SHOP);
  const own = home(t);
  const silent = { code: 0, out: '', err: '' };
  for (const event of [
    '',
    'no json',
    '[]',
    '{"tool_name":"Bash"}',
    edit('/nowhere', 'store.py'),
    edit(root, 'gone.py'),
    'x'.repeat(3_000_000),
  ])
    assert.deepEqual(await saying(own, root, event), silent);
});

test('a host never waits longer than it was told', { timeout: 60_000 }, async (t) => {
  const root = repository(t, SHOP);
  const hasty = home(t, { CODEPLAN_HOOK_MS: '50' });
  const silent = { code: 0, out: '', err: '' };
  // None runs: it is started for the next time, and comes too late for this one.
  assert.deepEqual(await saying(hasty, root, edit(root, 'store.py')), silent);

  const own = home(t, { CODEPLAN_HOOK_MS: '500' });
  writeFileSync(join(root, 'store.py'), RENAMED_STORE);
  const started = await own.run(root, 'daemon', 'start', '--root', root, '--json');
  const { pid } = z.object({ pid: z.int() }).parse(JSON.parse(started.stdout));
  process.kill(pid, 'SIGSTOP');
  try {
    const before = performance.now();
    assert.deepEqual(await saying(own, root, edit(root, 'store.py')), silent);
    assert.ok(performance.now() - before < 8000, 'less than a daemon that stands still is waited for elsewhere');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

test('an event that comes in pieces is read whole, wherever they end', async () => {
  const event = edit('/größe', '日本.py');
  const bytes = Buffer.from(event, 'utf8');
  for (let at = 1; at < bytes.length; at++) {
    const pieces = Readable.from([bytes.subarray(0, at), bytes.subarray(at)], { objectMode: false });
    assert.equal(await textOf(pieces, new AbortController().signal), event);
  }
});

test('events of the hosts are read, and answered as each wants it', () => {
  const cursor = readEvent(
    '{"hook_event_name":"afterFileEdit","file_path":"/w/a.py","edits":[],"workspace_roots":["/v","/w"]}',
  );
  assert.deepEqual(cursor, { file: '/w/a.py', folder: '/w', event: undefined });
  assert.equal(answerFor(cursor, 'breaks'), 'breaks');
  const claude = readEvent(edit('/w', 'a.py'));
  assert.deepEqual(claude, { file: '/w/a.py', folder: '/w', event: 'PostToolUse' });
  assert.equal(
    readEvent('{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"a.py"}}'),
    undefined,
  );
});
