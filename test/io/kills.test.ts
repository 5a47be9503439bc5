/**
 * Processes that are killed with SIGKILL in the middle of writing, and what they left taken back
 * byte for byte. CODEPLAN_TEST_KILLS says how many kills of each kind of process have to be caught
 * half way, with some files as they were before and some as they are after.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Journal } from '#src/io/journal/journal.js';
import { initRepository } from '../support/git-repository.js';
import { pictureOf, rememberFolder } from '../support/picture.js';
import { PROGRAM } from '../support/program.js';
import { randomNumbers } from '../support/random-numbers.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { quickFolder, writeFiles } from '../support/temporary-folder.js';
import { SOURCES } from '../support/write-process.js';

const KILLS = process.env['CODEPLAN_TEST_KILLS'];
const STOPPER = new URL('../support/stop-while-writing.js', import.meta.url).href;
const WRITER = fileURLToPath(new URL('../support/write-process.js', import.meta.url));

interface Place {
  readonly root: string;
  readonly home: string;
  readonly state: string;
}

interface Phase {
  readonly code: number | null;
  /** What it wrote to standard error, without the calls of its write phase. */
  readonly said: string;
  readonly calls: number;
  /** Index of each call that changes what stands at a path of the tree. */
  readonly changes: readonly number[];
}

function emptyPlace(t: TestContext): Place & { readonly folder: string } {
  const folder = quickFolder(t);
  const [root, home] = [join(folder, 'root'), join(folder, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  return { folder, root, home, state: join(home, '.local', 'state', 'codeplan') };
}

/** Runs a process up to a call of its write phase and kills it there; to its end without one. */
async function run(home: string, command: readonly string[], stop: number | undefined): Promise<Phase> {
  const child = spawn(process.execPath, ['--import', STOPPER, ...command], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...(stop === undefined ? {} : { WRITE_PHASE_STOP: String(stop) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (stop !== undefined && said.includes(`write-phase ${stop} `)) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const calls = [...said.matchAll(/^write-phase (\d+) (\w+) (.*)$/gmu)];
  const changes = calls.filter(
    ([, , call = '', name = '']) => ['renameSync', 'linkSync', 'unlinkSync'].includes(call) && name.endsWith('.py'),
  );
  const otherwise = said.replace(/^write-phase .*\n?/gmu, '');
  return { code, said: otherwise, calls: calls.length, changes: changes.map(([, index]) => Number(index)) };
}

/** Git writes into its own folder whenever it is asked. */
function sources(root: string): string {
  return JSON.stringify(Object.entries(pictureOf(root)).filter(([path]) => !path.startsWith('.git')));
}

async function killAndRecover(
  t: TestContext,
  { folder, root, home, state }: Place & { readonly folder: string },
  commands: { readonly apply: readonly string[]; readonly undo: readonly string[] },
  halfWayLeast: number,
): Promise<void> {
  const before = sources(root);
  const reset = { apply: rememberFolder(folder), undo: () => undefined as void };
  const apply = await run(home, commands.apply, undefined);
  const after = sources(root);
  reset.undo = rememberFolder(folder);
  const undo = await run(home, commands.undo, undefined);
  assert.deepEqual([apply.code, undo.code], [0, 0], `${apply.code}: ${apply.said}; ${undo.code}: ${undo.said}`);
  assert.equal(sources(root), before);
  assert.notEqual(after, before);

  const random = randomNumbers(1);
  const counts = { kills: 0, apply: 0, undo: 0 };
  for (; counts.apply + counts.undo < halfWayLeast; counts.kills++) {
    const what = counts.kills % 2 === 0 ? 'apply' : 'undo';
    const { calls, changes } = what === 'apply' ? apply : undo;
    const [first = 0, last = 0] = [changes[0], changes.at(-1)];
    // One of six is killed anywhere in the phase, the others behind the first change and before the last.
    const stop =
      counts.kills % 6 === 5 ? Math.floor(random() * calls) : first + 1 + Math.floor(random() * (last - first));
    reset[what]();
    const { code } = await run(home, commands[what], stop);
    assert.equal(code, null, 'it was killed before it was done');
    const left = sources(root);
    if (left !== before && left !== after) counts[what]++;
    const journal = new Journal(state, root);
    assert.deepEqual(journal.log().damaged, []);
    const [entry] = journal.log().entries;
    if (entry !== undefined && entry.state !== 'undone') journal.undo(undefined);
    assert.equal(sources(root), before, `${what}, killed at call ${stop} of ${calls}`);
  }
  t.diagnostic(`${counts.kills} kills; half way: ${counts.apply} applies, ${counts.undo} undos`);
}

test('what a process that was killed while writing leaves is taken back byte for byte', async (t) => {
  const place = emptyPlace(t);
  writeFiles(place.root, SOURCES);
  const writer = (what: string): readonly string[] => [WRITER, what, place.state, place.root];
  await killAndRecover(t, place, { apply: writer('apply'), undo: writer('undo') }, Number(KILLS ?? 10));
});

test('so is what the whole program leaves', async (t) => {
  const place = emptyPlace(t);
  const callers = Array.from({ length: 10 }, (_, i) => [`job${i}.py`, SHOP['job.py']] as const);
  initRepository(place.root, { ...SHOP, ...Object.fromEntries(callers) });
  writeFileSync(join(place.root, 'store.py'), RENAMED_STORE);
  const program = (...args: string[]): readonly string[] => [PROGRAM, ...args, '--no-daemon', '--root', place.root];
  await killAndRecover(
    t,
    place,
    { apply: program('propagate', '--apply'), undo: program('undo') },
    KILLS === undefined ? 2 : Math.ceil(Number(KILLS) / 10),
  );
});
