/**
 * How the cost of some work grows with its size. Measured in the process's own CPU time, the least of
 * several runs, so that neither a busy machine nor a slow one changes what comes out.
 */
import assert from 'node:assert/strict';

const RUNS = 5;
const TIMES_LARGER = 8;
/** Linear work takes 8 times as long, quadratic work 64 times; between them lies what a cache does. */
const RATIO_MOST = 24;
/** What takes less is lost in the clock's own steps. */
const MICROSECONDS_LEAST = 2000;

/** Fails where `work` on eight times the size takes far more than eight times as long. */
export function assertLinear(what: string, size: number, work: (size: number) => void): void {
  work(size);
  const ratio = leastCpuTime(() => work(TIMES_LARGER * size)) / leastCpuTime(() => work(size));
  assert.ok(ratio <= RATIO_MOST, `${what}: ${TIMES_LARGER} times the size took ${ratio.toFixed(0)} times as long`);
}

function leastCpuTime(work: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.max(MICROSECONDS_LEAST, Math.min(...times));
}
