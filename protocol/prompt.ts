/**
 * The prompt document: what would be sent to a model for one step, to whom, and about how much.
 *
 * Answered to `codeplan/prompt` and printed by `codeplan explain --prompt`; nothing is sent.
 */
import * as z from 'zod';
import { modelChoice } from './propagate.js';
import { baseline, block, file, schemaVersion, shownPrompt } from './words.js';

export const promptParams = z
  .strictObject({
    ...baseline,
    step: z.string().min(1).describe('The step: its number in the plan, or its block as `path::Outer.inner`.'),
    model: modelChoice.optional().describe('Who would be asked; the configured endpoint when not given.'),
    without: z
      .array(z.enum(['temporal', 'spatial']))
      .optional()
      .describe('Parts of the context to leave out.'),
    instruction: z.string().optional().describe('The task in words.'),
  })
  .refine((params) => [params.base, params.baseDir, params.change].filter((given) => given !== undefined).length <= 1, {
    error: 'give one of `base`, `baseDir` and `change`',
  });

export const promptReport = z
  .strictObject({
    schema: schemaVersion,
    file,
    block,
    with: z
      .array(z.strictObject({ file, block }))
      .optional()
      .describe('Further blocks that the same question asks about, since they are affected in the same way.'),
    ...shownPrompt.shape,
    leftOut: z
      .array(z.string())
      .optional()
      .describe('Context that was left out so that the prompt keeps to `model.promptTokens`.'),
    refused: z.string().optional().describe('Why it would not be sent.'),
  })
  .describe('A prompt as it would be sent.');

export type PromptParams = z.infer<typeof promptParams>;
export type PromptReport = z.infer<typeof promptReport>;
