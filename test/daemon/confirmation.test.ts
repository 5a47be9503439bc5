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

const tool = (name: string): string => fileURLToPath(new URL(`../../../node_modules/.bin/${name}`, import.meta.url));
const SERVERS = {
  python: { command: [tool('pyright-langserver'), '--stdio'], timeoutSeconds: 120 },
  typescript: { command: [tool('typescript-language-server'), '--stdio'], timeoutSeconds: 120 },
};
const call: Call = { signal: new AbortController().signal, progress: () => undefined };

function service(t: TestContext, files: Readonly<Record<string, string>>, languageServer: object): Service {
  const { environment } = home(t);
  const folder = join(environment['XDG_CONFIG_HOME'] as string, 'codeplan');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ languageServer }));
  const engine = createLocalEngine({ root: repository(t, files), mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  return engine.connect({ id: '1', name: 'a test', workingDirectory: '/', environment });
}

const told = (report: RefsReport): string[] => report.references.map(({ file, startLine, confidence, via }) => `${file}:${startLine} ${confidence} ${via}`);

test('pyright confirms, adds and denies, and does not judge what it does not know either', async (t) => {
  const python = service(t, {
    'store.py': 'class Store:\n    def put(self, key):\n        return key\n\n\nclass Log:\n    def put(self, line):\n        return line\n',
    'job.py': 'from typing import TypeVar\nfrom store import Log, Store\n\nT = TypeVar("T")\n\n\ndef pick(*things: T) -> T:\n    return things[0]\n\n\ndef run(store: Store, log: Log, thing):\n    (lambda x: x)(store).put(1)\n    (lambda x: x)(log).put(1)\n    pick(store).put(1)\n    thing.put(1)\n    store.put(1)\n',
  }, SERVERS);
  assert.deepEqual(told(await python.refs({ block: 'Store.put' }, call)), ['job.py:12 possible name', 'job.py:13 possible name', 'job.py:15 possible name', 'job.py:16 certain member']);
  const confirmed = await python.refs({ block: 'Store.put', confirm: true }, call);
  assert.deepEqual(told(confirmed), ['job.py:12 certain language server', 'job.py:14 certain language server', 'job.py:15 possible name', 'job.py:16 certain member']);
  assert.deepEqual(confirmed.denied.map(({ startLine }) => startLine), [13]);
  assert.deepEqual(confirmed.problems, []);
  python.setText('job.py', 'from store import Store\n\n\ndef run(store: Store):\n    (lambda x: x)(store).put(1)\n', 1);
  assert.deepEqual(told(await python.refs({ block: 'Store.put', confirm: true }, call)), ['job.py:5 certain language server'], 'the unsaved text is what the server sees');
});

test('the TypeScript server confirms references and callees', async (t) => {
  const typescript = service(t, {
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": false } }\n',
    'store.ts': 'export class Store { put(key: string) { return key; } }\nexport class Log { put(line: string) { return line; } }\n',
    'job.ts': "import { Log, Store } from './store.js';\n\nexport function run(store: Store, log: Log, thing) {\n  ((x) => x)(store).put('a');\n  ((x) => x)(log).put('b');\n  thing.put('c');\n}\n",
  }, SERVERS);
  const confirmed = await typescript.refs({ block: 'Store.put', confirm: true }, call);
  assert.deepEqual(told(confirmed), ['job.ts:4 certain language server', 'job.ts:6 possible name']);
  assert.deepEqual(confirmed.denied.map(({ startLine }) => startLine), [5]);
  const callees = await typescript.calls({ block: 'run', direction: 'callees', confirm: true }, call);
  assert.deepEqual(callees.calls.map(({ block, sites }) => `${block} ${sites.map((site) => site.startLine).join(',')}`), ['Store.put 4,6', 'Log.put 5,6']);
});

test('a server that fails leaves the answer as it was and says so; none at all is a refusal', async (t) => {
  const files = { 'store.py': 'class Store:\n    def put(self, key):\n        return key\n\n\ndef run(thing):\n    thing.put(1)\n' };
  const broken = service(t, files, { python: { command: [process.execPath, '-e', 'process.exit(4)'] } });
  const report = await broken.refs({ block: 'Store.put', confirm: true }, call);
  assert.deepEqual(told(report), ['store.py:7 possible name']);
  assert.match(report.problems[0]?.message ?? '', /ended with code 4/u);
  assert.equal(report.complete, true);
  const none = service(t, files, {});
  await assert.rejects(none.refs({ block: 'Store.put', confirm: true }, call), (error) => error instanceof ServiceError && error.kind === 'languageServer');
});
