/** Rows of imports. */
import { PAPER, type PreciseRow } from './rule.js';

export const IMPORTS: readonly PreciseRow[] = [
  {
    id: 'MI/ImportedBy',
    when: 'MI',
    of: 'self',
    follow: 'ImportedBy',
    in: 'before',
    judge: 'unbound',
    why: ['uses the name that the import bound before'],
    source: PAPER,
  },
  ...(['MI', 'DI'] as const).map((when): PreciseRow => ({
    id: `${when}/export-ImportedBy`,
    when,
    of: 'self',
    follow: 'ImportedBy',
    in: 'before',
    judge: 'unexported',
    why: ['leans on ', ''],
    source: 'What a file passes on is imported from it.',
  })),
  {
    id: 'DI/ImportedBy',
    when: 'DI',
    of: 'self',
    follow: 'ImportedBy',
    in: 'before',
    judge: 'unbound',
    why: ['uses the name of the deleted import'],
    source: PAPER,
  },
];
