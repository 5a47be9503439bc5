/**
 * What a campaign is at a moment: a fold over its events, and nothing else.
 *
 * Of one attempt only the newest outcome of a step counts, and an outcome of an earlier attempt counts no more, so that
 * a worker that was thought dead and speaks late changes nothing that went on without it.
 */
import type { z } from 'zod';
import type { fleetState } from '#protocol/fleet.js';
import type { Campaign, Repository, Settings } from './campaign.js';
import type { FleetEvent, Outcome, OutcomeOf, Step } from './event.js';
import { sha256 } from './input.js';

export type RepositoryState = z.infer<typeof fleetState>;

export interface Failure {
  readonly step: Step;
  readonly reason: string;
  readonly isFinal: boolean;
  readonly time: string;
}

export interface Progress {
  readonly repository: Repository;
  readonly attempt: number;
  readonly values: Settings['values'];
  readonly look?: OutcomeOf<'look'>;
  readonly plan?: OutcomeOf<'plan'>;
  readonly commit?: OutcomeOf<'commit'>;
  readonly propose?: OutcomeOf<'propose'>;
  readonly watch?: OutcomeOf<'watch'>;
  /** Of this attempt, since the last outcome. */
  readonly failures: readonly Failure[];
  /** Every commit that was ever made for it: a branch whose tip is none of these is somebody else's. */
  readonly made: readonly string[];
  /** When it was last proposed. */
  readonly proposedAt?: string;
  /** Which event made its branch, counted from the first: who is ready first is proposed first. */
  readonly readySince?: number;
}

export interface CampaignState {
  readonly status: 'running' | 'paused' | 'aborted';
  /** Whether a person said yes after the canary. */
  readonly approved: boolean;
  readonly repositories: ReadonlyMap<string, Progress>;
  /** How many events led to it. */
  readonly events: number;
}

/** Ends of processes and failing networks that one attempt outlives. */
export const FAILURES_MOST = 8;

export function stateAfter(campaign: Campaign, events: Iterable<FleetEvent>): CampaignState {
  return withEvents(stateAtFirst(campaign), events);
}

export const stateAtFirst = ({ repositories, settings }: Campaign): CampaignState => ({
  status: 'running',
  approved: settings.canary === 0,
  events: 0,
  repositories: new Map(
    repositories.map((repository) => [
      repository.key,
      { repository, attempt: 1, values: settings.values, failures: [], made: [] },
    ]),
  ),
});

export function withEvents(before: CampaignState, events: Iterable<FleetEvent>): CampaignState {
  const repositories = new Map(before.repositories);
  let state: CampaignState = { ...before, repositories };
  for (const event of events) state = { ...applied(state, repositories, event), events: state.events + 1 };
  return state;
}

/** `repositories` is the fold's own map. */
function applied(state: CampaignState, repositories: Map<string, Progress>, event: FleetEvent): CampaignState {
  switch (event.type) {
    case 'outcome': {
      const before = repositories.get(event.repository);
      if (before !== undefined) repositories.set(event.repository, withOutcome(before, event, state.events));
      return state;
    }
    case 'failed': {
      const before = repositories.get(event.repository);
      if (before?.attempt !== event.attempt) return state;
      const { step, reason, isFinal, time } = event;
      repositories.set(event.repository, {
        ...before,
        failures: [...before.failures, { step, reason, isFinal, time }],
      });
      return state;
    }
    case 'retry':
      for (const [key, before] of repositories)
        if (event.repositories === null ? isStuck(stateOf(before)) : event.repositories.includes(key))
          repositories.set(key, anew(before, event.values ?? {}));
      return state;
    case 'approve':
      return { ...state, approved: true };
    case 'pause':
    case 'resume':
    case 'abort':
      if (state.status === 'aborted') return state;
      return { ...state, status: event.type === 'pause' ? 'paused' : event.type === 'abort' ? 'aborted' : 'running' };
  }
}

function withOutcome(
  before: Progress,
  { attempt, outcome, time }: Extract<FleetEvent, { type: 'outcome' }>,
  number: number,
): Progress {
  const commit = outcome.step === 'plan' || outcome.step === 'commit' ? outcome.commit : undefined;
  const made = commit === undefined || before.made.includes(commit) ? before.made : [...before.made, commit];
  if (attempt !== before.attempt) return { ...before, made };
  const isNewPlan = outcome.step === 'plan' && before.plan?.commit !== outcome.commit;
  const kept = isNewPlan ? withoutBranch(before) : before;
  return {
    ...kept,
    [outcome.step]: outcome,
    made,
    failures: [],
    ...(outcome.step === 'propose' && outcome.verdict === 'proposed' ? { proposedAt: time } : {}),
    ...(outcome.step === 'commit' && kept.readySince === undefined ? { readySince: number } : {}),
  };
}

/** Another plan makes another branch. */
function withoutBranch({
  commit: _commit,
  propose: _propose,
  watch: _watch,
  readySince: _since,
  ...rest
}: Progress): Progress {
  return rest;
}

function anew({ repository, attempt, values, made }: Progress, more: Settings['values']): Progress {
  return { repository, attempt: attempt + 1, values: { ...values, ...more }, failures: [], made };
}

const isStuck = (state: RepositoryState): boolean =>
  ['failed', 'needs-value', 'needs-person', 'withdrawn'].includes(state);

/** Whether nothing more will be tried in this attempt. */
export const hasFailed = ({ failures }: Progress): boolean =>
  failures.length >= FAILURES_MOST || failures.some(({ isFinal }) => isFinal);

export function stateOf(progress: Progress): RepositoryState {
  const { look, plan, commit, propose, watch } = progress;
  if (hasFailed(progress)) return 'failed';
  if (watch !== undefined && watch.verdict !== 'open') return watch.verdict;
  if (propose?.verdict === 'proposed') return 'proposed';
  if (isTakenOver(commit) || isTakenOver(propose) || propose?.verdict === 'unclear') return 'needs-person';
  if (plan !== undefined) return plan.verdict === 'planned' && commit !== undefined ? 'checked' : plan.verdict;
  if (look === undefined) return 'waiting';
  if (look.isDirty && look.dependence !== 'none') return 'needs-person';
  return look.dependence === 'behind' || look.dependence === 'unknown' ? 'affected' : 'not-affected';
}

const isTakenOver = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && 'verdict' in outcome && outcome.verdict === 'taken-over';

/** Why it is in its state: one sentence. */
export function reasonOf(progress: Progress): string {
  const { look, plan, commit, propose, watch, failures } = progress;
  const last = failures.at(-1);
  if (last !== undefined)
    return hasFailed(progress) ? `${last.step}: ${last.reason}` : `${last.step} is tried again: ${last.reason}`;
  const newest = watch ?? propose ?? commit ?? plan;
  if (newest === plan && plan === undefined && look?.isDirty === true && look.dependence !== 'none')
    return 'the folder has edits that are not committed; commit or stash them, then retry';
  if (newest === commit && plan !== undefined && commit?.verdict === 'ready') return plan.reason;
  return (newest ?? look)?.reason ?? 'nobody has looked yet';
}

/** Of what a plan follows from: the same digest means that it holds. */
export const planInput = (progress: Progress, changes: readonly string[], settings: Settings, engine: string): string =>
  sha256(
    JSON.stringify([
      progress.attempt,
      progress.look?.base,
      changes,
      progress.values,
      settings.model,
      settings.oracle,
      settings.trustOracle,
      engine,
    ]),
  );
