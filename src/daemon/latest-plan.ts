/** The plan that a session made last, with the status that its steps have come to since; for its page. */
import type { ExecuteReport, PropagateReport } from '#protocol/propagate.js';
import type { StepStatus } from '#protocol/words.js';

export class LatestPlan {
  private latest: PropagateReport | undefined;
  private readonly listeners = new Set<() => void>();

  /** Undefined before the first plan. */
  get report(): PropagateReport | undefined {
    return this.latest;
  }

  made(report: PropagateReport): PropagateReport {
    this.latest = report;
    this.tell();
    return report;
  }

  executed(report: ExecuteReport): ExecuteReport {
    const statuses = new Map(report.steps.map(({ id, status }) => [id, status]));
    this.mark(report.run, (id, status) => statuses.get(id) ?? status);
    return report;
  }

  /** An editor took these steps' edits into its buffers; undefined: those of all. */
  applied(run: string, steps: readonly number[] | undefined): void {
    this.mark(run, (id, status) =>
      status !== 'proposed' ? status : steps?.includes(id) === false ? 'rejected' : 'applied',
    );
  }

  takenBack(run: string): void {
    this.mark(run, (_id, status) => (status === 'applied' || status === 'rejected' ? 'proposed' : status), false);
  }

  /** Gives the function that ends it. */
  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private mark(run: string, statusOf: (id: number, status: StepStatus) => StepStatus, applied?: boolean): void {
    if (this.latest?.run !== run) return;
    this.latest = {
      ...this.latest,
      applied: applied ?? this.latest.applied,
      steps: this.latest.steps.map((step) => ({ ...step, status: statusOf(step.id, step.status) })),
    };
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
