/** Work that must end with a signal, or after a time. */

/**
 * A plain timer: one of `AbortSignal.timeout` that only another signal refers to may be collected before it fires.
 */
export async function withinTime<T>(
  outer: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = (): void => ending.abort(outer.reason);
  if (outer.aborted) end();
  outer.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => ending.abort(new Error(`${milliseconds} ms are over`)), milliseconds);
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  }
}
