/**
 * From a handler's outcome to an answer on the wire: the one place where a request's failure is
 * caught.
 *
 *     ServiceError    its own code, with kind and files as data
 *     aborted         -32800 request cancelled
 *     bad parameters  -32602, saying which
 *     our own bug     -32603, logged with its stack; the client gets the message alone
 */
import { type CancellationToken, ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import * as z from 'zod';
import type { ErrorData } from '#protocol/errors.js';
import { shownInLine, shownText } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import type { Log } from '../io/disk/log-file.js';

/** Slower answers are worth a line in the log. */
const SLOW_MS = 1000;

/** Rejects with a ResponseError and nothing else; the connection sends it. */
export async function answer<T>(
  method: string,
  token: CancellationToken,
  log: Log,
  handle: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() =>
    controller.abort(new Error('the client cancelled the request')),
  );
  if (token.isCancellationRequested) controller.abort(new Error('the client cancelled the request'));
  const started = performance.now();
  try {
    return await handle(controller.signal);
  } catch (error) {
    throw toResponse(method, error, controller.signal, log);
  } finally {
    subscription.dispose();
    const ms = Math.round(performance.now() - started);
    log(ms >= SLOW_MS ? 'info' : 'debug', 'request', { method, ms });
  }
}

function toResponse(method: string, error: unknown, signal: AbortSignal, log: Log): ResponseError<ErrorData | void> {
  if (signal.aborted) return new ResponseError(LSPErrorCodes.RequestCancelled, `${method} was cancelled`);
  if (error instanceof ResponseError) return error as ResponseError<ErrorData>;
  if (error instanceof ServiceError) {
    log('info', 'refused', { method, kind: error.kind });
    return new ResponseError<ErrorData>(error.code, shownText(error.message), {
      kind: error.kind,
      ...(error.files.length === 0 ? {} : { files: [...error.files] }),
      ...(error.candidates.length === 0 ? {} : { candidates: [...error.candidates] }),
    });
  }
  if (error instanceof z.ZodError)
    return new ResponseError(
      ErrorCodes.InvalidParams,
      shownInLine(`the parameters of ${method} do not fit: ${z.prettifyError(error)}`),
    );
  log('error', 'bug', { method, stack: error instanceof Error ? error.stack : String(error) });
  return new ResponseError(
    ErrorCodes.InternalError,
    shownText(
      `${method} failed in the daemon itself: ${error instanceof Error ? error.message : String(error)}; ` +
        '"codeplan daemon logs" shows more',
    ),
  );
}
