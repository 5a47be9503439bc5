/** The plan that a session made last, with the status that its steps have come to since; for its page. */
import type { ExecuteReport, PropagateReport, ReviewReport, Step } from '#protocol/propagate.js';
import type { StepStatus } from '#protocol/words.js';
import { planPage } from '../page/plan-page.js';
import type { LivePage } from './page-server.js';

/** What a step is no longer once its run was taken back. */
const TAKEN_BACK: ReadonlySet<StepStatus> = new Set(['applied', 'verified', 'accepted', 'rejected']);

export class LatestPlan {
  private latest: PropagateReport | undefined;
  private changes = 0;
  private readonly listeners = new Set<() => void>();

  /** Undefined before the first plan. */
  get report(): PropagateReport | undefined {
    return this.latest;
  }

  /** Another number after each change, from 0. */
  get revision(): number {
    return this.changes;
  }

  made(report: PropagateReport): PropagateReport {
    this.latest = report;
    this.tell();
    return report;
  }

  /** What steps have come to, by a review or because they were written. */
  came<T extends ReviewReport | ExecuteReport>(report: T): T {
    const came = new Map<number, Pick<Step, 'status' | 'leftOut'>>(report.steps.map(({ id, ...step }) => [id, step]));
    this.change(report.run, ({ leftOut: _, ...step }) => ({ ...step, ...(came.get(step.id) ?? {}) }));
    return report;
  }

  /** An editor took these steps' edits into its buffers; undefined: those of all. */
  applied(run: string, steps: readonly number[] | undefined): void {
    this.mark(run, (id, status) =>
      status !== 'proposed' && status !== 'accepted' ? status : steps?.includes(id) === false ? 'rejected' : 'applied',
    );
  }

  takenBack(run: string): void {
    this.mark(run, (_id, status) => (TAKEN_BACK.has(status) ? 'proposed' : status), false);
  }

  /** Gives the function that ends it. */
  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private mark(run: string, statusOf: (id: number, status: StepStatus) => StepStatus, applied?: boolean): void {
    this.change(run, (step) => ({ ...step, status: statusOf(step.id, step.status) }), applied);
  }

  private change(run: string, stepOf: (step: Step) => Step, applied?: boolean): void {
    if (this.latest?.run !== run) return;
    this.latest = { ...this.latest, applied: applied ?? this.latest.applied, steps: this.latest.steps.map(stepOf) };
    this.tell();
  }

  private tell(): void {
    this.changes += 1;
    for (const listener of this.listeners) listener();
  }
}

/** `title`: of the page, such as the root's name. `review` asks for a review and hears of it. */
export const livePlan = (plan: LatestPlan, title: string, review?: LivePage['review']): LivePage => ({
  ...(review === undefined ? {} : { review }),
  get revision() {
    return plan.revision;
  },
  html: () => planPage(plan.report, { title, live: plan.revision }),
  onChanged: (listener) => plan.onChanged(listener),
});
