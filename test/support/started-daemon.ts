/** A daemon of a repository that the test made, as the command starts it. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { introduction } from '#src/daemon/daemon-connection.js';
import { RemoteService } from '#src/daemon/remote-service.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { dial } from '#src/io/socket/dial.js';
import { repository } from './git-repository.js';
import { home, type Home } from './program.js';
import { SHOP } from './shop.js';

const socketsIn = (there: Home): string[] =>
  readdirSync(join(there.runtime, 'codeplan'))
    .filter((name) => name.endsWith('.sock'))
    .map((name) => join(there.runtime, 'codeplan', name));

export interface StartedDaemon {
  readonly there: Home;
  readonly root: string;
  readonly pid: number;
  readonly socket: string;
}

export async function started(
  t: TestContext,
  { files = SHOP, more = {} }: { files?: Readonly<Record<string, string>>; more?: NodeJS.ProcessEnv } = {},
): Promise<StartedDaemon> {
  const root = repository(t, files);
  const there = home(t, more);
  const { code, stdout, stderr } = await there.run(root, 'daemon', 'start', '--json');
  assert.equal(code, 0, stderr);
  const [socket] = socketsIn(there);
  assert.ok(socket);
  return { there, root, pid: (JSON.parse(stdout) as { pid: number }).pid, socket };
}

export async function connected(socket: string): Promise<RemoteService> {
  const connection = await dial(socket);
  assert.ok(connection);
  return RemoteService.over(
    connection,
    buildIdentity(),
    introduction('a test', process.pid, '/', {}),
    new AbortController().signal,
  );
}
