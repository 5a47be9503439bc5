/**
 * The evaluation on CodePlan's published cases: lays them out, scores every tree there is, and runs
 * the planner.
 */
import type { Evaluation, Planning } from '#protocol/evaluation.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { layOutCase, type LaidOutCase, type Prediction } from './laid-out-case.js';
import { PUBLISHED_CASES } from './published-cases.js';
import { newErrors, replayedPlan, type Approach, type Running } from './replayed-plan.js';
import { scoreTree } from './score.js';
import { treeOfDirectory, type Tree } from './tree.js';

export interface EvaluationOptions extends Running {
  /** Clone of the authors' package. */
  readonly packageDirectory: string;
  /** Folder with clones of the upstream repositories. */
  readonly upstreams: string;
  /** Cases by id; all when empty. */
  readonly only: readonly string[];
  /** Predicted trees of others: case and directory. */
  readonly trees: readonly { readonly id: string; readonly directory: string }[];
  /** Whether the package's own predictions are scored. */
  readonly predictions: boolean;
  readonly plan: boolean;
  /** Whether the planner also runs without parts of the context. */
  readonly ablations: boolean;
}

type Result = Evaluation['cases'][number]['results'][number];

/** Throws ServiceError when a clone or one of its objects is missing. */
export async function evaluateCodeplan(options: EvaluationOptions): Promise<Evaluation> {
  const cases: Evaluation['cases'] = [];
  for (const published of PUBLISHED_CASES.filter(({ id }) => options.only.length === 0 || options.only.includes(id))) {
    options.call.progress(`laying out ${published.id}`);
    const laidOut = await layOutCase(
      published,
      options.packageDirectory,
      options.upstreams,
      options.grammars,
      options.call.signal,
    );
    const results: Result[] = [];
    const add = async (
      approach: string,
      tree: Tree,
      more: { published?: Prediction['published']; planning?: Planning } = {},
    ): Promise<void> => {
      options.call.progress(`scoring ${approach} of ${published.id}`);
      results.push(await resultOf(laidOut, approach, tree, options, more));
    };
    await add('nothing', laidOut.source);
    await add('seeds alone', laidOut.seeded);
    if (options.predictions)
      for (const [approach, { tree, published: told }] of laidOut.predictions)
        await add(`package: ${approach}`, tree, { published: told });
    for (const { directory } of options.trees.filter(({ id }) => id === published.id))
      await add(directory, treeOfDirectory(directory, published.suffix));
    if (options.plan) {
      for (const approach of approachesOf(options)) {
        options.call.progress(`${approach} of ${published.id}`);
        const { tree, planning } = await replayedPlan(laidOut, approach, options);
        await add(`${approach}, replayed`, tree, { planning });
      }
    }
    cases.push({ id: published.id, results });
  }
  return { schema: SCHEMA_VERSION, oracle: options.oracle ?? null, cases };
}

const approachesOf = ({ oracle, ablations }: EvaluationOptions): readonly Approach[] => [
  'planning',
  ...(ablations ? (['planning without temporal context', 'planning without spatial context'] as const) : []),
  ...(oracle === undefined ? [] : (['repair'] as const)),
];

async function resultOf(
  laidOut: LaidOutCase,
  approach: string,
  tree: Tree,
  options: EvaluationOptions,
  more: { published?: Prediction['published']; planning?: Planning },
): Promise<Result> {
  const scores = await scoreTree(laidOut, tree, options.grammars, options.call.signal);
  const errors =
    options.oracle === undefined
      ? undefined
      : await newErrors(laidOut.source, tree, options.oracle, laidOut.published.suffix, options);
  return { approach, scores: { ...scores, newErrors: errors ?? null }, ...more };
}
