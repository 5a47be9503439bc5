/**
 * Reads source files and computes their summaries: the same work in a worker and, for a handful
 * of files, in the main thread.
 *
 * A file's stamp is taken before and after it is read; if it changed meanwhile it is read again,
 * so the summary, the digest and the stamp always speak of the same bytes. The digest is of the
 * bytes on the disk; it is what decides whether a file is the one we know.
 */
import { createHash } from 'node:crypto';
import { summarise } from '../../languages/summarise.js';
import type { Grammars } from '../../syntax/grammar.js';
import type { Summary } from '../../syntax/summary.js';
import type { FileStamp } from '../disk/file-stamp.js';
import { readRepositoryFile, SOURCE_BYTES_MOST } from '../disk/repository-file.js';
import { decodeSource } from '../disk/source-text.js';
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

export function readFile(grammars: Grammars, root: string, job: FileJob): Reading<Summary> {
  const { path } = job;
  const read = readRepositoryFile(root, path, { bytesMost: SOURCE_BYTES_MOST, links: 'inside' });
  if (read.kind !== 'file') return { ...read, path };
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
