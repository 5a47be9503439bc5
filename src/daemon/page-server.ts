/**
 * A page at an address of its own, that follows what it shows: a session's latest plan for as long as the session
 * lives, a campaign for as long as its command runs.
 *
 *     GET http://127.0.0.1:<port>/open/<key>       leads to the page, once
 *     GET http://127.0.0.1:<port>/<token>/         the page
 *     GET http://127.0.0.1:<port>/<token>/events   its revision, at once and whenever it has become another one
 *     POST http://127.0.0.1:<port>/<token>/review  what the person says of steps, as JSON
 *
 * Loopback alone, and only for who was told the token: other users of the machine reach the port
 * but not the page. What is handed out is a key, since it will stand among a browser's arguments,
 * which everybody can read: it opens the page once, and whoever comes second with it ends what the
 * first was given. The host is checked, so that no name of another site leads here; what a person says is taken from
 * the page's own origin alone. Through it steps are accepted and rejected, and nothing is written. It listens from the
 * first time that somebody asks for the address.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '../engine/service.js';
import { contentPolicy } from '../page/frame.js';

const LOOPBACK = '127.0.0.1';
/** 256 random bits: no one guesses it, and its digest is as long. */
const TOKEN_BYTES = 32;
/** Windows that look at one page. */
const WATCHERS_MOST = 20;
/** Bytes of what a person says of a plan's steps. */
const SAID_MOST = 65_536;

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': contentPolicy(true),
};

/** What is shown. */
export interface LivePage {
  /** Another number whenever the page has become another one. */
  readonly revision: number;
  /** The page as it is at `revision`. */
  html(): string;
  /** Takes what the person says of steps; absent where the page only shows. Throws what says why it cannot. */
  review?(said: unknown): Promise<void>;
  /** Gives the function that ends it. */
  onChanged(listener: () => void): () => void;
}

export class PageServer {
  /** Digest of a key to the token that it was exchanged for, undefined until then. */
  private readonly keys = new Map<string, string | undefined>();
  /** Digests of the tokens that open the page, each with the windows that it keeps up to date. */
  private readonly tokens = new Map<string, Set<ServerResponse>>();
  private readonly unsubscribe: () => void;
  private listening: Promise<Server> | undefined;
  private isClosed = false;

  constructor(private readonly page: LivePage) {
    this.unsubscribe = page.onChanged(() => {
      for (const watchers of this.tokens.values()) for (const watcher of watchers) this.tell(watcher);
    });
  }

  /** An address for one opening. Throws ServiceError: daemon, where no port can be had. */
  async url(): Promise<string> {
    if (this.isClosed) throw new ServiceError('daemon', 'the page is closed with who asked for it');
    this.listening ??= this.listen();
    const key = randomBytes(TOKEN_BYTES).toString('base64url');
    this.keys.set(digestOf(key), undefined);
    return `http://${hostOf(await this.listening)}/open/${key}`;
  }

  close(): void {
    this.isClosed = true;
    this.unsubscribe();
    this.listening?.then(
      (server) => {
        server.close();
        server.closeAllConnections();
      },
      () => undefined,
    );
  }

  private listen(): Promise<Server> {
    return new Promise((resolve, reject) => {
      const server = createServer((request, response) => this.answer(hostOf(server), request, response));
      server.once('error', (error) =>
        reject(new ServiceError('daemon', `cannot serve the page on ${LOOPBACK}: ${error.message}`)),
      );
      server.listen(0, LOOPBACK, () => resolve(server));
    });
  }

  private answer(host: string, request: IncomingMessage, response: ServerResponse): void {
    const [, token = '', page = '', ...more] = (request.url ?? '').split('/');
    const watchers = this.tokens.get(digestOf(token));
    const isKey = token === 'open' && this.keys.has(digestOf(page));
    const isReview = page === 'review' && this.page.review !== undefined;
    const isPage = watchers !== undefined && (page === '' || page === 'events' || isReview);
    if (request.headers.host !== host || more.length > 0 || !(isKey || isPage))
      refuse(response, 404, 'There is nothing here.');
    else if (isReview && request.method === 'POST') void this.take(host, request, response);
    else if (request.method !== 'GET' || isReview) refuse(response, 405, 'That cannot be done here.');
    else if (watchers === undefined) this.exchange(page, response);
    else if (page === 'events') this.watch(watchers, response);
    else response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' }).end(this.page.html());
  }

  private async take(host: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, 'content-type': type } = request.headers;
    if (origin !== `http://${host}` || type !== 'application/json') {
      refuse(response, 403, 'What is said of a plan is taken from its page alone.');
      return;
    }
    try {
      await this.page.review?.(JSON.parse(await bodyOf(request)));
      response.writeHead(204, HEADERS).end();
    } catch (error) {
      refuse(response, 400, error instanceof Error ? error.message : String(error));
    }
  }

  private exchange(key: string, response: ServerResponse): void {
    const digest = digestOf(key);
    const before = this.keys.get(digest);
    if (before !== undefined) {
      for (const watcher of this.tokens.get(before) ?? []) watcher.end();
      this.tokens.delete(before);
      refuse(response, 410, 'This address was opened before, and what that showed is closed. Ask for the page again.');
      return;
    }
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.keys.set(digest, digestOf(token));
    this.tokens.set(digestOf(token), new Set());
    response.writeHead(303, { ...HEADERS, Location: `/${token}/` }).end();
  }

  private watch(watchers: Set<ServerResponse>, response: ServerResponse): void {
    const all = [...this.tokens.values()].reduce((sum, some) => sum + some.size, 0);
    if (all >= WATCHERS_MOST) {
      refuse(response, 503, 'Too many windows show this page.');
      return;
    }
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' }).flushHeaders();
    this.tell(response);
    watchers.add(response);
    response.once('close', () => watchers.delete(response));
  }

  private tell(watcher: ServerResponse): void {
    watcher.write(`data: ${this.page.revision}\n\n`);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > SAID_MOST) throw new Error('that is longer than what can be said of a plan');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** What is looked up, so that the time that it takes says nothing of the text. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const hostOf = (server: Server): string => `${LOOPBACK}:${(server.address() as AddressInfo).port}`;

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
