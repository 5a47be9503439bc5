/**
 * Generation measured on tasks that somebody laid out: a folder a task, with `task.json` and the repository, without
 * what is to be written, in `repo`.
 *
 * Each sample has a copy of the repository of its own, which is gone afterwards; folders of the person are never worked
 * in. Tests of the tasks run only where that was allowed: they are programs.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GenerateParams, GenerateReport } from '#protocol/generate.js';
import { rrrTask, type RrrEvaluation, type RrrSample, type RrrTask } from '#protocol/rrr-evaluation.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { ServiceError, type Call, type CreateEngine } from '../engine/service.js';
import { ORACLE_CALLS_MOST, type Mode } from '../generate/task.js';
import { readGivenFile } from '../io/disk/given-file.js';
import { runGit } from '../io/process/run-git.js';
import { stateFolder } from '../io/disk/folders.js';
import { trustOffer } from '../io/settings/trust-offer.js';
import { grantTrust } from '../io/settings/trust.js';
import { passAtK } from './pass-at-k.js';

export interface RrrOptions {
  /** Folder of the tasks. */
  readonly data: string;
  /** Tasks by the name of their folder; all when empty. */
  readonly only: readonly string[];
  readonly modes: readonly Mode[];
  /** Tries at each task in each way. */
  readonly samples: number;
  readonly isSketchy: boolean;
  /** Whether the tests of tasks may be run. */
  readonly runsTests: boolean;
  readonly createEngine: CreateEngine;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly call: Call;
}

/** A task is a page of text. */
const TASK_BYTES_MOST = 1024 * 1024;
/** Largest k of Pass@k that is told. */
const K_MOST = 3;

/** Throws ServiceError: settings, for a folder without tasks, or a task that cannot be read; model, without one. */
export async function evaluateRrr(options: RrrOptions): Promise<RrrEvaluation> {
  const tasks: RrrEvaluation['tasks'] = [];
  for (const { id, folder, task } of tasksIn(options)) {
    const modes: RrrEvaluation['tasks'][number]['modes'] = [];
    for (const mode of options.modes) {
      const samples: RrrSample[] = [];
      for (let i = 1; i <= options.samples; i++) {
        options.call.progress(`${id}: ${mode}, ${i} of ${options.samples}`);
        samples.push(sampleOf(await sample(folder, task, mode, options)));
      }
      modes.push({ mode, samples });
    }
    tasks.push({ id, modes });
  }
  return {
    schema: SCHEMA_VERSION,
    samples: options.samples,
    tasks,
    sums: options.modes.map((mode) => sumOf(mode, tasks, options.samples)),
  };
}

interface LaidOutTask {
  readonly id: string;
  readonly folder: string;
  readonly task: RrrTask;
}

function tasksIn({ data, only }: RrrOptions): LaidOutTask[] {
  if (statSync(data, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ServiceError('settings', `${data} is no folder; give one that holds a folder a task`);
  const tasks = readdirSync(data)
    .sort()
    .filter((id) => only.length === 0 || only.includes(id))
    .flatMap((id): LaidOutTask[] => {
      const path = join(data, id, 'task.json');
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
      const read = rrrTask.safeParse(parsed(path));
      if (!read.success)
        throw new ServiceError(
          'settings',
          `${path} is no task: ${read.error.issues[0]?.message ?? 'it has another form'}`,
        );
      return [{ id, folder: join(data, id), task: read.data }];
    });
  if (tasks.length === 0)
    throw new ServiceError('settings', `${data} has no task: a task is a folder with task.json and repo`);
  return tasks;
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readGivenFile(path, 'the task', TASK_BYTES_MOST)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ServiceError('settings', `${path} is no JSON: ${error.message}`);
    throw error;
  }
}

async function sample(folder: string, task: RrrTask, mode: Mode, options: RrrOptions): Promise<GenerateReport> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'codeplan-rrr-')));
  try {
    const root = join(scratch, 'repo');
    cpSync(join(folder, 'repo'), root, { recursive: true });
    const { signal } = options.call;
    await knownToGit(root, signal);
    const environment = { ...options.environment, XDG_STATE_HOME: join(scratch, 'state') };
    if (options.runsTests && task.oracle !== undefined) {
      const offer = await trustOffer({ realRoot: root, environment }, [task.oracle], signal);
      grantTrust(stateFolder(environment), root, offer.grants);
    }
    const engine = options.createEngine({
      root,
      mode: 'in-process',
      watch: false,
      environment,
      log: options.call.progress,
    });
    const service = engine.connect({ id: 'evaluation', name: 'codeplan eval', workingDirectory: root, environment });
    try {
      return await service.ask('codeplan/generate', paramsOf(task, mode, options), options.call);
    } finally {
      await service.close();
      await engine.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A check gets the files that git knows: all of them, and not only sources. */
async function knownToGit(root: string, signal: AbortSignal): Promise<void> {
  const own = join(root, '.git');
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  const made = await runGit(own, ['init', '-q'], { signal, bare: true });
  const added = made.ok ? await runGit(root, ['add', '-A'], { signal, readsFiles: true }) : made;
  if (!added.ok) throw new ServiceError('settings', `git could not take in ${root}: ${added.stderr || added.kind}`);
}

const paramsOf = (
  { file, name, description, sketchy, oracle, tests }: RrrTask,
  mode: Mode,
  { isSketchy }: RrrOptions,
): GenerateParams => ({
  file,
  description: isSketchy ? (sketchy ?? description) : description,
  mode,
  oracle: oracle ?? false,
  model: 'none',
  ...(name === undefined ? {} : { name }),
  ...(tests === undefined ? {} : { tests }),
});

function sampleOf(report: GenerateReport): RrrSample {
  const best = report.attempts.find(({ number }) => number === report.best);
  const tools: Record<string, number> = {};
  for (const { tool } of report.attempts.flatMap(({ calls }) => calls)) tools[tool] = (tools[tool] ?? 0) + 1;
  const passed = report.outcome === 'passed';
  return {
    passed,
    compiles: best?.compiles ?? null,
    testRate: best?.tests === undefined ? null : Math.min(1, best.tests.passed / Math.max(1, best.tests.expected)),
    solvedAt: passed ? report.attempts.length : null,
    tries: report.attempts.length,
    outcome: report.outcome,
    ...(report.message === undefined ? {} : { message: report.message }),
    tools,
    calls: report.usage.calls,
    promptTokens: report.usage.promptTokens,
    completionTokens: report.usage.completionTokens,
  };
}

function sumOf(mode: Mode, tasks: RrrEvaluation['tasks'], n: number): RrrEvaluation['sums'][number] {
  const byTask = tasks.map(({ modes }) => modes.find((each) => each.mode === mode)?.samples ?? []);
  const all = byTask.flat();
  const tools: Record<string, number> = {};
  for (const each of all)
    for (const [tool, times] of Object.entries(each.tools)) tools[tool] = (tools[tool] ?? 0) + times;
  return {
    mode,
    passAt: Array.from({ length: Math.min(K_MOST, n) }, (_, i) => ({
      k: i + 1,
      value: mean(byTask.map((samples) => passAtK(n, samples.filter(({ passed }) => passed).length, i + 1))) ?? 0,
    })),
    testRate: mean(all.flatMap(({ testRate }) => testRate ?? [])),
    compileRate: mean(all.flatMap(({ compiles }) => (compiles === null ? [] : Number(compiles)))),
    curve: Array.from(
      { length: ORACLE_CALLS_MOST },
      (_, i) => mean(all.map(({ solvedAt }) => Number(solvedAt !== null && solvedAt <= i + 1))) ?? 0,
    ),
    tools,
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    tokens: all.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0),
  };
}

/** Null for no values. */
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
