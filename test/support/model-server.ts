/**
 * A model endpoint of the test's own on the loopback interface.
 *
 * Each request is answered by the next of the scripted turns; what was asked is kept for the test.
 */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Turn = (response: ServerResponse, asked: Asked) => void;

export interface ModelServer {
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** Serves the turns in order; the last one is repeated. */
export async function modelServer(...turns: readonly Turn[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry: Asked = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>,
      };
      asked.push(entry);
      const turn = turns[Math.min(asked.length, turns.length) - 1];
      if (turn === undefined) throw new Error('the test scripted no turn');
      turn(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error === undefined ? resolve() : reject(error))));
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Turn {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** A whole chat completion. */
export function says(content: string, finish = 'stop'): Turn {
  return json(200, {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  });
}

/** One event of a stream of chat completion pieces. */
export function piece(content: string, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
}

/** The events as a stream; `ending` says how it goes on after them. */
export function streams(events: readonly string[], ending: 'end' | 'cut' | 'hang'): Turn {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const [last, ...others] = [...events].reverse();
    for (const event of others.reverse()) response.write(event);
    if (ending === 'end') response.end(last);
    else
      response.write(last, () => {
        if (ending === 'cut') response.destroy();
      });
  };
}
