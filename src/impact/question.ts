/**
 * What is asked about an edit: the same value for all that looks for affected blocks.
 */
import type { Edit } from '../change/edit.js';
import type { AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';

/** `precise`: the default rules; `strict`: those of the paper as printed. */
export type Profile = 'precise' | 'strict';

export interface Question {
  readonly graphs: Graphs;
  readonly edit: Edit;
  readonly profile: Profile;
  /** Whether the person has a value for a parameter of that name at a row; such calls are not left out. */
  readonly isGiven: (param: string, at: { readonly file: string; readonly expr: number }) => boolean;
  /** False where whoever added a parameter that need not be given wants nobody to be asked about it. */
  readonly offers?: boolean;
  /** Only what says a changed name in these files is looked for, by the rules alone; undefined: all, everywhere. */
  readonly files?: ReadonlySet<string>;
  /** Blocks that were found already. */
  readonly known: readonly AffectedBlock[];
  /** How many blocks away from the edit a forecast looks. */
  readonly depthMost: number;
}

/** A question about the default rules, the first level, and no values. */
export const questionAbout = (graphs: Graphs, edit: Edit): Question => ({
  graphs,
  edit,
  profile: 'precise',
  isGiven: () => false,
  known: [],
  depthMost: 1,
});
