/**
 * Ways from a request to its context, compared on tasks: what each takes in tokens, and what of the right symbols is in
 * it and in code that a model writes from it.
 *
 * A task is a request for a library with the names that a right answer calls. A way that needs a model which is not
 * configured, or whose model fails, is said to be so and counts in no mean.
 */
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import type { PlanComparison } from '#protocol/evaluation.js';
import { planMode, type PlanMode, type PlanSearchReport } from '#protocol/plan-search.js';
import { language, SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { ServiceError, type Call, type CreateEngine, type Service } from '../engine/service.js';
import { readGivenFile } from '../io/disk/given-file.js';
import { rootOf } from '../io/disk/root.js';
import { recallOf } from '../search/scorer.js';
import type { Grammars } from '../syntax/grammar.js';
import { apiOverlap, calledNames } from './api-overlap.js';

const taskLine = z.strictObject({
  id: z.string().min(1),
  root: z.string().min(1).describe('Folder of the library, relative to the file of tasks.'),
  request: z.string().min(1),
  apis: z.array(z.string().min(1)).describe('Names that a right answer calls.'),
  language: language.optional(),
  exclude: z.array(z.string().min(1)).optional(),
});
type Task = z.infer<typeof taskLine>;

export interface ComparisonOptions {
  readonly tasks: string;
  readonly modes: readonly PlanMode[];
  /** Answers with code for each task and mode; 0: none. */
  readonly codegen: number;
  readonly budget: number | undefined;
  readonly createEngine: CreateEngine;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly grammars: Grammars;
  readonly call: Call;
}

type Result = PlanComparison['results'][number];

/** Throws ServiceError: settings, for a file of tasks that cannot be read. */
export async function comparePlans(options: ComparisonOptions): Promise<PlanComparison> {
  const results: Result[] = [];
  for (const task of tasksIn(options.tasks)) {
    const root = rootOf(resolve(dirname(options.tasks), task.root));
    const { environment, workingDirectory } = options;
    const engine = options.createEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
    const service = engine.connect({ id: 'eval', name: 'codeplan eval plans', workingDirectory, environment });
    try {
      for (const mode of options.modes) {
        options.call.progress(`${task.id}: ${mode}`);
        results.push(await compared(task, mode, service, options));
      }
    } finally {
      await service.close();
      await engine.close();
    }
  }
  return { schema: SCHEMA_VERSION, modes: options.modes.map((mode) => meansOf(mode, results)), results };
}

async function compared(task: Task, mode: PlanMode, service: Service, options: ComparisonOptions): Promise<Result> {
  const { call, codegen } = options;
  const began = performance.now();
  const none = { task: task.id, mode, steps: 0, tokens: null, recall: null, overlaps: [], calls: 0 };
  try {
    const report = await service.ask(
      'codeplan/planSearch',
      {
        request: task.request,
        mode,
        prompt: 'full',
        plans: 1,
        ...(task.exclude === undefined ? {} : { exclude: task.exclude }),
        ...(options.budget === undefined ? {} : { budget: options.budget }),
      },
      call,
    );
    const text = report.prompt?.text;
    if (text === undefined) return { ...none, seconds: since(began), failure: report.message ?? 'no plan was found' };
    const written =
      codegen === 0
        ? undefined
        : await service.ask('codeplan/planCode', { request: task.request, text, n: codegen }, call);
    const overlaps = (written?.samples ?? []).flatMap(
      ({ code }) => apiOverlap(calledNames(options.grammars, task.language ?? 'python', code), task.apis) ?? [],
    );
    return {
      ...none,
      steps: report.plans[0]?.steps.length ?? 0,
      tokens: report.prompt?.tokens ?? 0,
      recall: recallIn(report, task),
      overlaps,
      calls: report.usage.calls,
      seconds: since(began),
      ...(report.message === undefined ? {} : { cut: report.message }),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...none, seconds: since(began), failure: error.message };
  }
}

/** Null for a mode without a plan, and for a task without names. */
function recallIn({ plans }: PlanSearchReport, { apis }: Task): number | null {
  const [best] = plans;
  if (best === undefined || apis.length === 0) return null;
  const steps = best.steps.map(({ intent, symbols }) => ({
    intent,
    symbols: symbols.map((symbol) => ({ ...symbol, id: `${symbol.file}:${symbol.block}` })),
  }));
  return recallOf({ steps }, apis);
}

const since = (began: number): number => Math.round(performance.now() - began) / 1000;

/** Best and average of each task first, then their means over the tasks. */
function meansOf(mode: PlanMode, all: readonly Result[]): PlanComparison['modes'][number] {
  const own = all.filter((result) => result.mode === mode);
  const done = own.filter(({ failure }) => failure === undefined);
  const coded = done.filter(({ overlaps }) => overlaps.length > 0);
  return {
    mode,
    tasks: done.length,
    failed: own.length - done.length,
    tokens: mean(done.flatMap(({ tokens }) => tokens ?? [])),
    steps: mean(done.map(({ steps }) => steps)),
    recall: mean(done.flatMap(({ recall }) => recall ?? [])),
    overlapBest: mean(coded.map(({ overlaps }) => Math.max(...overlaps))),
    overlapMean: mean(coded.flatMap(({ overlaps }) => mean(overlaps) ?? [])),
    calls: mean(done.map(({ calls }) => calls)),
    seconds: mean(done.map(({ seconds }) => seconds)),
  };
}

const mean = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Some hundred thousand tasks: a larger file is not a list of them. */
const TASKS_BYTES_MOST = 64 * 1024 * 1024;

function tasksIn(path: string): Task[] {
  const name = shownName(path);
  const text = readGivenFile(path, 'the tasks', TASKS_BYTES_MOST);
  const lines = text.split('\n').map((line, at) => ({ line, at: at + 1 }));
  const tasks = lines.filter(({ line }) => line.trim() !== '').map(({ line, at }) => taskIn(line, `${name}:${at}`));
  if (tasks.length === 0) throw new ServiceError('settings', `${name} has no task: give one JSON object a line`);
  return tasks;
}

function taskIn(line: string, place: string): Task {
  try {
    return taskLine.parse(JSON.parse(line));
  } catch {
    throw new ServiceError(
      'settings',
      `${place} is no task: give {"id": "…", "root": "…", "request": "…", "apis": ["…"]}`,
    );
  }
}

/** Throws ServiceError: settings. */
export function modesIn(text: string): PlanMode[] {
  return text.split(',').map((name) => {
    const mode = planMode.safeParse(name.trim());
    if (mode.success) return mode.data;
    throw new ServiceError('settings', `${shownName(name)} is no mode; there are ${planMode.options.join(', ')}`);
  });
}
