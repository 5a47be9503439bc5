/**
 * The whole dependency graph as a list of edges, for programs that score or draw it.
 *
 * `from` contains the reference, `to` is the definition; duplicates are left out.
 */
import { z } from 'zod';
import { block, confidence, file, schemaVersion } from './words.js';

export const graphParams = z.strictObject({ confidence: z.enum(['certain', 'all']).optional().describe('`all` when not given.') });

const end = z.strictObject({ file, block });
export const edgeKind = z.enum(['call', 'instantiate', 'use', 'import', 'inherit', 'override']);

export const graphExport = z.strictObject({
  schema: schemaVersion,
  edges: z.array(z.strictObject({ from: end, to: end, kind: edgeKind, confidence })),
}).describe('Edges of the whole repository.');

export type GraphParams = z.infer<typeof graphParams>;
export type GraphExport = z.infer<typeof graphExport>;
export type EdgeKind = z.infer<typeof edgeKind>;
