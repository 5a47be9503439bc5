/**
 * `npm run fuzz -- <seconds> [target] [--seed n]`: random input of all sorts, until the time is over.
 *
 * Without a target every one runs that long, two at a time, each in a process of its own. Exit code 1: something was
 * found, and is printed with the smallest input that shows it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answers } from './answers.js';
import { protocol } from './protocol.js';
import { records } from './records.js';
import { sources } from './sources.js';
import { runTarget, type Target } from './target.js';

const TARGETS: readonly Target[] = [protocol, sources, answers, records];
const AT_ONCE = 2;
const USAGE = `npm run fuzz -- <seconds> [${TARGETS.map(({ name }) => name).join('|')}] [--seed <number>]`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function inProcess(name: string, seconds: number, seed: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), String(seconds), name, '--seed', String(seed)],
    { stdio: 'inherit' },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

async function all(seconds: number, seed: number): Promise<boolean> {
  const waiting = TARGETS.map(({ name }) => name);
  let good = true;
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      if (!(await inProcess(name, seconds, seed))) good = false;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return good;
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const [seconds, name] = [Number(positionals[0]), positionals[1]];
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const target = TARGETS.find((each) => each.name === name);
if (!(seconds > 0) || !Number.isInteger(seed) || (name !== undefined && target === undefined)) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  if (target === undefined) say(`seed ${seed}`);
  const good = target === undefined ? await all(seconds, seed) : await runTarget(target, seconds, seed, say);
  process.exitCode = good ? 0 : 1;
}
