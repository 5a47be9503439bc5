/**
 * Questions about the graph from the command line: by name and place, in process and through a daemon, on
 * unsaved texts.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { callsReport } from '#protocol/graph.js';
import { introduction } from '#src/daemon/daemon-connection.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { RemoteService } from '#src/daemon/remote-service.js';
import { ServiceError, type Call, type Service } from '#src/engine/service.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { dial } from '#src/io/socket/dial.js';
import { home } from '../support/program.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';

const FILES = {
  ...SHOP,
  'deep.py':
    'from job import save\nfrom store import Store\n\n\nclass Disk(Store):\n    def put(self, key, ttl):\n        return super().put(key, ttl)\n\n\ndef first(store, n):\n    second(store, n)\n\n\ndef second(store, n):\n    first(store, n)\n    save(store, n)\n\n\ndef loose(thing, name):\n    thing.put(1, 2)\n    thing.put(1)\n    print("put")\n    getattr(thing, name)\n',
} as const;

for (const [route, connect] of [
  ['in process', local],
  ['through a daemon', remote],
] as const) {
  test(`refs, callers, callees, hierarchy and why, on disk and on unsaved text, ${route}`, async (t) => {
    const service = await connect(t, FILES);
    await refs(service);
    await calls(service);
    await hierarchy(service);
    await why(service);
    await refusals(service);
    await unsaved(service);
  });
}

const call: Call = { signal: new AbortController().signal, progress: () => undefined };

async function local(t: TestContext, files: typeof FILES): Promise<Service> {
  const { environment } = home(t);
  const engine = createLocalEngine({
    root: repository(t, files),
    mode: 'in-process',
    watch: false,
    environment,
    log: () => undefined,
  });
  t.after(() => engine.close());
  return engine.connect({ id: '1', name: 'a test', workingDirectory: '/', environment });
}

async function remote(t: TestContext, files: typeof FILES): Promise<Service> {
  const there = home(t);
  const root = repository(t, files);
  assert.equal((await there.run(root, 'daemon', 'start')).code, 0);
  const [name] = readdirSync(join(there.runtime, 'codeplan')).filter((entry) => entry.endsWith('.sock'));
  const socket = await dial(join(there.runtime, 'codeplan', name ?? ''));
  assert.ok(socket);
  const service = await RemoteService.over(
    socket,
    buildIdentity(),
    introduction('a test', process.pid, '/', {}),
    new AbortController().signal,
  );
  t.after(() => service.close());
  return service;
}

async function refs(service: Service): Promise<void> {
  const report = await service.ask('codeplan/graph/refs', { block: 'Store.put' }, call);
  assert.deepEqual(
    report.references.map(({ file, block, relation, confidence }) => `${file} ${block} ${relation} ${confidence}`),
    [
      'deep.py Disk.put OverriddenBy certain',
      'deep.py Disk.put CalledBy certain',
      'deep.py loose CalledBy possible',
      'job.py save CalledBy certain',
      'report.py report CalledBy certain',
      'report.py report CalledBy certain',
    ],
  );
  assert.deepEqual(
    report.references[3]?.path?.map((fact) => `${fact.file}:${fact.line} ${fact.words}`),
    [
      'job.py:4 store is a parameter of type Store',
      'job.py:1 Store is imported from store',
      'store.py:2 Store declares put',
    ],
  );
  assert.deepEqual(
    [report.references[3]?.startLine, report.references[3]?.startColumn, report.references[3]?.endColumn],
    [5, 10, 13],
  );
  assert.deepEqual(
    report.undecided.map(({ file, line, reason }) => [`${file}:${line}`, reason.startsWith('a string')]),
    [
      ['deep.py:22', true],
      ['deep.py:23', false],
    ],
  );
  const certain = await service.ask('codeplan/graph/refs', { block: 'store.py:2', certain: true }, call);
  assert.equal(certain.references.length, 5);
  const module = await service.ask('codeplan/graph/refs', { block: 'store.py' }, call);
  assert.deepEqual(
    module.references.map(({ file, startLine, block, relation }) => `${file}:${startLine} ${block} ${relation}`),
    ['deep.py:2 <module> ImportedBy', 'job.py:1 <module> ImportedBy', 'report.py:1 <module> ImportedBy'],
  );
  const place = await service.ask('codeplan/graph/refs', { block: 'job.py:5:11' }, call);
  assert.deepEqual(
    place.blocks.map(({ file, block }) => `${file}:${block}`),
    ['store.py:Store.put'],
    'the name at the place says what is meant',
  );
}

async function calls(service: Service): Promise<void> {
  const up = await service.ask('codeplan/graph/calls', { block: 'save', direction: 'callers', depth: 5 }, call);
  assert.deepEqual(
    up.calls.map(({ depth, block, repeated }) => [depth, block, repeated]),
    [
      [1, 'second', undefined],
      [2, 'first', undefined],
      [3, 'second', 'cycle'],
    ],
  );
  const down = await service.ask(
    'codeplan/graph/calls',
    { block: 'deep.py:first', direction: 'callees', depth: 3 },
    call,
  );
  assert.deepEqual(
    down.calls.map(({ depth, block, repeated }) => [depth, block, repeated]),
    [
      [1, 'second', undefined],
      [2, 'first', 'cycle'],
      [2, 'save', undefined],
      [3, 'Store.put', undefined],
    ],
  );
  const through = await service.ask('codeplan/graph/calls', { block: 'Disk.put', direction: 'callers' }, call);
  assert.deepEqual(
    through.throughBases.map(({ block }) => block),
    ['Store.put'],
  );
}

async function hierarchy(service: Service): Promise<void> {
  const type = await service.ask('codeplan/graph/hierarchy', { block: 'Disk' }, call);
  assert.deepEqual(
    type.bases.map(({ depth, block }) => [depth, block]),
    [[1, 'Store']],
  );
  assert.deepEqual(
    type.searchOrder.map(({ block }) => block),
    ['Disk', 'Store'],
  );
  const member = await service.ask('codeplan/graph/hierarchy', { block: 'Store.put' }, call);
  assert.deepEqual(
    member.overriddenBy.map(({ file, block }) => `${file}:${block}`),
    ['deep.py:Disk.put'],
  );
}

async function why(service: Service): Promise<void> {
  const edge = await service.ask('codeplan/graph/why', { block: 'Store.put', from: 'job.py:5' }, call);
  assert.equal(edge.summary, 'job.py:5 refers to put.');
  assert.equal(edge.references[0]?.path?.length, 3);
  const other = await service.ask('codeplan/graph/why', { block: 'Store.put', from: 'write' }, call);
  assert.deepEqual(
    [other.references.length, other.others[0]?.outcome, other.others[0]?.means],
    [0, 'other', [{ file: 'log.py', block: 'Log.put' }]],
  );
  const unsure = await service.ask('codeplan/graph/why', { block: 'Store.put', from: 'loose' }, call);
  assert.deepEqual(
    unsure.references.map(({ confidence }) => confidence),
    ['possible'],
  );
  assert.deepEqual(
    unsure.others.map(({ outcome, path }) => [outcome, path.at(-1)?.words]),
    [
      ['excluded', 'put lacks a value for ttl'],
      ['string', 'a string spells the name; what is done with it is not followed'],
    ],
  );
  const silent = await service.ask('codeplan/graph/why', { block: 'Store.put', from: 'first' }, call);
  assert.equal(silent.summary, 'first does not refer to put: it does not say the name.');
}

async function refusals(service: Service): Promise<void> {
  await assert.rejects(
    service.ask('codeplan/graph/refs', { block: 'put' }, call),
    (error) =>
      error instanceof ServiceError &&
      error.kind === 'ambiguousBlock' &&
      error.candidates.join(' ') === 'deep.py:Disk.put log.py:Log.put store.py:Store.put',
  );
  await assert.rejects(
    service.ask('codeplan/graph/refs', { block: 'Shop.put' }, call),
    (error) =>
      error instanceof ServiceError && error.kind === 'unknownBlock' && error.candidates[0] === 'deep.py:Disk.put',
  );
  const cases: [Promise<unknown>, RegExp][] = [
    [
      service.ask('codeplan/graph/refs', { block: 'nothing' }, call),
      /no block called nothing; give path:Outer\.inner/u,
    ],
    [service.ask('codeplan/graph/calls', { block: 'none.py:f', direction: 'callers' }, call), /no file none\.py/u],
    [
      service.ask('codeplan/graph/refs', { block: 'job.py:99' }, call),
      /job\.py:99 is no place: the file has \d+ lines/u,
    ],
    [service.ask('codeplan/graph/hierarchy', { block: 'job.py:<module>' }, call), /outside of all blocks/u],
    [service.ask('codeplan/graph/why', { block: 'save', from: 'gone' }, call), /no block called gone/u],
  ];
  for (const [answer, message] of cases) await assert.rejects(answer, message);
}

async function unsaved(service: Service): Promise<void> {
  service.setText('log.py', 'from store import Store\n\n\ndef write(log: Store):\n    log.put(1, 2)\n', 1);
  const report = await service.ask('codeplan/graph/refs', { block: 'Store.put' }, call);
  assert.ok(
    report.references.some(
      ({ file, block, confidence }) => file === 'log.py' && block === 'write' && confidence === 'certain',
    ),
  );
  const { references } = await service.ask('codeplan/graph/why', { block: 'Store.put', from: 'log.py:5' }, call);
  assert.deepEqual(
    references[0]?.path?.map(({ words }) => words),
    ['log is a parameter of type Store', 'Store is imported from store', 'Store declares put'],
  );
}

test('the commands print one line a reference, documents with --json, and refuse with candidates', async (t) => {
  const there = home(t);
  const root = repository(t, FILES);
  const text = await there.run(root, 'graph', 'refs', 'Store.put');
  assert.equal(text.code, 0, text.stderr);
  assert.match(
    text.stdout,
    /^ {2}job\.py:5: save {2}CalledBy certain – store is a parameter of type Store \(4\); Store is imported from store \(1\); Store declares put \(store\.py:2\)$/mu,
  );
  assert.match(text.stdout, /^undecided {2}deep\.py:22: a string spells put$/mu);
  assert.match(text.stdout, /^6 references: 5 certain, 1 possible\.$/mu);
  const json = await there.run(root, 'graph', 'callers', 'save', '--depth', '2', '--json');
  assert.equal(callsReport.parse(JSON.parse(json.stdout)).calls.length, 2, json.stderr);
  const explained = await there.run(root, 'graph', 'callees', 'save', '--why', 'Store.put');
  assert.match(
    explained.stdout,
    /^save refers to put\.\n {2}job\.py:5:10: save {2}CalledBy certain, member\n {6}job\.py:4: store is a parameter of type Store\n/u,
  );
  const refused = await there.run(root, 'graph', 'refs', 'put');
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, /3 blocks are called put; say which one:\n {4}deep\.py:Disk\.put\n/u);
});
