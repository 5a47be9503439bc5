/**
 * Looks again and again, for where the system does not tell of changes.
 *
 * One look is a comparison of all stamps by whoever is called. The pause grows with what a look
 * costs, so that polling takes a bounded share of the machine whatever the repository's size.
 */
export interface Polling {
  close(): void;
}

const POLL_MS = 2000;
/** A look may take one part in so many of the time. */
const SHARE = 20;

/** `look` must not reject. */
export function watchByPolling(look: () => Promise<void>, pollMs: number = POLL_MS): Polling {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => void turn(), ms).unref();
  };
  const turn = async (): Promise<void> => {
    const started = performance.now();
    await look();
    if (!closed) wait(Math.max(pollMs, (performance.now() - started) * SHARE));
  };
  wait(pollMs);
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
