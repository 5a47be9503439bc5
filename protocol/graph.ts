/**
 * Questions about the dependency graph, and their answers: the whole of it as a list of edges;
 * who refers to a block, who calls it, what it calls; its classes; and why an edge is there or not.
 *
 * A block is named by `path:Outer.inner`, by `Outer.inner` or `inner` where that is the only one,
 * or by `path:line` or `path:line:column`. A name that several blocks have is refused with
 * `ambiguousBlock`, and the candidates.
 */
import * as z from 'zod';
import { block, blockKind, column, confidence, file, line, problem, relation, schemaVersion } from './words.js';

export const graphParams = z.strictObject({
  confidence: z.enum(['certain', 'all']).optional().describe('`all` when not given.'),
});

const end = z.strictObject({ file, block });
export const edgeKind = z.enum(['call', 'instantiate', 'use', 'import', 'inherit', 'override']);

export const graphExport = z
  .strictObject({
    schema: schemaVersion,
    edges: z.array(z.strictObject({ from: end, to: end, kind: edgeKind, confidence })),
    complete: z.boolean().describe('False when something could not be read; `problems` then says what.'),
    problems: z.array(problem),
  })
  .describe('Edges of the whole repository.');

// ---- questions about one block

const asked = z
  .string()
  .min(1)
  .describe(
    'The block: `path:Outer.inner`, `Outer.inner` where that is the only one, `path:line`, or `path:line:column`.',
  );
const certain = z.boolean().optional().describe('Leave out what rests on a name alone.');
const confirm = z
  .boolean()
  .optional()
  .describe('Let the language server of the settings confirm, deny or add what is referred to, called or derived.');

export const refsParams = z.strictObject({ block: asked, certain, confirm });
export const callsParams = z.strictObject({
  block: asked,
  direction: z.enum(['callers', 'callees']),
  depth: z.int().min(1).max(50).optional().describe('How many calls away to look; 1 when not given.'),
  certain,
  confirm,
});
export const hierarchyParams = z.strictObject({ block: asked, confirm });
export const whyParams = z.strictObject({
  block: asked,
  from: z.string().min(1).describe('Where the reference stands, or should: a block, or `path:line` for that line.'),
});

const blockEntry = z.strictObject({ file, block, kind: blockKind, startLine: line, endLine: line });
const place = { startLine: line, startColumn: column, endLine: line, endColumn: column };
const span = z.strictObject(place);
const fact = z
  .strictObject({ file, line, words: z.string().min(1) })
  .describe('One step of a path of resolution: what is the case, and where one can see it.');
const path = z.array(fact).describe('How the name leads to the block, as the resolver found it.');
const firstPaths = path
  .optional()
  .describe(
    'How the name leads to the block, as the resolver found it; absent after the first 200 of an answer: ' +
      '`codeplan/graph/why` tells it of any.',
  );
const via = z
  .string()
  .min(1)
  .describe(
    'The last step in a word or two: `member`, `module scope`, `import`, `name` for the name alone, `language server`.',
  );
const hidden = z
  .strictObject({ file, line, reason: z.string().min(1) })
  .describe('A place that may refer to the block and that no analysis can decide.');
const rest = {
  complete: z
    .boolean()
    .describe('False when something could not be read or a bound was reached; `problems` then says what.'),
  problems: z.array(problem),
};

const reference = z
  .strictObject({ file, block, relation, confidence, via, ...place, path: firstPaths })
  .describe('One place that refers to the block; an override spans its first line.');
export const refsReport = z
  .strictObject({
    schema: schemaVersion,
    blocks: z
      .array(blockEntry)
      .describe('What was asked for: more than one for overloads of one name, or parts of one class.'),
    references: z.array(reference),
    denied: z.array(reference).describe('Only possible by name, and led elsewhere by the language server.'),
    undecided: z.array(hidden),
    ...rest,
  })
  .describe('Who refers to a block.');

const call = z.strictObject({
  depth: z.int().min(1),
  file,
  block,
  relation,
  confidence,
  via,
  of: end.describe('The block that it calls, or is called by.'),
  sites: z.array(span),
  repeated: z
    .enum(['cycle', 'shown'])
    .optional()
    .describe('Not followed again: `cycle`, it lies on the way here; `shown`, it was followed before.'),
  path: firstPaths,
});
export const callsReport = z
  .strictObject({
    schema: schemaVersion,
    blocks: z.array(blockEntry),
    direction: z.enum(['callers', 'callees']),
    calls: z.array(call).describe('Each followed by those one call further away.'),
    throughBases: z
      .array(blockEntry)
      .describe('For callers: members that the block overrides, a call of which may run it.'),
    undecided: z.array(hidden),
    ...rest,
  })
  .describe('Who calls a block, or what it calls.');

const relative = z.strictObject({
  depth: z.int().min(1),
  file: file.optional(),
  block: block.optional(),
  line: line.optional(),
  name: z.string().min(1).describe('As it is called; alone for a class from outside of the repository.'),
  of: end.describe('The block that it directly stands to in this way.'),
  via: via
    .optional()
    .describe('`language server` for what only that knows; it may stand further away than `depth` says.'),
});
export const hierarchyReport = z
  .strictObject({
    schema: schemaVersion,
    blocks: z.array(blockEntry),
    bases: z
      .array(relative)
      .describe('Classes above, nearest first; those from outside of the repository by name alone.'),
    derived: z.array(relative).describe('Classes below, nearest first.'),
    searchOrder: z
      .array(end)
      .describe('In which order members are searched, the class itself first: in Python its method resolution order.'),
    overrides: z.array(relative).describe('For a member: those above that it overrides or implements.'),
    overriddenBy: z.array(relative).describe('For a member: those below that override or implement it.'),
    unknownBase: z.boolean().describe('Whether some base could not be made out.'),
    ...rest,
  })
  .describe('Classes and members above and below a block.');

const otherMeaning = z
  .strictObject({
    file,
    block,
    ...place,
    outcome: z
      .enum(['other', 'external', 'unresolved', 'excluded', 'string'])
      .describe(
        'What the name means there: another block, something outside of the repository, nothing that could ' +
          'be found, anything of the name but this one, or it stands in a string.',
      ),
    means: z.array(end),
    path,
  })
  .describe('A place that says the name and does not refer to the block.');
export const whyReport = z
  .strictObject({
    schema: schemaVersion,
    blocks: z.array(blockEntry),
    from: z.strictObject({ file, block, startLine: line, endLine: line }),
    references: z.array(reference).describe('Empty: there is no edge.'),
    others: z.array(otherMeaning),
    summary: z.string().min(1).describe('The answer in one sentence.'),
    ...rest,
  })
  .describe('Why a place refers to a block, or why it does not.');

export const namesParams = z.strictObject({
  begun: z.string().describe('What was typed of the name so far; empty for the topmost folders and files.'),
  limit: z.int().min(1).optional().describe('How many names at most; 200 when not given.'),
});

export const namesReport = z
  .strictObject({
    schema: schemaVersion,
    names: z
      .array(z.string().min(1))
      .describe('Sorted, all beginning with what was typed. A folder ends in `/`, a file in `:`.'),
  })
  .describe('What the beginning of a name may become.');

export type GraphParams = z.infer<typeof graphParams>;
export type GraphExport = z.infer<typeof graphExport>;
export type EdgeKind = z.infer<typeof edgeKind>;
export type RefsParams = z.infer<typeof refsParams>;
export type RefsReport = z.infer<typeof refsReport>;
export type CallsParams = z.infer<typeof callsParams>;
export type CallsReport = z.infer<typeof callsReport>;
export type HierarchyParams = z.infer<typeof hierarchyParams>;
export type HierarchyReport = z.infer<typeof hierarchyReport>;
export type WhyParams = z.infer<typeof whyParams>;
export type WhyReport = z.infer<typeof whyReport>;
export type NamesParams = z.infer<typeof namesParams>;
export type NamesReport = z.infer<typeof namesReport>;
export type BlockEntry = z.infer<typeof blockEntry>;
export type Reference = z.infer<typeof reference>;
export type CallEntry = z.infer<typeof call>;
export type Relative = z.infer<typeof relative>;
export type OtherMeaning = z.infer<typeof otherMeaning>;
export type FactEntry = z.infer<typeof fact>;
