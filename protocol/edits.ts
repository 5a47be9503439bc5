/**
 * Edits as whole texts, for an editor that applies them to its own buffers.
 *
 * An edit is refused on any text but `before`; how it is cut into changes is the editor's choice.
 * Texts are without a byte order mark.
 */
import * as z from 'zod';
import { file, schemaVersion } from './words.js';

const before = z.string().describe('The whole text that the edit was computed from.');
const after = z.string().describe('The whole text afterwards.');

export const fileEdit = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('change'), file, before, after }),
    z.strictObject({ kind: z.literal('create'), file, after }),
    z.strictObject({ kind: z.literal('delete'), file, before }),
    z.strictObject({ kind: z.literal('rename'), file, to: file, before, after }),
  ])
  .describe('What is to happen to one file.');

export const editsReport = z
  .strictObject({ schema: schemaVersion, edits: z.array(fileEdit) })
  .describe("The edits of a run's steps.");

export type EditsReport = z.infer<typeof editsReport>;
