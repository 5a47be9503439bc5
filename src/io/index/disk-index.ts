/**
 * Keeps the host's picture of the disk: the first index from cache and parser, and what changes
 * afterwards.
 *
 * Work on the disk runs one piece at a time, so two refreshes never overtake each other. The
 * stamps of all files are kept here: a refresh looks at stamps, reads what differs, and posts one
 * event. The first index posts twice: what the cache holds, at once, and then the rest.
 */
import { lstatSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { shownName } from '../../base/shown.js';
import type { DiskFile, HostEvent } from '../../engine/event.js';
import { ServiceError } from '../../engine/service.js';
import type { Summary } from '../../syntax/summary.js';
import { isSettled, sameStamp, stampOf, type FileStamp } from '../disk/file-stamp.js';
import { sharedIfEmpty } from './empty-files.js';
import { FolderStamps } from './folder-stamps.js';
import { GitListing } from './git-listing.js';
import { isForeign } from './ignore-rules.js';
import type { ParsePool } from './parse-pool.js';
import type { FileJob, Reading } from './read-sources.js';
import { readRepositoryFile, RealFolders, SOURCE_BYTES_MOST } from '../disk/repository-file.js';
import { isConfig, isOfInterest, mayMatter, scan, type Scan, type ScannedFile } from './scan.js';
import { decodeSource } from '../disk/source-text.js';
import type { SummaryCache } from './summary-cache.js';

export interface DiskIndexOptions {
  /** A real path. */
  readonly root: string;
  /** Further patterns to leave out, in the syntax of ignore files. */
  readonly exclude: readonly string[];
  readonly cache: SummaryCache;
  readonly pool: ParsePool;
  readonly post: (event: HostEvent) => void;
  /** Hears of what there is; the files that are not known are read afterwards. */
  readonly listed?: (listed: Listed) => Promise<void>;
}

/** What a repository is made of, and how much of it is still to be read. */
export interface Listed {
  readonly sources: readonly ScannedFile[];
  readonly repositories: Scan['repositories'];
  /** Texts of configuration files. */
  readonly configs: ReadonlyMap<string, string | undefined>;
  readonly unread: number;
}

export interface DiskIndexCounts {
  /** Files whose summary came from the cache, and files that were parsed. */
  readonly hits: number;
  readonly misses: number;
  /** Files still to be read. */
  readonly pending: number;
}

export type Progress = (done: number, total: number) => void;

/** How long after the last change the cache is written. */
const SAVE_DELAY_MS = 3000;
/** How many summaries are taken from the cache before other work gets a turn: about 2 ms. */
const TURN_FILES = 100;
/** So many files of folders that came late are looked at before an answer; the next ones before the next. */
const LATE_FILES_MOST = 2000;
/** Looking at all folders may take one part in so many of the time: 5 ms, for 2,000 of them, in 130 ms. */
const LOOK_SHARE = 25;

export class DiskIndex {
  private readonly stamps = new Map<string, FileStamp>();
  private refused = new Set<string>();
  private work: Promise<unknown> = Promise.resolve();
  private saveTimer: NodeJS.Timeout | undefined;
  private hits = 0;
  private misses = 0;
  private pending = 0;
  private saveError: string | undefined;
  private leavesOut: Scan['leavesOut'] = () => false;
  /** Folders of repositories inside of this one. */
  repositories: Scan['repositories'] = [];

  private readonly folders: FolderStamps;
  private readonly listing: GitListing;
  private nextLookAt = 0;
  /** Of the files of folders that came late, the one that is looked at next. */
  private nextLate = 0;

  constructor(private readonly options: DiskIndexOptions) {
    this.folders = new FolderStamps(options.root);
    this.listing = new GitListing(options.root);
  }

  get counts(): DiskIndexCounts {
    return { hits: this.hits, misses: this.misses, pending: this.pending };
  }

  /** Why the cache could not be written, if so. */
  get cacheProblem(): string | undefined {
    return this.options.cache.problem ?? this.saveError;
  }

  /** Reads the whole repository, as far as it is not known. Throws ServiceError: root. Rejects when `signal` aborts. */
  load(signal: AbortSignal, progress: Progress = () => undefined): Promise<void> {
    return this.oneAtATime(async () => {
      await this.rescan(signal, progress);
      // The workers hold more than the index of a small repository, and have nothing to do for a while, unless what
      // lies around the open files is being read.
      await this.options.pool.rest();
    });
  }

  /** Looks again at paths that may have changed: files that are known are read, anything else leads to a scan. */
  refresh(paths: readonly string[], signal: AbortSignal): Promise<void> {
    return this.oneAtATime(() => this.lookAt(paths, signal));
  }

  /**
   * Makes sure that what was read is what the disk holds, but for writes in place in folders that were there at first,
   * which only an event tells of: looks at the times of all folders, at the files of those that changed and of those
   * that came late, and at what git keeps in its own folder of what is listed. Looks take a bounded share of the time,
   * however often it is called.
   */
  settle(signal: AbortSignal): Promise<void> {
    return this.oneAtATime(async () => {
      if (performance.now() < this.nextLookAt) return;
      const started = performance.now();
      const changed = this.folders.changed();
      const written = this.writtenInLateFolders();
      const now = performance.now();
      this.nextLookAt = now + (now - started) * LOOK_SHARE;
      if (await this.listing.hasChanged(signal)) await this.rescan(signal, () => undefined);
      else if (changed.size > 0 || written.length > 0)
        await this.lookAt([...this.pathsIn(changed), ...written], signal);
    });
  }

  private writtenInLateFolders(): string[] {
    const late = this.folders.cameLate;
    if (late.size === 0) return [];
    const files = [...this.stamps].filter(([path]) => late.has(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
    const from = this.nextLate < files.length ? this.nextLate : 0;
    this.nextLate = from + LATE_FILES_MOST;
    return files
      .slice(from, this.nextLate)
      .filter(([path, known]) => {
        const stats = lstatSync(join(this.options.root, path), { throwIfNoEntry: false });
        return stats === undefined || !sameStamp(known, stampOf(stats));
      })
      .map(([path]) => path);
  }

  /**
   * Whether a file at this path is, or if there were one would be, part of the index. What is
   * refused is not: compared with an earlier tree it would look deleted.
   */
  covers(path: string): boolean {
    return this.stamps.has(path) || (isOfInterest(path) && !this.refused.has(path) && !this.leavesOut(path));
  }

  private async lookAt(paths: readonly string[], signal: AbortSignal): Promise<void> {
    const relevant = paths.filter((path) => mayMatter(path) || this.isKnownFolder(path) || this.isNewFolder(path));
    if (relevant.length === 0) return;
    const folders = new RealFolders(this.options.root);
    const isPlain = (path: string): boolean => this.stamps.has(path) && this.isNoLink(path, folders);
    if (relevant.every(isPlain)) await this.reread(relevant, signal);
    else await this.rescan(signal, () => undefined);
  }

  /** What is there, and what was, right in these folders. */
  private pathsIn(folders: ReadonlyMap<string, readonly Dirent[]>): string[] {
    const known = [...this.stamps.keys()];
    const out = known.filter((path) => folders.has(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
    for (const [folder, entries] of folders)
      for (const entry of entries)
        if (!entry.isDirectory()) out.push(folder === '' ? entry.name : `${folder}/${entry.name}`);
    return out;
  }

  /** The text on the disk now, or undefined if there is no such file or it cannot be decoded. */
  text(path: string): string | undefined {
    const read = this.read(path);
    if (read.ok) return read.text;
    if (read.reason === undefined || read.encoding === true) return undefined;
    throw new ServiceError(
      'root',
      `cannot read ${shownName(path)} in ${shownName(this.options.root)}: ${read.reason}`,
      [path],
    );
  }

  /** Writes the cache. What cannot be written is said in `cacheProblem`, and nothing else is lost. */
  async close(): Promise<void> {
    clearTimeout(this.saveTimer);
    await this.work.catch(() => undefined);
    await this.save();
  }

  private oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    // The failure of an earlier piece is its caller's, not the next one's.
    const next = this.work.catch(() => undefined).then(work);
    this.work = next;
    return next;
  }

  private async rescan(signal: AbortSignal, progress: Progress): Promise<void> {
    await this.listing.note(signal);
    const found = await scan(this.options.root, { exclude: this.options.exclude, signal });
    this.leavesOut = found.leavesOut;
    this.repositories = found.repositories;
    const changed = [...found.sources, ...found.configs].filter(({ path, stamp }) => !this.isCurrent(path, stamp));
    this.folders.take([...found.sources, ...found.configs].map((file) => file.path));
    const present = new Set([...found.sources, ...found.configs].map((file) => file.path));
    const gone = [...this.stamps.keys()].filter((path) => !present.has(path));
    const cached = await this.fromCache(changed, signal);
    const rest = changed.filter((file) => !cached.has(file.path));
    const refused = this.problemsOf(found);
    const configs = this.readConfigs(changed, gone, refused);
    this.post(new Map([...cached, ...gone.map((path) => [path, undefined] as const)]), configs, refused);
    for (const path of gone) this.stamps.delete(path);
    for (const { path, stamp } of changed) if (cached.has(path) || isConfig(path)) this.stamps.set(path, stamp);
    const unread = rest.filter((file) => !isConfig(file.path));
    await this.options.listed?.({ ...found, configs, unread: unread.length });
    await this.parse(unread, signal, progress);
    this.options.cache.keepOnly(present);
    this.saveSoon();
  }

  private async reread(paths: readonly string[], signal: AbortSignal): Promise<void> {
    const changed: ScannedFile[] = [];
    const gone: string[] = [];
    for (const path of new Set(paths)) {
      const stats = lstatSync(join(this.options.root, path), { throwIfNoEntry: false });
      if (stats?.isFile() !== true) gone.push(path);
      else if (!this.isCurrent(path, stampOf(stats))) changed.push({ path, stamp: stampOf(stats) });
    }
    if (gone.length > 0) {
      const configs = this.readConfigs([], gone, new Map());
      this.post(new Map(gone.map((path) => [path, undefined])), configs, new Map());
      for (const path of gone) this.stamps.delete(path);
    }
    const configs = changed.filter((file) => isConfig(file.path));
    if (configs.length > 0) {
      const refused = new Map<string, string | undefined>();
      this.post(new Map(), this.readConfigs(configs, [], refused), refused);
    }
    for (const { path, stamp } of configs) this.stamps.set(path, stamp);
    await this.parse(
      changed.filter((file) => !isConfig(file.path)),
      signal,
      () => undefined,
    );
    this.saveSoon();
  }

  /** A stamp that is as new as its file may hide a second write, so such a file is read again. */
  private isCurrent(path: string, stamp: FileStamp): boolean {
    const known = this.stamps.get(path);
    return known !== undefined && sameStamp(known, stamp) && isSettled(stamp, Date.now());
  }

  private async fromCache(files: readonly ScannedFile[], signal: AbortSignal): Promise<Map<string, DiskFile>> {
    const { cache } = this.options;
    const found = new Map<string, DiskFile>();
    let turn = 0;
    for (const { path, stamp } of files) {
      if (!cache.holds(path, stamp)) continue;
      const file = cache.file(path);
      const summary = file === undefined ? undefined : this.known(path, file.digest);
      if (summary === undefined || file === undefined) continue;
      found.set(path, { summary, digest: file.digest, byteOrderMark: file.byteOrderMark });
      if (++turn % TURN_FILES === 0) await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    this.hits += found.size;
    return found;
  }

  /** The cache's summary of a content that is known. */
  private known(path: string, digest: string): Summary | undefined {
    return sharedIfEmpty(path, digest, () => this.options.cache.summary(path));
  }

  private async parse(files: readonly ScannedFile[], signal: AbortSignal, progress: Progress): Promise<void> {
    if (files.length === 0) return;
    const { cache, pool, root } = this.options;
    const jobs = files.map(({ path, stamp }): FileJob => {
      const knownDigest = cache.file(path)?.digest;
      return { path, size: stamp.size, ...(knownDigest === undefined ? {} : { knownDigest }) };
    });
    const found = new Map<string, DiskFile | undefined>();
    const refusals = new Map<string, string | undefined>();
    this.pending += jobs.length;
    let done = 0;
    try {
      await pool.readFiles(
        root,
        jobs,
        (readings) => {
          for (const reading of readings) this.take(reading, found, refusals);
          done += readings.length;
          this.pending -= readings.length;
          progress(done, jobs.length);
        },
        signal,
      );
    } finally {
      this.pending -= jobs.length - done;
      // What was read before a cancellation is true all the same.
      this.post(found, new Map(), refusals);
    }
  }

  private take(
    reading: Reading<Summary>,
    found: Map<string, DiskFile | undefined>,
    refusals: Map<string, string | undefined>,
  ): void {
    const { cache } = this.options;
    const { path } = reading;
    if (this.refused.delete(path)) refusals.set(path, undefined);
    if (reading.kind === 'summary' || reading.kind === 'same') {
      const { stamp, takenMs, digest } = reading;
      const byteOrderMark =
        reading.kind === 'summary' ? reading.byteOrderMark : (cache.file(path)?.byteOrderMark ?? false);
      const file = { stamp, settled: isSettled(stamp, takenMs), digest, byteOrderMark };
      const summary = reading.kind === 'summary' ? reading.summary : this.known(path, digest);
      // A cache entry that no longer decodes: the stamp stays unknown, so the next look reads the file.
      if (summary === undefined) return;
      if (reading.kind === 'summary') {
        cache.put(path, file, summary, reading.encoded);
        this.misses++;
      } else {
        cache.restamp(path, file);
        this.hits++;
      }
      this.stamps.set(path, stamp);
      found.set(path, { summary, digest, byteOrderMark });
      return;
    }
    this.stamps.delete(path);
    found.set(path, undefined);
    if (reading.kind !== 'refused') return;
    this.refused.add(path);
    refusals.set(path, reading.reason);
  }

  /** Texts of configuration files that changed, undefined for those that went; why one has none goes to `refused`. */
  private readConfigs(
    changed: readonly ScannedFile[],
    gone: readonly string[],
    refused: Map<string, string | undefined>,
  ): Map<string, string | undefined> {
    const configs = new Map<string, string | undefined>();
    for (const { path } of changed) {
      if (!isConfig(path)) continue;
      const read = this.read(path);
      configs.set(path, read.ok ? read.text : undefined);
      const { reason } = read.ok ? { reason: undefined } : read;
      if (reason !== undefined) this.refused.add(path);
      if (reason !== undefined || this.refused.delete(path)) refused.set(path, reason);
    }
    for (const path of gone) if (isConfig(path)) configs.set(path, undefined);
    return configs;
  }

  /** Its text; `ok: false` without a reason when there is no such file. */
  private read(path: string): { ok: true; text: string } | { ok: false; reason?: string; encoding?: true } {
    const file = readRepositoryFile(this.options.root, path, { bytesMost: SOURCE_BYTES_MOST, links: 'inside' });
    if (file.kind === 'gone') return { ok: false };
    if (file.kind === 'refused') return { ok: false, reason: file.reason };
    const source = decodeSource(file.bytes);
    return source.ok ? { ok: true, text: source.text } : { ok: false, reason: source.reason, encoding: true };
  }

  private isNoLink(path: string, folders: RealFolders): boolean {
    const stats = lstatSync(join(this.options.root, path), { throwIfNoEntry: false });
    return stats?.isSymbolicLink() !== true && folders.areAbove(path);
  }

  /** Why files are not read, according to a scan; with undefined for those of which that is no longer so. */
  private problemsOf(found: Scan): Map<string, string | undefined> {
    const now = new Map<string, string | undefined>(found.problems.map((problem) => [problem.file, problem.message]));
    const present = new Set(found.sources.map((file) => file.path));
    for (const path of this.refused) if (!now.has(path) && !present.has(path)) now.set(path, undefined);
    this.refused = new Set([
      ...[...this.refused].filter((path) => present.has(path)),
      ...found.problems.map((problem) => problem.file),
    ]);
    return now;
  }

  private post(
    files: ReadonlyMap<string, DiskFile | undefined>,
    configs: ReadonlyMap<string, string | undefined>,
    refused: ReadonlyMap<string, string | undefined>,
  ): void {
    if (files.size + configs.size + refused.size > 0) this.options.post({ kind: 'disk', files, configs, refused });
  }

  /** Whether a path that changed is a folder with files of ours: it was removed or renamed as a whole. */
  private isKnownFolder(path: string): boolean {
    const prefix = `${path}/`;
    for (const known of this.stamps.keys()) if (known.startsWith(prefix)) return true;
    return false;
  }

  /** Whether a folder of no file of ours has come, which may hold some. */
  private isNewFolder(path: string): boolean {
    const stats = isForeign(path) ? undefined : statSync(join(this.options.root, path), { throwIfNoEntry: false });
    return stats?.isDirectory() === true;
  }

  private saveSoon(): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.save(), SAVE_DELAY_MS).unref();
  }

  private async save(): Promise<void> {
    try {
      await this.options.cache.save();
      this.saveError = undefined;
    } catch (error) {
      this.saveError = `summaries are not kept: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
