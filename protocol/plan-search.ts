/**
 * From a request in words to a plan whose steps name symbols of the repository: search, the plan as a text that a
 * person edits, and the text that stands for the repository in front of a request.
 */
import * as z from 'zod';
import { block, blockKind, file, line, schemaVersion, shownPrompt } from './words.js';

const request = z.string().trim().min(1).max(20_000).describe('What is wanted, in plain words.');

export const planSymbol = z
  .strictObject({
    file,
    block,
    name: z.string().min(1),
    kind: blockKind,
    qualifiedName: z.string().min(1),
    line,
    signature: z.string(),
    score: z.number(),
  })
  .describe('A symbol that could carry out a step.');

export const planStep = z.strictObject({
  intent: z.string().min(1).describe('What code should do there, in one sentence.'),
  symbols: z.array(planSymbol).describe('Best first; none where nothing of the repository fits.'),
});

export const planMode = z.enum(['search', 'react', 'topk', 'bm25', 'full', 'instruction']);
export const promptStyle = z.enum(['full', 'signatures', 'names']);

const symbolsEach = z.int().min(1).max(50).optional().describe('Symbols of a step; 5 when not given.');
const exclude = z.array(z.string().min(1)).optional().describe('Globs of files whose symbols are left out.');

/** What models add to the words by which symbols are found. */
export const symbolsByModels = {
  describe: z
    .enum(['found', 'all'])
    .optional()
    .describe(
      'Has the model of the role `describe` say what symbols could be asked for by: those that the words of ' +
        'the request lead to, or all. What was said once is kept until the symbol is edited.',
    ),
  vectors: z
    .enum(['found', 'all'])
    .optional()
    .describe(
      'Where a model for vectors is configured: of which symbols they are asked for, of what the words find ' +
        '(when not given) or of all. Vectors are kept until the symbol is edited; symbols whose vectors are ' +
        'known are found by them alone.',
    ),
};

export const searchLimits = {
  searchCalls: z.int().min(0).optional().describe('Most questions to a model.'),
  searchTokens: z.int().min(0).optional().describe('Most tokens, of prompts and answers together.'),
  searchCost: z.number().min(0).optional().describe('Most money, by the prices in the settings.'),
  searchSeconds: z.number().positive().optional().describe('No question is asked after this time.'),
};

export const searchOptions = {
  mode: planMode
    .optional()
    .describe(
      '`search` (when not given) and `react` ask a model. `topk` looks the request up once, `bm25` gives ' +
        'names alone, `full` whole files, `instruction` nothing: they need no model and are there to be ' +
        'compared with.',
    ),
  successor: z
    .enum(['unconstrained', 'monotonic'])
    .optional()
    .describe('Whether a new plan may change everything, or adds one step.'),
  scorer: z
    .enum(['diversity', 'likert', 'blend', 'oracle'])
    .optional()
    .describe('By symbols, by a judging model, by both, or by `truth`.'),
  strategy: z.enum(['best-first', 'depth-first', 'breadth-first']).optional(),
  branching: z.int().min(1).max(32).optional().describe('Proposals for each plan; 3 when not given.'),
  budget: z.int().min(1).max(10_000_000).optional().describe('How much of `budgetUnit`; 80 when not given.'),
  budgetUnit: z
    .enum(['created', 'expanded', 'samples', 'tokens'])
    .optional()
    .describe('Plans that are made (the empty one counts), plans gone on with, proposals, or tokens.'),
  depth: z.int().min(1).max(1000).optional().describe('A plan so far from the first is not gone on with; 20.'),
  steps: z.int().min(1).max(100).optional().describe('Most steps of a plan; 20 when not given.'),
  symbols: symbolsEach,
  goal: z.boolean().optional().describe('Stop at a plan that the judge calls complete.'),
  seed: z.int().min(0).optional(),
  temperature: z.number().min(0).max(2).optional().describe("The endpoint's own when not given."),
  truth: z.array(z.string().min(1)).optional().describe('Names of the right symbols, for the scorer `oracle`.'),
  exclude,
  tests: z.boolean().optional().describe('Whether symbols of tests may be in a plan.'),
  ...symbolsByModels,
  ...searchLimits,
};

export const planSearchParams = z.strictObject({
  request,
  ...searchOptions,
  purpose: z
    .enum(['use', 'change'])
    .optional()
    .describe('Whether the repository is to be used (when not given), or to be changed, as `codeplan/do` does it.'),
  plans: z.int().min(1).max(1000).optional().describe('How many plans are given, the best and runners-up; 10.'),
  prompt: promptStyle
    .optional()
    .describe('Gives the text as well that stands for the repository in front of the request.'),
  promptTokens: z.int().min(100).optional().describe('Most tokens of that text, where the mode is `full`; 120000.'),
  trace: z.boolean().optional().describe('Gives every plan of the search with its parent.'),
  preview: z
    .boolean()
    .optional()
    .describe('Gives the first question of a search as `question`, and sends nothing; the mode must ask a model.'),
  search: z.string().min(1).max(100).optional().describe('A name of your own, to end it by with `codeplan/planStop`.'),
});

const judgement = z.strictObject({
  plan: z.number().describe('From 1 to 7: whether the plan does the request.'),
  steps: z.array(z.number()).describe('From 1 to 7 each: whether its symbols can do the step.'),
});

const usage = z.strictObject({
  calls: z.int().min(0),
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
  samples: z.int().min(0).describe('Proposals that came.'),
  expansions: z.int().min(0).describe('Plans that were gone on with.'),
  duplicates: z.int().min(0).describe('Proposals that were equal to a plan that was there.'),
  unusable: z.int().min(0).describe('Answers that were no plan.'),
  grounded: z.int().min(0).describe('Steps that were looked up.'),
});

const rankedPlan = z.strictObject({
  score: z.number().nullable().describe('By the scorer; null where the judge gave none.'),
  diversity: z.int().min(0).describe('Different symbols of all steps.'),
  recall: z.number().optional().describe('Share of `truth`.'),
  judgement: judgement.optional(),
  rationale: z.string().optional().describe('What the model said of why.'),
  steps: z.array(planStep),
  text: z.string().describe('The plan in Markdown, to be edited and read again.'),
});

const promptText = z.strictObject({
  text: z.string(),
  tokens: z.int().min(0).describe('An estimate, on the high side.'),
});

const written = {
  samples: z.array(z.strictObject({ code: z.string() })).describe('What the model wrote; nothing of it is run.'),
  usage: usage.pick({ calls: true, promptTokens: true, completionTokens: true }),
  message: z.string().optional().describe('Why there are fewer than were wanted.'),
};

export const planSearchReport = z
  .strictObject({
    schema: schemaVersion,
    request: z.string(),
    mode: planMode,
    stop: z
      .enum(['done', 'budget', 'queueEmpty', 'goal', 'cancelled', 'modelFailure'])
      .describe('Why it ended. `done`: the mode searches nothing, or nothing was to be sent.'),
    message: z.string().optional().describe('What the model or a limit said, where that ended it.'),
    plans: z.array(rankedPlan).describe('Best first.'),
    prompt: promptText.optional(),
    question: shownPrompt.optional().describe('Only with `preview`.'),
    code: z.strictObject(written).optional().describe('Only of the command line, with --codegen.'),
    tree: z
      .array(
        z.strictObject({
          id: z.int().min(0),
          parent: z.int().min(0).nullable(),
          depth: z.int().min(0),
          state: z.enum(['frontier', 'expanded', 'leaf']),
          diversity: z.int().min(0),
          intents: z.array(z.string()),
        }),
      )
      .optional()
      .describe('All plans of the search, by age.'),
    usage,
    notes: z.array(z.string()).describe('What the person should know of the answer.'),
  })
  .describe('Plans for a request, each step with the symbols that could carry it out.');

export const planStopParams = z.strictObject({ search: z.string().min(1) });
export const planStopReport = z.strictObject({
  stopped: z.boolean().describe('Whether a search of that name was running; it answers with what is best so far.'),
});

/** A plan as somebody gives it: steps with the symbols that they keep. */
export const givenStep = z.strictObject({
  intent: z.string().trim().min(1),
  symbols: z
    .array(z.string().min(1))
    .optional()
    .describe('As `path:Outer.inner`, best first. When not given the step is looked up.'),
});

export const planReadParams = z
  .strictObject({
    text: z.string().max(1_000_000).optional().describe('A plan in Markdown, as `codeplan plan --markdown` writes it.'),
    request: request.optional(),
    steps: z.array(givenStep).max(200).optional(),
    symbols: symbolsEach,
    exclude,
  })
  .refine(({ text, steps }) => (text === undefined) !== (steps === undefined), 'give either `text` or `steps`');

export const planDocument = z
  .strictObject({
    schema: schemaVersion,
    request: z.string(),
    steps: z.array(planStep),
    text: z.string().describe('The plan in Markdown, to be edited and read again.'),
    notes: z.array(z.string()).describe('Symbols that are not there any more, and what else was not understood.'),
  })
  .describe('One plan, with its symbols as they are now.');

export const planEdit = z
  .strictObject({
    plan: z.int().min(0).describe('Which of `plans`, from 0.'),
    step: z.int().min(0).describe('Its number in that plan, from 1; 0 with `add`: before all others.'),
    as: z
      .enum(['strike', 'reword', 'ground', 'mark', 'drop', 'add'])
      .describe(
        '`strike` strikes it out, or takes it back in; `reword` gives it the words `to` and looks it up anew; ' +
          '`ground` looks it up anew; `mark` says what it asks for, `to` being `edit`, `use`, `create ' +
          '<path>:<name>` or empty; `drop` takes the symbol `to` out; `add` puts a step with the words `to` ' +
          'behind it.',
      ),
    to: z.string().max(20_000).optional(),
  })
  .describe('What a person does to a step.');

export const planRowsParams = z
  .strictObject({
    plans: z.array(z.string().max(1_000_000)).min(1).max(50).describe('Plans in Markdown, best first.'),
    edit: planEdit.optional(),
    symbols: symbolsEach,
    exclude,
    tests: z.boolean().optional(),
  })
  .describe('Plans of a request that an editor shows, and what its person does to one of them.');

export const planSearchRow = z
  .strictObject({
    key: z.string().min(1).describe('The same row has the same key when the rows are asked for again.'),
    kind: z.enum(['plan', 'step', 'struck', 'symbol', 'nothing']),
    level: z.int().min(0).describe('A row holds those of a higher level that follow it.'),
    text: z.string(),
    plan: z.int().min(0).describe('Which of `plans`, from 0.'),
    step: z.int().min(1).optional().describe('Its number in that plan.'),
    intent: z.string().optional().describe('Of a step, its words.'),
    symbol: z.string().optional().describe('As `path:Outer.inner`.'),
    place: z.strictObject({ file, line }).optional().describe('Where the definition is.'),
    isFolded: z.boolean().describe('Whether what it holds is hidden at first.'),
  })
  .describe('One line.');

export const planRowsReport = z
  .strictObject({
    schema: schemaVersion,
    head: z.array(z.string()).describe('The request, in lines.'),
    plans: z.array(z.string()).describe('The plans as they are now, to be given back.'),
    rows: z.array(planSearchRow),
    notes: z.array(z.string()).describe('Symbols that are not there any more, and what else was not understood.'),
  })
  .describe('Plans of a request to be looked at and edited, each symbol with the place of its definition.');

const planGiven = {
  request,
  steps: z.array(givenStep).max(200),
  style: promptStyle.optional().describe('`full` when not given: definitions, or signatures, or names alone.'),
};

export const planPromptParams = z.strictObject(planGiven);
export const planPromptReport = z
  .strictObject({ schema: schemaVersion, ...promptText.shape, notes: z.array(z.string()) })
  .describe('The text that stands for the repository in front of a request.');

export const planCodeParams = z.strictObject({
  ...planGiven,
  steps: planGiven.steps.optional(),
  text: z.string().min(1).optional().describe('Asked as it is, in place of the text of the plan.'),
  n: z.int().min(1).max(50).describe('How many answers.'),
  temperature: z.number().min(0).max(2).optional().describe('0.7 when not given.'),
});
export const planCodeReport = z
  .strictObject({ schema: schemaVersion, ...written })
  .describe('Code that a model wrote from a plan.');

export type PlanSearchParams = z.infer<typeof planSearchParams>;
export type PlanSearchReport = z.infer<typeof planSearchReport>;
export type PlanMode = z.infer<typeof planMode>;
export type PromptStyle = z.infer<typeof promptStyle>;
export type PlanStepEntry = z.infer<typeof planStep>;
export type PlanSymbolEntry = z.infer<typeof planSymbol>;
export type GivenStep = z.infer<typeof givenStep>;
export type PlanReadParams = z.infer<typeof planReadParams>;
export type PlanDocument = z.infer<typeof planDocument>;
export type PlanEdit = z.infer<typeof planEdit>;
export type PlanRowsParams = z.infer<typeof planRowsParams>;
export type PlanRowsReport = z.infer<typeof planRowsReport>;
export type PlanSearchRow = z.infer<typeof planSearchRow>;
export type PlanPromptParams = z.infer<typeof planPromptParams>;
export type PlanPromptReport = z.infer<typeof planPromptReport>;
export type PlanCodeParams = z.infer<typeof planCodeParams>;
export type PlanCodeReport = z.infer<typeof planCodeReport>;
