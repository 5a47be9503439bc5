/**
 * One message of a type checker, compiler, linter or test run, whatever tool it came from.
 *
 * Lines and columns are 1-based as tools print them, columns counted as the tool counts. Paths are
 * relative to the root with `/`; a file outside of the root keeps its absolute path.
 */

export type Severity = 'error' | 'warning' | 'info';

export interface Diagnostic {
  readonly file: string;
  /** 1 where the tool names only the file. */
  readonly line: number;
  /** 1 where the tool names only the line. */
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly severity: Severity;
  /** The tool's name for this sort of message: `TS2554`, `reportCallIssue`. */
  readonly code?: string;
  readonly message: string;
}

/** What one run of an oracle came to. */
export type OracleOutcome =
  | {
      readonly ok: true;
      readonly diagnostics: readonly Diagnostic[];
      /** What was looked at, where that is not all. */
      readonly partly?: string;
      /** Where tests were run by name. */
      readonly tests?: TestResults;
    }
  | { readonly ok: false; readonly error: OracleError };

export interface OracleError {
  /**
   * `missing`: the program is not there. `failed`: it ended badly without a message that could be
   * read. `unreadable`: the files to check could not be laid out.
   */
  readonly kind: 'missing' | 'timeout' | 'failed' | 'too-much-output' | 'unreadable';
  readonly message: string;
}

/** Which tests passed, and which failed or could not be set up, by the names that the tool gives them. */
export interface TestResults {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}
