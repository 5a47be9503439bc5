/** Real servers for queues, on loopback, with data of the test's own. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.js';
import { ordinaryUser } from './ordinary-user.js';
import { temporaryFolder } from './temporary-folder.js';
import { postgresPrograms } from './tool.js';

export interface QueueServer {
  readonly address: string;
  /** Ends it in the middle of what it does. */
  kill(): Promise<void>;
  /** All that it held; while it is down. */
  lose(): void;
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
    lose: () => rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true }),
    spawn: () =>
      spawn(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      ),
    ready: /Ready to accept connections/u,
  });
}

/** It does not run as root, and lets whoever reaches the port in. */
export async function postgresServer(t: TestContext): Promise<QueueServer> {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const programs = postgresPrograms();
  assert.ok(programs !== undefined);
  const user = ordinaryUser(folder);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'codeplan', '--auth=trust', '--no-sync', '--locale=C'];
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((setting) => ['-c', setting]);
  return started(t, {
    address: `postgres://codeplan@127.0.0.1:${port}/postgres`,
    lose: () => rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
    spawn: () => {
      if (!existsSync(data)) execFileSync(join(programs, 'initdb'), init, { ...user, cwd: folder, stdio: 'ignore' });
      return spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
        ...user,
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    },
    ready: /ready to accept connections/u,
  });
}

interface Startable {
  readonly address: string;
  readonly lose: () => void;
  readonly spawn: () => ChildProcess;
  readonly ready: RegExp;
}

async function started(t: TestContext, { address, lose, spawn: begin, ready }: Startable): Promise<QueueServer> {
  let child: ChildProcess | undefined;
  let isUp = false;
  const start = async (): Promise<void> => {
    isUp = false;
    await eventually(`${address} is up`, () => {
      // What a killed one left may be in the way of the next for a moment.
      if (child === undefined || child.exitCode !== null) child = listened(begin());
      return isUp;
    });
  };
  const listened = (made: ChildProcess): ChildProcess => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      if (ready.test(said)) isUp = true;
    };
    made.stdout?.on('data', hear);
    made.stderr?.on('data', hear);
    return made;
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
  return { address, kill: () => end('SIGKILL'), lose, start };
}
