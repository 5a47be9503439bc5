/**
 * What a client can do, read once from its `initialize`; everything that we send unasked or offer
 * is gated on it. And what we say we can do in return: narrow on purpose, because the person has
 * a primary language server whose completion, hover, references and rename must not be doubled.
 */
import { CodeActionKind, TextDocumentSyncKind, type InitializeParams, type InitializeResult } from 'vscode-languageserver/node';
import { z } from 'zod';
import { PROTOCOL_VERSION } from '#protocol/session.js';
import { CODEPLAN_METHODS } from './codeplan-methods.js';
import { COMMANDS } from './command-names.js';

export interface ClientFeatures {
  readonly relatedInformation: boolean;
  readonly diagnosticVersion: boolean;
  readonly codeLensRefresh: boolean;
  readonly codeActionLiterals: boolean;
  readonly applyEdit: boolean;
  readonly documentChanges: boolean;
  readonly resourceOperations: ReadonlySet<string>;
  readonly workDoneProgress: boolean;
  readonly showDocument: boolean;
  /** Whether to send `codeplan/changed`. */
  readonly changed: boolean;
}

export const PROPAGATE_KIND = 'refactor.rewrite.codeplan.propagate';

const experimental = z.object({ codeplan: z.unknown() });

export function featuresOf(params: InitializeParams): ClientFeatures {
  const { workspace, textDocument, window } = params.capabilities;
  return {
    relatedInformation: textDocument?.publishDiagnostics?.relatedInformation === true,
    diagnosticVersion: textDocument?.publishDiagnostics?.versionSupport === true,
    codeLensRefresh: workspace?.codeLens?.refreshSupport === true,
    codeActionLiterals: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
    applyEdit: workspace?.applyEdit === true,
    documentChanges: workspace?.workspaceEdit?.documentChanges === true,
    resourceOperations: new Set(workspace?.workspaceEdit?.resourceOperations ?? []),
    workDoneProgress: window?.workDoneProgress === true,
    showDocument: window?.showDocument?.support === true,
    changed: experimental.safeParse(params.capabilities.experimental).data?.codeplan !== undefined,
  };
}

export function initializeResult(params: InitializeParams, features: ClientFeatures, version: string): InitializeResult {
  return {
    serverInfo: { name: 'codeplan', version },
    capabilities: {
      // Positions of two servers in one buffer must agree, and every client has utf-16.
      ...(params.capabilities.general?.positionEncodings === undefined ? {} : { positionEncoding: 'utf-16' }),
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      ...(params.capabilities.textDocument?.codeLens === undefined ? {} : { codeLensProvider: { resolveProvider: false } }),
      ...(params.capabilities.textDocument?.codeAction === undefined || !features.applyEdit ? {} : { codeActionProvider: { codeActionKinds: [PROPAGATE_KIND, CodeActionKind.QuickFix], resolveProvider: false } }),
      executeCommandProvider: { commands: Object.values(COMMANDS), workDoneProgress: features.workDoneProgress },
      experimental: { codeplan: { version: PROTOCOL_VERSION, methods: [...CODEPLAN_METHODS.keys()] } },
    },
  };
}
