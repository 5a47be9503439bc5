/**
 * The service: everything a client can ask, whatever transport lies between.
 *
 * The command line and the daemon's handlers call this interface and nothing else of the engine.
 * `LocalService` answers in process, a remote one over the socket; the same call gives the same
 * document. One `Service` value belongs to one client: its unsaved texts and its baseline are
 * part of what it asks about. An `Engine` makes one for each client. Documents and their schemas
 * live in protocol/.
 */
import { shownName } from '../base/shown.js';
import { ERROR_CODES, type ErrorKind } from '#protocol/errors.js';
import type { ParamsOf, ResultOf } from '#protocol/methods.js';
import type { QuestionName } from '#protocol/names.js';
import type { Status } from '#protocol/status.js';
import type { ClientId } from './event.js';
import type { NamedQuestions } from './named-questions.js';

/** What a request brings along besides its parameters. */
export interface Call {
  /** Aborted when the client no longer wants the answer; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Tells the client how far a long request is; `fraction` from 0 to 1 where it is known. */
  progress(message: string, fraction?: number): void;
}

/** What answers each question. A table without one does not compile. */
export type Answers = { readonly [M in QuestionName]: (params: ParamsOf<M>, call: Call) => Promise<ResultOf<M>> };

export interface Service extends NamedQuestions {
  /**
   * Puts one of the questions of `protocol/methods.ts`, which says what each is about, its parameters and its answer.
   * Throws ServiceError of the kinds that the method names there, and the reason of `call.signal` once it is aborted.
   */
  ask<M extends QuestionName>(method: M, params: ParamsOf<M>, call: Call): Promise<ResultOf<M>>;
  /** The client's unsaved text of a file: hides the one on the disk for every later request of this client. */
  setText(file: string, text: string, version: number): void;
  /** The text on the disk counts again. */
  closeText(file: string): void;
  /** What is there becomes what this client's latest edit is measured against (`SETTLED_BASE`). */
  settle(): void;
  /** What it was before the last `settle` counts again; nothing happens when a commit has settled since. */
  unsettle(): void;
  /**
   * Calls back after this client's view of the repository changed, from the disk or its own texts. Gives the function
   * that ends it.
   */
  onChanged(listener: (by: ChangedBy) => void): () => void;
  /** Ends this client's session; the engine behind it may live on. */
  close(): Promise<void>;
}

/** What changed a client's view: its own texts alone, which it knows of, or anything else. */
export type ChangedBy = 'ownTexts' | 'others';

/** As `base` of a request: this client's last settled state, instead of a revision. */
export const SETTLED_BASE = 'baseline';

/** One of those who are connected at once. */
export interface Client {
  readonly id: ClientId;
  /** As status shows it: `codeplan impact`, `Neovim`. */
  readonly name: string;
  /** Where this client's oracle runs, and with what environment. */
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What all clients of one root share: the index, its watcher, plans, the journal. */
export interface Engine {
  /** Gives the client its own service: its overlays and its baseline. */
  connect(client: Client): Service;
  /**
   * Builds the first index, unless that has begun, and resolves when it stands. Requests that need it call this
   * themselves. `progress` hears how many files are read.
   */
  warm(progress?: Call['progress']): Promise<void>;
  /**
   * These may have been made, changed or removed: looked at as if a watcher had said so, before any later request is
   * answered.
   */
  look(paths: readonly string[]): void;
  /** A question comes in a moment: looks at the disk already now, so that its answer waits the less. */
  expect(): void;
  /**
   * Calls back with what people should hear of, each thing once, and what was said before first. Gives the function
   * that ends it.
   */
  onNotice(listener: (message: string) => void): () => void;
  /** True while something runs that must not be cut off, though nobody is connected. */
  readonly busy: boolean;
  /** Ends workers and watcher, and writes what is to be kept. */
  close(): Promise<void>;
}

export interface EngineOptions {
  /** A real path. */
  readonly root: string;
  readonly mode: Status['mode'];
  /** Whether to follow changes of the disk, as opposed to one look at it. */
  readonly watch: boolean;
  /** Where caches, journals and settings lie. A client's own environment comes with the client. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A settings file in place of the repository's. */
  readonly configFile?: string;
  readonly log: (message: string) => void;
}

/** Throws ServiceError: root, settings. Returns at once; the index is built by `warm`. */
export type CreateEngine = (options: EngineOptions) => Engine;

/** A request that cannot be answered, for a reason outside of this program. */
export class ServiceError extends Error {
  readonly code: number;
  constructor(
    readonly kind: ErrorKind,
    /** What was tried, on what, and what to do. */
    message: string,
    readonly files: readonly string[] = [],
    /** Blocks that a name could mean, each as it can be asked for. */
    readonly candidates: readonly string[] = [],
  ) {
    super(message);
    this.name = 'ServiceError';
    this.code = ERROR_CODES[kind];
  }

  /** Files that it is about, and that the message does not name itself. */
  get furtherFiles(): string[] {
    return this.files.filter((file) => !this.message.includes(shownName(file)));
  }
}
