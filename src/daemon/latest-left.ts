/**
 * What is left of one client's edits, kept up to date while it types.
 *
 *     change ──► 150 ms of quiet ──► service.left ──► report of these document versions ──► publish
 *        │            │                   └──► more quiet ──► the plan behind it ──► publish
 *        │            └── near its end the disk is looked at, which the answer then need not wait for
 *        └── a change meanwhile aborts the run and starts the wait anew
 *
 * A report is only published for the texts it was computed from. It is kept afterwards, since code
 * lenses and code actions are answered from it.
 */
import type { LeftReport } from '#protocol/left.js';
import { ServiceError, type Service } from '../engine/service.js';
import type { Log } from '../io/disk/log-file.js';

/** Long enough to stay silent inside a word, short enough to feel immediate. */
export const QUIET_MS = 150;
/** So long before its end the question is announced: a look at the disk's folders takes less, and holds for longer. */
const AHEAD_MS = 30;
/** After that the person rests, and the plan can be made. */
const REST_MS = 250;

export class LatestLeft {
  private known: LeftReport | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: AbortController | undefined;
  private closed = false;

  constructor(
    private readonly service: Service,
    private readonly expect: () => void,
    private readonly publish: (report: LeftReport) => void,
    private readonly log: Log,
  ) {}

  /** Undefined until the first one was computed. */
  get report(): LeftReport | undefined {
    return this.known;
  }

  /** Something changed that the report depends on. */
  touch(): void {
    if (this.closed) return;
    this.running?.abort(new Error('the text changed'));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.expect();
      this.timer = setTimeout(() => void this.compute(false), AHEAD_MS);
    }, QUIET_MS - AHEAD_MS);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.running?.abort(new Error('the client is gone'));
  }

  private async compute(plan: boolean): Promise<void> {
    const run = new AbortController();
    this.running = run;
    const started = performance.now();
    try {
      const call = { signal: run.signal, progress: () => undefined };
      const report = await this.service.ask('codeplan/left', { plan }, call);
      if (run.signal.aborted) return;
      this.known = report;
      this.publish(report);
      this.log('debug', 'hints', {
        changes: report.changes.length,
        left: report.counts.left,
        plan,
        ms: Math.round(performance.now() - started),
      });
      if (!plan && report.counts.left > 0) this.timer = setTimeout(() => void this.compute(true), REST_MS);
    } catch (error) {
      // One turn of this loop: what was published stays until the next change brings a new one.
      if (!run.signal.aborted)
        this.log(error instanceof ServiceError ? 'warn' : 'error', 'hints failed', {
          error: error instanceof ServiceError ? error.message : String((error as Error).stack),
        });
    } finally {
      if (this.running === run) this.running = undefined;
    }
  }
}
