/**
 * `npm run bench:fleet -- [--repositories <n>] [--language <name>] [--queue redis://…]`: a campaign over so many
 * small repositories, planned and given branches by one process or worker, and by two: how many a minute, how much of
 * the cores' time is spent in engines, and the memory of the process that hands the work out, by quarters of its life.
 *
 * `-- --consumer <dir> --change <file>`: what it costs to hear of a repository what a change file means to it, each
 * time from a process of its own, with a warm cache.
 *
 * CPU times are those of all processes beneath this one (Linux): a load beside them lengthens the wall alone.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import {
  FLEET_LANGUAGES,
  makeRepositories,
  syntheticFleet,
  type Consumer,
  type FleetLanguage,
  type SyntheticFleet,
} from '../test/support/synthetic-fleet.js';
import { writeFiles } from '../test/support/temporary-folder.js';
import { tableOf, type Figure } from './figure.js';
import { option } from './option.js';
import { percentile } from './timing.js';

const PROGRAM = fileURLToPath(new URL('../cli/main.js', import.meta.url));
const REPOSITORIES = 1000;
/** How often the process that hands out work is looked at. */
const LOOK_MS = 100;
const TIMES = 5;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
const QUARTERS = 4;

interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of the process that was started, without those that it started. */
  readonly ownMs: number;
  /** In order of time. */
  readonly residentMB: readonly number[];
}

interface Times {
  readonly own: number;
  readonly children: number;
}

function timesOf(pid: number | 'self'): Times | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // Behind the name, which may hold anything: the state, ten others, then times of its own and of its children.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (i: number): number => (fields[i] ?? 0) * TICK_MS;
  return { own: at(11) + at(12), children: at(13) + at(14) };
}

function residentOf(pid: number): number | undefined {
  const found = /^VmRSS:\s+(\d+) kB$/mu.exec(textOf(`/proc/${pid}/status`) ?? '')?.[1];
  return found === undefined ? undefined : Number(found) / 1024;
}

/** Undefined for a process that has ended meanwhile. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/** Runs the program to its end. */
async function spent(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Spent> {
  const before = timesOf('self')?.children ?? 0;
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${process.execPath} could not be started`);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const residentMB: number[] = [];
  let ownMs = 0;
  const timer = setInterval(() => {
    ownMs = timesOf(pid)?.own ?? ownMs;
    const resident = residentOf(pid);
    if (resident !== undefined) residentMB.push(resident);
  }, LOOK_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  if (code !== 0 && code !== 1) throw new Error(`codeplan ${args.join(' ')} ended with ${code ?? 'a signal'}: ${said}`);
  const cpuMs = (timesOf('self')?.children ?? 0) - before;
  return { wallMs: performance.now() - began, cpuMs, ownMs, residentMB };
}

/** Folders of their own for all that the program keeps. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const kept = (name: string): string => join(folder, name);
  mkdirSync(kept('run'), { recursive: true, mode: 0o700 });
  return {
    ...process.env,
    XDG_RUNTIME_DIR: kept('run'),
    XDG_CACHE_HOME: kept('cache'),
    XDG_STATE_HOME: kept('state'),
    XDG_CONFIG_HOME: kept('config'),
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
}

/** A library at two versions, and as many repositories as were asked for, with all kinds of uses. */
async function laidOut(folder: string, language: FleetLanguage, count: number): Promise<void> {
  const fleet: SyntheticFleet = syntheticFleet(language);
  writeFiles(join(folder, 'from'), fleet.from);
  writeFiles(join(folder, 'to'), fleet.to);
  const consumers: Consumer[] = [];
  for (let copy = 1; consumers.length < count; copy++)
    consumers.push(...syntheticFleet(language, `-${copy}`).consumers.slice(0, count - consumers.length));
  makeRepositories(join(folder, 'repositories'), consumers);
  const env = environmentIn(join(folder, 'diff'));
  await spent(['api', 'diff', 'from', 'to', '--out', 'change.json', '--quiet'], folder, env);
}

/** The campaign from its beginning until each repository has its branch. */
async function campaign(folder: string, workers: number, queue: string | undefined): Promise<readonly Spent[]> {
  const home = join(folder, `by-${workers}`);
  const env = environmentIn(home);
  const started: ChildProcess[] = [];
  for (let i = 0; queue !== undefined && i < workers; i++) {
    const args = ['fleet', 'worker', '--queue', queue, '--work', join(home, `worker-${i}`), '--quiet'];
    started.push(spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env, stdio: 'ignore' }));
  }
  const work = queue === undefined ? ['--parallel', String(workers)] : ['--queue', queue];
  const name = `by-${workers}`;
  const plan = ['plan', 'change.json', '--repositories', 'repositories', '--name', name];
  const phases = [
    await spent(['fleet', ...plan, ...work, '--quiet'], folder, env),
    await spent(['fleet', 'run', name, ...work, '--quiet'], folder, env),
  ];
  for (const child of started) {
    const over = once(child, 'close');
    child.kill('SIGTERM');
    await over;
  }
  return phases;
}

const sum = (phases: readonly Spent[], of: (each: Spent) => number): number =>
  phases.reduce((total, each) => total + of(each), 0);

function figuresOf(phases: readonly Spent[], workers: number, count: number, queue: string | undefined): Figure[] {
  const group = `${workers} at once`;
  const wall = sum(phases, ({ wallMs }) => wallMs);
  const own = sum(phases, ({ ownMs }) => ownMs);
  const figures: Figure[] = [
    { group, name: 'repositories a minute', value: (count * 60_000) / wall, unit: '/min' },
    { group, name: 'CPU of what hands out, a repository', value: own / count, unit: 'ms' },
  ];
  // Workers have lives of their own, and their times are known at their end.
  if (queue === undefined) {
    const engines = sum(phases, ({ cpuMs }) => cpuMs) - own;
    figures.push(
      { group, name: 'CPU of engines, a repository', value: engines / count, unit: 'ms' },
      {
        group,
        name: 'of all CPU time, in engines',
        value: engines / (engines + own),
        unit: 'x',
        bound: 0.9,
        atLeast: true,
      },
      {
        group,
        name: 'of the time of these cores, in engines',
        value: engines / (wall * workers),
        unit: 'x',
        bound: 0.9,
        atLeast: true,
      },
    );
  }
  for (const [i, { residentMB }] of phases.entries())
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      const part = residentMB.slice(
        (quarter * residentMB.length) / QUARTERS,
        ((quarter + 1) * residentMB.length) / QUARTERS,
      );
      if (part.length === 0) continue;
      const name = `memory of what hands out, ${i === 0 ? 'plan' : 'run'}, quarter ${quarter + 1}`;
      figures.push({ group, name, value: percentile(part, 1), unit: 'MB' });
    }
  return figures;
}

async function campaigns(): Promise<Figure[]> {
  const count = Number(option('--repositories') ?? REPOSITORIES);
  const language = FLEET_LANGUAGES.find((each) => each === (option('--language') ?? 'python'));
  if (language === undefined || !(count > 0)) throw new Error(`--language is one of ${FLEET_LANGUAGES.join(', ')}`);
  const queue = option('--queue');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codeplan-bench-')));
  try {
    await laidOut(folder, language, count);
    const one = await campaign(folder, 1, queue);
    const two = await campaign(folder, 2, queue);
    const [first, second] = [one, two].map((phases) => sum(phases, ({ wallMs }) => wallMs));
    const faster = (first ?? 0) / (second ?? 1);
    return [
      ...figuresOf(one, 1, count, queue),
      ...figuresOf(two, 2, count, queue),
      {
        group: 'both',
        name: 'two against one',
        value: faster,
        unit: 'x',
        bound: 1.8,
        atLeast: true,
        on: `${count} repositories, ${language}`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function consumer(root: string, change: string): Promise<Figure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codeplan-bench-')));
  try {
    const env = environmentIn(folder);
    const args = ['impact', '--root', root, '--change', change, '--json', '--no-daemon', '--quiet'];
    const cold = await spent(args, root, env);
    const warm: Spent[] = [];
    for (let i = 0; i < TIMES; i++) warm.push(await spent(args, root, env));
    const middle = (of: (each: Spent) => number): number => percentile(warm.map(of), 0.5);
    const group = root;
    return [
      { group, name: 'impact of a change file, first, CPU', value: cold.cpuMs, unit: 'ms' },
      { group, name: 'again, CPU', value: middle(({ cpuMs }) => cpuMs), unit: 'ms' },
      { group, name: 'again, wall', value: middle(({ wallMs }) => wallMs), unit: 'ms' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [root, change] = [option('--consumer'), option('--change')];
const figures =
  root === undefined || change === undefined ? await campaigns() : await consumer(resolve(root), resolve(change));
for (const line of tableOf(figures)) console.log(line);
