/** The extension: the server is started with the first file that it understands; view and commands hang on it. */
import { commands, Range, window, type ExtensionContext } from 'vscode';
import { LeftView, type Node } from './left-view.js';
import { NextPlace } from './next-place.js';
import { preview } from './preview.js';
import { Server } from './server.js';

export async function activate(context: ExtensionContext): Promise<void> {
  const view = new LeftView();
  context.subscriptions.push(view);
  let server: Server | undefined;
  let next: NextPlace | undefined;
  const skipTo = async (id: string): Promise<void> => {
    await server?.decide({ ids: [id], as: 'skipped' });
    await next?.go();
  };
  const rootOf = async (running: Server): Promise<string> => (await running.left()).root;
  const starting = Server.start(context, {
    // A click on a lens or an action shows, in this editor's own way, what other editors are shown by the server.
    executeCommand: (command, args, proceed) => {
      if (server === undefined || next === undefined) return proceed(command, args);
      if (command === 'codeplan.plan') return told(preview(server));
      if (command !== 'codeplan.next') return proceed(command, args);
      const [given] = args as [{ skip?: string }?];
      return told(given?.skip === undefined ? next.go() : skipTo(given.skip));
    },
  });
  try {
    server = await starting;
  } catch (error) {
    void tellWhyNot(error);
    return;
  }
  const running = server;
  next = new NextPlace(running, () => rootOf(running));
  const place = next;
  context.subscriptions.push(place);
  const refresh = async (): Promise<void> => view.show(await running.left());
  running.onChanged(() => void told(refresh()));
  const command = (name: string, run: (node: Node) => Promise<unknown>): void => {
    context.subscriptions.push(commands.registerCommand(name, (node: Node) => told(run(node))));
  };
  command('codeplan.takeShown', () => place.take());
  command('codeplan.skipShown', () => place.skip());
  command('codeplan.dismissShown', () => place.dismiss());
  command('codeplan.valueShown', () => place.value());
  command('codeplan.openEntry', async (node) => {
    if (node.kind !== 'entry') return;
    const { file, line, column } = node.entry;
    await window.showTextDocument(view.uriOf(file), { selection: new Range(line - 1, column, line - 1, column) });
  });
  command('codeplan.dismissEntry', async (node) => {
    if (node.kind === 'entry') await running.decide({ ids: [node.entry.id], as: 'dismissed' });
    await refresh();
  });
  await told(refresh());
}

/** The first line is all that is seen of it before it is unfolded: what to do stands there. */
async function tellWhyNot(error: unknown): Promise<void> {
  const why = error instanceof Error ? error.message : String(error);
  const setting = 'Open the Setting';
  const chosen = await window.showErrorMessage(
    `codeplan: put the program on the path, or name it in a setting, and reload. It could not be started: ${why}`,
    setting,
  );
  if (chosen === setting) await commands.executeCommand('workbench.action.openSettings', 'codeplan.command');
}

/** A failure is the person's to read. */
async function told(doing: Promise<unknown>): Promise<void> {
  try {
    await doing;
  } catch (error) {
    void window.showErrorMessage(`codeplan: ${error instanceof Error ? error.message : String(error)}`);
  }
}
