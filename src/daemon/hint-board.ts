/**
 * What a client shows of the latest impact: diagnostics in its open files, lenses, and a count.
 *
 * Remembers what was published, so that a file is cleared exactly when it had something, and a
 * client is not told twice the same. Dismissals live as long as the session.
 */
import {
  CodeLensRefreshRequest,
  PublishDiagnosticsNotification,
  type CodeLens,
  type Diagnostic,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import type { ImpactReport } from '#protocol/impact.js';
import type { Changed } from '#protocol/session.js';
import type { Configuration } from '../engine/configuration.js';
import type { Log } from '../io/disk/log-file.js';
import type { ClientFeatures } from './client-features.js';
import { hintsOf, isDismissed } from './hints.js';
import { lensesOf } from './lenses.js';
import type { OpenDocument, OpenDocuments } from './open-documents.js';
import type { PathsAndUris } from './paths-and-uris.js';

export class HintBoard {
  readonly dismissed = new Set<string>();
  private readonly shown = new Map<string, string>();
  private readonly hints = new Map<string, readonly Diagnostic[]>();
  private lenses = '';
  private count = '';

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

  publish(report: ImpactReport): void {
    this.hints.clear();
    const lenses: [string, CodeLens[]][] = [];
    for (const [path, document] of this.documents.inside()) {
      const hints = this.settings.enabled
        ? hintsOf(path, report, this.settings.perFileMost, this.dismissed, this.features, this.paths)
        : [];
      this.hints.set(path, hints);
      this.show(document, hints);
      lenses.push([path, this.lensesIn(path, report)]);
    }
    const lensesNow = JSON.stringify(lenses);
    if (lensesNow !== this.lenses && this.features.codeLensRefresh)
      this.send(this.connection.sendRequest(CodeLensRefreshRequest.type));
    this.lenses = lensesNow;
    if (this.features.changed) this.tell(report);
  }

  lensesIn(path: string, report: ImpactReport): CodeLens[] {
    return this.settings.codeLens ? lensesOf(path, report, this.dismissed) : [];
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

  private tell(report: ImpactReport): void {
    const affected = report.affected.filter((block) => !isDismissed(block, report, this.dismissed));
    const changed: Changed = {
      changes: report.changes.length,
      affected: affected.length,
      breaks: affected.filter((block) => block.tier === 'breaks').length,
      complete: report.complete,
    };
    const now = JSON.stringify(changed);
    if (now !== this.count) this.send(this.connection.sendNotification('codeplan/changed', changed));
    this.count = now;
  }

  /** Clients vanish, and some refuse what they said they support; neither concerns the others. */
  private send(sending: Promise<unknown>): void {
    sending.catch((error: unknown) => this.log('debug', 'client', { error: String(error) }));
  }
}
