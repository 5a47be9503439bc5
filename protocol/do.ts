/**
 * A request carried out: the plan, what each step asks for, and the edits with all that follows from them.
 */
import * as z from 'zod';
import { planSearchReport, planStep, searchOptions } from './plan-search.js';
import { planOptions, propagateReport } from './propagate.js';
import { block, file, schemaVersion } from './words.js';

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

export const work = z
  .strictObject({
    step: z.int().min(1).describe('Number of the step in the plan.'),
    kind: z
      .enum(['edit', 'create', 'use', 'unclear'])
      .describe('What it asks for; `unclear` where nobody said and the words leave it open.'),
    by: z.enum(['person', 'model', 'words']).describe('Who said so.'),
    blocks: z.array(z.strictObject({ file, block })).describe('What is edited.'),
    file: file.optional().describe('Where something new should go.'),
    name: z.string().optional().describe('What it should be called.'),
    state: z
      .enum(['planned', 'done', 'open'])
      .describe('`done`: written as part of the edits below, or nothing has to be done. `open`: by hand.'),
    reason: z.string().optional().describe('Why it is open.'),
  })
  .describe('What one step of the plan asks for, and what became of it.');

export const doReport = z
  .strictObject({
    schema: schemaVersion,
    request: z.string(),
    stage: doStage.describe('How far it came.'),
    steps: z.array(planStep),
    text: z.string().describe('The plan in Markdown with its marks, to be edited and gone on from.'),
    search: planSearchReport
      .pick({ stop: true, message: true, usage: true, mode: true })
      .nullable()
      .describe('How the plan was found; null where it was given.'),
    work: z.array(work).describe('Empty before the stage `work`.'),
    edits: propagateReport.nullable().describe('The plan of the edits; its run can be executed and undone.'),
    notes: z.array(z.string()),
  })
  .describe('A request in words, carried out as far as was asked.');

export type DoParams = z.infer<typeof doParams>;
export type DoReport = z.infer<typeof doReport>;
export type DoStage = z.infer<typeof doStage>;
export type WorkEntry = z.infer<typeof work>;
