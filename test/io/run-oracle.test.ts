/**
 * Checks of texts that are not on the disk, with the real tools: pyright, tsc, javac, mcs.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { LINKED_FOLDERS } from '#src/io/process/tool-process.js';
import { OUTPUT_BYTES_MAX, runOracle, type OracleRun } from '#src/io/tools/run-oracle.js';
import { compareRuns, NO_RENAMES, type CheckedTree } from '#src/oracle/baseline.js';
import type { OracleOutcome } from '#src/oracle/diagnostic.js';
import { PATTERNS } from '#src/oracle/patterns.js';
import { presetNamed } from '#src/oracle/presets.js';
import { eventually } from '../support/eventually.js';
import { needs, type ToolName } from '../support/tool.js';

const require = createRequire(import.meta.url);
/** The packages that this program itself is built with. */
const PACKAGES = dirname(dirname(require.resolve('typescript/package.json')));

let place: string;
let root: string;
const savedCache = process.env['CODEPLAN_CACHE_DIR'];

before(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'run-oracle-test-')));
  // Copies of other processes are none of these tests' business.
  process.env['CODEPLAN_CACHE_DIR'] = join(place, 'cache');
  mkdirSync(join(place, 'cache/copies'), { recursive: true });
});
after(() => {
  if (savedCache === undefined) delete process.env['CODEPLAN_CACHE_DIR'];
  else process.env['CODEPLAN_CACHE_DIR'] = savedCache;
  rmSync(place, { recursive: true, force: true });
});
let repositories = 0;
beforeEach(() => {
  root = join(place, `repo${repositories++}`);
  mkdirSync(root);
});

type Files = Record<string, string>;

function write(files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

function preset(name: string, files: Files, overlay: Record<string, string | null> = {}): OracleRun {
  const found = presetNamed(name);
  assert.ok(found);
  return {
    root,
    files: Object.keys(files),
    overlay: new Map(Object.entries(overlay)),
    linkedFolders: LINKED_FOLDERS,
    command: found.command,
    sources: found.sources,
    pattern: PATTERNS[found.pattern],
    environment: process.env,
    ownTools: true,
    timeoutMs: 120_000,
    outputBytesMax: OUTPUT_BYTES_MAX,
  };
}

/** A run of a Node program instead of a tool. */
function script(source: string, given: Partial<OracleRun> = {}): OracleRun {
  return {
    root,
    files: [],
    overlay: new Map(),
    linkedFolders: LINKED_FOLDERS,
    command: [process.execPath, '-e', source],
    sources: [],
    pattern: PATTERNS.tsc,
    environment: process.env,
    ownTools: true,
    timeoutMs: 20_000,
    outputBytesMax: OUTPUT_BYTES_MAX,
    ...given,
  };
}

const run = (what: OracleRun): Promise<OracleOutcome> => runOracle(what, new AbortController().signal);
const copies = (): string[] => readdirSync(join(place, 'cache/copies'));

function shown(outcome: OracleOutcome): string[] {
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.error.message);
  return outcome.diagnostics.filter((d) => d.severity === 'error').map((d) => `${d.file}:${d.line} ${d.code ?? '-'}`);
}
function failure(outcome: OracleOutcome): { kind: string; message: string } {
  assert.ok(!outcome.ok, JSON.stringify(outcome));
  return outcome.error;
}

/** Before the edit one old error in the caller; the edit breaks the call above it and moves both. */
const CASES: {
  name: string;
  tools?: readonly ToolName[];
  files: Files;
  edited: Files;
  old: string[];
  broken: string[];
  fresh: string[];
}[] = [
  {
    name: 'pyright',
    files: {
      'pkg/__init__.py': '',
      'pkg/a.py': 'def put(key: int) -> int:\n    return key\n',
      'pkg/b.py': 'from pkg.a import put\nput(1)\nx: int = "no"\n',
    },
    edited: {
      'pkg/a.py': '# More.\ndef put(key: int, ttl: int) -> int:\n    return key\n',
      'pkg/b.py': '\nfrom pkg.a import put\nput(1)\nx: int = "no"\n',
    },
    old: ['pkg/b.py:3 reportAssignmentType'],
    broken: ['pkg/b.py:3 reportCallIssue', 'pkg/b.py:4 reportAssignmentType'],
    fresh: ['pkg/b.py:3'],
  },
  {
    name: 'tsc',
    files: {
      'tsconfig.json':
        '{"compilerOptions": {"strict": true, "types": [], "lib": ["ES2022"], "module": "ESNext", "moduleResolution": "bundler"}}',
      'src/a.ts': 'export function put(key: number): number {\n  return key;\n}\n',
      'src/b.ts': "import { put } from './a';\nput(1);\nexport const x: number = 'no';\n",
    },
    edited: {
      'src/a.ts': 'export function put(key: number, ttl: number): number {\n  return key + ttl;\n}\n',
      'src/b.ts': "\nimport { put } from './a';\nput(1);\nexport const x: number = 'no';\n",
    },
    old: ['src/b.ts:3 TS2322'],
    broken: ['src/b.ts:3 TS2554', 'src/b.ts:4 TS2322'],
    fresh: ['src/b.ts:3'],
  },
  {
    name: 'javac',
    tools: ['javac'],
    files: {
      'src/p/A.java': 'package p;\nclass A {\n  static int put(int key) { return key; }\n}\n',
      'src/p/B.java': 'package p;\nimport lib.Gone;\nclass B {\n  int x = A.put(1);\n}\n',
    },
    edited: {
      'src/p/A.java': 'package p;\nclass A {\n  static int put(int key, int ttl) { return key; }\n}\n',
      'src/p/B.java': 'package p;\n\nimport lib.Gone;\nclass B {\n  int x = A.put(1);\n}\n',
    },
    old: ['src/p/B.java:2 -'],
    broken: ['src/p/B.java:3 -', 'src/p/B.java:5 -'],
    fresh: ['src/p/B.java:5'],
  },
  {
    name: 'mcs',
    tools: ['mcs'],
    files: {
      'A.cs': 'class A {\n  public static int Put(int key) { return key; }\n}\n',
      'sub dir/B.cs': 'class B {\n  int x = A.Put(1);\n  int y = "no";\n}\n',
    },
    edited: {
      'A.cs': 'class A {\n  public static int Put(int key, int ttl) { return key; }\n}\n',
      'sub dir/B.cs': 'class B {\n\n  int x = A.Put(1);\n  int y = "no";\n}\n',
    },
    old: ['sub dir/B.cs:3 CS0029'],
    broken: ['sub dir/B.cs:3 CS1501', 'sub dir/B.cs:4 CS0029'],
    fresh: ['sub dir/B.cs:3'],
  },
];

for (const { name, tools = [], files, edited, old, broken, fresh } of CASES) {
  test(`${name}: sees the overlay, and only what the edit broke is new`, needs(...tools), async () => {
    write(files);
    symlinkSync(PACKAGES, join(root, 'node_modules'));
    const tree = (outcome: OracleOutcome, texts: Files): CheckedTree => ({
      outcome,
      lineText: (file, line) => texts[file]?.split('\n')[line - 1],
    });
    const first = await run(preset(name, files));
    assert.deepEqual(shown(first).sort(), old);
    const second = await run(preset(name, files, edited));
    assert.deepEqual(shown(second).sort(), broken);
    const comparison = compareRuns(tree(first, files), tree(second, { ...files, ...edited }), NO_RENAMES);
    assert.ok(comparison.kind === 'compared');
    assert.deepEqual(
      comparison.fresh.map(({ diagnostic }) => `${diagnostic.file}:${diagnostic.line}`),
      fresh,
    );
    for (const [file, text] of Object.entries(files)) assert.equal(readFileSync(join(root, file), 'utf8'), text);
    assert.deepEqual(copies(), []);
  });
}

test('the copy holds new files, lacks deleted ones, and is private; writing there does not reach the repository', async () => {
  write({ 'a/kept.txt': 'kept', 'gone.txt': 'gone', 'tool.sh': '', 'node_modules/x/y.txt': 'installed' });
  chmodSync(join(root, 'tool.sh'), 0o755);
  const source = `
    const fs = require('fs'), list = (d) => fs.readdirSync(d).sort().join(' ');
    fs.writeFileSync('a/kept.txt', 'overwritten');
    const mode = (f) => (fs.statSync(f).mode & 0o777).toString(8);
    for (const fact of [list('.'), list('a'), fs.readFileSync('node_modules/x/y.txt', 'utf8'), mode('../'), mode('tool.sh')]) console.log('f.ts(1,1): error TS1: ' + fact);
    process.exit(1);`;
  const outcome = await run(
    script(source, {
      files: ['a/kept.txt', 'gone.txt', 'tool.sh', 'listed-but-gone.txt'],
      overlay: new Map([
        ['gone.txt', null],
        ['a/b/new.txt', 'new'],
      ]),
    }),
  );
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.diagnostics.map((d) => d.message),
    ['a node_modules tool.sh', 'b kept.txt', 'installed', '700', '755'],
  );
  assert.equal(readFileSync(join(root, 'a/kept.txt'), 'utf8'), 'kept');
  assert.deepEqual(copies(), []);
});

test('a run that ends badly without a readable message is no clean run', async () => {
  const crash = failure(await run(script('console.error("Traceback: no such option"); process.exit(2)')));
  assert.equal(crash.kind, 'failed');
  assert.match(crash.message, /ended with code 2[^]*no such option/);
  assert.equal(failure(await run(script('process.kill(process.pid, "SIGKILL")'))).kind, 'failed');
  assert.deepEqual(await run(script('')), { ok: true, diagnostics: [] });
});

test('a program that is not there', async () => {
  const missing = failure(await run({ ...script(''), command: ['no-such-checker'] }));
  assert.equal(missing.kind, 'missing');
  assert.match(missing.message, /no-such-checker is not installed/);
  assert.deepEqual(copies(), []);
});

test('a run that takes too long is stopped, and the limit is named', async () => {
  const stopped = failure(await run(script('setInterval(() => {}, 1000)', { timeoutMs: 1000 })));
  assert.equal(stopped.kind, 'timeout');
  assert.match(stopped.message, /within 1 s/);
  assert.deepEqual(copies(), []);
});

test('an abort rejects with its reason, and ends all processes of the run, which leaves nothing', async () => {
  const mark = join(root, 'child-pid');
  const child = `require('fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid)); setInterval(() => {}, 1000)`;
  // Neither the program nor its child heeds the polite request.
  const source = `process.on('SIGTERM', () => {}); require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`process.on('SIGTERM', () => {}); ${child}`)}]); setInterval(() => {}, 1000)`;
  const [abort, reason] = [new AbortController(), new Error('never mind')];
  const ended = assert.rejects(runOracle(script(source), abort.signal), reason);
  const pid = await eventually(
    'the child',
    () => (existsSync(mark) && Number(readFileSync(mark, 'utf8'))) || undefined,
  );
  abort.abort(reason);
  await ended;
  await eventually('the end of the child', () => isGone(pid) || undefined);
  assert.deepEqual(copies(), []);
});

test('too much output is not read to its end, and is said', async () => {
  const stopped = failure(
    await run(
      script('const s = "x".repeat(1000) + "\\n"; const f = () => process.stdout.write(s, f); f()', {
        outputBytesMax: 100_000,
      }),
    ),
  );
  assert.equal(stopped.kind, 'too-much-output');
});

test('paths out of the repository are refused', async () => {
  for (const file of ['../x', '/etc/x', 'a/../../x', '.git/hooks/x']) {
    assert.equal(failure(await run(script('', { overlay: new Map([[file, 'text']]) }))).kind, 'unreadable', file);
  }
  assert.deepEqual(copies(), []);
});

test('keys for models are not handed to a check', async () => {
  process.env['CODEPLAN_API_KEY'] = 'secret';
  const outcome = await run(script('console.log("f.ts(1,1): error TS1: " + process.env.CODEPLAN_API_KEY)'));
  delete process.env['CODEPLAN_API_KEY'];
  assert.ok(outcome.ok);
  assert.equal(outcome.diagnostics[0]?.message, 'undefined');
});

test('copies of killed processes are swept, those of living ones stay', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const dead = join(place, 'cache/copies', `codeplan-oracle-${pid}-abcdef`);
  const used = join(place, 'cache/copies', `codeplan-oracle-${living.pid}-abcdef`);
  for (const folder of [dead, used]) mkdirSync(join(folder, 'tree'), { recursive: true });
  symlinkSync(root, join(dead, 'tree', 'node_modules'));
  await run(script(''));
  living.kill();
  assert.equal(existsSync(dead), false);
  assert.ok(statSync(used).isDirectory());
  assert.ok(existsSync(root));
  rmSync(used, { recursive: true });
});

/** A killed orphan stays visible until it is collected. */
function isGone(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || /\) [XZ]/u.test(readFileSync(stat, 'utf8'));
}

const CART =
  'package shop;\n\npublic class Cart {\n    public int sum(int a, int b) {\n        return a + b;\n    }\n}\n';
const CART_TEST =
  'package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.Test;\n\n' +
  'class CartTest {\n    @Test\n    void sums() {\n        assertEquals(3, new Cart().sum(1, 2));\n    }\n\n' +
  '    @Test\n    void fine() {\n    }\n}\n';

test(
  "JUnit's console runs the classes that are named, on the texts that are proposed",
  needs('javac', 'junit'),
  async () => {
    const files = { 'src/main/java/shop/Cart.java': CART, 'src/test/java/shop/CartTest.java': CART_TEST };
    write(files);
    const junit = presetNamed('junit');
    assert.ok(junit?.tests !== undefined && junit.first !== undefined);
    const { tests } = junit;
    const first = { command: junit.first.command, pattern: PATTERNS[junit.first.pattern] };
    const named = (name: string, overlay: Record<string, string> = {}): OracleRun => ({
      ...preset('junit', files, overlay),
      first,
      command: tests.command([name]),
      results: tests.results,
    });
    const good = await run(named('shop.CartTest'));
    assert.deepEqual(good, {
      ok: true,
      diagnostics: [],
      tests: { passed: ['shop.CartTest.fine', 'shop.CartTest.sums'], failed: [] },
    });
    const [cart] = Object.keys(files) as [string];
    const wrong = await run(named('shop.CartTest', { [cart]: CART.replace('a + b', 'a - b') }));
    assert.deepEqual(shown(wrong), ['src/test/java/shop/CartTest.java:9 AssertionFailedError']);
    assert.deepEqual(wrong.ok && wrong.tests, { passed: ['shop.CartTest.fine'], failed: ['shop.CartTest.sums'] });
    const thrown = await run(named('shop.CartTest#sums', { [cart]: CART.replace('a + b', 'a / 0') }));
    assert.deepEqual(shown(thrown), ['src/main/java/shop/Cart.java:5 ArithmeticException']);
    const broken = await run(named('shop.CartTest', { [cart]: CART.replace('a + b', 'a + c') }));
    assert.deepEqual(shown(broken), ['src/main/java/shop/Cart.java:5 -']);
    assert.match(failure(await run(named('shop.Nope'))).message, /Could not load class with name: shop\.Nope/);
    // Without names: all tests that there are.
    const whole = await run({ ...preset('junit', files, { [cart]: CART.replace('a + b', 'a - b') }), first });
    assert.deepEqual(shown(whole), ['src/test/java/shop/CartTest.java:9 AssertionFailedError']);
    const nowhere = { ...process.env, HOME: place, JUNIT_CONSOLE: join(place, 'nowhere.jar') };
    assert.match(
      failure(await run({ ...named('shop.CartTest'), environment: nowhere })).message,
      /launcher is not found: set JUNIT_CONSOLE/,
    );
  },
);

test('tsc writes nothing where a tsconfig.json says', async () => {
  const elsewhere = join(place, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'own'), 'the own text of somebody');
  const compilerOptions = {
    incremental: true,
    composite: true,
    declaration: true,
    ...{ outDir: elsewhere, declarationDir: elsewhere },
    ...{
      tsBuildInfoFile: join(elsewhere, 'own'),
      generateTrace: elsewhere,
      generateCpuProfile: join(elsewhere, 'cpu'),
    },
  };
  const files = { 'tsconfig.json': JSON.stringify({ compilerOptions }), 'a.ts': "export const a: number = 'text';\n" };
  write(files);
  symlinkSync(PACKAGES, join(root, 'node_modules'));
  assert.deepEqual(shown(await run(preset('tsc', files))), ['a.ts:1 TS2322']);
  assert.deepEqual(readdirSync(elsewhere), ['own']);
  assert.equal(readFileSync(join(elsewhere, 'own'), 'utf8'), 'the own text of somebody');
});

test('no settings are found above the copy but those of the person', async (t) => {
  const shared = join(place, 'shared');
  mkdirSync(shared);
  writeFileSync(join(shared, 'settings.gradle'), '');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = shared;
  t.after(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  write({ 'a.ts': '' });
  const upwards = `
    const { dirname, join } = require('node:path');
    for (let at = process.cwd(); at !== '/'; at = dirname(at))
      if (require('node:fs').existsSync(join(at, 'settings.gradle'))) console.log('a.ts(1,1): error TS1: found');
    if (process.env.GIT_CEILING_DIRECTORIES !== dirname(process.cwd())) console.log('a.ts(2,1): error TS2: no ceiling');
  `;
  assert.deepEqual(shown(await run(script(upwards, { files: ['a.ts'] }))), []);
});
