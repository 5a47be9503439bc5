/**
 * A plan as rows of text, for an editor that shows it: what is in a row, what hangs below it, and which steps a key on
 * it is about. All words are the server's, so that every editor shows the same.
 */
import * as z from 'zod';
import { file, line, schemaVersion } from './words.js';

export const rowsParams = z
  .strictObject({
    run: z.string().min(1),
    folded: z
      .record(z.string().min(1), z.boolean())
      .optional()
      .describe(
        'What a person folded (true) or unfolded (false), by the key of its row: then rows that are hidden are left ' +
          'out of the answer. Without it all rows come, hidden ones too.',
      ),
  })
  .describe('A plan of this session, with what was said of its steps.');

export const planRow = z
  .strictObject({
    key: z.string().min(1).describe('The same row has the same key when the rows are asked for again.'),
    kind: z.enum(['file', 'alike', 'step', 'open', 'hunk', 'context', 'added', 'removed']),
    level: z.int().min(0).describe('A row holds those of a higher level that follow it.'),
    text: z.string(),
    steps: z.array(z.int().min(0)).describe('Steps that the row stands for, to accept, reject or apply.'),
    hunk: z
      .int()
      .min(1)
      .optional()
      .describe('Of a row in a hunk that can be taken or left out by itself: which one of the step it is.'),
    place: z.strictObject({ file, line }).optional().describe('Where to go from it.'),
    isFolded: z.boolean().describe('Whether what it holds is hidden at first.'),
  })
  .describe('One line.');

export const rowsReport = z
  .strictObject({
    schema: schemaVersion,
    run: z.string().min(1),
    head: z.array(z.string()).describe('The sums, in lines.'),
    rows: z.array(planRow),
  })
  .describe('A plan to be looked at: by file, edits that are alike together, each with its difference.');

export type PlanRow = z.infer<typeof planRow>;
export type RowsReport = z.infer<typeof rowsReport>;
