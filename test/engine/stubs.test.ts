/**
 * Stubs of new abstract members get their bodies by the generation loop: through a model behind a real server, with
 * the oracle on the plan's tree.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { eventually } from '../support/eventually.js';
import { fenced, generationServer, type GenerationServer, type Script } from '../support/generation.js';
import { repository } from '../support/git-repository.js';
import { json, modelServer, type ModelServer } from '../support/model-server.js';
import { home } from '../support/program.js';
import { checkWith } from '../support/own-check.js';

const call: Call = { signal: new AbortController().signal, progress: () => undefined };

/** A repository at a commit, and the files that the person has edited since. */
interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly edited: Readonly<Record<string, string>>;
}

const PYTHON: Case = {
  files: {
    'store.py':
      'from abc import ABC, abstractmethod\n\n\nclass Store(ABC):\n    @abstractmethod\n    def put(self, key): ...\n',
    'mem.py':
      'from store import Store\n\n\nclass Mem(Store):\n    def __init__(self):\n        self.all = {}\n\n' +
      '    def put(self, key):\n        self.all[key] = key\n',
    'job.py': 'from mem import Mem\n\n\ndef run(mem: Mem):\n    return mem.put(1)\n',
    'sweep.py': 'def sweep(entries):\n    return entries\n',
  },
  edited: {
    'store.py':
      'from abc import ABC, abstractmethod\n\n\nclass Store(ABC):\n    @abstractmethod\n    def put(self, key): ...\n\n' +
      '    @abstractmethod\n    def drop(self, key):\n        """Forgets the key."""\n',
  },
};

const TYPESCRIPT: Case = {
  files: {
    'store.ts': 'export interface Store {\n  put(key: string): void;\n}\n',
    'mem.ts':
      "import type { Store } from './store.js';\n\nexport class Mem implements Store {\n" +
      '  readonly all = new Map<string, string>();\n\n  put(key: string): void {\n    this.all.set(key, key);\n  }\n}\n',
    'disk.ts':
      "import type { Store } from './store.js';\n\nexport class Disk implements Store {\n" +
      '  put(key: string): void {\n    write(key);\n  }\n}\n\nfunction write(key: string): string {\n  return key;\n}\n',
  },
  edited: {
    'store.ts':
      'export interface Store {\n  put(key: string): void;\n  /** Whether it was there. */\n' +
      '  drop(key: string): boolean;\n}\n',
  },
};

const JAVA: Case = {
  files: {
    'a/Store.java': 'package a;\n\npublic interface Store {\n    void put(String key);\n}\n',
    'a/Mem.java':
      'package a;\n\npublic class Mem implements Store {\n    private String last;\n\n    @Override\n' +
      '    public void put(String key) {\n        last = key;\n    }\n\n    public void drop() {\n        last = null;\n    }\n}\n',
  },
  edited: {
    'a/Store.java':
      'package a;\n\npublic interface Store {\n    void put(String key);\n\n    boolean drop(String key);\n}\n',
  },
};

const DROP_PY = 'def drop(self, key):\n    del self.all[key]';
const DROP_TS = 'drop(key: string): boolean {\n  return this.all.delete(key);\n}';

interface Opened {
  readonly root: string;
  readonly service: Service;
  propagate(params?: Partial<PropagateParams>, own?: Call): Promise<PropagateReport>;
  text(file: string): string;
}

/** `check`: source of a program that is the oracle; it writes `file:line:column: severity: message`. */
async function opened(
  t: TestContext,
  { files, edited }: Case,
  server: ModelServer | undefined,
  check?: string,
): Promise<Opened> {
  const root = repository(t, files);
  for (const [file, text] of Object.entries(edited)) writeFileSync(join(root, file), text);
  if (server !== undefined) t.after(() => server.close());
  const { environment } = home(
    t,
    server === undefined ? {} : { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' },
  );
  if (check !== undefined) await checkWith(check, root, environment);
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: '1', name: 'a test', workingDirectory: root, environment });
  return {
    root,
    service,
    propagate: (params = {}, own = call) =>
      service.ask('codeplan/plan', { oracle: check === undefined ? false : true, ...params }, own),
    text: (file) => readFileSync(join(root, file), 'utf8'),
  };
}

async function answered(
  t: TestContext,
  which: Case,
  script: Script,
  check?: string,
): Promise<Opened & { server: GenerationServer }> {
  const server = await generationServer(script);
  return { ...(await opened(t, which, server, check)), server };
}

/** Says an error wherever a line of a source holds the word WRONG. */
const CHECK = `
import { readdirSync, readFileSync } from 'node:fs';
for (const file of readdirSync('.').filter((name) => /\\.(py|ts)$/.test(name)))
  readFileSync(file, 'utf8').split('\\n').forEach((line, i) => {
    if (line.includes('WRONG')) console.log(file + ':' + (i + 1) + ':1: error: it is wrong');
  });
`;

test('Python: the stub gets its body, which is asked for with what it implements', async (t) => {
  const here = await answered(t, PYTHON, { code: [fenced(DROP_PY)] });
  const report = await here.propagate({ apply: true });
  assert.deepEqual(report.open, []);
  const step = report.steps.find(({ file }) => file === 'mem.py');
  assert.deepEqual([step?.how, step?.status], ['model', 'applied']);
  assert.match(here.text('mem.py'), /\n {4}def drop\(self, key\):\n {8}del self\.all\[key\]\n$/);
  assert.deepEqual(here.server.phases, ['code']);
  const [prompt = ''] = here.server.prompts('code');
  assert.match(prompt, /Write Mem\.drop in mem\.py \(python\)/);
  assert.match(prompt, /It implements Store\.drop in store\.py:\n```\n[^`]*"""Forgets the key\."""/);
  assert.match(prompt, /# mem\.py without it\n```\n[^`]*self\.all = \{\}/);
  await here.service.undo({}, call);
  assert.equal(here.text('mem.py'), PYTHON.files['mem.py']);
});

test('TypeScript: each class gets its own, and the second is shown the first', async (t) => {
  const here = await answered(t, TYPESCRIPT, {
    code: [fenced('drop(key: string): boolean {\n  return write(key) === key;\n}'), fenced(DROP_TS)],
  });
  const report = await here.propagate({ apply: true });
  assert.deepEqual(report.open, []);
  assert.match(
    here.text('disk.ts'),
    /\n {2}drop\(key: string\): boolean \{\n {4}return write\(key\) === key;\n {2}\}\n\}/,
  );
  assert.match(here.text('mem.ts'), /return this\.all\.delete\(key\)/);
  assert.match(
    here.server.prompts('code')[1] ?? '',
    /Disk\.drop in disk\.ts implements it so:\n```\n[^`]*write\(key\)/,
  );
  assert.doesNotMatch(here.server.prompts('code')[0] ?? '', /implements it so/);
  assert.equal(report.usage.calls, 2);
});

test('Java: an overload of the name is told apart from the stub', async (t) => {
  const body = '@Override\npublic boolean drop(String key) {\n    return key.equals(last);\n}';
  const here = await answered(t, JAVA, { code: [fenced(body)] });
  const report = await here.propagate({ apply: true });
  assert.deepEqual(report.open, []);
  assert.match(
    here.text('a/Mem.java'),
    /last = null;\n {4}\}\n\n {4}@Override\n {4}public boolean drop\(String key\) \{\n {8}return key/,
  );
  assert.match(here.text('a/Mem.java'), /public void drop\(\) \{/);
});

test('the oracle looks at the body on the plan’s tree, and what is wrong elsewhere is not its business', async (t) => {
  const which = { ...PYTHON, edited: { ...PYTHON.edited, 'sweep.py': 'def sweep(entries):\n    return 1  # WRONG\n' } };
  const here = await answered(
    t,
    which,
    { code: [fenced(`${DROP_PY}  # WRONG`), fenced(DROP_PY)], reflect: ['It says WRONG.'] },
    CHECK,
  );
  const report = await here.propagate({ maxIterations: 1 });
  assert.deepEqual(here.server.phases, ['code', 'tools', 'reflect', 'code']);
  assert.match(here.server.prompts('reflect')[0] ?? '', /mem\.py:12: it is wrong/);
  assert.match(report.steps.find(({ file }) => file === 'mem.py')?.diff ?? '', /\+ {8}del self\.all\[key\]\n/);
});

test('a body that does not pass is not taken: the stub stays, and the report says so', async (t) => {
  const here = await answered(t, PYTHON, { code: [fenced(`${DROP_PY}  # WRONG`)] }, CHECK);
  const report = await here.propagate({ apply: true });
  assert.match(
    report.open.map(({ reason }) => reason).join('\n'),
    /Mem\.drop has no body yet; what the model wrote is not used \(it does not pass: it is wrong\)/,
  );
  assert.match(here.text('mem.py'), /raise NotImplementedError/);
  assert.doesNotMatch(here.text('mem.py'), /WRONG/);
});

test('answers that cannot be used leave the stub as well', async (t) => {
  const here = await answered(t, PYTHON, { code: ['I would rather not.'] });
  const report = await here.propagate({ apply: true });
  assert.equal(report.open.length, 1);
  assert.match(
    report.open[0]?.reason ?? '',
    /Mem\.drop has no body yet; what the model wrote is not used \(the model's/,
  );
  assert.match(here.text('mem.py'), /raise NotImplementedError/);
});

test('without a model the stub is listed, and nothing is asked', async (t) => {
  const here = await opened(t, PYTHON, undefined);
  const report = await here.propagate({ apply: true });
  assert.deepEqual(
    report.open.map(({ block, reason, needs }) => [block, reason, needs]),
    [['Mem', 'drop has no body yet', 'model']],
  );
  assert.match(here.text('mem.py'), /raise NotImplementedError/);
});

test('what is generated is classified, and what follows from it is planned', async (t) => {
  const files = {
    ...PYTHON.files,
    'mem.py': `${PYTHON.files['mem.py'] ?? ''}\n    def size(self):\n        return len(self.all)\n`,
    'use.py': 'from mem import Mem\n\n\ndef use(mem: Mem):\n    return mem.drop(1)\n',
  };
  const widened = 'def drop(self, key, region):\n    del self.all[key, region]';
  const here = await answered(t, { ...PYTHON, files }, { code: [fenced(widened), 'No changes.'] });
  const report = await here.propagate({ values: { region: '"eu"' } });
  assert.match(report.steps.find(({ file }) => file === 'use.py')?.diff ?? '', /\+ {4}return mem\.drop\(1, "eu"\)/);
});

test('a limit leaves the stub, says so, and the run can go on', async (t) => {
  const here = await answered(t, TYPESCRIPT, { code: [fenced(DROP_TS.replace('this.all.delete(key)', 'key === ""'))] });
  const report = await here.propagate({ maxCalls: 1 });
  assert.equal(here.server.asked.length, 1);
  assert.equal(report.usage.calls, 1);
  assert.deepEqual(
    report.problems.map(({ message }) => message),
    ['stopped after 1 model calls, the limit that was set'],
  );
  assert.deepEqual(
    report.open.map(({ block, reason }) => [block, reason]),
    [['Mem', 'drop has no body yet']],
  );
  const resumed = await here.service.ask('codeplan/plan', { resume: report.run, maxCalls: 5 }, call);
  assert.equal(here.server.asked.length, 2);
  assert.deepEqual(resumed.open, []);
});

test('an endpoint that fails is asked once, and cancelling ends at once with nothing written', async (t) => {
  const failing = await modelServer(json(401, { error: { message: 'no' } }));
  const here = await opened(t, TYPESCRIPT, failing);
  const report = await here.propagate({ apply: true });
  assert.equal(failing.asked.length, 1);
  assert.equal(report.open.length, 2, JSON.stringify(report.open));
  assert.match(here.text('mem.ts'), /throw new Error/);

  const silent = await modelServer(() => undefined);
  const other = await opened(t, TYPESCRIPT, silent);
  const stop = new AbortController();
  const asked = other.propagate({ apply: true }, { signal: stop.signal, progress: () => undefined });
  await eventually('the question', () => silent.asked.length > 0 || undefined);
  stop.abort(new Error('enough'));
  await assert.rejects(asked);
  assert.equal(other.text('mem.ts'), TYPESCRIPT.files['mem.ts']);
});
