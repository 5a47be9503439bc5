/**
 * A log to which events are only ever appended, one a line, each with its checksum.
 *
 * Several processes may append: a line is one write at the end of the file. A process that is killed while it writes
 * leaves a line without an end; whoever appends next ends it first, and whoever reads leaves it out. A damaged line
 * hides no other, and is counted.
 */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { isSystemError, type FileSystem } from '../disk/file-system.js';
import { syncFolder } from '../disk/write-atomically.js';

/** The byte that ends a line. */
const NEWLINE = 10;
/** Characters of a digest that stand before each line's text. */
const SEAL_LENGTH = 16;

export interface ReadLog<T> {
  readonly events: readonly T[];
  /** Lines that are not as they were written. */
  readonly damaged: number;
  /** Where to read on. */
  readonly end: number;
}

const sealOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, SEAL_LENGTH);

export class SealedLog<T> {
  /** `parse` gives undefined for what is no event. */
  constructor(
    private readonly fs: FileSystem,
    readonly path: string,
    private readonly parse: (value: unknown) => T | undefined,
  ) {}

  /** On the disk when it returns. Throws the file system's error. */
  append(events: readonly T[]): void {
    if (events.length === 0) return;
    const lines = events.map((event) => {
      const text = JSON.stringify(event);
      return `${sealOf(text)} ${text}\n`;
    });
    const isNew = this.fs.lstatSync(this.path, { throwIfNoEntry: false }) === undefined;
    const descriptor = this.fs.openSync(this.path, 'a', 0o600);
    try {
      // An empty line is none; behind a torn one it is that one's end.
      const bytes = Buffer.from(`${isNew ? '' : '\n'}${lines.join('')}`, 'utf8');
      for (let at = 0; at < bytes.length;) at += this.fs.writeSync(descriptor, bytes, at);
      this.fs.fsyncSync(descriptor);
    } finally {
      this.fs.closeSync(descriptor);
    }
    if (isNew) syncFolder(this.fs, dirname(this.path));
  }

  /** All from a place on, which an earlier reading gave; from the beginning when none is given. */
  read(from = 0): ReadLog<T> {
    const bytes = this.bytesFrom(from);
    // Behind the last end of a line something may still be being written.
    const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
    const lines = whole
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    const events = lines.map((line) => this.eventIn(line)).filter((event) => event !== undefined);
    return { events, damaged: lines.length - events.length, end: from + whole.length };
  }

  /** What stands before may be long, and is not read again with each line that comes. */
  private bytesFrom(start: number): Buffer {
    let descriptor: number;
    try {
      descriptor = this.fs.openSync(this.path, 'r');
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return Buffer.alloc(0);
      throw error;
    }
    try {
      const bytes = Buffer.alloc(Math.max(0, this.fs.fstatSync(descriptor).size - start));
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = this.fs.readSync(descriptor, bytes, length, bytes.length - length, start + length);
      return bytes.subarray(0, length);
    } finally {
      this.fs.closeSync(descriptor);
    }
  }

  private eventIn(line: string): T | undefined {
    const text = line.slice(SEAL_LENGTH + 1);
    if (line.slice(0, SEAL_LENGTH) !== sealOf(text)) return undefined;
    return this.parse(JSON.parse(text) as unknown);
  }
}
