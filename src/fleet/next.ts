/**
 * What can be done now in a campaign: for each repository the steps that are next, as jobs.
 *
 * A pure function of the state: whoever asks twice gets the same jobs, and a job's id says what it is for, so that
 * handing it out twice is harmless. Waves, the canary and the limits of proposals are decided here alone.
 */
import type { Campaign } from './campaign.js';
import type { Step } from './event.js';
import { sha256 } from './input.js';
import { hasFailed, planInput, stateOf, type CampaignState, type Progress } from './state.js';
import { usedBy, wavesOf } from './waves.js';

export interface NextJob {
  readonly id: string;
  readonly key: string;
  readonly steps: readonly Step[];
  /** Digests of change files, for a plan, and for a worker that has to make again what another one planned. */
  readonly changes: readonly string[];
  /** Whether others of the campaign use it, so that its own change has to be known. */
  readonly isLibrary: boolean;
  /** What the steps depend on besides the repository itself. */
  readonly input: string;
}

export interface NextOptions {
  /** The last step to go to. */
  readonly until: 'plan' | 'propose';
  /** Whether to ask what became of proposals; of each repository once, by a number that each asking has. */
  readonly watching?: string;
  /** Says which program plans: another one may plan otherwise. */
  readonly engine: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Next {
  readonly jobs: readonly NextJob[];
  /** What cannot be done yet, and why; by repository. */
  readonly held: ReadonlyMap<string, string>;
  /** When to ask again because of time alone; undefined: never. */
  readonly at: number | undefined;
}

/** After the first failure; each further one doubles it. */
const PAUSE_MS = 500;
/** A minute is no load for a server that is down, and nobody waits long for one that is back. */
const PAUSE_MOST_MS = 60_000;
/** In milliseconds. */
const HOUR_MS = 3_600_000;
/** 80 bits of the digest: no two jobs of a campaign meet by chance, and the name stays short enough for a file. */
const ID_DIGITS = 20;
export const CANARY_HELD = 'waits for your yes after the canary';

/** What one asking knows. */
interface Asking {
  readonly campaign: Campaign;
  readonly state: CampaignState;
  readonly options: NextOptions;
  readonly uses: ReadonlyMap<string, readonly string[]>;
  readonly waves: ReadonlyMap<string, number>;
  /** Repositories that others of the campaign use. */
  readonly libraries: ReadonlySet<string>;
  /** Whether all that can be looked at was: before that nobody knows the waves. */
  readonly isLooked: boolean;
  readonly gate: Gate;
  readonly held: Map<string, string>;
}

export function nextOf(campaign: Campaign, state: CampaignState, options: NextOptions): Next {
  const held = new Map<string, string>();
  if (state.status !== 'running') return { jobs: [], held, at: undefined };
  const uses = usedBy(state.repositories);
  const waves = wavesOf(uses);
  const ordered = [...state.repositories].sort(
    ([a], [b]) => (waves.get(a) ?? 0) - (waves.get(b) ?? 0) || (a < b ? -1 : 1),
  );
  const asking: Asking = {
    campaign,
    state,
    options,
    uses,
    waves,
    libraries: new Set([...uses.values()].flat()),
    isLooked: ordered.every(([, each]) => each.look !== undefined || hasFailed(each)),
    gate: gateOf(campaign, state, options, ordered),
    held,
  };
  const jobs: NextJob[] = [];
  let at: number | undefined;
  // What was let through at an earlier asking is let through again, whatever became ready meanwhile.
  const first = [...ordered].sort(([, a], [, b]) => placeOf(a) - placeOf(b));
  for (const [, progress] of first) {
    const found = jobFor(progress, asking);
    const pause = pauseOf(progress);
    if (found === undefined) continue;
    if (pause <= options.now) jobs.push(found);
    else at = Math.min(at ?? pause, pause);
  }
  return { jobs, held, at };
}

const placeOf = ({ readySince }: Progress): number => readySince ?? Number.MAX_SAFE_INTEGER;

function jobFor(progress: Progress, asking: Asking): NextJob | undefined {
  const { campaign, options, uses, held } = asking;
  const { repository, attempt, look, plan } = progress;
  if (hasFailed(progress)) return undefined;
  if (look === undefined) return job(asking, progress, 'look', sha256(`${attempt} ${options.engine}`));
  const changes = changesFor(progress, asking);
  if (!asking.isLooked || look.isDirty || changes.length === 0) return undefined;
  const input = planInput(progress, changes, campaign.settings, options.engine);
  if (plan?.input === input) return options.until === 'plan' ? undefined : furtherJob(progress, changes, asking);
  const before = (uses.get(repository.key) ?? []).find((other) => isAhead(other, repository.key, asking));
  if (before === undefined) return job(asking, progress, 'plan', input, changes);
  held.set(repository.key, `waits for ${before}`);
  return undefined;
}

function job(
  { campaign, libraries }: Asking,
  { repository: { key }, attempt, failures }: Progress,
  step: Step,
  input: string,
  changes: readonly string[] = [],
): NextJob {
  // A job that ended without an outcome is handed out again, which is another job to a queue.
  const digest = sha256(JSON.stringify([attempt, step, input, failures.length])).slice(0, ID_DIGITS);
  const id = `${campaign.id}.${key}.${digest}`;
  return { id, key, steps: [step], changes, isLibrary: libraries.has(key), input };
}

/** Whether a repository comes in an earlier wave than another and has not been planned. */
function isAhead(other: string, key: string, asking: Asking): boolean {
  const { campaign, state, waves, options } = asking;
  const progress = state.repositories.get(other);
  if (progress === undefined || (waves.get(other) ?? 0) >= (waves.get(key) ?? 0)) return false;
  if (hasFailed(progress) || progress.look?.isDirty === true) return false;
  const changes = changesFor(progress, asking);
  return changes.length > 0 && progress.plan?.input !== planInput(progress, changes, campaign.settings, options.engine);
}

/** The campaign's own change where the manifests say so, and what libraries of earlier waves changed. */
function changesFor({ repository: { key }, look }: Progress, { campaign, state, uses, waves }: Asking): string[] {
  const own = mayFollow(look) ? [campaign.change] : [];
  const others = (uses.get(key) ?? []).flatMap((other) => {
    const isEarlier = (waves.get(other) ?? 0) < (waves.get(key) ?? 0);
    return isEarlier ? (state.repositories.get(other)?.plan?.change ?? []) : [];
  });
  return [...own, ...[...new Set(others)].sort()];
}

/** From a plan to a branch, its proposal, and what becomes of that. */
function furtherJob(progress: Progress, changes: readonly string[], asking: Asking): NextJob | undefined {
  const { campaign, options, gate, held } = asking;
  const { repository, plan, commit, propose, watch } = progress;
  const hold = (reason: string): undefined => {
    held.set(repository.key, reason);
    return undefined;
  };
  if (plan?.commit === undefined || plan.verdict === 'not-affected' || plan.verdict === 'needs-value') return undefined;
  if (!gate.isOpen(repository.key)) return hold(CANARY_HELD);
  if (commit === undefined) return job(asking, progress, 'commit', sha256(plan.commit), changes);
  const { push, propose: command } = campaign.settings;
  if (plan.verdict !== 'planned' || commit.verdict !== 'ready') return undefined;
  if (propose === undefined && (push || command !== null)) {
    const reason = command === null ? undefined : gate.limit(repository.owner);
    if (reason !== undefined) return hold(reason);
    gate.take(repository.owner);
    return job(asking, progress, 'propose', sha256(commit.commit), changes);
  }
  const isWatched = propose?.verdict === 'proposed' && (watch === undefined || watch.verdict === 'open');
  if (!isWatched || options.watching === undefined) return undefined;
  const input = sha256(`${commit.commit} ${options.watching}`);
  return watch?.input === input ? undefined : job(asking, progress, 'watch', input);
}

interface Gate {
  isOpen(key: string): boolean;
  /** Why an owner gets no more proposals at present. */
  limit(owner: string): string | undefined;
  take(owner: string): void;
}

/** What stands between a branch and its proposal: the canary, and limits. */
function gateOf(
  { settings }: Campaign,
  state: CampaignState,
  { now }: NextOptions,
  ordered: readonly (readonly [string, Progress])[],
): { isOpen(key: string): boolean; limit(owner: string): string | undefined; take(owner: string): void } {
  const first = new Set(
    ordered
      .filter(([, { look, plan }]) => plan?.commit !== undefined || (plan === undefined && mayFollow(look)))
      .slice(0, settings.canary)
      .map(([key]) => key),
  );
  const open = new Map<string, number>();
  let inHour = 0;
  for (const [, progress] of ordered) {
    if (stateOf(progress) === 'proposed') add(progress.repository.owner);
    if (progress.proposedAt !== undefined && now - Date.parse(progress.proposedAt) < HOUR_MS) inHour++;
  }
  function add(owner: string): void {
    open.set(owner, (open.get(owner) ?? 0) + 1);
  }
  return {
    isOpen: (key) => state.approved || first.has(key),
    limit: (owner) => {
      if (settings.openMost > 0 && (open.get(owner) ?? 0) >= settings.openMost)
        return `${owner} has ${settings.openMost} open proposals, which is the limit`;
      return settings.hourMost > 0 && inHour >= settings.hourMost
        ? `${settings.hourMost} proposals were made within an hour, which is the limit`
        : undefined;
    },
    take: (owner) => {
      add(owner);
      inHour++;
    },
  };
}

/** A repository that is still to be planned keeps its place among the first. */
const mayFollow = (look: Progress['look']): boolean => look?.dependence === 'behind' || look?.dependence === 'unknown';

function pauseOf({ failures }: Progress): number {
  const last = failures.at(-1);
  return last === undefined
    ? 0
    : Date.parse(last.time) + Math.min(PAUSE_MS * 2 ** (failures.length - 1), PAUSE_MOST_MS);
}
