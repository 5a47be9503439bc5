/**
 * Reads the first message of a JSON-RPC stream without consuming it: which root an editor works in
 * is only said in its `initialize`, and a daemon has to be found before anything can be answered.
 */
import { filePath } from './paths-and-uris.js';

const HEADER_END = '\r\n\r\n';
/** An `initialize` is some kilobytes; a header longer than this is none. */
const HEADER_BYTES_MOST = 4096;

export interface FirstMessage {
  /** Everything that was read; to be passed on. */
  readonly bytes: Buffer;
  /** The message, or undefined if the stream ended or does not speak JSON-RPC. */
  readonly message: unknown;
}

export async function readFirstMessage(stream: NodeJS.ReadableStream): Promise<FirstMessage> {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve) => {
    const settle = (message: unknown): void => {
      stream.removeListener('data', take);
      stream.removeListener('end', end);
      stream.removeListener('close', end);
      stream.pause();
      resolve({ bytes, message });
    };
    const end = (): void => settle(undefined);
    const take = (chunk: Buffer | string): void => {
      bytes = Buffer.concat([bytes, typeof chunk === 'string' ? Buffer.from(chunk) : chunk]);
      const first = messageAt(bytes);
      if (first !== 'incomplete') settle(first?.message);
    };
    stream.on('data', take);
    stream.on('end', end);
    stream.on('close', end);
  });
}

/**
 * The message that these bytes begin with (undefined if it is no JSON) and where it ends; undefined for what is no
 * JSON-RPC framing.
 */
export function messageAt(
  bytes: Buffer,
): { readonly message: unknown; readonly end: number } | 'incomplete' | undefined {
  const headerEnd = bytes.indexOf(HEADER_END);
  if (headerEnd === -1) return bytes.length > HEADER_BYTES_MOST ? undefined : 'incomplete';
  const length = /content-length: *(\d+)/iu.exec(bytes.toString('latin1', 0, headerEnd))?.[1];
  if (length === undefined) return undefined;
  const start = headerEnd + HEADER_END.length;
  const end = start + Number(length);
  return bytes.length < end ? 'incomplete' : { message: parsed(bytes.subarray(start, end)), end };
}

export function framed(message: object): Buffer {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${HEADER_END}`), body]);
}

/** The folder that an `initialize` names, or undefined. */
export function folderOf(message: unknown): string | undefined {
  const { method, params } = record(message);
  if (method !== 'initialize') return undefined;
  const { workspaceFolders, rootUri, rootPath } = record(params);
  const [first] = Array.isArray(workspaceFolders) ? (workspaceFolders as readonly unknown[]) : [];
  for (const uri of [record(first)['uri'], rootUri]) {
    const folder = typeof uri === 'string' ? filePath(uri) : undefined;
    if (folder !== undefined) return folder;
  }
  return typeof rootPath === 'string' && rootPath !== '' ? rootPath : undefined;
}

/** All messages of a stream, each with its bytes; ends with the stream, or where it speaks no JSON-RPC. */
export async function* messagesOf(
  stream: AsyncIterable<unknown>,
): AsyncGenerator<{ readonly message: Record<string, unknown>; readonly bytes: Buffer }> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let first = messageAt(rest); first !== 'incomplete'; first = messageAt(rest)) {
      if (first === undefined) return;
      yield { message: record(first.message), bytes: rest.subarray(0, first.end) };
      rest = rest.subarray(first.end);
    }
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    // The daemon reads the same bytes and answers them.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
