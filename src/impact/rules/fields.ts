/** Rows of fields and variables. */
import { PAPER, type PreciseRow } from './rule.js';

export const FIELDS: readonly PreciseRow[] = [
  {
    id: 'MF/UsedBy',
    when: 'MF',
    of: 'self',
    follow: 'UsedBy',
    in: 'after',
    only: 'typeChanged',
    judge: 'reference',
    why: ['uses ', ''],
    source: PAPER,
  },
  {
    id: 'MF/shape-UsedBy',
    when: 'MF',
    of: 'self',
    follow: 'UsedBy',
    in: 'after',
    only: 'otherShape',
    judge: 'shape',
    why: ['uses ', ''],
    source: 'Keys of a value that is written out are declared by nobody, and taken by name.',
  },
  {
    id: 'MF/CalledBy',
    when: 'MF',
    of: 'self',
    follow: 'CalledBy',
    in: 'after',
    only: 'typeChanged',
    judge: 'heldCall',
    why: ['calls what is held by ', ''],
    source: 'A field or variable that holds a function is called by its own name.',
  },
  {
    id: 'AF/ConstructedBy',
    when: 'AF',
    of: 'class',
    follow: 'ConstructedBy',
    in: 'after',
    only: 'needsValue',
    judge: 'givesNoValue',
    why: ['constructs the class and gives the new field no value'],
    source: PAPER,
  },
];
