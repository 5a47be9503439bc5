/**
 * Clients that send whatever they like to a real daemon over its socket, many at once, some of which vanish.
 *
 * After each crowd another client has to be answered; the process may not end; and its memory at the end may not be far
 * above that once it has started, by the lowest of the last quarter of the time and of the second.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { introduction } from '#src/daemon/daemon-connection.js';
import { framed } from '#src/daemon/first-message.js';
import { RemoteService } from '#src/daemon/remote-service.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { dial } from '#src/io/socket/dial.js';
import { logPath } from '#src/io/disk/log-file.js';
import { socketAddress } from '#src/io/socket/socket-address.js';
import { PROTOCOL_VERSION } from '#protocol/names.js';
import { initRepository } from '../../test/support/git-repository.js';
import { SHOP } from '../../test/support/shop.js';
import { messageOf } from './messages.js';
import { roundOf, type Campaign, type Target } from './target.js';

const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
/** As long as it may take on a machine that is busy with other things; a daemon that hangs never answers. */
const ANSWER_MS_MOST = 300_000;
const START_MS_MOST = 300_000;
/** In one round. */
const CROWDS = 3;
const CLIENTS_MOST = 6;
const MESSAGES_MOST = 400;
/** Ids of the random messages lie between these two. */
const FIRST_ID = 1;
const LAST_ID = 5000;
/** Growth of the lowest memory of a quarter over that of the second, which the collector alone can bring about. */
const GROWTH_MOST = 1.3;
const GROWTH_BYTES_MOST = 60 * 2 ** 20;
const SAMPLES_FEWEST = 40;

interface RandomClient {
  readonly editor: boolean;
  readonly messages: readonly number[];
  /** Waits for the answer to a last question, or vanishes: at once, or after all was written. */
  readonly ending: 'waits' | 'vanishes' | 'leaves';
}

const number = fc.noShrink(fc.nat(2 ** 31 - 1));
const clients: fc.Arbitrary<RandomClient[]> = fc.array(
  fc.record({
    editor: fc.boolean(),
    messages: fc.array(number, { maxLength: MESSAGES_MOST, size: 'max' }),
    ending: fc.constantFrom('waits', 'waits', 'vanishes', 'leaves'),
  }),
  { minLength: 1, maxLength: CLIENTS_MOST, size: 'max' },
);

export const protocol: Target = { name: 'protocol', unit: 'messages', start };

async function start(): Promise<Campaign> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codeplan-fuzz-')));
  const crowd = new Crowd(folder);
  await crowd.daemon();
  return {
    round: roundOf(
      clients,
      (all) => crowd.come(all),
      (all) => crowd.show(all),
      CROWDS,
    ),
    tried: () => crowd.sent,
    figures: () => crowd.figures(),
    verdict: () => crowd.growth(),
    close: async () => {
      await crowd.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

interface Daemon {
  readonly process: ChildProcess;
  /** The other client. */
  readonly good: RemoteService;
}

class Crowd {
  sent = 0;
  private bytes = 0;
  private came = 0;
  private daemons = 0;
  private longestMs = 0;
  private readonly resident: number[] = [];
  private readonly root: string;
  /** What the daemon prints. */
  private readonly errors: string;
  private readonly environment: NodeJS.ProcessEnv;
  private current: Daemon | undefined;

  constructor(folder: string) {
    this.root = join(folder, 'repo');
    this.errors = join(folder, 'daemon-errors');
    const runtime = join(folder, 'run');
    mkdirSync(this.root);
    mkdirSync(runtime, { mode: 0o700 });
    initRepository(this.root, SHOP);
    this.environment = {
      PATH: process.env['PATH'],
      HOME: folder,
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: runtime,
      CODEPLAN_IDLE_SECONDS: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
  }

  /** Throws when another client is not answered afterwards. */
  async come(all: readonly RandomClient[]): Promise<void> {
    const { process: child } = await this.daemon();
    await Promise.all(all.map((client) => this.send(client)));
    const began = performance.now();
    const { good } = await this.daemon();
    const { memory } = await answered(good.status({ signal: new AbortController().signal, progress: () => undefined }));
    this.longestMs = Math.max(this.longestMs, performance.now() - began);
    this.resident.push(memory.residentBytes);
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(this.lastWords(child));
  }

  /** The one that runs; a new one where none does. */
  async daemon(): Promise<Daemon> {
    const known = this.current;
    if (known !== undefined) {
      if (known.process.exitCode === null && known.process.signalCode === null) return known;
      this.current = undefined;
      throw new Error(this.lastWords(known.process));
    }
    this.daemons++;
    const errors = openSync(this.errors, 'a');
    const child = spawn(process.execPath, [PROGRAM, 'daemon', 'run', '--root', this.root], {
      env: this.environment,
      cwd: '/',
      stdio: ['ignore', 'ignore', errors],
    });
    closeSync(errors);
    try {
      const good = await this.goodClient(child);
      return (this.current = { process: child, good });
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  private async goodClient(child: ChildProcess): Promise<RemoteService> {
    return RemoteService.over(
      await this.dialled(child),
      buildIdentity(),
      introduction('another client', process.pid, '/', {}),
      new AbortController().signal,
    );
  }

  figures(): Readonly<Record<string, string | number>> {
    return {
      clients: this.came,
      megabytes: Math.round(this.bytes / 2 ** 20),
      'daemons started': this.daemons,
      'longest wait of another client (ms)': Math.round(this.longestMs),
      "the daemon's lowest memory of each quarter (MB)": this.quarters()
        .map((bytes) => Math.round(bytes / 2 ** 20))
        .join(' '),
    };
  }

  /** The lowest memory of each quarter of the time, in bytes. */
  private quarters(): number[] {
    const most = this.resident.length;
    return [0, 1, 2, 3]
      .map((quarter) => this.resident.slice((quarter * most) / 4, ((quarter + 1) * most) / 4))
      .flatMap((samples) => (samples.length === 0 ? [] : [Math.min(...samples)]));
  }

  growth(): string | undefined {
    // The first one is the daemon's start: code loaded and compiled, its first index, a heap that takes its size.
    const [, first, , last] = this.quarters();
    if (first === undefined || last === undefined || this.resident.length < SAMPLES_FEWEST) return undefined;
    return last > first * GROWTH_MOST + GROWTH_BYTES_MOST
      ? `the daemon grew from ${first} to ${last} bytes`
      : undefined;
  }

  show(all: readonly RandomClient[]): string {
    return all
      .map(({ editor, messages, ending }) => {
        const sent = messages.map((each) => JSON.stringify(this.message(each).bytes.toString('latin1')));
        return `a client${editor ? ', an editor,' : ''} that ${ending} after\n${sent.join('\n')}`;
      })
      .join('\n');
  }

  async close(): Promise<void> {
    const known = this.current;
    if (known === undefined || known.process.exitCode !== null || known.process.signalCode !== null) return;
    const ended = once(known.process, 'exit');
    await known.good.close();
    known.process.kill('SIGTERM');
    await ended;
  }

  private message(each: number): ReturnType<typeof messageOf> {
    return messageOf(each, pathToFileURL(this.root).href);
  }

  private async send({ editor, messages, ending }: RandomClient): Promise<void> {
    const socket = await this.dialled((await this.daemon()).process);
    // A reset is the daemon's answer to broken framing.
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const last = sawAnswer(socket, LAST_ID);
    socket.write(this.greeting(editor));
    let broken = false;
    for (const each of messages) {
      const { bytes, breaksFraming } = this.message(each);
      this.sent++;
      this.bytes += bytes.length;
      if (!socket.write(bytes) && ending !== 'vanishes')
        await Promise.race([once(socket, 'drain'), closed]).catch(() => undefined);
      if ((broken = breaksFraming) || socket.destroyed) break;
    }
    this.came++;
    if (ending === 'waits' && !broken) {
      socket.write(framed({ id: LAST_ID, method: 'codeplan/status', params: {} }));
      await answered(Promise.race([last, closed]));
    }
    if (ending === 'vanishes') socket.destroy();
    else socket.destroySoon();
    await answered(closed);
  }

  private greeting(editor: boolean): Buffer {
    const { version, stamp } = buildIdentity();
    const client = introduction('a random client', process.pid, '/', {});
    const handshake = framed({
      id: FIRST_ID,
      method: 'codeplan/handshake',
      params: { protocol: PROTOCOL_VERSION, version, build: stamp, client },
    });
    if (!editor) return handshake;
    const folder = { uri: pathToFileURL(this.root).href, name: 'repo' };
    const params = { processId: null, rootUri: folder.uri, capabilities: {}, workspaceFolders: [folder] };
    return Buffer.concat([
      handshake,
      framed({ id: FIRST_ID + 1, method: 'initialize', params }),
      framed({ method: 'initialized', params: {} }),
    ]);
  }

  private async dialled(child: ChildProcess): Promise<Socket> {
    const { socket } = socketAddress(this.root, buildIdentity(), this.environment);
    for (const until = performance.now() + START_MS_MOST; performance.now() < until;) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(this.lastWords(child));
      // On a busy machine the time that `dial` gives itself runs out in this process, whatever the daemon does.
      const connection = await dial(socket).catch(() => undefined);
      if (connection !== undefined) return connection;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('the daemon does not listen');
  }

  private lastWords({ exitCode, signalCode }: ChildProcess): string {
    const said = [logPath(this.root, this.environment), this.errors]
      .filter((file) => existsSync(file))
      .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(-16));
    return `the daemon ended with ${signalCode ?? exitCode}; the last that it said:\n${said.join('\n')}`;
  }
}

/** Resolves when an answer to this id came. What else comes is read and thrown away. */
function sawAnswer(socket: Socket, id: number): Promise<void> {
  const sign = `"id":${id}`;
  let tail = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      tail += chunk.toString('latin1');
      if (tail.includes(sign)) resolve();
      tail = tail.slice(-sign.length);
    });
  });
}

/** Throws when there is no answer for so long that there will be none. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer for ${ANSWER_MS_MOST / 1000} s`)), ANSWER_MS_MOST);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
