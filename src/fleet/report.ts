/** A campaign as its document: what each repository is in, and why. */
import { fleetState, type FleetReport, type FleetRepository } from '#protocol/fleet.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { branchOf, type Campaign } from './campaign.js';
import { reasonOf, stateOf, type CampaignState, type Progress } from './state.js';
import { usedBy, wavesOf } from './waves.js';

export interface ReportParts {
  readonly campaign: Campaign;
  readonly state: CampaignState;
  /** Why some are not gone on with, by repository. */
  readonly held: ReadonlyMap<string, string>;
  /** Lines of the log that cannot be read. */
  readonly damaged: number;
  readonly folder: string;
  /** Whether a process hands out work at present. */
  readonly isRunning: boolean;
}

export function fleetReport({ campaign, state, held, damaged, folder, isRunning }: ReportParts): FleetReport {
  const waves = wavesOf(usedBy(state.repositories));
  const repositories = [...state.repositories].map(([key, progress]) =>
    entryOf(progress, waves.get(key) ?? 0, held.get(key), branchOf(campaign.id)),
  );
  return {
    schema: SCHEMA_VERSION,
    campaign: campaign.id,
    title: campaign.settings.title,
    created: campaign.created,
    status: state.status,
    running: isRunning,
    packages: campaign.packages,
    branch: branchOf(campaign.id),
    counts: countsOf(repositories),
    repositories,
    damaged,
    folder,
  };
}

function countsOf(repositories: readonly FleetRepository[]): FleetReport['counts'] {
  const none = Object.fromEntries(fleetState.options.map((name) => [name, 0])) as FleetReport['counts'];
  return repositories.reduce((counts, { state }) => ({ ...counts, [state]: counts[state] + 1 }), none);
}

function entryOf(progress: Progress, wave: number, held: string | undefined, branch: string): FleetRepository {
  const { repository, attempt, plan, commit, propose } = progress;
  const address = propose?.address;
  return {
    ...repository,
    state: stateOf(progress),
    reason: held === undefined ? reasonOf(progress) : `${reasonOf(progress)}; ${held}`,
    attempt,
    wave,
    edits: plan?.edits ?? 0,
    files: plan?.files ?? [],
    steps: plan?.steps ?? [],
    open: plan?.open ?? [],
    notes: plan?.notes ?? [],
    undecided: plan?.undecided ?? 0,
    oracle: plan?.oracle ?? null,
    ...(commit?.verdict === 'ready' ? { ready: { repository: commit.place, branch, commit: commit.commit } } : {}),
    ...(address === undefined ? {} : { proposal: address }),
  };
}
