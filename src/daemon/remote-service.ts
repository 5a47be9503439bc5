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
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import type { z } from 'zod';
import { errorData } from '#protocol/errors.js';
import { METHODS, type ParamsOf, type ResultOf } from '#protocol/methods.js';
import { PROTOCOL_VERSION, type QuestionName } from '#protocol/names.js';
import {
  handshakeResult,
  stopResult,
  type HandshakeParams,
  type HandshakeResult,
  type StopResult,
  type TextParams,
} from '#protocol/session.js';
import { NamedQuestions } from '../engine/named-questions.js';
import { ServiceError, type Call, type ChangedBy, type Service } from '../engine/service.js';
import { messageReader } from '../io/process/message-reader.js';
import type { BuildIdentity } from '../io/process/build-identity.js';

interface WorkDone {
  readonly kind: 'begin' | 'report' | 'end';
  readonly message?: string;
  readonly percentage?: number;
}

/**
 * One that is busy looks up from its work every few milliseconds. In turns of our own: a client without a processor has
 * not listened.
 */
const HANDSHAKE_TURNS_MOST = 100;
const TURN_MS = 100;

const progressType = new ProgressType<WorkDone>();

export class RemoteService extends NamedQuestions implements Service {
  private readonly listeners = new Set<(by: ChangedBy) => void>();
  private readonly broken: Promise<never>;
  private tokens = 0;
  private isOpen = true;

  private constructor(
    private readonly connection: MessageConnection,
    private readonly socket: Socket,
    readonly daemon: HandshakeResult,
  ) {
    super();
    this.broken = new Promise((_resolve, reject) =>
      connection.onClose(() => {
        this.isOpen = false;
        reject(
          new ServiceError(
            'daemon',
            'the daemon ended before it answered; see "codeplan daemon logs", or use --no-daemon',
          ),
        );
      }),
    );
    // Whoever waits for an answer hears of it; with nobody waiting it is no news.
    this.broken.catch(() => undefined);
    connection.onNotification('codeplan/viewChanged', () => {
      // The daemon does not say what it was.
      for (const listener of this.listeners) listener('others');
    });
  }

  /** Shakes hands. Throws ServiceError: version, daemon; or the reason of `signal`, once it is aborted. */
  static async over(
    socket: Socket,
    build: BuildIdentity,
    client: HandshakeParams['client'],
    signal: AbortSignal,
  ): Promise<RemoteService> {
    const connection = createMessageConnection(messageReader(socket), new StreamMessageWriter(socket));
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

  async ask<M extends QuestionName>(method: M, params: ParamsOf<M>, call: Call): Promise<ResultOf<M>> {
    // A table indexed by a name that is not known yet loses the tie between method and schema.
    const schema = METHODS[method].result as unknown as z.ZodType<ResultOf<M>>;
    return schema.parse(await this.request(method, params, call));
  }

  /** Asks the daemon to end. */
  async stop(call: Call): Promise<StopResult> {
    return stopResult.parse(await this.request('codeplan/stop', {}, call));
  }

  setText(file: string, text: string, version: number): void {
    this.tell('codeplan/text', { file, text, version } satisfies TextParams);
  }
  closeText(file: string): void {
    this.tell('codeplan/text', { file } satisfies TextParams);
  }
  settle(): void {
    this.tellAsRequest('codeplan/settle', {});
  }
  unsettle(): void {
    this.tellAsRequest('codeplan/settle', { back: true });
  }

  onChanged(listener: (by: ChangedBy) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): Promise<void> {
    this.isOpen = false;
    this.connection.dispose();
    // A daemon that is busy would be waited for: it hangs up late.
    this.socket.end(() => this.socket.destroy());
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
  private tell(method: string, params: object): void {
    if (this.isOpen)
      this.connection.sendNotification(method, ParameterStructures.byName, params).catch(() => undefined);
  }
  private tellAsRequest(method: string, params: object): void {
    if (this.isOpen) this.connection.sendRequest(method, params).catch(() => undefined);
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
          `the daemon did not answer within ${(HANDSHAKE_TURNS_MOST * TURN_MS) / 1000} s; run "codeplan ` +
            'daemon stop", or use --no-daemon',
        ),
      );
    // A plain timer: a signal with a time limit that only another signal refers to may be collected before it fires.
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns === HANDSHAKE_TURNS_MOST) give();
    }, TURN_MS);
    signal.addEventListener('abort', give, { once: true });
    end = (): void => {
      clearInterval(timer);
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
