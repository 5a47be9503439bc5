/**
 * Every example of the table of methods is sent to a real daemon on a small repository, and what comes
 * back is what the example says: fields, places and rules, with sentences and what each run makes
 * anew (ids, paths, sizes) left aside.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProtocolConnection, StreamMessageWriter, type ProtocolConnection } from 'vscode-languageserver/node';
import { METHODS, type Method, type MethodName } from '#protocol/methods.js';
import { RULES } from '#src/impact/rules.js';
import { REWRITES } from '#src/edit/mechanical/rewrites.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { messageReader } from '#src/io/process/message-reader.js';
import { dial } from '#src/io/socket/dial.js';
import { socketAddress } from '#src/io/socket/socket-address.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { LspClient } from '../support/lsp-client.js';
import { json, modelServer, piece, streams, type Turn } from '../support/model-server.js';
import { home, type Home } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { ROOT } from '../support/source-files.js';
import { writeFiles } from '../support/temporary-folder.js';

/** The repository of the examples; `put` is renamed in it before the first question about an edit. */
const FILES = {
  'store.py': SHOP['store.py'],
  'job.py': SHOP['job.py'],
  'disk.py': 'from store import Store\n\n\nclass DiskStore(Store):\n    pass\n',
  'log.py': SHOP['log.py'],
  'admin.py': 'import store\n\n\ndef run(store, action):\n    getattr(store, "put" + action)()\n',
};

/** A plan has to be made before it can be carried out, and the daemon's end comes last. */
const REQUESTS = [
  'codeplan/handshake',
  'codeplan/status',
  'codeplan/api',
  'codeplan/graph',
  'codeplan/graph/scip',
  'codeplan/graph/refs',
  'codeplan/graph/calls',
  'codeplan/graph/hierarchy',
  'codeplan/graph/why',
  'codeplan/graph/names',
  'codeplan/ground',
  'codeplan/planSearch',
  'codeplan/planStop',
  'codeplan/planRead',
  'codeplan/planRows',
  'codeplan/planPrompt',
  'codeplan/planCode',
  'codeplan/do',
  'codeplan/tool',
  'codeplan/refactor',
  'codeplan/refactor/here',
  'codeplan/impact',
  'codeplan/plan',
  'codeplan/review',
  'codeplan/rows',
  'codeplan/edits',
  'codeplan/left',
  'codeplan/next',
  'codeplan/take',
  'codeplan/decide',
  'codeplan/prompt',
  'codeplan/generate',
  'codeplan/page',
  'codeplan/execute',
  'codeplan/log',
  'codeplan/undo',
  'codeplan/settle',
  'codeplan/stop',
] as const satisfies readonly MethodName[];
/** What the model of the examples writes from a plan. */
const CODE = ['```python\nwrite(Log())\n```', '```\nimport log\n```'];
const streamed = (text: string): Turn => streams([piece(text), piece('', 'stop')], 'end');

/** What stands in the place of a rule where an edit was asked for. */
const SEED_RULE = 'refactor';
/** Sent by the client, and answered by a notification. */
const TOLD: readonly MethodName[] = ['codeplan/text', 'codeplan/viewChanged', 'codeplan/changed', 'codeplan/reviewed'];

/** What each run makes anew, and sentences, which the fixtures of impact and rewrites compare. */
const MASKED: ReadonlySet<string> = new Set(
  [
    'root pid run time build version log url undo id ids uptimeSeconds memory cache url',
    'reason words summary message content tokens promptTokens completionTokens calls',
  ].flatMap((names) => names.split(' ')),
);

test('the order of the examples names every method once', () => {
  assert.deepEqual([...REQUESTS, ...TOLD].sort(), Object.keys(METHODS).sort());
});

test('every request of the table, as its example has it, is answered as the example says', async (t) => {
  const planner = await modelServer(
    json(400, { error: { message: 'n must be 1', param: 'n' } }),
    ...CODE.map(streamed),
  );
  t.after(() => planner.close());
  // For the role of plans alone: the plans of edits are examples without a model.
  const there = home(t);
  writeFiles(there.environment['XDG_CONFIG_HOME'] ?? '', {
    'codeplan/config.json': JSON.stringify({ model: { roles: { plan: { baseUrl: planner.baseUrl, model: 'm' } } } }),
  });
  const root = repository(t, FILES);
  const connection = await daemonOf(there, root);
  t.after(() => connection.dispose());
  const told: string[] = [];
  connection.onUnhandledNotification(({ method }) => void told.push(method));
  let run: string | undefined;
  let entry: string | undefined;
  const differences: string[] = [];
  for (const name of REQUESTS) {
    if (name === 'codeplan/impact') writeFileSync(join(root, 'store.py'), RENAMED_STORE);
    if (name === 'codeplan/status') await indexed(connection);
    const method: Method = METHODS[name];
    const params = filledIn(method.example.params, run, entry);
    const answer: unknown = await connection.sendRequest(name, params);
    const parsed = method.result?.parse(answer);
    if (name === 'codeplan/plan') run = METHODS[name].result.parse(answer).run;
    if (name === 'codeplan/left') entry = METHODS[name].result.parse(answer).entries[0]?.id;
    const [got, said] = [parsed, method.example.result].map((each) => JSON.stringify(masked(each), undefined, 1));
    if (got !== said) differences.push(`${name}: answered\n${got}\nbut the example says\n${said}`);
    if (name === 'codeplan/settle') {
      const { params: text } = METHODS['codeplan/text'].example;
      await connection.sendNotification('codeplan/text', text);
      await eventually('codeplan/viewChanged', () => told.includes('codeplan/viewChanged') || undefined);
    }
  }
  assert.deepEqual(differences, [], differences.join('\n\n'));
});

test('an editor is told of what its edit affects, as the example says', async (t) => {
  const there = home(t);
  const root = repository(t, SHOP);
  const editor = new LspClient(there, root);
  t.after(() => editor.kill());
  await editor.initialize();
  await editor.renameStore();
  const { example, params } = METHODS['codeplan/changed'];
  const told = (): unknown => editor.notified.filter(({ method }) => method === 'codeplan/changed').at(-1)?.params;
  await eventually('codeplan/changed', () => JSON.stringify(told()) === JSON.stringify(example.params) || undefined);
  assert.deepEqual(params.parse(told()), example.params);
  await editor.quit();
});

test('a rule that an example or a page of docs/ names is one', () => {
  const known = new Set([...[...RULES, ...REWRITES].map(({ id }) => id), SEED_RULE]);
  const named = [
    ...JSON.stringify(Object.values(METHODS).map(({ example }) => example)).matchAll(/"rule":"([^"]*)"/gu),
  ];
  assert.ok(named.length > 0);
  const pages = readdirSync(join(ROOT, 'docs'))
    .filter((page) => page.endsWith('.md'))
    .map((page) => readFileSync(join(ROOT, 'docs', page), 'utf8'));
  named.push(...[...pages.join('\n').matchAll(/`([AMD](?:M[BS]?|F|CC?|I)\/[\w-]+)`/gu)]);
  assert.deepEqual(
    named.map(([, rule]) => rule).filter((rule) => rule === undefined || !known.has(rule)),
    [],
  );
});

async function daemonOf(there: Home, root: string): Promise<ProtocolConnection> {
  const started = await there.run(root, 'daemon', 'start');
  assert.equal(started.code, 0, started.stderr);
  const socket = await dial(socketAddress(root, buildIdentity(), there.environment).socket);
  assert.ok(socket);
  const connection = createProtocolConnection(messageReader(socket), new StreamMessageWriter(socket));
  connection.onClose(() => socket.destroy());
  connection.listen();
  return connection;
}

function indexed(connection: ProtocolConnection): Promise<unknown> {
  return eventually('the index', async () => {
    const { state } = METHODS['codeplan/status'].result.parse(await connection.sendRequest('codeplan/status', {}));
    return state === 'ready' || undefined;
  });
}

/** The example's parameters with what only the run of the test knows: the build, and the names of plan and entry. */
function filledIn(params: unknown, run: string | undefined, entry: string | undefined): unknown {
  const { version, stamp } = buildIdentity();
  const known: Readonly<Record<string, unknown>> = {
    version,
    build: stamp,
    run,
    id: entry,
    ids: entry === undefined ? undefined : [entry],
  };
  return Object.fromEntries(
    Object.entries(params as object).map(([key, value]: [string, unknown]) => [
      key,
      key in known ? (known[key] ?? value) : value,
    ]),
  );
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]: [string, unknown]) => [key, MASKED.has(key) ? '…' : masked(part)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
