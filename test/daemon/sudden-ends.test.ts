/** Ends that nobody asked for: a full heap, a kill, our own defects. Each is said, and none becomes a loop. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { introduction, reachOrStartDaemon, type DaemonPlace } from '#src/daemon/daemon-connection.js';
import { guardHeap } from '#src/daemon/heap-guard.js';
import { RemoteService } from '#src/daemon/remote-service.js';
import { ServiceError } from '#src/engine/service.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { home, PROGRAM, type Home } from '../support/program.js';
import { SHOP } from '../support/shop.js';

const call = { signal: new AbortController().signal, progress: (): void => undefined };

/** As an editor comes to one: starts it where none runs. */
async function reached(place: DaemonPlace): Promise<RemoteService> {
  const socket = await reachOrStartDaemon(place);
  return RemoteService.over(socket, buildIdentity(), introduction('a test', process.pid, '/', {}), call.signal);
}

function placeOf(t: TestContext, more: NodeJS.ProcessEnv = {}): { place: DaemonPlace; there: Home; root: string } {
  const root = repository(t, SHOP);
  const there = home(t, more);
  return { root, there, place: { root, build: buildIdentity(), program: PROGRAM, environment: there.environment } };
}

const ended = (pid: number): Promise<true> =>
  eventually('its end', () => {
    try {
      process.kill(pid, 0);
      return undefined;
    } catch {
      return true;
    }
  });

/**
 * Ends daemons that are started again and again, until no further one is; gives the refusal and how many there were.
 */
async function untilRefused(
  place: DaemonPlace,
  end: (service: RemoteService) => Promise<void>,
): Promise<{ readonly refusal: string; readonly daemons: number }> {
  for (let daemons = 0; daemons < 8; daemons++) {
    let service: RemoteService;
    try {
      service = await reached(place);
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.kind === 'daemon', String(error));
      return { refusal: error.message, daemons };
    }
    const { pid } = service.daemon;
    await end(service);
    await ended(pid);
    await service.close();
  }
  return assert.fail('it is started for ever');
}

test('a heap counts as full when it has stayed so', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const limit = 1000;
  let used = 0;
  const said: number[] = [];
  const unguard = guardHeap(
    (_message, megabytes) => said.push(megabytes),
    () => ({ used, limit: limit * 2 ** 20 }),
  );
  const look = (megabytes: number, looks: number): void => {
    used = megabytes * 2 ** 20;
    for (let i = 0; i < looks; i++) t.mock.timers.tick(100);
  };
  look(500, 10);
  look(950, 2);
  look(900, 1);
  look(950, 2);
  assert.deepEqual(said, [], 'what is collected in time is no reason to end');
  look(950, 1);
  look(990, 10);
  assert.deepEqual(said, [limit], 'it is said once');
  unguard();
});

test('a daemon whose heap is full says so, ends, and is not started for ever; the person can start it', async (t) => {
  const { place, root, there } = placeOf(t, { NODE_OPTIONS: '--max-old-space-size=64' });
  const { refusal, daemons } = await untilRefused(place, async (service) => {
    // Texts lie in the heap: so many that there is no room for more, the last of them slowly.
    for (let i = 0; ; i++) {
      service.setText(`notes${i}.txt`, String(i).padEnd(2 ** 20, 'x'), 1);
      const status = await service.status(call).catch(() => undefined);
      if (status === undefined) return;
      if (status.memory.heapBytes > 52 * 2 ** 20) await wait(100);
    }
  });
  assert.match(refusal, /ended (?:suddenly )?[23] times within 10 minutes.*not started again/su);
  assert.ok(daemons <= 4, `${daemons} daemons`);
  const { stdout } = await there.run(root, 'daemon', 'logs');
  assert.match(stdout, /heap is full \(\d+ of 6\d MB\)|ended suddenly/u);
  assert.equal((await there.run(root, 'daemon', 'start')).code, 0);
  await (await reached(place)).close();
});

test('a daemon that is killed again and again is not started for ever; the person can start it', async (t) => {
  const { place, root, there } = placeOf(t);
  const { refusal, daemons } = await untilRefused(place, (service) => {
    process.kill(service.daemon.pid, 'SIGKILL');
    return Promise.resolve();
  });
  assert.match(refusal, /ended suddenly 3 times within 10 minutes \(3 killed, or out of memory\)/u);
  assert.match(refusal, /"codeplan daemon start" starts it all the same/u);
  // The end of the last one is told by no later daemon.
  assert.equal(daemons, 4);
  const started = await there.run(root, 'daemon', 'start');
  assert.equal(started.code, 0, started.stderr);
  await (await reached(place)).close();
  const runtime = join(there.runtime, 'codeplan');
  assert.deepEqual(
    readdirSync(runtime).filter((name) => /\.stale$|\.[0-9a-f]{8}$/u.test(name)),
    [],
  );
});

/** Runs a module of its own; gives what it printed and its exit code. */
async function ran(source: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, '--', ...args], {
    cwd: import.meta.dirname,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}
const moduleAt = (path: string): string => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

test('what nobody caught is logged, and the process goes on; too much of it ends the process once, with a word', async () => {
  const { code, out, err } = await ran(`
    import { guardProcess } from ${moduleAt('daemon/last-resort.js')};
    let ends = 0;
    const logged = [];
    guardProcess((level, event, fields) => logged.push(level + ' ' + event + ' ' + fields.stack.split('\\n')[0]), () => ends++);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    setImmediate(() => { throw new Error('thrown'); });
    void Promise.reject(new Error('rejected'));
    for (let i = 0; i < 5; i++) await turn();
    console.log(JSON.stringify({ logged, ends }));
    for (let i = 0; i < 30; i++) { setImmediate(() => { throw new RangeError('again'); }); await turn(); await turn(); }
    console.log(JSON.stringify({ logged: logged.length, ends }));
  `);
  assert.equal(code, 0, err);
  const [first = '', second = ''] = out.split('\n');
  assert.deepEqual(JSON.parse(first), { logged: ['error bug Error: rejected', 'error bug Error: thrown'], ends: 0 });
  assert.deepEqual(JSON.parse(second), { logged: 32, ends: 1 });
});

test('a command that a defect ends has not found that something is affected: exit code 2', async (t) => {
  const root = repository(t, SHOP);
  const { code, err } = await ran(
    `
    import { runProcess } from ${moduleAt('cli/run-process.js')};
    process.argv.splice(1, process.argv.length, 'codeplan', 'status', '--no-daemon', '--root', ${JSON.stringify(root)});
    await runProcess(() => {
      setImmediate(() => { throw new Error('out of a timer'); });
      return new Promise(() => undefined);
    }, 'codeplan');
  `,
  );
  assert.equal(code, 2, err);
  assert.match(err, /a defect of codeplan: Error: out of a timer/u);
});
