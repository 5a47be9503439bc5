/**
 * Every way in which a request can be refused, with its code on the wire.
 *
 * The kinds are closed: a client may switch over them. Codes below -32000 belong to JSON-RPC and
 * LSP and keep their meaning there (-32700 to -32600 for malformed requests, -32800 cancelled,
 * -32801 content modified). `message` always says what was tried, on what, and what to do.
 */
import * as z from 'zod';

export const ERROR_CODES = {
  /** The root is gone, is no directory, or cannot be read. */
  root: 1,
  /** No git repository, or git itself is missing. */
  noGit: 2,
  /** The revision does not exist. */
  revision: 3,
  /** `baseDir` cannot be read. */
  baseDirectory: 4,
  /** No such run, or it was undone. */
  unknownRun: 5,
  /** A file is not what the edit was computed from. Nothing was written. */
  textMovedOn: 6,
  /** The disk refused to write. What had been written was taken back. */
  write: 7,
  /** The settings file cannot be read or is not valid. */
  settings: 8,
  /** The model endpoint is not configured or failed. */
  model: 9,
  /** The oracle could not run. */
  oracle: 10,
  /** The daemon and the client are of different versions. */
  version: 11,
  /** The request is sound but cannot be answered now: another run is in progress. */
  busy: 12,
  /** The daemon cannot be started or reached. */
  daemon: 13,
  /** No block has the name, or stands at the place. */
  unknownBlock: 14,
  /** Several blocks have the name. */
  ambiguousBlock: 15,
  /** No language server is configured. One that fails is a problem in the answer instead. */
  languageServer: 16,
  /** The refactoring cannot be made: the message says what is in the way. */
  refused: 17,
} as const;

export type ErrorKind = keyof typeof ERROR_CODES;
export const ERROR_KINDS = Object.keys(ERROR_CODES) as [ErrorKind, ...ErrorKind[]];

/** The `data` of an error answer. */
export const errorData = z.strictObject({
  kind: z.enum(ERROR_KINDS),
  files: z.array(z.string()).optional().describe('Files that the refusal is about.'),
  candidates: z.array(z.string()).optional().describe('Blocks that the name could mean, each as it can be asked for.'),
});
export type ErrorData = z.infer<typeof errorData>;
