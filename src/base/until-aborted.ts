/** Waiting for work that others wait for as well, and that one of them may not end. */

/** The promise; rejects with the signal's reason as soon as that aborts, while the work goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody waits for it here, so its failure is no defect: whoever else waits hears of it.
    work.catch(() => undefined);
    throw signal.reason;
  }
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
