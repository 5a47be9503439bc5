/**
 * Ends the daemon while it still can, when its heap is nearly full: the runtime would abort it in the middle
 * of whatever it does, without a word to anybody.
 *
 * An end of this kind is noted beside the socket. Whoever starts the next daemon reads the notes: once
 * may be chance, several within minutes are a repository that the heap is too small for, and
 * another start would end in the same way.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { ServiceError } from '../engine/service.js';

/** What is used of the heap when it counts as full; the runtime aborts a little later. */
const FULL = 0.92;
/** Looks in a row that find it full: one look may come just before garbage is collected. */
const LOOKS = 3;
const LOOK_MS = 100;
/** So many ends within that time are no chance. */
const ENDS_MOST = 2;
const WITHIN_MS = 10 * 60_000;

const notes = z.array(z.strictObject({ at: z.number(), limitMegabytes: z.number() }));
type Notes = z.infer<typeof notes>;

const megabytesOf = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Calls back once, when the heap has stayed full. Gives the function that ends the watch. */
export function guardHeap(full: (message: string, limitMegabytes: number) => void): () => void {
  let looks = 0;
  const timer = setInterval(() => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    looks = used > limit * FULL ? looks + 1 : 0;
    if (looks < LOOKS) return;
    clearInterval(timer);
    full(
      `the daemon's heap is full (${megabytesOf(used)} of ${megabytesOf(limit)} MB); give it more with NODE_OPTIONS=--max-old-space-size=<megabytes>, or leave folders out in .codeplanignore`,
      megabytesOf(limit),
    );
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const notesBeside = (lock: string): string => `${lock}.full`;

export function noteFullHeap(lock: string, limitMegabytes: number): void {
  const kept = recent(lock);
  writeFileSync(notesBeside(lock), JSON.stringify([...kept, { at: Date.now(), limitMegabytes }]), { mode: 0o600 });
}

/** The person starts one by name: what was before is no reason against it. */
export function forgetFullHeaps(lock: string): void {
  rmSync(notesBeside(lock), { force: true });
}

/** Throws ServiceError `daemon` where daemons of this root have ended for want of memory, one after the other. */
export function refuseWhereHeapsFilled(lock: string): void {
  const ends = recent(lock);
  if (ends.length < ENDS_MOST) return;
  throw new ServiceError(
    'daemon',
    `the daemon of this root ended ${ends.length} times within ${WITHIN_MS / 60_000} minutes because its heap of ${ends.at(-1)?.limitMegabytes ?? 0} MB was full, so it is not started again; give it more with NODE_OPTIONS=--max-old-space-size=<megabytes> and run "codeplan daemon restart", or leave folders out in .codeplanignore`,
  );
}

function recent(lock: string): Notes {
  let text: string;
  try {
    text = readFileSync(notesBeside(lock), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const read = notes.safeParse(parsed(text));
  return read.success ? read.data.filter(({ at }) => Math.abs(Date.now() - at) < WITHIN_MS) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
