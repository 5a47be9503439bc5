/**
 * The service: everything a client can ask, whatever transport lies between.
 *
 * The command line and the daemon's handlers call this interface and nothing else of the engine.
 * `LocalService` answers in process, a remote one over the socket; the same call gives the same
 * document. One `Service` value belongs to one client: its unsaved texts and its baseline are
 * part of what it asks about. Documents and their schemas live in protocol/.
 */
import { ERROR_CODES, type ErrorKind } from '#protocol/errors.js';
import type { GraphExport, GraphParams } from '#protocol/graph.js';
import type { ImpactParams, ImpactReport } from '#protocol/impact.js';
import type { ExecuteParams, ExecuteReport, PropagateParams, PropagateReport } from '#protocol/propagate.js';
import type { Status } from '#protocol/status.js';
import type { LogReport, UndoParams, UndoReport } from '#protocol/undo.js';
import type { FileEdit } from './file-edit.js';

/** What a request brings along besides its parameters. */
export interface Call {
  /** Aborted when the client no longer wants the answer; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Tells the client how far a long request is; `fraction` from 0 to 1 where it is known. */
  progress(message: string, fraction?: number): void;
}

export interface Service {
  status(call: Call): Promise<Status>;
  impact(params: ImpactParams, call: Call): Promise<ImpactReport>;
  /** Plans, and with `apply` writes. The run is kept in memory, so that `execute` and `editsOf` can name it. */
  propagate(params: PropagateParams, call: Call): Promise<PropagateReport>;
  /** Writes steps of an earlier run to the disk. */
  execute(params: ExecuteParams, call: Call): Promise<ExecuteReport>;
  /** The same steps as values, for an editor that applies them to its buffers. */
  editsOf(params: ExecuteParams, call: Call): Promise<readonly FileEdit[]>;
  undo(params: UndoParams, call: Call): Promise<UndoReport>;
  log(call: Call): Promise<LogReport>;
  graph(params: GraphParams, call: Call): Promise<GraphExport>;
  /** Ends this client's session; the engine behind it may live on. */
  close(): Promise<void>;
}

/** A request that cannot be answered, for a reason outside of this program. */
export class ServiceError extends Error {
  readonly code: number;
  constructor(
    readonly kind: ErrorKind,
    /** What was tried, on what, and what to do. */
    message: string,
    readonly files: readonly string[] = [],
  ) {
    super(message);
    this.name = 'ServiceError';
    this.code = ERROR_CODES[kind];
  }
}
