/**
 * The words that several documents share: what a block, a change, a relation and an obligation
 * are called on the wire. The same words as in the core and in ARCHITECTURE.md.
 *
 * Lines are 1-based and inclusive, columns 0-based UTF-16 code units with an exclusive end, files
 * are relative to the root with `/`. What an editor needs in LSP form, daemon/ converts.
 */
import * as z from 'zod';

/** Version of every document; grows when a field is removed or changes its meaning. */
export const SCHEMA_VERSION = 1;
export const schemaVersion = z.literal(SCHEMA_VERSION).describe('Version of this document.');

export const language = z.enum(['python', 'typescript', 'java', 'csharp']);
export const file = z.string().min(1).describe('Path relative to the root, with `/`.');
export const block = z
  .string()
  .min(1)
  .describe(
    'Dotted path of named declarations inside the file; `<module>` for module-level code; overloads carry a ' +
      '`(types)` suffix or an ordinal.',
  );
export const line = z.int().min(1).describe('1-based line.');
export const column = z.int().min(0).describe('0-based column in UTF-16 code units.');

export const values = z
  .record(
    z
      .string()
      .regex(
        /^[^@#\s]+(?:[@#]\S.*)?$/su,
        'give name, or name@path, name@path:Outer.inner, name#call, each with =expression',
      ),
    z.string(),
  )
  .describe(
    'Expressions for what an edit cannot know: what callers pass for a new parameter. The key is the ' +
      "parameter's name, which may be followed by `@path` (a file or folder) or `@path:Outer.inner` (a block), " +
      'and by `#call` (calls of what is written so) or `#call.2` (the second of those in the block): the most ' +
      "specific holds. The parameter's own name as the expression gives it to callers as a parameter where " +
      'they have nothing of that name.',
  );

export const blockKind = z.enum([
  'module',
  'import',
  'class',
  'interface',
  'enum',
  'record',
  'struct',
  'typeAlias',
  'annotation',
  'delegate',
  'namespace',
  'function',
  'method',
  'constructor',
  'field',
  'property',
  'enumMember',
  'variable',
  'statement',
]);

/**
 * CodePlan's atomic changes: M modify, A add, D delete; MB and MS a method's body and signature, F field, C
 * class, CC constructor, I import.
 */
export const changeLabel = z.enum([
  'MMB',
  'MMS',
  'MF',
  'MC',
  'MCC',
  'MI',
  'AM',
  'AF',
  'AC',
  'ACC',
  'AI',
  'DM',
  'DF',
  'DC',
  'DCC',
  'DI',
]);

/** Read from the changed block outward: `CalledBy` are its callers. */
export const relation = z.enum([
  'ParentOf',
  'ChildOf',
  'Constructs',
  'ConstructedBy',
  'Imports',
  'ImportedBy',
  'BaseClassOf',
  'DerivedClassOf',
  'Overrides',
  'OverriddenBy',
  'Calls',
  'CalledBy',
  'Instantiates',
  'InstantiatedBy',
  'Uses',
  'UsedBy',
  'Satisfies',
  'SatisfiedBy',
]);

/** `breaks`: inconsistent with the new definition. `may`: still fits, but its meaning may have changed. */
export const tier = z.enum(['breaks', 'may']);
/** `certain`: resolved. `possible`: a name match that nothing contradicts. */
export const confidence = z.enum(['certain', 'possible']);

/**
 * `proposed`: to be looked at; `accepted`, `rejected`: by the person; `applied`: its edit is written, or in
 * the editor's buffers; `verified`: applied, and the oracle found no new error; `blocked`: hangs on a step that
 * is left out, or stands in generated code; `failed`: no edit could be had; `stale`: its block is gone.
 */
export const stepStatus = z.enum([
  'pending',
  'proposed',
  'accepted',
  'rejected',
  'applied',
  'verified',
  'failed',
  'blocked',
  'stale',
]);

/** Something that could not be read or analysed; the rest of the document holds without it. */
export const problem = z
  .strictObject({ file: z.string().optional(), line: line.optional(), message: z.string().min(1) })
  .describe('Something that could not be read or analysed.');

export const diagnostic = z
  .strictObject({
    file,
    line,
    column,
    severity: z.enum(['error', 'warning', 'information', 'hint']),
    code: z.string().optional(),
    message: z.string(),
  })
  .describe('A finding of an oracle.');

/**
 * What "the latest edit" is measured against. Neither given: the last commit, or in an editor session the last
 * settled state.
 */
export const baseline = {
  base: z.string().min(1).optional().describe('A git revision.'),
  baseDir: z.string().min(1).optional().describe('A directory that holds the tree as it was before. An absolute path.'),
  change: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A change file of a library (`codeplan api diff`): what is asked about is that change, seen from the ' +
        'root as it is. An absolute path.',
    ),
};

export type Problem = z.infer<typeof problem>;
export type Diagnostic = z.infer<typeof diagnostic>;
export type BlockKind = z.infer<typeof blockKind>;
export type ChangeLabel = z.infer<typeof changeLabel>;
export type Relation = z.infer<typeof relation>;
export type Tier = z.infer<typeof tier>;
export type Confidence = z.infer<typeof confidence>;
export type StepStatus = z.infer<typeof stepStatus>;

/** A prompt, and whom it would go to. */
export const shownPrompt = z.strictObject({
  to: z.string().nullable().describe('Host of the endpoint; null when no model is configured.'),
  model: z.string().nullable(),
  messages: z.array(z.strictObject({ role: z.enum(['system', 'user']), content: z.string() })),
  tokens: z.int().min(0).describe('Estimate, on the high side.'),
  parts: z
    .array(z.strictObject({ part: z.string().min(1), tokens: z.int().min(0) }))
    .describe('What each part takes of them, in the order of the prompt.'),
});
export type ShownPrompt = z.infer<typeof shownPrompt>;
