/**
 * Which steps need not be asked about, after what was answered about others like them.
 *
 * Steps that one edit affects in the same way are asked about one after the other, the nearest first
 * (`pendingInOrder`). Where several of them needed no change, and few did, the rest most likely needs
 * none either: it is left open, with how many were asked. Edits that were made in one go (all of the
 * person's, all of one step's) and affect others by the same relation are taken together too, only
 * later. What breaks is always asked about, and so are members that override one another, which are
 * few and differ by what they are for, and a step with a cause of which too little is known yet. What stands farther
 * away, and was asked sooner because a nearer one uses it, says nothing of the nearer one.
 */
import type { Relation } from '../graph/refer/relation.js';
import { replaceStep, type Cause, type Plan, type Step } from './plan-graph.js';

/**
 * How many answers "no changes" it takes among what one edit affects, and among what edits made in one go do;
 * each edit that was made asks for one more.
 */
const UNCHANGED_MOST = { one: 2, together: 4 } as const;

/** Whose answers say nothing of others like them. */
const EACH_ASKED: ReadonlySet<Relation> = new Set<Relation>(['Overrides', 'OverriddenBy', 'Satisfies', 'SatisfiedBy']);

interface Tally {
  edited: number;
  /** Of each that needed no change, how near it stands. */
  readonly unchanged: number[];
}

/** The plan with such pending steps marked as postponed. */
export function withPostponed(plan: Plan): Plan {
  const tallies = new Map<string, Tally>();
  for (const step of plan.steps) {
    if (
      step.status !== 'proposed' ||
      step.answeredWith !== undefined ||
      (step.how !== 'model' && step.how !== 'replay')
    )
      continue;
    for (const key of new Set(step.causes.flatMap((cause) => [likeness(cause), inOneGo(cause)]))) {
      const tally = tallies.get(key) ?? { edited: 0, unchanged: [] };
      if (step.diff === '') tally.unchanged.push(step.nearness);
      else tally.edited++;
      tallies.set(key, tally);
    }
  }
  const spent = (key: string, most: number, nearness: number): number => {
    const { edited, unchanged } = tallies.get(key) ?? { edited: 0, unchanged: [] };
    const asked = unchanged.filter((near) => near >= nearness).length;
    return asked >= most + edited ? asked : 0;
  };
  let out = plan;
  for (const step of plan.steps) {
    if (
      step.status !== 'pending' ||
      step.tier !== 'may' ||
      step.causes.length === 0 ||
      step.diff !== '' ||
      step.causes.some((cause) => EACH_ASKED.has(cause.relation))
    )
      continue;
    const asked = Math.min(
      ...step.causes.map((cause) =>
        Math.max(
          spent(likeness(cause), UNCHANGED_MOST.one, step.nearness),
          spent(inOneGo(cause), UNCHANGED_MOST.together, step.nearness),
        ),
      ),
    );
    if (asked === 0) continue;
    out = replaceStep(out, {
      ...step,
      status: 'postponed',
      open: {
        reason: `not asked: ${asked} other blocks that are affected in the same way needed no change`,
        needs: 'model',
      },
    } satisfies Step);
  }
  return out;
}

const inOneGo = (cause: Cause): string => `${cause.step} ${cause.label} ${cause.relation}`;
const likeness = (cause: Cause): string => `${inOneGo(cause)} ${cause.file}::${cause.block}`;
