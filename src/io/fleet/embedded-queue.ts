/** The queue without a server: a few processes on this machine, each for one job, the others waiting their turn. */
import type { Job } from './job.js';
import { runJobProcess, type JobProgram } from './job-process.js';
import type { JobEnd, JobPlace, Queue } from './queue.js';

export class EmbeddedQueue implements Queue {
  private readonly waiting: (() => void)[] = [];
  private readonly running = new Set<Promise<JobEnd>>();
  private readonly closing = new AbortController();

  /** `parallel`: processes at a time. */
  constructor(
    private readonly parallel: number,
    private readonly placeOf: (job: Job) => JobPlace,
    private readonly program: JobProgram,
  ) {}

  async run(job: Job): Promise<JobEnd> {
    if (this.running.size >= this.parallel) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.closing.signal.throwIfAborted();
    const running = runJobProcess(job, this.placeOf(job), this.program, this.closing.signal);
    this.running.add(running);
    const end = await running;
    this.running.delete(running);
    this.waiting.shift()?.();
    return end;
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('the queue is closed'));
    for (const next of this.waiting.splice(0)) next();
    await Promise.all(this.running);
  }
}
