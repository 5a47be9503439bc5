/**
 * Handing jobs to whoever works: the one interface that two engines stand behind, processes of this machine
 * (`embedded-queue.ts`) and workers on any machines (`server-queue.ts`).
 *
 * At least once: a job can be done by two at a time, when the first was only thought dead. That is harmless, since each
 * step is safe to repeat and the same input gives the same outcome.
 */
import type { Job, JobReport } from './job.js';

export interface JobEnd {
  readonly reports: readonly JobReport[];
  /** Why it ended before all steps were told of; undefined where it did not. */
  readonly ended?: string;
}

export interface Queue {
  /** Resolves once some worker has ended the job. Never rejects but when the queue is closed. */
  run(job: Job): Promise<JobEnd>;
  /** Ends what this process runs; what others run goes on. */
  close(): Promise<void>;
}

/** Where a worker keeps what it needs for a job, and finds change files. */
export interface JobPlace {
  readonly workshop: string;
  /** A folder with a file `<digest>.json` for each change. */
  readonly changes: string;
}
