/**
 * An editor for tests: `codeplan lsp` in a process of its own, buffers with versions, and a record
 * of all that the server says.
 */
import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ApplyWorkspaceEditRequest,
  CodeActionRequest,
  CodeLensRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExecuteCommandRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShowDocumentRequest,
  ShowMessageNotification,
  ShowMessageRequest,
  ShutdownRequest,
  StreamMessageWriter,
  TextDocumentEdit,
  type ApplyWorkspaceEditParams,
  type ClientCapabilities,
  type CodeAction,
  type CodeLens,
  type Command,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type ShowMessageRequestParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { messageReader } from '#src/io/process/message-reader.js';
import { eventually } from './eventually.js';
import type { Home } from './program.js';
import { SHOP } from './shop.js';

export const EVERYTHING: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
    codeLens: {},
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } } },
  },
  workspace: {
    applyEdit: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
    codeLens: { refreshSupport: true },
  },
  window: { workDoneProgress: true, showDocument: { support: true } },
  experimental: { codeplan: { version: 1 } },
};

export const asFolder = (path: string): { uri: string; name: string } => ({
  uri: pathToFileURL(path).href,
  name: path,
});

export class LspClient {
  readonly buffers = new Map<string, TextDocument>();
  readonly diagnostics = new Map<string, Diagnostic[]>();
  readonly messages: string[] = [];
  /** Addresses that were to be shown outside. */
  readonly shown: string[] = [];
  readonly applied: ApplyWorkspaceEditParams[] = [];
  /** Choices that were put before the person, who takes the one named so. */
  readonly questions: ShowMessageRequestParams[] = [];
  choose: string | undefined;
  readonly notified: { readonly method: string; readonly params: unknown }[] = [];
  /** Why workspace/applyEdit is refused, if it is; empty: a person took none of it, which has no reason. */
  refuseEdit: string | undefined;
  readonly process: ChildProcessWithoutNullStreams;
  readonly connection: ProtocolConnection;
  stderr = '';

  constructor(
    home: Home,
    private readonly root: string,
    ...args: string[]
  ) {
    this.process = home.start(root, 'lsp', ...args);
    this.process.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.connection = createProtocolConnection(
      messageReader(this.process.stdout),
      new StreamMessageWriter(this.process.stdin),
    );
    this.connection.onNotification(
      PublishDiagnosticsNotification.type,
      ({ uri, diagnostics }) => void this.diagnostics.set(uri, diagnostics),
    );
    this.connection.onNotification(ShowMessageNotification.type, ({ message }) => void this.messages.push(message));
    this.connection.onUnhandledNotification(({ method, params }) => void this.notified.push({ method, params }));
    this.connection.onRequest(ApplyWorkspaceEditRequest.type, (params) => this.apply(params));
    this.connection.onRequest('workspace/codeLens/refresh', () => {
      this.notified.push({ method: 'workspace/codeLens/refresh', params: undefined });
      return null;
    });
    this.connection.onRequest('window/workDoneProgress/create', () => null);
    this.connection.onRequest(ShowMessageRequest.type, (params) => {
      this.questions.push(params);
      return params.actions?.find(({ title }) => title === this.choose) ?? null;
    });
    this.connection.onRequest(ShowDocumentRequest.type, ({ uri }) => ({ success: this.shown.push(uri) > 0 }));
    this.connection.listen();
  }

  async initialize(
    capabilities: ClientCapabilities = EVERYTHING,
    folders: readonly string[] = [this.root],
  ): Promise<InitializeResult> {
    const result = await this.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- older editors send the root in this way only
      rootUri: folders.length === 0 ? null : pathToFileURL(this.root).href,
      workspaceFolders: folders.map(asFolder),
      capabilities,
    });
    await this.connection.sendNotification(InitializedNotification.type, {});
    return result;
  }

  uri(path: string): string {
    return pathToFileURL(join(this.root, path)).href;
  }

  async open(path: string, text: string): Promise<void> {
    const uri = this.uri(path);
    this.buffers.set(uri, TextDocument.create(uri, 'python', 1, text));
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'python', version: 1, text },
    });
  }

  /** Types `text` over the first `old` in the buffer. */
  async replace(path: string, old: string, text: string): Promise<void> {
    const buffer = this.buffer(path);
    const start = buffer.getText().indexOf(old);
    assert.notEqual(start, -1, `${old} in ${path}`);
    await this.change(buffer, [
      { range: { start: buffer.positionAt(start), end: buffer.positionAt(start + old.length) }, text },
    ]);
  }

  /**
   * Waits for the index, opens store and job of a folder relative to the root, renames the method in the buffer,
   * and waits for the hint.
   */
  async renameStore(folder = '.'): Promise<void> {
    const [store, job] = [join(folder, 'store.py'), join(folder, 'job.py')];
    await this.open(store, SHOP['store.py']);
    await this.open(job, SHOP['job.py']);
    // The baseline is the state before the edit; the first index has to stand by then.
    await eventually(
      'the index',
      async () =>
        (await this.connection.sendRequest<{ state: string }>('codeplan/status', {})).state === 'ready' || undefined,
    );
    await this.replace(store, 'put', 'insert');
    await eventually(`the hint in ${job}`, () => this.hints(job).length > 0 || undefined);
  }

  async close(path: string): Promise<void> {
    this.buffers.delete(this.uri(path));
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri: this.uri(path) },
    });
  }

  text(path: string): string {
    return this.buffer(path).getText();
  }

  hints(path: string): Diagnostic[] {
    return this.diagnostics.get(this.uri(path)) ?? [];
  }

  async lenses(path: string): Promise<CodeLens[]> {
    return (await this.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri: this.uri(path) } })) ?? [];
  }

  async actions(path: string, line: number, character: number, only?: string[]): Promise<(CodeAction | Command)[]> {
    const position = { line, character };
    return (
      (await this.connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri: this.uri(path) },
        range: { start: position, end: position },
        context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
      })) ?? []
    );
  }

  execute(command: string, argument: object = {}): Promise<unknown> {
    return this.connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
  }

  async quit(): Promise<number | null> {
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    this.process.stdin.end();
    return this.exited();
  }

  exited(): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null)
      return Promise.resolve(this.process.exitCode);
    return new Promise((resolve) => this.process.once('exit', (code) => resolve(code)));
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }

  private buffer(path: string): TextDocument {
    const buffer = this.buffers.get(this.uri(path));
    assert.ok(buffer, `${path} is open`);
    return buffer;
  }

  private async change(
    buffer: TextDocument,
    contentChanges: {
      range: { start: { line: number; character: number }; end: { line: number; character: number } };
      text: string;
    }[],
  ): Promise<void> {
    const version = buffer.version + 1;
    this.buffers.set(buffer.uri, TextDocument.update(buffer, contentChanges, version));
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: buffer.uri, version },
      contentChanges,
    });
  }

  private async apply(params: ApplyWorkspaceEditParams): Promise<{ applied: boolean; failureReason?: string }> {
    this.applied.push(params);
    if (this.refuseEdit !== undefined)
      return { applied: false, ...(this.refuseEdit === '' ? {} : { failureReason: this.refuseEdit }) };
    for (const change of params.edit.documentChanges ?? []) {
      if (!TextDocumentEdit.is(change)) continue;
      const buffer = this.buffers.get(change.textDocument.uri);
      if (buffer === undefined) continue;
      assert.equal(change.textDocument.version, buffer.version);
      const text = TextDocument.applyEdits(
        buffer,
        change.edits.map((edit) => ({ range: edit.range, newText: 'newText' in edit ? edit.newText : '' })),
      );
      // The answer goes out before the changes are told, as editors with a queue of changes do.
      setTimeout(
        () =>
          void this.change(buffer, [
            { range: { start: buffer.positionAt(0), end: buffer.positionAt(Number.MAX_SAFE_INTEGER) }, text },
          ]),
        30,
      );
    }
    return Promise.resolve({ applied: true });
  }
}
