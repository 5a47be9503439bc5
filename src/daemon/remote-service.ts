/**
 * The service over a socket: the same calls as in process, answered by a daemon.
 *
 * Cancellation and progress travel as LSP has them. A refusal comes back as the ServiceError that
 * it was; a connection that breaks rejects every call that waits, with a ServiceError `daemon`.
 */
import type { Socket } from 'node:net';
import {
  CancellationTokenSource,
  createMessageConnection,
  ParameterStructures,
  ProgressType,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { editsReport } from '#protocol/edits.js';
import { errorData } from '#protocol/errors.js';
import {
  callsReport,
  graphExport,
  hierarchyReport,
  refsReport,
  whyReport,
  type CallsParams,
  type CallsReport,
  type GraphExport,
  type GraphParams,
  type HierarchyParams,
  type HierarchyReport,
  type RefsParams,
  type RefsReport,
  type WhyParams,
  type WhyReport,
} from '#protocol/graph.js';
import { impactReport, type ImpactParams, type ImpactReport } from '#protocol/impact.js';
import {
  executeReport,
  propagateReport,
  type ExecuteParams,
  type ExecuteReport,
  type ReviewParams,
  type ReviewReport,
  reviewReport,
  type PropagateParams,
  type PropagateReport,
} from '#protocol/propagate.js';
import { promptReport, type PromptParams, type PromptReport } from '#protocol/prompt.js';
import { PROTOCOL_VERSION } from '#protocol/names.js';
import {
  handshakeResult,
  stopResult,
  type HandshakeParams,
  type HandshakeResult,
  type StopResult,
  type TextParams,
} from '#protocol/session.js';
import { status, type Status } from '#protocol/status.js';
import { logReport, undoReport, type LogReport, type UndoParams, type UndoReport } from '#protocol/undo.js';
import { apiDescriptor, type ApiDescriptor, type ApiParams } from '#protocol/api.js';
import type { FileEdit } from '../engine/file-edit.js';
import { ServiceError, type Call, type Service } from '../engine/service.js';
import type { BuildIdentity } from '../io/process/build-identity.js';

interface WorkDone {
  readonly kind: 'begin' | 'report' | 'end';
  readonly message?: string;
  readonly percentage?: number;
}

/** One that is busy looks up from its work every few milliseconds. */
const HANDSHAKE_MS_MOST = 10_000;

const progressType = new ProgressType<WorkDone>();

export class RemoteService implements Service {
  private readonly listeners = new Set<() => void>();
  private readonly broken: Promise<never>;
  private tokens = 0;

  private constructor(
    private readonly connection: MessageConnection,
    private readonly socket: Socket,
    readonly daemon: HandshakeResult,
  ) {
    this.broken = new Promise((_resolve, reject) =>
      connection.onClose(() =>
        reject(
          new ServiceError(
            'daemon',
            'the daemon ended before it answered; see "codeplan daemon logs", or use --no-daemon',
          ),
        ),
      ),
    );
    // Whoever waits for an answer hears of it; with nobody waiting it is no news.
    this.broken.catch(() => undefined);
    connection.onNotification('codeplan/viewChanged', () => {
      for (const listener of this.listeners) listener();
    });
  }

  /** Shakes hands. Throws ServiceError: version, daemon; or the reason of `signal`, once it is aborted. */
  static async over(
    socket: Socket,
    build: BuildIdentity,
    client: HandshakeParams['client'],
    signal: AbortSignal,
  ): Promise<RemoteService> {
    const connection = createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
    connection.onError(([error]) => socket.destroy(error));
    connection.listen();
    const params: HandshakeParams = {
      protocol: PROTOCOL_VERSION,
      version: build.version,
      build: build.stamp,
      client,
      notify: true,
    };
    try {
      const answer: unknown = await within(signal, connection.sendRequest('codeplan/handshake', params));
      return new RemoteService(connection, socket, handshakeResult.parse(answer));
    } catch (error) {
      socket.destroy();
      signal.throwIfAborted();
      throw refusalOf(error, 'codeplan/handshake');
    }
  }

  async api(params: ApiParams, call: Call): Promise<ApiDescriptor> {
    return apiDescriptor.parse(await this.request('codeplan/api', params, call));
  }
  async status(call: Call): Promise<Status> {
    return status.parse(await this.request('codeplan/status', {}, call));
  }
  async impact(params: ImpactParams, call: Call): Promise<ImpactReport> {
    return impactReport.parse(await this.request('codeplan/impact', params, call));
  }
  async propagate(params: PropagateParams, call: Call): Promise<PropagateReport> {
    return propagateReport.parse(await this.request('codeplan/plan', params, call));
  }
  async execute(params: ExecuteParams, call: Call): Promise<ExecuteReport> {
    return executeReport.parse(await this.request('codeplan/execute', params, call));
  }
  async review(params: ReviewParams, call: Call): Promise<ReviewReport> {
    return reviewReport.parse(await this.request('codeplan/review', params, call));
  }
  async editsOf(params: ExecuteParams, call: Call): Promise<readonly FileEdit[]> {
    return editsReport.parse(await this.request('codeplan/edits', params, call)).edits;
  }
  async prompt(params: PromptParams, call: Call): Promise<PromptReport> {
    return promptReport.parse(await this.request('codeplan/prompt', params, call));
  }
  async undo(params: UndoParams, call: Call): Promise<UndoReport> {
    return undoReport.parse(await this.request('codeplan/undo', params, call));
  }
  async log(call: Call): Promise<LogReport> {
    return logReport.parse(await this.request('codeplan/log', {}, call));
  }
  async graph(params: GraphParams, call: Call): Promise<GraphExport> {
    return graphExport.parse(await this.request('codeplan/graph', params, call));
  }
  async refs(params: RefsParams, call: Call): Promise<RefsReport> {
    return refsReport.parse(await this.request('codeplan/graph/refs', params, call));
  }
  async calls(params: CallsParams, call: Call): Promise<CallsReport> {
    return callsReport.parse(await this.request('codeplan/graph/calls', params, call));
  }
  async hierarchy(params: HierarchyParams, call: Call): Promise<HierarchyReport> {
    return hierarchyReport.parse(await this.request('codeplan/graph/hierarchy', params, call));
  }
  async why(params: WhyParams, call: Call): Promise<WhyReport> {
    return whyReport.parse(await this.request('codeplan/graph/why', params, call));
  }

  /** Asks the daemon to end. */
  async stop(call: Call): Promise<StopResult> {
    return stopResult.parse(await this.request('codeplan/stop', {}, call));
  }

  setText(file: string, text: string, version: number): void {
    this.tell(
      this.connection.sendNotification('codeplan/text', ParameterStructures.byName, {
        file,
        text,
        version,
      } satisfies TextParams),
    );
  }
  closeText(file: string): void {
    this.tell(
      this.connection.sendNotification('codeplan/text', ParameterStructures.byName, { file } satisfies TextParams),
    );
  }
  settle(): void {
    this.tell(this.connection.sendRequest('codeplan/settle', {}));
  }
  unsettle(): void {
    this.tell(this.connection.sendRequest('codeplan/settle', { back: true }));
  }

  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): Promise<void> {
    this.connection.dispose();
    this.socket.end();
    return Promise.resolve();
  }

  private async request(method: string, params: object, call: Call): Promise<unknown> {
    call.signal.throwIfAborted();
    const cancel = new CancellationTokenSource();
    // Nobody waits for what the daemon makes of it: it may be busy, or have answered already.
    const settled = new AbortController();
    const aborted = new Promise<never>((_resolve, reject) => {
      call.signal.addEventListener(
        'abort',
        () => {
          cancel.cancel();
          reject(call.signal.reason as Error);
        },
        { once: true, signal: settled.signal },
      );
    });
    const workDoneToken = `r${++this.tokens}`;
    const progress = this.connection.onProgress(progressType, workDoneToken, ({ kind, message, percentage }) => {
      if (kind === 'report' && message !== undefined)
        call.progress(message, percentage === undefined ? undefined : percentage / 100);
    });
    try {
      return await Promise.race([
        this.connection.sendRequest(method, { ...params, workDoneToken }, cancel.token),
        this.broken,
        aborted,
      ]);
    } catch (error) {
      call.signal.throwIfAborted();
      throw refusalOf(error, method);
    } finally {
      progress.dispose();
      settled.abort();
      cancel.dispose();
    }
  }

  /** For what has no answer worth waiting for: the next request finds the connection broken and says so. */
  private tell(sending: Promise<unknown>): void {
    sending.catch(() => undefined);
  }
}

/** A daemon that stands still takes connections all the same: the system does so for it. */
async function within<T>(signal: AbortSignal, handshake: Promise<T>): Promise<T> {
  let end = (): void => undefined;
  const never = new Promise<never>((_resolve, reject) => {
    const give = (): void =>
      reject(
        new ServiceError(
          'daemon',
          `the daemon did not answer within ${HANDSHAKE_MS_MOST / 1000} s; run "codeplan daemon stop", or use --no-daemon`,
        ),
      );
    // A plain timer: a signal with a time limit that only another signal refers to may be collected before it fires.
    const timer = setTimeout(give, HANDSHAKE_MS_MOST);
    signal.addEventListener('abort', give, { once: true });
    end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', give);
    };
  });
  try {
    return await Promise.race([handshake, never]);
  } finally {
    end();
  }
}

function refusalOf(error: unknown, method: string): Error {
  if (error instanceof ServiceError) return error;
  if (error instanceof ResponseError) {
    const data = errorData.safeParse(error.data);
    if (data.success)
      return new ServiceError(data.data.kind, error.message, data.data.files ?? [], data.data.candidates ?? []);
    return new Error(`${method}: ${error.message}`);
  }
  return new ServiceError(
    'daemon',
    `the connection to the daemon broke during ${method}: ${error instanceof Error ? error.message : String(error)}`,
  );
}
