/**
 * A refactoring: the seed edit, which the program makes itself, and all that follows from it. It is
 * answered with the document of `propagate`, in which the seed's steps have `how: seed`.
 */
import * as z from 'zod';
import { planOptions } from './propagate.js';
import { column, file, line, schemaVersion } from './words.js';

const blockAsked = z
  .string()
  .min(1)
  .describe(
    '`path:Outer.inner`, a name that only one block has, or `path:line`; `path:line:column` to rename ' +
      'exactly what is named there, a parameter or variable too; with `(types)` one overload; with `(name)` ' +
      'behind it a parameter or variable of the block, `(name#2)` the second of that name.',
  );

const renameOf = z.strictObject({ from: z.string().min(1), to: z.string().min(1) });

/** What is to be done, before anything follows from it. */
export const refactoring = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('rename'),
      block: blockAsked,
      to: z.string().min(1),
      keepExports: z
        .boolean()
        .optional()
        .describe('Packages go on to export it under its old name (`export { new as old }`, `import new as old`).'),
    }),
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
      parameters: z
        .string()
        .optional()
        .describe(
          'In place of all the above: every parameter as it is to be, in order, with commas between. A name ' +
            'that stays, `old -> new` for another name, `name: type = default` for a new one; what is not said ' +
            'goes.',
        ),
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

export const hereParams = z
  .strictObject({ file, line, column })
  .describe('A place, as an editor has it under its cursor.');

const named = { block: z.string().min(1).describe('What to give as the block.'), name: z.string().min(1) };

export const hereReport = z
  .strictObject({
    schema: schemaVersion,
    rename: z
      .strictObject({
        ...named,
        isExported: z.boolean().describe('Whether packages export it under its name, which `keepExports` would keep.'),
      })
      .nullable()
      .describe('What is named exactly there: a block, a parameter, a variable.'),
    signature: z
      .strictObject({
        ...named,
        parameters: z.string().describe('As `parameters` of the refactoring says them; to be edited.'),
        isAsync: z.boolean().nullable().describe('Null where the language knows no such functions.'),
        isHeader: z.boolean().describe('Whether the place is on its name.'),
      })
      .nullable()
      .describe('The function named there, else the innermost one around.'),
    move: z
      .strictObject({
        ...named,
        to: file.nullable().describe('A file of its own that it could have; null where it stands alone already.'),
        isHeader: z.boolean().describe('Whether the place is on its name.'),
      })
      .nullable()
      .describe('The block around the place that can stand in a file by itself.'),
  })
  .describe('What could be refactored at a place.');

export type HereParams = z.infer<typeof hereParams>;
export type HereReport = z.infer<typeof hereReport>;
