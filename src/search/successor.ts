/**
 * New plans from one: what the model proposes, grounded anew where its words are new.
 *
 *     unconstrained  a whole plan; a step whose words stand keeps its symbols
 *     monotonic      one step more; all earlier steps stay as they are
 *
 * Proposals that cannot be used are asked for again, only as many as are missing, a few times.
 */
import type { Prompt } from '../context/prompt.js';
import type { ModelError } from '../model/model-error.js';
import { addSpending, NO_SPENDING, type Model, type Spending } from '../model/model.js';
import { structured } from '../model/structured.js';
import { EMPTY_PLAN, normalised, type Plan, type PlanStep, type PlanSymbol } from './plan.js';
import { proposalForm, type Proposal } from './proposal.js';
import { successorPrompt, successorRequest, type Material } from './questions.js';
import type { SearchSettings } from './search-settings.js';

/** The symbols that an intent leads to, best first, at most `most`. */
export type Ground = (intent: string, most: number) => Promise<readonly PlanSymbol[]>;

/** What two further questions do not bring, a fourth one hardly does. */
const ROUNDS_MOST = 3;

export interface Successors {
  /** In the order in which they were proposed; may hold equal ones. */
  readonly plans: readonly Plan[];
  readonly samples: number;
  readonly unusable: number;
  /** How often an intent was looked up. */
  readonly grounded: number;
  readonly usage: Spending;
  /** What ended the asking. */
  readonly error?: ModelError;
}

export interface SuccessorParts {
  readonly model: Model;
  readonly ground: Ground;
  readonly signal: AbortSignal;
}

/** How many proposals one answer is to hold. */
const togetherIn = ({ temperature }: SearchSettings, wanted: number): number => (temperature === 0 ? wanted : 1);

/** The first question of a search, as a model is asked that nothing but words holds to the form of its answer. */
export const firstQuestion = (material: Material, settings: SearchSettings): Prompt =>
  successorPrompt(
    settings.successor,
    material,
    EMPTY_PLAN,
    proposalForm(togetherIn(settings, settings.branching)).inWords,
  );

/** At most `wanted` plans, for at most `samplesMost` samples. */
export async function successorsOf(
  plan: Plan,
  material: Material,
  wanted: number,
  samplesMost: number,
  settings: SearchSettings,
  { model, ground, signal }: SuccessorParts,
): Promise<Successors> {
  const usable: Proposal[] = [];
  let [samples, unusable, usage]: [number, number, Spending] = [0, 0, NO_SPENDING];
  let error: ModelError | undefined;
  for (let round = 0; round < ROUNDS_MOST && usable.length < wanted && samples < samplesMost; round++) {
    const missing = Math.min(wanted - usable.length, samplesMost - samples);
    // At temperature 0 the samples of one question are all alike: one answer then holds different proposals.
    const together = togetherIn(settings, missing);
    const options = {
      signal,
      n: missing / together,
      seed: settings.seed + samples,
      ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    };
    const request = successorRequest(settings.successor, material, plan);
    const answer = await structured(model, request, proposalForm(together), options, false).catch((reason: unknown) => {
      // What was proposed before somebody cancelled is kept.
      if (signal.aborted && usable.length > 0) return undefined;
      throw reason;
    });
    if (answer === undefined) break;
    usage = addSpending(usage, answer.usage);
    if (answer.error !== undefined) {
      error = answer.error;
      break;
    }
    const proposals = answer.values.flat().slice(0, missing);
    const fitting = proposals.flatMap((proposal) => fitted(proposal, plan, settings) ?? []);
    samples += Math.max(1, answer.refusals.length + proposals.length);
    unusable += answer.refusals.length + proposals.length - fitting.length;
    usable.push(...fitting);
  }
  const groundedPlans = await Promise.all(usable.map((proposal) => groundedPlan(proposal, plan, settings, ground)));
  return {
    plans: groundedPlans.map((one) => one.plan),
    samples,
    unusable,
    grounded: groundedPlans.reduce((sum, one) => sum + one.calls, 0),
    usage,
    ...(error === undefined ? {} : { error }),
  };
}

/** The proposal as the successor allows it; undefined where it does not. */
function fitted(proposal: Proposal, plan: Plan, settings: SearchSettings): Proposal | undefined {
  if (settings.successor === 'unconstrained')
    return { ...proposal, intents: proposal.intents.slice(0, settings.stepsMost) };
  const before = plan.steps.map(({ intent }) => normalised(intent));
  if (before.length >= settings.stepsMost) return undefined;
  const [first, ...others] = proposal.intents;
  if (first !== undefined && others.length === 0) return { ...proposal, intents: [first] };
  // A whole plan that begins with all that stands: what comes next in it is the step.
  const begins = before.every((intent, at) => normalised(proposal.intents[at] ?? '') === intent);
  const next = proposal.intents[before.length];
  return before.length > 0 && begins && next !== undefined ? { ...proposal, intents: [next] } : undefined;
}

async function groundedPlan(
  { intents, rationale }: Proposal,
  parent: Plan,
  { successor, symbolsEach }: SearchSettings,
  ground: Ground,
): Promise<{ readonly plan: Plan; readonly calls: number }> {
  const known = new Map(parent.steps.map((step) => [normalised(step.intent), step]));
  let calls = 0;
  const stepOf = async (intent: string): Promise<PlanStep> => {
    const kept = known.get(normalised(intent));
    if (kept !== undefined) return { intent, symbols: kept.symbols };
    calls++;
    return { intent, symbols: await ground(intent, symbolsEach) };
  };
  const steps = await Promise.all(intents.map(stepOf));
  return {
    plan: {
      steps: successor === 'monotonic' ? [...parent.steps, ...steps] : steps,
      ...(rationale === undefined ? {} : { rationale }),
    },
    calls,
  };
}
