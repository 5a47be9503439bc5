/**
 * The evaluation document of `codeplan eval codeplan`: the published cases of CodePlan, with the
 * scores of the package's predictions, of trees that were given, and of this planner with replay.
 */
import * as z from 'zod';
import { planMode } from './plan-search.js';
import { schemaVersion } from './words.js';

const count = z.int().min(0);

export const scores = z
  .strictObject({
    diffBleu: z.number().describe('Mean over the files that both diffs touch, as published.'),
    diffBleuStrict: z.number().describe('Mean over the files that either diff touches, 0 for one-sided ones.'),
    levenshtein: count,
    matched: count,
    missed: count,
    spurious: count,
    exact: count.describe("Matched blocks that have the target's text."),
    newErrors: count
      .nullable()
      .describe('Errors of the oracle that the source does not have; null when none was asked, or it could not run.'),
  })
  .describe('How like the target a tree is.');

export const planning = z
  .strictObject({
    derived: count.describe('Blocks that had to follow.'),
    missed: z.array(z.string()).describe('Those that the plan left as they were.'),
    questions: count,
    needless: count.describe('Questions that were answered with no change, for each block that they asked about.'),
    asked: count.describe('Blocks that the questions asked about.'),
    unchanged: count.describe('Those of them that were answered with no change.'),
    mechanical: count.describe('Blocks that a rule edited without a question.'),
    promptTokens: z
      .int()
      .min(0)
      .describe('What the questions that were known before the first one would send, by estimate.'),
    seconds: z.number().min(0),
    questionTokens: z
      .strictObject({
        total: count.describe('Of the prompts of all questions that were asked, by estimate.'),
        parts: z.array(z.strictObject({ part: z.string().min(1), tokens: count })),
        shared: z
          .number()
          .min(0)
          .max(1)
          .describe('How much of the questions after the first is the beginning of an earlier one.'),
      })
      .optional(),
  })
  .describe('What planning found; a replayed answer is never wrong.');

export const evaluation = z
  .strictObject({
    schema: schemaVersion,
    oracle: z.string().nullable(),
    cases: z.array(
      z.strictObject({
        id: z.string(),
        results: z.array(
          z.strictObject({
            approach: z.string(),
            scores,
            /** What the package says of its own prediction. */
            published: z
              .strictObject({
                diffBleu: z.number(),
                levenshtein: count,
                matched: count,
                missed: count,
                spurious: count,
              })
              .optional(),
            planning: planning.optional(),
          }),
        ),
      }),
    ),
  })
  .describe('The published cases, scored.');

export type Scores = z.infer<typeof scores>;
export type Planning = z.infer<typeof planning>;
export type Evaluation = z.infer<typeof evaluation>;

const share = z.number().min(0).max(1).nullable();

export const planComparison = z
  .strictObject({
    schema: schemaVersion,
    modes: z.array(
      z.strictObject({
        mode: planMode,
        tasks: count.describe('Those that it had an answer for; means are over these.'),
        failed: count,
        tokens: z.number().nullable().describe('Of the context, estimated on the high side.'),
        steps: z.number().nullable(),
        recall: share.describe('Share of the right names among the symbols of the plan.'),
        overlapBest: share.describe("Share of the right names that the best of a task's answers calls."),
        overlapMean: share,
        calls: z.number().nullable().describe('Questions to the model for the context alone.'),
        seconds: z.number().nullable(),
      }),
    ),
    results: z.array(
      z.strictObject({
        task: z.string(),
        mode: planMode,
        steps: count,
        tokens: count.nullable(),
        recall: share,
        overlaps: z.array(z.number().min(0).max(1)),
        calls: count,
        seconds: z.number(),
        cut: z.string().optional().describe('What ended the search early.'),
        failure: z.string().optional().describe('Why there is no answer.'),
      }),
    ),
  })
  .describe('Ways from a request to its context, compared on tasks.');

export type PlanComparison = z.infer<typeof planComparison>;
