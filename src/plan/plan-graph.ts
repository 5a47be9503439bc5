/**
 * The plan graph: obligations and what caused them, as a value.
 *
 * Nodes are steps, edges lead from a cause to its consequence. A block that is affected again
 * while its step is pending gets another cause; one that is affected again after its step was
 * completed gets a new step, so the graph stays acyclic. How often a block may come back is
 * bounded; what was cut off is said in the step.
 *
 * Source: CodePlan (arXiv 2309.12499), Algorithm 2, adaptive plan graph.
 */
import type { Label } from '../change/atomic-change.js';
import type { Relation } from '../graph/refer/relation.js';
import type { Tier } from '../impact/verdict.js';

/** `postponed`: not asked about, because others like it needed no change. */
export type StepStatus =
  | 'pending'
  | 'postponed'
  | 'proposed'
  | 'accepted'
  | 'rejected'
  | 'applied'
  | 'verified'
  | 'failed'
  | 'blocked'
  | 'stale';

/** Stands for the person's edit where the number of a step is wanted. */
export const PERSON = 0;

/** Rewrites that are made only where the person agrees, for the plan as a whole. */
export type Acceptable = 'drop-unread';

export interface Cause {
  /** The step whose edit caused this one; 0 for an edit of the person. */
  readonly step: number;
  readonly relation: Relation;
  readonly label: Label;
  /** The block that the edit changed, with its file. */
  readonly file: string;
  readonly block: string;
}

export interface Step {
  readonly id: number;
  readonly file: string;
  /** Name of the block when the step was raised. */
  readonly block: string;
  /** Its name now, which edits of the plan may have changed. */
  readonly nowBlock: string;
  readonly tier: Tier;
  readonly causes: readonly Cause[];
  /** Sentences, one a cause. */
  readonly reasons: readonly string[];
  /** What is wrong, at a glance; empty where the reasons alone say it. */
  readonly facts: readonly string[];
  readonly status: StepStatus;
  /** Who made the edit; `person` while nobody did. */
  readonly how: 'mechanical' | 'model' | 'replay' | 'person';
  /** Rewrite or rule that made the edit, else the impact rule that raised the step. */
  readonly rule: string;
  /** Why it is not done, and what it takes. */
  readonly open?: StepOpen;
  /** Unified diff of the step's own edit; '' for none. */
  readonly diff: string;
  /** First line of the block when the step was raised, from 1. */
  readonly line: number;
  /**
   * How close the block stands to what it follows, and whether it says what changed there: the higher, the
   * sooner it is asked about.
   */
  readonly nearness: number;
  /** Blocks that somebody says may serve for it. */
  readonly related?: readonly RelatedName[];
  /** Members that were added to the block without a body of their own. */
  readonly stubs?: readonly Stub[];
  /** Whether such bodies are all that is to be done. */
  readonly isStubsAlone?: boolean;
  /** The step of its class whose answer is the answer to this one as well. */
  readonly answeredWith?: number;
}

/** A member that waits for its body. */
export interface Stub {
  /** Its name in the block, with its number where the block has several of that name. */
  readonly member: string;
  /** What it implements. */
  readonly of: RelatedName;
}

export interface RelatedName {
  readonly file: string;
  readonly block: string;
}

/** Where a value is needed: its name, the key that gives it for this call alone, and what would do here. */
export interface StepOpen {
  readonly reason: string;
  readonly needs: 'model' | 'value' | 'person';
  readonly value?: string;
  readonly key?: string;
  readonly choices?: readonly string[];
  /** What the person can agree to, to have it done. */
  readonly accept?: Acceptable;
}

export interface Plan {
  readonly steps: readonly Step[];
}

export const EMPTY_PLAN: Plan = { steps: [] };

/** How often one block may be asked for in one plan. */
export const VISITS_MOST = 3;
/** How many steps a plan may have. */
export const STEPS_MOST = 2000;

export interface Obligation {
  readonly file: string;
  readonly block: string;
  readonly tier: Tier;
  readonly causes: readonly Cause[];
  readonly reasons: readonly string[];
  readonly facts: readonly string[];
  readonly rule: string;
  readonly line: number;
  readonly nearness: number;
  readonly related?: readonly RelatedName[];
}

/**
 * The plan with an obligation added, merged into a pending step of the block, or dropped by a bound. Gives the
 * step's id, 0 if dropped.
 */
export function withObligation(
  plan: Plan,
  obligation: Obligation,
  stepsMost = STEPS_MOST,
): { readonly plan: Plan; readonly id: number } {
  const visits = plan.steps.filter((step) => step.file === obligation.file && step.nowBlock === obligation.block);
  const pending = visits.find((step) => step.status === 'pending' || step.status === 'postponed');
  if (pending !== undefined) {
    const { open, ...rest } = pending;
    const merged: Step = {
      ...rest,
      ...(open === undefined || pending.status === 'postponed' ? {} : { open }),
      status: 'pending',
      tier: pending.tier === 'breaks' || obligation.tier === 'breaks' ? 'breaks' : 'may',
      causes: distinctCauses([...pending.causes, ...obligation.causes]),
      reasons: [...new Set([...pending.reasons, ...obligation.reasons])],
      facts: [...new Set([...pending.facts, ...obligation.facts])],
      nearness: Math.max(pending.nearness, obligation.nearness),
      ...(pending.related === undefined && obligation.related === undefined
        ? {}
        : { related: [...(pending.related ?? []), ...(obligation.related ?? [])] }),
    };
    return { plan: replaceStep(plan, merged), id: pending.id };
  }
  if (visits.length >= VISITS_MOST || plan.steps.length >= stepsMost) return { plan, id: 0 };
  const step: Step = {
    ...obligation,
    nowBlock: obligation.block,
    causes: distinctCauses(obligation.causes),
    id: plan.steps.length + 1,
    status: 'pending',
    how: 'person',
    diff: '',
  };
  return { plan: { steps: [...plan.steps, step] }, id: step.id };
}

export function replaceStep(plan: Plan, step: Step): Plan {
  return { steps: plan.steps.map((known) => (known.id === step.id ? step : known)) };
}

/**
 * The pending steps in the order in which they are asked: what breaks before what may be affected; then the one
 * with the fewest
 * steps between it and the person's edit; then declarations (bases and what overrides, classes before their
 * constructors)
 * before uses, so that a use is asked about once; then the nearest; then many causes; then file and line.
 */
export function pendingInOrder(plan: Plan): Step[] {
  const pending = plan.steps.filter((step) => step.status === 'pending');
  const depth = (step: Step): number =>
    step.causes.length === 0 ? PERSON : Math.min(...step.causes.map((cause) => cause.step));
  return pending.sort(
    (a, b) =>
      Number(a.tier === 'may') - Number(b.tier === 'may') ||
      depth(a) - depth(b) ||
      Number(isUse(a)) - Number(isUse(b)) ||
      b.nearness - a.nearness ||
      b.causes.length - a.causes.length ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
  );
}

/** Relations that lead from a declaration to those that must agree with it; all others lead to uses. */
export const AMONG_DECLARATIONS: ReadonlySet<Relation> = new Set<Relation>([
  'Overrides',
  'OverriddenBy',
  'BaseClassOf',
  'DerivedClassOf',
  'Constructs',
  'ConstructedBy',
  'ParentOf',
  'ChildOf',
  'Satisfies',
  'SatisfiedBy',
]);
const isUse = (step: Step): boolean =>
  step.causes.length > 0 && !step.causes.some((cause) => AMONG_DECLARATIONS.has(cause.relation));

function distinctCauses(causes: readonly Cause[]): Cause[] {
  const seen = new Set<string>();
  return causes.filter((cause) => {
    const key = `${cause.step} ${cause.relation} ${cause.label} ${cause.file} ${cause.block}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Of these steps, those that are not there because of others alone which are not among them: a
 * step whose every cause is a step left out has nothing to follow from.
 */
export function withoutOrphans(plan: Plan, chosen: ReadonlySet<number>): ReadonlySet<number> {
  const left = new Set(chosen);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const { id, causes } of plan.steps)
      if (left.has(id) && causes.length > 0 && causes.every(({ step }) => step !== 0 && step !== id && !left.has(step)))
        left.delete(id);
  }
  return left;
}
