/**
 * `codeplan lsp`: an editor's stdio joined to the daemon's socket, byte for byte.
 *
 * The handshake goes first, in the editor's name; its answer is taken out of the stream by its id,
 * and everything after it is the editor's own. When either side ends, so does the other.
 */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { addAbortSignal } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { PROTOCOL_VERSION } from '#protocol/names.js';
import type { HandshakeParams } from '#protocol/session.js';
import { ServiceError } from '../engine/service.js';
import type { BuildIdentity } from '../io/process/build-identity.js';
import { framed, readFirstMessage } from './first-message.js';

/** How long after the daemon's end the editor's end still counts as the cause. */
const LEAVING_MS = 1000;
const HANDSHAKE_ID = 'codeplan-forwarder';

const handshakeAnswer = z.object({ id: z.literal(HANDSHAKE_ID), error: z.object({ message: z.string() }).optional() });

export interface ForwardedStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Resolves when the editor or the daemon is gone, or `signal` says that we are to go; true if it was the editor. Throws
 * ServiceError: version, daemon.
 */
export async function forward(
  socket: Socket,
  build: BuildIdentity,
  client: HandshakeParams['client'],
  streams: ForwardedStreams,
  signal: AbortSignal,
): Promise<boolean> {
  const { input, output } = streams;
  socket.on('error', () => socket.destroy());
  addAbortSignal(signal, socket);
  const params: HandshakeParams = { protocol: PROTOCOL_VERSION, version: build.version, build: build.stamp, client };
  socket.write(framed({ id: HANDSHAKE_ID, method: 'codeplan/handshake', params }));
  // The daemon speaks only when spoken to, so the first message is the answer and nothing follows it.
  const { message } = await readFirstMessage(socket);
  const answer = handshakeAnswer.safeParse(message);
  if (!answer.success)
    throw new ServiceError('daemon', 'the daemon did not answer the handshake; run "codeplan daemon restart"');
  if (answer.data.error !== undefined) throw new ServiceError('version', answer.data.error.message);
  const editor = { ended: false };
  input.once('end', () => (editor.ended = true));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  input.pipe(socket);
  socket.pipe(output, { end: false });
  await closed;
  input.unpipe(socket);
  input.resume();
  // After the editor's `exit` the daemon may close first; the editor's own end then follows at once.
  if (!editor.ended && !signal.aborted)
    await Promise.race([once(input, 'end'), setTimeout(LEAVING_MS, undefined, { ref: false })]);
  return editor.ended;
}
