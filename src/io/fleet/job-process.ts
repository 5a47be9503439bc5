/**
 * Supervises processes that do jobs: `codeplan fleet job`, which gets a job a line on its standard input and prints
 * what came of it, a report a line and an empty line at the end. Whoever supervises has its hands free meanwhile,
 * whatever becomes of the engine; a process that ends takes one job with it, and another takes its place.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { report as reportSchema, type Job, type JobReport } from './job.js';
import type { JobEnd, JobPlace } from './queue.js';

export interface JobProgram {
  /** The module of the command line. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A line of a job process's input. */
export interface JobOrder extends JobPlace {
  readonly job: Job;
}

/** The end of what a process says, in characters: the message, without the trace above it. */
const ERRORS_MOST = 2000;
/** How long a process has to end by itself before it is killed. */
const GRACE_MS = 2000;
/** Whatever a process may gather over its jobs, it does not gather for ever. */
const JOBS_MOST = 200;

interface JobProcess {
  readonly child: ChildProcessWithoutNullStreams;
  jobs: number;
  /** Of the job that it does. */
  reports: JobReport[];
  ended: string;
  errors: string;
  /** Hears that the job is over, or the process. */
  over: () => void;
}

export class JobProcesses {
  private readonly idle: JobProcess[] = [];
  private readonly all = new Set<JobProcess>();

  constructor(private readonly program: JobProgram) {}

  /** Never rejects. */
  async run(job: Job, place: JobPlace): Promise<JobEnd> {
    const process = this.idle.pop() ?? this.started();
    process.jobs++;
    process.reports = [];
    const order: JobOrder = { job, ...place };
    await new Promise<void>((resolve) => {
      process.over = resolve;
      process.child.stdin.write(`${JSON.stringify(order)}\n`);
    });
    if (this.all.has(process)) {
      if (process.jobs < JOBS_MOST) this.idle.push(process);
      else process.child.stdin.end();
    }
    const { reports, ended, errors } = process;
    return ended === '' ? { reports } : { reports, ended: errors === '' ? ended : `${ended}: ${errors.trim()}` };
  }

  /** Ends all of them; what they do is told as ended. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.all].map(
        (process) =>
          new Promise<void>((resolve) => {
            process.child.once('close', () => resolve());
            if (this.idle.includes(process)) process.child.stdin.end();
            else process.child.kill('SIGTERM');
            setTimeout(() => process.child.kill('SIGKILL'), GRACE_MS).unref();
          }),
      ),
    );
  }

  private started(): JobProcess {
    const { program, environment } = this.program;
    const child = spawn(globalThis.process.execPath, [program, 'fleet', 'job'], {
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const made: JobProcess = { child, jobs: 0, reports: [], ended: '', errors: '', over: () => undefined };
    this.all.add(made);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const read = line === '' ? undefined : reportIn(line);
      if (read !== undefined) made.reports.push(read);
      else if (line !== '') made.ended = `it printed ${line.slice(0, 100)}, which is no report`;
      else made.over();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      made.errors = (made.errors + chunk.toString('utf8')).slice(-ERRORS_MOST);
    });
    // It may end before it has read its job; its exit says why.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => (made.ended = `it could not be started: ${error.message}`));
    child.on('close', (code, killedBy) => {
      this.all.delete(made);
      if (this.idle.includes(made)) this.idle.splice(this.idle.indexOf(made), 1);
      if (made.ended === '') made.ended = `its process ended with ${killedBy ?? String(code)}`;
      made.over();
    });
    return made;
  }
}

function reportIn(line: string): JobReport | undefined {
  try {
    const parsed = reportSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
