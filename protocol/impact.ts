/**
 * The impact document: what the changes since a baseline affect, and why.
 *
 * Printed by `codeplan impact --json` and answered to `codeplan/impact`. Blocks are named and
 * ranged as they are after the edit. A block that the edit itself changed is listed only if
 * something else in it still has to follow.
 */
import * as z from 'zod';
import { dependency } from './api.js';
import { mention } from './mentions.js';
import {
  baseline,
  block,
  blockKind,
  changeLabel,
  column,
  confidence,
  file,
  language,
  line,
  problem,
  relation,
  schemaVersion,
  tier,
} from './words.js';

export const impactParams = z
  .strictObject({
    ...baseline,
    depth: z.int().min(1).optional().describe('How many relations away from a change to look; 1 when not given.'),
    all: z
      .boolean()
      .optional()
      .describe('Follow relations as far as a forecast is worth anything, four levels; excludes `depth`.'),
    strict: z
      .boolean()
      .optional()
      .describe('The rules as the paper prints them, without the filters that the program adds.'),
    mentions: z.boolean().optional().describe('Also list mentions outside of code; that reads all texts of the root.'),
    certain: z.boolean().optional().describe('Leave out what rests on a name alone.'),
  })
  .refine((params) => [params.base, params.baseDir, params.change].filter((given) => given !== undefined).length <= 1, {
    error: 'give one of `base`, `baseDir` and `change`',
  })
  .refine((params) => params.depth === undefined || params.all !== true, { error: 'give `depth` or `all`, not both' });

export const change = z
  .strictObject({
    file,
    block,
    kind: blockKind,
    label: changeLabel,
    detail: z
      .record(z.string(), z.json())
      .describe('What is different: parameters added, removed, moved, renamed, retyped; a new name; a new file.'),
    startLine: line
      .optional()
      .describe(
        'First line of the block as it is now; where it was deleted, the line at which it stood. Absent ' +
          'where the file is gone.',
      ),
  })
  .describe('One atomic change.');

export const site = z
  .strictObject({
    startLine: line,
    startColumn: column,
    endLine: line,
    endColumn: column,
    tier,
    confidence,
    fact: z
      .string()
      .min(1)
      .describe('What is wrong here at a glance: at most 60 characters, such as `missing argument: ttl`.'),
  })
  .describe('One place in a block that refers to what changed.');

export const affected = z
  .strictObject({
    file,
    block,
    kind: blockKind,
    startLine: line,
    endLine: line,
    tier,
    confidence,
    relation,
    depth: z.int().min(1),
    cause: z.strictObject({ file, block, label: changeLabel }),
    rule: z.string().min(1),
    reason: z.string().min(1).describe('One sentence.'),
    fact: z.string().min(1).describe('The same at a glance: the fact of the site that speaks for the block.'),
    sites: z.array(site),
  })
  .describe('A block that may have to follow.');

export const undecided = z
  .strictObject({ file, line, reason: z.string().min(1) })
  .describe('A place where a reference may hide from analysis (reflection, `eval`, dynamic attribute access).');

export const unsearched = z
  .strictObject({
    names: z.array(z.string().min(1)).min(1).describe('Changed members, the one with the most uses first.'),
    uses: z.int().min(1),
    files: z.int().min(1),
  })
  .describe(
    "Uses of a library's members by name in files from which no import leads to the library. Nobody looked " +
      'whether an object of it is handed there.',
  );

export const idleOffer = z
  .strictObject({
    parameter: z.string().min(1),
    block: z.string().min(1).describe('What has the parameter now.'),
    uses: z.int().min(1),
    files: z.int().min(1),
    infers: z
      .literal(true)
      .optional()
      .describe('It is a type parameter that the calls leave to be inferred, which goes another way now.'),
    widens: z
      .literal(true)
      .optional()
      .describe('It is not new, and has another type now, which takes what the calls give.'),
    retold: z
      .literal(true)
      .optional()
      .describe('It is the block itself: a type is written otherwise there, and what runs is what it was.'),
  })
  .describe(
    'Calls that fit as they are and could give a new optional parameter, and types a type parameter. Nothing of its ' +
      'name is at hand there, and ' +
      'they do not hand on what they are given, so they are counted and not listed.',
  );

export const impactReport = z
  .strictObject({
    schema: schemaVersion,
    root: z.string().describe('Absolute path of the root.'),
    base: z
      .string()
      .describe(
        'The revision or directory that the changes are measured against; `settled` for the last settled ' +
          'state of an editor session.',
      ),
    languages: z.array(language),
    changes: z.array(change),
    affected: z.array(affected),
    undecided: z.array(undecided),
    unsearched: unsearched.optional(),
    offers: z.array(idleOffer).optional().describe('Absent where there are none.'),
    mentions: z.array(mention).optional().describe('Where they were asked for, the likeliest and nearest first.'),
    unused: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Changes of a library that nothing here uses, which `changes` leaves out; additions and the ' +
          "library's own among them.",
      ),
    dependencies: z
      .array(dependency)
      .optional()
      .describe('Where the manifests name the library, if its change file is what is asked about.'),
    complete: z
      .boolean()
      .describe(
        'False while the index is still warming or when something could not be read; `problems` then says what.',
      ),
    problems: z.array(problem),
  })
  .describe('What the changes since a baseline affect.');

export type ImpactParams = z.infer<typeof impactParams>;
export type ImpactReport = z.infer<typeof impactReport>;
export type Change = z.infer<typeof change>;
export type Affected = z.infer<typeof affected>;
export type Site = z.infer<typeof site>;
export type Unsearched = z.infer<typeof unsearched>;
export type IdleOffer = z.infer<typeof idleOffer>;
export type Undecided = z.infer<typeof undecided>;
