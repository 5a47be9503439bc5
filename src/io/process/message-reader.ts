/**
 * Reading JSON-RPC messages from a stream.
 *
 * The library's reader tells every ten seconds that a message is still incomplete, by a timer that it starts anew for
 * ever, after the stream's end too: whoever vanishes in the middle of a message would be kept in memory. Nobody here
 * asks to be told.
 */
import { StreamMessageReader } from 'vscode-jsonrpc/node';

export function messageReader(input: NodeJS.ReadableStream): StreamMessageReader {
  const reader = new StreamMessageReader(input);
  reader.partialMessageTimeout = 0;
  return reader;
}
