/** An editor for measuring: `codeplan lsp` on a root, texts that are changed, and what is published of them. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  WorkDoneProgressCreateRequest,
  StreamMessageWriter,
  type Diagnostic,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { messageReader } from '#src/io/process/message-reader.js';

const PROGRAM = fileURLToPath(new URL('../cli/main.js', import.meta.url));

export class EditorClient {
  /** Called with a path whenever its hints are published. */
  onHints: (path: string, hints: readonly Diagnostic[], version: number | undefined) => void = () => undefined;
  /** Called whenever work says how far it is. */
  onProgress: () => void = () => undefined;
  readonly connection: ProtocolConnection;
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly documents = new Map<string, TextDocument>();

  constructor(
    private readonly root: string,
    environment: NodeJS.ProcessEnv,
  ) {
    this.process = spawn(process.execPath, [PROGRAM, 'lsp'], { cwd: root, env: environment });
    this.process.stderr.pipe(process.stderr);
    this.connection = createProtocolConnection(
      messageReader(this.process.stdout),
      new StreamMessageWriter(this.process.stdin),
    );
    this.connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics, version }) =>
      this.onHints(fileURLToPath(uri).slice(root.length + 1), diagnostics, version),
    );
    this.connection.onRequest(WorkDoneProgressCreateRequest.type, () => undefined);
    this.connection.onNotification('$/progress', () => this.onProgress());
    this.connection.listen();
  }

  /** Resolves when the index stands. */
  async start(): Promise<void> {
    await this.greet();
    await this.ready();
  }

  async greet(): Promise<void> {
    await this.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid, // eslint-disable-next-line @typescript-eslint/no-deprecated -- it has to be there
      rootUri: null,
      capabilities: {
        window: { workDoneProgress: true },
        workspace: { applyEdit: true },
        textDocument: { publishDiagnostics: { versionSupport: true } },
      },
      workspaceFolders: [{ uri: pathToFileURL(this.root).href, name: 'bench' }],
    });
    await this.connection.sendNotification(InitializedNotification.type, {});
  }

  async ready(): Promise<void> {
    while ((await this.status()).state !== 'ready') await new Promise((resolve) => setTimeout(resolve, 100));
  }

  status(): Promise<{
    readonly state: string;
    readonly pid: number;
    readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
  }> {
    return this.connection.sendRequest('codeplan/status', {});
  }

  async open(path: string, text: string): Promise<void> {
    const document = TextDocument.create(this.uri(path), 'text', 1, text);
    this.documents.set(path, document);
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: document.uri, languageId: 'text', version: 1, text },
    });
  }

  isOpen(path: string): boolean {
    return this.documents.has(path);
  }

  /** Sends what differs; gives the version that the text has now. */
  change(path: string, text: string): Promise<number> {
    return this.typing(path, text)();
  }

  /** The same, ready to be sent: an editor knows what was typed without a look at the whole text. */
  typing(path: string, text: string): () => Promise<number> {
    const known = this.documents.get(path);
    if (known === undefined) throw new Error(`${path} is not open`);
    const before = known.getText();
    let start = 0;
    while (start < before.length && start < text.length && before[start] === text[start]) start++;
    let same = 0;
    while (
      same < before.length - start &&
      same < text.length - start &&
      before[before.length - 1 - same] === text[text.length - 1 - same]
    )
      same++;
    const version = known.version + 1;
    const contentChanges = [
      {
        range: { start: known.positionAt(start), end: known.positionAt(before.length - same) },
        text: text.slice(start, text.length - same),
      },
    ];
    this.documents.set(path, TextDocument.update(known, contentChanges, version));
    return async () => {
      await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri: known.uri, version },
        contentChanges,
      });
      return version;
    };
  }

  async close(path: string): Promise<void> {
    this.documents.delete(path);
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri: this.uri(path) },
    });
  }

  async quit(): Promise<void> {
    const exited = once(this.process, 'exit');
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    this.process.stdin.end();
    await exited;
  }

  private uri(path: string): string {
    return pathToFileURL(join(this.root, path)).href;
  }
}
