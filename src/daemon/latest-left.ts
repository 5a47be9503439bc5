/**
 * What is left of one client's edits, kept up to date while it types.
 *
 *     change ──► 30 ms of quiet ──► service.left ──► 150 ms of quiet ──► publish ──► more ──► plan ──► ahead
 *        │            └── before its end the disk is looked at, which the answer then need not wait for
 *        └── a change meanwhile aborts the run and starts both waits anew
 *
 * Both waits begin with the key: that a long text takes a tenth of a second to be read is part of them.
 *
 * What is asked in the quiet costs nobody anything but processor time, and a half answer makes the next one cheaper. It
 * is of the texts as they stand then.
 *
 * While the repository is being read, the part around the open files comes first, and the whole as soon as it stands.
 * Where a changed name is said in many files the open ones come first too: their hints alone, since what was counted
 * before, in more files, holds until it is counted anew.
 *
 * A report is only published for the texts it was computed from. It is kept afterwards, since code
 * lenses and code actions are answered from it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { LeftParams, LeftReport } from '#protocol/left.js';
import { ServiceError, type Call } from '../engine/service.js';
import type { Log } from '../io/disk/log-file.js';

/** Nothing is published before: long enough to stay silent inside a word, short enough to feel immediate. */
export const QUIET_MS = 150;
/** Nothing is asked before: who types fast is not worked for at each letter. */
const PAUSE_MS = 30;
/** So long before its end the question is announced: a look at the disk's folders takes less, and holds for longer. */
const AHEAD_MS = 20;
/** After that the person rests, and the plan can be made; as long after it, what may be edited next is asked about. */
const REST_MS = 250;

export class LatestLeft {
  private known: LeftReport | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: AbortController | undefined;
  /** Whether a question will be asked, which is of the texts as they stand then. */
  private waits = false;
  private closed = false;

  constructor(
    private readonly ask: (params: LeftParams, call: Call) => Promise<LeftReport>,
    private readonly expect: () => void,
    private readonly publish: (report: LeftReport) => void,
    private readonly publishHints: (report: LeftReport) => void,
    private readonly log: Log,
  ) {}

  /** Undefined until the first one was computed. */
  get report(): LeftReport | undefined {
    return this.known;
  }

  /** Something changed that the report depends on. */
  touch(): void {
    if (this.closed) return;
    this.running?.abort(new Error('the text changed'));
    clearTimeout(this.timer);
    this.waits = true;
    const touchedAt = performance.now();
    this.timer = setTimeout(() => {
      this.expect();
      this.timer = setTimeout(
        () => {
          this.waits = false;
          void this.compute(false, touchedAt + QUIET_MS);
        },
        touchedAt + PAUSE_MS - performance.now(),
      );
    }, PAUSE_MS - AHEAD_MS);
  }

  /** The client's own texts were taken in: `touch` was called as they came. */
  taken(): void {
    if (!this.waits) this.touch();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.running?.abort(new Error('the client is gone'));
  }

  /** Undefined where the text changed meanwhile. */
  private async answer(params: LeftParams, { signal }: AbortController): Promise<LeftReport | undefined> {
    const report = await this.ask(params, { signal, progress: () => undefined });
    return signal.aborted ? undefined : report;
  }

  private show(report: LeftReport): void {
    const { known } = this;
    if (known !== undefined && isOfLess(report, known)) return this.publishHints(withOthers(report, known));
    this.known = report;
    this.publish(report);
  }

  /** Publishes at `quietAt`, or as soon after that as the answer is there. */
  private compute(plan: boolean, quietAt: number): Promise<void> {
    return this.turn(async (run) => {
      const started = performance.now();
      const first = await this.answer(plan ? { plan } : { early: true }, run);
      if (first === undefined) return;
      const quiet = delay(Math.max(0, quietAt - performance.now()), undefined, { signal: run.signal });
      const [report] = await Promise.all([
        first.read === undefined ? first : this.answer({}, run),
        quiet.then(() => this.show(first)),
      ]);
      if (report === undefined) return;
      if (report !== first) this.show(report);
      this.log('debug', 'hints', {
        changes: report.changes.length,
        left: report.counts.left,
        plan,
        ms: Math.round(performance.now() - started),
      });
      const next = !plan && report.counts.left > 0 ? () => this.compute(true, 0) : () => this.lookAhead();
      this.timer = setTimeout(() => void next(), REST_MS);
    });
  }

  private lookAhead(): Promise<void> {
    return this.turn(async (run) => {
      await this.answer({ ahead: true }, run);
    });
  }

  /** One turn of this loop: where it fails, what was published stays until the next change brings a new one. */
  private async turn(work: (run: AbortController) => Promise<void>): Promise<void> {
    const run = new AbortController();
    this.running = run;
    try {
      await work(run);
    } catch (error) {
      if (!run.signal.aborted)
        this.log(error instanceof ServiceError ? 'warn' : 'error', 'hints failed', {
          error: error instanceof ServiceError ? error.message : String((error as Error).stack),
        });
    } finally {
      if (this.running === run) this.running = undefined;
    }
  }
}

/** Whether a report is from fewer files than what is known: it has hints, and what was counted holds. */
export function isOfLess({ read }: Pick<LeftReport, 'read'>, known: Pick<LeftReport, 'read'>): boolean {
  return read !== undefined && (known.read === undefined || read.files < known.read.files);
}

/**
 * A part, and of what was known before the blocks that the part does not speak of, as far as what affects them is
 * still there: the whole says whether they stay.
 */
function withOthers(part: LeftReport, known: LeftReport): LeftReport {
  const told = new Set(part.entries.map(({ file, block }) => `${file}\0${block}`));
  const causes = new Set(part.changes.map(({ file, block, label }) => `${file}\0${block}\0${label}`));
  const others = known.entries.filter(
    ({ file, block, cause }) =>
      !told.has(`${file}\0${block}`) && causes.has(`${cause.file}\0${cause.block}\0${cause.label}`),
  );
  return { ...part, entries: [...part.entries, ...others] };
}
