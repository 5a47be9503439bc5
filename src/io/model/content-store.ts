/**
 * What models made of texts (intents, vectors), on the disk by what it was made of: an edit costs what it changed, a
 * moved file nothing, and a restart nothing at all.
 *
 *     <cache folder>/made/<kind>/<number>-<random>.jsonl     {"k": key, "v": value}, or {"k": key}: used again
 *
 * Segments are only appended to, each by the one process that began it; the later one has the higher number. When a store is opened that has several, or
 * more than it may hold, what was used last is written into one and the others go; a segment that was written to a
 * moment ago may be another process's and stays. Lines that a killed process cut short are passed over. Whatever goes
 * wrong on the disk costs only what was to be kept: any of it can be made again.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
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
  /** Those used longest ago first. */
  private readonly entries = new Map<string, Entry<T>>();
  private size = 0;
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
    this.guarded(() => {
      makePrivateFolder(folder, this.fs);
      this.load();
    });
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (!entry.isUsed) {
      entry.isUsed = true;
      this.append({ k: key });
    }
    return entry.value;
  }

  put(key: string, value: T): void {
    const text = this.options.writing.write(value);
    this.keep(key, value, text.length, true);
    this.makeRoom();
    this.append({ k: key, v: text });
  }

  close(): void {
    const { segment } = this;
    this.segment = undefined;
    if (segment !== undefined) this.guarded(() => this.fs.closeSync(segment));
  }

  private keep(key: string, value: T, length: number, isUsed: boolean): void {
    this.forget(key);
    const size = key.length + length;
    this.entries.set(key, { value, size, isUsed });
    this.size += size;
  }

  private makeRoom(): void {
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.options.most) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.size -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }

  private append(line: { readonly k: string; readonly v?: string }): void {
    if (this.problem !== undefined) return;
    this.guarded(() => {
      this.segment ??= this.fs.openSync(join(this.folder, this.nextName()), 'ax', 0o600);
      this.fs.writeSync(this.segment, `${JSON.stringify(line)}\n`);
    });
  }

  private load(): void {
    const segments = this.fs
      .readdirSync(this.folder)
      .filter((name) => SEGMENT.test(name))
      .sort();
    this.number = Number.parseInt(segments.at(-1) ?? '0', 10);
    let read = 0;
    for (const name of segments) {
      const text = this.fs.readFileSync(join(this.folder, name), 'utf8');
      read += text.length;
      for (const line of text.split('\n')) this.take(line);
    }
    this.makeRoom();
    if (segments.length > SEGMENTS_MOST || read > 2 * this.options.most) this.join(segments);
  }

  private take(line: string): void {
    const found = lineIn(line);
    if (found === undefined) return;
    const { key, text } = found;
    if (text === undefined) {
      const known = this.entries.get(key);
      if (known === undefined) return;
      this.entries.delete(key);
      this.entries.set(key, known);
      return;
    }
    const value = this.options.writing.read(text);
    if (value !== undefined) this.keep(key, value, text.length, false);
  }

  /** Writes what is known into one segment, and removes those that nobody writes to. */
  private join(segments: readonly string[]): void {
    const lines = [...this.entries].map(([k, { value }]) =>
      JSON.stringify({ k, v: this.options.writing.write(value) }),
    );
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
