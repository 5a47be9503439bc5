/**
 * The generate document: a block or file that a model wrote for a description, what was tried on the way, and the plan
 * of what follows from it.
 *
 * Printed by `codeplan generate --json`, answered to `codeplan/generate`. The plan's run can be executed and undone as
 * that of `codeplan/plan`; its step 0 is what was generated.
 */
import * as z from 'zod';
import { planOptions, propagateReport } from './propagate.js';
import { file, schemaVersion, shownPrompt } from './words.js';

const count = z.int().min(0);

export const generateMode = z
  .enum(['rrr', 'reflexion', 'repocoder', 'rag', 'basic'])
  .describe(
    '`rrr`: snippets, oracle, tools, reflection; the others leave some of these out, for comparison: ' +
      '`reflexion` has oracle and reflection, `repocoder` snippets by what was generated before, `rag` ' +
      'snippets and one try, `basic` one try.',
  );

export const generateParams = z.strictObject({
  file: file.describe('Where it goes, relative to the root; the file need not exist.'),
  name: z
    .string()
    .min(1)
    .optional()
    .describe('Dotted path of the block, there already (it is written anew) or not; the whole file when not given.'),
  description: z.string().min(1).describe('What it is to be, in words.'),
  mode: generateMode.optional().describe('`rrr` when not given.'),
  tests: z
    .array(z.string().regex(/^[^-\s]\S*$/))
    .min(1)
    .max(500)
    .optional()
    .describe('Tests that are to pass: ids for `pytest`, classes for `maven-test`. One that does not run has failed.'),
  oracleCalls: z.int().min(1).max(20).optional().describe('Most looks of the oracle; 5 when not given.'),
  showTestSource: z.boolean().optional().describe('Whether the text of failing tests is told; true when not given.'),
  prompt: z.boolean().optional().describe('Answer with the first question, and send nothing.'),
  force: z.boolean().optional().describe('With `apply`: write it although the oracle does not pass it.'),
  ...planOptions,
});

export const generateAttempt = z
  .strictObject({
    number: z.int().min(1),
    compiles: z.boolean().nullable().describe('Null where no oracle looked at it.'),
    findings: count.nullable(),
    tests: z.strictObject({ passed: count, failed: count, expected: count }).optional(),
    feedback: z.string().describe('What the model was told of it.'),
    calls: z.array(z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
    notes: z.array(z.string()).describe('Calls that were left out, and why.'),
    reflection: z.string().optional(),
  })
  .describe('One candidate, and what was done after it.');

export const generateReport = z
  .strictObject({
    schema: schemaVersion,
    file,
    block: z.string().nullable(),
    mode: generateMode,
    outcome: z
      .enum([
        'passed',
        'exhausted',
        'fixpoint',
        'stagnant',
        'unchecked',
        'oracle',
        'model',
        'budget',
        'refused',
        'preview',
      ])
      .describe(
        'Why it ended. `fixpoint`: the same code came again and again; `stagnant`: the oracle said the same; ' +
          '`unchecked`: a mode without an oracle; `oracle`, `model`: it could not be asked; `refused`: no ' +
          'answer could be used.',
      ),
    message: z.string().optional(),
    oracle: z.string().nullable().describe('Null: the parser and the names alone.'),
    oracleCalls: count,
    attempts: z.array(generateAttempt),
    best: z.int().min(1).nullable().describe('Number of the attempt that the plan is about.'),
    code: z.string().nullable(),
    usage: z.strictObject({ calls: count, promptTokens: count, completionTokens: count }),
    plan: propagateReport.nullable().describe('Null where nothing came of it.'),
    prompt: shownPrompt.optional(),
  })
  .describe('What a model wrote, and what follows from it.');

export type GenerateParams = z.infer<typeof generateParams>;
export type GenerateReport = z.infer<typeof generateReport>;
