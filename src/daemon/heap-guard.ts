/**
 * Ends a server while it still can, when its heap is nearly full: the runtime would abort it in the middle
 * of whatever it does, without a word to anybody.
 *
 * What fills the heap between two looks is not seen; the runtime then aborts as it would without a guard, and the
 * next daemon finds its lock abandoned (sudden-ends.ts).
 */
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

/** What is used of the old generation when it counts as full; the runtime aborts when there is no more of it. */
const FULL = 0.92;
/** The runtime's limit is for both generations: three semispaces of 16 MB go to the young one, at most. */
const YOUNG_BYTES = 48 * 2 ** 20;
/** Looks in a row that find it full: one look may come just before garbage is collected. */
const LOOKS = 3;
/** A process that fills its heap takes seconds for the last tenth; a look costs microseconds. */
const LOOK_MS = 100;

/** Of the old generation, in bytes. */
export interface HeapSize {
  readonly used: number;
  readonly limit: number;
}

const megabytesOf = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Calls back once, when the heap has stayed full. Gives the function that ends the watch. */
export function guardHeap(
  full: (message: string, limitMegabytes: number) => void,
  heap: () => HeapSize = heapOfProcess,
): () => void {
  let looks = 0;
  const timer = setInterval(() => {
    const { used, limit } = heap();
    looks = used > limit * FULL ? looks + 1 : 0;
    if (looks !== LOOKS) return;
    clearInterval(timer);
    full(
      `the daemon's heap is full (${megabytesOf(used)} of ${megabytesOf(limit)} MB); give it more with ` +
        'NODE_OPTIONS=--max-old-space-size=<megabytes>, or leave folders out in .codeplanignore',
      megabytesOf(limit),
    );
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function heapOfProcess(): HeapSize {
  const { heap_size_limit: both } = getHeapStatistics();
  return {
    used: getHeapSpaceStatistics()
      .filter(({ space_name: name }) => !name.startsWith('new'))
      .reduce((sum, { space_used_size: used }) => sum + used, 0),
    limit: Math.max(both - YOUNG_BYTES, both / 3),
  };
}
