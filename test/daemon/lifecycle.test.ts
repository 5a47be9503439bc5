/** The daemon as a process: races, stale sockets, kill -9, idle exit, private folders, bad input. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMessageConnection, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { logPath } from '#src/io/disk/log-file.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { messageReader } from '#src/io/process/message-reader.js';
import { tryLock } from '#src/io/process/process-lock.js';
import { dial } from '#src/io/socket/dial.js';
import { socketAddress } from '#src/io/socket/socket-address.js';
import { introduction } from '#src/daemon/daemon-connection.js';
import { RemoteService } from '#src/daemon/remote-service.js';
import { ServiceError, SETTLED_BASE, type Call } from '#src/engine/service.js';
import { eventually } from '../support/eventually.js';
import { home, PROGRAM, type Home } from '../support/program.js';
import { repository } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { connected, started } from '../support/started-daemon.js';

interface DaemonStatus {
  readonly running: boolean;
  readonly pid?: number;
}

const daemonStatus = async (there: Home, root: string): Promise<DaemonStatus> =>
  JSON.parse((await there.run(root, 'daemon', 'status', '--json')).stdout) as DaemonStatus;
const call = (): Call => ({ signal: new AbortController().signal, progress: () => undefined });
const alive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z');

test('start, status, restart, logs, stop; the socket is private and goes with the daemon', async (t) => {
  const { there, root, pid, socket } = await started(t);
  assert.equal(statSync(socket).mode & 0o777, 0o600);
  assert.equal(statSync(join(there.runtime, 'codeplan')).mode & 0o777, 0o700);
  assert.deepEqual((await daemonStatus(there, root)).pid, pid);
  const again = JSON.parse((await there.run(root, 'daemon', 'start', '--json')).stdout) as { pid: number };
  assert.equal(again.pid, pid);
  const restarted = JSON.parse((await there.run(root, 'daemon', 'restart', '--json')).stdout) as { pid: number };
  assert.notEqual(restarted.pid, pid);
  assert.match((await there.run(root, 'daemon', 'logs')).stdout, /"event":"listening"/u);
  const stopped = await there.run(root, 'daemon', 'stop');
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.equal((await daemonStatus(there, root)).running, false);
  assert.deepEqual(readdirSync(join(there.runtime, 'codeplan')), []);
  assert.equal((await there.run(root, 'daemon', 'stop')).code, 0, 'stopping what does not run is no failure');
});

test('of many that start one at the same moment, one serves', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => there.run(root, 'daemon', 'start', '--json')));
  const pids = new Set(
    outcomes.map(({ stdout, stderr, code }) => {
      assert.equal(code, 0, stderr);
      return (JSON.parse(stdout) as { pid: number }).pid;
    }),
  );
  assert.equal(pids.size, 1);
});

test('a daemon that was killed leaves a socket, which the next one takes over', async (t) => {
  const { there, root, pid, socket } = await started(t);
  process.kill(pid, 'SIGKILL');
  await eventually('the end', () => !alive(pid) || undefined);
  assert.ok(existsSync(socket));
  assert.equal((await daemonStatus(there, root)).running, false);
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const impact = await there.run(root, 'impact');
  assert.equal(impact.code, 1, 'in process, where no daemon answers');
  assert.equal((await there.run(root, 'daemon', 'start')).code, 0);
  assert.equal((await daemonStatus(there, root)).running, true);
});

test('a daemon that stands still is said to, and keeps nobody from going on without it', async (t) => {
  const { there, root, pid } = await started(t);
  process.kill(pid, 'SIGSTOP');
  t.after(() => process.kill(pid, 'SIGCONT'));
  const [asked, alone] = await Promise.all([
    there.run(root, 'daemon', 'status'),
    there.run(root, 'status', '--no-daemon'),
  ]);
  assert.deepEqual([asked.code, alone.code], [2, 0]);
  assert.match(asked.stderr, /did not answer within 10 s; run "codeplan daemon stop", or use --no-daemon/u);
});

test('one-shot commands use a running daemon, with the same answer as without', async (t) => {
  const { there, root } = await started(t);
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const without = await there.run(root, 'impact', '--json', '--no-daemon');
  const through = await eventually('the daemon to see the edit', async () => {
    const outcome = await there.run(root, 'impact', '--json');
    return outcome.stdout === without.stdout ? outcome : undefined;
  });
  assert.equal(through.code, 1);
  assert.match((await there.run(root, 'daemon', 'logs')).stdout, /codeplan impact/u);
  const applied = await there.run(root, 'propagate', '--apply');
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(readFileSync(join(root, 'job.py'), 'utf8'), /store\.insert/u);
  assert.equal((await there.run(root, 'undo')).code, 0);
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), SHOP['job.py']);
  const refused = await there.run(root, 'impact', '--base', 'nowhere');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /nowhere is no commit/u);
});

test('a daemon without clients ends by itself, and so does one whose root is gone', async (t) => {
  const idle = await started(t, { more: { CODEPLAN_IDLE_SECONDS: '1' } });
  await eventually('the idle end', () => !alive(idle.pid) || undefined);
  assert.ok(!existsSync(idle.socket));
  const rootless = await started(t);
  rmSync(rootless.root, { recursive: true });
  await eventually('the end without a root', () => !alive(rootless.pid) || undefined);
});

test('a working directory that was removed is said to be gone', async (t) => {
  const folder = temporaryFolder(t);
  const gone = await home(t).runEditor(
    'sh',
    ['-c', 'rmdir "$PWD"; exec "$@"', 'sh', process.execPath, PROGRAM, 'status'],
    folder,
    {},
  );
  assert.deepEqual([gone.code, gone.stderr], [2, 'codeplan: the working directory is gone; go to one that exists\n']);
});

test('a folder that others can look into is refused, and so is what is no socket', async (t) => {
  const { there, root, socket } = await started(t);
  await there.run(root, 'daemon', 'stop');
  chmodSync(join(there.runtime, 'codeplan'), 0o755);
  const open = await there.run(root, 'daemon', 'start');
  assert.deepEqual([open.code, /chmod 700/u.test(open.stderr)], [2, true], open.stderr);
  chmodSync(join(there.runtime, 'codeplan'), 0o700);
  writeFileSync(socket, '');
  const file = await there.run(root, 'daemon', 'start');
  assert.deepEqual([file.code, /should be the daemon's socket/u.test(file.stderr)], [2, true], file.stderr);
  rmSync(socket);
});

test('the service over the socket: answers, unsaved texts, refusals, cancellation, a daemon that ends', async (t) => {
  const { pid, socket } = await started(t);
  const service = await connected(socket);
  await eventually(
    'the index',
    async () => (await service.ask('codeplan/status', {}, call())).state === 'ready' || undefined,
  );
  let told = 0;
  service.onChanged(() => told++);
  service.setText('store.py', RENAMED_STORE, 1);
  const report = await service.ask('codeplan/impact', { base: SETTLED_BASE }, call());
  assert.deepEqual(
    report.affected.map(({ block }) => block),
    ['save', 'report'],
  );
  await eventually('the news', () => told > 0 || undefined);
  const plan = await service.ask('codeplan/plan', { base: SETTLED_BASE }, call());
  const edits = (await service.ask('codeplan/edits', { run: plan.run }, call())).edits;
  assert.deepEqual(
    edits.map(({ kind, file }) => [kind, file]),
    [
      ['change', 'job.py'],
      ['change', 'report.py'],
    ],
  );
  service.closeText('store.py');
  assert.deepEqual((await service.ask('codeplan/impact', { base: SETTLED_BASE }, call())).changes, []);
  await assert.rejects(
    service.ask('codeplan/edits', { run: 'nothing' }, call()),
    (error) => error instanceof ServiceError && error.kind === 'unknownRun',
  );
  await assert.rejects(
    service.ask('codeplan/impact', { depth: 0 }, call()),
    /parameters of codeplan\/impact do not fit/u,
  );
  const abort = new AbortController();
  const waiting = service.ask('codeplan/graph', {}, { signal: abort.signal, progress: () => undefined });
  abort.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/u);
  const left = service
    .ask('codeplan/status', {}, call())
    .then(() => service.ask('codeplan/impact', { base: SETTLED_BASE }, call()));
  process.kill(pid, 'SIGKILL');
  await assert.rejects(left, (error) => error instanceof ServiceError && error.kind === 'daemon');
});

test('another build is told so, and a client that skips the handshake too', async (t) => {
  const { socket } = await started(t);
  const connection = await dial(socket);
  assert.ok(connection);
  const { version } = buildIdentity();
  await assert.rejects(
    RemoteService.over(
      connection,
      { version, stamp: 'another' },
      introduction('a test', 1, '/', {}),
      new AbortController().signal,
    ),
    (error) => error instanceof ServiceError && error.kind === 'version',
  );
  const stranger = await open(socket);
  const speak = createMessageConnection(messageReader(stranger), new StreamMessageWriter(stranger));
  speak.listen();
  await assert.rejects(
    speak.sendRequest('codeplan/status', {}),
    /first message on this socket must be codeplan\/handshake/u,
  );
  await assert.rejects(speak.sendRequest('codeplan/unheard', {}), /Unhandled method/u);
  speak.dispose();
  stranger.destroy();
});

test('what is no JSON is answered, broken framing ends one connection, and the others live on', async (t) => {
  const { socket } = await started(t);
  const good = await connected(socket);
  const bad = await open(socket);
  bad.write('Content-Length: 9\r\n\r\n{"jsonrpc');
  let answered = '';
  bad.on('data', (chunk) => (answered += chunk.toString('utf8')));
  await eventually('the answer', () => answered.includes('-32700') || undefined);
  bad.write('no header at all\r\n\r\n');
  await eventually('the end of the bad one', () => bad.closed || undefined);
  const partial = await open(socket);
  partial.write('Content-Length: 1000\r\n\r\n{');
  partial.destroy();
  assert.equal((await good.status(call())).clients.length, 1);
  await good.close();
});

function open(socket: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket, () => resolve(connection));
    connection.on('error', reject);
  });
}

test('a daemon is started anew where the one before is about to end', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const build = buildIdentity();
  // As one that has taken its socket away, and still closes.
  const ending = tryLock(socketAddress(root, build, there.environment).lock);
  assert.ok(ending);
  const started = there.run(root, 'daemon', 'start');
  const log = logPath(root, there.environment);
  await eventually(
    'a daemon that finds the other one',
    () => (existsSync(log) && readFileSync(log, 'utf8').includes('another daemon serves this root')) || undefined,
  );
  ending.release();
  const { code, stderr } = await started;
  assert.equal(code, 0, stderr);
});

test('a log in a folder of somebody else is not kept', { skip: process.getuid?.() !== 0 }, async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const log = join(there.environment['XDG_STATE_HOME'] ?? '', 'codeplan', 'log');
  mkdirSync(log, { recursive: true });
  chownSync(log, 65534, 65534);
  const { code, stderr } = await there.run(root, 'daemon', 'start');
  assert.equal(code, 2);
  assert.match(stderr, /cannot keep a log: .* belongs to another user; set XDG_STATE_HOME to a folder of yours/u);
  assert.deepEqual(readdirSync(log), [], 'nothing is written there');
});
