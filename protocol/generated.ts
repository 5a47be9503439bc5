/**
 * What is generated from this folder: JSON Schemas of all documents, and METHODS.md.
 *
 * A pure function from the tables to files; `scripts/write-schema.mjs` writes them and a test
 * compares them, so they are never edited by hand.
 */
import * as z from 'zod';
import { configurationFile } from './configuration.js';
import { doReport } from './do.js';
import { editsReport } from './edits.js';
import { ERROR_CODES, errorData } from './errors.js';
import { evaluation, planComparison } from './evaluation.js';
import { rrrEvaluation } from './rrr-evaluation.js';
import { callsReport, graphExport, hierarchyReport, refsReport, whyReport } from './graph.js';
import { apiDescriptor, changeFile } from './api.js';
import { fleetReport } from './fleet.js';
import { impactReport } from './impact.js';
import { METHODS, type Method } from './methods.js';
import { planCodeReport, planDocument, planPromptReport, planSearchReport } from './plan-search.js';
import { promptReport } from './prompt.js';
import { scipReport } from './scip.js';
import { executeReport, propagateReport } from './propagate.js';
import { status } from './status.js';
import { groundReport, toolReport } from './tools.js';
import { logReport, undoReport } from './undo.js';

/** Documents that programs read, by the name of their schema file. */
const DOCUMENTS: Readonly<Record<string, z.ZodType>> = {
  api: apiDescriptor,
  change: changeFile,
  fleet: fleetReport,
  impact: impactReport,
  propagate: propagateReport,
  prompt: promptReport,
  execute: executeReport,
  edits: editsReport,
  undo: undoReport,
  log: logReport,
  status,
  graph: graphExport,
  scip: scipReport,
  refs: refsReport,
  calls: callsReport,
  hierarchy: hierarchyReport,
  why: whyReport,
  ground: groundReport,
  'plan-search': planSearchReport,
  plan: planDocument,
  'plan-prompt': planPromptReport,
  'plan-code': planCodeReport,
  do: doReport,
  tool: toolReport,
  evaluation,
  'plan-comparison': planComparison,
  'rrr-evaluation': rrrEvaluation,
  configuration: configurationFile,
  'error-data': errorData,
};

/** Content by path relative to protocol/. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [name, schema] of Object.entries(DOCUMENTS)) files.set(`schema/${name}.json`, json(schemaOf(schema)));
  files.set(
    'schema/methods.json',
    json(
      Object.fromEntries(
        methods().map(([name, method]) => [
          name,
          {
            kind: method.kind,
            summary: method.summary,
            params: schemaOf(method.params),
            ...(method.result === undefined ? {} : { result: schemaOf(method.result) }),
            errors: method.errors,
            example: method.example,
          },
        ]),
      ),
    ),
  );
  files.set('METHODS.md', methodsPage());
  return files;
}

const methods = (): [string, Method][] => Object.entries(METHODS);
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function schemaOf(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
}

function methodsPage(): string {
  const parts = [
    '# Methods',
    'Written by `npm run schema` from `methods.ts`; do not edit. The schemas of all parameters and results ' +
      'are in `schema/methods.json`, those of the documents beside it.',
    'A refusal carries one of these codes, and its kind as `data.kind`:',
    [
      '| code | kind |',
      '|---|---|',
      ...Object.entries(ERROR_CODES).map(([kind, code]) => `| ${code} | \`${kind}\` |`),
    ].join('\n'),
  ];
  for (const [name, method] of methods()) {
    parts.push(`## \`${name}\``, `${method.kind === 'notification' ? 'A notification. ' : ''}${method.summary}`);
    const fields = fieldLines(method.params);
    if (fields.length > 0) parts.push(['| parameter | |', '|---|---|', ...fields].join('\n'));
    if (method.errors.length > 0) parts.push(`Refused with ${method.errors.map((kind) => `\`${kind}\``).join(', ')}.`);
    parts.push(fenced(method.example.params));
    if (method.result !== undefined) parts.push(fenced(method.example.result));
  }
  return `${parts.join('\n\n')}\n`;
}

function fieldLines(schema: z.ZodType): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).map(
    ([name, field]) =>
      `| \`${name}\`${field.safeParse(undefined).success ? '' : ' (required)'} | ${descriptionOf(field)} |`,
  );
}

function descriptionOf(field: z.ZodType): string {
  const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field;
  return field.description ?? inner.description ?? '';
}

function fenced(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
}
