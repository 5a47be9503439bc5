/**
 * Clocks and order statistics of the bench. Percentiles are by nearest rank, so every one of
 * them is a value that was measured.
 */
import { performance } from 'node:perf_hooks';

/**
 * CPU time of this process that a piece of work takes, its garbage collection and compilation included, in
 * milliseconds.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function wallMs(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

export async function wallMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** `share` from 0 to 1; values in any order, at least one. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('there is no percentile of nothing');
  return value;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** At most `most` entries, spread evenly over the list: the same ones for the same list. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)] as T);
}
