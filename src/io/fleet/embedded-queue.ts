/**
 * The queue without a server: a few processes on this machine, each with one job at a time, the others waiting their
 * turn.
 */
import type { Job } from './job.js';
import { JobProcesses, type JobProgram } from './job-process.js';
import type { JobEnd, JobPlace, Queue } from './queue.js';

export class EmbeddedQueue implements Queue {
  private readonly waiting: (() => void)[] = [];
  private readonly processes: JobProcesses;
  private running = 0;
  private isClosed = false;

  /** `parallel`: processes at a time. */
  constructor(
    private readonly parallel: number,
    private readonly placeOf: (job: Job) => JobPlace,
    program: JobProgram,
  ) {
    this.processes = new JobProcesses(program);
  }

  async run(job: Job): Promise<JobEnd> {
    if (this.running >= this.parallel) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    if (this.isClosed) return { reports: [], ended: 'the queue is closed' };
    const end = await this.processes.run(job, this.placeOf(job));
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
    return end;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const next of this.waiting.splice(0)) next();
    await this.processes.close();
  }
}
