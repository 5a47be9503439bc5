/**
 * Runs the program itself on a case: from the state with all seeds, with a model that answers every
 * question with the target's text, or with no planning and only an oracle's errors to go by.
 *
 * The trees are written to folders of their own, which are gone afterwards. An oracle sees no more
 * than the case's sources: packages that they need must be installed where it looks.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Planning } from '#protocol/evaluation.js';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import type { Call, CreateEngine } from '../engine/service.js';
import type { Grammars } from '../syntax/grammar.js';
import { blockMetrics } from './block-metrics.js';
import type { LaidOutCase } from './laid-out-case.js';
import { treeOfDirectory, type Tree } from './tree.js';

export interface Running {
  readonly createEngine: CreateEngine;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly grammars: Grammars;
  readonly oracle?: string;
  readonly call: Call;
}

export interface Replayed {
  readonly tree: Tree;
  readonly planning: Planning;
}

/** Switches of one run: `repair` is the paper's oracle-guided repair; the last two leave a part of the context out. */
export type Approach = 'planning' | 'repair' | 'planning without temporal context' | 'planning without spatial context';

/** The predicted tree, and what was found. */
export async function replayedPlan(laidOut: LaidOutCase, approach: Approach, running: Running): Promise<Replayed> {
  const started = Date.now();
  const isRepair = approach === 'repair';
  const without = (['temporal', 'spatial'] as const).filter((part) => approach === `planning without ${part} context`);
  const { tree, report } = await propagated(
    laidOut.source,
    laidOut.seeded,
    {
      target: laidOut.target,
      repairOnly: isRepair,
      oracle: isRepair ? running.oracle : undefined,
      without,
      instruction: laidOut.published.instruction,
    },
    laidOut.published.suffix,
    running,
  );
  const { questions = [] } = report;
  const { missed } = blockMetrics(running.grammars, laidOut.seeded, laidOut.target, tree);
  const unexplained = laidOut.published.start.kind === 'follows' ? laidOut.published.start.unexplained : {};
  const explained = (block: { readonly file: string; readonly name: string }): boolean =>
    unexplained[block.file]?.some((name) => block.name.endsWith(name)) !== true;
  const derived = blockMetrics(running.grammars, laidOut.seeded, laidOut.target, laidOut.seeded).missed.filter(
    explained,
  ).length;
  const edited = new Set(report.steps.filter((step) => step.how === 'replay' && step.diff !== '').map(({ id }) => id));
  const asked = new Set(questions.flatMap(({ steps }) => steps));
  return {
    tree,
    planning: {
      derived,
      missed: missed.filter(explained).map((block) => `${block.file}::${block.name.replace(/^\w+ /, '')}`),
      questions: report.usage.calls,
      needless: questions.filter(({ steps }) => steps.every((id) => !edited.has(id))).length,
      asked: asked.size,
      unchanged: [...asked].filter((id) => !edited.has(id)).length,
      mechanical: report.steps.filter((step) => step.how === 'mechanical' && step.diff !== '').length,
      promptTokens: report.usage.estimated?.promptTokens ?? 0,
      seconds: Math.round((Date.now() - started) / 100) / 10,
      questionTokens: questionTokens(questions),
    },
  };
}

function questionTokens(questions: NonNullable<PropagateReport['questions']>): NonNullable<Planning['questionTokens']> {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const parts = new Map<string, number>();
  for (const { part, tokens } of questions.flatMap((question) => question.parts))
    parts.set(part, (parts.get(part) ?? 0) + tokens);
  const later = questions.slice(1);
  const laterTokens = sum(later.map(({ tokens }) => tokens));
  return {
    total: sum(questions.map(({ tokens }) => tokens)),
    parts: [...parts].map(([part, tokens]) => ({ part, tokens })),
    shared: laterTokens === 0 ? 0 : Math.round((1000 * sum(later.map(({ shared }) => shared))) / laterTokens) / 1000,
  };
}

/** Errors of an oracle that `predicted` has and `source` has not; undefined when it could not run. */
export async function newErrors(
  source: Tree,
  predicted: Tree,
  oracle: string,
  suffix: string,
  running: Running,
): Promise<number | undefined> {
  const { report } = await propagated(source, predicted, { repairOnly: true, oracle, without: [] }, suffix, running);
  return report.oracle?.after === null || report.oracle?.baseline === null ? undefined : report.oracle?.new.length;
}

interface What {
  readonly target?: Tree;
  readonly repairOnly: boolean;
  readonly oracle: string | undefined;
  readonly without: readonly ('temporal' | 'spatial')[];
  readonly instruction?: string;
}

async function propagated(
  source: Tree,
  edited: Tree,
  what: What,
  suffix: string,
  running: Running,
): Promise<{ tree: Tree; report: PropagateReport }> {
  const folder = mkdtempSync(join(tmpdir(), 'codeplan-case-'));
  try {
    const at = (name: string, tree: Tree): string => written(join(folder, name), tree);
    const root = at('tree', edited);
    const params: PropagateParams = {
      baseDir: at('source', source),
      model: what.target === undefined ? 'none' : `replay:${at('target', what.target)}`,
      maxCalls: 10_000,
      apply: true,
      oracle: what.oracle ?? false,
      without: [...what.without],
      questions: true,
      ...(what.instruction === undefined ? {} : { instruction: what.instruction }),
      ...(what.repairOnly ? { repairOnly: true } : {}),
    };
    const engine = running.createEngine({
      root,
      mode: 'in-process',
      watch: false,
      environment: { ...running.environment, XDG_STATE_HOME: join(folder, 'state') },
      log: running.call.progress,
    });
    const service = engine.connect({
      id: 'evaluation',
      name: 'codeplan eval',
      workingDirectory: root,
      environment: running.environment,
    });
    try {
      const report = await service.ask('codeplan/plan', params, running.call);
      return { tree: treeOfDirectory(root, suffix), report };
    } finally {
      await service.close();
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function written(folder: string, tree: Tree): string {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of tree) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
