/**
 * One connection: a client with its own service, from handshake or `initialize` until it goes.
 *
 *     socket:  codeplan/handshake ──► codeplan/… at any time
 *                                └──► initialize … shutdown, exit: it is an editor as well
 *     stdio in process: the same without the handshake
 *
 * A client that says nonsense gets an answer that says so and keeps its connection, as long as the
 * framing holds; one that vanishes takes its unsaved texts and running requests with it. Nothing
 * that a client does ends the process: vscode-languageserver's own connection would watch the
 * client's process and exit with it, hence the plain protocol connection here.
 */
import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import {
  createProtocolConnection,
  ErrorCodes,
  ExitNotification,
  InitializeRequest,
  MessageType,
  ResponseError,
  ShutdownRequest,
  StreamMessageWriter,
  type Logger,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { PROTOCOL_VERSION } from '#protocol/names.js';
import { reviewParams } from '#protocol/propagate.js';
import { handshakeParams, textParams, type HandshakeParams, type HandshakeResult } from '#protocol/session.js';
import { ServiceError, type Client, type Engine, type Service } from '../engine/service.js';
import type { CancellationToken } from 'vscode-jsonrpc';
import type { BuildIdentity } from '../io/process/build-identity.js';
import type { Log } from '../io/disk/log-file.js';
import { messageReader } from '../io/process/message-reader.js';
import { answer } from './answer.js';
import { initializeResult } from './client-features.js';
import { BoundedFrames } from './bounded-frames.js';
import { CODEPLAN_METHODS } from './codeplan-methods.js';
import { EditorSession } from './editor-session.js';
import { LatestPlan, livePlan } from './latest-plan.js';
import { PageServer } from './page-server.js';
import { RequestProgress, takeToken } from './request-progress.js';

/** Time for an answer to get out before the process that gave it ends. */
const ANSWER_MS = 50;

export interface SessionOptions {
  readonly id: string;
  readonly engine: Engine;
  readonly build: BuildIdentity;
  readonly root: string;
  readonly log: Log;
  readonly logFile: string;
  /** Who is on the other side, where that is known without a handshake. */
  readonly client: Omit<Client, 'id'> | undefined;
  /** The client asked for the process to end. */
  readonly stop: () => void;
}

export class Session {
  private readonly connection: ProtocolConnection;
  private readonly progress: RequestProgress;
  private readonly plan = new LatestPlan();
  private readonly page: PageServer;
  private service: Service | undefined;
  private environment: Client['environment'] = {};
  private editor: EditorSession | undefined;
  private unsubscribe: (() => void) | undefined;
  private isShutDown = false;
  private readonly closed = new AbortController();

  constructor(
    private readonly options: SessionOptions,
    private readonly input: NodeJS.ReadableStream,
    output: NodeJS.WritableStream,
  ) {
    const writer = new StreamMessageWriter(output);
    const frames = new BoundedFrames();
    // The connection hears of the failure; here it only must not be nobody's.
    pipeline(input, frames, () => undefined);
    this.connection = createProtocolConnection(messageReader(frames), writer, loggerFor(options.log));
    this.progress = new RequestProgress(this.connection);
    this.page = new PageServer(livePlan(this.plan, basename(options.root), (said) => this.reviewed(said)));
    if (options.client !== undefined) this.connect(options.client);
    this.connection.onError(([error]) => {
      options.log('warn', 'connection', { client: options.id, error: error.message });
      // JSON-RPC answers what is no JSON with an error for no request in particular. Broken framing has no next
      // message.
      if (error instanceof SyntaxError)
        writer
          .write({
            jsonrpc: '2.0',
            id: null,
            error: { code: ErrorCodes.ParseError, message: `a message is no JSON: ${error.message}` },
          } as never)
          .catch(() => this.end());
      else if (/header|content-length/iu.test(error.message)) this.end();
    });
    this.connection.onClose(() => this.end());
    this.answerHandshake();
    this.answerCodeplan();
    this.answerLifecycle();
    this.connection.listen();
  }

  /** Resolves when the client is gone and its service closed. */
  get ended(): Promise<void> {
    return new Promise((resolve) => {
      if (this.closed.signal.aborted) resolve();
      else this.closed.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Tells an editor's person. */
  say(message: string): void {
    this.editor?.say(MessageType.Error, message);
  }

  end(): void {
    if (this.closed.signal.aborted) return;
    this.closed.abort(new Error('the client is gone'));
    this.unsubscribe?.();
    this.editor?.close();
    this.page.close();
    this.connection.dispose();
    if (this.input instanceof Readable) this.input.destroy();
    this.service?.close().catch((error: unknown) => this.options.log('error', 'close', { error: String(error) }));
  }

  private connect(client: Omit<Client, 'id'>): Service {
    this.environment = client.environment;
    this.service = this.options.engine.connect({ ...client, id: this.options.id });
    return this.service;
  }

  /** What the person said on the page; an editor that shows the plan hears of it. */
  private async reviewed(said: unknown): Promise<void> {
    const call = { signal: this.closed.signal, progress: () => undefined };
    const report = this.plan.came(await this.connected().ask('codeplan/review', reviewParams.parse(said), call));
    this.editor?.reviewed(report);
  }

  private answerHandshake(): void {
    const { log, build, root, logFile } = this.options;
    this.connection.onRequest('codeplan/handshake', (params: unknown, token: CancellationToken) =>
      answer('codeplan/handshake', token, log, (): HandshakeResult => {
        const asked = handshakeParams.parse(params);
        this.accept(asked);
        return {
          protocol: PROTOCOL_VERSION,
          version: build.version,
          build: build.stamp,
          pid: process.pid,
          root,
          log: logFile,
        };
      }),
    );
  }

  private accept(asked: HandshakeParams): void {
    const { build, log, id } = this.options;
    if (asked.protocol !== PROTOCOL_VERSION || asked.build !== build.stamp) {
      throw new ServiceError(
        'version',
        `this daemon is codeplan ${build.version} (build ${build.stamp}, protocol ${PROTOCOL_VERSION}); the ` +
          `client is ${asked.version} (build ${asked.build}, protocol ${asked.protocol}): run "codeplan daemon ` +
          'restart"',
      );
    }
    if (this.service !== undefined) return;
    const { name, workingDirectory, environment } = asked.client;
    const service = this.connect({ name, workingDirectory, environment });
    log('info', 'client', { client: id, name, clientPid: asked.client.pid });
    if (asked.notify === true)
      this.unsubscribe = service.onChanged(
        () => void this.connection.sendNotification('codeplan/viewChanged', {}).catch(() => undefined),
      );
  }

  private answerCodeplan(): void {
    for (const [name, method] of CODEPLAN_METHODS) {
      this.connection.onRequest(name, (params: unknown, token: CancellationToken) =>
        answer(name, token, this.options.log, (signal) => {
          const service = this.connected();
          const { token: progressToken, rest } = takeToken(params);
          const ending = AbortSignal.any([signal, this.closed.signal]);
          return this.progress.run(progressToken, name, ending, (call) =>
            method({ service, plan: this.plan, page: this.page, isEditor: this.editor !== undefined }, rest, call),
          );
        }),
      );
    }
    this.connection.onNotification('codeplan/text', (params: unknown) => {
      const parsed = textParams.safeParse(params);
      if (!parsed.success)
        this.options.log('warn', 'notification', { method: 'codeplan/text', error: parsed.error.message });
      else if (parsed.data.text === undefined) this.service?.closeText(parsed.data.file);
      else this.service?.setText(parsed.data.file, parsed.data.text, parsed.data.version ?? 0);
    });
    this.connection.onRequest('codeplan/stop', (_params: unknown, token: CancellationToken) =>
      answer('codeplan/stop', token, this.options.log, () => {
        this.connected();
        setTimeout(() => this.options.stop(), ANSWER_MS);
        return { pid: process.pid };
      }),
    );
  }

  private answerLifecycle(): void {
    const { connection, options } = this;
    connection.onRequest(InitializeRequest.type, (params, token) =>
      answer('initialize', token, options.log, () => {
        const service = this.connected();
        if (this.editor !== undefined)
          throw new ResponseError(ErrorCodes.InvalidRequest, 'initialize was sent before on this connection');
        this.editor = new EditorSession(
          {
            connection,
            engine: options.engine,
            service,
            plan: this.plan,
            page: this.page,
            progress: this.progress,
            root: options.root,
            environment: { ...this.environment },
            log: options.log,
          },
          params,
        );
        return initializeResult(params, options.build.version);
      }),
    );
    connection.onRequest(ShutdownRequest.type, () => {
      this.isShutDown = true;
      this.editor?.close();
    });
    connection.onNotification(ExitNotification.type, () => {
      options.log('debug', 'exit', { client: options.id, orderly: this.isShutDown });
      this.end();
    });
  }

  private connected(): Service {
    if (this.service === undefined)
      throw new ResponseError(
        ErrorCodes.ServerNotInitialized,
        'the first message on this socket must be codeplan/handshake; editors run "codeplan lsp", which sends it',
      );
    return this.service;
  }
}

function loggerFor(log: Log): Logger {
  return {
    error: (message) => log('warn', 'rpc', { message }),
    warn: (message) => log('warn', 'rpc', { message }),
    info: (message) => log('debug', 'rpc', { message }),
    log: (message) => log('debug', 'rpc', { message }),
  };
}
