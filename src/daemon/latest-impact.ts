/**
 * What one client's latest edit affects, kept up to date while it types.
 *
 *     change ──► 150 ms of quiet ──► service.impact ──► report of these document versions ──► publish
 *        └── a change meanwhile aborts the run and starts the wait anew
 *
 * A report is only published for the texts it was computed from. It is kept afterwards, since code
 * lenses and code actions are answered from it.
 */
import type { ImpactReport } from '#protocol/impact.js';
import { ServiceError, SETTLED_BASE, type Service } from '../engine/service.js';
import type { Log } from '../io/disk/log-file.js';

/** Long enough to stay silent inside a word, short enough to feel immediate. */
export const QUIET_MS = 150;

export class LatestImpact {
  private known: ImpactReport | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: AbortController | undefined;
  private closed = false;

  constructor(
    private readonly service: Service,
    private readonly publish: (report: ImpactReport) => void,
    private readonly log: Log,
  ) {}

  /** Undefined until the first one was computed. */
  get report(): ImpactReport | undefined {
    return this.known;
  }

  /** Something changed that the report depends on. */
  touch(): void {
    if (this.closed) return;
    this.running?.abort(new Error('the text changed'));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.compute(), QUIET_MS);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.running?.abort(new Error('the client is gone'));
  }

  private async compute(): Promise<void> {
    const run = new AbortController();
    this.running = run;
    const started = performance.now();
    try {
      const report = await this.service.ask(
        'codeplan/impact',
        { base: SETTLED_BASE },
        { signal: run.signal, progress: () => undefined },
      );
      if (run.signal.aborted) return;
      this.known = report;
      this.publish(report);
      this.log('debug', 'hints', {
        changes: report.changes.length,
        affected: report.affected.length,
        ms: Math.round(performance.now() - started),
      });
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
