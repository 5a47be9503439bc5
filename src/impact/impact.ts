/**
 * What an edit affects: all that its relations lead to, and what cannot be decided.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AffectedBlock, Undecided } from './affected.js';
import { isReachedThroughClass } from './deleted-classes.js';
import { foundOn, merged } from './finders.js';
import type { Question } from './question.js';
import { undecided } from './undecided.js';
import { unsearched, type Unsearched } from './unsearched.js';

export interface Impact {
  /** Sorted by file and position. */
  readonly affected: readonly AffectedBlock[];
  readonly undecided: readonly Undecided[];
  readonly unsearched?: Unsearched;
}

/** The first level: what the edit itself affects. */
export function* impactOf(question: Question): Turns<Impact> {
  const { graphs, edit } = question;
  const left = yield* piece(() => unsearched(graphs, edit.changes));
  return {
    ...(left === undefined ? {} : { unsearched: left }),
    affected: merged(yield* foundOn('edit', question)),
    undecided: yield* piece(() =>
      undecided(
        graphs,
        edit.changes.filter((change) => !isReachedThroughClass(graphs.before, change, edit.changes)),
      ),
    ),
  };
}
