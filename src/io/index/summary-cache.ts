/**
 * Summaries on the disk, so that a restart parses only what changed.
 *
 *     <cache folder>/<root key>/
 *       manifest.json   fingerprint of the build, names of the packs, oldest first
 *       <random>.pack   header | encoded summaries | directory (JSON)
 *
 * A save adds one pack with what is new; when those weigh as much as a quarter of the rest,
 * everything is written into one. A later pack's entry replaces an earlier one's. Packs are never
 * changed, and the manifest is replaced as a whole, so processes that share a cache can at worst
 * forget each other's entries.
 *
 * An entry holds for a file with its stamp; with another stamp, for the same content. Whatever is
 * corrupt, foreign or made by another build is left out, silently: the cache can be thrown away
 * at any time and nothing but time is lost.
 */
import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Summary } from '../../syntax/summary.js';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { sameStamp, type FileStamp } from '../disk/file-stamp.js';
import { makePrivateFolder, rootKey } from '../disk/folders.js';
import { ALIGNMENT, decodeSummary, encodedBytes, encodeSummary, type EncodedSummary } from './summary-codec.js';
import { writeAtomically } from '../disk/write-atomically.js';

export interface CachedFile {
  readonly stamp: FileStamp;
  /** Whether any later write must show in the stamp; see file-stamp.ts. */
  readonly settled: boolean;
  readonly digest: string;
  readonly byteOrderMark: boolean;
}

export interface CacheCounts {
  readonly entries: number;
  readonly bytes: number;
}

interface Pack {
  readonly buffer: ArrayBuffer;
  readonly entries: readonly [path: string, file: CachedFile, offset: number][];
}
type Source = EncodedSummary | { readonly summary: Summary };
interface Entry {
  readonly file: CachedFile;
  readonly source: Source;
}

interface Manifest {
  readonly fingerprint: string;
  readonly packs: readonly string[];
}

const MAGIC = 'codeplan pack 1\n';
/** Magic, then 32-bit: size of the data, size of the directory, checksum of both. */
const HEADER_BYTES = 32;
const MANIFEST = 'manifest.json';
/** All repositories together; the one used longest ago goes first. */
const TOTAL_BYTES_MOST = 2 * 1024 ** 3;
/** One repository: more would not fit into memory either. */
const PACK_BYTES_MOST = 1024 ** 3;
/** Each start opens and checks every pack, and each edit that is kept adds one: past these they are written as one. */
const PACKS_MOST = 8;
/** Packs that no manifest names may be another process's, about to be named. */
const STRAY_MS = 10 * 60 * 1000;
/** How much is encoded before it is written and other work gets a turn: about 2 ms. */
const TURN_BYTES = 1024 * 1024;

export class SummaryCache {
  private readonly entries = new Map<string, Entry>();
  private readonly unsaved = new Set<string>();
  private packs: { name: string; bytes: number }[] = [];
  private saving: Promise<void> | undefined;

  private constructor(
    readonly folder: string,
    private readonly parent: string,
    private readonly fingerprint: string,
    /** Why nothing is kept on the disk, if so. */
    readonly problem: string | undefined,
    private readonly fs: FileSystem,
  ) {}

  /** Never rejects: a cache that cannot be used is empty and says why in `problem`. */
  static async open(
    cacheFolder: string,
    realRoot: string,
    fingerprint: string,
    fs: FileSystem = realFileSystem,
  ): Promise<SummaryCache> {
    const folder = join(cacheFolder, rootKey(realRoot));
    try {
      makePrivateFolder(folder, fs);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return new SummaryCache(
        folder,
        cacheFolder,
        fingerprint,
        `summaries are not kept: ${reason}; set CODEPLAN_CACHE_DIR to a folder of yours`,
        fs,
      );
    }
    const cache = new SummaryCache(folder, cacheFolder, fingerprint, undefined, fs);
    await cache.load();
    return cache;
  }

  get counts(): CacheCounts {
    return { entries: this.entries.size, bytes: this.packs.reduce((sum, pack) => sum + pack.bytes, 0) };
  }

  /** What is known of a path, valid or not. */
  file(path: string): CachedFile | undefined {
    return this.entries.get(path)?.file;
  }

  /** Whether the entry holds for the file without looking into it. */
  holds(path: string, stamp: FileStamp): boolean {
    const file = this.entries.get(path)?.file;
    return file !== undefined && file.settled && sameStamp(file.stamp, stamp);
  }

  /** Undefined for an unknown path or bytes that do not decode. */
  summary(path: string): Summary | undefined {
    const entry = this.entries.get(path);
    if (entry === undefined) return undefined;
    if ('summary' in entry.source) return entry.source.summary;
    try {
      return decodeSummary(entry.source);
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
      this.entries.delete(path);
      return undefined;
    }
  }

  /** `encoded`: the same summary, where it lies encoded already. */
  put(path: string, file: CachedFile, summary: Summary, encoded?: EncodedSummary): void {
    this.entries.set(path, { file, source: encoded ?? { summary } });
    this.unsaved.add(path);
  }

  /** The same content under a new stamp. */
  restamp(path: string, file: CachedFile): void {
    const entry = this.entries.get(path);
    if (entry === undefined) return;
    this.entries.set(path, { file, source: entry.source });
    this.unsaved.add(path);
  }

  /** Forgets what is not there any more; the bytes go when the packs are next joined. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.entries.keys()) {
      if (paths.has(path)) continue;
      this.entries.delete(path);
      this.unsaved.delete(path);
    }
  }

  /** Writes what is new. Rejects with the file system's error; the cache on the disk is then as it was. */
  async save(): Promise<void> {
    while (this.saving !== undefined) await this.saving;
    if (this.problem !== undefined || this.unsaved.size === 0) return;
    this.saving = this.write().finally(() => (this.saving = undefined));
    await this.saving;
  }

  private async write(): Promise<void> {
    const added = [...this.unsaved];
    this.unsaved.clear();
    try {
      await this.writePacks(added);
    } catch (error) {
      for (const path of added) if (this.entries.has(path)) this.unsaved.add(path);
      throw error;
    }
    await this.sweep();
  }

  private async writePacks(added: readonly string[]): Promise<void> {
    const name = `${randomBytes(8).toString('hex')}.pack`;
    let bytes = await this.writePack(name, added);
    const whole = this.packs.length + 1 > PACKS_MOST || bytes * 4 > this.counts.bytes;
    if (whole && this.packs.length > 0) bytes = await this.writePack(name, [...this.entries.keys()]);
    this.packs = whole ? [{ name, bytes }] : [...this.packs, { name, bytes }];
    const manifest: Manifest = { fingerprint: this.fingerprint, packs: this.packs.map((pack) => pack.name) };
    writeAtomically(this.fs, join(this.folder, MANIFEST), JSON.stringify(manifest), { mode: 0o600, durable: false });
  }

  /** Writes a pack piece by piece, other work in between. Gives its size. */
  private async writePack(name: string, paths: readonly string[]): Promise<number> {
    const temporary = join(this.folder, `${name}.tmp`);
    const handle = await this.fs.promises.open(temporary, 'wx', 0o600);
    try {
      const bytes = await this.writeEntries(handle, paths);
      await handle.close();
      await this.fs.promises.rename(temporary, join(this.folder, name));
      return bytes;
    } catch (error) {
      await handle.close().catch(() => undefined);
      await this.fs.promises.rm(temporary, { force: true });
      throw error;
    }
  }

  private async writeEntries(handle: FileHandle, paths: readonly string[]): Promise<number> {
    const directory: Pack['entries'][number][] = [];
    let waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    let offset = HEADER_BYTES;
    let checksum = 0;
    const add = async (part: Uint8Array, flush: boolean): Promise<void> => {
      waiting.push(part);
      waitingBytes += part.length;
      checksum = crc32(part, checksum);
      if (!flush && waitingBytes < TURN_BYTES) return;
      await writeAll(handle, waiting, offset + part.length - waitingBytes);
      waiting = [];
      waitingBytes = 0;
    };
    for (const path of paths) {
      const entry = this.entries.get(path);
      if (entry === undefined) continue;
      const part = 'summary' in entry.source ? encodeSummary(entry.source.summary) : encodedBytes(entry.source);
      // What does not fit is left out, and parsed again at every start.
      if (offset + part.length > PACK_BYTES_MOST) continue;
      directory.push([path, entry.file, offset]);
      await add(part, false);
      offset += part.length;
    }
    const directoryBytes = Buffer.from(JSON.stringify(directory), 'utf8');
    await add(directoryBytes, true);
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(MAGIC, 'latin1');
    header.writeUInt32LE(offset - HEADER_BYTES, 16);
    header.writeUInt32LE(directoryBytes.length, 20);
    header.writeUInt32LE(checksum, 24);
    await writeAll(handle, [header], 0);
    return offset + directoryBytes.length;
  }

  private async load(): Promise<void> {
    const manifest = await readManifest(this.fs, join(this.folder, MANIFEST));
    if (manifest === undefined || manifest.fingerprint !== this.fingerprint) return;
    for (const name of manifest.packs) {
      const pack = await readPack(this.fs, join(this.folder, name));
      if (pack === undefined) continue;
      this.packs.push({ name, bytes: pack.buffer.byteLength });
      for (const [path, file, offset] of pack.entries)
        this.entries.set(path, { file, source: { buffer: pack.buffer, offset } });
    }
    const now = new Date();
    // Marks the cache as used, for the bound over all repositories; the entries hold without it.
    await this.fs.promises.utimes(join(this.folder, MANIFEST), now, now).catch(() => undefined);
  }

  /** Removes packs that nobody names, and whole repositories beyond the bound. */
  private async sweep(): Promise<void> {
    const named = new Set([MANIFEST, ...this.packs.map((pack) => pack.name)]);
    for (const name of await this.fs.promises.readdir(this.folder)) {
      if (named.has(name)) continue;
      const path = join(this.folder, name);
      const stats = await this.fs.promises.stat(path).catch(() => undefined);
      if (stats !== undefined && Date.now() - stats.mtimeMs > STRAY_MS)
        await this.fs.promises.rm(path, { force: true });
    }
    await boundTotal(this.fs, this.parent, this.folder);
  }
}

async function writeAll(handle: FileHandle, parts: readonly Uint8Array[], position: number): Promise<void> {
  let rest = parts;
  for (let at = position; rest.length > 0;) {
    let { bytesWritten } = await handle.writev(rest, at);
    at += bytesWritten;
    const whole = rest.findIndex((part) => (bytesWritten -= part.length) < 0);
    if (whole === -1) return;
    const cut = rest[whole] as Uint8Array;
    rest = [cut.subarray(cut.length + bytesWritten), ...rest.slice(whole + 1)];
  }
}

async function readManifest(fs: FileSystem, path: string): Promise<Manifest | undefined> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await fs.promises.readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
  const { fingerprint, packs } = (parsed ?? {}) as Partial<Record<keyof Manifest, unknown>>;
  if (
    typeof fingerprint !== 'string' ||
    !Array.isArray(packs) ||
    !packs.every((name) => typeof name === 'string' && /^[0-9a-f]+\.pack$/u.test(name))
  )
    return undefined;
  return { fingerprint, packs: packs as string[] };
}

/** Undefined for a pack that is missing, cut off, or does not add up. */
async function readPack(fs: FileSystem, path: string): Promise<Pack | undefined> {
  const buffer = await readBuffer(fs, path);
  if (buffer === undefined || buffer.byteLength < HEADER_BYTES) return undefined;
  const header = Buffer.from(buffer, 0, HEADER_BYTES);
  const dataBytes = header.readUInt32LE(16);
  const directoryBytes = header.readUInt32LE(20);
  if (
    header.toString('latin1', 0, MAGIC.length) !== MAGIC ||
    buffer.byteLength !== HEADER_BYTES + dataBytes + directoryBytes ||
    dataBytes % ALIGNMENT !== 0
  )
    return undefined;
  if (crc32(new Uint8Array(buffer, HEADER_BYTES)) !== header.readUInt32LE(24)) return undefined;
  const entries = JSON.parse(
    Buffer.from(buffer, HEADER_BYTES + dataBytes, directoryBytes).toString('utf8'),
  ) as Pack['entries'];
  return { buffer, entries };
}

async function readBuffer(fs: FileSystem, path: string): Promise<ArrayBuffer | undefined> {
  const handle = await fs.promises.open(path, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    if (size > PACK_BYTES_MOST) return undefined;
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const { bytesRead } = await handle.read(bytes, at, size - at, at);
      if (bytesRead === 0) return undefined;
      at += bytesRead;
    }
    return bytes.buffer;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    await handle.close().catch(() => undefined);
  }
}

async function boundTotal(fs: FileSystem, cacheFolder: string, own: string): Promise<void> {
  const repositories: { folder: string; usedMs: number; bytes: number }[] = [];
  for (const entry of await fs.promises.readdir(cacheFolder, { withFileTypes: true })) {
    const folder = join(cacheFolder, entry.name);
    const used = await fs.promises.stat(join(folder, MANIFEST)).catch(() => undefined);
    // What has no manifest is not ours to remove.
    if (!entry.isDirectory() || used === undefined) continue;
    let bytes = 0;
    for (const name of await fs.promises.readdir(folder))
      bytes += (await fs.promises.stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
    repositories.push({ folder, usedMs: used.mtimeMs, bytes });
  }
  let total = repositories.reduce((sum, repository) => sum + repository.bytes, 0);
  for (const { folder, bytes } of repositories.sort((a, b) => a.usedMs - b.usedMs)) {
    if (total <= TOTAL_BYTES_MOST) return;
    if (folder === own) continue;
    await fs.promises.rm(folder, { recursive: true, force: true });
    total -= bytes;
  }
}
