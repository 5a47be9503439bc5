/**
 * A language server as a child process, spoken to as LSP has it: started, given texts, asked, ended.
 *
 *     start ──► initialize ──► open / close texts, request, notifications ──► shutdown, exit, kill
 *
 * What goes to it is positions and texts of the repository, nothing else. It is not trusted to
 * behave: every wait has an end, what it writes beside messages ends it, and when it is gone every
 * open request is answered with why. Whatever it started goes with it. What it asks of its client
 * (edits, messages, registrations) is refused or left without effect.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageWriter, type MessageConnection } from 'vscode-jsonrpc/node';
import type { ServerReply } from '../../engine/effects.js';
import { messageReader } from '../process/message-reader.js';
import { killGroup, signalGroup, startFailure, toolEnvironment } from '../process/tool-process.js';

export interface LanguageServerOptions {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly string[];
  /** A real path: the server's working directory and its only workspace folder. */
  readonly root: string;
  /** The environment of the person who asks; keys for models are withheld. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The repository's real path: `root` itself, or what `root` is a copy of. */
  readonly repository: string;
  /** Whether programs that lie in the repository may be run. */
  readonly ownTools: boolean;
  /** What the person wants it to be told, in the server's own words. */
  readonly initializationOptions?: unknown;
  /** Longest wait for any one answer. */
  readonly timeoutMs: number;
}

/** How long an orderly end may take before the process is killed. */
const FAREWELL_MS = 1000;
/** How long after its output a process may live on. */
const ENDING_MS = 500;
/** How much of what it said on standard error is told when it ends. */
const LAST_WORDS_MAX = 500;

/** A client that only asks: it applies nothing, shows nothing and watches nothing. */
const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  workspace: { workspaceFolders: true, configuration: false, applyEdit: false },
  textDocument: {
    synchronization: {},
    references: {},
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    callHierarchy: {},
    typeHierarchy: {},
    diagnostic: { dynamicRegistration: false, relatedDocumentSupport: false },
    publishDiagnostics: { relatedInformation: false, versionSupport: true },
  },
};

export class LanguageServer {
  /** As messages call it. */
  readonly name: string;
  private readonly connection: MessageConnection;
  private readonly gone: Promise<string>;
  private end: (why: string) => void = () => undefined;
  private failure: string | undefined;
  private lastWords = '';
  private said: unknown;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly options: LanguageServerOptions,
  ) {
    this.name = options.command[0] as string;
    this.gone = new Promise((resolve) => {
      this.end = (why) => {
        this.failure ??= why;
        resolve(this.failure);
      };
    });
    child.on('error', (error) => this.end(startFailure(this.name, error, 'name another language server').message));
    child.on('close', (code, signal) =>
      this.end(
        `${this.name} ended ` +
          (signal === null ? `with code ${code}` : `by ${signal}`) +
          (this.lastWords.trim() === '' ? '' : `; it said last: ${this.lastWords.trim()}`),
      ),
    );
    child.stderr.on(
      'data',
      (chunk: Buffer) => (this.lastWords = (this.lastWords + chunk.toString('utf8')).slice(-LAST_WORDS_MAX)),
    );
    // A write after its end is told by `close`.
    child.stdin.on('error', () => undefined);
    this.connection = createMessageConnection(messageReader(child.stdout), new StreamMessageWriter(child.stdin));
    this.connection.onError(([error]) => this.break(`${this.name} does not speak the protocol: ${error.message}`));
    // Mostly it is about to end, and its code says more.
    this.connection.onClose(
      () => void setTimeout(() => this.break(`${this.name} closed the connection`), ENDING_MS).unref(),
    );
    this.answerItsRequests();
    this.connection.listen();
  }

  /** Started and initialised. Rejects only with the reason of `signal`. */
  static async start(options: LanguageServerOptions, signal: AbortSignal): Promise<ServerReply<LanguageServer>> {
    signal.throwIfAborted();
    const [program, ...args] = options.command;
    if (program === undefined) return { ok: false, message: 'the language server has no command' };
    const child = spawn(program, args, {
      cwd: options.root,
      env: toolEnvironment({ ...options, directory: options.root }),
      detached: true,
      stdio: 'pipe',
      windowsHide: true,
    });
    const server = new LanguageServer(child, options);
    const uri = pathToFileURL(options.root).href;
    const ready = await server.request(
      'initialize',
      {
        processId: process.pid,
        clientInfo: { name: 'codeplan' },
        rootUri: uri,
        workspaceFolders: [{ uri, name: 'repository' }],
        capabilities: CAPABILITIES,
        ...(options.initializationOptions === undefined
          ? {}
          : { initializationOptions: options.initializationOptions }),
      },
      signal,
    );
    if (!ready.ok) {
      await server.stop();
      return ready;
    }
    server.said = ready.value;
    server.notify('initialized', {});
    return { ok: true, value: server };
  }

  /** As it named them at its start; nobody has looked at their form. */
  get capabilities(): unknown {
    return typeof this.said === 'object' && this.said !== null && 'capabilities' in this.said
      ? this.said.capabilities
      : undefined;
  }

  /** Why it is gone; undefined while it is there. */
  get ended(): string | undefined {
    return this.failure;
  }

  /** Gives it a text, which hides the one on the disk. */
  open(uri: string, languageId: string, text: string): void {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  /** The text on the disk counts again. */
  close(uri: string): void {
    this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  /** Calls back with the parameters of every notification of the kind. */
  onNotification(method: string, listener: (params: unknown) => void): void {
    this.connection.onNotification(method, listener);
  }

  /** Rejects only with the reason of `signal`. The answer is as it came: nobody has looked at its form. */
  async request(method: string, params: unknown, signal: AbortSignal): Promise<ServerReply<unknown>> {
    signal.throwIfAborted();
    if (this.failure !== undefined) return { ok: false, message: this.failure };
    const settled = new AbortController();
    const given = (ms: number): Promise<ServerReply<unknown>> =>
      new Promise((resolve) => {
        const timer = setTimeout(
          () =>
            resolve({
              ok: false,
              message: `${this.name} did not answer ${method} within ${Math.round(ms / 100) / 10} s`,
            }),
          ms,
        );
        settled.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      });
    const aborted = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: settled.signal }),
    );
    const answered = this.connection.sendRequest(method, params).then(
      (value: unknown): ServerReply<unknown> => ({ ok: true, value }),
      (error: unknown): ServerReply<unknown> => ({
        ok: false,
        message: `${this.name} refused ${method}: ${error instanceof Error ? error.message : String(error)}`,
      }),
    );
    const ended = this.gone.then((message): ServerReply<unknown> => ({ ok: false, message }));
    try {
      return await Promise.race([answered, ended, given(this.options.timeoutMs), aborted]);
    } finally {
      settled.abort();
    }
  }

  /** Ends it and all that it started, in order if it still listens. Resolves when it is gone. */
  async stop(): Promise<void> {
    if (this.failure === undefined) {
      const farewell = this.request('shutdown', undefined, AbortSignal.timeout(FAREWELL_MS)).then(
        () => this.notify('exit', undefined),
        () => undefined,
      );
      await farewell;
    }
    this.connection.dispose();
    const running = this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
    if (running) {
      const closed = new Promise<void>((resolve) => this.child.once('close', () => resolve()));
      killGroup(this.child);
      await closed;
    }
    signalGroup(this.child, 'SIGKILL');
  }

  private notify(method: string, params: unknown): void {
    if (this.failure !== undefined) return;
    // Sending fails only when it is gone, which the next request tells.
    this.connection.sendNotification(method, params).catch(() => undefined);
  }

  private break(why: string): void {
    if (this.failure !== undefined) return;
    this.end(why);
    killGroup(this.child);
  }

  private answerItsRequests(): void {
    const uri = pathToFileURL(this.options.root).href;
    this.connection.onRequest('workspace/workspaceFolders', () => [{ uri, name: 'repository' }]);
    this.connection.onRequest(
      'workspace/configuration',
      (params: { readonly items?: readonly unknown[] } | undefined) => (params?.items ?? []).map(() => null),
    );
    this.connection.onRequest('workspace/applyEdit', () => ({ applied: false }));
    for (const method of [
      'client/registerCapability',
      'client/unregisterCapability',
      'window/workDoneProgress/create',
      'window/showMessageRequest',
    ])
      this.connection.onRequest(method, () => null);
  }
}
