/**
 * One client as an editor: from `initialize` on it has documents, hints and commands.
 *
 * Handlers here only unpack parameters and hand them to the part that knows; what a part sends
 * unasked is gated on the client's features.
 */
import {
  CodeActionKind,
  CodeActionRequest,
  CodeActionTriggerKind,
  CodeLensRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidCreateFilesNotification,
  DidDeleteFilesNotification,
  DidOpenTextDocumentNotification,
  DidRenameFilesNotification,
  ErrorCodes,
  ExecuteCommandRequest,
  InitializedNotification,
  MessageType,
  ResponseError,
  ShowDocumentRequest,
  ShowMessageNotification,
  type CancellationToken,
  type CodeAction,
  type CodeActionParams,
  type Command,
  type ExecuteCommandParams,
  type InitializeParams,
  type ProtocolConnection,
  type Range,
} from 'vscode-languageserver/node';
import * as z from 'zod';
import { shownText } from '../base/shown.js';
import { nextParams, type NextReport } from '#protocol/left.js';
import type { Configuration } from '../engine/configuration.js';
import type { ReviewReport } from '#protocol/propagate.js';
import { ServiceError, SETTLED_BASE, type Call, type Engine, type Service } from '../engine/service.js';
import type { Log } from '../io/disk/log-file.js';
import { readSettings } from '../io/settings/settings.js';
import { actionsFor, forClient } from './actions.js';
import { answer } from './answer.js';
import { featuresOf, type ClientFeatures } from './client-features.js';
import { COMMANDS } from './command-names.js';
import { HintBoard } from './hint-board.js';
import { rangeOf } from './hints.js';
import { LatestLeft } from './latest-left.js';
import type { LatestPlan } from './latest-plan.js';
import { OpenDocuments } from './open-documents.js';
import { PathsAndUris } from './paths-and-uris.js';
import type { PageServer } from './page-server.js';
import { EditorPropagation, propagateArgument, refactorArgument } from './propagate-command.js';
import { refactorActions } from './refactor-actions.js';
import type { RequestProgress } from './request-progress.js';

const version = z.literal(1).optional();
const entryArgument = z.strictObject({ id: z.string(), version });
const nextArgument = nextParams.omit({ early: true }).extend({ skip: z.string().optional(), version }).optional();
/** What is read of a client's parameters. */
const NAMED_FILES = z.object({ files: z.array(z.object({ uri: z.string() })) });
const RENAMED_FILES = z.object({ files: z.array(z.object({ oldUri: z.string(), newUri: z.string() })) });

export interface EditorOptions {
  readonly connection: ProtocolConnection;
  readonly engine: Engine;
  readonly service: Service;
  readonly plan: LatestPlan;
  readonly page: PageServer;
  readonly progress: RequestProgress;
  readonly root: string;
  /** The client's own, for its person's settings. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

export class EditorSession {
  readonly features: ClientFeatures;
  private readonly paths: PathsAndUris;
  private readonly documents: OpenDocuments;
  private readonly left: LatestLeft;
  private readonly board: HintBoard;
  private readonly propagation: EditorPropagation;
  private readonly unsubscribe: () => void;
  private unsubscribeNotices: () => void = () => undefined;
  private readonly gone = new AbortController();

  constructor(
    private readonly options: EditorOptions,
    params: InitializeParams,
  ) {
    const { connection, engine, service, plan, root, log } = options;
    this.features = featuresOf(params);
    this.paths = new PathsAndUris(root);
    for (const folder of params.workspaceFolders ?? []) this.paths.adopt(folder.uri);
    this.documents = new OpenDocuments(service, this.paths);
    this.board = new HintBoard(
      connection,
      this.documents,
      this.paths,
      this.features,
      this.hintSettings(params.initializationOptions),
      log,
    );
    this.left = new LatestLeft(
      (asked, call) => service.ask('codeplan/left', asked, call),
      () => engine.expect(),
      (report) => this.board.publish(report),
      (report) => this.board.publishHints(report),
      log,
    );
    this.propagation = new EditorPropagation({
      connection,
      service,
      plan,
      documents: this.documents,
      paths: this.paths,
      features: this.features,
    });
    this.unsubscribe = service.onChanged((by) => (by === 'ownTexts' ? this.left.taken() : this.left.touch()));
    this.followTexts();
    this.followFiles();
    this.answerRequests();
  }

  close(): void {
    this.unsubscribe();
    this.unsubscribeNotices();
    this.gone.abort(new Error('the client is gone'));
    this.left.close();
  }

  /** What the editor says on top of the files; if that does not fit, it is told so and the files hold. */
  private hintSettings(editor: unknown): Configuration['hints'] {
    const { root, environment } = this.options;
    try {
      return readSettings({ realRoot: root, environment, editor }).configuration.hints;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.say(MessageType.Error, error.message);
      return readSettings({ realRoot: root, environment }).configuration.hints;
    }
  }

  say(type: MessageType, message: string): void {
    // A client that has gone needs no message.
    this.options.connection
      .sendNotification(ShowMessageNotification.type, { type, message: shownText(`codeplan: ${message}`) })
      .catch(() => undefined);
  }

  /** Files that the editor itself made, renamed or removed; a watcher may tell it later, or not at all. */
  private followFiles(): void {
    const { connection, engine } = this.options;
    const look = (urisIn: () => readonly string[]): void =>
      this.guarded(() => engine.look(urisIn().flatMap((uri) => this.paths.pathOf(uri) ?? [])));
    const named = (params: unknown): string[] => NAMED_FILES.parse(params).files.map(({ uri }) => uri);
    connection.onNotification(DidCreateFilesNotification.type, (params) => look(() => named(params)));
    connection.onNotification(DidDeleteFilesNotification.type, (params) => look(() => named(params)));
    connection.onNotification(DidRenameFilesNotification.type, (params) =>
      look(() => RENAMED_FILES.parse(params).files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
    );
  }

  private followTexts(): void {
    const { connection } = this.options;
    connection.onNotification(DidOpenTextDocumentNotification.type, (params) =>
      this.guarded(() => {
        this.documents.open(params);
        this.left.touch();
      }),
    );
    connection.onNotification(DidChangeTextDocumentNotification.type, (params) =>
      this.guarded(() => {
        this.documents.change(params);
        this.left.touch();
      }),
    );
    connection.onNotification(DidCloseTextDocumentNotification.type, (params) =>
      this.guarded(() => {
        const closed = this.documents.close(params);
        if (closed !== undefined) this.board.clear(closed);
        this.left.touch();
      }),
    );
  }

  private answerRequests(): void {
    const { connection, engine, log } = this.options;
    // Unasked messages have to wait for the end of the greeting.
    connection.onNotification(InitializedNotification.type, () => {
      this.unsubscribeNotices();
      this.unsubscribeNotices = engine.onNotice((message) => this.say(MessageType.Warning, message));
      this.showIndexing().catch((error: unknown) => log('warn', 'progress', { error: String(error) }));
    });
    connection.onRequest(CodeLensRequest.type, ({ textDocument }, token) =>
      answer('textDocument/codeLens', token, log, () => {
        const path = this.paths.pathOf(textDocument.uri);
        const { report } = this.left;
        return path === undefined || report === undefined ? [] : this.board.lensesIn(path, report);
      }),
    );
    connection.onRequest(CodeActionRequest.type, (params, token) =>
      answer('textDocument/codeAction', token, log, async (signal) => {
        const path = this.paths.pathOf(params.textDocument.uri);
        const { report } = this.left;
        if (path === undefined) return [];
        const known =
          report === undefined ? [] : actionsFor(path, params, report, this.board.hintsIn(path), this.features);
        return [...known, ...(await this.refactorings(path, params, { signal, progress: () => undefined }))];
      }),
    );
    connection.onRequest(ExecuteCommandRequest.type, (params, token) => this.execute(params, token));
  }

  /** Only when the person asks: editors ask by themselves on every move of the cursor. */
  private async refactorings(file: string, params: CodeActionParams, call: Call): Promise<(CodeAction | Command)[]> {
    const { context, range } = params;
    const { only } = context;
    if (context.triggerKind === CodeActionTriggerKind.Automatic) return [];
    if (only?.some((kind) => kind === '' || kind.startsWith(CodeActionKind.Refactor)) === false) return [];
    const { line, character } = range.start;
    try {
      const here = await this.options.service.ask(
        'codeplan/refactor/here',
        { file, line: line + 1, column: character },
        call,
      );
      return forClient(refactorActions(here, this.features.asks), params, this.features);
    } catch (error) {
      // Of a file that is not indexed there is nothing to offer.
      if (error instanceof ServiceError && error.kind === 'unknownBlock') return [];
      throw error;
    }
  }

  /** Until the first index stands there are no hints, and a person wants to know why. */
  private async showIndexing(): Promise<void> {
    const { engine, progress, service } = this.options;
    const call: Call = { signal: this.gone.signal, progress: () => undefined };
    const isIndexing = async (): Promise<boolean> =>
      (await service.ask('codeplan/status', {}, call)).state === 'indexing';
    if (!this.features.workDoneProgress || !(await isIndexing())) return;
    await progress.run(await progress.makeToken(), 'codeplan', call.signal, (shown) => engine.warm(shown.progress));
  }

  private execute(params: ExecuteCommandParams, token: CancellationToken): Promise<unknown> {
    const { progress, log } = this.options;
    return answer(params.command, token, log, async (signal) => {
      const [argument] = (params.arguments ?? []) as readonly unknown[];
      const run = COMMAND_RUNS.get(params.command);
      if (run === undefined)
        throw new ResponseError(
          ErrorCodes.InvalidParams,
          `there is no command ${params.command}; there are ${[...COMMAND_RUNS.keys()].join(', ')}`,
        );
      if (!run.long) return run.run(this, argument, { signal, progress: () => undefined });
      const reported =
        params.workDoneToken ?? (this.features.workDoneProgress ? await progress.makeToken() : undefined);
      return progress.run(reported, 'codeplan', signal, (call) => run.run(this, argument, call));
    });
  }

  /** A plan was reviewed elsewhere, such as on its page. */
  reviewed(report: ReviewReport): void {
    // A client that has gone shows no plan.
    if (this.features.changed)
      this.options.connection.sendNotification('codeplan/reviewed', report).catch(() => undefined);
  }

  propagate(argument: unknown, call: Call): Promise<unknown> {
    return this.propagation.propagate(propagateArgument.parse(argument), call);
  }

  refactor(argument: unknown, call: Call): Promise<unknown> {
    return this.propagation.refactor(refactorArgument.parse(argument), call);
  }

  async preview(argument: unknown, call: Call): Promise<unknown> {
    const { values, accept } = propagateArgument.parse(argument) ?? {};
    return this.options.plan.made(
      await this.options.service.ask(
        'codeplan/plan',
        {
          base: SETTLED_BASE,
          ...(values === undefined ? {} : { values }),
          ...(accept === undefined ? {} : { accept }),
        },
        call,
      ),
    );
  }

  /** What the editor applied it takes back itself; otherwise the newest run that wrote to the disk. */
  async undo(call: Call): Promise<unknown> {
    return this.propagation.canUndo
      ? { undone: await this.propagation.undo() }
      : this.options.service.ask('codeplan/undo', {}, call);
  }

  async showPage(): Promise<{ readonly url: string }> {
    const url = await this.options.page.url();
    if (this.features.showDocument)
      await this.options.connection.sendRequest(ShowDocumentRequest.type, { uri: url, external: true });
    return { url };
  }

  /** A client with a list of its own carries this out itself. */
  async showPlan(argument: unknown, call: Call): Promise<unknown> {
    const report = await this.preview(argument, call);
    if (this.features.showDocument) await this.showPage();
    else this.say(MessageType.Info, 'the plan is there to be looked at: codeplan plan, in a terminal');
    return report;
  }

  async next(argument: unknown, call: Call): Promise<NextReport> {
    const { service, connection } = this.options;
    const { skip, version: _version, ...at } = nextArgument.parse(argument) ?? {};
    if (skip !== undefined) await service.ask('codeplan/decide', { ids: [skip], as: 'skipped' }, call);
    const report = await service.ask('codeplan/next', { ...at, early: true }, call);
    const { place } = report;
    if (place === null) this.say(MessageType.Info, report.says.join('\n'));
    else if (this.features.showDocument)
      await connection.sendRequest(ShowDocumentRequest.type, {
        uri: this.paths.uriOf(place.file),
        takeFocus: true,
        selection: placeOf(place),
      });
    if (place === null || report.planned) return report;
    const { file, line, column } = place;
    return service.ask('codeplan/next', { file, line, column }, call);
  }

  /** What waits for a value is asked for it, where the client can ask. */
  take(argument: unknown, call: Call): Promise<unknown> {
    const { id } = entryArgument.parse(argument);
    const waiting = this.left.report?.entries.find((entry) => entry.id === id && entry.state === 'waiting');
    return waiting === undefined
      ? this.propagation.take(id, call)
      : this.propagation.propagate({ file: waiting.file, block: waiting.block }, call);
  }

  async dismiss(argument: unknown, call: Call): Promise<null> {
    const { id } = entryArgument.parse(argument);
    await this.options.service.ask('codeplan/decide', { ids: [id], as: 'dismissed' }, call);
    return null;
  }

  /** A notification has no answer, so a client's mistake can only be logged. */
  private guarded(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.options.log('warn', 'notification', { error: error instanceof Error ? error.message : String(error) });
    }
  }
}

interface CommandRun {
  /** Whether progress is worth showing. */
  readonly long: boolean;
  readonly run: (session: EditorSession, argument: unknown, call: Call) => Promise<unknown>;
}

const COMMAND_RUNS: ReadonlyMap<string, CommandRun> = new Map<string, CommandRun>([
  [COMMANDS.propagate, { long: true, run: (session, argument, call) => session.propagate(argument, call) }],
  [COMMANDS.preview, { long: true, run: (session, argument, call) => session.preview(argument, call) }],
  [COMMANDS.refactor, { long: true, run: (session, argument, call) => session.refactor(argument, call) }],
  [COMMANDS.undo, { long: false, run: (session, _argument, call) => session.undo(call) }],
  [COMMANDS.page, { long: false, run: (session) => session.showPage() }],
  [COMMANDS.plan, { long: true, run: (session, argument, call) => session.showPlan(argument, call) }],
  [COMMANDS.next, { long: false, run: (session, argument, call) => session.next(argument, call) }],
  [COMMANDS.take, { long: false, run: (session, argument, call) => session.take(argument, call) }],
  [COMMANDS.dismiss, { long: false, run: (session, argument, call) => session.dismiss(argument, call) }],
]);

function placeOf({ line, column, sites: [site] }: NonNullable<NextReport['place']>): Range {
  return site === undefined
    ? { start: { line: line - 1, character: column }, end: { line: line - 1, character: column } }
    : rangeOf(site);
}
