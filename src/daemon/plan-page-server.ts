/**
 * A session's latest plan as a page at an address of its own, for as long as the session lives.
 *
 *     GET http://127.0.0.1:<port>/<token>/         the page
 *     GET http://127.0.0.1:<port>/<token>/events   a line whenever it has become another one
 *
 * Loopback alone, and only for who was told the token: other users of the machine reach the port
 * but not the page. The host is checked, so that no name of another site leads here. Nothing can
 * be changed through it. It listens from the first time that somebody asks for the address.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '../engine/service.js';
import { contentPolicy, planPage } from '../page/plan-page.js';
import type { LatestPlan } from './latest-plan.js';

const LOOPBACK = '127.0.0.1';
const TOKEN_BYTES = 32;
/** Windows that look at one plan. */
const WATCHERS_MOST = 20;

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': contentPolicy(true),
};

export class PlanPageServer {
  private readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  private readonly watchers = new Set<ServerResponse>();
  private readonly unsubscribe: () => void;
  private listening: Promise<Server> | undefined;

  constructor(
    private readonly plan: LatestPlan,
    private readonly title: string,
  ) {
    this.unsubscribe = plan.onChanged(() => {
      for (const watcher of this.watchers) watcher.write('data: changed\n\n');
    });
  }

  /** Throws ServiceError: daemon, where no port can be had. */
  async url(): Promise<string> {
    this.listening ??= this.listen();
    return `http://${hostOf(await this.listening)}/${this.token}/`;
  }

  close(): void {
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
    const [, token = '', page, ...more] = (request.url ?? '').split('/');
    if (request.headers.host !== host || !this.isToken(token) || more.length > 0 || (page !== '' && page !== 'events'))
      refuse(response, 404, 'There is nothing here.');
    else if (request.method !== 'GET') refuse(response, 405, 'This page can only be read.');
    else if (page === 'events') this.watch(response);
    else
      response
        .writeHead(200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' })
        .end(planPage(this.plan.report, { title: this.title, live: true }));
  }

  private watch(response: ServerResponse): void {
    if (this.watchers.size >= WATCHERS_MOST) {
      refuse(response, 503, 'Too many windows show this page.');
      return;
    }
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' }).flushHeaders();
    this.watchers.add(response);
    response.once('close', () => this.watchers.delete(response));
  }

  /** Takes the same time for every wrong token. */
  private isToken(given: string): boolean {
    return timingSafeEqual(digestOf(given), digestOf(this.token));
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const hostOf = (server: Server): string => `${LOOPBACK}:${(server.address() as AddressInfo).port}`;

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
