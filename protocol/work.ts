/**
 * What the steps of a plan in words ask for, and what became of them: part of a request that is carried out, and of a
 * task in words.
 */
import * as z from 'zod';
import { planSearchReport, planStep } from './plan-search.js';
import { block, file } from './words.js';

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
    diff: z.string().optional().describe('What was newly written for it, as a unified diff.'),
  })
  .describe('What one step of the plan asks for, and what became of it.');

export const plannedWork = {
  steps: z.array(planStep),
  text: z.string().describe('The plan in Markdown with its marks, to be edited and gone on from.'),
  search: planSearchReport
    .pick({ stop: true, message: true, usage: true, mode: true })
    .nullable()
    .describe('How the plan was found; null where it was given.'),
  work: z.array(work).describe('Empty before the stage `work`.'),
};

export type WorkEntry = z.infer<typeof work>;
