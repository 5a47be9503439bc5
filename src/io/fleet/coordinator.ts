/**
 * Goes on with a campaign until nothing can be done at present: asks what is next, hands it to the queue, and writes
 * what came of it into the log. All that it knows is in the log; ended at any moment, the next one goes on from there.
 *
 * What other processes write meanwhile (a pause, an abort, a retry) is seen within a moment.
 */
import { join } from 'node:path';
import { shownInLine } from '../../base/shown.js';
import type { FleetEvent } from '../../fleet/event.js';
import { nextOf, type Next, type NextJob, type NextOptions } from '../../fleet/next.js';
import { reasonOf, stateOf, type Progress } from '../../fleet/state.js';
import type { CampaignStore } from './campaign-store.js';
import type { Job, JobReport } from './job.js';
import type { JobEnd, JobPlace, Queue } from './queue.js';

/** How soon what others wrote into the log is seen. */
const LOOK_MS = 500;
/**
 * To ask what is next takes the longer the more repositories there are, and hands out all that can be done: most ends
 * of a job bring nothing new. So asking is given this share of the time, while there is work under way.
 */
const ASKING_SHARE = 0.1;

export interface DriveOptions extends Omit<NextOptions, 'now'> {
  readonly signal: AbortSignal;
  /** Hears of each repository whose state has become another one. */
  readonly tell: (key: string, state: string, reason: string) => void;
}

/** Where workers on this machine find what belongs to a campaign. */
export const placeIn =
  (store: CampaignStore) =>
  (job: Job): JobPlace => ({ workshop: store.workshop(job.repository.key), changes: join(store.folder, 'changes') });

/** Gives what is held up. Rejects when `signal` aborts; the queue is the caller's to close. */
export async function drive(store: CampaignStore, queue: Queue, options: DriveOptions): Promise<Next> {
  const { signal, tell, ...asked } = options;
  const busy = new Set<string>();
  const bell = new Bell();
  let failure: unknown;
  for (;;) {
    const began = performance.now();
    signal.throwIfAborted();
    if (failure !== undefined) throw failure as Error;
    const { state } = store.state();
    const next = nextOf(store.campaign, state, { ...asked, now: Date.now() });
    for (const found of next.jobs) {
      const progress = state.repositories.get(found.key);
      if (progress === undefined || busy.has(found.key)) continue;
      busy.add(found.key);
      void queue
        .run(jobOf(store, progress, found))
        .then((end) => settle(store, progress, found, end, tell))
        .catch((error: unknown) => {
          failure = error;
        })
        .finally(() => {
          busy.delete(found.key);
          bell.ring();
        });
    }
    const askingMs = performance.now() - began;
    if (state.status === 'aborted') return next;
    if (busy.size === 0 && next.at === undefined) return next;
    await bell.rung(Math.max(10, Math.min(LOOK_MS, (next.at ?? Infinity) - Date.now())), signal);
    for (;;) {
      const leftMs = askingMs / ASKING_SHARE - (performance.now() - began);
      if (leftMs <= 0 || busy.size === 0 || signal.aborted) break;
      await bell.rung(leftMs, signal);
    }
  }
}

/** Rings when a job is over. */
class Bell {
  private wake: () => void = () => undefined;

  ring(): void {
    this.wake();
  }

  /** Until it rings, the time is over, or the person interrupts. */
  async rung(ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', this.wake, { once: true });
    });
    clearTimeout(timer);
    signal.removeEventListener('abort', this.wake);
  }
}

function jobOf(
  { campaign }: CampaignStore,
  progress: Progress,
  { id, steps, changes, isLibrary, input }: NextJob,
): Job {
  const { repository, attempt, values, made, look, plan, commit, propose } = progress;
  return {
    id,
    campaign: campaign.id,
    attempt,
    repository,
    settings: { ...campaign.settings, values },
    steps: [...steps],
    packages: campaign.packages,
    changes: [...changes],
    isLibrary,
    input,
    earlier: [look, plan, commit, propose].filter((outcome) => outcome !== undefined),
    made: [...made],
  };
}

function settle(
  store: CampaignStore,
  { repository: { key }, attempt }: Progress,
  { steps }: NextJob,
  { reports, ended }: JobEnd,
  tell: DriveOptions['tell'],
): void {
  const of = { time: new Date().toISOString(), repository: key, attempt };
  const events = reports.map((report) => eventOf(store, of, report));
  const told = reports.some(({ kind }) => kind === 'failed') || reports.length >= steps.length;
  const step = steps[reports.length] ?? steps[0];
  if (!told && step !== undefined)
    events.push({
      ...of,
      type: 'failed',
      step,
      reason: shownInLine(ended ?? 'its process ended before it said what came of it'),
      isFinal: false,
    });
  store.append(...events);
  const now = store.state().state.repositories.get(key);
  if (now !== undefined) tell(key, stateOf(now), reasonOf(now));
}

function eventOf(
  store: CampaignStore,
  of: Pick<Extract<FleetEvent, { type: 'failed' }>, 'time' | 'repository' | 'attempt'>,
  report: JobReport,
): FleetEvent {
  if (report.kind === 'failed') {
    const { step, reason, isFinal } = report;
    return { ...of, type: 'failed', step, reason: shownInLine(reason), isFinal };
  }
  const { outcome, changeText } = report;
  // Before the event that names it.
  if (changeText !== undefined) store.keepChange(changeText);
  return { ...of, type: 'outcome', outcome };
}
