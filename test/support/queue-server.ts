/** Real servers for queues, on loopback, with data of the test's own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.js';
import { temporaryFolder } from './temporary-folder.js';

export interface QueueServer {
  readonly address: string;
  /** Ends it in the middle of what it does. */
  kill(): Promise<void>;
  /** Again, on the same port, with what was on the disk. */
  start(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function redisServer(t: TestContext): Promise<QueueServer> {
  const folder = temporaryFolder(t);
  const port = await freePort();
  return started(t, {
    address: `redis://127.0.0.1:${port}`,
    spawn: () =>
      spawn(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      ),
    ready: /Ready to accept connections/u,
  });
}

interface Startable {
  readonly address: string;
  readonly spawn: () => ChildProcess;
  readonly ready: RegExp;
}

async function started(t: TestContext, { address, spawn: begin, ready }: Startable): Promise<QueueServer> {
  let child: ChildProcess | undefined;
  let isUp = false;
  const start = async (): Promise<void> => {
    isUp = false;
    const made = begin();
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      if (ready.test(said)) isUp = true;
    };
    made.stdout?.on('data', hear);
    made.stderr?.on('data', hear);
    child = made;
    await eventually(`${address} is up`, () => isUp);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const over = new Promise((resolve) => ending.once('close', resolve));
    ending.kill(signal);
    await over;
  };
  t.after(() => end('SIGTERM'));
  await start();
  return { address, kill: () => end('SIGKILL'), start };
}
