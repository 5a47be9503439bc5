/**
 * What models made of texts (intents, vectors), on the disk by what it was made of: an edit costs what it changed, a
 * moved file nothing, and a restart nothing at all.
 *
 *     <cache folder>/made/<kind>/<number>-<random>.jsonl     {"k": key, "v": value}, or {"k": key}: used again
 *
 * Segments are only appended to, each by the one process that began it; the later one has the higher number. When a
 * store is opened that has several, or more than it may hold, what was used last is written into one and the others go;
 * a segment that was written to a moment ago may be another process's and stays. Lines that a killed process cut short
 * are passed over. Whatever goes wrong on the disk costs only what was to be kept: any of it can be made again.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Kept } from '../../engine/effects.js';
import { realFileSystem, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder } from '../disk/folders.js';
import { writeAtomically } from '../disk/write-atomically.js';

/** How a value stands in a line. */
export interface Writing<T> {
  write(value: T): string;
  /** Undefined for a text that is none. */
  read(text: string): T | undefined;
}

export interface StoreOptions<T> {
  readonly writing: Writing<T>;
  /** Most characters of all keys and values. */
  readonly most: number;
  readonly fs?: FileSystem;
}

const SEGMENT = /^\d{8}-[0-9a-f]+\.jsonl$/u;
/** Segments that are left alone on opening. */
const SEGMENTS_MOST = 8;
/** So long after its last line a segment may still be another process's. */
const RECENT_MS = 10 * 60 * 1000;

interface Entry<T> {
  readonly value: T;
  readonly size: number;
  /** Whether this process has said that it is used. */
  isUsed: boolean;
}

export class ContentStore<T> implements Kept<T> {
  private readonly entries: LRUCache<string, Entry<T>>;
  private segment: number | undefined;
  /** Of the last segment that was seen or made. */
  private number = 0;
  /** Why nothing is kept on the disk, if so. */
  private problem: unknown;
  private readonly fs: FileSystem;

  /** Never throws: what cannot be read or written is not kept. */
  constructor(
    private readonly folder: string,
    private readonly options: StoreOptions<T>,
  ) {
    this.fs = options.fs ?? realFileSystem;
    this.entries = new LRUCache({ maxSize: options.most, sizeCalculation: ({ size }) => size });
    this.guarded(() => {
      makePrivateFolder(folder, this.fs);
      this.load();
    });
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (entry?.isUsed === false) {
      entry.isUsed = true;
      this.append({ k: key });
    }
    return entry?.value;
  }

  put(key: string, value: T): void {
    const text = this.options.writing.write(value);
    this.entries.set(key, { value, size: key.length + text.length, isUsed: true });
    this.append({ k: key, v: text });
  }

  close(): void {
    const { segment } = this;
    this.segment = undefined;
    if (segment !== undefined) this.guarded(() => this.fs.closeSync(segment));
  }

  private append(line: { readonly k: string; readonly v?: string }): void {
    if (this.problem !== undefined) return;
    this.guarded(() => {
      this.segment ??= this.fs.openSync(join(this.folder, this.nextName()), 'ax', 0o600);
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`, 'utf8');
      for (let at = 0; at < bytes.length;) at += this.fs.writeSync(this.segment, bytes, at);
    });
  }

  private load(): void {
    const segments = this.fs
      .readdirSync(this.folder)
      .filter((name) => SEGMENT.test(name))
      .sort();
    this.number = Number.parseInt(segments.at(-1) ?? '0', 10);
    // Room is made when all is read: only then it is known what was used last.
    const known = new Map<string, Entry<T>>();
    let read = 0;
    for (const name of segments) {
      const text = this.fs.readFileSync(join(this.folder, name), 'utf8');
      read += text.length;
      for (const line of text.split('\n')) this.take(line, known);
    }
    for (const [key, entry] of known) this.entries.set(key, entry);
    if (segments.length > SEGMENTS_MOST || read > 2 * this.options.most) this.join(segments);
  }

  /** What was used last comes last. */
  private take(line: string, known: Map<string, Entry<T>>): void {
    const found = lineIn(line);
    if (found === undefined) return;
    const { key, text } = found;
    const value = text === undefined ? undefined : this.options.writing.read(text);
    const entry =
      text === undefined || value === undefined
        ? known.get(key)
        : { value, size: key.length + text.length, isUsed: false };
    known.delete(key);
    if (entry !== undefined) known.set(key, entry);
  }

  /** Writes what is known into one segment, and removes those that nobody writes to. */
  private join(segments: readonly string[]): void {
    const lines = [...this.entries.rkeys()].flatMap((k) => {
      const entry = this.entries.peek(k);
      return entry === undefined ? [] : JSON.stringify({ k, v: this.options.writing.write(entry.value) });
    });
    const whole = `${lines.join('\n')}\n`;
    writeAtomically(this.fs, join(this.folder, this.nextName()), whole, { mode: 0o600, durable: false });
    for (const path of segments.map((name) => join(this.folder, name)))
      if (Date.now() - this.fs.statSync(path).mtimeMs > RECENT_MS) this.fs.rmSync(path, { force: true });
  }

  private nextName(): string {
    return `${String(++this.number).padStart(8, '0')}-${randomBytes(8).toString('hex')}.jsonl`;
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.problem = error;
    }
  }
}

function lineIn(line: string): { readonly key: string; readonly text: string | undefined } | undefined {
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const { k, v } = parsed as Readonly<Record<string, unknown>>;
  if (typeof k !== 'string' || (v !== undefined && typeof v !== 'string')) return undefined;
  return { key: k, text: v };
}
