/**
 * What is asked in words or by name of the repository's code: grounding of a sentence, and the repository tools
 * that agents and our own generation call.
 */
import * as z from 'zod';
import { searchLimits, symbolsByModels } from './plan-search.js';
import { block, blockKind, file, line, schemaVersion } from './words.js';

export const groundParams = z.strictObject({
  intents: z.array(z.string().min(1)).min(1).describe('Sentences; each is answered by itself.'),
  k: z.int().min(1).max(1000).optional().describe('How many symbols each answer has at most; 5 when not given.'),
  exclude: z
    .array(z.string().min(1))
    .optional()
    .describe('Globs of files, relative to the root, that are not searched: `examples/**`.'),
  ...symbolsByModels,
  ...searchLimits,
});

const symbol = z.strictObject({
  file,
  block,
  name: z.string().min(1),
  kind: blockKind,
  qualifiedName: z.string().min(1).describe('As another module, package or namespace would name it.'),
  line,
  signature: z.string(),
  score: z.number(),
  via: z
    .enum(['name', 'doc', 'spelling', 'vectors'])
    .describe(
      "Whether the sentence says something of the symbol's name, or only of the rest; `spelling`: no word of the " +
        'sentence is known here, and the symbol has one that is spelt nearly like it; `vectors`: its words were not ' +
        'among the best, and the score is how near the vectors are.',
    ),
});

export const groundReport = z
  .strictObject({
    schema: schemaVersion,
    results: z.array(z.strictObject({ intent: z.string(), symbols: z.array(symbol).describe('Best first.') })),
    usage: z
      .strictObject({ calls: z.int().min(0), promptTokens: z.int().min(0), completionTokens: z.int().min(0) })
      .optional()
      .describe('What was asked of models, where `describe` or `vectors` wanted it.'),
    notes: z.array(z.string()).optional().describe('What models did not give, and why; with `usage`.'),
  })
  .describe('The blocks that could implement what each sentence says.');

export const toolParams = z.strictObject({
  tool: z.string().min(1).describe('Name of the tool.'),
  arguments: z.record(z.string(), z.unknown()).describe('By the schema of the tool.'),
});

export const toolReport = z
  .strictObject({
    schema: schemaVersion,
    text: z.string().describe('The answer as a model reads it, within the limit of an answer.'),
    refused: z.boolean().describe('Whether the arguments were wrong; `text` then says what to give.'),
    structured: z.record(z.string(), z.unknown()).describe('The same as data; `items` are what was found.'),
  })
  .describe('The answer of one repository tool.');

export type GroundParams = z.infer<typeof groundParams>;
export type GroundReport = z.infer<typeof groundReport>;
export type GroundedSymbol = z.infer<typeof symbol>;
export type ToolParams = z.infer<typeof toolParams>;
export type ToolReport = z.infer<typeof toolReport>;
