/**
 * Mentions: places outside of code that say the name of what changed, as `impact` and `propagate`
 * list them. No scope says what they mean, so they are never part of what is affected.
 */
import * as z from 'zod';
import { column, file, line } from './words.js';

export const mentionKind = z
  .enum(['docs', 'comments', 'config'])
  .describe(
    'Texts for reading; comments and docstrings of sources, sentences in their strings, and strings that say the ' +
      'path of a file (which are listed only); files of all other kinds.',
  );

export const mention = z
  .strictObject({
    file,
    line,
    startColumn: column,
    endColumn: column,
    kind: mentionKind,
    rank: z
      .enum(['qualified', 'spelled', 'word'])
      .describe('What stands in front of the name leads to it; it is written as code is; it may be a word.'),
    name: z.string().min(1).describe('The last part of the name that is gone.'),
    replacement: z.string().optional().describe('What would be written there; absent where that is not clear.'),
    text: z.string().describe('The line, cut where it is long.'),
  })
  .describe('A place outside of code that says a name which changed.');

export type MentionKind = z.infer<typeof mentionKind>;
export type MentionEntry = z.infer<typeof mention>;
