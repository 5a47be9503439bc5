/**
 * What people said of what is left in a repository, on the disk:
 *
 *     <state folder>/<root key>/left.json
 *       { "version": 1, "checksum": <SHA-256 of the record's JSON>, "record": { … } }
 *
 * A record that does not match its checksum is put aside and said to be damaged; the list itself follows from
 * the tree. One that cannot be read at the moment is nobody's to replace.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { acceptable } from '#protocol/propagate.js';
import { block, file, values } from '#protocol/words.js';
import { shownName } from '../../base/shown.js';
import { NO_DECISIONS, type Decisions } from '../../engine/left.js';
import { ServiceError } from '../../engine/service.js';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder, rootKey } from '../disk/folders.js';
import { writeAtomically } from '../disk/write-atomically.js';
import { checksumOf, checksumOfText, pathInside } from './journal-record.js';

/** Of the form of the file; one of another version is not read. */
const VERSION = 1;
const FILE = 'left.json';
/** The oldest decisions of a kind go, so that the record cannot grow without end. */
const KEPT_MOST = 10_000;

const record = z.strictObject({
  accepted: z.array(acceptable),
  dismissed: z.array(z.string()),
  rejected: z.array(z.strictObject({ file, block, reason: z.string() })),
  values,
  made: z.array(z.strictObject({ file, block, hash: z.string() })),
  settled: z.strictObject({ commit: z.string(), texts: z.record(pathInside, z.string().nullable()) }).nullable(),
});
const envelope = z.object({ version: z.int(), checksum: z.string(), record: z.unknown() });

export class LeftStore {
  private readonly folder: string;
  private known: { readonly stamp: string; readonly decisions: Decisions } | undefined;
  private damage: string | undefined;
  /** Why the record, which is there, is not known. */
  private unread: string | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    stateFolder: string,
    realRoot: string,
    private readonly fs: FileSystem = realFileSystem,
  ) {
    this.folder = join(stateFolder, rootKey(realRoot));
  }

  read(): Decisions {
    const stamp = this.stamp();
    if (this.known?.stamp !== stamp || this.unread !== undefined) {
      this.unread = undefined;
      this.known = { stamp, decisions: this.fromDisk() };
    }
    return this.known.decisions;
  }

  /**
   * Keeps what `next` makes of the decisions, and tells the listeners. Throws ServiceError: write; they are then as
   * they were.
   */
  change(next: (decisions: Decisions) => Decisions): void {
    const before = this.read();
    if (this.unread !== undefined) throw new ServiceError('write', `${this.unread}; nothing more is kept until it can`);
    const after = limited(next(before));
    if (isSame(after, before)) return;
    try {
      makePrivateFolder(this.folder, this.fs);
      const inJson = jsonOf(after);
      const text = `{"version":${VERSION},"checksum":"${checksumOfText(inJson)}","record":${inJson}}`;
      writeAtomically(this.fs, this.place, text, { mode: 0o600, durable: true });
    } catch (error) {
      throw new ServiceError(
        'write',
        `what was said of the places that are left cannot be kept in ${shownName(this.folder)}: ` +
          `${error instanceof Error ? error.message : String(error)}; set XDG_STATE_HOME to a folder of yours`,
      );
    }
    this.known = { stamp: this.stamp(), decisions: after };
    for (const listener of this.listeners) listener();
  }

  /** Calls back after each change. Gives the function that ends it. */
  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What a person should know of the record; undefined if nothing. */
  get problem(): string | undefined {
    return this.unread ?? this.damage;
  }

  /** Another one when somebody else wrote the record. */
  private stamp(): string {
    const stats = this.fs.lstatSync(this.place, { throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
  }

  private get place(): string {
    return join(this.folder, FILE);
  }

  private fromDisk(): Decisions {
    let text: string;
    try {
      text = this.fs.readFileSync(this.place, 'utf8');
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return NO_DECISIONS;
      if (!isSystemError(error)) throw error;
      this.unread = `what was said of the places that are left cannot be read: ${error.message}`;
      return NO_DECISIONS;
    }
    const read = decisionsIn(text);
    if (read !== undefined) return read;
    this.damage =
      `what was said of the places that are left is forgotten: the record ${shownName(this.place)} is damaged, ` +
      `or of a later version; it lies beside, as ${FILE}.damaged`;
    try {
      this.fs.renameSync(this.place, `${this.place}.damaged`);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.unread =
        `what was said of the places that are left is damaged in ${shownName(this.place)}, which cannot be put ` +
        `aside: ${error.message}`;
    }
    return NO_DECISIONS;
  }
}

/** Undefined for what is damaged or of another version. */
function decisionsIn(text: string): Decisions | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const outer = envelope.safeParse(value);
  if (!outer.success || outer.data.version !== VERSION || checksumOf(outer.data.record) !== outer.data.checksum)
    return undefined;
  return record.safeParse(outer.data.record).data;
}

const jsonsOfSettled = new WeakMap<NonNullable<Decisions['settled']>, string>();

/** What is settled holds whole files, and stays the same through most changes: its JSON is made once. */
function jsonOfSettled({ settled }: Decisions): string {
  if (settled === null) return 'null';
  let json = jsonsOfSettled.get(settled);
  if (json === undefined) jsonsOfSettled.set(settled, (json = JSON.stringify(settled)));
  return json;
}

const jsonOfOthers = ({ settled: _, ...others }: Decisions): string => JSON.stringify(others);

const isSame = (a: Decisions, b: Decisions): boolean =>
  jsonOfOthers(a) === jsonOfOthers(b) && (a.settled === b.settled || jsonOfSettled(a) === jsonOfSettled(b));

/** What `JSON.stringify` makes of the decisions with what is settled as the last. */
const jsonOf = (decisions: Decisions): string =>
  `${jsonOfOthers(decisions).slice(0, -1)},"settled":${jsonOfSettled(decisions)}}`;

const limited = (decisions: Decisions): Decisions => ({
  ...decisions,
  dismissed: decisions.dismissed.slice(-KEPT_MOST),
  rejected: decisions.rejected.slice(-KEPT_MOST),
  made: decisions.made.slice(-KEPT_MOST),
});
