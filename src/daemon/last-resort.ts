/**
 * What nobody caught: an exception out of a timer or an event, a rejection that nobody waits for.
 *
 * It is a defect of ours, and somebody's: their request, file or connection has failed. The others go on, since
 * what they share is kept whole where it changes (`Host` takes each event by itself, files are written by
 * compare-and-swap). It is logged with its stack. One that comes again and again is no accident: the process
 * then ends, and says so, before it spends its life on it.
 */
import type { Log } from '../io/disk/log-file.js';

/**
 * So many within that time end the process: a defect that one request meets shows once for each, while one that fills a
 * minute with failures would go on for ever.
 */
const FAILURES_MOST = 20;
const WITHIN_MS = 60_000;

/** `end` is called once. Gives the function that ends the guard. */
export function guardProcess(log: Log, end: (message: string) => void): () => void {
  let latest: number[] = [];
  const failed = (error: unknown, origin: string): void => {
    log('error', 'bug', { origin, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    const now = Date.now();
    latest = [...latest.filter((at) => Math.abs(now - at) < WITHIN_MS), now];
    if (latest.length !== FAILURES_MOST) return;
    end(
      `the daemon ends, since ${FAILURES_MOST} of its own defects showed within ${WITHIN_MS / 1000} s; ` +
        '"codeplan daemon logs" has each with its stack',
    );
  };
  const thrown = (error: unknown): void => failed(error, 'an exception that nobody caught');
  const rejected = (error: unknown): void => failed(error, 'a rejection that nobody waited for');
  process.on('uncaughtException', thrown);
  process.on('unhandledRejection', rejected);
  return () => {
    process.off('uncaughtException', thrown);
    process.off('unhandledRejection', rejected);
  };
}
