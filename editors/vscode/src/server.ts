/** The connection: one `codeplan lsp`, which serves every folder of the window, and what is asked of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { Uri, workspace, type ExtensionContext } from 'vscode';
import { LanguageClient, type Middleware, type StaticFeature } from 'vscode-languageclient/node';
import type { DecideParams, LeftReport, NextParams, NextReport } from '../../../protocol/left.js';
import type { PropagateReport } from '../../../protocol/propagate.js';

/** As editors name the languages. */
const LANGUAGES = ['python', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'java', 'csharp'];

/** Asks the server to send `codeplan/changed`. */
const TELL_CHANGES: StaticFeature = {
  fillClientCapabilities: (able) => (able.experimental = { ...able.experimental, codeplan: { version: 1 } }),
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

export class Server {
  private constructor(private readonly client: LanguageClient) {}

  /** Starts it. Rejects where the program cannot be started, of which the client would tell in words of its own. */
  static async start(context: ExtensionContext, middleware: Middleware): Promise<Server> {
    let first: ChildProcess | undefined = await started();
    const client = new LanguageClient(
      'codeplan',
      'codeplan',
      async () => {
        const child = first ?? (await started());
        first = undefined;
        return child;
      },
      { documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })), middleware },
    );
    client.registerFeature(TELL_CHANGES);
    context.subscriptions.push(client);
    await client.start();
    return new Server(client);
  }

  onChanged(look: () => void): void {
    this.client.onNotification('codeplan/changed', look);
  }

  left = (): Promise<LeftReport> => this.client.sendRequest('codeplan/left', {});
  next = (here: NextParams): Promise<NextReport> => this.client.sendRequest('codeplan/next', here);
  decide = (said: DecideParams): Promise<unknown> => this.client.sendRequest('codeplan/decide', said);
  plan = (values: Readonly<Record<string, string>>): Promise<PropagateReport> =>
    this.client.sendRequest('codeplan/plan', { base: 'baseline', values });
  /** Has the editor show the edits of a plan, for the person to take or leave. */
  offer = (run: string): Promise<void> =>
    this.client.sendRequest('workspace/executeCommand', {
      command: 'codeplan.propagate',
      arguments: [{ run, confirm: true }],
    });
  take = (id: string): Promise<{ readonly applied?: boolean } | null> =>
    this.client.sendRequest('workspace/executeCommand', { command: 'codeplan.take', arguments: [{ id }] });
}

/** The program that the settings of the person name, which run in the first folder of the window. */
function started(): Promise<ChildProcess> {
  const [command = 'codeplan', ...args] = workspace.getConfiguration('codeplan').get<string[]>('command') ?? [];
  const cwd = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const child = spawn(command, args, { cwd });
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child));
    child.once('error', reject);
  });
}

export const uriIn = (root: string, file: string): Uri => Uri.joinPath(Uri.file(root), file);
