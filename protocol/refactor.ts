/**
 * A refactoring: the seed edit, which the program makes itself, and all that follows from it. It is
 * answered with the document of `propagate`, in which the seed's steps have `how: seed`.
 */
import { z } from 'zod';
import { planOptions } from './propagate.js';
import { file } from './words.js';

const blockAsked = z
  .string()
  .min(1)
  .describe(
    '`path:Outer.inner`, a name that only one block has, or `path:line`; with `(types)` one overload; with `(name)` behind it a parameter or variable of the block, `(name#2)` the second of that name.',
  );

const renameOf = z.strictObject({ from: z.string().min(1), to: z.string().min(1) });

/** What is to be done, before anything follows from it. */
export const refactoring = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('rename'), block: blockAsked, to: z.string().min(1) }),
    z.strictObject({ kind: z.literal('rename-file'), from: file, to: file }),
    z.strictObject({
      kind: z.literal('move'),
      blocks: z.array(blockAsked).min(1).describe('`path:line` also means the statement at the margin on that line.'),
      to: file,
    }),
    z.strictObject({
      kind: z.literal('move-all'),
      from: file.describe('The file whose content goes to another one; it is deleted.'),
      to: file,
    }),
    z.strictObject({
      kind: z.literal('signature'),
      block: blockAsked,
      add: z.array(z.string().min(1)).optional().describe('New parameters, each as `name: type = default`.'),
      remove: z.array(z.string().min(1)).optional(),
      rename: z.array(renameOf).optional(),
      order: z.array(z.string().min(1)).optional().describe('All parameters in their new order.'),
      async: z.boolean().optional(),
    }),
  ])
  .describe('What a refactoring is asked to do.');

export const refactorParams = z.strictObject({
  refactoring,
  ...planOptions,
  related: z.boolean().optional().describe('Say what else is called like a renamed block. Nothing of it is renamed.'),
});

export type Refactoring = z.infer<typeof refactoring>;
export type RefactorParams = z.infer<typeof refactorParams>;
