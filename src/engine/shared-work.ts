/** Work that several wait for: done once, it tells all of them how far it is, and ends when nobody waits any more. */
import { untilAborted } from '../base/until-aborted.js';
import type { Call } from './service.js';

export class SharedWork<T> {
  private readonly waiting = new Set<Call>();
  private readonly end = new AbortController();
  private readonly result: Promise<T>;

  /** Begins at once; whoever wants the result waits by `resultFor`. */
  constructor(work: (call: Call) => Promise<T>) {
    this.result = work({
      signal: this.end.signal,
      progress: (message, fraction) => {
        for (const call of this.waiting) call.progress(message, fraction);
      },
    });
    // Who waits hears of a failure; where nobody does any more, it was ended.
    this.result.catch(() => undefined);
  }

  /** Whether somebody waits for it; whoever comes later has to begin it anew. */
  get isUnderWay(): boolean {
    return this.waiting.size > 0;
  }

  /** Rejects as the work does, or with the reason of the call's own signal. */
  async resultFor(call: Call): Promise<T> {
    this.waiting.add(call);
    try {
      return await untilAborted(this.result, call.signal);
    } finally {
      this.waiting.delete(call);
      if (!this.isUnderWay) this.end.abort(new Error('nobody waits for it any more'));
    }
  }
}

/** The work that was asked for last: whoever asks for the same while it is done shares it. */
export class LatestWork<Of, T> {
  private latest: { readonly of: Of; readonly work: SharedWork<T> } | undefined;

  constructor(
    private readonly isSame: (a: Of, b: Of) => boolean,
    private readonly begin: (of: Of, call: Call) => Promise<T>,
  ) {}

  isUnderWay(of: Of): boolean {
    return this.latest?.work.isUnderWay === true && this.isSame(this.latest.of, of);
  }

  resultFor(of: Of, call: Call): Promise<T> {
    const { latest } = this;
    const work = latest && this.isUnderWay(of) ? latest.work : new SharedWork((shared) => this.begin(of, shared));
    this.latest = { of, work };
    return work.resultFor(call);
  }
}
