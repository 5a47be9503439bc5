/**
 * The next place: the cursor goes there, its edit is shown on the spot, and one command takes it, skips it, dismisses
 * it or gives it a value. What goes is marked in the text, what comes stands behind it, and whole in the hover.
 */
import {
  commands,
  MarkdownString,
  Range,
  Selection,
  TextEditorRevealType,
  ThemeColor,
  window,
  workspace,
  type DecorationOptions,
  type Disposable,
  type TextEditor,
} from 'vscode';
import type { NextReport } from '../../../protocol/left.js';
import { valueFor } from './ask.js';
import { uriIn, type Server } from './server.js';

type Place = NonNullable<NextReport['place']>;

export class NextPlace implements Disposable {
  private shown: { readonly report: NextReport & { readonly place: Place }; readonly editor: TextEditor } | undefined;
  /** Until it is known what can be done at the place that is shown. */
  private planned = Promise.resolve();
  private readonly removed = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor('diffEditor.removedTextBackground'),
  });
  private readonly added = window.createTextEditorDecorationType({
    after: { backgroundColor: new ThemeColor('diffEditor.insertedTextBackground'), margin: '0 0 0 2em' },
  });
  private readonly note = window.createTextEditorDecorationType({
    after: { color: new ThemeColor('editorGhostText.foreground'), margin: '0 0 0 2em' },
  });
  private readonly following: Disposable[];

  constructor(
    private readonly server: Server,
    private readonly rootOf: () => Promise<string>,
  ) {
    // What was shown holds for this text alone.
    this.following = [
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document === this.shown?.editor.document) this.clear();
      }),
    ];
  }

  async go(): Promise<void> {
    this.clear();
    const root = await this.rootOf();
    const report = await this.server.next({ ...this.here(root), early: true });
    const { place, says } = report;
    if (place === null) {
      void window.showInformationMessage(`codeplan: ${says.join('\n')}`);
      return;
    }
    const editor = await window.showTextDocument(uriIn(root, place.file));
    const at = editor.document.validatePosition(new Selection(place.line - 1, place.column, 0, 0).anchor);
    editor.selection = new Selection(at, at);
    editor.revealRange(new Range(at, at), TextEditorRevealType.InCenterIfOutsideViewport);
    this.present(report, place, editor);
    await commands.executeCommand('setContext', 'codeplan.shown', true);
    this.planned = report.planned ? Promise.resolve() : this.followUp(place, editor);
  }

  private present(report: NextReport, place: Place, editor: TextEditor): void {
    this.shown = { report: { ...report, place }, editor };
    this.draw(report, place, editor);
  }

  /** Shows the edit of the place once it is worked out, if that place is still the one that is shown. */
  private async followUp(place: Place, editor: TextEditor): Promise<void> {
    const { shown } = this;
    const { file, line, column } = place;
    const report = await this.server.next({ file, line, column });
    if (this.shown === shown && report.place?.id === place.id) this.present(report, report.place, editor);
  }

  async take(): Promise<void> {
    await this.planned;
    const { shown } = this;
    if (shown === undefined) return;
    const { report } = shown;
    if (report.edit === null) {
      if (report.asks !== null) return this.value();
      void window.showWarningMessage(`codeplan: ${report.says.at(-1) ?? 'no rule has an edit here'}`);
      return;
    }
    this.clear();
    const result = await this.server.take(report.place.id);
    if (result?.applied === true) await this.go();
  }

  skip = (): Promise<void> => this.decide('skipped');
  dismiss = (): Promise<void> => this.decide('dismissed');

  /** Gives what the place waits for, and shows its edit. */
  async value(): Promise<void> {
    await this.planned;
    const asks = this.shown?.report.asks;
    if (asks === undefined || asks === null) {
      void window.showWarningMessage('codeplan: this place waits for no value');
      return;
    }
    if (asks.accept !== undefined) {
      const agreed = await window.showQuickPick(['Do it', 'Leave it'], { title: `${asks.block}: ${asks.reason}` });
      if (agreed !== 'Do it') return;
      await this.server.decide({ accept: [asks.accept] });
    } else {
      const given = await valueFor(asks);
      if (given === undefined) return;
      await this.server.decide({ values: given });
    }
    await this.go();
  }

  private async decide(as: 'skipped' | 'dismissed'): Promise<void> {
    if (this.shown === undefined) return;
    await this.server.decide({ ids: [this.shown.report.place.id], as });
    await this.go();
  }

  /** Where the cursor is, as the server counts; nothing outside of the root. */
  private here(root: string): { file?: string; line?: number } {
    const editor = window.activeTextEditor;
    const path = editor?.document.uri.scheme === 'file' ? editor.document.uri.fsPath.replaceAll('\\', '/') : '';
    const folder = `${root.replaceAll('\\', '/')}/`;
    if (editor === undefined || !path.startsWith(folder)) return {};
    return { file: path.slice(folder.length), line: editor.selection.active.line + 1 };
  }

  private draw({ says, standing, edit }: NextReport, place: Place, editor: TextEditor): void {
    const { document } = editor;
    const lineAt = (line: number): Range => document.lineAt(Math.min(Math.max(line, 1), document.lineCount) - 1).range;
    const written = (range: Range): Range => {
      const { firstNonWhitespaceCharacterIndex } = document.lineAt(range.start.line);
      return new Range(range.start.line, firstNonWhitespaceCharacterIndex, range.end.line, range.end.character);
    };
    const removed = (edit?.lines ?? []).flatMap((change) =>
      change.removed.map((_, i) => written(lineAt(change.line + i))),
    );
    const behind = new Map<number, string[]>();
    for (const { line, removed: gone, added } of edit?.lines ?? [])
      for (const [i, text] of added.entries()) {
        const at = lineAt(line + Math.min(i, Math.max(gone.length - 1, 0))).end.line;
        behind.set(at, [...(behind.get(at) ?? []), `${gone.length === 0 ? '+' : '→'} ${text.trim()}`]);
      }
    const whole = hover(says, edit);
    const shown = (range: Range, contentText: string): DecorationOptions => ({
      range,
      hoverMessage: whole,
      renderOptions: { after: { contentText } },
    });
    const added = [...behind].map(([line, texts]) => shown(document.lineAt(line).range, texts.join('   ')));
    editor.setDecorations(this.removed, removed);
    editor.setDecorations(this.added, added);
    editor.setDecorations(this.note, [
      shown(lineAt(place.line), `${says[0] ?? ''}  (${standing})`),
    ]);
  }

  private clear(): void {
    this.shown?.editor.setDecorations(this.removed, []);
    this.shown?.editor.setDecorations(this.added, []);
    this.shown?.editor.setDecorations(this.note, []);
    this.shown = undefined;
    void commands.executeCommand('setContext', 'codeplan.shown', false);
  }

  dispose(): void {
    this.clear();
    for (const one of [this.removed, this.added, this.note, ...this.following]) one.dispose();
  }
}

/** Not trusted: nothing in it can be a command. */
function hover(says: readonly string[], edit: NextReport['edit']): MarkdownString {
  const text = new MarkdownString();
  for (const line of says) text.appendText(`${line}\n`);
  const lines = edit?.lines.flatMap(({ removed, added }) => [
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ]);
  if (lines !== undefined) text.appendCodeblock(lines.join('\n'), 'diff');
  return text;
}
