/**
 * A worker thread of the parse pool: takes batches of files or texts, answers with summaries.
 *
 * The summaries of a batch travel as one buffer. The thread knows nothing of the repository but what a batch says. A
 * wasm trap ends it; the pool starts another one.
 */
import { parentPort, type MessagePort } from 'node:worker_threads';
import type { Summary } from '../../syntax/summary.js';
import { grammarsOfThread } from './grammar-bytes.js';
import { readFile, readText, type FileJob, type Reading, type TextJob } from './read-sources.js';
import { encodeSummary } from './summary-codec.js';

export type Batch =
  | { readonly kind: 'files'; readonly root: string; readonly jobs: readonly FileJob[] }
  | { readonly kind: 'texts'; readonly jobs: readonly TextJob[] };

/** Readings whose summaries are byte offsets into `bytes`. */
export interface BatchAnswer {
  readonly readings: readonly Reading<number>[];
  readonly bytes: ArrayBuffer;
}

if (parentPort === null) throw new Error('parse-worker.js is a worker thread, not a program');
serve(parentPort);

function serve(port: MessagePort): void {
  port.on('message', (batch: Batch) => {
    // Copied: what the engine keeps for good would otherwise lie scattered in this thread's memory, and hold on to all
    // of it.
    void answer(batch).then((done) => port.postMessage(done));
  });
}

async function answer(batch: Batch): Promise<BatchAnswer> {
  const grammars = await grammarsOfThread();
  const readings =
    batch.kind === 'files'
      ? batch.jobs.map((job) => readFile(grammars, batch.root, job))
      : batch.jobs.map((job) => readText(grammars, job));
  return pack(readings);
}

function pack(readings: readonly Reading<Summary>[]): BatchAnswer {
  const parts: Uint8Array[] = [];
  let size = 0;
  const placed = readings.map((reading): Reading<number> => {
    if (reading.kind !== 'summary' && reading.kind !== 'text') return reading;
    const part = encodeSummary(reading.summary);
    const summary = size;
    parts.push(part);
    size += part.length;
    return { ...reading, summary };
  });
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { readings: placed, bytes: bytes.buffer };
}
