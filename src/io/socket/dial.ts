/**
 * Connecting to a daemon's socket, and starting a daemon where nobody answers.
 *
 * Several clients may start one at the same moment; the daemons settle by their lock which of
 * them serves, so every client just starts one and dials again until somebody answers.
 */
import { spawn } from 'node:child_process';
import { closeSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { ServiceError } from '../../engine/service.js';

/**
 * A living daemon accepts at once; its main thread need not even be free. Counted in turns of our own: a client that
 * gets no processor for seconds has not looked yet, and must not call the daemon deaf.
 */
const DIAL_TURNS_MOST = 40;
const DIAL_TURN_MS = 50;
/** A daemon listens within a second; on a machine that swaps it takes far longer, and ending it would not help. */
const START_MS_MOST = 30_000;
/** Sooner than a person notices, and each try is one call of the system. */
const RETRY_MS = 15;
/** One that lost the lock to another gives that one time to listen. */
const AGAIN_MS = 300;
/** The message with where it came from: the log's path stands beside it. */
const LOG_TAIL_LINES = 3;

export interface DaemonCommand {
  /** Module to run with node. */
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Takes what the daemon prints before its log is open. */
  readonly log: string;
}

/**
 * Undefined if nobody listens there. Throws ServiceError `daemon` for a socket that is not ours, and the reason of
 * `signal` once that is aborted: nothing is left open then that would hold the process.
 */
export function dial(socket: string, signal?: AbortSignal): Promise<Socket | undefined> {
  requireOwn(socket);
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket);
    let turns = 0;
    const timer = setInterval(() => {
      if (signal?.aborted !== true && ++turns < DIAL_TURNS_MOST) return;
      clearInterval(timer);
      connection.destroy();
      reject(
        signal?.aborted === true
          ? (signal.reason as Error)
          : new ServiceError(
              'daemon',
              `the daemon at ${socket} does not answer; run "codeplan daemon restart", or use --no-daemon`,
            ),
      );
    }, DIAL_TURN_MS);
    connection.once('connect', () => {
      clearInterval(timer);
      connection.removeAllListeners('error');
      if (signal?.aborted !== true) return resolve(connection);
      connection.destroy();
      reject(signal.reason as Error);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      clearInterval(timer);
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(new ServiceError('daemon', `cannot connect to the daemon at ${socket}: ${error.message}`));
    });
  });
}

/**
 * Dials, and starts a daemon if nobody answers; again, where it found another one at work that answers nobody: that one
 * is about to serve, or to end.
 */
export async function dialOrStart(socket: string, command: DaemonCommand, signal?: AbortSignal): Promise<Socket> {
  const end = Date.now() + START_MS_MOST;
  let started: Started | undefined;
  do {
    signal?.throwIfAborted();
    const running = await dial(socket, signal);
    if (running !== undefined) return running;
    if (started?.failure !== undefined) break;
    if (started === undefined || Date.now() > started.againAt) started = start(command);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } while (Date.now() < end);
  throw new ServiceError(
    'daemon',
    `cannot start the daemon: ${started.failure ?? `it did not listen within ${START_MS_MOST / 1000} s`}\nits log ` +
      `is ${command.log}; --no-daemon does without`,
  );
}

interface Started {
  failure: string | undefined;
  /** When another one is started, should nobody answer until then. */
  againAt: number;
}

function start(command: DaemonCommand): Started {
  const started: Started = { failure: undefined, againAt: Infinity };
  const log = openSync(command.log, 'a', 0o600);
  const child = spawn(process.execPath, [command.program, ...command.args], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
    env: command.environment,
  });
  closeSync(log);
  child.unref();
  child.once('error', (error) => (started.failure = error.message));
  child.once('exit', (code, signal) => {
    // Exit code 0: another daemon holds the lock.
    if (code === 0) started.againAt = Date.now() + AGAIN_MS;
    else started.failure = `it ended with ${signal ?? `exit code ${code}`}:\n${tailOf(command.log)}`;
  });
  return started;
}

function requireOwn(socket: string): void {
  const user = process.getuid?.();
  if (user === undefined || process.platform === 'win32') return;
  const stats = lstatSync(socket, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket())
    throw new ServiceError('daemon', `${socket} should be the daemon's socket and is something else; remove it`);
  if (stats.uid !== user) throw new ServiceError('daemon', `the socket ${socket} belongs to another user`);
}

function tailOf(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
}
