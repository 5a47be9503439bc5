/**
 * The one mutable cell: the snapshot of the disk, the unsaved texts of each client over it, and
 * each client's baseline.
 *
 *     disk snapshot ──┬─ client a's overlays ──► snapshot of a      baseline of a
 *                     └─ client b has none   ──► the disk snapshot  baseline of b
 *
 * Every change comes as an event through one queue; a batch publishes at most one snapshot. A
 * reader takes a snapshot, which never changes, and the queue is emptied first, so it sees all
 * that was posted before. What arrives with content that is already there publishes nothing.
 *
 * Invariant: but for broken files (last-good.ts), the snapshot equals the one that is built
 * afresh from the same texts. The host reads no disk: summaries of files come with the events,
 * only overlays are parsed here, incrementally.
 */
import { hashText } from '../base/hash.js';
import { Snapshot } from '../graph/files/snapshot.js';
import { readAhead, summariseEdited } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import { lineAt } from '../syntax/line-at.js';
import type { Summary, Unread } from '../syntax/summary.js';
import type { ClientId, DiskFile, EarlierFile, EarlierTree, HostEvent } from './event.js';
import { showing, type Shown } from './last-good.js';

/** What one batch of events changed. */
export interface Publication {
  /** Paths whose summary or configuration changed on the disk. */
  readonly disk: ReadonlySet<string>;
  /** Paths that changed in a client's own view; none where its baseline moved. */
  readonly clients: ReadonlyMap<ClientId, ReadonlySet<string>>;
}

interface OpenFile {
  readonly text: string;
  readonly version: number;
  /** What another host has read the text as. */
  readonly read: Summary | undefined;
  /** Undefined until the queue was emptied, and for a file of no known language. */
  readonly shown: Shown | undefined;
}

/** A file some of whose text is not read: from which line on (1-based), and why. */
interface UnreadText {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/**
 * So long nothing may have come before opened files are parsed ahead: whoever opens a file asks about it first, and
 * whoever types waits for hints, which come 150 ms after a key.
 */
const REST_MS = 350;
/** Files to be parsed ahead, those that were opened last: few of those that an editor opens at once are edited. */
const AHEAD_MOST = 8;

/** Applied plans that can be taken back with their baselines; each holds a snapshot's own parts. */
const EARLIER_MOST = 10;

interface Client {
  readonly overlays: Map<string, OpenFile>;
  /** Their texts, as they were last asked for; undefined since one changed. */
  texts: ReadonlyMap<string, string> | undefined;
  /** The snapshot with the overlays, and the disk snapshot that it was made over. */
  view: { readonly over: Snapshot; readonly snapshot: Snapshot } | undefined;
  baseline: Snapshot;
  /** Baselines before this one, newest last, since all clients were settled. */
  readonly earlier: Snapshot[];
}

interface OnDisk extends DiskFile {
  readonly shown: Shown;
}

export class Host {
  private disk = Snapshot.empty();
  private readonly files = new Map<string, OnDisk>();
  private readonly refusals = new Map<string, string>();
  private readonly unreadOnDisk = new Map<string, UnreadSummary>();
  private readonly brokenTexts = new Map<string, Summary>();
  /** These, as they were last asked for; undefined since one changed. */
  private brokenNow: ReadonlyMap<string, Summary> | undefined;
  private readonly clients = new Map<ClientId, Client>();
  private readonly queue: HostEvent[] = [];
  private readonly listeners = new Set<(publication: Publication) => void>();
  private scheduled = false;
  /** Files that clients opened and nobody edited yet, the latest last. */
  private readonly ahead = new Map<string, { readonly client: ClientId; readonly path: string }>();
  private rest: NodeJS.Timeout | undefined;
  private baseline = this.disk;
  private earlierTree: EarlierTree = NOTHING_EARLIER;

  /** `failed` hears of a defect of ours: what it was about is left out or stays as it was, all else goes on. */
  constructor(
    private readonly grammars: Grammars,
    private readonly failed: (what: string, error: unknown) => void = (_what, error) => {
      throw error;
    },
  ) {}

  /** Queues an event; it is taken in soon, or when somebody reads. */
  post(event: HostEvent): void {
    this.queue.push(event);
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.drain());
  }

  /** The state of the disk, or what a client sees with its unsaved texts over it. */
  snapshot(client?: ClientId): Snapshot {
    this.drain();
    const known = client === undefined ? undefined : this.clients.get(client);
    return known === undefined ? this.disk : this.viewOf(known);
  }

  /** The snapshot that the client's latest edit is measured against. */
  baselineOf(client?: ClientId): Snapshot {
    this.drain();
    return (client === undefined ? undefined : this.clients.get(client)?.baseline) ?? this.baseline;
  }

  /** How the baseline of all differs from what the disk held when it was taken. */
  get earlier(): EarlierTree {
    this.drain();
    return this.earlierTree;
  }

  /** Calls back after each batch that changed something. Gives the function that ends it. */
  onPublished(listener: (publication: Publication) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * All unsaved texts of a client as they are now, by path: a value that never changes, and the same one until one of
   * them does.
   */
  unsavedTexts(client: ClientId | undefined): ReadonlyMap<string, string> {
    this.drain();
    const known = client === undefined ? undefined : this.clients.get(client);
    if (known === undefined) return NO_TEXTS;
    return (known.texts ??= new Map([...known.overlays].map(([path, { text }]) => [path, text])));
  }

  /** What a client's unsaved texts were read as, by path; without those of no known language. */
  unsavedSummaries(client: ClientId): ReadonlyMap<string, Summary> {
    this.drain();
    const open = [...(this.clients.get(client)?.overlays ?? [])];
    return new Map(open.flatMap(([path, { shown }]) => (shown === undefined ? [] : [[path, shown.current]])));
  }

  /**
   * What the disk's text of a file was read as, where a snapshot shows its last good blocks instead: a value that never
   * changes, and the same one until one of them does, which leaves the snapshot the same.
   */
  brokenOnDisk(): ReadonlyMap<string, Summary> {
    this.drain();
    return (this.brokenNow ??= new Map(this.brokenTexts));
  }

  /** Files that a client has open, the one that it opened or edited last at the end. */
  overlayPaths(client: ClientId): readonly string[] {
    return [...(this.clients.get(client)?.overlays.keys() ?? [])];
  }

  /** How many of them are not what the disk holds. */
  unsavedCount(client: ClientId): number {
    this.drain();
    const open = [...(this.clients.get(client)?.overlays ?? [])];
    return open.filter(([path, { text }]) => {
      const onDisk = this.files.get(path)?.summary;
      return onDisk?.textLength !== text.length || onDisk.hash !== hashText(text);
    }).length;
  }

  /** Digest and byte order mark of a file on the disk, as last read. */
  diskFile(path: string): DiskFile | undefined {
    this.drain();
    return this.files.get(path);
  }

  /** Files whose text has syntax errors such that their last good blocks are shown, as the client sees them. Sorted. */
  broken(client?: ClientId): readonly string[] {
    this.drain();
    const broken = new Map([...this.files].map(([path, file]) => [path, file.shown.broken]));
    const overlays = client === undefined ? undefined : this.clients.get(client)?.overlays;
    for (const [path, open] of overlays ?? []) broken.set(path, open.shown?.broken === true);
    return [...broken]
      .filter(([, is]) => is)
      .map(([path]) => path)
      .sort();
  }

  /** Why files of the repository are not read. */
  refused(): ReadonlyMap<string, string> {
    this.drain();
    return this.refusals;
  }

  /** Why some of a file's text is not read, as the client sees it. Sorted by path. */
  unread(client?: ClientId): readonly UnreadText[] {
    this.drain();
    const overlays = client === undefined ? undefined : this.clients.get(client)?.overlays;
    const found = new Map([...this.unreadOnDisk].filter(([path]) => overlays?.has(path) !== true));
    for (const [path, open] of overlays ?? []) if (isUnread(open.shown)) found.set(path, open.shown.current);
    return [...found]
      .map(([file, summary]) => ({ file, line: lineAt(summary, summary.unread.at), message: summary.unread.reason }))
      .sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  clientIds(): readonly ClientId[] {
    return [...this.clients.keys()];
  }

  /** Events that are not taken in yet. */
  get pending(): number {
    return this.queue.length;
  }

  private drain(): void {
    this.scheduled = false;
    if (this.queue.length === 0) return;
    const events = this.queue.splice(0);
    const disk = new DiskChanges();
    const touched = new Map<Client, Set<string>>();
    // What one event fails on is lost with it, and never the events behind it: they are in no queue any more.
    for (const event of events) this.guarded(`an event (${event.kind})`, () => this.take(event, disk, touched));
    this.guarded('what was read', () => this.publish(disk, touched));
    this.readAheadAtRest();
  }

  /** Parses what was opened last, once nothing has come for a while: its first edit then costs what the next do. */
  private readAheadAtRest(): void {
    clearTimeout(this.rest);
    if (this.ahead.size === 0) return;
    this.rest = setTimeout(() => {
      for (const [key, { client, path }] of [...this.ahead].slice(-1)) {
        this.ahead.delete(key);
        const text = this.clients.get(client)?.overlays.get(path)?.text;
        if (text !== undefined) this.guarded(path, () => readAhead(this.grammars, key, path, text));
      }
      this.readAheadAtRest();
    }, REST_MS).unref();
  }

  private take(event: HostEvent, disk: DiskChanges, touched: Map<Client, Set<string>>): void {
    switch (event.kind) {
      case 'disk':
        this.takeDisk(event, disk);
        break;
      case 'overlay':
        this.takeOverlay(event, touched);
        break;
      case 'overlayClosed':
        this.takeClosed(event.client, event.path, touched);
        break;
      case 'clientGone':
        this.clients.delete(event.client);
        break;
      case 'settled':
        this.publish(disk, touched);
        this.settle(event.client, event.before);
        break;
      case 'earlierTexts':
        this.takeEarlierTexts(event.files);
        break;
      case 'unsettled':
        this.publish(disk, touched);
        this.unsettle(event.client);
        break;
    }
  }

  private guarded(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.failed(what, error);
    }
  }

  /** Each hears of it, whatever another one makes of it. */
  private tellAll(publication: Publication): void {
    for (const listener of this.listeners) this.guarded('telling of a change', () => listener(publication));
  }

  private takeDisk(event: Extract<HostEvent, { kind: 'disk' }>, changes: DiskChanges): void {
    for (const [path, file] of event.files) this.takeFile(path, file, changes);
    for (const [path, text] of event.configs)
      if (this.disk.config(path) !== text || changes.configs.has(path)) changes.configs.set(path, text);
    for (const [path, reason] of event.refused) {
      if (reason === undefined) this.refusals.delete(path);
      else this.refusals.set(path, reason);
    }
  }

  private takeFile(path: string, file: DiskFile | undefined, changes: DiskChanges): void {
    const known = this.files.get(path);
    if (file === undefined) {
      if (this.files.delete(path)) changes.files.set(path, undefined);
      this.unreadOnDisk.delete(path);
      this.noteBroken(path, undefined);
      return;
    }
    if (known !== undefined && sameText(known.summary, file.summary)) {
      this.files.set(path, { ...known, digest: file.digest, byteOrderMark: file.byteOrderMark });
      return;
    }
    const shown = this.shown(path, file.summary, known?.shown.summary);
    this.files.set(path, { ...file, shown });
    if (isUnread(shown)) this.unreadOnDisk.set(path, shown.current);
    else this.unreadOnDisk.delete(path);
    this.noteBroken(path, shown.broken ? shown.current : undefined);
    if (shown.summary !== known?.shown.summary) changes.files.set(path, shown.summary);
  }

  private noteBroken(path: string, current: Summary | undefined): void {
    if (this.brokenTexts.get(path) === current) return;
    this.brokenNow = undefined;
    if (current === undefined) this.brokenTexts.delete(path);
    else this.brokenTexts.set(path, current);
  }

  /** As the text is, where it cannot be compared with the last good one. */
  private shown(path: string, current: Summary, lastGood: Summary | undefined): Shown {
    try {
      return showing(current, lastGood);
    } catch (error) {
      this.failed(path, error);
      return { current, summary: current, broken: false };
    }
  }

  private takeOverlay(event: Extract<HostEvent, { kind: 'overlay' }>, touched: Map<Client, Set<string>>): void {
    const client = this.client(event.client);
    const known = client.overlays.get(event.path);
    client.overlays.delete(event.path);
    const { text, version, read } = event;
    client.overlays.set(event.path, { text, version, read, shown: known?.shown });
    if (known?.text === event.text) return;
    client.texts = undefined;
    touch(touched, client, event.path);
  }

  private takeClosed(id: ClientId, path: string, touched: Map<Client, Set<string>>): void {
    const client = this.clients.get(id);
    if (client?.overlays.delete(path) !== true) return;
    client.texts = undefined;
    touch(touched, client, path);
  }

  private settle(id: ClientId | undefined, before: EarlierTree = NOTHING_EARLIER): void {
    if (id === undefined) {
      this.earlierTree = before;
      this.showLastGood(before);
      const files = [...before.files].map(([path, file]): [string, Summary | undefined] => [path, file?.summary]);
      this.baseline = files.length === 0 ? this.disk : this.disk.with(new Map(files));
      // What is unsaved is part of no commit, and still the client's latest edit.
      for (const client of this.clients.values()) {
        client.baseline = this.baseline;
        client.earlier.length = 0;
      }
    } else {
      const client = this.client(id);
      client.earlier.push(client.baseline);
      if (client.earlier.length > EARLIER_MOST) client.earlier.shift();
      client.baseline = this.viewOf(client);
    }
    this.tellMoved(id === undefined ? [...this.clients.keys()] : [id]);
  }

  private takeEarlierTexts(files: ReadonlyMap<string, EarlierFile>): void {
    const fitting = [...files].filter(([path, { summary }]) => this.baseline.summary(path)?.hash === summary.hash);
    this.earlierTree = { ...this.earlierTree, files: new Map([...this.earlierTree.files, ...fitting]) };
  }

  /** A file that was read for the first time had no last good text until now. */
  private showLastGood(before: EarlierTree): void {
    const changes = new Map<string, Summary>();
    for (const [path, earlier] of before.files) {
      const known = this.files.get(path);
      if (known === undefined || earlier === undefined || known.shown.broken) continue;
      const shown = showing(known.summary, earlier.summary);
      if (!shown.broken) continue;
      this.files.set(path, { ...known, shown });
      this.noteBroken(path, shown.current);
      changes.set(path, shown.summary);
    }
    if (changes.size > 0) this.disk = this.disk.with(changes);
  }

  private unsettle(id: ClientId): void {
    const client = this.client(id);
    const earlier = client.earlier.pop();
    if (earlier === undefined) return;
    client.baseline = earlier;
    this.tellMoved([id]);
  }

  private tellMoved(clients: readonly ClientId[]): void {
    const moved = new Map(clients.map((client) => [client, new Set<string>()]));
    this.tellAll({ disk: new Set(), clients: moved });
  }

  /** Makes the next snapshots of what a batch changed, and tells the listeners. Empties its arguments. */
  private publish(disk: DiskChanges, touched: Map<Client, Set<string>>): void {
    const diskPaths = new Set([...disk.files.keys(), ...disk.configs.keys()]);
    if (diskPaths.size > 0) this.disk = this.next(disk);
    disk.files.clear();
    disk.configs.clear();
    const clients = new Map<ClientId, ReadonlySet<string>>();
    for (const [id, client] of this.clients) {
      const paths = touched.get(client);
      if (paths === undefined) continue;
      for (const path of paths) this.parseOverlay(id, client, path);
      if (client.view?.over === this.disk) {
        const changes = this.overlayChanges(client, paths);
        if (changes.size > 0) client.view = { over: this.disk, snapshot: client.view.snapshot.with(changes) };
      }
      clients.set(id, paths);
    }
    touched.clear();
    if (diskPaths.size === 0 && clients.size === 0) return;
    this.tellAll({ disk: diskPaths, clients });
  }

  /** The disk's next snapshot. A file that it cannot be made with is refused, with the others in it all the same. */
  private next({ files, configs }: DiskChanges): Snapshot {
    try {
      return this.disk.with(files, configs);
    } catch (error) {
      this.failed('the next snapshot', error);
    }
    const sound = [...files].filter(([path, summary]) => {
      if (summary === undefined) return true;
      try {
        Snapshot.empty().with(new Map([[path, summary]]));
        return true;
      } catch (error) {
        this.failed(path, error);
        this.files.delete(path);
        this.refusals.set(path, 'cannot be indexed, which is a defect of codeplan');
        return false;
      }
    });
    return this.disk.with(new Map(sound), configs);
  }

  private parseOverlay(id: ClientId, client: Client, path: string): void {
    const open = client.overlays.get(path);
    if (open === undefined) return;
    const onDisk = this.files.get(path);
    const key = `${id}\0${path}`;
    this.ahead.delete(key);
    if (
      onDisk !== undefined &&
      onDisk.summary.textLength === open.text.length &&
      onDisk.summary.hash === hashText(open.text)
    ) {
      client.overlays.set(path, { ...open, shown: onDisk.shown });
      this.ahead.set(key, { client: id, path });
      for (const [oldest] of this.ahead) if (this.ahead.size > AHEAD_MOST) this.ahead.delete(oldest);
      return;
    }
    const summary = open.read ?? summariseEdited(this.grammars, key, path, open.text);
    if (summary === undefined) return;
    const lastGood = open.shown?.summary ?? onDisk?.shown.summary;
    client.overlays.set(path, { ...open, shown: this.shown(path, summary, lastGood) });
  }

  private viewOf(client: Client): Snapshot {
    if (client.view?.over !== this.disk) {
      const changes = this.overlayChanges(client, client.overlays.keys());
      client.view = { over: this.disk, snapshot: changes.size === 0 ? this.disk : this.disk.with(changes) };
    }
    return client.view.snapshot;
  }

  /** What the paths are in the client's view, where that is not what its present view has. */
  private overlayChanges(client: Client, paths: Iterable<string>): Map<string, Summary | undefined> {
    const over = client.view?.over === this.disk ? client.view.snapshot : this.disk;
    const changes = new Map<string, Summary | undefined>();
    for (const path of paths) {
      const summary = client.overlays.has(path)
        ? client.overlays.get(path)?.shown?.summary
        : this.files.get(path)?.shown.summary;
      if (over.summary(path) !== summary) changes.set(path, summary);
    }
    return changes;
  }

  private client(id: ClientId): Client {
    let client = this.clients.get(id);
    if (client === undefined) {
      client = { overlays: new Map(), texts: undefined, view: undefined, baseline: this.baseline, earlier: [] };
      this.clients.set(id, client);
    }
    return client;
  }
}

const NOTHING_EARLIER: EarlierTree = { files: new Map(), renames: new Map() };

/** What the events of a batch change on the disk, until it is published. */
class DiskChanges {
  readonly files = new Map<string, Summary | undefined>();
  readonly configs = new Map<string, string | undefined>();
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

type UnreadSummary = Summary & { readonly unread: Unread };

function isUnread(shown: Shown | undefined): shown is Shown & { readonly current: UnreadSummary } {
  return shown !== undefined && shown.current.unread !== null;
}

function touch(touched: Map<Client, Set<string>>, client: Client, path: string): void {
  const paths = touched.get(client);
  if (paths === undefined) touched.set(client, new Set([path]));
  else paths.add(path);
}

function sameText(a: Summary, b: Summary): boolean {
  return a.textLength === b.textLength && a.hash === b.hash;
}
