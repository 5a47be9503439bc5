/**
 * Answers to a question about several steps, kept until each one's turn comes. One counts if its block
 * still has the text that was asked about, and if what led to the step was known to whoever answered.
 */
import { fragmentOf } from '../edit/merge.js';
import type { EditAnswer } from '../edit/model/edit-model.js';
import type { Cause, Step } from '../plan/plan-graph.js';
import { placesOf, type Place } from './step-request.js';
import type { WorkingTree } from './working-tree.js';

interface Told {
  readonly text: string;
  readonly causes: ReadonlySet<string>;
  /** Numbers of the steps of the same question. */
  readonly with: ReadonlySet<number>;
  readonly answer: EditAnswer;
}

export class ToldAnswers {
  private readonly bySteps = new Map<number, Told>();

  has({ id }: Step): boolean {
    return this.bySteps.has(id);
  }

  /** `answers` are those to a question about the steps, in their order. */
  keep(asked: readonly Step[], answers: readonly EditAnswer[], tree: WorkingTree): void {
    for (const [at, step] of asked.entries()) {
      const [place] = placesOf(step, tree);
      const answer = answers[at];
      if (place !== undefined && answer !== undefined)
        this.bySteps.set(step.id, {
          text: textOf(place),
          causes: new Set(step.causes.map(keyOf)),
          with: new Set(asked.map(({ id }) => id)),
          answer,
        });
    }
  }

  /**
   * The answer for a step whose turn has come, once. What the other answers to the same question brought about was
   * known to whoever wrote them all; that nothing changes, after all, has to be said anew.
   */
  take(step: Step, place: Place): EditAnswer | undefined {
    const told = this.bySteps.get(step.id);
    this.bySteps.delete(step.id);
    if (told === undefined || told.text !== textOf(place)) return undefined;
    const isKnown = step.causes.every(
      (cause) => told.causes.has(keyOf(cause)) || (told.answer.kind !== 'noChange' && told.with.has(cause.step)),
    );
    return isKnown ? told.answer : undefined;
  }
}

const textOf = ({ text, summary, decl }: Place): string => (decl < 0 ? '' : fragmentOf(text, summary, decl));
const keyOf = (cause: Cause): string => JSON.stringify(cause);
