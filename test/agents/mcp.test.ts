/** `codeplan mcp` in both eras of the protocol, and as an older client that was recorded speaks it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toolsOf } from '#src/agents/agent-tools.js';
import { LINES_MOST, limited, TOKENS_MOST } from '#src/agents/answer-limit.js';
import { INSTRUCTIONS, withNotes, withoutNotes } from '#src/agents/instructions.js';
import { estimateTokens } from '#src/context/tokens.js';
import * as z from 'zod';
import { repository } from '../support/git-repository.js';
import { home, PROGRAM } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function shop(t: TestContext): { readonly root: string; readonly environment: Record<string, string> } {
  const root = temporaryFolder(t);
  for (const [path, text] of Object.entries(SHOP)) writeFileSync(join(root, path), text);
  const environment = Object.entries(home(t).environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { root, environment: Object.fromEntries(environment) };
}

const args = (root: string, ...more: string[]): string[] => [PROGRAM, 'mcp', '--root', root, '--no-daemon', ...more];
const textOf = (result: unknown): string =>
  z
    .object({ content: z.array(z.object({ text: z.string() })) })
    .parse(result)
    .content.map(({ text }) => text)
    .join('\n');

for (const mode of ['legacy', 'auto'] as const) {
  test(`a client of the ${mode === 'auto' ? 'newer' : 'older'} era calls the tools`, async (t) => {
    const { root, environment } = shop(t);
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: args(root), env: environment }));
    t.after(() => client.close());
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      toolsOf('agent').map(({ name }) => name),
    );
    const refs = textOf(await client.callTool({ name: 'refs', arguments: { block: 'Store.put' } }));
    assert.equal(
      refs,
      'store.py:Store.put: 3 uses in 2 files\njob.py\n  5 save\nreport.py\n  5 report\ngraph: current',
    );
    const unknown = await client.callTool({ name: 'refs', arguments: { block: 'put' } });
    assert.equal(unknown.isError, true);
    assert.match(textOf(unknown), /2 blocks are called put; say which one:\nlog\.py:Log\.put\nstore\.py:Store\.put/);
    const refactored = textOf(
      await client.callTool({ name: 'refactor', arguments: { what: 'rename', block: 'Store.put', to: 'insert' } }),
    );
    assert.match(
      refactored,
      /^The edit itself: 1 file; 2 blocks follow: 2 break, 0 may change; 2 edits by rule, 0 open/,
    );
    assert.match(refactored, /\+ {4}store\.insert\(k, 1\)/);
    assert.equal(readFileSync(join(root, 'store.py'), 'utf8'), SHOP['store.py']);
    const context = textOf(await client.callTool({ name: 'context', arguments: { task: 'save a key in the store' } }));
    assert.match(context, /def save\(store: Store, k\):/);
    assert.match(context, /graph: current$/);
  });
}

test('a session of an older client is answered as it was recorded', async (t) => {
  const { root } = shop(t);
  const server = home(t).start('/', ...args(root, '--tools', 'repository', '--structured').slice(1));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ask = async (message: object): Promise<unknown> => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return JSON.parse((await lines.next()).value as string) as unknown;
  };
  const capabilities = { roots: { listChanged: true }, sampling: {} };
  const hello = { protocolVersion: '2024-11-05', capabilities, clientInfo: { name: 'old', version: '0.9' } };
  const greeting = z
    .object({
      id: z.literal(0),
      result: z.object({ protocolVersion: z.string(), capabilities: z.object({ tools: z.looseObject({}) }) }),
    })
    .parse(await ask({ id: 0, method: 'initialize', params: hello }));
  assert.equal(greeting.result.protocolVersion, '2024-11-05');
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const listed = z
    .object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
    .parse(await ask({ id: 1, method: 'tools/list' }));
  assert.deepEqual(
    listed.result.tools.map(({ name }) => name),
    toolsOf('repository').map(({ name }) => name),
  );
  const called = z
    .object({
      id: z.literal(2),
      result: z.object({
        content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
        structuredContent: z.object({ items: z.array(z.looseObject({ name: z.string() })) }),
      }),
    })
    .parse(
      await ask({
        id: 2,
        method: 'tools/call',
        params: { name: 'get_signature', arguments: { class: 'Store', method: 'put' } },
      }),
    );
  assert.equal(called.result.content[0].text, 'store.py:2 Store.put: def put(self, key, ttl):');
  assert.equal(called.result.structuredContent.items[0]?.name, 'put');
  const wrong = z
    .looseObject({ id: z.literal(3) })
    .parse(await ask({ id: 3, method: 'tools/call', params: { name: 'nothing', arguments: {} } }));
  assert.ok('error' in wrong || 'result' in wrong);
  server.stdin.end();
  const [code] = (await once(server, 'close')) as [number | null];
  assert.equal(code, 0);
});

test('refactor makes its edit and what follows, and says what is missing or in the way', async (t) => {
  const { root, environment } = shop(t);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: args(root), env: environment }));
  t.after(() => client.close());
  const refactor = (given: Record<string, unknown>): ReturnType<Client['callTool']> =>
    client.callTool({ name: 'refactor', arguments: given });
  const text = (path: string): string => readFileSync(join(root, path), 'utf8');
  for (const [given, says] of [
    [{ what: 'rename', to: 'x' }, /rename needs block and to/],
    [{ what: 'move', block: 'Store' }, /move needs block/],
    [{ what: 'signature', block: 'Store.put' }, /needs one of add, remove/],
    [{ what: 'signature' }, /signature needs block/],
    [{ what: 'rename-file', block: 'store.py' }, /rename-file needs block/],
    [{ what: 'inline', block: 'Store' }, /refactor cannot be called so:/],
    [{ what: 'rename', block: 'put', to: 'x' }, /2 blocks are called put; say which one:\nlog\.py:Log\.put/],
    [{ what: 'rename', block: 'Stor', to: 'x' }, /Stor/],
    [{ what: 'rename', block: 'Store.put', to: 'class' }, /class/],
    [{ what: 'move', block: 'Store', to: '../out.py' }, /is no place for a source/],
  ] as const) {
    const answer = await refactor(given);
    assert.equal(answer.isError, true, JSON.stringify(given));
    assert.match(textOf(answer), says);
  }
  const open = textOf(await refactor({ what: 'signature', block: 'Store.put', add: ['unit: str'] }));
  assert.match(open, /open job\.py:5 save: [^\n]*\[values: \{"unit": …\}\]/);
  const given = { what: 'signature', block: 'Store.put', add: ['unit: str'], values: { unit: "'s'" } };
  assert.match(textOf(await refactor(given)), /nothing was written; call again with apply: true/);
  assert.equal(text('store.py'), SHOP['store.py']);
  assert.match(textOf(await refactor({ ...given, apply: true })), /^Edited: 1 file; 2 blocks[^]*written; undo: run/);
  assert.match(text('store.py'), /def put\(self, key, ttl, unit: str\)/);
  assert.match(text('job.py'), /store\.put\(k, 1, 's'\)/);
  const moved = textOf(await refactor({ what: 'move', blocks: ['Log', 'log.py:write'], to: 'logs.py', apply: true }));
  assert.match(moved, /nothing else has to change|follows?:/);
  assert.match(text('logs.py'), /class Log:[^]*def write/);
  await client.callTool({ name: 'undo', arguments: {} });
  await client.callTool({ name: 'undo' });
  for (const [path, was] of Object.entries(SHOP)) assert.equal(text(path), was);
});

test('propagate previews, writes when told to, and undo takes it back', async (t) => {
  const root = repository(t, SHOP);
  const { environment } = shop(t);
  writeFileSync(join(root, 'store.py'), RENAMED_STORE);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: args(root), env: environment }));
  t.after(() => client.close());
  const call = async (name: string, given: Record<string, unknown>): Promise<string> =>
    textOf(await client.callTool({ name, arguments: given }));
  const preview = await call('propagate', {});
  assert.match(preview, /^2 blocks follow: 2 break, 0 may change; 2 edits by rule, 0 open/);
  assert.match(preview, /--- job\.py\n@@[^\n]*\n[^]*-    store\.put\(k, 1\)\n\+    store\.insert\(k, 1\)/);
  assert.match(preview, /nothing was written; call again with apply: true\ngraph: current$/);
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), SHOP['job.py']);
  const written = await call('propagate', { apply: true });
  assert.match(written, /2 edited, 0 open[^]*written; undo: run \w+\ngraph: /);
  assert.match(readFileSync(join(root, 'job.py'), 'utf8'), /store\.insert\(k, 1\)/);
  assert.match(await call('undo', {}), /^run \w+ taken back, 2 files restored:\njob\.py\nreport\.py$/);
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), SHOP['job.py']);
  const wrong = await client.callTool({ name: 'propagate', arguments: { apply: 'yes' } });
  assert.equal(wrong.isError, true);
});

test('two agents at once: each is answered in full, and of two edits that overlap one is refused whole', async (t) => {
  const root = repository(t, SHOP);
  const own = home(t);
  assert.equal((await own.run(root, 'daemon', 'start', '--root', root)).code, 0);
  const environment = Object.fromEntries(
    Object.entries(own.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const agent = async (): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const command = { command: process.execPath, args: [PROGRAM, 'mcp', '--root', root], env: environment };
    await client.connect(new StdioClientTransport(command));
    t.after(() => client.close());
    return client;
  };
  const [one, other] = await Promise.all([agent(), agent()]);
  // The repository may still be read: nobody is told half of it.
  for (const refs of await Promise.all(
    [one, other].map((client) => client.callTool({ name: 'refs', arguments: { block: 'Store.put' } })),
  ))
    assert.match(textOf(refs), /^store\.py:Store\.put: 3 uses in 2 files\n[^]*\ngraph: current$/);
  const renamed = (client: Client, to: string): ReturnType<Client['callTool']> =>
    client.callTool({ name: 'refactor', arguments: { what: 'rename', block: 'Store.put', to, apply: true } });
  const results = await Promise.all([renamed(one, 'insert'), renamed(other, 'add')]);
  const refused = results.filter(({ isError }) => isError === true);
  assert.equal(refused.length, 1);
  assert.match(textOf(refused[0]), /was changed on the disk while this was being answered; ask again|no block called/);
  const name = results[0].isError === true ? 'add' : 'insert';
  assert.match(readFileSync(join(root, 'store.py'), 'utf8'), new RegExp(`def ${name}\\(self, key, ttl\\)`));
  assert.match(readFileSync(join(root, 'job.py'), 'utf8'), new RegExp(`store\\.${name}\\(k, 1\\)`));
  await (results[0].isError === true ? one : other).callTool({ name: 'undo' });
  for (const [path, was] of Object.entries(SHOP)) assert.equal(readFileSync(join(root, path), 'utf8'), was);
});

test('what was asked is quoted, and makes no answer longer than its limit', async (t) => {
  const { root, environment } = shop(t);
  const client = new Client({ name: 'test', version: '1' });
  const all = args(root, '--tools', 'all');
  await client.connect(new StdioClientTransport({ command: process.execPath, args: all, env: environment }));
  t.after(() => client.close());
  for (const long of ['Long'.repeat(20_000), 'word '.repeat(20_000), 'a\n'.repeat(5000)])
    for (const [name, given] of [
      ['refs', { block: long }],
      ['refs', { block: `${long}.py:x` }],
      ['context', { blocks: [long] }],
      ['context', { task: long }],
      ['undo', { run: long }],
      ['propagate', { base: long }],
      ['propagate', { [long]: 1 }],
      ['refactor', { what: 'rename', block: 'Store.put', to: long }],
      ['refactor', { what: 'rename-file', block: 'store.py', to: long }],
      ['refactor', { what: 'signature', block: 'Store.put', add: [long] }],
      ['refactor', { what: 'signature', block: 'Store.put', add: ['unit: int'], values: { [long]: long } }],
      ['get_class_info', { classes: [long] }],
      ['get_method_body', { class: long, method: long }],
      ['get_imports', { file: long, code: long }],
      ['get_relevant_code', { query: long }],
      ['ground', { intent: long }],
    ] as const) {
      const answer = textOf(await client.callTool({ name, arguments: given }));
      const size = { tokens: estimateTokens(answer), lines: answer.split('\n').length };
      assert.ok(size.tokens <= TOKENS_MOST && size.lines <= LINES_MOST, `${name}: ${JSON.stringify(size)}`);
      assert.doesNotMatch(answer, /codeplan\/\w/, 'the name of a method is no word of an agent');
    }
});

test('what every session pays for is small', async (t) => {
  const { root, environment } = shop(t);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: args(root), env: environment }));
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.equal(tools.length, 5);
  assert.equal(client.getInstructions(), INSTRUCTIONS);
  assert.ok(estimateTokens(JSON.stringify(tools)) + estimateTokens(INSTRUCTIONS) < 1000);
  assert.ok(INSTRUCTIONS.length < 2048);
});

test('no answer is longer than its limit', () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `  ${i} Outer.member${i}`);
  const text = limited('many uses', lines, ['graph: current'], 'ask for one block');
  assert.ok(estimateTokens(text) <= TOKENS_MOST && text.split('\n').length <= LINES_MOST);
  assert.match(text, /\n… \d+ more lines left out: ask for one block\ngraph: current$/);
  assert.equal(limited('one', ['a'], [], 'more'), 'one\na');
});

test('the notes for agents are put in once and taken out without a trace', () => {
  for (const text of ['', '# Notes\n\nRun the tests.\n']) {
    assert.equal(withoutNotes(withNotes(text)), text);
    assert.equal(withNotes(withNotes(text)), withNotes(text));
    assert.match(withNotes(text), /codeplan propagate/);
  }
});
