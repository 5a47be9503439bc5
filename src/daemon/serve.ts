/**
 * The daemon of one root: holds the lock, listens on the socket, and ends when nobody needs it.
 *
 *     lock ──► bind ──► accept ──► … ──► idle, stop, signal, or the root is gone ──► close all, unlink, unlock
 *
 * The lock decides who serves; whoever has it may remove a socket that nobody listens on. The
 * index is built while clients are already answered.
 */
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { CreateEngine, Engine } from '../engine/service.js';
import type { BuildIdentity } from '../io/process/build-identity.js';
import type { Log } from '../io/disk/log-file.js';
import { tryLock } from '../io/process/process-lock.js';
import type { SocketAddress } from '../io/socket/socket-address.js';
import { guardHeap } from './heap-guard.js';
import { guardProcess } from './last-resort.js';
import { Session } from './session.js';
import { noteSuddenEnd, type SuddenEnd } from './sudden-ends.js';

export interface ServeOptions {
  /** A real path. */
  readonly root: string;
  readonly address: SocketAddress;
  readonly build: BuildIdentity;
  readonly environment: NodeJS.ProcessEnv;
  readonly createEngine: CreateEngine;
  readonly log: Log;
  readonly logFile: string;
  /** How long to live without a client; 0: until told to stop. */
  readonly idleSeconds: number;
  /** Aborted by SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
}

/** A root that is gone harms nobody for some seconds, and the look is one call of the system. */
const ROOT_CHECK_MS = 5000;
/** How long the engine has to write its cache and end its workers and tools. */
const CLOSE_MS_MOST = 4000;

/** Resolves when the daemon has ended. False at once if another one serves this root. Rejects when it cannot listen. */
export async function serve(options: ServeOptions): Promise<boolean> {
  const lock = tryLock(options.address.lock);
  if (lock === undefined) {
    options.log('info', 'another daemon serves this root');
    return false;
  }
  if (lock.abandoned) {
    options.log('warn', 'the daemon before ended suddenly');
    noteEnd(options, { why: 'killed' });
  }
  try {
    await new Daemon(options).run();
  } finally {
    lock.release();
  }
  return true;
}

/** A note that cannot be kept costs the note: neither the next daemon nor the end of this one waits for it. */
function noteEnd({ address, log }: ServeOptions, end: SuddenEnd): void {
  try {
    noteSuddenEnd(address.lock, end);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    log('warn', 'a sudden end could not be noted', { error: error.message });
  }
}

class Daemon {
  private readonly sessions = new Set<Session>();
  private readonly engine: Engine;
  private readonly ending = new AbortController();
  private idleTimer: NodeJS.Timeout | undefined;
  private accepted = 0;

  constructor(private readonly options: ServeOptions) {
    const { root, environment, createEngine, log } = options;
    this.engine = createEngine({
      root,
      mode: 'daemon',
      watch: true,
      environment,
      log: (message) => log('info', 'engine', { message }),
    });
  }

  async run(): Promise<void> {
    const { address, log, build, root, signal } = this.options;
    const server = await this.listen();
    log('info', 'listening', { root, socket: address.socket, version: build.version, build: build.stamp });
    const started = performance.now();
    this.engine.warm().then(
      () => log('info', 'warm', { ms: Math.round(performance.now() - started) }),
      (error: unknown) =>
        log('error', 'index failed', { error: error instanceof Error ? error.message : String(error) }),
    );
    const stop = (): void => this.stop('signal');
    signal.addEventListener('abort', stop, { once: true });
    const rootCheck = setInterval(() => {
      if (!existsSync(root)) this.stop('the root is gone');
    }, ROOT_CHECK_MS);
    const guards = [
      guardProcess(log, (message) => this.endSuddenly(message, { why: 'defects' })),
      guardHeap((message, limitMegabytes) => this.endSuddenly(message, { why: 'heap', limitMegabytes })),
    ];
    this.waitIdle();
    if (!signal.aborted)
      await new Promise<void>((resolve) =>
        this.ending.signal.addEventListener('abort', () => resolve(), { once: true }),
      );
    clearInterval(rootCheck);
    clearTimeout(this.idleTimer);
    signal.removeEventListener('abort', stop);
    // Nobody finds the socket any more before those who are connected are let go.
    if (process.platform !== 'win32') rmSync(address.socket, { force: true });
    const stopped = new Promise((resolve) => server.close(resolve));
    for (const session of this.sessions) session.end();
    await stopped;
    await this.closeEngine();
    for (const unguard of guards) unguard();
    log('info', 'ended');
  }

  private endSuddenly(message: string, end: SuddenEnd): void {
    const { log } = this.options;
    log('error', 'ends by itself', { message });
    for (const session of this.sessions) session.say(message);
    this.stop(message);
    noteEnd(this.options, end);
  }

  private stop(reason: string): void {
    if (this.ending.signal.aborted) return;
    this.options.log('info', 'ending', { reason });
    this.ending.abort();
  }

  /** What does not end in time is left as it is: the process ends with it. */
  private async closeEngine(): Promise<void> {
    const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), CLOSE_MS_MOST).unref());
    const closed = await Promise.race([this.engine.close().then(() => 'closed' as const), late]);
    if (closed === 'late') this.options.log('warn', 'the engine did not close in time', { ms: CLOSE_MS_MOST });
  }

  private async listen(): Promise<Server> {
    const { address } = this.options;
    // A daemon that was killed leaves its socket behind; we hold the lock, so nobody listens on it.
    if (process.platform !== 'win32') rmSync(address.socket, { force: true });
    const server = createServer((socket) => this.accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address.socket, resolve);
    });
    if (process.platform !== 'win32') chmodSync(address.socket, 0o600);
    return server;
  }

  private accept(socket: Socket): void {
    const {
      engine,
      options: { build, root, log, logFile },
    } = this;
    const id = `c${++this.accepted}`;
    // Without a listener a reset by the client would end the process; the session sees the close that follows.
    socket.on('error', (error) => log('debug', 'socket', { client: id, error: error.message }));
    const session = new Session(
      { id, engine, build, root, log, logFile, client: undefined, stop: () => this.stop('a client asked') },
      socket,
      socket,
    );
    this.sessions.add(session);
    clearTimeout(this.idleTimer);
    void session.ended.then(() => {
      this.sessions.delete(session);
      log('info', 'client gone', { client: id });
      this.waitIdle();
    });
  }

  private waitIdle(): void {
    const { idleSeconds } = this.options;
    clearTimeout(this.idleTimer);
    if (idleSeconds === 0 || this.sessions.size > 0) return;
    this.idleTimer = setTimeout(() => {
      if (this.engine.busy) this.waitIdle();
      else this.stop(`nobody was connected for ${idleSeconds} s`);
    }, idleSeconds * 1000);
  }
}
