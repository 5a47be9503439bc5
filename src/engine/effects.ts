/**
 * What the engine asks of the world, as interfaces: io/ implements them, tests may too.
 */
import type { ChangeFile } from '#protocol/api.js';
import type { Problem, Diagnostic } from '#protocol/words.js';
import type { PropagateParams } from '#protocol/propagate.js';
import type { LogReport } from '#protocol/undo.js';
import type { Withheld } from '../context/no-send.js';
import type { EditAnswer, EditModel } from '../edit/model/edit-model.js';
import type { Embedder, Model, ModelRole } from '../model/model.js';
import type { LanguageId, Summary } from '../syntax/summary.js';
import type { Configuration } from './configuration.js';
import type { FileEdit } from './file-edit.js';
import type { Decisions } from './left.js';

/** How one file differs from the tree before. */
export type BaseFile =
  | { readonly kind: 'added'; readonly path: string }
  | { readonly kind: 'changed' | 'deleted'; readonly path: string; readonly before: string }
  | { readonly kind: 'renamed'; readonly path: string; readonly from: string; readonly before: string };

export interface Base {
  readonly name: string;
  readonly files: readonly BaseFile[];
  readonly problems: readonly Problem[];
}

/** An oracle's findings on one tree; `errors` undefined: it could not run, `message` says why. */
export interface OracleRun {
  readonly errors: readonly Diagnostic[] | undefined;
  /** Where tests were run: those that passed, and those that failed or could not be set up, by name. */
  readonly tests?: { readonly passed: readonly string[]; readonly failed: readonly string[] };
  /** How many files it looked at and how many there are, in words, where it did not look at all. */
  readonly partly?: string;
  readonly message?: string;
}

export interface Oracle {
  readonly name: string;
  /** Why it may not be run at all, before anything is asked that only it could judge. */
  refusal?(): Promise<string | undefined>;
  /**
   * Checks the disk's tree with these texts in place of the files': undefined removes a file. One that cannot look at
   * all files looks at those in `near`.
   */
  run(
    texts: ReadonlyMap<string, string | undefined>,
    near: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<OracleRun>;
  /** Findings of `after` that `before` did not have, by content. */
  fresh(
    before: readonly Diagnostic[],
    after: readonly Diagnostic[],
    textBefore: (file: string) => string | undefined,
    textAfter: (file: string) => string | undefined,
  ): readonly Diagnostic[];
}

/** Where a language server says that a name stands; lines and characters from 0, in UTF-16. */
export interface ServerPlace {
  /** Undefined outside of the repository. */
  readonly file: string | undefined;
  readonly line: number;
  readonly character: number;
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** What a server said, or why it said nothing. */
export type ServerReply<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** A call in a block, as a server's call hierarchy has it. */
export interface ServerCall {
  readonly at: ServerPlace;
  readonly callee: ServerPlace;
}

/**
 * A language server that is asked about references and hierarchies. Its calls reject only with the
 * reason of the signal. What a server does not offer is answered with nothing.
 */
export interface ReferenceServer {
  readonly name: string;
  /** Gives it a text, which hides the one on the disk. */
  open(file: string, text: string): void;
  references(file: string, at: Position, signal: AbortSignal): Promise<ServerReply<readonly ServerPlace[]>>;
  definitions(file: string, at: Position, signal: AbortSignal): Promise<ServerReply<readonly ServerPlace[]>>;
  /** Where what is declared there is called. */
  callsTo(file: string, at: Position, signal: AbortSignal): Promise<ServerReply<readonly ServerPlace[]>>;
  /** What the function that is declared there calls. */
  callsIn(file: string, at: Position, signal: AbortSignal): Promise<ServerReply<readonly ServerCall[]>>;
  /** Classes directly above the one that is declared there. */
  above(file: string, at: Position, signal: AbortSignal): Promise<ServerReply<readonly ServerPlace[]>>;
  /** Classes below, or what implements the member: from some servers those next to it, from others all. */
  below(file: string, at: Position, signal: AbortSignal): Promise<ServerReply<readonly ServerPlace[]>>;
  stop(): Promise<void>;
}

/** An answer that is worth keeping: it need not be asked for again. */
export type KeptAnswer = Extract<EditAnswer, { readonly kind: 'edit' | 'noChange' }>;

/** A file with new code that was written before the edits of a run; `before` is null where there was none. */
export interface WrittenFile {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}

export interface RunNote {
  readonly run: string;
  readonly params: PropagateParams;
  readonly written: readonly WrittenFile[];
  /** By the key that they were kept under. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  /** Whether nothing was left to ask. */
  readonly ended: boolean;
}

/** What each run asked and was answered, kept while it goes on: a limit or a killed process loses nothing. */
export interface RunNotes {
  /** Throws ServiceError: write. */
  begin(run: string, params: PropagateParams, written?: readonly WrittenFile[]): void;
  answered(run: string, key: string, answer: KeptAnswer): void;
  end(run: string): void;
  forget(run: string): void;
  /** The newest one that did not end, if none is named. Throws ServiceError: unknownRun. */
  read(run: string | undefined): RunNote;
}

/** What people said of what is left. */
export interface KeptDecisions {
  read(): Decisions;
  /** Throws ServiceError: write. */
  change(next: (decisions: Decisions) => Decisions): void;
}

/** Values by what they were made of; any of them may be forgotten. */
export interface Kept<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
}

/** What models made of texts, for all clients. */
export interface MadeOfTexts {
  /** What a symbol could be asked for by. */
  readonly intents: Kept<readonly string[]>;
  readonly vectors: Kept<Float32Array>;
}

export interface Effects {
  /** A real path. */
  readonly root: string;
  readonly configuration: Configuration;
  /** Why a file's text is shown to no model, by its path and by what that leads to; undefined where it may be. */
  readonly withheld: Withheld;
  /** Brings the host's picture of the disk up to date. */
  refresh(signal: AbortSignal, progress: (message: string, fraction?: number) => void): Promise<void>;
  /** Text on the disk now, without a byte order mark; undefined if there is none. */
  diskText(file: string): string | undefined;
  /**
   * What a text of the file would be read as, in a thread beside this one where that takes more than a few
   * milliseconds; undefined where it cannot be read.
   */
  summaryOf(file: string, text: string, signal: AbortSignal): Promise<Summary | undefined>;
  /** These are not what was last read: they are looked at before the next `refresh` resolves. */
  lookAt(files: readonly string[]): void;
  /** Texts of the root that are no sources, without those that are too large, no text, or left out by ignore files. */
  otherTexts(signal: AbortSignal): AsyncIterable<{ readonly file: string; readonly text: string }>;
  /** Texts of all that the index is made from, read from the disk without it; what cannot be read, with the reason. */
  sourceTexts(
    signal: AbortSignal,
  ): AsyncIterable<
    { readonly file: string; readonly text: string } | { readonly file: string; readonly message: string }
  >;
  /** Resolves when the baseline of all clients stands: the last commit, with what was settled since. */
  baseline(signal: AbortSignal): Promise<void>;
  /** The disk's difference to a revision (default: the last commit) or a directory. Throws ServiceError. */
  base(revision: string | undefined, directory: string | undefined, signal: AbortSignal): Promise<Base>;
  /** A change file anywhere on the disk. Throws ServiceError: settings, where it cannot be read as one. */
  changeFile(path: string): ChangeFile;
  /** Text of a manifest of the root, such as `pom.xml`; undefined where there is none that can be read. */
  manifest(file: string): string | undefined;
  /** Texts of all manifests and lock files, by path, without a byte order mark. */
  manifests(signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /**
   * The model that a choice names; undefined for `none`, or when nothing is chosen and nothing configured. Throws
   * ServiceError.
   */
  model(choice: string | undefined): Promise<EditModel | undefined>;
  /** Who answers in a role; undefined when nothing is configured for it. Throws ServiceError: settings. */
  modelOf(role: ModelRole): Promise<Model | undefined>;
  /** What models made of texts before. */
  readonly madeOfTexts: MadeOfTexts;
  /** Who gives vectors of texts; undefined when nobody is configured. */
  embedder(): Promise<Embedder | undefined>;
  /** Remembers that what these fingerprints stand for may be sent to a model. Throws ServiceError: settings. */
  sendAnyway(fingerprints: readonly string[]): void;
  /**
   * The preset of that name, or the oracle that is configured (and trusted), or undefined. `tests`: it runs these
   * alone. Throws ServiceError, also where it is no oracle that runs tests by name.
   */
  oracle(preset: string | undefined, tests?: readonly string[]): Promise<Oracle | undefined>;
  /**
   * Starts the language server that is configured for the language. Throws ServiceError: languageServer, when there is
   * none.
   */
  languageServer(language: LanguageId, signal: AbortSignal): Promise<ServerReply<ReferenceServer>>;
  /** Writes edits, journalled. Gives the paths written. Throws ServiceError. */
  apply(run: string, title: string, edits: readonly FileEdit[]): readonly string[];
  undo(run: string | undefined): { readonly run: string; readonly files: readonly string[] };
  journal(): Pick<LogReport, 'entries' | 'damaged'>;
  readonly notes: RunNotes;
  readonly left: KeptDecisions;
  /** What the person should know of the index: files that are not read, a cache that cannot be kept. */
  problems(): readonly Problem[];
}
