/**
 * A request carried out: the plan, what each step asks for, and the edits with all that follows from them.
 */
import * as z from 'zod';
import { searchOptions } from './plan-search.js';
import { planOptions, propagateReport } from './propagate.js';
import { plannedWork } from './work.js';
import { schemaVersion } from './words.js';

export const doStage = z.enum(['plan', 'work', 'edits']);

export const doParams = z.strictObject({
  request: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .optional()
    .describe('What is wanted, in plain words; from the text of the plan when not given.'),
  plan: z
    .string()
    .max(1_000_000)
    .optional()
    .describe('A plan in Markdown to go on from; marks in front of steps (`[edit]`, `[create]`, `[use]`) are kept.'),
  stopAfter: doStage.optional().describe('Where to stop; `edits` when not given.'),
  search: z.string().min(1).max(100).optional().describe('A name of your own, to end the search by.'),
  ...searchOptions,
  ...planOptions,
});

export const doReport = z
  .strictObject({
    schema: schemaVersion,
    request: z.string(),
    stage: doStage.describe('How far it came.'),
    ...plannedWork,
    edits: propagateReport.nullable().describe('The plan of the edits; its run can be executed and undone.'),
    usage: z
      .strictObject({ calls: z.int().min(0), promptTokens: z.int().min(0), completionTokens: z.int().min(0) })
      .describe('Of the plan, of asking what its steps mean, and of the edits together.'),
    notes: z.array(z.string()),
  })
  .describe('A request in words, carried out as far as was asked.');

export type DoParams = z.infer<typeof doParams>;
export type DoReport = z.infer<typeof doReport>;
export type DoStage = z.infer<typeof doStage>;
