/**
 * Follows changes of a repository on the disk.
 *
 *     @parcel/watcher ─┐
 *     or chokidar      ├─► batch ──► one report ──► (its work done) ──► next report
 *     HEAD moved     ──┘
 *
 * The first of these that can be had is used: the native package, chokidar by Node's events,
 * chokidar by looking from time to time; where it is not the first, the reason is said once. Reports are
 * hints: whoever gets one looks at the stamps of what it names, so a report too many costs a look
 * and nothing else. Events that were lost give a report that names everything. There are no
 * snapshots of the watcher between runs: the cache's stamps already tell what changed meanwhile.
 *
 * Start it before the first scan; what happens in between is then reported.
 */
import { statSync } from 'node:fs';
import { explained, isOutOfWatches, type FileWatch, type WatchCallbacks } from './file-watch.js';
import { watchHead, type HeadWatch } from './head-watcher.js';
import { watchNatively } from './native-watcher.js';

export type WatchReport =
  /** These may have been made, changed or removed; relative to the root, with `/`. */
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  /** Anything may have changed. */
  | { readonly kind: 'everything'; readonly reason: string }
  /** A commit was made, or another one checked out. What it changed in the work tree is reported before. */
  | { readonly kind: 'head' }
  /** The root is gone; nothing more will be reported. */
  | { readonly kind: 'rootGone' };

/** What tells of changes: the native package, chokidar by events, chokidar by looking. */
export type WatchMode = 'native' | 'events' | 'polling';

export interface WatchOptions {
  /** A real path. */
  readonly root: string;
  /** The next report waits for the promise. It must not reject. */
  readonly report: (report: WatchReport) => Promise<void>;
  /** The best means cannot be had, from the start or any more; called once for each that is given up. */
  readonly fellBack: (mode: WatchMode, reason: string) => void;
  /** The means to begin with; `native` where nothing is said. */
  readonly first?: WatchMode;
  readonly pollMs?: number;
}

export interface Watcher {
  /** What is at work now; it can fall back later. */
  readonly mode: WatchMode;
  /** Why it is not the native one. */
  readonly reason: string | undefined;
  /**
   * Reports what was noticed so far without waiting for quiet, and looks at the root; resolves when its work is done.
   */
  flush(): Promise<void>;
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
/** How often the stamps of all files are looked at where there are no events. */
const POLL_MS = 2000;
/** How often it is checked that the root is still there; no event tells it on every system. */
const ROOT_CHECK_MS = 5000;

export async function watch(options: WatchOptions): Promise<Watcher> {
  const watching = new RepositoryWatcher(options);
  await watching.start();
  return watching;
}

class RepositoryWatcher implements Watcher {
  mode: WatchMode;
  reason: string | undefined;
  private files: FileWatch | undefined;
  private head: HeadWatch | undefined;
  private identity: string | undefined;
  private rootCheck: NodeJS.Timeout | undefined;
  /** Starting, falling back and following a new root happen one after the other. */
  private changing: Promise<void> = Promise.resolve();
  private closed = false;

  private paths = new Set<string>();
  private everything: string | undefined;
  private headMoved = false;
  private firstAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private reporting: Promise<void> = Promise.resolve();

  constructor(private readonly options: WatchOptions) {
    this.mode = options.first ?? 'native';
  }

  async start(): Promise<void> {
    this.identity = identityOf(this.options.root);
    await this.follow();
    this.rootCheck = setInterval(() => this.checkRoot(), ROOT_CHECK_MS).unref();
  }

  async flush(): Promise<void> {
    this.checkRoot();
    await this.changing;
    if (this.timer !== undefined) this.send();
    await this.reporting;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.rootCheck);
    await this.changing;
    await this.unfollow();
    await this.reporting;
  }

  /** Begins with the best means that is left; throws only what polling throws. */
  private async follow(): Promise<void> {
    const { root } = this.options;
    this.head ??= await watchHead(root, () => this.takeHead());
    for (;;) {
      const mode = this.mode;
      const callbacks: WatchCallbacks = {
        onPaths: (paths) => this.takePaths(paths),
        onLost: (error) => this.lost(mode, error),
      };
      try {
        this.files = mode === 'native' ? await watchNatively(root, callbacks) : await this.throughNode(mode, callbacks);
        return;
      } catch (error) {
        if (mode === 'polling') throw error;
        this.fallBack(error);
      }
    }
  }

  /** Loaded where it is needed: most start with the native package. */
  private async throughNode(mode: 'events' | 'polling', callbacks: WatchCallbacks): Promise<FileWatch> {
    const { watchWithChokidar } = await import('./chokidar-watcher.js');
    const pollMs = mode === 'polling' ? (this.options.pollMs ?? POLL_MS) : undefined;
    return watchWithChokidar(this.options.root, callbacks, pollMs);
  }

  private fallBack(error: unknown): void {
    // Node's own watches are the kernel's too.
    this.mode = this.mode === 'native' && !isOutOfWatches(error) ? 'events' : 'polling';
    this.tell(error);
  }

  private tell(error: unknown): void {
    this.reason = explained(error);
    this.options.fellBack(this.mode, this.reason);
  }

  private async unfollow(): Promise<void> {
    this.head?.close();
    this.head = undefined;
    const files = this.files;
    this.files = undefined;
    await files?.close();
  }

  /** A means failed after it had begun, or its root is another folder now. */
  private again(before: () => void, reason: string): void {
    this.changing = this.changing.then(async () => {
      if (this.closed) return;
      try {
        await this.unfollow();
        before();
        await this.follow();
      } catch (error) {
        this.tell(error);
      }
      this.everything = reason;
      this.wake();
    });
  }

  private lost(mode: WatchMode, error: unknown): void {
    if (this.closed || mode !== this.mode || mode === 'polling') return;
    this.again(() => mode === this.mode && this.fallBack(error), explained(error));
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

  private wake(): void {
    if (this.closed) return;
    const now = Date.now();
    if (this.timer === undefined) this.firstAt = now;
    clearTimeout(this.timer);
    const wait = Math.min(QUIET_MS, Math.max(0, this.firstAt + BATCH_MS_MOST - now));
    this.timer = setTimeout(() => this.quiet(), wait).unref();
  }

  private quiet(): void {
    const lock = this.head?.lockFile;
    if (lock !== undefined && Date.now() - this.firstAt < GIT_LOCK_MS_MOST && identityOf(lock) !== undefined)
      this.timer = setTimeout(() => this.quiet(), QUIET_MS).unref();
    else this.send();
  }

  /** Reports the batch as it is. */
  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.closed) return;
    const paths = [...this.paths].sort();
    const everything = this.everything;
    const headMoved = this.headMoved;
    this.paths = new Set();
    this.everything = undefined;
    this.headMoved = false;
    if (everything !== undefined) this.report({ kind: 'everything', reason: everything });
    else if (paths.length > 0) this.report({ kind: 'paths', paths });
    if (headMoved) this.report({ kind: 'head' });
    if (paths.length > 0) this.checkRoot();
  }

  private checkRoot(): void {
    if (this.closed) return;
    const now = identityOf(this.options.root);
    if (now === this.identity) return;
    this.identity = now;
    if (now !== undefined) {
      this.again(() => undefined, 'the root was made anew');
      return;
    }
    this.report({ kind: 'rootGone' });
  }

  private report(report: WatchReport): void {
    this.reporting = this.reporting.then(() => (this.closed ? undefined : this.options.report(report)));
  }
}

/**
 * Which file or folder lies at a path; undefined if there is none. An inode that became free is soon another folder's,
 * hence the time of its making.
 */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}
