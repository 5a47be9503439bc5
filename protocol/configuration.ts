/**
 * The settings file: `codeplan.json` at the root, and the person's `config.json`.
 *
 * Both have this form; the repository's file comes on top of the person's. What can run a command,
 * send code somewhere or cost money (`TRUSTED_SECTIONS`) counts in a repository's file only after
 * `codeplan trust`. Keys never stand in a file: they come from the environment.
 */
import * as z from 'zod';
import { language, values } from './words.js';

const seconds = (most: number) => z.number().positive().max(most);
const globs = z.array(z.string().min(1)).max(1000);

const roleSection = z
  .strictObject({
    baseUrl: z
      .url({ protocol: /^https?$/u })
      .optional()
      .describe('Address of its endpoint; that of all when not given.'),
    model: z.string().min(1).optional().describe('Name of its model.'),
  })
  .optional();

const modelSection = z
  .strictObject({
    baseUrl: z
      .url({ protocol: /^https?$/u })
      .optional()
      .describe('Address of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.'),
    model: z.string().min(1).optional().describe('Name of the model.'),
    api: z.enum(['chat', 'completions']).optional().describe('Which form the endpoint speaks; `chat` when not given.'),
    fillIn: z
      .strictObject({ baseUrl: z.url({ protocol: /^https?$/u }).optional(), model: z.string().min(1).optional() })
      .optional()
      .describe('Another address and name for the model that `fill-in` asks.'),
    roles: z
      .strictObject({
        plan: roleSection.describe('Who plans a request (`codeplan plan "…"`).'),
        edit: roleSection.describe('Who edits blocks.'),
        judge: roleSection.describe('Who judges plans.'),
        describe: roleSection.describe('Who says what a block could be asked for by; a small model will do.'),
        embed: roleSection.describe('Who gives vectors of texts; without a model of its own, nobody.'),
      })
      .optional()
      .describe(
        'Another address or model for one kind of question. At another host than `baseUrl` the key is that ' +
          'of the role alone, such as CODEPLAN_PLAN_API_KEY.',
      ),
    streaming: z.boolean().optional().describe('Whether the answer is read as it is written; true when not given.'),
    timeoutSeconds: seconds(3600).optional().describe('Longest wait for an answer, or, streaming, for its next piece.'),
    retries: z.int().min(0).max(10).optional().describe('Tries after the first.'),
    parallel: z
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe('How many questions may be on their way at once; 4 when not given.'),
    oneByOne: z
      .boolean()
      .optional()
      .describe('Whether each block is asked about in a question of its own; false when not given.'),
    toolsOnFailure: z
      .boolean()
      .optional()
      .describe('Whether a model may look things up, once for a block, after an answer that failed its check.'),
    promptTokens: z
      .int()
      .min(500)
      .optional()
      .describe('Most tokens of one prompt: context is left out until it fits; 24000 when not given.'),
    promptPrice: z.number().min(0).optional().describe('Price of a million tokens of prompts, for `limits.cost`.'),
    completionPrice: z.number().min(0).optional().describe('Price of a million tokens of answers.'),
  })
  .describe('The model that edits what no rule can. The key comes from CODEPLAN_API_KEY.');

const oracleSection = z
  .union([
    z.strictObject({
      preset: z
        .string()
        .min(1)
        .describe(
          'A checker that is known by name: pyright, mypy, tsc, javac, maven, gradle, dotnet, mcs, pytest; ' +
            '`language-server` asks the servers of `languageServer`; `none` runs none.',
        ),
    }),
    z.strictObject({
      command: z.array(z.string()).min(1).describe('Program and arguments; no shell reads them.'),
      pattern: z
        .string()
        .min(1)
        .describe(
          'How to read its output: the name of a known pattern, or a regular expression with the groups ' +
            'file, line, column, severity, code, message.',
        ),
      timeoutSeconds: seconds(24 * 3600).optional(),
    }),
  ])
  .describe('The check of the whole repository.');

const languageServer = z.strictObject({
  command: z
    .array(z.string())
    .min(1)
    .describe('Program and arguments, as an editor would start it: ["pyright-langserver", "--stdio"].'),
  timeoutSeconds: seconds(600).optional().describe('Longest wait for one answer; 20 when not given.'),
  initializationOptions: z
    .record(z.string(), z.json())
    .optional()
    .describe('What the server wants to be told at its start, as its own documentation says.'),
});
const languageServerSection = z
  .partialRecord(language, languageServer)
  .describe('For each language the server that `--confirm` asks about references.');

const limitsSection = z
  .strictObject({
    steps: z.int().min(1).optional().describe('Most steps of a plan.'),
    iterations: z.int().min(1).optional().describe('Most rounds of plan and oracle.'),
    modelCalls: z.int().min(0).optional(),
    tokens: z.int().min(0).optional().describe('Most tokens, prompts and answers together.'),
    cost: z.number().min(0).optional().describe('Most money, by the prices of the model.'),
    seconds: seconds(7 * 24 * 3600)
      .optional()
      .describe('No question is asked after this time.'),
    files: z.int().min(0).optional().describe('Most files that the model may edit.'),
  })
  .describe('Where a plan stops, in a valid state.');

const hintsSection = z
  .strictObject({
    enabled: z.boolean().optional(),
    perFileMost: z.int().min(1).optional(),
    codeLens: z.boolean().optional(),
  })
  .describe('What an editor shows unasked.');

const daemonSection = z
  .strictObject({
    idleMinutes: z.number().min(0).optional().describe('How long the daemon stays without a client; 0: for ever.'),
  })
  .describe('The long-running process.');

/** Sections and fields in the file, in the order in which they are documented. */
export const configurationFile = z
  .strictObject({
    $schema: z.string().optional(),
    exclude: globs.optional().describe('Patterns to leave out of the index, in the syntax of .gitignore.'),
    strict: z.boolean().optional().describe('Follow only what is certain.'),
    values: values.optional(),
    noSend: globs
      .optional()
      .describe(
        'Files that are never sent to a model, in the syntax of .gitignore, beside the built-in list. Only ' +
          'your own file can take a built-in pattern back, with !pattern.',
      ),
    model: modelSection.optional(),
    oracle: oracleSection.optional(),
    languageServer: languageServerSection.optional(),
    limits: limitsSection.optional(),
    hints: hintsSection.optional(),
    daemon: daemonSection.optional(),
  })
  .describe('Settings of codeplan.');

/** What a repository's own file may not say until the person has trusted it. */
export const TRUSTED_SECTIONS = [
  'model',
  'oracle',
  'languageServer',
  'limits',
] as const satisfies readonly (keyof ConfigurationFile)[];

export type ConfigurationFile = z.infer<typeof configurationFile>;
export type ModelSection = z.infer<typeof modelSection>;
export type OracleSection = z.infer<typeof oracleSection>;
export type LanguageServerSection = z.infer<typeof languageServer>;
export type LimitsSection = z.infer<typeof limitsSection>;
