/**
 * Headless Chromium, driven over its DevTools protocol through a pair of pipes, so that no port is
 * open and no driver is needed. It sees no network but what a test names.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.js';
import { temporaryFolder } from './temporary-folder.js';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--hide-scrollbars',
  '--window-size=1200,900',
  '--remote-debugging-pipe',
];

/** How the browser answers a question whose page was left for another one, by itself or since it loaded anew. */
const LEFT =
  /Inspected target navigated|Execution context was destroyed|Cannot find (?:default )?(?:execution )?context/u;

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

export class Browser {
  /** Addresses that the page asked for, and complaints on its console, such as about the content policy. */
  readonly requested: string[] = [];
  readonly complaints: string[] = [];
  private readonly waiting = new Map<
    number,
    { resolve: (result: Readonly<Record<string, unknown>>) => void; reject: (error: Error) => void }
  >();
  private readonly process: ChildProcess;
  private page: string | undefined;
  private sent = 0;

  private constructor(t: TestContext) {
    const folder = temporaryFolder(t);
    this.process = spawn('chromium', [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, HOME: folder },
    });
    t.after(
      () =>
        new Promise((resolve) => {
          if (this.process.exitCode !== null) return resolve(undefined);
          this.process.once('exit', resolve);
          // Its helpers write into the folder for as long as they live.
          if (this.process.pid !== undefined) process.kill(-this.process.pid, 'SIGKILL');
        }),
    );
    this.process.once('exit', () => this.fail(new Error('the browser has ended')));
    this.process.once('error', (error) => this.fail(error));
    let rest = '';
    (this.process.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      const messages = (rest + chunk.toString('utf8')).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.take(JSON.parse(message) as Answer);
    });
  }

  static async start(t: TestContext): Promise<Browser> {
    const browser = new Browser(t);
    const { targetInfos } = (await browser.send('Target.getTargets')) as {
      targetInfos: readonly { type: string; targetId: string }[];
    };
    const { targetId } =
      targetInfos.find(({ type }) => type === 'page') ??
      ((await browser.send('Target.createTarget', { url: 'about:blank' })) as { targetId: string });
    browser.page = (
      (await browser.send('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string }
    ).sessionId;
    for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await browser.send(`${domain}.enable`);
    return browser;
  }

  /** Resolves once the page, to which the address may have led by way of others, is loaded. */
  async open(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
    await eventually(
      `${url} is loaded`,
      async () =>
        (await this.evaluate<boolean>(
          'location.href !== "about:blank" && document.readyState === "complete" && document.body !== null',
        )) || undefined,
    );
  }

  /** An expression's value in the page. A page that is left meanwhile is asked again once the next one is there. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await eventually(`a page that stays while it is asked: ${expression}`, () =>
      this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true }).then(
        (answer) => answer as { result: { value: T }; exceptionDetails?: { text: string } },
        (error: unknown) => {
          if (error instanceof Error && LEFT.test(error.message)) return undefined;
          throw error;
        },
      ),
    );
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  }

  /** Clicks in the middle of the first element that a selector finds. */
  async click(selector: string): Promise<void> {
    const [x, y] = await this.evaluate<[number, number]>(
      `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
    );
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  async colours(scheme: 'light' | 'dark'): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  /** A PNG of what is in view. */
  async photograph(): Promise<Buffer> {
    const { data } = (await this.send('Page.captureScreenshot', { format: 'png' })) as { data: string };
    return Buffer.from(data, 'base64');
  }

  private send(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.sent;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      (this.process.stdio[3] as Writable).write(
        `${JSON.stringify({ id, method, params, ...(this.page === undefined ? {} : { sessionId: this.page }) })}\0`,
      );
    });
  }

  private take({ id, method, params, result, error }: Answer): void {
    if (id !== undefined) {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) waiting?.resolve(result ?? {});
      else waiting?.reject(new Error(error.message));
    } else if (method !== undefined) {
      if (method === 'Network.requestWillBeSent')
        this.requested.push((params as { request: { url: string } }).request.url);
      if (method === 'Log.entryAdded') this.complaints.push((params as { entry: { text: string } }).entry.text);
      if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params));
    }
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
