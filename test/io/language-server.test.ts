/**
 * The client of language servers against servers that behave and servers that do not: each wait ends, and
 * nothing stays behind.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ReferenceServer } from '#src/engine/effects.js';
import { LanguageServer } from '#src/io/tools/language-server.js';
import { startReferenceServer } from '#src/io/tools/reference-server.js';
import { eventually } from '../support/eventually.js';
import { fakeLanguageServer as server } from '../support/fake-language-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const signal = new AbortController().signal;
const TIMEOUT_MS = 1500;

function options(t: TestContext, command: readonly string[]): Parameters<typeof LanguageServer.start>[0] {
  const root = temporaryFolder(t);
  const environment = { PATH: process.env['PATH'], OPENAI_API_KEY: 'secret' };
  return { command, root, repository: root, environment, ownTools: false, timeoutMs: TIMEOUT_MS };
}

async function started(t: TestContext, command: readonly string[]): Promise<LanguageServer> {
  const answer = await LanguageServer.start(options(t, command), signal);
  assert.ok(answer.ok, answer.ok ? '' : answer.message);
  t.after(() => answer.value.stop());
  return answer.value;
}

const alive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z');

test('texts and requests reach a server, and its notifications come back', async (t) => {
  const heard: unknown[] = [];
  const echo = await started(
    t,
    server(
      '(message) => { if (message.method === "textDocument/didOpen") send({ method: "textDocument/publishDiagnostics", params: { uri: message.params.textDocument.uri, diagnostics: [] } }); return message.method === "initialize" ? {} : message.params ?? null; }',
    ),
  );
  echo.onNotification('textDocument/publishDiagnostics', (params) => heard.push(params));
  echo.open('file:///a.py', 'python', 'x = 1\n');
  assert.deepEqual(await echo.request('textDocument/references', { at: 1 }, signal), { ok: true, value: { at: 1 } });
  await eventually('the diagnostics', () => heard.length === 1 || undefined);
  assert.deepEqual(heard, [{ uri: 'file:///a.py', diagnostics: [] }]);
});

test('what a server asks of its client is answered without effect', async (t) => {
  const asking = await started(
    t,
    server(
      '(message) => { if (message.method === "initialize") return {}; if (message.method === "go") { send({ id: 900, method: "workspace/applyEdit", params: { edit: {} } }); globalThis.go = message.id; return undefined; } if (message.id === 900) send({ id: globalThis.go, result: message.result }); return message.method === "shutdown" ? null : undefined; }',
    ),
  );
  assert.deepEqual(await asking.request('go', {}, signal), { ok: true, value: { applied: false } });
});

test('a server that is missing, ends, is silent or talks nonsense gives a reason in bounded time', async (t) => {
  const cases: [readonly string[], RegExp][] = [
    [['no-such-language-server'], /not installed, or not on the path; install it, or name another/u],
    [
      [process.execPath, '-e', 'console.error("out of memory"); process.exit(3)'],
      /ended with code 3; it said last: out of memory/u,
    ],
    [[process.execPath, '-e', 'setInterval(() => 0, 1000)'], /did not answer initialize within 1\.5 s/u],
    [
      [
        process.execPath,
        '-e',
        'process.stdout.write("Usage: this is no protocol\\r\\n\\r\\n"); setInterval(() => 0, 1000)',
      ],
      /does not speak the protocol|did not answer/u,
    ],
    [server('() => { throw new Error("broken"); }'), /ended with code 1/u],
    [[], /has no command/u],
  ];
  for (const [command, message] of cases) {
    const answer = await LanguageServer.start(options(t, command), signal);
    assert.ok(!answer.ok);
    assert.match(answer.message, message);
  }
});

test('requests after the end are answered with why, and one that is given up rejects', async (t) => {
  const dying = await started(
    t,
    server(
      '(message) => { if (message.method === "die") process.exit(7); return message.method === "initialize" ? {} : undefined; }',
    ),
  );
  const waiting = new AbortController();
  const givenUp = dying.request('wait', {}, waiting.signal);
  waiting.abort(new Error('enough'));
  await assert.rejects(givenUp, /enough/u);
  const [open, die] = await Promise.all([dying.request('wait', {}, signal), dying.request('die', {}, signal)]);
  for (const answer of [open, die, await dying.request('again', {}, signal)])
    assert.match(answer.ok ? '' : answer.message, /ended with code 7|closed the connection/u);
});

test('everything that a server started goes with it, also if it does not listen, and no key reaches it', async (t) => {
  const folder = temporaryFolder(t);
  const stubborn = await started(
    t,
    server(
      `(message) => { if (message.method === "initialize") { process.on('SIGTERM', () => 0); const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']); require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'pids'))}, process.pid + ' ' + child.pid + ' ' + (process.env.OPENAI_API_KEY ?? 'none')); return {}; } return undefined; }`,
    ),
  );
  const [own, child, key] = readFileSync(join(folder, 'pids'), 'utf8').split(' ');
  assert.equal(key, 'none');
  await stubborn.stop();
  await eventually('the processes to end', () => (!alive(Number(own)) && !alive(Number(child))) || undefined);
});

test('answers about references are checked, and places outside of the root are told as such', async (t) => {
  const root = temporaryFolder(t);
  const at = { start: { line: 2, character: 4 }, end: { line: 2, character: 7 } };
  const places = JSON.stringify([
    { uri: pathToFileURL(join(root, 'a b.py')).href, range: at },
    { targetUri: 'file:///elsewhere/x.py', targetSelectionRange: at },
  ]);
  const command = server(
    `(message) => message.method === "initialize" ? {} : message.method === "textDocument/references" ? ${places} : message.method === "textDocument/definition" ? { nonsense: true } : null`,
  );
  const answer = await startReferenceServer(
    { root, environment: { PATH: process.env['PATH'] }, ownTools: false, language: 'python', section: { command } },
    signal,
  );
  assert.ok(answer.ok);
  t.after(() => answer.value.stop());
  assert.deepEqual(await answer.value.references('a b.py', { line: 0, character: 0 }, signal), {
    ok: true,
    value: [
      { file: 'a b.py', line: 2, character: 4 },
      { file: undefined, line: 2, character: 4 },
    ],
  });
  const nonsense = await answer.value.definitions('a b.py', { line: 0, character: 0 }, signal);
  assert.match(nonsense.ok ? '' : nonsense.message, /in a form that is none of the protocol/u);
});

test('a hierarchy is asked for where the server offers one, and its items go back as they came', async (t) => {
  const root = temporaryFolder(t);
  const place = (line: number): object => ({ start: { line, character: 6 }, end: { line, character: 9 } });
  const item = {
    uri: pathToFileURL(join(root, 'a.py')).href,
    name: 'A',
    kind: 5,
    range: place(0),
    selectionRange: place(0),
    data: { own: 7 },
  };
  const offering = (capabilities: object): string[] =>
    server(`(message) => {
    const item = ${JSON.stringify(item)};
    switch (message.method) {
      case 'initialize': return { capabilities: ${JSON.stringify(capabilities)} };
      case 'textDocument/prepareTypeHierarchy': case 'textDocument/prepareCallHierarchy': return [item];
      case 'typeHierarchy/supertypes': return message.params.item.data.own === 7 ? [{ ...item, selectionRange: ${JSON.stringify(place(3))} }] : [];
      case 'typeHierarchy/subtypes': return null;
      case 'textDocument/implementation': return { uri: item.uri, range: ${JSON.stringify(place(5))} };
      case 'callHierarchy/incomingCalls': return [{ from: item, fromRanges: [${JSON.stringify(place(8))}] }];
      case 'callHierarchy/outgoingCalls': return [{ to: item, fromRanges: [${JSON.stringify(place(9))}] }];
      default: return null;
    }
  }`);
  const start = async (capabilities: object): Promise<ReferenceServer> => {
    const answer = await startReferenceServer(
      {
        root,
        environment: { PATH: process.env['PATH'] },
        ownTools: false,
        language: 'python',
        section: { command: offering(capabilities) },
      },
      signal,
    );
    assert.ok(answer.ok);
    t.after(() => answer.value.stop());
    return answer.value;
  };
  const at = { line: 0, character: 6 };
  const told = (line: number): object => ({ file: 'a.py', line, character: 6 });
  const full = await start({ typeHierarchyProvider: true, callHierarchyProvider: {}, implementationProvider: true });
  assert.deepEqual(await full.above('a.py', at, signal), { ok: true, value: [told(3)] });
  assert.deepEqual(await full.below('a.py', at, signal), { ok: true, value: [told(5)] });
  assert.deepEqual(await full.callsTo('a.py', at, signal), { ok: true, value: [told(8)] });
  assert.deepEqual(await full.callsIn('a.py', at, signal), { ok: true, value: [{ at: told(9), callee: told(0) }] });
  const plain = await start({ typeHierarchyProvider: false });
  for (const way of ['above', 'below', 'callsTo', 'callsIn'] as const)
    assert.deepEqual(await plain[way]('a.py', at, signal), { ok: true, value: [] });
});
