/** One holder at a time, and none for ever. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holderOf, tryLock } from '#src/io/process/process-lock.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a lock is held until it is released', (t) => {
  const path = join(temporaryFolder(t), 'lock');
  const lock = tryLock(path);
  assert.ok(lock !== undefined);
  assert.equal(holderOf(path), process.pid);
  assert.equal(tryLock(path), undefined);
  lock.release();
  assert.equal(holderOf(path), undefined);
  const again = tryLock(path);
  assert.ok(again !== undefined);
  again.release();
  assert.deepEqual(readdirSync(join(path, '..')), [], 'nothing is left behind');
});

test('the lock of a process that was killed is taken over', async (t) => {
  const path = join(temporaryFolder(t), 'lock');
  const module = new URL('../../io/process/process-lock.js', import.meta.url).href;
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { tryLock } from ${JSON.stringify(module)}; tryLock(${JSON.stringify(path)}); ` +
        `console.log('held'); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  assert.equal(holderOf(path), child.pid);
  assert.equal(tryLock(path), undefined);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.notEqual(tryLock(path), undefined);
});

test('the lock of a process that was killed is taken over while its parent has not noticed', async (t) => {
  const path = join(temporaryFolder(t), 'lock');
  const module = new URL('../../io/process/process-lock.js', import.meta.url).href;
  // The shell becomes a program that never asks for its child's exit code.
  const parent = spawn(
    'sh',
    [
      '-c',
      '"$0" --input-type=module -e "$1" & exec sleep 60',
      process.execPath,
      `import { tryLock } from ${JSON.stringify(module)}; tryLock(${JSON.stringify(path)}); ` +
        `console.log('held'); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => parent.kill());
  await once(parent.stdout, 'data');
  const holder = holderOf(path);
  assert.ok(holder !== undefined);
  process.kill(holder, 'SIGKILL');
  await eventually('the end', () => holderOf(path) === undefined || undefined);
  assert.doesNotThrow(() => process.kill(holder, 0), 'the process is still listed');
  assert.notEqual(tryLock(path), undefined);
});

test('a process id that is used again by another process holds nothing', (t) => {
  const path = join(temporaryFolder(t), 'lock');
  writeFileSync(path, `${process.pid} 1\n`);
  assert.notEqual(tryLock(path), undefined);
});
