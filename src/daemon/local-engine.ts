/**
 * The engine in this process: host, index, watcher, journal, models and oracles of one root, put
 * together. Each client gets a `LocalService` over the shared host.
 */
import { SCHEMA_VERSION } from '#protocol/words.js';
import type { LeftCounts, LeftReport } from '#protocol/left.js';
import type { Status } from '#protocol/status.js';
import { shownName } from '../base/shown.js';
import { untilAborted } from '../base/until-aborted.js';
import { withheldBy, type Withheld } from '../context/no-send.js';
import { manifestText } from '../io/disk/manifest-text.js';
import { readChangeFile } from '../io/disk/change-file.js';
import type { Configuration } from '../engine/configuration.js';
import type { Effects } from '../engine/effects.js';
import { Host } from '../engine/host.js';
import { SearchMemory } from '../engine/search-memory.js';
import { NO_DECISIONS, stillMeant, type Decisions } from '../engine/left.js';
import { LocalService } from '../engine/local-service.js';
import {
  ServiceError,
  type Call,
  type Client,
  type CreateEngine,
  type Engine,
  type EngineOptions,
  type Service,
} from '../engine/service.js';
import { countsOf } from '../engine/snapshot-counts.js';
import { baseOfDirectory } from '../io/git/base.js';
import { buildFingerprint } from '../io/index/build-fingerprint.js';
import { packageVersion } from '../io/process/build-identity.js';
import { manifestTexts } from '../io/index/manifest-texts.js';
import { otherTexts } from '../io/index/other-texts.js';
import { sourceTexts } from '../io/index/source-texts.js';
import { DiskIndex, type Listed } from '../io/index/disk-index.js';
import { cacheFolder, stateFolder } from '../io/disk/folders.js';
import { SecretPermits } from '../io/settings/secret-permits.js';
import { baseOfRevision } from '../io/git/git.js';
import { grammarsOfThread } from '../io/index/grammar-bytes.js';
import { GitLock } from '../io/git/git-lock.js';
import { Journal } from '../io/journal/journal.js';
import { LeftStore } from '../io/journal/left-store.js';
import { ParsePool } from '../io/index/parse-pool.js';
import { DiskRunNotes } from '../io/journal/run-notes.js';
import { requireOwner } from '../io/settings/owner.js';
import { realPathInside } from '../io/disk/repository-file.js';
import { rootOf } from '../io/disk/root.js';
import { readSettings, SETTINGS_FILE, type Settings } from '../io/settings/settings.js';
import { SummaryCache } from '../io/index/summary-cache.js';
import { MadeOnDisk } from '../io/model/made-of-texts.js';
import { standingOf, type Grant, type Standing } from '../io/settings/trust.js';
import { watch, type Watcher, type WatchReport } from '../io/watch/watcher.js';
import type { Grammars } from '../syntax/grammar.js';
import { EarlyPart } from './early-part.js';
import { OpenedFirst } from './opened-first.js';
import { RepositoryBaseline } from './repository-baseline.js';
import { SessionService } from './session-service.js';

/** How often the disk may be looked at when nothing watches it: requests closer together share a look. */
const LOOK_MS = 500;

export const createLocalEngine: CreateEngine = (options) => new LocalEngine(options);

/** Fewer files than that are read nearly as soon as a part of them. */
const UNREAD_LEAST = 100;

/** What exists once the first step of the start is done. */
interface Started {
  readonly host: Host;
  readonly index: DiskIndex;
  readonly grammars: Grammars;
  readonly cache: SummaryCache;
  readonly lock: GitLock;
  readonly search: SearchMemory;
  readonly baseline: RepositoryBaseline;
}

/** Who asks when the program itself wants to know. */
const NOBODY = { id: 'codeplan', name: 'codeplan', workingDirectory: '/' } as const;
const saysNothing = (decisions: Decisions): boolean => JSON.stringify(decisions) === JSON.stringify(NO_DECISIONS);

class LocalEngine implements Engine {
  private readonly root: string;
  private readonly startedAt = Date.now();
  private readonly closing = new AbortController();
  private readonly pool = new ParsePool();
  private readonly journal: Journal;
  private readonly notes: DiskRunNotes;
  private readonly left: LeftStore;
  private readonly madeOfTexts: MadeOnDisk;
  private readonly settings: Settings;
  private readonly clients = new Map<string, Client>();
  /** Those who are told how far the first index is. */
  private readonly waiting = new Set<Call['progress']>();
  /** How much was left for each when it was last counted. */
  private readonly counts = new Map<string, LeftCounts>();
  private listed: (listed: Listed) => void = () => undefined;
  private readonly listing = new Promise<Listed>((resolve) => (this.listed = resolve));
  private readonly openedFirst: OpenedFirst;
  private early: EarlyPart | undefined;
  private readonly widened = new Set<() => void>();
  /** Answers from a part that are under way. */
  private readonly asked = new Set<Promise<LeftReport | undefined>>();
  private started: Promise<Started> | undefined;
  private opened: Started | undefined;
  private watcher: Watcher | undefined;
  /** Begun while the first index is being made. */
  private watching: Promise<void> | undefined;
  private loading: Promise<void> | undefined;
  private lookedAt = 0;
  private state: Status['state'] = 'indexing';
  /** Why the repository was not opened when it was last asked for. */
  private refusal: string | undefined;
  private running = 0;
  private readonly notices: string[] = [];
  private readonly noticeListeners = new Set<(message: string) => void>();
  /** Ends when the index has seen what was written last. */
  private seen: Promise<void> = Promise.resolve();

  constructor(private readonly options: EngineOptions) {
    this.root = rootOf(options.root);
    this.openedFirst = new OpenedFirst(this.root, this.pool, this.closing.signal);
    this.journal = new Journal(stateFolder(options.environment), this.root);
    this.notes = new DiskRunNotes(stateFolder(options.environment), this.root);
    this.left = new LeftStore(stateFolder(options.environment), this.root);
    this.madeOfTexts = new MadeOnDisk(cacheFolder(options.environment));
    this.settings = this.settingsNow();
    if (this.settings.notice !== undefined) options.log(this.settings.notice);
  }

  get busy(): boolean {
    return this.running > 0;
  }

  connect(client: Client): Service {
    this.clients.set(client.id, client);
    return new SessionService(client, () => this.start(), {
      effects: (started) => this.effectsFor(client, started),
      status: () => this.status(),
      busy: (step) => void (this.running += step),
      onDecided: (listener) => {
        const end = this.left.onChanged(listener);
        this.widened.add(listener);
        return () => {
          end();
          this.widened.delete(listener);
        };
      },
      counted: (counts) => void this.counts.set(client.id, counts),
      keepSettled: (texts) => {
        const { baseline, index } = this.opened ?? {};
        const kept = texts && [...texts].map(([file, text]) => [file, text ?? index?.text(file) ?? null] as const);
        baseline
          ?.keep(kept && new Map(kept))
          .catch((error: unknown) => this.tell(error instanceof Error ? error.message : String(error)));
      },
      shown: (path) => {
        if (this.state === 'indexing' && this.started !== undefined) this.openedFirst.begin(path);
      },
      early: (call) => this.leftEarly(client, call),
      close: () => {
        this.clients.delete(client.id);
        this.counts.delete(client.id);
        this.opened?.host.post({ kind: 'clientGone', client: client.id });
      },
    });
  }

  async warm(progress?: Call['progress']): Promise<void> {
    if (progress !== undefined && this.state === 'indexing') {
      this.waiting.add(progress);
    }
    const started = await this.start();
    this.loading ??= this.load(started);
    await this.loading;
  }

  look(paths: readonly string[]): void {
    const started = this.opened;
    // The first look at the disk is still to come.
    if (started === undefined) return;
    const before = this.seen;
    this.seen = before.then(() => this.take({ kind: 'paths', paths }, started.index));
  }

  expect(): void {
    const started = this.opened;
    if (started === undefined || this.state !== 'ready') return;
    this.settled(started, this.closing.signal).catch((error: unknown) => {
      // The question itself fails on the same, and says so to whoever asks it.
      if (!this.closing.signal.aborted)
        this.options.log(`looking at the disk failed: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  onNotice(listener: (message: string) => void): () => void {
    for (const message of this.notices) listener(message);
    this.noticeListeners.add(listener);
    return () => this.noticeListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closing.abort(new ServiceError('daemon', `the engine for ${this.root} is ending`));
    const started = await this.started?.catch(() => undefined);
    await this.watching?.catch(() => undefined);
    await this.watcher?.close();
    await started?.index.close();
    await this.pool.close();
    this.madeOfTexts.close();
  }

  private async start(): Promise<Started> {
    await this.requireOwner();
    this.started ??= this.open().catch((error: unknown) => {
      // What was refused may be allowed before the next request.
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  /** Asked for each request: whose the repository is, and what the person says of that, may change under a daemon. */
  private async requireOwner(): Promise<void> {
    try {
      await requireOwner(this.root, this.options.environment);
      this.refusal = undefined;
    } catch (error) {
      if (error instanceof ServiceError) this.refusal = error.message;
      throw error;
    }
  }

  private async open(): Promise<Started> {
    const grammars = await grammarsOfThread();
    const host = new Host(grammars, (what, error) =>
      this.tell(
        `a defect of codeplan: ${shownName(what)} could not be taken in: ` +
          (error instanceof Error ? (error.stack ?? error.message) : String(error)),
      ),
    );
    const cache = await SummaryCache.open(cacheFolder(this.options.environment), this.root, buildFingerprint());
    const index: DiskIndex = new DiskIndex({
      root: this.root,
      exclude: this.settings.configuration.exclude,
      cache,
      pool: this.pool,
      post: (event) => host.post(event),
      listed: (listed) => this.partFirst(listed, index),
    });
    const baseline = new RepositoryBaseline({
      root: this.root,
      host,
      grammars,
      store: this.left,
      includes: (path) => index.covers(path),
      repositories: () => index.repositories,
      signal: this.closing.signal,
    });
    this.opened = {
      host,
      index,
      grammars,
      cache,
      lock: await GitLock.of(this.root, this.options.environment),
      baseline,
      search: new SearchMemory(),
    };
    return this.opened;
  }

  private async watch(index: DiskIndex): Promise<void> {
    this.watcher = await watch({
      root: this.root,
      report: (report) => this.take(report, index),
      fellBack: (mode, reason) => {
        if (mode === 'polling') this.tell(`the disk is looked at from time to time instead of watched: ${reason}`);
        else this.options.log(`files are watched through Node: ${reason}`);
      },
    });
  }

  /** As they and the trust in them are now; what runs something or sends something asks anew. */
  private settingsNow(): Settings {
    const { environment, configFile } = this.options;
    return readSettings({ realRoot: this.root, environment, ...(configFile === undefined ? {} : { configFile }) });
  }

  private standing(grant: Grant): Standing {
    return standingOf(stateFolder(this.options.environment), this.root, grant);
  }

  /** Read anew each time: the person may have taken one back. */
  private permits(): SecretPermits {
    return new SecretPermits(stateFolder(this.options.environment), this.root);
  }

  private tell(message: string): void {
    this.options.log(message);
    this.notices.push(message);
    for (const listener of this.noticeListeners) listener(message);
  }

  private async load({ index }: Started): Promise<void> {
    try {
      await index.load(this.closing.signal, (done, total) => {
        for (const progress of this.waiting) progress(`${done} of ${total} files read`, total === 0 ? 1 : done / total);
      });
      await this.watching;
      // What was written before anybody watched.
      if (this.watcher !== undefined) await index.load(this.closing.signal);
      this.waiting.clear();
      this.state = 'ready';
      this.early = undefined;
      this.openedFirst.forget();
      this.lookedAt = Date.now();
    } catch (error) {
      this.state = 'failed';
      throw error;
    }
  }

  /** Undefined where the whole stands as soon. */
  private async leftEarly(client: Client, call: Call): Promise<LeftReport | undefined> {
    if (this.state !== 'indexing') return undefined;
    const whole = this.warm().then(() => undefined);
    const part = this.partAround(client, call).catch((error: unknown) => {
      if (!call.signal.aborted)
        this.options.log(
          `no part was read before the whole: ${error instanceof Error ? error.message : String(error)}`,
        );
      return undefined;
    });
    this.asked.add(part);
    void part.then(() => this.asked.delete(part));
    return untilAborted(Promise.race([whole, part]), call.signal);
  }

  /** Whoever waits for a part has the machine for themselves; what they wait for is bounded. */
  private async partFirst(listed: Listed, index: DiskIndex): Promise<void> {
    this.listed(listed);
    await Promise.all(this.asked);
    await this.early?.grown();
    if (!this.options.watch || this.watching !== undefined) return;
    this.watching = this.watch(index);
    // Who loads hears of a failure.
    this.watching.catch(() => undefined);
  }

  private async partAround(client: Client, call: Call): Promise<LeftReport | undefined> {
    const started = await this.start();
    const { listing } = this;
    this.early ??= new EarlyPart({
      root: this.root,
      grammars: started.grammars,
      pool: this.pool,
      openedFirst: this.openedFirst,
      listed: listing,
      settled: () => this.left.read().settled,
      effects: (id) => this.effectsFor(this.clients.get(id) ?? client, started),
      status: () => this.status(),
      widened: () => {
        for (const listener of this.widened) listener();
      },
      signal: this.closing.signal,
    });
    const { host } = started;
    const open = { texts: host.unsavedTexts(client.id), summaries: host.unsavedSummaries(client.id) };
    const left = this.early.left(client.id, open, call);
    // It may fail before anybody waits for it.
    left.catch(() => undefined);
    return (await listing).unread >= UNREAD_LEAST ? left : undefined;
  }

  /** What the watcher says; a failed look is reported and the next one tries again. */
  private async take(report: WatchReport, index: DiskIndex): Promise<void> {
    try {
      if (report.kind === 'paths') await index.refresh(report.paths, this.closing.signal);
      else if (report.kind === 'everything') await index.load(this.closing.signal);
      // A commit or a checkout settles what is there: it is no edit of the person's.
      else if (report.kind === 'head') await this.committed(index);
      else this.options.log(`the root ${this.root} is gone`);
    } catch (error) {
      if (!this.closing.signal.aborted)
        this.options.log(`looking at the disk failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** What is not yet in the index of what a checkout wrote would be taken for an edit. */
  private async committed(index: DiskIndex): Promise<void> {
    await index.settle(this.closing.signal);
    await this.opened?.baseline.moved();
    if (this.opened === undefined || saysNothing(this.left.read())) return;
    const nobody = new LocalService({
      host: this.opened.host,
      effects: this.effectsFor({ ...NOBODY, environment: this.options.environment }, this.opened),
      grammars: this.opened.grammars,
      search: this.opened.search,
      client: undefined,
      status: () => this.status(),
    });
    const list = await nobody.ask('codeplan/left', {}, { signal: this.closing.signal, progress: () => undefined });
    this.left.change((decisions) => stillMeant(decisions, list));
  }

  private withheldBy({ noSend }: Configuration): Withheld {
    return withheldBy(noSend, (file) => realPathInside(this.root, file));
  }

  private effectsFor(client: Client, started: Started): Effects {
    const { index, host } = started;
    return {
      root: this.root,
      refresh: async (signal, progress) => {
        progress('reading the repository');
        const shown: Call['progress'] = (message, fraction) => {
          if (!signal.aborted) progress(message, fraction);
        };
        await untilAborted(this.warm(shown), signal);
        await untilAborted(this.settled(started, signal), signal);
      },
      diskText: (file) => index.text(file),
      summaryOf: (file, text, signal) => this.pool.summaryOf(file, text, signal),
      lookAt: (files) => this.look(files),
      otherTexts: (signal) => otherTexts(this.root, { exclude: this.settings.configuration.exclude, signal }),
      sourceTexts: (signal) => sourceTexts(this.root, { exclude: this.settings.configuration.exclude, signal }),
      base: async (revision, directory, signal) =>
        directory !== undefined
          ? baseOfDirectory(this.root, directory, { exclude: this.settings.configuration.exclude, signal })
          : baseOfRevision(this.root, revision ?? 'HEAD', {
              includes: (path) => index.covers(path),
              repositories: index.repositories,
              signal,
            }),
      changeFile: readChangeFile,
      manifest: (file) => manifestText(this.root, file),
      manifests: (signal) => manifestTexts(this.root, { exclude: this.settings.configuration.exclude, signal }),
      model: async (choice) => {
        const { modelOfChoice } = await import('../io/model/model-choice.js');
        const { configuration } = this.settingsNow();
        return modelOfChoice(choice, {
          section: configuration.model,
          withheld: this.withheldBy(configuration),
          environment: client.environment,
          grammars: started.grammars,
          permits: this.permits(),
        });
      },
      modelOf: async (role) => {
        const { modelOfRole } = await import('../io/model/model-roles.js');
        const { environment, workingDirectory } = client;
        return modelOfRole(role, { section: this.settingsNow().configuration.model, environment, workingDirectory });
      },
      madeOfTexts: this.madeOfTexts,
      embedder: async () => {
        const { embedderOfRole } = await import('../io/model/model-roles.js');
        return embedderOfRole({ section: this.settingsNow().configuration.model, environment: client.environment });
      },
      sendAnyway: (fingerprints) => this.permits().allow(fingerprints),
      configuration: this.settings.configuration,
      withheld: this.withheldBy(this.settings.configuration),
      oracle: async (preset, tests) => {
        const { oracleOfSettings } = await import('../io/tools/oracle-choice.js');
        const { configuration } = this.settingsNow();
        return oracleOfSettings({
          root: this.root,
          section: configuration.oracle,
          preset,
          tests,
          servers: configuration.languageServer,
          standing: (grant) => this.standing(grant),
          environment: client.environment,
          files: () => [...host.snapshot(client.id).files.keys()],
        });
      },
      languageServer: async (language, signal) => {
        const section = this.settingsNow().configuration.languageServer[language];
        if (section === undefined)
          throw new ServiceError(
            'languageServer',
            `no language server is configured for ${language}: name its command as ` +
              `languageServer.${language}.command in your own settings or in ${SETTINGS_FILE}`,
          );
        // Loaded for whom it serves: most have none.
        const { startReferenceServer } = await import('../io/tools/reference-server.js');
        const { consentTo, grantOfTool, serverGrant } = await import('../io/settings/tool-trust.js');
        const { versionedFiles } = await import('../io/process/run-git.js');
        const files = await versionedFiles(this.root, () => [...host.snapshot(client.id).files.keys()]);
        const place = { root: this.root, files, overlay: new Map<string, string>() };
        const tool = grantOfTool(serverGrant(language), section.command, place, false);
        const { ownTools, refusal } = consentTo(tool, (grant) => this.standing(grant));
        if (refusal !== undefined) return { ok: false, message: refusal };
        const { environment } = client;
        return startReferenceServer({ root: this.root, section, language, environment, ownTools }, signal);
      },
      apply: (run, title, edits) => {
        const files = this.journal.apply(run, title, edits);
        this.seen = this.afterWriting(index, files);
        return files;
      },
      undo: (run) => {
        const undone = this.journal.undo(run);
        this.seen = this.afterWriting(index, undone.files);
        return undone;
      },
      journal: () => this.journal.log(),
      notes: this.notes,
      left: this.left,
      baseline: (signal) => started.baseline.stands(signal),
      problems: () => this.problems(started),
    };
  }

  /** Until what was read is what the disk holds; while git changes it for longer than a moment, `problems` says so. */
  private async settled({ index, lock }: Started, signal: AbortSignal): Promise<void> {
    const { watcher } = this;
    await this.seen;
    await lock.released(signal);
    await watcher?.flush();
    if (watcher !== undefined && watcher.mode !== 'polling') await index.settle(signal);
    else if (Date.now() - this.lookedAt > LOOK_MS) {
      await index.load(signal);
      this.lookedAt = Date.now();
    }
  }

  private async afterWriting(index: DiskIndex, files: readonly string[]): Promise<void> {
    try {
      await index.refresh(files, this.closing.signal);
    } catch (error) {
      if (!this.closing.signal.aborted)
        this.options.log(`reading the written files failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private problems({ host, lock }: Started): Status['problems'] {
    const problems: Status['problems'] = [...host.refused()].map(([file, message]) => ({ file, message }));
    if (lock.problem !== undefined) problems.push({ message: lock.problem });
    if (this.left.problem !== undefined) problems.push({ message: this.left.problem });
    return problems;
  }

  private status(): Status {
    const started = this.opened;
    const snapshot = started?.host.snapshot();
    const counts = snapshot === undefined ? { files: 0, blocks: 0, languages: [], bytes: 0 } : countsOf(snapshot);
    const memory = process.memoryUsage();
    return {
      schema: SCHEMA_VERSION,
      root: this.root,
      version: packageVersion(),
      pid: process.pid,
      mode: this.options.mode,
      uptimeSeconds: Math.round((Date.now() - this.startedAt) / 1000),
      state: this.refusal === undefined ? this.state : 'failed',
      files: counts.files,
      blocks: counts.blocks,
      names: snapshot?.nameCount ?? 0,
      languages: counts.languages,
      snapshot: snapshot?.number ?? 0,
      pending: { files: started?.index.counts.pending ?? 0, events: started?.host.pending ?? 0 },
      broken: [...(started?.host.broken() ?? [])],
      memory: { residentBytes: memory.rss, heapBytes: memory.heapUsed, summaryBytes: counts.bytes },
      cache: cacheStatus(started),
      watch: watchStatus(this.watcher),
      clients: [...this.clients.values()].map((client) => ({
        id: client.id,
        name: client.name,
        openFiles: started?.host.overlayPaths(client.id).length ?? 0,
        overlays: started?.host.unsavedCount(client.id) ?? 0,
        ...(this.counts.has(client.id) ? { left: this.counts.get(client.id) } : {}),
      })),
      trusted: this.settings.trusted,
      ignoredSettings: [...this.settings.ignored],
      problems: [
        ...(this.refusal === undefined ? [] : [{ message: this.refusal }]),
        ...(started === undefined
          ? []
          : [...this.problems(started), ...cacheProblem(started), ...started.host.unread()]),
      ],
    };
  }
}

function watchStatus(watcher: Watcher | undefined): Status['watch'] {
  if (watcher === undefined) return { mode: 'none' };
  return { mode: watcher.mode, ...(watcher.reason === undefined ? {} : { reason: watcher.reason }) };
}

function cacheStatus(started: Started | undefined): Status['cache'] {
  if (started === undefined) return { directory: '', entries: 0, hits: 0, misses: 0, bytes: 0 };
  const { cache, index } = started;
  const { entries, bytes } = cache.counts;
  return { directory: cache.folder, entries, hits: index.counts.hits, misses: index.counts.misses, bytes };
}

/** Costs time at the next start, and no answer anything. */
function cacheProblem({ index }: Started): Status['problems'] {
  return index.cacheProblem === undefined ? [] : [{ message: index.cacheProblem }];
}
