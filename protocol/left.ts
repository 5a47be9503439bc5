/**
 * What is left: the blocks that the repository's uncommitted edits affect, with what became of each.
 *
 * One list for lens, hints, the mode line, `codeplan status` and `codeplan/next`. A block goes from it by itself once
 * it fits again, with a commit, or when somebody dismisses it; applying a plan, rejecting a step, or starting
 * editor or daemon anew takes nothing from it.
 */
import * as z from 'zod';
import { affected, change, undecided } from './impact.js';
import { fileEdit } from './edits.js';
import { acceptable, open } from './propagate.js';
import { column, file, line, problem, schemaVersion, values } from './words.js';

const count = z.int().min(0);

/**
 * `open`: somebody has to look; `waiting`: it needs a value, a consent or a person before it can be edited; `rejected`:
 * its edit was left out and it is affected still; `dismissed`: a person said that it need not follow.
 */
export const leftState = z.enum(['open', 'waiting', 'rejected', 'dismissed']);

export const leftParams = z.strictObject({
  plan: z
    .boolean()
    .optional()
    .describe('Make the plan behind it too: what waits is known then, and `codeplan/next` answers at once.'),
  early: z
    .boolean()
    .optional()
    .describe(
      'While the repository is being read, answer from the part around what the client has open; where a changed ' +
        'name is said in many files, from the open ones alone. Either has `read`, and the whole can be asked for.',
    ),
  ahead: z
    .boolean()
    .optional()
    .describe(
      'Before it answers, look at what the first edits of the functions in the file that the client opened or ' +
        'edited last would affect, so that their hints come sooner. When it is cancelled, what it found is kept.',
    ),
});

export const read = z
  .strictObject({ files: count, of: count })
  .describe('How many files the answer is from, where it is a part; a complete one can be had later.');

export const leftEntry = affected
  .extend({
    id: z
      .string()
      .min(1)
      .describe('Names the entry as it stands: another text of the block, or another cause, is another entry.'),
    line: line.describe('Where to look: its first place, else the first line of the block.'),
    column,
    fact: z.string().min(1).describe('What is wrong in a few words, such as `missing argument: ttl`.'),
    state: leftState,
    needs: open.shape.needs.optional().describe('Of a waiting entry.'),
    beside: z.string().describe('What a person is told beside the fact, such as `possible, rejected`; mostly nothing.'),
  })
  .describe('A block that is left to do.');

export const leftCounts = z
  .strictObject({
    left: count.describe('All but the dismissed ones.'),
    breaks: count.describe('Those of them that do not fit any more.'),
    waiting: count,
    rejected: count,
    dismissed: count,
    undecided: count.describe('Places that no analysis can decide; not among those left.'),
  })
  .describe('How much is left.');

export const leftReport = z
  .strictObject({
    schema: schemaVersion,
    root: z.string().describe('Absolute path of the root.'),
    base: z.string(),
    changes: z.array(change),
    entries: z.array(leftEntry).describe('Those that break first, then by file and line.'),
    files: z
      .array(z.strictObject({ file, ids: z.array(z.string().min(1)) }))
      .describe('The entries that are left by file, for a list that is grouped so; without the dismissed ones.'),
    counts: leftCounts,
    says: z
      .array(z.string())
      .describe('What a person is told above the list, in lines: the sum, and what is not in it.'),
    undecided: z.array(undecided),
    complete: z.boolean(),
    read: read.optional(),
    problems: z.array(problem),
  })
  .describe('What is left.');

export const decideParams = z
  .strictObject({
    ids: z.array(z.string().min(1)).optional().describe('Entries of `codeplan/left`.'),
    as: z
      .enum(['dismissed', 'open', 'skipped'])
      .optional()
      .describe('What they are from now on; `skipped`: after all others.'),
    values: values.optional().describe('Expressions to plan with from now on; an empty one takes it back.'),
    accept: z.array(acceptable).optional().describe('What to do from now on though it takes consent.'),
  })
  .describe('What a person says of entries.');

export const decideReport = z.strictObject({ schema: schemaVersion, counts: leftCounts });

export const nextParams = z
  .strictObject({
    file: file.optional().describe('Where the cursor is.'),
    line: line.optional(),
    column: column.optional(),
    early: z
      .boolean()
      .optional()
      .describe(
        'Do not wait for the plan: where it does not stand, `planned` is false, and the edit comes with the answer ' +
          'to the same question, asked at the place and without this.',
      ),
  })
  .describe('Where the person is.');

export const previewLine = z
  .strictObject({
    line: line.describe('Line of the text as it is now that is taken away, or before which lines come.'),
    removed: z.array(z.string()),
    added: z.array(z.string()),
  })
  .describe('Lines that give way to others.');

export const nextReport = z
  .strictObject({
    schema: schemaVersion,
    counts: leftCounts,
    place: leftEntry.nullable().describe('Null when nothing is left but what was skipped or dismissed.'),
    number: count.describe('Which of those left it is, in the order in which they come; 0 for none.'),
    standing: z.string().describe('The same in words, such as `1 of 2 left`; empty for none.'),
    edit: z
      .strictObject({
        run: z.string().min(1).describe('The plan that it is of.'),
        step: z.int().min(1),
        files: z.array(file).describe('Files that it changes; mostly the one of the place.'),
        lines: z.array(previewLine).describe('What it changes in the file of the place.'),
      })
      .nullable()
      .describe('What `codeplan.take` would do; null where no rule has an edit.'),
    asks: open.nullable().describe('The value or consent that it waits for.'),
    planned: z.boolean().describe('Whether `edit` and `asks` are known; false only where the answer was wanted early.'),
    says: z
      .array(z.string())
      .describe('What a person is shown beside the place, in lines; where there is none, why there is none.'),
  })
  .describe('The next place to look at.');

export const takeParams = z.strictObject({ id: z.string().min(1).describe('An entry of `codeplan/left`.') });

export const takeReport = z
  .strictObject({ schema: schemaVersion, run: z.string().min(1), step: z.int().min(1), edits: z.array(fileEdit) })
  .describe('The edit of one entry, against the texts as they are now.');

export type LeftState = z.infer<typeof leftState>;
export type LeftParams = z.infer<typeof leftParams>;
export type LeftEntry = z.infer<typeof leftEntry>;
export type LeftCounts = z.infer<typeof leftCounts>;
export type LeftReport = z.infer<typeof leftReport>;
export type DecideParams = z.infer<typeof decideParams>;
export type DecideReport = z.infer<typeof decideReport>;
export type TakeParams = z.infer<typeof takeParams>;
export type TakeReport = z.infer<typeof takeReport>;
export type NextParams = z.infer<typeof nextParams>;
export type NextReport = z.infer<typeof nextReport>;
export type PreviewLine = z.infer<typeof previewLine>;
