/**
 * The evaluation document of `codeplan eval rrr`: tasks of writing a class, function or file, laid out by hand, with
 * what each way of generating made of them.
 */
import * as z from 'zod';
import { generateMode } from './generate.js';
import { schemaVersion } from './words.js';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** `task.json` of a task, beside its folder `repo`. */
export const rrrTask = z.strictObject({
  file: z.string().min(1),
  name: z.string().min(1).optional(),
  description: z.string().min(1),
  sketchy: z.string().min(1).optional().describe('A shorter description, for `--sketchy`.'),
  oracle: z.string().min(1).optional().describe('A preset; the parser and the names alone when not given.'),
  tests: z.array(z.string().min(1)).min(1).optional(),
});

export const rrrSample = z.strictObject({
  passed: z.boolean(),
  compiles: z.boolean().nullable(),
  testRate: share.nullable(),
  /** The try at which it passed; null where none did. */
  solvedAt: z.int().min(1).nullable(),
  tries: count,
  outcome: z.string(),
  message: z.string().optional(),
  tools: z.record(z.string(), count),
  calls: count,
  promptTokens: count,
  completionTokens: count,
});

export const rrrEvaluation = z
  .strictObject({
    schema: schemaVersion,
    samples: z.int().min(1),
    tasks: z.array(
      z.strictObject({
        id: z.string(),
        modes: z.array(z.strictObject({ mode: generateMode, samples: z.array(rrrSample) })),
      }),
    ),
    sums: z.array(
      z.strictObject({
        mode: generateMode,
        passAt: z.array(z.strictObject({ k: z.int().min(1), value: share })),
        testRate: share.nullable().describe('Mean share of the expected tests that passed.'),
        compileRate: share.nullable(),
        curve: z.array(share).describe('Share of samples that had passed by the first, second, … try.'),
        tools: z.record(z.string(), count),
        calls: count,
        tokens: count,
      }),
    ),
  })
  .describe('Generation, measured.');

export type RrrTask = z.infer<typeof rrrTask>;
export type RrrSample = z.infer<typeof rrrSample>;
export type RrrEvaluation = z.infer<typeof rrrEvaluation>;
