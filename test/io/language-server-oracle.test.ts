/** Language servers as the oracle: real ones on an overlay, and those that say nothing, too little or nonsense. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LanguageServerSection } from '#protocol/configuration.js';
import { oracleOfSettings } from '#src/io/tools/oracle-choice.js';
import type { Oracle } from '#src/engine/effects.js';
import { fakeLanguageServer } from '../support/fake-language-server.js';
import { repository } from '../support/git-repository.js';

const tool = (name: string): string => fileURLToPath(new URL(`../../../node_modules/.bin/${name}`, import.meta.url));
const signal = new AbortController().signal;
const NONE: ReadonlySet<string> = new Set();

function oracle(root: string, servers: Readonly<Record<string, LanguageServerSection>>): Oracle {
  const found = oracleOfSettings({
    root,
    section: undefined,
    preset: 'language-server',
    standing: () => ({ kind: 'granted' }),
    // Copies beside the repository.
    environment: { PATH: process.env['PATH'], CODEPLAN_CACHE_DIR: join(root, '.git/copies') },
    servers,
    files: () => [],
  });
  assert.ok(found !== undefined);
  return found;
}

const told = (errors: Awaited<ReturnType<Oracle['run']>>['errors']): string[] =>
  (errors ?? []).map(({ file, line, message }) => `${file}:${line} ${message.split('\n')[0] ?? ''}`).sort();

test('pyright sees the overlay: changed, new and deleted files, and nothing of it is on the disk', async (t) => {
  const root = repository(t, {
    'store.py': 'def put(key: str) -> None: ...\n',
    'job.py': 'from store import put\nput("a")\nput(1)\n',
    'old.py': 'import store\n',
  });
  const pyright = oracle(root, { python: { command: [tool('pyright-langserver'), '--stdio'], timeoutSeconds: 120 } });
  const before = await pyright.run(new Map(), NONE, signal);
  assert.equal(before.message, undefined);
  assert.deepEqual(
    told(before.errors).map((line) => line.slice(0, 8)),
    ['job.py:3'],
  );
  const overlay = new Map([
    ['store.py', 'def put(key: str, ttl: int) -> None: ...\n'],
    ['fresh.py', 'from store import put\nput("b", "c")\n'],
    ['old.py', undefined],
  ]);
  const after = await pyright.run(overlay, NONE, signal);
  const fresh = pyright.fresh(
    before.errors ?? [],
    after.errors ?? [],
    (file) => readFileSync(join(root, file), 'utf8'),
    (file) => overlay.get(file) ?? readFileSync(join(root, file), 'utf8'),
  );
  assert.deepEqual(fresh.map(({ file, line }) => `${file}:${line}`).sort(), ['fresh.py:2', 'job.py:2', 'job.py:3']);
  assert.deepEqual(
    readdirSync(root)
      .filter((name) => !name.startsWith('.'))
      .sort(),
    ['job.py', 'old.py', 'store.py'],
  );
  assert.deepEqual(readdirSync(join(root, '.git/copies/copies')), []);
});

test('a server that reports unasked is heard to the end', async (t) => {
  const root = repository(t, {
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true } }\n',
    'store.ts': 'export function put(key: string): void { key.trim(); }\n',
    'job.ts': "import { put } from './store.js';\nput('a');\n",
    'clean.ts': 'export const one = 1;\n',
  });
  const typescript = oracle(root, {
    typescript: { command: [tool('typescript-language-server'), '--stdio'], timeoutSeconds: 120 },
  });
  const before = await typescript.run(new Map(), NONE, signal);
  assert.deepEqual([before.message, before.errors], [undefined, []]);
  const after = await typescript.run(
    new Map([['store.ts', 'export function put(key: string, ttl: number): void { key.trim(); }\n']]),
    NONE,
    signal,
  );
  assert.deepEqual(told(after.errors), ['job.ts:2 Expected 2 arguments, but got 1.']);
  assert.equal(after.errors?.[0]?.code, '2554');
});

test('a server that is missing, ends, is silent or talks nonsense is no clean check', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n' });
  const speaks = (opened: string): string[] =>
    fakeLanguageServer(
      `(message) => { if (message.method === 'textDocument/didOpen') { ${opened} } return message.method === 'initialize' ? { capabilities: {} } : null; }`,
    );
  const cases: [readonly string[], RegExp][] = [
    [['no-such-language-server'], /not installed/u],
    [speaks(''), /did not report on 1 files within 2 s/u],
    [speaks('process.exit(3)'), /ended with code 3/u],
    [speaks("send({ method: 'textDocument/publishDiagnostics', params: { uri: 7 } })"), /no list of diagnostics/u],
  ];
  for (const [command, message] of cases) {
    const run = await oracle(root, { python: { command: [...command], timeoutSeconds: 2 } }).run(
      new Map(),
      NONE,
      signal,
    );
    assert.equal(run.errors, undefined);
    assert.match(run.message ?? '', message);
  }
  assert.throws(() => oracle(root, {}), /no language server is configured to be the oracle/u);
});

test('of a repository that is too large for a server it sees the files that matter, and the answer says so', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i): [string, string] => [`f${i}.py`, `x = ${i}\n`]));
  const command = fakeLanguageServer(`(message) => {
    if (message.method === 'textDocument/didOpen') send({ method: 'textDocument/publishDiagnostics', params: { uri: message.params.textDocument.uri, diagnostics: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, severity: 1, message: message.params.textDocument.text.trim() }] } });
    return message.method === 'initialize' ? { capabilities: {} } : null;
  }`);
  const large = oracle(repository(t, many), { python: { command, timeoutSeconds: 60 } });
  const run = await large.run(new Map([['f1.py', 'x = "new"\n']]), new Set(['f1.py', 'f7.py', 'gone.py']), signal);
  assert.deepEqual(
    [told(run.errors), run.partly],
    [['f1.py:1 x = "new"', 'f7.py:1 x = 7'], '2 of 1001 files in python'],
  );
  assert.match(
    (await large.run(new Map(), new Set(Object.keys(many)), signal)).message ?? '',
    /the plan alone is about 1001 in python/u,
  );
});
