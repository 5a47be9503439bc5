/**
 * The status document: what the index holds, how it is kept warm, and who is connected.
 *
 * Answered at once, also while the first index is being built; asking never starts a daemon.
 */
import * as z from 'zod';
import { leftCounts } from './left.js';
import { file, language, problem, schemaVersion } from './words.js';

const count = z.int().min(0);

export const status = z
  .strictObject({
    schema: schemaVersion,
    root: z.string(),
    version: z.string(),
    pid: count,
    mode: z.enum(['in-process', 'daemon']),
    uptimeSeconds: z.number().min(0),
    state: z.enum(['indexing', 'ready', 'failed']),
    files: count,
    blocks: count,
    names: count.describe('Distinct identifiers.'),
    languages: z.array(z.strictObject({ language, files: count, blocks: count, lines: count })),
    snapshot: count,
    pending: z.strictObject({
      files: count.describe('Files still to be read.'),
      events: count.describe('Watcher and editor events not yet taken in.'),
    }),
    broken: z
      .array(file)
      .describe('Files under edit whose text has syntax errors; their last good blocks are still used.'),
    memory: z.strictObject({ residentBytes: count, heapBytes: count, summaryBytes: count }),
    cache: z.strictObject({ directory: z.string(), entries: count, hits: count, misses: count, bytes: count }),
    watch: z.strictObject({
      mode: z.enum(['native', 'events', 'polling', 'none']),
      reason: z.string().optional().describe('Why it is not the native watcher.'),
    }),
    clients: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        openFiles: count.describe('Files whose text it has told.'),
        overlays: count.describe("Those of them whose text is not the disk's."),
        left: leftCounts.optional().describe('Of its edits, unsaved ones included, when it was last counted.'),
      }),
    ),
    left: leftCounts
      .optional()
      .describe('What is left of the edits that the disk holds. `codeplan status` adds it once the index stands.'),
    trusted: z
      .boolean()
      .nullable()
      .describe("Whether the repository's own commands and endpoints are trusted; null when it names none."),
    ignoredSettings: z
      .array(z.string())
      .describe("Settings of the repository's file that have no effect without trust."),
    problems: z.array(problem),
  })
  .describe('What the index holds and how it is kept warm.');

export type Status = z.infer<typeof status>;
