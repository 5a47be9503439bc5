/**
 * One client's service over an engine that may still be starting.
 *
 * Requests wait for the host; texts that arrive before it stands are kept in order. The engine
 * counts what is under way, so that it is not ended in the middle.
 */
import type { ApiDescriptor, ApiParams } from '#protocol/api.js';
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
    this.unsubscribe = warm.host.onPublished((publication) => {
      if (publication.disk.size === 0 && !publication.clients.has(this.client.id)) return;
      for (const listener of this.listeners) listener();
    });
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

  status(): Promise<Status> {
    return Promise.resolve(this.parts.status());
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
  prompt(params: PromptParams, call: Call): Promise<PromptReport> {
    return this.counted((service) => service.prompt(params, call));
  }
  undo(params: UndoParams): Promise<UndoReport> {
    return this.counted((service) => service.undo(params));
  }
  log(): Promise<LogReport> {
    return this.counted((service) => service.log());
  }
  api(params: ApiParams, call: Call): Promise<ApiDescriptor> {
    return this.counted((service) => service.api(params, call));
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
    this.send((host) => host.post({ kind: 'settled', client: this.client.id }));
  }
  unsettle(): void {
    this.send((host) => host.post({ kind: 'unsettled', client: this.client.id }));
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
