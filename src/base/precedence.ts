/** Work that nobody waits for stands back as long as somebody is being answered, and for a while after that. */
import { othersFirst } from './turns.js';
import { untilAborted } from './until-aborted.js';

/** Who was answered may ask again at once, as with a key that leads from place to place. */
const PAUSE_MS = 300;

export class Precedence {
  private answering = 0;
  private answeredAt = -PAUSE_MS;

  async first<T>(answer: () => Promise<T>): Promise<T> {
    this.answering++;
    try {
      return await answer();
    } finally {
      this.answering--;
      this.answeredAt = performance.now();
    }
  }

  /** Resolves once all that waits has been served, and nobody is or was just answered. Rejects as `signal` says. */
  async standBack(signal: AbortSignal): Promise<void> {
    await othersFirst();
    for (;;) {
      signal.throwIfAborted();
      const pause = this.answering > 0 ? PAUSE_MS : this.answeredAt + PAUSE_MS - performance.now();
      if (pause <= 0) return;
      await untilAborted(new Promise((resolve) => setTimeout(resolve, pause)), signal);
    }
  }
}
