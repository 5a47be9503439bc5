/**
 * Reads source files and computes their summaries: the same work in a worker and, for a handful
 * of files, in the main thread.
 *
 * A file's stamp is taken before and after it is read; if it changed meanwhile it is read again,
 * so the summary, the digest and the stamp always speak of the same bytes. The digest is of the
 * bytes on the disk; it is what decides whether a file is the one we know.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { sameStamp, stampOf, type FileStamp } from './file-stamp.js';
import { SOURCE_BYTES_MOST } from './scan.js';
import { decodeSource } from './source-text.js';
import type { EncodedSummary } from './summary-codec.js';

export interface FileJob {
  /** Relative to the root. */
  readonly path: string;
  /** As far as known; only to make batches of even weight. */
  readonly size: number;
  /** Digest of the content whose summary the caller already has. */
  readonly knownDigest?: string;
}

/** A text that is on no disk, or not as such: a revision's, for instance. */
export interface TextJob {
  readonly path: string;
  readonly text: string;
}

export interface ReadFile {
  readonly path: string;
  readonly stamp: FileStamp;
  /** When the stamp was taken. */
  readonly takenMs: number;
  readonly digest: string;
}

/** What became of one job; `S` is the summary, or where to find it. */
export type Reading<S> =
  | (ReadFile & {
      readonly kind: 'summary';
      readonly summary: S;
      readonly byteOrderMark: boolean;
      /** The same, where another thread encoded it. */ readonly encoded?: EncodedSummary;
    })
  /** The content is the known one. */
  | (ReadFile & { readonly kind: 'same' })
  | { readonly kind: 'text'; readonly path: string; readonly summary: S }
  | { readonly kind: 'gone'; readonly path: string }
  | { readonly kind: 'refused'; readonly path: string; readonly reason: string };

const NO_LANGUAGE = 'is in no language that is known here';
/** How often a file that changes under our hands is read again. */
const READS_MOST = 3;

export function readFile(grammars: Grammars, root: string, job: FileJob): Reading<Summary> {
  const { path } = job;
  let read: StableRead | undefined;
  try {
    read = readStable(join(root, path));
  } catch (error) {
    return {
      kind: 'refused',
      path,
      reason: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (read === undefined) return { kind: 'gone', path };
  if (read.bytes === undefined)
    return {
      kind: 'refused',
      path,
      reason: `${(read.stamp.size / 1024 / 1024).toFixed(1)} MB is more than a source file can have here (2 MB)`,
    };
  const digest = digestOf(read.bytes);
  const file = { path, stamp: read.stamp, takenMs: read.takenMs, digest };
  if (digest === job.knownDigest) return { kind: 'same', ...file };
  const source = decodeSource(read.bytes);
  if (!source.ok) return { kind: 'refused', path, reason: source.reason };
  const summary = summarise(grammars, path, source.text);
  if (summary === undefined) return { kind: 'refused', path, reason: NO_LANGUAGE };
  return { kind: 'summary', ...file, summary, byteOrderMark: source.byteOrderMark };
}

export function readText(grammars: Grammars, job: TextJob): Reading<Summary> {
  const summary = summarise(grammars, job.path, job.text);
  return summary === undefined
    ? { kind: 'refused', path: job.path, reason: NO_LANGUAGE }
    : { kind: 'text', path: job.path, summary };
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface StableRead {
  readonly stamp: FileStamp;
  readonly takenMs: number;
  /** Absent for a file that is too large. */
  readonly bytes: Buffer | undefined;
}

/** Undefined if there is no such file. */
function readStable(path: string): StableRead | undefined {
  for (let attempt = 0; attempt < READS_MOST; attempt++) {
    // Opening a named pipe would wait for a writer.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const descriptor = openSync(path, 'r');
    try {
      const takenMs = Date.now();
      const stamp = stampOf(fstatSync(descriptor));
      if (stamp.size > SOURCE_BYTES_MOST) return { stamp, takenMs, bytes: undefined };
      const bytes = readFileSync(descriptor);
      if (sameStamp(stamp, stampOf(fstatSync(descriptor))) && bytes.length === stamp.size)
        return { stamp, takenMs, bytes };
    } finally {
      closeSync(descriptor);
    }
  }
  throw new Error('it changed again and again while it was read');
}
