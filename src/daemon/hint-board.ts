/**
 * What a client shows of what is left: diagnostics in its open files, lenses, and counts.
 *
 * Remembers what was published, so that a file is cleared exactly when it had something, and a
 * client is not told twice the same.
 */
import {
  CodeLensRefreshRequest,
  PublishDiagnosticsNotification,
  type CodeLens,
  type Diagnostic,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import type { LeftReport } from '#protocol/left.js';
import type { Changed } from '#protocol/session.js';
import type { Configuration } from '../engine/configuration.js';
import type { Log } from '../io/disk/log-file.js';
import type { ClientFeatures } from './client-features.js';
import { hintsOf } from './hints.js';
import { lensesOf } from './lenses.js';
import type { OpenDocument, OpenDocuments } from './open-documents.js';
import type { PathsAndUris } from './paths-and-uris.js';

export class HintBoard {
  private readonly shown = new Map<string, string>();
  private readonly hints = new Map<string, readonly Diagnostic[]>();
  private lenses = '';
  private told = '';

  constructor(
    private readonly connection: ProtocolConnection,
    private readonly documents: OpenDocuments,
    private readonly paths: PathsAndUris,
    private readonly features: ClientFeatures,
    private readonly settings: Configuration['hints'],
    private readonly log: Log,
  ) {}

  /** As last published. */
  hintsIn(path: string): readonly Diagnostic[] {
    return this.hints.get(path) ?? [];
  }

  /** Without lenses and counts, which stay as they were said last. */
  publishHints(report: LeftReport): void {
    this.hints.clear();
    for (const [path, document] of this.documents.inside()) {
      const hints = this.settings.enabled
        ? hintsOf(path, report, this.settings.perFileMost, this.features, this.paths)
        : [];
      this.hints.set(path, hints);
      this.show(document, hints);
    }
  }

  publish(report: LeftReport): void {
    this.publishHints(report);
    const lenses: [string, number, CodeLens[]][] = [];
    for (const [path, document] of this.documents.inside()) {
      const shown = this.lensesIn(path, report);
      // Some clients drop the lens of a line that was typed in, so each new text asks for its lenses again.
      if (shown.length > 0) lenses.push([path, document.text.version, shown]);
    }
    const lensesNow = JSON.stringify(lenses);
    if (lensesNow !== this.lenses && this.features.codeLensRefresh)
      this.send(this.connection.sendRequest(CodeLensRefreshRequest.type));
    this.lenses = lensesNow;
    if (this.features.changed) this.tell(report);
  }

  lensesIn(path: string, report: LeftReport): CodeLens[] {
    return this.settings.codeLens ? lensesOf(path, report) : [];
  }

  /** A closed document shows nothing any more. */
  clear(document: OpenDocument): void {
    if (this.shown.delete(document.uri))
      this.send(
        this.connection.sendNotification(PublishDiagnosticsNotification.type, { uri: document.uri, diagnostics: [] }),
      );
  }

  private show(document: OpenDocument, diagnostics: Diagnostic[]): void {
    const { uri, text } = document;
    const now = JSON.stringify(diagnostics);
    if ((this.shown.get(uri) ?? '[]') === now) return;
    if (diagnostics.length === 0) this.shown.delete(uri);
    else this.shown.set(uri, now);
    this.send(
      this.connection.sendNotification(PublishDiagnosticsNotification.type, {
        uri,
        diagnostics,
        ...(this.features.diagnosticVersion ? { version: text.version } : {}),
      }),
    );
  }

  /** Also when the counts are the same: a client may have to show its lenses anew. */
  private tell(report: LeftReport): void {
    const { left, ...counts } = report.counts;
    const { changes, complete, read } = report;
    const changed: Changed = {
      changes: changes.length,
      affected: left,
      ...counts,
      complete,
      ...(read === undefined ? {} : { read }),
    };
    const versions = [...this.documents.inside()].map(([path, { text }]) => [path, text.version]);
    const now = JSON.stringify([changed, versions]);
    if (now !== this.told) this.send(this.connection.sendNotification('codeplan/changed', changed));
    this.told = now;
  }

  /** Clients vanish, and some refuse what they said they support; neither concerns the others. */
  private send(sending: Promise<unknown>): void {
    sending.catch((error: unknown) => this.log('debug', 'client', { error: String(error) }));
  }
}
