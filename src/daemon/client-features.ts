/**
 * What a client can do, read once from its `initialize`; everything that we send unasked or offer
 * is gated on it. And what we say we can do in return: narrow on purpose, because the person has
 * a primary language server whose completion, hover, references and rename must not be doubled.
 *
 * Imports nothing heavy: an editor is greeted by it before the rest is loaded.
 */
import type {
  CodeActionKind,
  FileOperationOptions,
  FileOperationRegistrationOptions,
  InitializeParams,
  InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { PROTOCOL_VERSION, SERVICE_REQUESTS } from '#protocol/names.js';
import { COMMANDS } from './command-names.js';

export interface ClientFeatures {
  readonly relatedInformation: boolean;
  readonly diagnosticVersion: boolean;
  readonly codeLensRefresh: boolean;
  readonly codeActionLiterals: boolean;
  readonly applyEdit: boolean;
  readonly documentChanges: boolean;
  readonly changeAnnotations: boolean;
  /** Whether it is told that edits are a refactoring. */
  readonly editMetadata: boolean;
  readonly resourceOperations: ReadonlySet<string>;
  readonly workDoneProgress: boolean;
  readonly showDocument: boolean;
  /** Whether it can put a choice before the person. */
  readonly choices: boolean;
  /** Whether to send `codeplan/changed`. */
  readonly changed: boolean;
  /** Whether it has commands of its own that ask the person for a name, a file, a signature. */
  readonly asks: boolean;
}

export const PROPAGATE_KIND = 'refactor.rewrite.codeplan.propagate';
export const RENAME_KIND = 'refactor.codeplan.rename';
export const MOVE_KIND = 'refactor.move.codeplan';
export const SIGNATURE_KIND = 'refactor.codeplan.signature';
export const ASYNC_KIND = 'refactor.rewrite.codeplan.async';
const ACTION_KINDS = [PROPAGATE_KIND, RENAME_KIND, MOVE_KIND, SIGNATURE_KIND, ASYNC_KIND];
const QUICK_FIX: CodeActionKind = 'quickfix';
/** A number of LSP: changes come as ranges and not as whole texts. */
const INCREMENTAL: TextDocumentSyncKind = 2;

export function featuresOf(params: InitializeParams): ClientFeatures {
  const { workspace, textDocument, window } = params.capabilities;
  const experimental: unknown = params.capabilities.experimental;
  const ours: unknown = isObject(experimental) ? experimental['codeplan'] : undefined;
  return {
    relatedInformation: textDocument?.publishDiagnostics?.relatedInformation === true,
    diagnosticVersion: textDocument?.publishDiagnostics?.versionSupport === true,
    codeLensRefresh: workspace?.codeLens?.refreshSupport === true,
    codeActionLiterals: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
    applyEdit: workspace?.applyEdit === true,
    documentChanges: workspace?.workspaceEdit?.documentChanges === true,
    changeAnnotations: workspace?.workspaceEdit?.changeAnnotationSupport !== undefined,
    editMetadata: workspace?.workspaceEdit?.metadataSupport === true,
    resourceOperations: new Set(workspace?.workspaceEdit?.resourceOperations ?? []),
    workDoneProgress: window?.workDoneProgress === true,
    showDocument: window?.showDocument?.support === true,
    choices: window?.showMessage !== undefined,
    changed: ours !== undefined,
    asks: isObject(ours) && ours['asks'] === true,
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

export function initializeResult(params: InitializeParams, version: string): InitializeResult {
  const features = featuresOf(params);
  const fileOperations = fileOperationsFor(params);
  const workspace = {
    ...(fileOperations === undefined ? {} : { fileOperations }),
    ...(params.capabilities.workspace?.workspaceFolders === true
      ? { workspaceFolders: { supported: true, changeNotifications: true } }
      : {}),
  };
  return {
    serverInfo: { name: 'codeplan', version },
    capabilities: {
      // Positions of two servers in one buffer must agree, and every client has utf-16.
      ...(params.capabilities.general?.positionEncodings === undefined ? {} : { positionEncoding: 'utf-16' }),
      textDocumentSync: { openClose: true, change: INCREMENTAL },
      ...(params.capabilities.textDocument?.codeLens === undefined
        ? {}
        : { codeLensProvider: { resolveProvider: false } }),
      ...(params.capabilities.textDocument?.codeAction === undefined || !features.applyEdit
        ? {}
        : { codeActionProvider: { codeActionKinds: [...ACTION_KINDS, QUICK_FIX], resolveProvider: false } }),
      ...(Object.keys(workspace).length === 0 ? {} : { workspace }),
      executeCommandProvider: { commands: Object.values(COMMANDS), workDoneProgress: features.workDoneProgress },
      experimental: { codeplan: { version: PROTOCOL_VERSION, methods: [...SERVICE_REQUESTS] } },
    },
  };
}

/** What became of files and folders, of whatever kind: a folder's name does not say what lies in it. */
const ANY_FILE: FileOperationRegistrationOptions = { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] };

/** The notifications that the client has; what comes before a rename or a deletion is the primary server's. */
function fileOperationsFor({ capabilities }: InitializeParams): FileOperationOptions | undefined {
  const { didCreate, didRename, didDelete } = capabilities.workspace?.fileOperations ?? {};
  if (didCreate !== true && didRename !== true && didDelete !== true) return undefined;
  return {
    ...(didCreate === true ? { didCreate: ANY_FILE } : {}),
    ...(didRename === true ? { didRename: ANY_FILE } : {}),
    ...(didDelete === true ? { didDelete: ANY_FILE } : {}),
  };
}
