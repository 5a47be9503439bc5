/**
 * What an edit affects: all that its relations lead to, and what cannot be decided.
 */
import type { AffectedBlock, Undecided } from './affected.js';
import { isReachedThroughClass } from './deleted-classes.js';
import { foundOn, merged } from './finders.js';
import type { Question } from './question.js';
import { undecided } from './undecided.js';

export interface Impact {
  /** Sorted by file and position. */
  readonly affected: readonly AffectedBlock[];
  readonly undecided: readonly Undecided[];
}

/** The first level: what the edit itself affects. */
export function impactOf(question: Question): Impact {
  const { graphs, edit } = question;
  return {
    affected: merged(foundOn('edit', question)),
    undecided: undecided(
      graphs,
      edit.changes.filter((change) => !isReachedThroughClass(graphs.before, change, edit.changes)),
    ),
  };
}
