/**
 * The propagate document: a plan's steps, what is still open, and what the oracle says.
 *
 * Printed by `codeplan propagate --json`, answered to `codeplan/plan` (nothing written) and,
 * as its shorter sibling, to `codeplan/execute` (the steps of a run applied). Steps form an
 * acyclic graph: each names the steps or seeds (step 0) that caused it.
 */
import * as z from 'zod';
import { dependency } from './api.js';
import { mention, mentionKind } from './mentions.js';
import { idleOffer, undecided, unsearched } from './impact.js';
import { searchOptions } from './plan-search.js';
import { plannedWork } from './work.js';
import {
  baseline,
  block,
  changeLabel,
  column,
  confidence,
  diagnostic,
  file,
  line,
  problem,
  relation,
  schemaVersion,
  stepStatus,
  tier,
  values,
} from './words.js';

export const modelChoice = z
  .string()
  .regex(/^(?:none|(?:(?:openai|chat|completions|fill-in),)*(?:openai|chat|completions|fill-in|replay:.+))$/u)
  .describe(
    '`none`; the configured endpoint as it is configured (`openai`) or in the form named: `chat`, ' +
      '`completions`, `fill-in` (for models that continue edits); or `replay:<directory>`. Several with commas ' +
      'between: each is asked what the one before it cannot.',
  );

/** What a plan does only where a person agrees. */
export const acceptable = z.enum(['drop-unread']);

/** Of a value that looks like a secret, as the message names it that says it was held back. */
export const fingerprint = z.string().regex(/^[\w.-]{1,80}:[0-9a-f]{16}$/);

/** How a plan is made and what becomes of it, whatever edit it begins with. */
export const planOptions = {
  model: modelChoice
    .optional()
    .describe('Who edits what no rule can; `openai` when an endpoint is configured, else `none`.'),
  apply: z.boolean().optional().describe('Write the edits to the disk; otherwise nothing is written.'),
  values: values.optional(),
  accept: z
    .array(acceptable)
    .optional()
    .describe(
      'What the plan does only when it is told to. `drop-unread`: parameters that nothing reads any more, ' +
        'since an edit of the plan dropped the argument that they went into, go, and with them what callers ' +
        'pass.',
    ),
  mentions: z
    .array(mentionKind)
    .optional()
    .describe(
      'Mentions of these kinds are rewritten where it is clear what they mean; the others are listed. ' +
        'Absent: not looked for.',
    ),
  rulesOnly: z.boolean().optional().describe('Only edits that follow from a rule; excludes a model.'),
  strict: z.boolean().optional().describe('Only follow what is certain.'),
  oracle: z
    .union([z.boolean(), z.string().min(1)])
    .optional()
    .describe(
      'Whether to run the configured oracle on the result (true when one is configured), or the name of a ' +
        'preset to run.',
    ),
  maxCalls: z.int().min(0).optional().describe('Most model calls.'),
  maxTokens: z.int().min(0).optional().describe('Most tokens, of prompts and answers together.'),
  maxCost: z.number().min(0).optional().describe('Most money, by the prices in the settings.'),
  maxSeconds: z.number().positive().optional().describe('No question is asked after this time.'),
  maxFiles: z.int().min(0).optional().describe('Most files that the model may edit.'),
  parallel: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('How many questions may be on their way at once; the result is the same.'),
  without: z
    .array(z.enum(['temporal', 'spatial']))
    .optional()
    .describe('Parts of the context to leave out.'),
  askAll: z
    .boolean()
    .optional()
    .describe('Ask about blocks that may be affected even after several like them needed no change.'),
  oneByOne: z
    .boolean()
    .optional()
    .describe(
      'Ask about each block in a question of its own, also where several are affected in the same way; false ' +
        'when not given.',
    ),
  toolsOnFailure: z
    .boolean()
    .optional()
    .describe(
      'Let the model look things up in the repository, once for a block, after an answer that failed its ' +
        'check; false when not given.',
    ),
  sendAnyway: z
    .array(fingerprint)
    .optional()
    .describe(
      'Fingerprints of what was held back because it looks like a secret: from now on it is sent, until ' +
        '`codeplan trust --withdraw`.',
    ),
  questions: z.boolean().optional().describe('Say of each question that was asked what it took, in tokens by part.'),
  maxSteps: z.int().min(1).optional().describe('Most steps of the plan.'),
  maxIterations: z.int().min(1).optional().describe('Most rounds of plan and oracle.'),
};

export const propagateParams = z
  .strictObject({
    ...baseline,
    ...planOptions,
    ...searchOptions,
    repairOnly: z.boolean().optional().describe('Plan nothing: ask only about what the oracle reports.'),
    instruction: z.string().optional().describe('The task in words, for the model.'),
    blocks: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Blocks to edit as `instruction` says, as `path:Outer.inner`. Without any, and where nothing changed ' +
          'since the baseline, the task is planned as `codeplan/do` plans a request, where a model of the role ' +
          '`plan` is configured; else the editing model picks them.',
      ),
    seeds: z
      .array(
        z.strictObject({
          block: z.string().min(1).describe('As `path:Outer.inner`.'),
          intent: z.string().min(1).describe('What is to be done with it.'),
          related: z.array(z.string().min(1)).optional().describe('Blocks that may serve for it.'),
        }),
      )
      .optional()
      .describe('As `blocks`, each with its own words; without a model they are left open.'),
    resume: z
      .union([z.literal(true), z.string().min(1)])
      .optional()
      .describe(
        'Go on with that run, or with the newest one that stopped before its end (true): what it asked is ' +
          'not asked again. What is given beside it replaces what the run was given.',
      ),
  })
  .refine((params) => [params.base, params.baseDir, params.change].filter((given) => given !== undefined).length <= 1, {
    error: 'give one of `base`, `baseDir` and `change`',
  });

const leftOut = z
  .array(z.int().min(1))
  .optional()
  .describe('Hunks of `diff`, counted from 1, that the person leaves out of a step that is otherwise taken.');

const fact = z
  .string()
  .min(1)
  .optional()
  .describe('What is wrong there, at a glance; absent where the reason alone says it.');

export const step = z
  .strictObject({
    id: z.int().min(0).describe('0: the edit that a refactoring begins with.'),
    file,
    block,
    how: z
      .enum(['seed', 'mechanical', 'model', 'replay', 'person'])
      .describe('`seed`: what a refactoring was asked to do, without what follows.'),
    rule: z.string(),
    status: stepStatus,
    causes: z.array(
      z.strictObject({
        step: z.int().min(0).describe('0: an edit of the person, or the seed of a refactoring.'),
        relation,
        label: changeLabel,
      }),
    ),
    tier,
    diff: z.string().describe('Unified diff of this step alone; empty where nothing is to change.'),
    leftOut,
    reason: z.string().min(1),
    fact,
    startLine: line.optional().describe('Of its first place that has to follow; of the block where it has none.'),
    startColumn: column.optional(),
  })
  .describe('One block that follows, and its edit.');

export const open = z
  .strictObject({
    file,
    block,
    reason: z.string().min(1),
    fact,
    needs: z.enum(['model', 'value', 'person']),
    tier: tier.optional().describe('Whether it certainly no longer fits; absent where nothing says so.'),
    line: line.optional(),
    confidence: confidence
      .optional()
      .describe('`possible` where it rests on a name alone; absent where a rule or a check leads there.'),
    value: z.string().optional().describe('Name to give in `values`, for all places that need it.'),
    key: z
      .string()
      .optional()
      .describe('What to give instead, for this place alone; only where other places need it too.'),
    choices: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Expressions that would do at every place of the plan that needs this value, for a person to choose ' +
          'from; any other can be given.',
      ),
    choicesHere: z
      .array(z.string().min(1))
      .optional()
      .describe('Expressions that would do at this place, and not at every other. Beside `key`.'),
    accept: acceptable.optional().describe('What to give in `accept` to have it done.'),
  })
  .describe('A block that still has to be edited.');

export const oracleVerdict = z.strictObject({
  name: z.string(),
  baseline: z.int().min(0).nullable().describe('Number of errors before; null when the oracle could not run there.'),
  after: z.int().min(0).nullable(),
  new: z.array(diagnostic),
  message: z.string().optional().describe('Why it could not run, or of how many files it speaks.'),
});

export const related = z
  .strictObject({
    file,
    block: block.optional().describe('Absent where the file itself is meant.'),
    name: z.string().min(1),
    to: z.string().min(1).describe('What it would be called.'),
  })
  .describe('Something that is called like a renamed block, and was not renamed with it.');

export const questionCost = z
  .strictObject({
    file,
    block,
    steps: z
      .array(z.int().min(1))
      .min(1)
      .describe('Numbers of the steps that it asked about; the first one is that of the block.'),
    tokens: z.int().min(0).describe('Of the prompt, by estimate.'),
    parts: z.array(z.strictObject({ part: z.string().min(1), tokens: z.int().min(0) })),
    shared: z
      .int()
      .min(0)
      .describe('Tokens of the longest beginning that it has in common with an earlier question of the run.'),
  })
  .describe('What one question took.');

export const propagateReport = z
  .strictObject({
    schema: schemaVersion,
    run: z.string().min(1).describe('Names this run to execute and undo.'),
    task: z
      .strictObject(plannedWork)
      .optional()
      .describe(
        'Where a task in words was planned before the edits: its steps and what became of them. `usage` then ' +
          'counts that too, and `codeplan/do` goes on from its `text`.',
      ),
    applied: z.boolean(),
    iterations: z.int().min(0),
    edited: z
      .array(z.string().min(1))
      .optional()
      .describe('What it follows from: the blocks that were changed, each once, a renamed one as `put -> insert`.'),
    steps: z.array(step),
    open: z.array(open),
    mentions: z.array(mention).optional().describe('Mentions that stay as they are, where they were asked for.'),
    undecided: z.array(undecided),
    unsearched: unsearched.optional(),
    offers: z.array(idleOffer).optional().describe('Absent where there are none.'),
    related: z.array(related).optional().describe('What else is called so, where a refactoring asked for it.'),
    dependencies: z
      .array(dependency)
      .optional()
      .describe('Where the manifests name the library, if its change file is what is followed.'),
    oracle: oracleVerdict.nullable(),
    usage: z.strictObject({
      calls: z.int().min(0),
      promptTokens: z.int().min(0),
      completionTokens: z.int().min(0),
      cost: z.number().min(0).optional().describe('Where the settings have prices.'),
      estimated: z
        .strictObject({ calls: z.int().min(0), promptTokens: z.int().min(0) })
        .optional()
        .describe('What the steps that were known before the first question seemed to take.'),
    }),
    questions: z.array(questionCost).optional().describe('Where they were asked for.'),
    resume: z
      .string()
      .optional()
      .describe('The command that goes on, where a limit or a failing model left steps unasked.'),
    undo: z.string().optional().describe('The command that takes the edits back; only when something was written.'),
    complete: z
      .boolean()
      .describe('False when something of the repository could not be read; `problems` then says what.'),
    problems: z.array(problem),
  })
  .describe('A plan: the edits that follow from the changes since a baseline.');

export const executeParams = z.strictObject({
  run: z.string().min(1),
  steps: z
    .array(z.int().min(0))
    .optional()
    .describe(
      'Which steps; when not given all that no `codeplan/review` left out. Steps that depend on one left out ' +
        'are left out too.',
    ),
});

export const executeReport = z
  .strictObject({
    schema: schemaVersion,
    run: z.string().min(1),
    steps: z.array(z.strictObject({ id: z.int().min(0), status: stepStatus })),
    files: z.array(file).describe('Files that were written.'),
    undo: z.string().optional(),
  })
  .describe('Which steps of a run were applied.');

export const hunkOfStep = z
  .strictObject({ step: z.int().min(0), hunk: z.int().min(1) })
  .describe('A hunk of a step, counted from 1 in its `diff`; `codeplan/rows` says which can be had by themselves.');

export const reviewParams = z
  .strictObject({
    run: z.string().min(1),
    accept: z.array(z.int().min(0)).optional().describe('Steps that the person takes.'),
    reject: z.array(z.int().min(0)).optional().describe('Steps that the person leaves out.'),
    acceptHunks: z.array(hunkOfStep).optional().describe('Hunks that the person takes, of a step left out in part.'),
    rejectHunks: z.array(hunkOfStep).optional().describe('Hunks that the person leaves out of steps.'),
  })
  .describe('What the person says of steps and of hunks in them. What was said of others before still holds.');

export const reviewReport = z
  .strictObject({
    schema: schemaVersion,
    run: z.string().min(1),
    steps: z.array(z.strictObject({ id: z.int().min(0), status: stepStatus, leftOut })),
  })
  .describe('What each step has come to: those that hang on rejected ones alone are `blocked`.');

export type PropagateParams = z.infer<typeof propagateParams>;
export type PropagateReport = z.infer<typeof propagateReport>;
export type Step = z.infer<typeof step>;
export type Open = z.infer<typeof open>;
export type OracleVerdict = z.infer<typeof oracleVerdict>;
export type ExecuteParams = z.infer<typeof executeParams>;
export type ExecuteReport = z.infer<typeof executeReport>;
export type ReviewParams = z.infer<typeof reviewParams>;
export type ReviewReport = z.infer<typeof reviewReport>;
