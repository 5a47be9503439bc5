/**
 * An editor with several folders on one connection: each root has a server of its own, and what the
 * editor says goes to the one that it is about.
 *
 *     editor ──► a document's URI says which ──► server of that root
 *            ──► no URI (a command, a request of ours) ──► server of the document that was last touched
 *            ──► about all of them (shutdown, files, a cancelled request) ──► every server
 *     server ──► its requests are numbered anew, since two servers count alike ──► editor
 *
 * A folder that comes later gets the greeting that the editor gave, with itself as the folder.
 * Two folders of one root share its server; documents outside of all folders go to the first one.
 * An editor that has no folder is served in the repository of the document that it opens first. A
 * server that ends while others go on is started anew when it is spoken to again.
 */
import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { LSPErrorCodes, type RequestMessage } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import * as z from 'zod';
import { shownText } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { EarlyChanges } from './early-changes.js';
import { framed, messagesOf, record } from './first-message.js';
import { below, filePath } from './paths-and-uris.js';

export interface FolderHosts {
  /** The root that a folder belongs to. Throws ServiceError: root. */
  rootOf(folder: string): Promise<string>;
  /** The repository around a folder, if there is one. Throws ServiceError: root. */
  repositoryOf(folder: string): Promise<string | undefined>;
  /** Serves a root with these streams until the server ends; then `output` is to end. */
  serve(root: string, input: PassThrough, output: PassThrough): void;
}

interface Server {
  readonly root: string;
  /** Tells its requests from those of others. */
  readonly number: number;
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** The folder that it was greeted with. */
  readonly uri: string;
  /** As the editor spells them. */
  readonly folders: Set<string>;
}

const aboutDocument = z.object({ textDocument: z.object({ uri: z.string() }) });
const openedDocument = z.object({
  textDocument: z.object({ uri: z.string(), languageId: z.string(), version: z.int(), text: z.string() }),
});
const position = z.object({ line: z.int(), character: z.int() });
const changedDocument = z.object({
  textDocument: z.object({ version: z.int() }),
  contentChanges: z.array(
    z.object({ range: z.object({ start: position, end: position }).optional(), text: z.string() }),
  ),
});
const folderList = z.array(z.looseObject({ uri: z.string() }));
const changedFolders = z.object({ event: z.object({ added: folderList, removed: folderList }) });
const FOR_ALL = new Set<unknown>([
  'initialized',
  'shutdown',
  'exit',
  '$/cancelRequest',
  '$/setTrace',
  'window/workDoneProgress/cancel',
  'workspace/didChangeConfiguration',
  'workspace/didCreateFiles',
  'workspace/didRenameFiles',
  'workspace/didDeleteFiles',
]);
/** A server that ends again and again would be started with every key. */
const RESTARTS_MOST = 3;
/** LSP's MessageType. */
const ERROR = 1;

export class SeveralFolders {
  private servers: Server[] = [];
  /** Those that ended by themselves, and are to be started anew. */
  private readonly ended = new Set<Server>();
  private readonly restarts = new Map<string, number>();
  /** What is open, for a server that is started anew. */
  private readonly early = new EarlyChanges();
  private readonly documents = new Map<string, TextDocument>();
  private isWithoutFolder = false;
  private opened = 0;
  private readonly listening: Promise<void>[] = [];
  private latest: Server | undefined;
  private greeting: Record<string, unknown> = {};
  private isInitialized = false;
  private isExiting = false;
  /** How many servers are still to answer, by the editor's id. */
  private readonly shutdowns = new Map<unknown, number>();
  private lost: () => void = () => undefined;

  constructor(
    private readonly hosts: FolderHosts,
    private readonly output: NodeJS.WritableStream,
  ) {}

  /** Resolves when the editor ends, or its last server does; true if it was the editor. */
  run(input: AsyncIterable<unknown>): Promise<boolean> {
    const lost = new Promise<boolean>((resolve) => (this.lost = () => resolve(this.isExiting)));
    return Promise.race([lost, this.follow(input)]);
  }

  private async follow(input: AsyncIterable<unknown>): Promise<true> {
    for await (const { message, bytes } of messagesOf(input)) await this.fromEditor(message, bytes);
    this.isExiting = true;
    for (const server of this.servers) server.input.end();
    await Promise.all(this.listening);
    return true;
  }

  private async fromEditor(message: Record<string, unknown>, bytes: Buffer): Promise<void> {
    const { method, params, id } = message;
    if (method === 'initialize') {
      this.greeting = message;
      const folders = folderList.catch([]).parse(record(params)['workspaceFolders']);
      this.isWithoutFolder = folders.length === 0;
      for (const { uri } of folders) await this.add(uri);
    } else if (method === 'workspace/didChangeWorkspaceFolders') {
      const { event } = changedFolders.catch({ event: { added: [], removed: [] } }).parse(params);
      for (const { uri } of event.added) await this.add(uri);
      for (const { uri } of event.removed) this.remove(uri);
    } else if (FOR_ALL.has(method)) {
      this.isInitialized ||= method === 'initialized';
      this.isExiting ||= method === 'exit';
      if (method === 'shutdown') this.shutdowns.set(id, this.servers.length);
      for (const server of this.servers) server.input.write(bytes);
      if (this.servers.length === 0) this.answerWithout(id);
    } else if (method === undefined) {
      this.passAnswer(message);
    } else {
      if (method === 'textDocument/didOpen' && this.isWithoutFolder && this.servers.length === 0)
        await this.addRepositoryOf(uriIn(params));
      const server = this.serverFor(params);
      if (server === undefined) this.answerWithout(id);
      else server.input.write(bytes);
      this.remember(method, params);
    }
  }

  /** Behind what the server is told, which may be started with what was open before. */
  private remember(method: unknown, params: unknown): void {
    const uri = uriIn(params) ?? '';
    const known = this.documents.get(uri);
    if (method === 'textDocument/didOpen') {
      const opened = openedDocument.safeParse(params).data?.textDocument;
      if (opened === undefined) return;
      const document = TextDocument.create(uri, opened.languageId, opened.version, opened.text);
      for (const { version, changes } of this.early.after(uri, opened.version))
        TextDocument.update(document, changes, version);
      this.documents.set(uri, document);
    } else if (method === 'textDocument/didChange') {
      const changed = changedDocument.safeParse(params).data;
      if (changed === undefined) return;
      const { version } = changed.textDocument;
      const changes = changed.contentChanges.map(({ range, text }) =>
        range === undefined ? { text } : { range, text },
      );
      if (known === undefined) this.early.note(uri, { version, changes });
      else TextDocument.update(known, changes, version);
    } else if (method === 'textDocument/didClose') this.documents.delete(uri);
  }

  private async addRepositoryOf(uri: string | undefined): Promise<void> {
    const file = uri === undefined ? undefined : filePath(uri);
    const repository =
      file === undefined
        ? undefined
        : await this.hosts.repositoryOf(dirname(file)).catch((error: unknown) => {
            // A document in a folder that is still to be made.
            if (error instanceof ServiceError) return undefined;
            throw error;
          });
    if (repository !== undefined) await this.add(pathToFileURL(repository).href);
  }

  private async add(uri: string): Promise<void> {
    const folder = filePath(uri);
    if (folder === undefined) return;
    try {
      const root = await this.hosts.rootOf(folder);
      const known = this.servers.find((server) => server.root === root);
      if (known === undefined) this.open(root, folder, uri);
      else known.folders.add(folder);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.output.write(
        framed({
          method: 'window/showMessage',
          params: { type: ERROR, message: shownText(`codeplan: ${error.message}`) },
        }),
      );
    }
  }

  private open(root: string, folder: string, uri: string): Server {
    const server: Server = {
      root,
      number: this.opened++,
      input: new PassThrough(),
      output: new PassThrough(),
      uri,
      folders: new Set([folder]),
    };
    this.servers.push(server);
    this.hosts.serve(root, server.input, server.output);
    const params = {
      ...record(this.greeting['params']),
      rootUri: uri,
      rootPath: folder,
      workspaceFolders: [{ uri, name: folder }],
    };
    server.input.write(framed({ ...this.greeting, params }));
    if (this.isInitialized) server.input.write(framed({ method: 'initialized', params: {} }));
    this.listening.push(this.listen(server));
    return server;
  }

  private openAgain(server: Server): Server {
    const again = this.open(server.root, filePath(server.uri) ?? server.root, server.uri);
    for (const folder of server.folders) again.folders.add(folder);
    for (const document of this.documents.values()) {
      const { uri, languageId, version } = document;
      if (this.holderOf(uri) === again)
        again.input.write(
          framed({
            method: 'textDocument/didOpen',
            params: { textDocument: { uri, languageId, version, text: document.getText() } },
          }),
        );
    }
    return again;
  }

  private remove(uri: string): void {
    const folder = filePath(uri);
    const server = [...this.servers, ...this.ended].find(
      ({ folders }) => folder !== undefined && folders.delete(folder),
    );
    if (server?.folders.size !== 0 || this.ended.delete(server)) return;
    this.servers = this.servers.filter((other) => other !== server);
    server.input.end(framed({ method: 'exit' }));
  }

  /** The one whose folder holds the document; without a document the one before. One that has ended is started anew. */
  private serverFor(params: unknown): Server | undefined {
    const uri = uriIn(params);
    if (uri !== undefined && filePath(uri) !== undefined) this.latest = this.holderOf(uri);
    if (this.latest !== undefined && this.ended.delete(this.latest)) this.latest = this.openAgain(this.latest);
    return this.servers.find((server) => server === this.latest) ?? this.servers[0];
  }

  /** The server of the nearest folder that holds a document. */
  private holderOf(uri: string): Server | undefined {
    const file = filePath(uri);
    if (file === undefined) return undefined;
    const holding = [...this.servers, ...this.ended].flatMap((server) =>
      [...server.folders]
        .filter((folder) => below(folder, file) !== undefined)
        .map((folder) => ({ server, length: folder.length })),
    );
    return holding.sort((a, b) => b.length - a.length)[0]?.server;
  }

  private answerWithout(id: unknown): void {
    if (id !== undefined)
      this.output.write(
        framed({
          id,
          error: { code: LSPErrorCodes.RequestFailed, message: 'no folder is open that codeplan could serve' },
        }),
      );
  }

  private passAnswer(message: Record<string, unknown>): void {
    const [, number, own] = /^(\d+) (.*)$/u.exec(String(message['id'])) ?? [];
    const server = this.servers.find((one) => String(one.number) === number);
    if (own !== undefined) server?.input.write(framed({ ...message, id: JSON.parse(own) as RequestMessage['id'] }));
  }

  private async listen(server: Server): Promise<void> {
    const hinted = new Set<unknown>();
    for await (const { message, bytes } of messagesOf(server.output)) {
      const { id, method, params } = message;
      if (method === 'textDocument/publishDiagnostics') hinted.add(record(params)['uri']);
      if (method === undefined && this.isAwaited(id)) continue;
      this.output.write(
        method === undefined || id === undefined
          ? bytes
          : framed({ ...message, id: `${server.number} ${JSON.stringify(id)}` }),
      );
    }
    // Its hints would stay in the editor for ever.
    if (!this.isExiting)
      for (const uri of hinted)
        this.output.write(framed({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: [] } }));
    const isLost = this.servers.includes(server);
    this.servers = this.servers.filter((other) => other !== server);
    if (!isLost) return;
    const restarts = this.restarts.get(server.root) ?? 0;
    this.restarts.set(server.root, restarts + 1);
    if (restarts < RESTARTS_MOST) this.ended.add(server);
    // With none left the editor hears of it, and starts all of us anew.
    if (this.servers.length === 0) this.lost();
  }

  /** Whether other servers are still to answer as well: the editor asked once, and hears of the last one. */
  private isAwaited(id: unknown): boolean {
    const waiting = this.shutdowns.get(id);
    if (waiting === undefined) return false;
    this.shutdowns.set(id, waiting - 1);
    return waiting > 1;
  }
}

/** The document that a message is about. */
function uriIn(params: unknown): string | undefined {
  const parsed = aboutDocument.safeParse(params);
  return parsed.success ? parsed.data.textDocument.uri : undefined;
}
