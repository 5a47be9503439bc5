/**
 * Computes summaries in worker threads, so that the main thread can answer meanwhile.
 *
 * Jobs go out in batches of even weight, at most IN_FLIGHT a worker, and come back in any order.
 * A handful of small jobs is done in the main thread, where it costs less than a message. Workers
 * start when there is work and end when there has been none for a while; they never keep the
 * process alive. A worker that dies takes no job with it: the batch it was at is tried again file
 * by file, and a file that ends a worker on its own is refused.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Summary } from '../../syntax/summary.js';
import { PARSE_WORKER } from '../process/installed.js';
import { sharedIfEmpty } from './empty-files.js';
import { grammarsOfThread } from './grammar-bytes.js';
import type { Batch, BatchAnswer } from './parse-worker.js';
import { readFile, readText, type FileJob, type Reading, type TextJob } from './read-sources.js';
import { decodeSummary } from './summary-codec.js';

/** Called with the readings of each batch as it is done. */
export type TakeReadings = (readings: readonly Reading<Summary>[]) => void;

/**
 * What a worker is given at once: some tens of milliseconds of parsing, so that workers end together, and of small
 * files no more than so many, so that a request's answer is not one large message.
 */
const BATCH_BYTES = 192 * 1024;
const BATCH_JOBS = 64;
/** One batch at work and one waiting, so that no worker waits for the main thread. */
const IN_FLIGHT = 2;
/** What the main thread does itself: some 20 ms of parsing. */
const SMALL = { jobs: 6, bytes: 64 * 1024 } as const;
/** Of texts that nobody waits for, in characters: some 4 ms, which holds up no answer. */
const SHORT_TEXTS = 12 * 1024;
/** A worker holds some 60 MB; starting one takes 40 ms. */
const IDLE_MS = 10_000;
/**
 * A worker's part of the heap for new objects. Nearly all of them are garbage by the next file: six times as much,
 * which is the default, saves no time.
 */
const YOUNG_MB = 8;

/** Whose work waits for whose. */
type Turn = 'first' | 'last';

/** The work of one call: done when all of its batches are. */
interface Task {
  readonly take: TakeReadings;
  readonly done: () => void;
  remaining: number;
  cancelled: boolean;
}
interface Queued {
  readonly batch: Batch;
  readonly task: Task;
}
interface Thread {
  readonly worker: Worker;
  /** Oldest first: the worker is at the first one. */
  readonly inFlight: Queued[];
}

export class ParsePool {
  private readonly queue: Queued[] = [];
  private readonly threads = new Set<Thread>();
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly threadsMost = Math.max(1, availableParallelism() - 1)) {}

  /**
   * Reads files below `root`. Rejects only when `signal` aborts; what was taken until then stands. `first`: before all
   * that waits.
   */
  readFiles(
    root: string,
    jobs: readonly FileJob[],
    take: TakeReadings,
    signal: AbortSignal,
    turn: Turn = 'last',
  ): Promise<void> {
    const batches = inBatches(jobs, (job) => job.size).map((some): Batch => ({ kind: 'files', root, jobs: some }));
    return this.run(batches, isSmall(jobs), take, signal, turn);
  }

  parseTexts(jobs: readonly TextJob[], take: TakeReadings, signal: AbortSignal): Promise<void> {
    const batches = inBatches(jobs, (job) => job.text.length).map((some): Batch => ({ kind: 'texts', jobs: some }));
    const characters = jobs.reduce((sum, { text }) => sum + text.length, 0);
    return this.run(batches, characters <= SHORT_TEXTS, take, signal);
  }

  /** What one text would be read as; undefined where it cannot be read. Rejects only when `signal` aborts. */
  async summaryOf(path: string, text: string, signal: AbortSignal): Promise<Summary | undefined> {
    let summary: Summary | undefined;
    const take: TakeReadings = ([reading]) => (summary = reading?.kind === 'text' ? reading.summary : undefined);
    await this.parseTexts([{ path, text }], take, signal);
    return summary;
  }

  /** Has a worker read one file, small as it may be: it is awake then when there is more. */
  readAhead(root: string, path: string, take: TakeReadings, signal: AbortSignal): Promise<void> {
    return this.run([{ kind: 'files', root, jobs: [{ path, size: 0 }] }], false, take, signal);
  }

  /** Ends the workers, for the memory that they hold, unless one has something to do: whoever gave it waits for it. */
  async rest(): Promise<void> {
    if (this.queue.length === 0 && this.isIdle()) await this.close();
  }

  /** Ends the workers. Work under way is not answered. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    this.queue.length = 0;
    const threads = [...this.threads];
    this.threads.clear();
    await Promise.all(threads.map((thread) => thread.worker.terminate()));
  }

  private async run(
    batches: readonly Batch[],
    small: boolean,
    take: TakeReadings,
    signal: AbortSignal,
    turn: Turn = 'last',
  ): Promise<void> {
    signal.throwIfAborted();
    if (small) {
      for (const batch of batches) take(await readHere(batch));
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        task.cancelled = true;
        reject(signal.reason as Error);
      };
      const done = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const task: Task = { take, done, remaining: batches.length, cancelled: false };
      signal.addEventListener('abort', abort, { once: true });
      const queued = batches.map((batch) => ({ batch, task }));
      if (turn === 'first') this.queue.unshift(...queued);
      else this.queue.push(...queued);
      this.pump();
    });
  }

  private pump(): void {
    clearTimeout(this.idle);
    for (let next = this.queue[0]; next !== undefined; next = this.queue[0]) {
      if (next.task.cancelled) {
        this.queue.shift();
        continue;
      }
      const thread = this.threadWithRoom();
      if (thread === undefined) return;
      this.queue.shift();
      thread.inFlight.push(next);
      thread.worker.ref();
      thread.worker.postMessage(next.batch);
    }
    if (this.isIdle()) {
      this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  private isIdle(): boolean {
    return [...this.threads].every((thread) => thread.inFlight.length === 0);
  }

  private threadWithRoom(): Thread | undefined {
    const free = [...this.threads].sort((a, b) => a.inFlight.length - b.inFlight.length)[0];
    if (free !== undefined && free.inFlight.length === 0) return free;
    if (this.threads.size < this.threadsMost) return this.start();
    return free !== undefined && free.inFlight.length < IN_FLIGHT ? free : undefined;
  }

  private start(): Thread {
    const worker = new Worker(PARSE_WORKER, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const thread: Thread = { worker, inFlight: [] };
    worker.on('message', (answer: BatchAnswer) => this.answered(thread, answer));
    worker.on('error', (error) => this.died(thread, error.message));
    worker.on('exit', () => this.died(thread, 'it ended'));
    this.threads.add(thread);
    return thread;
  }

  private answered(thread: Thread, answer: BatchAnswer): void {
    // An answer on the way when its worker was ended: that end is waited for, and so must be the worker.
    if (!this.threads.has(thread)) return;
    const queued = thread.inFlight.shift();
    if (thread.inFlight.length === 0) thread.worker.unref();
    if (queued !== undefined) this.finish(queued.task, unpack(answer));
    this.pump();
  }

  private died(thread: Thread, message: string): void {
    if (!this.threads.delete(thread)) return;
    const [current, ...waiting] = thread.inFlight;
    this.queue.unshift(...waiting);
    if (current !== undefined) {
      const alone = current.batch.jobs.length === 1;
      if (alone)
        this.finish(
          current.task,
          current.batch.jobs.map(({ path }) => ({
            kind: 'refused',
            path,
            reason: `the parser ended on this file, which is a defect of codeplan: ${message}`,
          })),
        );
      else {
        current.task.remaining += current.batch.jobs.length - 1;
        this.queue.unshift(...oneByOne(current.batch).map((batch) => ({ batch, task: current.task })));
      }
    }
    this.pump();
  }

  private finish(task: Task, readings: readonly Reading<Summary>[]): void {
    if (task.cancelled) return;
    task.take(readings);
    if (--task.remaining === 0) task.done();
  }
}

function inBatches<Job>(jobs: readonly Job[], sizeOf: (job: Job) => number): Job[][] {
  const batches: Job[][] = [];
  let current: Job[] = [];
  let bytes = 0;
  for (const job of jobs) {
    current.push(job);
    bytes += sizeOf(job);
    if (bytes < BATCH_BYTES && current.length < BATCH_JOBS) continue;
    batches.push(current);
    current = [];
    bytes = 0;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

function isSmall(jobs: readonly FileJob[]): boolean {
  return jobs.length <= SMALL.jobs && jobs.reduce((sum, { size }) => sum + size, 0) <= SMALL.bytes;
}

function oneByOne(batch: Batch): Batch[] {
  return batch.kind === 'files'
    ? batch.jobs.map((job) => ({ ...batch, jobs: [job] }))
    : batch.jobs.map((job) => ({ ...batch, jobs: [job] }));
}

async function readHere(batch: Batch): Promise<Reading<Summary>[]> {
  const grammars = await grammarsOfThread();
  return batch.kind === 'files'
    ? batch.jobs.map((job) => readFile(grammars, batch.root, job))
    : batch.jobs.map((job) => readText(grammars, job));
}

function unpack({ readings, bytes: buffer }: BatchAnswer): Reading<Summary>[] {
  return readings.map((reading) => {
    if (reading.kind !== 'summary' && reading.kind !== 'text') return reading;
    const encoded = { buffer, offset: reading.summary };
    if (reading.kind === 'text') return { ...reading, summary: decodeSummary(encoded) };
    const summary = sharedIfEmpty(reading.path, reading.digest, () => decodeSummary(encoded));
    return { ...reading, summary, encoded };
  });
}
