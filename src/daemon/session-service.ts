/**
 * One client's service over an engine that may still be starting.
 *
 * Requests wait for the host; texts that arrive before it stands are kept in order. The engine
 * counts what is under way, so that it is not ended in the middle.
 */
import type { ParamsOf, ResultOf } from '#protocol/methods.js';
import type { QuestionName } from '#protocol/names.js';
import type { LeftCounts, LeftParams, LeftReport } from '#protocol/left.js';
import type { Status } from '#protocol/status.js';
import type { Effects } from '../engine/effects.js';
import type { Host } from '../engine/host.js';
import type { SearchMemory } from '../engine/search-memory.js';
import { LocalService } from '../engine/local-service.js';
import { NamedQuestions } from '../engine/named-questions.js';
import type { Answers, Call, ChangedBy, Client, Service } from '../engine/service.js';
import type { Grammars } from '../syntax/grammar.js';

/** What a session needs of the engine that made it. */
export interface SessionParts<Started> {
  readonly effects: (started: Started) => Effects;
  readonly status: () => Status;
  readonly busy: (step: 1 | -1) => void;
  /** Calls back when somebody said something of what is left. Gives the function that ends it. */
  readonly onDecided: (listener: () => void) => () => void;
  /** How much is left, whenever it was counted. */
  readonly counted: (counts: LeftCounts) => void;
  /**
   * What the client settled: its files that are not as in the baseline of all, and their unsaved texts; undefined:
   * nothing any more.
   */
  readonly keepSettled: (texts: ReadonlyMap<string, string | undefined> | undefined) => void;
  /** The client has a file open. */
  readonly shown: (path: string) => void;
  /** What is left around what the client has open, while the whole is still being read; undefined once it was. */
  readonly early: (call: Call) => Promise<LeftReport | undefined>;
  readonly close: () => void;
}

export class SessionService<
  Started extends { readonly host: Host; readonly grammars: Grammars; readonly search: SearchMemory },
>
  extends NamedQuestions
  implements Service
{
  private local: LocalService | undefined;
  private readonly listeners = new Set<(by: ChangedBy) => void>();
  private unsubscribe: (() => void) | undefined;
  private readonly waiting: ((host: Host) => void)[] = [];
  private host: Host | undefined;
  /** What a client sent before it left may still come in afterwards, and must not bring it back to life. */
  private isClosed = false;
  /** Answered in another way than by asking the service once it stands. */
  private readonly own: Partial<Answers> = {
    'codeplan/status': () => Promise.resolve(this.parts.status()),
    'codeplan/left': (params, call) => this.counting(params, call),
  };

  constructor(
    private readonly client: Client,
    private readonly start: () => Promise<Started>,
    private readonly parts: SessionParts<Started>,
  ) {
    super();
    void start().then(
      (started) => this.attach(started),
      () => undefined,
    );
  }

  private attach(started: Started): void {
    if (this.host !== undefined || this.isClosed) return;
    this.host = started.host;
    for (const send of this.waiting.splice(0)) send(started.host);
    const tell = (by: ChangedBy): void => {
      for (const listener of this.listeners) listener(by);
    };
    const ends = [
      this.parts.onDecided(() => tell('others')),
      started.host.onPublished(({ disk, clients }) => {
        const own = clients.get(this.client.id);
        if (disk.size > 0 || own !== undefined)
          tell(disk.size === 0 && own !== undefined && own.size > 0 ? 'ownTexts' : 'others');
      }),
    ];
    this.unsubscribe = () => ends.forEach((end) => end());
  }

  private async service(): Promise<LocalService> {
    const started = await this.start();
    this.attach(started);
    this.local ??= new LocalService({
      host: started.host,
      effects: this.parts.effects(started),
      grammars: started.grammars,
      search: started.search,
      client: this.client.id,
      status: this.parts.status,
    });
    return this.local;
  }

  private async counted<T>(work: (service: LocalService) => Promise<T>): Promise<T> {
    this.parts.busy(1);
    try {
      return await work(await this.service());
    } finally {
      this.parts.busy(-1);
    }
  }

  private send(event: (host: Host) => void): void {
    if (this.isClosed) return;
    if (this.host === undefined) this.waiting.push(event);
    else event(this.host);
  }

  ask<M extends QuestionName>(method: M, params: ParamsOf<M>, call: Call): Promise<ResultOf<M>> {
    const own: Answers[M] | undefined = this.own[method];
    return own === undefined ? this.counted((service) => service.ask(method, params, call)) : own(params, call);
  }

  private async counting(params: LeftParams, call: Call): Promise<LeftReport> {
    const early = params.early === true ? await this.parts.early(call) : undefined;
    if (early !== undefined) return early;
    const report = await this.counted((service) => service.ask('codeplan/left', params, call));
    // A part says nothing of how much there is.
    if (!this.isClosed && report.read === undefined) this.parts.counted(report.counts);
    return report;
  }

  setText(file: string, text: string, version: number): void {
    this.parts.shown(file);
    this.send((host) => host.post({ kind: 'overlay', client: this.client.id, path: file, text, version }));
  }
  closeText(file: string): void {
    this.send((host) => host.post({ kind: 'overlayClosed', client: this.client.id, path: file }));
  }
  settle(): void {
    const { id } = this.client;
    this.send((host) => {
      host.post({ kind: 'settled', client: id });
      const files = host.baselineOf(id).differingFrom(host.baselineOf());
      const unsaved = host.unsavedTexts(id);
      this.parts.keepSettled(new Map(files.map((file) => [file, unsaved.get(file)])));
    });
  }
  unsettle(): void {
    this.send((host) => host.post({ kind: 'unsettled', client: this.client.id }));
    this.parts.keepSettled(undefined);
  }
  onChanged(listener: (by: ChangedBy) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.waiting.length = 0;
    this.unsubscribe?.();
    this.listeners.clear();
    this.parts.close();
    return Promise.resolve();
  }
}
