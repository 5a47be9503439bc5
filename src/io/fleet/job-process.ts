/**
 * Supervises a job in a process of its own: `codeplan fleet job`, which gets the job on its standard input and prints a
 * report a line. Whoever supervises has its hands free meanwhile, whatever becomes of the engine.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { report as reportSchema, type Job, type JobReport } from './job.js';
import type { JobEnd, JobPlace } from './queue.js';

export interface JobProgram {
  /** The module of the command line. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
}

const ERRORS_MOST = 2000;
/** How long a process has to end by itself before it is killed. */
const GRACE_MS = 2000;

/** Never rejects; an aborted `signal` ends the process. */
export function runJobProcess(
  job: Job,
  { workshop, changes }: JobPlace,
  { program, environment }: JobProgram,
  signal: AbortSignal,
): Promise<JobEnd> {
  return new Promise((resolve) => {
    const args = [program, 'fleet', 'job', '--workshop', workshop, '--changes', changes];
    const child = spawn(process.execPath, args, { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    const reports: JobReport[] = [];
    let errors = '';
    let ended = '';
    const abort = (): void => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const read = reportIn(line);
      if (read === undefined) ended = `it printed ${line.slice(0, 100)}, which is no report`;
      else reports.push(read);
    });
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString('utf8')).slice(-ERRORS_MOST)));
    // It may end before it has read its job; its exit says why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(job));
    child.on('error', (error) => (ended = `it could not be started: ${error.message}`));
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', abort);
      if (code !== 0 && ended === '')
        ended = `its process ended with ${killedBy ?? String(code)}${errors === '' ? '' : `: ${errors.trim()}`}`;
      resolve(ended === '' ? { reports } : { reports, ended });
    });
  });
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
