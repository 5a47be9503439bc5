/**
 * What is left around the files that an editor has open, while the index of the whole repository is still being made.
 *
 *     open files, files that differ from the commit ──► what they import ──► a host of its own ◄── what mentions them
 *                                                                                │
 *     list of what is left, certain entries alone, with how much was read ◄──────┘
 *
 * The host of all clients never holds less than the whole repository, so nothing else can be asked of a part by
 * mistake. The part is forgotten once the whole stands.
 */
import type { LeftReport } from '#protocol/left.js';
import { untilAborted } from '../base/until-aborted.js';
import { earlierTree } from '../engine/earlier-tree.js';
import type { Base, Effects } from '../engine/effects.js';
import type { ClientId, DiskFile, EarlierFile } from '../engine/event.js';
import { Host } from '../engine/host.js';
import { withEntries } from '../engine/left.js';
import { LocalService, type LocalServiceParts } from '../engine/local-service.js';
import { SearchMemory } from '../engine/search-memory.js';
import { ServiceError, type Call } from '../engine/service.js';
import { baseOfRevision } from '../io/git/git.js';
import type { Listed } from '../io/index/disk-index.js';
import { NearFiles } from '../io/index/near-files.js';
import type { ParsePool } from '../io/index/parse-pool.js';
import { isOfInterest } from '../io/index/scan.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { filesOf, type OpenedFirst } from './opened-first.js';

/** Of so many files, and so many bytes: half a second of parsing. */
const FILES_MOST = 300;
const BYTES_MOST = 1_500_000;
/** Files that the others are found around: fewer, so that there is room for some seven others around each. */
const SEEDS_MOST = Math.floor(FILES_MOST / 8);

/** What a client has open, and what the host of all has read it as. */
export interface OpenTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly summaries: ReadonlyMap<string, Summary>;
}

export interface EarlyPartParts {
  readonly root: string;
  readonly grammars: Grammars;
  readonly pool: ParsePool;
  readonly openedFirst: OpenedFirst;
  readonly listed: Promise<Listed>;
  readonly settled: () => { readonly texts: Readonly<Record<string, string | null>> } | null;
  readonly effects: (client: ClientId) => Effects;
  readonly status: LocalServiceParts['status'];
  /** Called when more was read than what was answered from. */
  readonly widened: () => void;
  readonly signal: AbortSignal;
}

export class EarlyPart {
  private readonly host: Host;
  private near: NearFiles | undefined;
  private sizes: ReadonlyMap<string, number> = new Map();
  private readonly files = new Map<string, DiskFile>();
  /** Those and what is being read. */
  private readonly begun = new Set<string>();
  private readonly before = new Map<string, EarlierFile | undefined>();
  private readonly renames = new Map<string, string>();
  private readonly looked = new Set<string>();
  private readonly services = new Map<ClientId, LocalService>();
  private bytes = 0;
  private readonly base: Promise<Base | undefined>;
  private growing: Promise<void> = Promise.resolve();
  private widening: Promise<void> = Promise.resolve();

  constructor(private readonly parts: EarlyPartParts) {
    this.host = new Host(parts.grammars);
    this.base = this.lastCommit();
    // Whoever grows hears of a failure.
    this.base.catch(() => undefined);
  }

  async left(client: ClientId, open: OpenTexts, call: Call): Promise<LeftReport> {
    this.growing = this.growing.catch(() => undefined).then(() => this.grow(client, open));
    await untilAborted(this.growing, call.signal);
    const report = await this.serviceOf(client).ask('codeplan/left', {}, call);
    const entries = report.entries.filter(({ confidence }) => confidence === 'certain');
    const read = { files: this.files.size, of: this.sizes.size };
    return withEntries({ ...report, complete: false, read }, entries);
  }

  /** Resolves when nothing is being read, whatever became of it. */
  async grown(): Promise<void> {
    await this.growing.catch(() => undefined);
    await this.widening.catch(() => undefined);
  }

  /** Reads what is open, what differs from the commit, and what these import; begins to read what mentions them. */
  private async grow(client: ClientId, open: OpenTexts): Promise<void> {
    const near = await this.placed();
    const base = await this.base;
    const changed = (base?.files ?? []).map(({ path }) => path);
    const seeds = [...new Set([...open.texts.keys(), ...changed])].slice(0, SEEDS_MOST);
    await this.read(seeds, base, near);
    this.show(client, open);
    const view = this.host.snapshot(client);
    near.take(
      new Map(
        seeds.flatMap((file): [string, Summary][] => {
          const summary = view.summary(file);
          return summary === undefined ? [] : [[file, summary]];
        }),
      ),
    );
    const imported = seeds.flatMap((file) => near.importedBy(file));
    await this.read(imported, base, near);
    // What an import leads to may be passed on by the file that it names.
    await this.read(
      imported.flatMap((file) => near.passedOnBy(file)),
      base,
      near,
    );
    const fresh = seeds.filter((file) => !this.looked.has(file));
    for (const file of fresh) this.looked.add(file);
    if (fresh.length > 0)
      this.widening = this.widening.catch(() => undefined).then(() => this.widen(fresh, base, near));
    // Whoever waits for it hears of a failure.
    this.widening.catch(() => undefined);
  }

  private async widen(seeds: readonly string[], base: Base | undefined, near: NearFiles): Promise<void> {
    const { signal, widened } = this.parts;
    await this.read(await near.mentioning(seeds, signal), base, near);
    widened();
  }

  private async placed(): Promise<NearFiles> {
    const { root, grammars, listed } = this.parts;
    const { sources, configs } = await listed;
    if (this.near !== undefined) return this.near;
    this.sizes = new Map(sources.map(({ path, stamp }) => [path, stamp.size]));
    this.host.post({ kind: 'disk', files: new Map(), configs, refused: new Map() });
    return (this.near = new NearFiles(root, [...this.sizes.keys()], configs, grammars));
  }

  /** Those that were not read yet, as far as the limits go. */
  private async read(paths: readonly string[], base: Base | undefined, near: NearFiles): Promise<void> {
    const { pool, openedFirst, root, signal } = this.parts;
    const jobs = [];
    const found = new Map<string, DiskFile>();
    for (const path of new Set(paths)) {
      const size = this.sizes.get(path);
      if (size === undefined || this.begun.has(path)) continue;
      if (this.begun.size >= FILES_MOST || this.bytes + size > BYTES_MOST) break;
      this.begun.add(path);
      this.bytes += size;
      const opened = await openedFirst.fileOf(path);
      if (opened === undefined) jobs.push({ path, size });
      else found.set(path, opened);
    }
    if (jobs.length + found.size === 0) return;
    await pool.readFiles(
      root,
      jobs,
      (readings) => {
        for (const [path, file] of filesOf(readings)) found.set(path, file);
      },
      signal,
      'first',
    );
    near.take(new Map([...found].map(([path, { summary }]) => [path, summary])));
    this.take(found, base);
  }

  /** Files and what they were in the commit, at once: otherwise they would be new ones to whoever asks in between. */
  private take(found: ReadonlyMap<string, DiskFile>, base: Base | undefined): void {
    for (const [path, file] of found) this.files.set(path, file);
    this.host.post({ kind: 'disk', files: found, configs: new Map(), refused: new Map() });
    if (base === undefined) return this.host.post({ kind: 'settled', client: undefined });
    const files = base.files.filter(
      ({ kind, path }) => found.has(path) || (kind === 'deleted' && !this.before.has(path)),
    );
    const settled = Object.entries(this.parts.settled()?.texts ?? {}).filter(([path]) => found.has(path));
    const earlier = earlierTree(files, new Map(settled), this.parts.grammars);
    for (const [path, file] of earlier.files) this.before.set(path, file);
    for (const [from, to] of earlier.renames) this.renames.set(from, to);
    const before = { files: new Map(this.before), renames: new Map(this.renames) };
    this.host.post({ kind: 'settled', client: undefined, before });
  }

  private show(client: ClientId, { texts, summaries }: OpenTexts): void {
    for (const path of this.host.overlayPaths(client))
      if (!texts.has(path)) this.host.post({ kind: 'overlayClosed', client, path });
    for (const [path, text] of texts) {
      const read = summaries.get(path);
      if (this.files.has(path) && read !== undefined)
        this.host.post({ kind: 'overlay', client, path, text, version: 0, read });
    }
  }

  private serviceOf(client: ClientId): LocalService {
    const { grammars, effects, status } = this.parts;
    let service = this.services.get(client);
    if (service === undefined) {
      const all = effects(client);
      const part: Effects = {
        ...all,
        refresh: () => Promise.resolve(),
        baseline: () => Promise.resolve(),
        problems: () => [],
      };
      service = new LocalService({
        host: this.host,
        effects: part,
        grammars,
        search: new SearchMemory(),
        client,
        status,
      });
      this.services.set(client, service);
    }
    return service;
  }

  /** Undefined where there is none. */
  private async lastCommit(): Promise<Base | undefined> {
    const { root, listed, signal } = this.parts;
    const { repositories } = await listed;
    try {
      return await baseOfRevision(root, 'HEAD', { includes: isOfInterest, repositories, signal });
    } catch (error) {
      if (error instanceof ServiceError && (error.kind === 'noGit' || error.kind === 'revision')) return undefined;
      throw error;
    }
  }
}
