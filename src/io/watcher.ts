/**
 * Follows changes of a repository on the disk.
 *
 *     native events ─┐
 *                    ├─► batch ──► one report ──► (its work done) ──► next report
 *     HEAD moved   ──┘
 *
 * The system's own events are used where they can be had; where they cannot (no support, the
 * limit on watches reached) a slow poll takes their place, and says why once. Reports are
 * hints: whoever gets one looks at the stamps of what it names, so a report too many costs a look
 * and nothing else. Events that were lost give a report that names everything. There are no
 * snapshots of the watcher between runs: the cache's stamps already tell what changed meanwhile.
 *
 * Start it before the first scan; what happens in between is then reported.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { watchHead } from './head-watcher.js';
import { watchNatively, type NativeWatch } from './native-watcher.js';
import { watchByPolling } from './polling-watcher.js';

export type WatchReport =
  /** These may have been made, changed or removed; relative to the root, with `/`. */
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  /** Anything may have changed. */
  | { readonly kind: 'everything'; readonly reason: string }
  /** A commit was made, or another one checked out. What it changed in the work tree is reported before. */
  | { readonly kind: 'head' }
  /** The root is gone; nothing more will be reported. */
  | { readonly kind: 'rootGone' };

export interface WatchOptions {
  /** A real path. */
  readonly root: string;
  /** Folders not to be watched, as globs relative to the root. */
  readonly ignore: readonly string[];
  /** The next report waits for the promise. It must not reject. */
  readonly report: (report: WatchReport) => Promise<void>;
  /** The system's events cannot be had, from the start or any more; called at most once. */
  readonly fellBack: (reason: string) => void;
  readonly pollMs?: number;
}

export interface Watcher {
  /** What is at work now; it can fall back later. */
  readonly mode: 'native' | 'polling';
  /** Why it is not the native one. */
  readonly reason: string | undefined;
  close(): Promise<void>;
}

/** A quiet time of this length ends a batch: editors and git write several files at once. */
const QUIET_MS = 40;
/** A batch is reported after this time, however much still comes. */
const BATCH_MS_MOST = 1000;
/** While git holds its index lock, a checkout or a rebase is under way; it is waited for, but not for ever. */
const GIT_LOCK_MS_MOST = 10_000;
/** More paths than this are as good as everything. */
const BATCH_PATHS_MOST = 20_000;
/** How often it is checked that the root is still there; no event tells it on every system. */
const ROOT_CHECK_MS = 5000;

export async function watch(options: WatchOptions): Promise<Watcher> {
  const watching = new RepositoryWatcher(options);
  await watching.start();
  return watching;
}

class RepositoryWatcher implements Watcher {
  mode: 'native' | 'polling' = 'native';
  reason: string | undefined;
  private native: NativeWatch | undefined;
  private readonly closing: (() => void | Promise<void>)[] = [];
  private closed = false;

  private paths = new Set<string>();
  private everything: string | undefined;
  private headMoved = false;
  private gitLock: string | undefined;
  private firstAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private reporting: Promise<void> = Promise.resolve();

  constructor(private readonly options: WatchOptions) {}

  async start(): Promise<void> {
    const { root, ignore } = this.options;
    const started = await watchNatively(
      root,
      ignore,
      (paths) => this.takePaths(paths),
      (error) => this.lost(error),
    );
    if (started.ok) this.native = started.watch;
    else this.poll(started.reason);
    const head = await watchHead(root, () => this.takeHead());
    if (head !== undefined) {
      this.gitLock = head.lockFile;
      this.closing.push(() => head.close());
    }
    const rootCheck = setInterval(() => this.checkRoot(), ROOT_CHECK_MS).unref();
    this.closing.push(() => clearInterval(rootCheck));
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.native?.close();
    for (const close of this.closing) await close();
    await this.reporting;
  }

  private takePaths(paths: readonly string[]): void {
    for (const path of paths) this.paths.add(path);
    if (this.paths.size > BATCH_PATHS_MOST) this.everything = `more than ${BATCH_PATHS_MOST} files changed at once`;
    this.wake();
  }

  private takeHead(): void {
    this.headMoved = true;
    this.wake();
  }

  /** The native watcher failed after it had begun. */
  private lost(error: string): void {
    if (this.closed) return;
    const native = this.native;
    this.native = undefined;
    this.closing.push(async () => native?.close());
    this.everything = error;
    this.wake();
    this.poll(error);
  }

  private poll(reason: string): void {
    if (this.mode === 'polling') return;
    this.mode = 'polling';
    this.reason = reason;
    this.options.fellBack(reason);
    const poll = watchByPolling(() => this.send({ kind: 'everything', reason: 'polling' }), this.options.pollMs);
    this.closing.push(() => poll.close());
  }

  private wake(): void {
    if (this.closed) return;
    const now = Date.now();
    if (this.timer === undefined) this.firstAt = now;
    clearTimeout(this.timer);
    const wait = Math.min(QUIET_MS, Math.max(0, this.firstAt + BATCH_MS_MOST - now));
    this.timer = setTimeout(() => this.flush(), wait).unref();
  }

  private flush(): void {
    this.timer = undefined;
    if (this.closed) return;
    if (this.gitLock !== undefined && Date.now() - this.firstAt < GIT_LOCK_MS_MOST && exists(this.gitLock)) {
      this.timer = setTimeout(() => this.flush(), QUIET_MS).unref();
      return;
    }
    const paths = [...this.paths].sort();
    const everything = this.everything;
    const headMoved = this.headMoved;
    this.paths = new Set();
    this.everything = undefined;
    this.headMoved = false;
    if (everything !== undefined) void this.send({ kind: 'everything', reason: everything });
    else if (paths.length > 0) void this.send({ kind: 'paths', paths });
    if (headMoved) void this.send({ kind: 'head' });
    if (paths.length > 0) this.checkRoot();
  }

  private checkRoot(): void {
    if (this.closed || exists(join(this.options.root, '.'))) return;
    void this.send({ kind: 'rootGone' });
    this.closed = true;
  }

  private send(report: WatchReport): Promise<void> {
    this.reporting = this.reporting.then(() =>
      this.closed && report.kind !== 'rootGone' ? undefined : this.options.report(report),
    );
    return this.reporting;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
