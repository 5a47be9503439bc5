/**
 * Nothing that a client does ends the daemon, and whoever ends it has it ended: broken bytes, vanishing, deafness, a
 * full heap.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { introduction } from '#src/daemon/daemon-connection.js';
import { MESSAGE_BYTES_MOST } from '#src/daemon/bounded-frames.js';
import { framed } from '#src/daemon/first-message.js';
import { SETTLED_BASE, type Call } from '#src/engine/service.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { PROTOCOL_VERSION } from '#protocol/names.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';
import { connected, started } from '../support/started-daemon.js';

/** A process that heeds a signal is gone in some hundredths of a second, but on a busy machine. */
const ENDS_MS_MOST = 30_000;

const call = (signal = new AbortController().signal): Call => ({ signal, progress: () => undefined });
const alive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z');

function open(socket: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket, () => resolve(connection));
    connection.on('error', reject);
  });
}

const handshake = (): Buffer =>
  framed({
    id: 1,
    method: 'codeplan/handshake',
    params: {
      protocol: PROTOCOL_VERSION,
      version: buildIdentity().version,
      build: buildIdentity().stamp,
      client: introduction('a test', process.pid, '/', {}),
    },
  });
const asked = (method: string, params: object): Buffer => framed({ id: 2, method, params });

/** What clients send before they close at once; none of it may hurt another one. */
const LAST_WORDS: Readonly<Record<string, readonly (Buffer | string)[]>> = {
  'what is no JSON': ['Content-Length: 3\r\n\r\n{{{'],
  'much that is no JSON': Array.from({ length: 50 }, () => 'Content-Length: 3\r\n\r\n{{{'),
  'half a header': ['Content-Len'],
  'half a message': ['Content-Length: 1000\r\n\r\n{"jsonrpc"'],
  'a header of no length': ['Hello: world\r\n\r\n'],
  'no object': ['Content-Length: 1\r\n\r\n7', 'Content-Length: 4\r\n\r\nnull', 'Content-Length: 2\r\n\r\n[]'],
  'an answer to nothing': [framed({ id: 77, result: {} }), framed({ id: null, error: { code: 1, message: 'x' } })],
  'a question whose answer it does not wait for': [handshake(), asked('codeplan/graph', {})],
  'many questions': [handshake(), ...Array.from({ length: 10 }, () => asked('codeplan/impact', { all: true }))],
  'an initialize with nothing in it': [handshake(), asked('initialize', {}), asked('codeplan/status', {})],
  'notifications of the wrong shape': [
    handshake(),
    framed({ method: 'codeplan/text', params: 7 }),
    framed({ method: 'window/workDoneProgress/cancel', params: {} }),
    framed({ method: '$/cancelRequest', params: { id: {} } }),
  ],
};

test('clients that send what they like and vanish leave the others as they were', async (t) => {
  const { pid, socket } = await started(t);
  const good = await connected(socket);
  for (const [what, words] of Object.entries(LAST_WORDS)) {
    for (let round = 0; round < 2; round++) {
      const client = await open(socket);
      for (const word of words) client.write(word);
      // At once, and after the bytes have left.
      if (round === 0) client.destroy();
      else client.end(() => client.destroy());
    }
    assert.equal((await good.status(call())).pid, pid, what);
  }
  await eventually('the others to be gone', async () => (await good.status(call())).clients.length === 1 || undefined);
  await good.close();
});

test('a document whose text is none is a mistake of its client alone', async (t) => {
  const { root, pid, socket } = await started(t);
  const good = await connected(socket);
  const uri = pathToFileURL(join(root, 'job.py')).href;
  const opened = (text: unknown): Buffer =>
    framed({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'python', version: 1, text } },
    });
  const changed = (contentChanges: unknown): Buffer =>
    framed({ method: 'textDocument/didChange', params: { textDocument: { uri, version: 2 }, contentChanges } });
  const client = await open(socket);
  client.write(handshake());
  client.write(asked('initialize', { processId: null, rootUri: null, capabilities: {} }));
  for (const text of [7, null, {}, ['x']]) client.write(opened(text));
  client.write(opened('def save(): pass\n'));
  for (const changes of [[{ text: 7 }], [{}], 7, [{ range: { start: { line: -1, character: {} } }, text: 'x' }]])
    client.write(changed(changes));
  client.write(framed({ id: 3, method: 'codeplan/impact', params: {} }));
  let answers = '';
  client.on('data', (chunk: Buffer) => (answers += chunk.toString('utf8')));
  await eventually('the answer to what was asked last', () => answers.includes('"id":3') || undefined);
  assert.equal((await good.status(call())).pid, pid);
  client.destroy();
  await good.close();
});

test('a message that is larger than any, or a header without an end, ends its connection at once', async (t) => {
  const { pid, socket } = await started(t);
  const good = await connected(socket);
  for (const words of [`Content-Length: ${MESSAGE_BYTES_MOST + 1}\r\n\r\n{`, 'x'.repeat(10_000)]) {
    const greedy = await open(socket);
    greedy.on('error', () => undefined);
    greedy.write(words);
    await eventually('its end', () => greedy.closed || undefined);
  }
  assert.equal((await good.status(call())).pid, pid);
  await good.close();
});

test('a daemon that stands still is killed by stop, which says so; the next one starts as ever', async (t) => {
  const { there, root, pid } = await started(t);
  process.kill(pid, 'SIGSTOP');
  const stopped = await there.run(root, 'daemon', 'stop');
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.match(stopped.stdout, /heeded neither a request nor SIGTERM and was killed/u);
  assert.ok(!alive(pid));
  assert.equal((await there.run(root, 'daemon', 'start')).code, 0);
});

/** A repository in which one name is said everywhere: a question that takes long. */
function wide(): Record<string, string> {
  const files: Record<string, string> = { 'hub.py': 'class Hub:\n    def ask(self, a):\n        return a\n' };
  for (let i = 0; i < 60; i++) {
    const calls = Array.from({ length: 10 }, (_, n) => `    value.ask(${n})\n    other${n}.ask(${n})\n`).join('');
    files[`part${i}.py`] = `from hub import Hub\n\n\ndef use${i}(value: Hub):\n${calls}`;
  }
  return files;
}

test('stop ends a daemon in the middle of a long question, and of its first look at the disk', async (t) => {
  const { there, root, pid, socket } = await started(t, { files: wide() });
  const early = await there.run(root, 'daemon', 'stop');
  assert.equal(early.code, 0, early.stderr);
  assert.ok(!alive(pid), 'while its workers read');
  const again = await there.run(root, 'daemon', 'start', '--json');
  const next = (JSON.parse(again.stdout) as { pid: number }).pid;
  const service = await connected(socket);
  service.setText('hub.py', 'class Hub:\n    def ask(self, a, b):\n        return a\n', 1);
  const waiting = service.ask('codeplan/plan', { base: SETTLED_BASE, rulesOnly: true }, call()).catch(() => undefined);
  const { code, stderr } = await there.run(root, 'daemon', 'stop');
  assert.equal(code, 0, stderr);
  assert.ok(!alive(next));
  await waiting;
});

test('while one client waits for a long answer another one is answered, and the long one can be cancelled', async (t) => {
  const { socket } = await started(t, { files: wide() });
  const [slow, quick] = [await connected(socket), await connected(socket)];
  await eventually('the index', async () => (await quick.status(call())).state === 'ready' || undefined);
  slow.setText('hub.py', 'class Hub:\n    def ask(self, a, b):\n        return a\n', 1);
  let isDone = false;
  const long = slow.propagate({ base: SETTLED_BASE, rulesOnly: true }, call()).finally(() => (isDone = true));
  let answers = 0;
  while (!isDone) {
    await quick.refs({ block: 'part7.py::use7' }, call());
    answers++;
  }
  await long;
  assert.ok(answers >= 5, `${answers} short questions were answered during the long one`);

  slow.setText('hub.py', 'class Hub:\n    def ask(self, b, c, a):\n        return a\n', 2);
  const enough = new AbortController();
  const begun = performance.now();
  const cancelled = slow.propagate({ base: SETTLED_BASE, rulesOnly: true }, call(enough.signal));
  await quick.status(call());
  enough.abort(new Error('enough'));
  await assert.rejects(cancelled, /enough/u);
  // The daemon has let go of it, or the next question would wait for it.
  await quick.refs({ block: 'part7.py::use7' }, call());
  t.diagnostic(
    `${answers} answers meanwhile; cancelled and answered again after ${Math.round(performance.now() - begun)} ms`,
  );
  await Promise.all([slow.close(), quick.close()]);
});

test('a server of an editor or an agent ends when it is told to, though its input stays open', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const toEditorServer = (params: object): Buffer =>
    framed({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {}, ...params } });
  const workspaceFolders = [{ uri: pathToFileURL(root).href, name: 'shop' }];
  const greetings = [
    toEditorServer({}),
    toEditorServer({ capabilities: { workspace: { workspaceFolders: true } }, workspaceFolders }),
  ];
  const agent = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'an agent', version: '1' } };
  const toAgentServer = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: agent })}\n`;
  const ended = async (args: readonly string[], said: Buffer | string, isHeard: boolean): Promise<void> => {
    const server = there.start(root, ...args);
    const heard = isHeard ? once(server.stdout, 'data') : undefined;
    await new Promise((resolve) => server.stdin.write(said, resolve));
    await heard;
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    const inTime = await Promise.race([exited.then(() => true), setTimeout(ENDS_MS_MOST, false, { ref: false })]);
    server.kill('SIGKILL');
    assert.ok(inTime, args.join(' '));
  };
  for (const more of [[], ['--no-daemon']]) {
    for (const greeting of greetings) await ended(['lsp', ...more], greeting, true);
    await ended(['mcp', ...more], toAgentServer, true);
  }
  // More than a pipe holds, so that it is there and reads.
  const unfinished = ' '.repeat(4 * 2 ** 20);
  await ended(['lsp'], `Content-Length: ${2 * unfinished.length}\r\n\r\n${unfinished}`, false);
  await ended(['mcp'], unfinished, false);
});
