/**
 * An editor is greeted by `codeplan lsp` itself: as soon as a process can, whatever the daemon does, and nothing
 * gets lost behind it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { framed } from '#src/daemon/first-message.js';
import { greet, WithoutAnswer } from '#src/daemon/greeting.js';
import { LspClient } from '../support/lsp-client.js';
import { home, PROGRAM, type Home } from '../support/program.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';

const TRIES = 5;
const INITIALIZE = { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } };

/** From the start of a process to the first thing that it prints, in milliseconds. */
async function firstWordMs(there: Home, root: string, args: readonly string[], input: Buffer): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env: there.environment });
  child.stdin.write(input);
  await once(child.stdout, 'data');
  const ms = performance.now() - started;
  const exited = once(child, 'exit');
  child.stdin.end();
  await exited;
  return ms;
}

test('initialize is answered sooner than the daemon that has to be started could serve', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const ours: number[] = [];
  const starts: number[] = [];
  for (let n = 0; n < TRIES; n++) {
    await there.run(root, 'daemon', 'stop');
    ours.push(await firstWordMs(there, root, [PROGRAM, 'lsp'], framed(INITIALIZE)));
    await there.run(root, 'daemon', 'stop');
    const before = performance.now();
    await there.run(root, 'daemon', 'start');
    starts.push(performance.now() - before);
  }
  assert.ok(
    Math.min(...ours) < Math.min(...starts),
    `${ours.map(Math.round).join(' ')} ms, and a daemon's start ${starts.map(Math.round).join(' ')} ms`,
  );
});

test('a daemon that stands still keeps no editor from starting, and gets all that it said meanwhile', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const { pid } = JSON.parse((await there.run(root, 'daemon', 'start', '--json')).stdout) as { pid: number };
  process.kill(pid, 'SIGSTOP');
  t.after(() => process.kill(pid, 'SIGCONT'));
  const editor = new LspClient(there, root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.open('log.py', '# a long text\n'.repeat(100_000));
  await editor.close('log.py');
  process.kill(pid, 'SIGCONT');
  await editor.renameStore();
  assert.equal(await editor.quit(), 0);
});

test('an editor that leaves without a word, or after a refusal, is let go', async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  assert.deepEqual(await there.run(root, 'lsp'), { code: 0, stdout: '', stderr: '' });
  const nonsense = there.start(root, 'lsp', '--no-daemon');
  nonsense.stdin.end('what is this\r\n\r\n');
  const [code] = (await once(nonsense, 'exit')) as [number];
  assert.equal(code, 0);
});

test('the answer that was given already is taken out of the stream, wherever it is cut', async () => {
  const before = framed({ method: 'window/logMessage', params: { type: 3, message: 'ä' } });
  const after = framed({ id: 2, result: [] });
  const stream = Buffer.concat([before, framed({ id: 1, result: { capabilities: {} } }), after]);
  for (let cut = 0; cut <= stream.length; cut += 7) {
    assert.deepEqual(await passed([stream.subarray(0, cut), stream.subarray(cut)], 1), Buffer.concat([before, after]));
  }
  const asked = framed({ id: 1, method: 'workspace/codeLens/refresh' });
  assert.deepEqual(
    await passed([asked, stream], 1),
    Buffer.concat([asked, before, after]),
    'the server numbers its own requests',
  );
  assert.match(
    (await passed([framed({ id: 1, error: { code: 1, message: 'not so' } })], 1)).toString('utf8'),
    /showMessage.*codeplan: not so/u,
  );
  assert.deepEqual(await passed([stream], undefined), stream, 'nothing was answered');
});

test('what is no greeting is not answered, and goes on', async () => {
  for (const bytes of [
    framed({ id: 1, method: 'shutdown' }),
    framed({ id: {}, method: 'initialize', params: { capabilities: {} } }),
    framed({ id: 1, method: 'initialize' }),
    Buffer.from('nonsense\r\n\r\n'),
  ]) {
    const said = new PassThrough();
    const { input, answered } = await greet(Readable.from([bytes]), said, '0.0.0');
    assert.equal(answered, undefined);
    assert.equal(said.read(), null);
    assert.deepEqual(await allOf(input), bytes);
  }
});

test('an editor that shows progress is shown that its server starts, until that speaks', async () => {
  const params = { processId: null, rootUri: null, capabilities: { window: { workDoneProgress: true } } };
  const [greeting, initialized] = [framed({ ...INITIALIZE, params }), framed({ method: 'initialized', params: {} })];
  const [agreed, after] = [framed({ id: 'codeplan-starting', result: null }), framed({ id: 2, method: 'shutdown' })];
  const stream = Buffer.concat([greeting, initialized, agreed, after]);
  for (let cut = greeting.length; cut <= stream.length; cut += 5) {
    const said = new PassThrough();
    const from = new PassThrough();
    from.write(greeting);
    const { input, over } = await greet(from, said, '0.0.0');
    from.write(stream.subarray(greeting.length, cut));
    from.end(stream.subarray(cut));
    assert.deepEqual(
      await allOf(input),
      Buffer.concat([greeting, initialized, after]),
      'our own answer goes no further',
    );
    over();
    over();
    said.end();
    const told = String(await allOf(said));
    assert.match(told, /workDoneProgress\/create.*"kind":"begin".*"kind":"end"/su);
    assert.equal(told.split('"kind":"end"').length, 2);
  }
  const said = new PassThrough();
  const { input, over } = await greet(Readable.from([greeting]), said, '0.0.0');
  over();
  assert.deepEqual(await allOf(input), greeting);
  said.end();
  assert.doesNotMatch(String(await allOf(said)), /progress\/create/u, 'a server that is there already needs none');
});

async function passed(chunks: readonly Buffer[], id: number | undefined): Promise<Buffer> {
  return allOf(Readable.from(chunks.filter((chunk) => chunk.length > 0)).pipe(new WithoutAnswer(id)));
}

async function allOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
