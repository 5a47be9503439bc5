/** Possible references put to real language servers: confirmed, added, denied, or left as they were. */
import assert from 'node:assert/strict';
import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RefsReport } from '#protocol/graph.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { ServiceError, type Call, type Service } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { trustRepository } from '../support/trusted.js';

const tool = (name: string): string => fileURLToPath(new URL(`../../../node_modules/.bin/${name}`, import.meta.url));
const SERVERS = {
  python: { command: [tool('pyright-langserver'), '--stdio'], timeoutSeconds: 120 },
  typescript: { command: [tool('typescript-language-server'), '--stdio'], timeoutSeconds: 120 },
};
const call: Call = { signal: new AbortController().signal, progress: () => undefined };

async function service(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  languageServer: object,
): Promise<Service> {
  const { environment } = home(t);
  const folder = join(environment['XDG_CONFIG_HOME'] as string, 'codeplan');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ languageServer }));
  const root = repository(t, files);
  await trustRepository(root, environment);
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  return engine.connect({ id: '1', name: 'a test', workingDirectory: '/', environment });
}

const told = (report: RefsReport): string[] =>
  report.references.map(({ file, startLine, confidence, via }) => `${file}:${startLine} ${confidence} ${via}`);

test('pyright confirms and denies, and does not judge what it does not know either', async (t) => {
  const python = await service(
    t,
    {
      'store.py':
        'class Store:\n    def put(self, key):\n        return key\n\n\nclass Log:\n    def put(self, line):\n        return line\n',
      'job.py':
        'from contextlib import nullcontext\nfrom store import Log, Store\n\n\ndef run(store: Store, thing, other):\n    if type(thing) is Store:\n        thing.put(1)\n    if type(thing) is Log:\n        thing.put(1)\n    nullcontext(store).enter_result.put(1)\n    other.put(1)\n    store.put(1)\n',
    },
    SERVERS,
  );
  assert.deepEqual(told(await python.refs({ block: 'Store.put' }, call)), [
    'job.py:7 possible name',
    'job.py:9 possible name',
    'job.py:10 possible type argument',
    'job.py:11 possible name',
    'job.py:12 certain member',
  ]);
  const confirmed = await python.refs({ block: 'Store.put', confirm: true }, call);
  assert.deepEqual(told(confirmed), [
    'job.py:7 certain language server',
    'job.py:10 certain language server',
    'job.py:11 possible name',
    'job.py:12 certain member',
  ]);
  assert.deepEqual(
    confirmed.denied.map(({ startLine }) => startLine),
    [9],
  );
  assert.deepEqual(confirmed.problems, []);
  python.setText(
    'job.py',
    'from store import Store\n\n\ndef run(thing):\n    if type(thing) is Store: thing.put(1)\n',
    1,
  );
  assert.deepEqual(
    told(await python.refs({ block: 'Store.put', confirm: true }, call)),
    ['job.py:5 certain language server'],
    'the unsaved text is what the server sees',
  );
});

test('the TypeScript server confirms references and callees', async (t) => {
  const typescript = await service(
    t,
    {
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": false } }\n',
      'store.ts':
        'export class Store { put(key: string) { return key; } }\nexport class Log { put(line: string) { return line; } }\n',
      'job.ts':
        "import { Log, Store } from './store.js';\n\nconst isStore = (thing: unknown): thing is Store => thing instanceof Store;\nconst isLog = (thing: unknown): thing is Log => thing instanceof Log;\nexport function run(thing) {\n  if (isStore(thing)) thing.put('a');\n  if (isLog(thing)) thing.put('b');\n  thing.put('c');\n}\n",
    },
    SERVERS,
  );
  const confirmed = await typescript.refs({ block: 'Store.put', confirm: true }, call);
  assert.deepEqual(told(confirmed), ['job.ts:6 certain language server', 'job.ts:8 possible name']);
  assert.deepEqual(
    confirmed.denied.map(({ startLine }) => startLine),
    [7],
  );
  const callees = await typescript.calls({ block: 'run', direction: 'callees', confirm: true }, call);
  assert.deepEqual(
    callees.calls.map(({ block, sites }) => `${block} ${sites.map((site) => site.startLine).join(',')}`),
    ['isStore 6', 'Store.put 6,8', 'isLog 7', 'Log.put 7,8'],
  );
});

test('call hierarchies confirm callers and callees that have no known receiver', async (t) => {
  const python = await service(
    t,
    {
      'store.py': 'class Store:\n    def put(self, key):\n        return key\n',
      'job.py':
        'from contextlib import nullcontext\nfrom store import Store\n\n\ndef run(store: Store):\n    nullcontext(store).enter_result.put(1)\n',
    },
    SERVERS,
  );
  const calls = async (block: string, direction: 'callers' | 'callees', confirm: boolean): Promise<string[]> =>
    (await python.calls({ block, direction, confirm }, call)).calls.map(
      (entry) => `${entry.block} ${entry.confidence} ${entry.via}`,
    );
  assert.deepEqual(await calls('run', 'callees', false), ['Store.put possible type argument']);
  assert.deepEqual(await calls('run', 'callees', true), ['Store.put certain language server']);
  assert.deepEqual(await calls('Store.put', 'callers', true), ['run certain language server']);
});

test('the TypeScript server adds members that implement one through conditional types', async (t) => {
  const typescript = await service(
    t,
    {
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "target": "es2022" } }\n',
      'store.ts':
        'export interface Store { put(key: string): void }\nexport const made: Partial<Store> = { put() {} };\ntype Same<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;\nexport class Disk implements Same<Store> { put(): void {} }\n',
    },
    SERVERS,
  );
  const below = async (block: string, confirm: boolean): Promise<string[]> => {
    const { derived, overriddenBy } = await typescript.hierarchy({ block, confirm }, call);
    return [...derived, ...overriddenBy].map(
      (entry) => `${entry.block}${entry.via === undefined ? '' : ` ${entry.via}`}`,
    );
  };
  assert.deepEqual(await below('Store.put', false), []);
  assert.deepEqual(await below('Store.put', true), ['made.put language server', 'Disk.put language server']);
  assert.deepEqual(await below('Store', true), [], 'an object has no name to be told by');
});

test('a server that fails leaves the answer as it was and says so; none at all is a refusal', async (t) => {
  const files = {
    'store.py': 'class Store:\n    def put(self, key):\n        return key\n\n\ndef run(thing):\n    thing.put(1)\n',
  };
  const broken = await service(t, files, { python: { command: [process.execPath, '-e', 'process.exit(4)'] } });
  const report = await broken.refs({ block: 'Store.put', confirm: true }, call);
  assert.deepEqual(told(report), ['store.py:7 possible name']);
  assert.match(report.problems[0]?.message ?? '', /ended with code 4/u);
  assert.equal(report.complete, true);
  const none = await service(t, files, {});
  await assert.rejects(
    none.refs({ block: 'Store.put', confirm: true }, call),
    (error) => error instanceof ServiceError && error.kind === 'languageServer',
  );
});
