/**
 * The repository's definitions and the names that certainly mean them, as an index of code search needs them.
 * `codeplan graph export --format scip` writes it as a SCIP file.
 */
import * as z from 'zod';
import { blockKind, file, problem, schemaVersion } from './words.js';

const symbol = z.string().min(1).describe("The symbol by SCIP's grammar, `codeplan . . . shop/store.py/Store#put().`.");

const scipSymbol = z.strictObject({
  symbol,
  kind: blockKind.optional().describe('Given where the symbol is defined in this file.'),
  name: z.string().optional().describe('The name as it is shown; given with `kind`.'),
  implements: z.array(symbol).optional().describe('What it derives from, implements or overrides.'),
});

export const scipReport = z
  .strictObject({
    schema: schemaVersion,
    documents: z.array(
      z.strictObject({
        file,
        language: z.enum(['python', 'typescript', 'java', 'csharp']),
        symbols: z.array(scipSymbol),
        occurrences: z
          .array(z.array(z.int().min(0)).min(5).max(6))
          .describe(
            'For each place: number of its symbol in `symbols`; roles (1 definition, 2 import, 4 write, 8 ' +
              'read, added ' +
              'up); first line; first column; last line, where it is another one; column behind the last. Lines and ' +
              'columns count from 0, columns in UTF-16 code units.',
          ),
      }),
    ),
    complete: z.boolean().describe('False when something could not be read; `problems` then says what.'),
    problems: z.array(problem),
  })
  .describe('Definitions, and names that certainly mean them.');

export type ScipReport = z.infer<typeof scipReport>;
export type ScipSymbol = z.infer<typeof scipSymbol>;
