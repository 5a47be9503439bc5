/**
 * What a command gets from the process that runs it, so that commands themselves touch neither
 * `process` nor the engine's implementation, and what it may answer.
 */
import type { CreateEngine } from '../engine/service.js';
import type { Greeting } from '../daemon/greeting.js';
import type { BuildIdentity } from '../io/process/build-identity.js';

export interface World {
  readonly loadEngine: () => Promise<CreateEngine>;
  readonly build: BuildIdentity;
  /** The module that a daemon is started from; run with `daemon run --root <dir>`. */
  readonly program: string;
  /** Of an editor that was greeted before this was loaded. */
  readonly greeting: Greeting | undefined;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Shows a text to the person page by page; undefined where standard output is no terminal, or nobody wants it. */
  readonly page?: (text: string) => Promise<void>;
  readonly environment: NodeJS.ProcessEnv;
  readonly workingDirectory: string;
  readonly pid: number;
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
}

/** What programs may rely on: cli-contract, "Exit codes". */
export const EXIT = {
  /** Nothing to report, or all done. */
  done: 0,
  /** Something is affected, or still open. */
  open: 1,
  /** Wrong usage, or a failure. */
  failed: 2,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
