/**
 * One client's service over an engine that may still be starting.
 *
 * Requests wait for the host; texts that arrive before it stands are kept in order. The engine
 * counts what is under way, so that it is not ended in the middle.
 */
import type {
  CallsParams,
  CallsReport,
  GraphExport,
  GraphParams,
  HierarchyParams,
  HierarchyReport,
  RefsParams,
  RefsReport,
  WhyParams,
  WhyReport,
} from '#protocol/graph.js';
import type { ImpactParams, ImpactReport } from '#protocol/impact.js';
import type {
  DecideParams,
  DecideReport,
  LeftCounts,
  LeftParams,
  LeftReport,
  NextParams,
  NextReport,
  TakeParams,
  TakeReport,
} from '#protocol/left.js';
import type {
  ExecuteParams,
  ExecuteReport,
  PropagateParams,
  PropagateReport,
  ReviewParams,
  ReviewReport,
} from '#protocol/propagate.js';
import type { PromptParams, PromptReport } from '#protocol/prompt.js';
import type { Status } from '#protocol/status.js';
import type { LogReport, UndoParams, UndoReport } from '#protocol/undo.js';
import type { Effects } from '../engine/effects.js';
import type { FileEdit } from '../engine/file-edit.js';
import type { Host } from '../engine/host.js';
import { LocalService } from '../engine/local-service.js';
import type { Call, Client, Service } from '../engine/service.js';
import type { Grammars } from '../syntax/grammar.js';

/** What a session needs of the engine that made it. */
export interface SessionParts<Warm> {
  readonly effects: (warm: Warm) => Effects;
  readonly status: () => Status;
  readonly busy: (step: 1 | -1) => void;
  /** Calls back when somebody said something of what is left. Gives the function that ends it. */
  readonly onDecided: (listener: () => void) => () => void;
  /** How much is left, whenever it was counted. */
  readonly counted: (counts: LeftCounts) => void;
  /** What the client settled: its files that are not as in the baseline of all, and their unsaved texts; undefined: nothing any more. */
  readonly keepSettled: (texts: ReadonlyMap<string, string | undefined> | undefined) => void;
  readonly close: () => void;
}

export class SessionService<Warm extends { readonly host: Host; readonly grammars: Grammars }> implements Service {
  private local: LocalService | undefined;
  private readonly listeners = new Set<() => void>();
  private unsubscribe: (() => void) | undefined;
  private readonly waiting: ((host: Host) => void)[] = [];
  private host: Host | undefined;

  constructor(
    private readonly client: Client,
    private readonly start: () => Promise<Warm>,
    private readonly parts: SessionParts<Warm>,
  ) {
    void start().then(
      (warm) => this.attach(warm),
      () => undefined,
    );
  }

  private attach(warm: Warm): void {
    if (this.host !== undefined) return;
    this.host = warm.host;
    for (const send of this.waiting.splice(0)) send(warm.host);
    const tell = (): void => {
      for (const listener of this.listeners) listener();
    };
    const ends = [
      this.parts.onDecided(tell),
      warm.host.onPublished((publication) => {
        if (publication.disk.size > 0 || publication.clients.has(this.client.id)) tell();
      }),
    ];
    this.unsubscribe = () => ends.forEach((end) => end());
  }

  private async service(): Promise<LocalService> {
    const warm = await this.start();
    this.attach(warm);
    this.local ??= new LocalService({
      host: warm.host,
      effects: this.parts.effects(warm),
      grammars: warm.grammars,
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
    if (this.host === undefined) this.waiting.push(event);
    else event(this.host);
  }

  /** What is left is counted once the repository is read. */
  async status(call: Call): Promise<Status> {
    const status = this.parts.status();
    if (status.state !== 'ready') return status;
    const { counts } = await this.left({}, call);
    return { ...this.parts.status(), left: counts };
  }
  impact(params: ImpactParams, call: Call): Promise<ImpactReport> {
    return this.counted((service) => service.impact(params, call));
  }
  propagate(params: PropagateParams, call: Call): Promise<PropagateReport> {
    return this.counted((service) => service.propagate(params, call));
  }
  execute(params: ExecuteParams): Promise<ExecuteReport> {
    return this.counted((service) => service.execute(params));
  }
  review(params: ReviewParams): Promise<ReviewReport> {
    return this.counted((service) => service.review(params));
  }
  editsOf(params: ExecuteParams): Promise<readonly FileEdit[]> {
    return this.counted((service) => service.editsOf(params));
  }
  async left(params: LeftParams, call: Call): Promise<LeftReport> {
    const report = await this.counted((service) => service.left(params, call));
    this.parts.counted(report.counts);
    return report;
  }
  next(params: NextParams, call: Call): Promise<NextReport> {
    return this.counted((service) => service.next(params, call));
  }
  take(params: TakeParams, call: Call): Promise<TakeReport> {
    return this.counted((service) => service.take(params, call));
  }
  decide(params: DecideParams, call: Call): Promise<DecideReport> {
    return this.counted((service) => service.decide(params, call));
  }
  prompt(params: PromptParams, call: Call): Promise<PromptReport> {
    return this.counted((service) => service.prompt(params, call));
  }
  undo(params: UndoParams): Promise<UndoReport> {
    return this.counted((service) => service.undo(params));
  }
  log(): Promise<LogReport> {
    return this.counted((service) => service.log());
  }
  graph(params: GraphParams, call: Call): Promise<GraphExport> {
    return this.counted((service) => service.graph(params, call));
  }
  refs(params: RefsParams, call: Call): Promise<RefsReport> {
    return this.counted((service) => service.refs(params, call));
  }
  calls(params: CallsParams, call: Call): Promise<CallsReport> {
    return this.counted((service) => service.calls(params, call));
  }
  hierarchy(params: HierarchyParams, call: Call): Promise<HierarchyReport> {
    return this.counted((service) => service.hierarchy(params, call));
  }
  why(params: WhyParams, call: Call): Promise<WhyReport> {
    return this.counted((service) => service.why(params, call));
  }

  setText(file: string, text: string, version: number): void {
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
      this.parts.keepSettled(new Map(files.map((file) => [file, host.overlay(id, file)?.text])));
    });
  }
  unsettle(): void {
    this.send((host) => host.post({ kind: 'unsettled', client: this.client.id }));
    this.parts.keepSettled(undefined);
  }
  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): Promise<void> {
    this.unsubscribe?.();
    this.listeners.clear();
    this.parts.close();
    return Promise.resolve();
  }
}
