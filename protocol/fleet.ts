/**
 * The document of a campaign: one change of a library, and how far it is in each repository.
 *
 * Printed by `codeplan fleet plan|run|status|report --json`.
 */
import * as z from 'zod';
import { changeFile } from './api.js';
import { open, oracleVerdict } from './propagate.js';
import { block, file, line, schemaVersion } from './words.js';

export const fleetState = z
  .enum([
    'waiting',
    'not-affected',
    'affected',
    'planned',
    'needs-value',
    'needs-person',
    'checked',
    'proposed',
    'merged',
    'failed',
    'withdrawn',
  ])
  .describe(
    '`waiting`: nobody has looked; `affected`: it uses the library in a version that the change lies ahead ' +
      'of; `planned`: all that follows is known, and no branch is made; `checked`: its branch lies ready; ' +
      '`needs-value`, `needs-person`: something is open; `withdrawn`: its proposal was closed.',
  );

export const fleetStep = z
  .strictObject({
    file,
    block,
    line: line.optional(),
    reason: z.string().min(1),
    diff: z.string().describe('Unified diff; empty where it would make the report too long: it is on the branch.'),
  })
  .describe('A block that a repository’s plan edits, and why.');

export const fleetRepository = z
  .strictObject({
    key: z.string().min(1).describe('Names it in commands.'),
    source: z.string().min(1),
    owner: z.string(),
    state: fleetState,
    reason: z.string().min(1).describe('One sentence.'),
    attempt: z.int().min(1),
    wave: z.int().min(0).describe('Those of earlier waves are libraries to it, and go first.'),
    edits: z.int().min(0),
    files: z.array(file),
    steps: z.array(fleetStep).describe('Of the plan; no more than some tens, where `edits` counts them all.'),
    open: z.array(open),
    notes: z.array(z.string()).describe('What is left to package managers and hinders nothing.'),
    undecided: z.int().min(0).describe('Places where a reference may hide from analysis.'),
    oracle: oracleVerdict.nullable(),
    ready: z
      .strictObject({ repository: z.string(), branch: z.string(), commit: z.string() })
      .optional()
      .describe('Where the branch lies: `git fetch <repository> <branch>`.'),
    proposal: z.string().optional().describe('As the command that proposes printed it.'),
  })
  .describe('A repository of a campaign.');

export const fleetReport = z
  .strictObject({
    schema: schemaVersion,
    campaign: z.string().min(1),
    title: z.string(),
    created: z.string(),
    status: z.enum(['running', 'paused', 'aborted']).describe('What a person said last.'),
    running: z.boolean().describe('Whether a process hands out work at present.'),
    packages: changeFile.shape.packages,
    branch: z.string(),
    counts: z.record(fleetState, z.int().min(0)),
    repositories: z.array(fleetRepository),
    damaged: z.int().min(0).describe('Lines of the log that cannot be read; what they said is done again.'),
    folder: z.string().describe('Where the campaign lies.'),
  })
  .describe('A campaign and its repositories.');

export type FleetReport = z.infer<typeof fleetReport>;
export type FleetStep = z.infer<typeof fleetStep>;
export type FleetRepository = z.infer<typeof fleetRepository>;
