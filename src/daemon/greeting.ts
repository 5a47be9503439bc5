/**
 * `codeplan lsp` answers an editor's `initialize` itself, from what is the same whatever the root:
 * an editor waits for that answer before it shows anything, and a daemon may have to be started
 * first. The daemon gets the request as well, and its answer is taken out of the stream.
 *
 *     editor ── initialize ──► greet ──► answer within the time that a process takes to start
 *                    └──► daemon, when it can be reached ──► its answer ──► WithoutAnswer ──► nothing
 */
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import type { InitializeParams } from 'vscode-languageserver/node';
import { shownText } from '../base/shown.js';
import { featuresOf, initializeResult } from './client-features.js';
import { folderOf, framed, messageAt, readFirstMessage, record } from './first-message.js';
import { Starting } from './starting.js';

/** What an editor may send until the daemon is there; one that were blocked by a full pipe would stand still. */
const WAITING_BYTES_MOST = 64 * 2 ** 20;
/** LSP's MessageType. */
const ERROR = 1;

export interface Greeting {
  /** All that the editor sends, from the first byte. */
  readonly input: Readable;
  /** False if the editor left without a word. */
  readonly said: boolean;
  /** Which folder the editor works in, where it says so. */
  readonly folder: string | undefined;
  /** Whether the editor has a list of folders, which may have several or none and may change. */
  readonly hasFolders: boolean;
  /** The id of the request that was answered. */
  readonly answered: unknown;
  /** To be called when the server speaks: until then the editor is shown that it starts. */
  readonly over: () => void;
}

export async function greet(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  version: string,
): Promise<Greeting> {
  const { bytes, message } = await readFirstMessage(input);
  const { method, id, params } = record(message);
  const isGreeting =
    method === 'initialize' &&
    (typeof id === 'string' || typeof id === 'number') &&
    typeof record(params)['capabilities'] === 'object';
  if (isGreeting) output.write(framed({ id, result: initializeResult(params as InitializeParams, version) }));
  const folder = folderOf(message);
  const isWanted = isGreeting && featuresOf(params as InitializeParams).workDoneProgress;
  const waiting = new Starting(output, isWanted, WAITING_BYTES_MOST);
  waiting.write(bytes);
  input.pipe(waiting);
  return {
    input: waiting,
    said: bytes.length > 0,
    folder,
    hasFolders: hasFolders(params, folder),
    answered: isGreeting ? id : undefined,
    over: () => waiting.over(),
  };
}

function hasFolders(params: unknown, folder: string | undefined): boolean {
  const { capabilities, workspaceFolders } = record(params);
  if (record(record(capabilities)['workspace'])['workspaceFolders'] !== true) return false;
  return Array.isArray(workspaceFolders)
    ? workspaceFolders.length > 0 || folder === undefined
    : workspaceFolders === null && folder === undefined;
}

/**
 * Passes a server's messages on, less the answer to a request that the editor has an answer to; if
 * that answer is a refusal, the editor is told in words.
 */
export class WithoutAnswer extends Transform {
  private rest = Buffer.alloc(0);
  private passed: boolean;

  constructor(
    private readonly id: unknown,
    private readonly heard: () => void = () => undefined,
  ) {
    super();
    this.passed = id === undefined;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.passed) {
      done(null, chunk);
      return;
    }
    this.rest = Buffer.concat([this.rest, chunk]);
    while (!this.passed) {
      const first = messageAt(this.rest);
      if (first === 'incomplete') break;
      if (first === undefined) this.passed = true;
      else this.pass(first.message, this.rest.subarray(0, first.end));
      this.rest = this.rest.subarray(first?.end ?? 0);
    }
    if (this.passed && this.rest.length > 0) this.push(this.rest);
    done();
  }

  private pass(message: unknown, bytes: Buffer): void {
    const { id, method, error } = record(message);
    if (id !== this.id || method !== undefined) {
      this.push(bytes);
      return;
    }
    this.passed = true;
    this.heard();
    if (error !== undefined)
      this.push(
        framed({
          method: 'window/showMessage',
          params: { type: ERROR, message: shownText(`codeplan: ${String(record(error)['message'])}`) },
        }),
      );
  }
}
