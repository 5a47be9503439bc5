/** The host: what clients see, and that the order and batching of events make no difference. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DiskFile } from '#src/engine/event.js';
import { SessionService } from '#src/daemon/session-service.js';
import { Host, type Publication } from '#src/engine/host.js';
import { SearchMemory } from '#src/engine/search-memory.js';
import type { Snapshot } from '#src/graph/files/snapshot.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { digestOf, readText } from '#src/io/index/read-sources.js';
import { languageOf } from '#src/languages/registry.js';
import { type Summary } from '#src/syntax/summary.js';
import { rowsOf } from '../support/rows.js';

const grammars = await grammarsOfThread();

function summaryOf(path: string, text: string): Summary {
  const reading = readText(grammars, { path, text });
  assert.ok(reading.kind === 'text');
  return reading.summary;
}
const onDisk = (path: string, text: string): DiskFile => ({
  summary: summaryOf(path, text),
  digest: digestOf(Buffer.from(text)),
  byteOrderMark: false,
});
function write(host: Host, files: Readonly<Record<string, string | undefined>>): void {
  host.post({
    kind: 'disk',
    files: new Map(
      Object.entries(files).map(([path, text]) => [path, text === undefined ? undefined : onDisk(path, text)]),
    ),
    configs: new Map(),
    refused: new Map(),
  });
}
const edit = (host: Host, client: string, path: string, text: string): void =>
  host.post({ kind: 'overlay', client, path, text, version: 1 });
function blocks(snapshot: Snapshot, path: string): string[] {
  const summary = snapshot.summary(path);
  return summary === undefined
    ? []
    : Array.from({ length: summary.decls.count }, (_, decl) => summary.decls.pathOf(decl));
}

const A = 'class A {\n  int f() { return 1; }\n  int g() { return f(); }\n}\n';

test('a client that left is not brought back by what it had sent before', async () => {
  const host = new Host(grammars);
  const search = new SearchMemory();
  const counted: unknown[] = [];
  const session = (id: string, start: () => Promise<{ host: Host; grammars: typeof grammars; search: SearchMemory }>) =>
    new SessionService({ id, name: id, workingDirectory: '/', environment: {} }, start, {
      effects: () => assert.fail('nothing is asked'),
      status: () => assert.fail('nothing is asked'),
      busy: () => undefined,
      onDecided: () => () => undefined,
      counted: (counts) => void counted.push(counts),
      keepSettled: () => undefined,
      shown: () => undefined,
      early: () => Promise.resolve(undefined),
      close: () => host.post({ kind: 'clientGone', client: id }),
    });
  const early = session('early', async () => ({ host, grammars, search }));
  early.setText('A.java', A, 1);
  await early.close();
  const late = session('late', async () => ({ host, grammars, search }));
  await Promise.resolve();
  late.setText('A.java', A, 1);
  await late.close();
  late.setText('A.java', A, 2);
  host.snapshot();
  assert.deepEqual(host.clientIds(), []);
});

test('each client sees its own unsaved texts over the shared disk', () => {
  const host = new Host(grammars);
  write(host, { 'A.java': A, 'B.java': 'class B {}\n' });
  edit(host, 'one', 'A.java', A.replace('f()', 'renamed()'));
  edit(host, 'two', 'New.java', 'class New {}\n');
  assert.ok(blocks(host.snapshot('one'), 'A.java').includes('A.renamed'));
  assert.ok(!host.snapshot('one').hasFile('New.java'));
  assert.ok(blocks(host.snapshot('two'), 'A.java').includes('A.f'));
  assert.ok(host.snapshot('two').hasFile('New.java'));
  assert.equal(host.snapshot('three'), host.snapshot(), 'a client without unsaved texts shares the disk snapshot');
  write(host, { 'B.java': 'class B { int later; }\n' });
  for (const client of ['one', 'two', undefined])
    assert.ok(blocks(host.snapshot(client), 'B.java').includes('B.later'), client);
  host.post({ kind: 'overlayClosed', client: 'one', path: 'A.java' });
  assert.ok(blocks(host.snapshot('one'), 'A.java').includes('A.f'));
  host.post({ kind: 'clientGone', client: 'two' });
  assert.equal(host.snapshot('two'), host.snapshot());
});

test('content that is already there publishes nothing', async () => {
  const host = new Host(grammars);
  write(host, { 'A.java': A });
  const before = host.snapshot();
  const published: Publication[] = [];
  host.onPublished((publication) => published.push(publication));
  write(host, { 'A.java': A });
  edit(host, 'one', 'A.java', A);
  assert.equal(host.snapshot(), before);
  assert.equal(host.snapshot('one'), before, 'a buffer that equals the disk is no change');
  edit(host, 'one', 'A.java', A);
  host.snapshot();
  assert.deepEqual(
    published.map((publication) => [...publication.disk]),
    [[]],
  );
  write(host, { 'A.java': `${A}\n` });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([...(published[1]?.disk ?? [])], ['A.java'], 'events are taken in without anybody reading');
});

test('a batch publishes once', () => {
  const host = new Host(grammars);
  let publications = 0;
  host.onPublished(() => publications++);
  for (let i = 0; i < 10; i++) write(host, { [`A${i}.java`]: A });
  for (let i = 0; i < 10; i++) edit(host, 'one', 'A0.java', `${A}// ${i}\n`);
  host.snapshot('one');
  assert.equal(publications, 1);
});

test('half-typed headers keep the last good blocks, and say so', () => {
  const host = new Host(grammars);
  write(host, { 'A.java': A });
  const good = host.snapshot('one').summary('A.java');
  edit(host, 'one', 'A.java', A.replace('int g() {', 'int g(int a, '));
  assert.equal(host.snapshot('one').summary('A.java'), good);
  assert.deepEqual(host.broken('one'), ['A.java']);
  assert.deepEqual(host.broken('two'), []);
  edit(host, 'one', 'A.java', A.replace('int g() {', 'int g(int a) {'));
  assert.notEqual(host.snapshot('one').summary('A.java'), good);
  assert.deepEqual(host.broken('one'), []);
});

test('an error inside a body shows the text as it is', () => {
  const host = new Host(grammars);
  write(host, { 'A.java': A });
  edit(host, 'one', 'A.java', A.replace('return 1;', 'return 1 + ;'));
  assert.deepEqual(host.broken('one'), []);
  const bodies = (summary: Summary | undefined): number[] =>
    summary === undefined ? [] : rowsOf(summary.decls).map((decl) => summary.decls.bodyHashOf(decl));
  assert.notDeepEqual(bodies(host.snapshot('one').summary('A.java')), bodies(host.snapshot().summary('A.java')));
});

test('a file that has errors from the start changes like any other', () => {
  const host = new Host(grammars);
  const odd = `${A}\nclass Odd { int @#$ ; }\n`;
  write(host, { 'A.java': odd });
  write(host, { 'A.java': odd.replace('int f()', 'int h()') });
  assert.ok(blocks(host.snapshot(), 'A.java').includes('A.h'));
  assert.deepEqual(host.broken(), []);
});

test('each client has its baseline', () => {
  const host = new Host(grammars);
  write(host, { 'A.java': A });
  host.post({ kind: 'settled', client: undefined });
  const first = host.snapshot();
  edit(host, 'one', 'A.java', A.replace('f()', 'h()'));
  assert.equal(host.baselineOf('one'), first);
  host.post({ kind: 'settled', client: 'one' });
  assert.equal(host.baselineOf('one'), host.snapshot('one'));
  assert.equal(host.baselineOf('two'), first);
  write(host, { 'B.java': 'class B {}\n' });
  assert.ok(!host.baselineOf('two').hasFile('B.java'));
  host.post({ kind: 'settled', client: undefined });
  assert.ok(host.baselineOf('one').hasFile('B.java') && host.baselineOf('two').hasFile('B.java'));
});

test('refusals come and go', () => {
  const host = new Host(grammars);
  const refuse = (reason: string | undefined): void =>
    host.post({
      kind: 'disk',
      files: new Map([['A.java', undefined]]),
      configs: new Map(),
      refused: new Map([['A.java', reason]]),
    });
  write(host, { 'A.java': A });
  refuse('not UTF-8');
  assert.deepEqual([...host.refused()], [['A.java', 'not UTF-8']]);
  assert.ok(!host.snapshot().hasFile('A.java'));
  refuse(undefined);
  assert.equal(host.refused().size, 0);
});

test('what one file, event or listener fails on costs nothing of the others, and is told', () => {
  const failures: string[] = [];
  const host = new Host(grammars, (what) => failures.push(what));
  const heard: Publication[] = [];
  host.onPublished(() => {
    throw new Error('a listener');
  });
  host.onPublished((publication) => heard.push(publication));
  const broken = new Proxy(summaryOf('Broken.java', A), {
    get(target, name, receiver): unknown {
      if (name === 'names') throw new Error('a summary that no index can be made of');
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  host.post({
    kind: 'disk',
    files: new Map([
      ['A.java', onDisk('A.java', A)],
      ['Broken.java', { ...onDisk('Broken.java', A), summary: broken }],
      ['B.java', onDisk('B.java', 'class B { int b; }\n')],
    ]),
    configs: new Map(),
    refused: new Map(),
  });
  edit(host, 'one', 'C.java', 'class C {}\n');
  assert.deepEqual([...host.snapshot('one').files.keys()].sort(), ['A.java', 'B.java', 'C.java']);
  assert.deepEqual([...host.refused()], [['Broken.java', 'cannot be indexed, which is a defect of codeplan']]);
  assert.ok(failures.includes('Broken.java') && failures.includes('telling of a change'), failures.join());
  assert.equal(heard.length, 1);
  write(host, { 'Broken.java': A });
  assert.ok(host.snapshot().hasFile('Broken.java'));
});

test('incremental equals rebuilt, after any sequence of events', () => {
  const paths = ['A.java', 'B.java', 'C.java'] as const;
  const members = [
    'int a;',
    'int b() { return a; }',
    'void c(B x) { x.b(); }',
    '/** é𝒳 */ C d = new C();',
    'class In { }',
  ] as const;
  const text = fc
    .tuple(fc.constantFrom('A', 'B', 'C'), fc.subarray([...members]), fc.constantFrom('\n', '\r\n'))
    .map(([name, body, eol]) => [`class ${name} {`, ...body, '}', ''].join(eol));
  const path = fc.constantFrom(...paths);
  const client = fc.constantFrom('one', 'two');
  const action = fc.oneof(
    fc.record({ do: fc.constant('write' as const), path, text }),
    fc.record({ do: fc.constant('remove' as const), path }),
    fc.record({ do: fc.constant('edit' as const), client, path, text }),
    fc.record({ do: fc.constant('close' as const), client, path }),
    fc.record({ do: fc.constant('leave' as const), client }),
    fc.record({ do: fc.constant('read' as const), client }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const host = new Host(grammars);
      const disk = new Map<string, string>();
      const overlays = new Map([
        ['one', new Map<string, string>()],
        ['two', new Map<string, string>()],
      ]);
      for (const step of actions) {
        if (step.do === 'write') {
          disk.set(step.path, step.text);
          write(host, { [step.path]: step.text });
        } else if (step.do === 'remove') {
          disk.delete(step.path);
          write(host, { [step.path]: undefined });
        } else if (step.do === 'edit') {
          overlays.get(step.client)?.set(step.path, step.text);
          edit(host, step.client, step.path, step.text);
        } else if (step.do === 'close') {
          overlays.get(step.client)?.delete(step.path);
          host.post({ kind: 'overlayClosed', client: step.client, path: step.path });
        } else if (step.do === 'leave') {
          overlays.get(step.client)?.clear();
          host.post({ kind: 'clientGone', client: step.client });
        } else host.snapshot(step.client);
      }
      for (const [id, texts] of [...overlays, [undefined, new Map<string, string>()] as const]) {
        const expected = new Map(
          [...disk, ...texts].map(([file, content]) => [
            file,
            languageOf(file) === undefined ? undefined : summaryOf(file, content),
          ]),
        );
        const snapshot = host.snapshot(id);
        assert.deepEqual([...snapshot.files.keys()].sort(), [...expected.keys()].sort());
        for (const [file, summary] of expected) assert.deepEqual(snapshot.summary(file), summary);
        for (const name of ['a', 'b', 'C', 'In', 'x'])
          assert.deepEqual(
            snapshot.filesMentioning(name),
            [...expected]
              .filter(([, summary]) => summary?.names.includes(name))
              .map(([file]) => file)
              .sort(),
          );
      }
    }),
    { numRuns: 120 },
  );
});

test('files that were opened are parsed ahead of their first edit, the latest first, once nothing has come for a while', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ahead: string[] = [];
  const host = new Host(
    Object.assign(Object.create(grammars) as typeof grammars, {
      parseAhead: (key: string): void => void ahead.push(key.split('\0')[1] ?? ''),
    }),
  );
  const paths = Array.from({ length: 10 }, (_, n) => `${n}.java`);
  write(host, Object.fromEntries(paths.map((path) => [path, A])));
  for (const path of paths) edit(host, 'one', path, A);
  host.snapshot('one');
  t.mock.timers.tick(300);
  edit(host, 'one', '9.java', A.replace('f()', 'h()'));
  host.post({ kind: 'overlayClosed', client: 'one', path: '8.java' });
  host.snapshot('one');
  t.mock.timers.tick(300);
  assert.deepEqual(ahead, []);
  for (let n = 0; n < 20; n++) t.mock.timers.tick(400);
  assert.deepEqual(ahead, ['7.java', '6.java', '5.java', '4.java', '3.java', '2.java']);
});

test('what was parsed ahead gives the summary of the edited text', () => {
  grammars.parseAhead('ahead', 'java', A);
  const text = A.replace('return 1', 'return 12');
  const edited = languageOf('A.java')?.extract(grammars.parseEdited('ahead', 'java', text), 'java');
  assert.deepEqual(edited, summaryOf('A.java', text));
});
