/**
 * A client's session with the daemon: the handshake that opens it, what the daemon tells unasked,
 * and how the daemon is asked to stop.
 *
 * The handshake is the first message on a socket. `codeplan lsp` sends it for the editor behind
 * it, so an editor that speaks over stdio needs none. An editor's unsaved texts travel as LSP's own
 * `textDocument/didOpen`, `didChange` and `didClose`; a client that is no editor sends `codeplan/text`.
 */
import * as z from 'zod';
import { leftCounts, read } from './left.js';
import { file } from './words.js';

export const handshakeParams = z
  .strictObject({
    protocol: z.int().min(1),
    version: z.string().describe("Version of the client's program."),
    build: z.string().describe("Stamp of the client's build; another build gets a daemon of its own."),
    client: z.strictObject({
      name: z.string(),
      pid: z.int().min(0),
      workingDirectory: z.string().describe('Where an oracle that this client starts runs.'),
      environment: z
        .record(z.string(), z.string())
        .describe('Environment of an oracle or a model request of this client.'),
    }),
    notify: z.boolean().optional().describe('Whether to send `codeplan/viewChanged`.'),
  })
  .describe('Who connects.');

export const handshakeResult = z
  .strictObject({
    protocol: z.int().min(1),
    version: z.string(),
    build: z.string(),
    pid: z.int().min(0),
    root: z.string(),
    log: z.string().describe("The daemon's log file."),
  })
  .describe('Who answers.');

export const textParams = z
  .strictObject({
    file,
    text: z.string().optional().describe('Absent: the text on the disk counts again.'),
    version: z.int().optional(),
  })
  .describe('An unsaved text of this client.');

export const settleParams = z
  .strictObject({ back: z.boolean().optional().describe('What it was before the last time counts again.') })
  .describe('What counts as settled.');

export const pageResult = z.strictObject({ url: z.url() }).describe('Where the page is.');

export const changed = z
  .strictObject({
    changes: z.int().min(0).describe('Blocks that differ from the last settled state.'),
    affected: z.int().min(0).describe('Blocks that are left to do.'),
    ...leftCounts.omit({ left: true }).shape,
    complete: z.boolean(),
    read: read.optional(),
  })
  .describe('What is left of the edits was computed anew.');

export const stopResult = z.strictObject({ pid: z.int().min(0) }).describe('The process that is about to end.');

export type HandshakeParams = z.infer<typeof handshakeParams>;
export type HandshakeResult = z.infer<typeof handshakeResult>;
export type TextParams = z.infer<typeof textParams>;
export type Changed = z.infer<typeof changed>;
export type StopResult = z.infer<typeof stopResult>;
