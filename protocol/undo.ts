/**
 * Taking applied runs back, and the list of them.
 *
 * Undo restores the bytes from before or refuses as a whole: a file whose text moved on since is
 * named in the error and nothing is written.
 */
import * as z from 'zod';
import { file, schemaVersion } from './words.js';

export const undoParams = z.strictObject({
  run: z.string().min(1).optional().describe('The newest applied run when not given.'),
});

export const undoReport = z
  .strictObject({
    schema: schemaVersion,
    run: z.string().min(1),
    files: z.array(file).describe('Files that were restored, removed or created again.'),
  })
  .describe('What an undo restored.');

export const logEntry = z.strictObject({
  run: z.string().min(1),
  time: z.iso.datetime().describe('When it was applied.'),
  title: z.string(),
  state: z
    .enum(['applied', 'undone', 'interrupted'])
    .describe('`interrupted`: the process died while writing; undo restores what was written.'),
  files: z.array(file),
});

export const damagedRun = z.strictObject({
  run: z.string().min(1),
  problem: z.string().describe('What does not add up.'),
  folder: z.string().describe('Where what is left of it lies, outside of the repository.'),
});

export const logReport = z
  .strictObject({
    schema: schemaVersion,
    entries: z.array(logEntry).describe('Newest first.'),
    damaged: z.array(damagedRun).describe('Runs whose record or contents are damaged: kept, and not taken back.'),
  })
  .describe('Runs that wrote to the disk.');

export type UndoParams = z.infer<typeof undoParams>;
export type UndoReport = z.infer<typeof undoReport>;
export type LogEntry = z.infer<typeof logEntry>;
export type LogReport = z.infer<typeof logReport>;
