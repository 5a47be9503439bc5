/**
 * Telling a client how far a long request is, by LSP's work-done progress, and taking its cancel
 * button's word.
 *
 * The client's own token is used where the request carries one; otherwise a token is made, if the
 * client can be asked for one. A client without either is told nothing.
 */
import { randomUUID } from 'node:crypto';
import {
  WorkDoneProgress,
  WorkDoneProgressCancelNotification,
  WorkDoneProgressCreateRequest,
  type ProgressToken,
  type ProtocolConnection,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from 'vscode-languageserver/node';
import * as z from 'zod';
import { shownInLine } from '../base/shown.js';
import type { Call } from '../engine/service.js';

/** The token in a request's parameters, and the parameters without it. */
export function takeToken(params: unknown): { readonly token: ProgressToken | undefined; readonly rest: unknown } {
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return { token: undefined, rest: params ?? {} };
  const { workDoneToken, partialResultToken: _, ...rest } = params as Record<string, unknown>;
  return { token: z.union([z.string(), z.number()]).optional().parse(workDoneToken), rest };
}

export class RequestProgress {
  private readonly running = new Map<ProgressToken, AbortController>();

  constructor(private readonly connection: ProtocolConnection) {
    connection.onNotification(WorkDoneProgressCancelNotification.type, ({ token }) => {
      this.running.get(token)?.abort(new Error('the client cancelled the request'));
    });
  }

  /** A token for a request that came without one, from a client that supports it. */
  async makeToken(): Promise<ProgressToken> {
    // An editor may have several of us on one connection, so counting is not enough.
    const token = `codeplan-${randomUUID()}`;
    await this.connection.sendRequest(WorkDoneProgressCreateRequest.type, { token });
    return token;
  }

  /** Runs `work`. With a token its progress is sent, from begin to end, and cancelling by the token aborts it too. */
  async run<T>(
    token: ProgressToken | undefined,
    title: string,
    signal: AbortSignal,
    work: (call: Call) => Promise<T>,
  ): Promise<T> {
    if (token === undefined) return work({ signal, progress: () => undefined });
    const controller = new AbortController();
    this.running.set(token, controller);
    this.send(token, { kind: 'begin', title, cancellable: true });
    try {
      return await work({
        signal: AbortSignal.any([signal, controller.signal]),
        progress: (message, fraction) =>
          this.send(token, {
            kind: 'report',
            message: shownInLine(message),
            ...(fraction === undefined ? {} : { percentage: Math.round(fraction * 100) }),
          }),
      });
    } finally {
      this.running.delete(token);
      this.send(token, { kind: 'end' });
    }
  }

  private send(
    token: ProgressToken,
    value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd,
  ): void {
    // A client that has gone takes the request with it.
    this.connection.sendProgress<typeof value>(WorkDoneProgress.type, token, value).catch(() => undefined);
  }
}
