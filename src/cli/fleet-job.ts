/**
 * What works for a campaign: `fleet job` does jobs that another process gives it, `fleet worker` takes jobs from a
 * server.
 */
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import type { ApiDescriptor } from '#protocol/api.js';
import type { Service } from '../engine/service.js';
import { stateFolder } from '../io/disk/folders.js';
import { job as jobSchema } from '../io/fleet/job.js';
import { runSteps, type StepEngine } from '../io/fleet/steps.js';
import { Workshop } from '../io/fleet/workshop.js';
import { tryLock, type ProcessLock } from '../io/process/process-lock.js';
import { wholeNumber } from './common-flags.js';
import { printerFor } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

/** How soon one asks again for a workshop in which another process works. */
const LEASE_MS = 100;

/** See job-process.ts. */
const orderSchema = z.strictObject({ job: jobSchema, workshop: z.string().min(1), changes: z.string().min(1) });

interface WorkerFlags {
  readonly queue: string;
  readonly work?: string;
  readonly parallel: number;
  readonly lockSeconds: number;
  readonly allowCommands?: boolean;
  readonly quiet?: boolean;
}

/** Another build may plan otherwise, so its plans are made anew. */
export const engineStamp = ({ build: { version, stamp } }: Pick<World, 'build'>): string => `${version} ${stamp}`;

export function addFleetJob(fleet: Command, world: World, finish: (code: ExitCode) => void): void {
  fleet
    .command('job', { hidden: true })
    .description('do the jobs that are given on standard input, a line each, and print what came of them')
    .action(async () => finish(await doJobs(world)));
}

export function addFleetWorker(fleet: Command, world: World, finish: (code: ExitCode) => void): void {
  fleet
    .command('worker')
    .description('work for campaigns that are run with --queue, on this or any other machine, until it is interrupted')
    .requiredOption('--queue <address>', 'redis://… or postgres://…')
    .option('--work <dir>', 'where to keep clones and branches (default: in your state folder)')
    .option('--parallel <n>', 'jobs at once', wholeNumber(1), 1)
    .option('--lock-seconds <n>', 'how long a job is held before another worker may take it', wholeNumber(1), 60)
    .option(
      '--allow-commands',
      'run what campaigns say: commands to propose and look up, oracles that run what lies in the repositories',
    )
    .option('--quiet', 'print nothing')
    .action(async (flags: WorkerFlags) => finish(await workFor(flags, world)));
}

async function workFor(flags: WorkerFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const { serve } = await import('../io/fleet/server-queue.js');
  const folder = resolve(
    world.workingDirectory,
    flags.work ?? join(stateFolder(world.environment), 'fleet-worker', hostname().replace(/[^\w.-]/gu, '-')),
  );
  await serve(flags.queue, {
    folder,
    parallel: flags.parallel,
    lockMs: flags.lockSeconds * 1000,
    allowCommands: flags.allowCommands === true,
    program: { program: world.program, environment: world.environment },
    signal: world.signal,
    tell: (line) => print.note(line),
  });
  return EXIT.done;
}

/** Jobs, a line each, until there are no more. */
async function doJobs(world: World): Promise<ExitCode> {
  const print = printerFor(world, true);
  for await (const line of createInterface({ input: world.stdin })) {
    const { job, workshop, changes } = orderSchema.parse(JSON.parse(line));
    const place = new Workshop(workshop, world.signal);
    const lease = await leaseOf(workshop, world.signal);
    try {
      await runSteps(
        job,
        {
          workshop: place,
          engine: engineIn(place, world),
          changePath: (digest) => join(changes, `${digest}.json`),
          environment: world.environment,
          signal: world.signal,
        },
        (report) => print.jsonLine(report),
      );
    } finally {
      lease.release();
    }
    print.line();
  }
  return EXIT.done;
}

/** A job that another process does already is waited for, and what came of it is then told again. */
async function leaseOf(folder: string, signal: AbortSignal): Promise<ProcessLock> {
  for (;;) {
    const lease = tryLock(join(folder, 'lease'));
    if (lease !== undefined) return lease;
    await sleep(LEASE_MS, undefined, { signal });
  }
}

/** The engine on a workshop's tree, with a state of its own: nothing of the person's trust holds there. */
function engineIn(workshop: Workshop, world: World): StepEngine {
  const environment = { ...world.environment, XDG_STATE_HOME: join(workshop.folder, 'state') };
  const call = { signal: world.signal, progress: (): void => undefined };
  const using = async <T>(root: string, use: (service: Service) => Promise<T>): Promise<T> => {
    const createEngine = await world.loadEngine();
    const engine = createEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
    const service = engine.connect({
      id: `fleet-${world.pid}`,
      name: 'codeplan fleet',
      workingDirectory: root,
      environment,
    });
    try {
      return await use(service);
    } finally {
      await service.close();
      await engine.close();
    }
  };
  return {
    plan: async (root, change, { settings: { oracle, trustOracle, model, values } }) => {
      rmSync(join(workshop.folder, 'state'), { recursive: true, force: true });
      if (oracle !== null && trustOracle) await allowOracle(root, oracle, environment, world.signal);
      const params = { change, apply: true, model, values, oracle: oracle ?? false, mentions: [] };
      return using(root, (service) => service.ask('codeplan/plan', params, call));
    },
    api: (root): Promise<ApiDescriptor> => using(root, (service) => service.ask('codeplan/api', {}, call)),
    difference: async (from, to) => {
      const { changeBetween, changeDocument } = await import('../engine/api-document.js');
      const { grammarsOfThread } = await import('../io/index/grammar-bytes.js');
      const isNameless = from.names.length === 0 && to.names.length === 0;
      const compare = isNameless ? changeBetween : changeDocument;
      return compare(from, to, await grammarsOfThread(), world.signal);
    },
  };
}

/** Only the oracle that the person named: what else the repository would run stays forbidden. */
async function allowOracle(
  root: string,
  oracle: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const { trustOffer } = await import('../io/settings/trust-offer.js');
  const { grantTrust } = await import('../io/settings/trust.js');
  const { oracleGrant } = await import('../io/settings/tool-trust.js');
  const offer = await trustOffer({ realRoot: root, environment }, [oracle], signal);
  const grants = offer.grants.filter(({ name }) => name === oracleGrant(oracle));
  if (grants.length > 0) grantTrust(stateFolder(environment), root, grants);
}
