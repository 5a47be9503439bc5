/**
 * The queue on a server, Redis or PostgreSQL, by BullMQ: jobs go to workers on any machines, and what came of them
 * comes back. Nothing is kept there that the campaign's own log does not have or cannot have again, so a server that
 * lost everything costs time alone.
 *
 * A job's id is the campaign's own, so the same job handed out twice is one. A worker that is told to end gives
 * its jobs back; one that dies holds its job until the lock is over, and then another worker gets it. Change files
 * travel once, as jobs that nobody works on, by their digest. The three libraries are loaded only here.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job as ServerJob, Queue as ServerQueueOf, Worker } from 'bullmq';
import * as z from 'zod';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { realFileSystem } from '../disk/file-system.js';
import { makePrivateFolder } from '../disk/folders.js';
import { writeAtomically } from '../disk/write-atomically.js';
import { packageVersion } from '../process/build-identity.js';
import type { CampaignStore } from './campaign-store.js';
import { job as jobSchema, report as reportSchema, type Job, type JobReport } from './job.js';
import { JobProcesses, type JobProgram } from './job-process.js';
import type { JobEnd, Queue } from './queue.js';

const JOBS = 'codeplan-fleet-jobs';
const CHANGES = 'codeplan-fleet-changes';
/** How soon an answer is seen. */
const LOOK_MS = 250;
/** How often a worker may die of a job before the coordinator hears of it. */
const STALLED_MOST = 3;

/** A job on the server. */
interface Handed {
  /** Of the program that hands it out: another one may do the steps in another way, or know other ones. */
  readonly version: string;
  readonly job: Job;
}

/** What a worker reads first, before it trusts the form of the rest. */
const handed = z.looseObject({ version: z.string(), job: z.unknown() });

type Jobs = ServerQueueOf<Handed, readonly JobReport[]>;
type Changes = ServerQueueOf<{ readonly text: string }>;

interface Server {
  /** Once the server has answered, as is what `worker` gives; rejects when `signal` aborts. */
  queue<T, R = unknown>(name: string, signal: AbortSignal): Promise<ServerQueueOf<T, R>>;
  /** Works from then on. A job for which `handle` gives undefined goes back to those that wait. */
  worker(
    handle: (job: ServerJob<Handed, readonly JobReport[]>) => Promise<readonly JobReport[] | undefined>,
    options: { readonly parallel: number; readonly lockMs: number; readonly signal: AbortSignal },
  ): Promise<Worker<Handed, readonly JobReport[]>>;
}

/** How long a server may take to answer for the first time. */
const REACHED_WITHIN_MS = 10_000;
/** Seldom enough for a server that starts, soon enough for the person that waits. */
const TRIED_AGAIN_MS = 1000;
/** How long a worker that is told to end may take to give its jobs back; then their locks run out. */
const ENDED_WITHIN_MS = 10_000;

/** What a connection says of itself, each trouble once; it tries again by itself. */
class Trouble {
  private readonly told = new Set<string>();
  latest = 'no answer';

  constructor(
    private readonly address: string,
    private readonly tell: (line: string) => void,
  ) {}

  note(error: Error): void {
    // Some connections fail with several errors at once, and a message of none.
    const parts =
      error instanceof AggregateError ? (error.errors as readonly Error[]).map(({ message }) => message) : [];
    this.latest = [error.message, ...parts].find((message) => message !== '') ?? error.name;
    if (this.told.has(this.latest)) return;
    this.told.add(this.latest);
    this.tell(`the queue at ${withoutPassword(this.address)} cannot be used: ${this.latest}; trying again`);
  }
}

const withoutPassword = (address: string): string => shownName(address.replace(/\/\/[^@/]*@/u, '//'));

/** Throws ServiceError: settings, where the address is none or the libraries are not installed. */
async function serverAt(address: string, trouble: Trouble): Promise<Server> {
  const scheme = /^(rediss?|postgres(?:ql)?):\/\//u.exec(address)?.[1];
  if (scheme === undefined)
    throw new ServiceError(
      'settings',
      `${shownName(address)} is no address of a queue; give redis://… or postgres://…`,
    );
  const bullmq = await loaded(() => import('bullmq'), 'bullmq');
  const isRedis = scheme.startsWith('redis');
  const driver = isRedis ? 'ioredis' : 'pg';
  await loaded(() => import(driver) as Promise<unknown>, driver);
  // A worker waits for ever on the server's answers; whoever asks it hears of its loss by its own clock.
  const connection = isRedis
    ? { url: address, maxRetriesPerRequest: null }
    : { connectionString: address, migrate: true };
  // Both have the same queues; only what they are made with differs.
  const { Queue: QueueOn, Worker: WorkerOn } = isRedis
    ? bullmq
    : (bullmq.withBackend(bullmq.createPostgresBackend) as unknown as Pick<typeof bullmq, 'Queue' | 'Worker'>);
  const common = { connection } as { connection: { url: string } };
  return {
    queue: <T, R>(name: string, signal: AbortSignal) =>
      reached(() => new QueueOn(name, common), trouble, signal) as unknown as Promise<ServerQueueOf<T, R>>,
    worker: async (handle, { parallel, lockMs, signal }) => {
      const options = {
        ...common,
        autorun: false,
        runRetryDelay: TRIED_AGAIN_MS,
        concurrency: parallel,
        lockDuration: lockMs,
        stalledInterval: lockMs / 2,
        maxStalledCount: STALLED_MOST,
      };
      const handled = async (
        job: ServerJob<Handed, readonly JobReport[]>,
        token?: string,
      ): Promise<readonly JobReport[]> => {
        const reports = await handle(job);
        if (reports !== undefined) return reports;
        await job.moveToWait(token);
        throw new bullmq.WaitingError();
      };
      const worker = await reached(() => new WorkerOn(JOBS, handled as never, options), trouble, signal);
      worker.run().catch((error: unknown) => trouble.note(error as Error));
      return worker;
    },
  };
}

interface Reachable {
  on(event: 'error', hear: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

/** One that found no PostgreSQL server at first never finds one again, and asks without a pause: another is made. */
async function reached<T extends Reachable>(make: () => T, trouble: Trouble, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const made = make();
    made.on('error', (error) => trouble.note(error));
    const isAborted = new Promise<false>((resolve) =>
      signal.addEventListener('abort', () => resolve(false), { once: true }),
    );
    try {
      if ((await Promise.race([made.waitUntilReady(), isAborted])) !== false) return made;
    } catch (error) {
      trouble.note(error as Error);
    }
    void made.close().catch(() => undefined);
    await sleep(TRIED_AGAIN_MS, undefined, { signal });
  }
}

async function loaded<T>(load: () => Promise<T>, name: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new ServiceError(
      'settings',
      `a queue on a server needs ${name}, which is not installed here: ` +
        `${error instanceof Error ? error.message : String(error)}; npm install ${name}`,
    );
  }
}

export class ServerQueue implements Queue {
  private readonly closing = new AbortController();

  private constructor(
    private readonly jobs: Jobs,
    private readonly changes: Changes,
    private readonly changePath: (digest: string) => string,
    private readonly trouble: Trouble,
  ) {}

  /** Throws ServiceError: settings, also where the server does not answer within seconds. `tell`: of later trouble. */
  static async open(address: string, store: CampaignStore, tell: (line: string) => void): Promise<ServerQueue> {
    const trouble = new Trouble(address, tell);
    const server = await serverAt(address, trouble);
    const changePath = (digest: string): string => store.changePath(digest);
    const time = AbortSignal.timeout(REACHED_WITHIN_MS);
    try {
      const jobs: Jobs = await server.queue(JOBS, time);
      return new ServerQueue(jobs, await server.queue(CHANGES, time), changePath, trouble);
    } catch (error) {
      if (!time.aborted) throw error;
      throw new ServiceError(
        'settings',
        `the queue at ${withoutPassword(address)} does not answer (${trouble.latest}); check its address and ` +
          'password, and that it runs',
      );
    }
  }

  async run(job: Job): Promise<JobEnd> {
    for (;;) {
      try {
        return await this.handed(job);
      } catch (error) {
        this.closing.signal.throwIfAborted();
        // The server is away, or lost what it had: it is asked anew.
        if (!(error instanceof Error)) throw error;
        this.trouble.note(error);
        await sleep(LOOK_MS * 4);
      }
    }
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('the queue is closed'));
    await Promise.allSettled([this.jobs.close(), this.changes.close()]);
  }

  private async handed(job: Job): Promise<JobEnd> {
    for (const digest of job.changes)
      await this.changes.add('change', { text: readFileSync(this.changePath(digest), 'utf8') }, { jobId: digest });
    await this.jobs.add('job', { version: packageVersion(), job }, { jobId: job.id });
    for (;;) {
      this.closing.signal.throwIfAborted();
      const found = await this.jobs.getJob(job.id);
      if (found === undefined) throw new Error('the server has lost the job');
      const state = await found.getState();
      if (state === 'completed' || state === 'failed') {
        const end = endOf(found, state);
        await found.remove();
        return end;
      }
      await sleep(LOOK_MS);
    }
  }
}

function endOf(job: ServerJob<Handed, readonly JobReport[]>, state: 'completed' | 'failed'): JobEnd {
  if (state === 'failed') return { reports: [], ended: job.failedReason };
  const reports = reportSchema.array().safeParse(job.returnvalue);
  return reports.success ? { reports: reports.data } : { reports: [], ended: 'a worker answered in another form' };
}

/**
 * Why a job is not done by a worker whose person allowed no commands; undefined where it runs none. Whoever can write
 * to the server writes jobs.
 */
export function unallowed({
  steps,
  settings: { propose, lookUp, oracle, trustOracle },
}: Pick<Job, 'steps' | 'settings'>): string | undefined {
  const proposes = steps.some((step) => step === 'propose' || step === 'watch') && (propose ?? lookUp) !== null;
  // What another worker planned may have to be planned again for its branch.
  const plans = steps.some((step) => step !== 'look' && step !== 'watch');
  const checks = plans && oracle !== null && trustOracle;
  if (!proposes && !checks) return undefined;
  const what = proposes ? 'commands to propose and look up' : 'an oracle that runs what lies in the repositories';
  return (
    `the worker at ${hostname()} does not run ${what}; start it with --allow-commands if all who can write to ` +
    'its queue may run them there'
  );
}

export interface ServeOptions {
  /** Whether jobs may say what is run: commands of the campaign, and what lies in the repositories. */
  readonly allowCommands: boolean;
  readonly folder: string;
  readonly parallel: number;
  readonly lockMs: number;
  readonly program: JobProgram;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/** Works until `signal` aborts. Throws ServiceError: settings. */
export async function serve(address: string, options: ServeOptions): Promise<void> {
  try {
    await served(address, options);
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
}

async function served(address: string, options: ServeOptions): Promise<void> {
  const { folder, signal, tell } = options;
  const server = await serverAt(address, new Trouble(address, tell));
  const changes = await server.queue<{ readonly text: string }>(CHANGES, signal);
  makePrivateFolder(join(folder, 'changes'));
  const processes = new JobProcesses(options.program);
  const isTold = (): boolean => signal.aborted;
  const worker = await server.worker(async (given) => {
    const { version, job: written } = handed.parse(given.data);
    if (version !== packageVersion()) throw new Error(otherVersion(version, tell));
    const job = jobSchema.parse(written);
    const reason = options.allowCommands ? undefined : unallowed(job);
    const [step] = job.steps;
    if (reason !== undefined && step !== undefined) return [{ kind: 'failed', step, reason, isFinal: true }];
    for (const digest of job.changes) await takeChange(changes, digest, folder);
    // It may have been told while the changes came.
    if (isTold()) return undefined;
    tell(`${job.steps.join(', ')} of ${job.repository.key}`);
    const place = { workshop: join(folder, job.campaign, job.repository.key), changes: join(folder, 'changes') };
    const { reports, ended } = await processes.run(job, place);
    if (ended === undefined || reports.length >= job.steps.length) return reports;
    // The person ended the worker, and with it the job's process: whoever comes next begins it anew.
    if (!isTold()) throw new Error(ended);
    tell(`${job.repository.key} is given back to the queue`);
    return undefined;
  }, options);
  tell(`working for ${withoutPassword(address)}`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const isOver = Promise.all([worker.close(), processes.close()]);
  await Promise.race([isOver, sleep(ENDED_WITHIN_MS, undefined, { ref: false })]);
  await Promise.allSettled([worker.close(true), changes.close()]);
}

/** Why a job is refused; said here as well, where the person may be who has to update. */
function otherVersion(version: string, tell: (line: string) => void): string {
  const reason =
    `a worker has codeplan ${packageVersion()}, and the campaign is run by ${shownName(version)}; ` +
    'install the same version for both';
  tell(reason);
  return reason;
}

/** Checked by its digest: what the server holds is as untrusted as a repository. */
async function takeChange(changes: Changes, digest: string, folder: string): Promise<void> {
  const path = join(folder, 'changes', `${digest}.json`);
  if (existsSync(path)) return;
  const text = (await changes.getJob(digest))?.data.text;
  if (text === undefined || createHash('sha256').update(text).digest('hex') !== digest)
    throw new Error(`the server does not have the change file ${digest}`);
  writeAtomically(realFileSystem, path, text, { mode: 0o600, durable: false });
}
