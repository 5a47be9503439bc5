/** The edit model that knows the result: what it answers for members, classes and code at module level. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { blockNamed } from '#src/change/block-name.js';
import { fragmentOf } from '#src/edit/merge.js';
import type { EditAnswer } from '#src/edit/model/edit-model.js';
import { replayOf } from '#src/edit/model/replay.js';
import { summarise } from '#src/languages/summarise.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { editRequest } from '../support/edit-request.js';
import { testGrammars } from '../support/grammars.js';

let grammars: Grammars;
before(async () => {
  grammars = await testGrammars();
});

/** What a replay says of one block of `now` when `target` is the result. */
async function replayed(file: string, now: string, target: string, block: string): Promise<EditAnswer> {
  const read = (text: string) => summarise(grammars, file, text);
  const [summary, result] = [read(now), read(target)];
  assert.ok(summary !== undefined && result !== undefined);
  const row = block === '<module>' ? undefined : blockNamed(summary, block);
  const fragment = row === undefined ? now : fragmentOf(now, summary, row);
  const replay = replayOf({
    targets: new Map([[file, { text: target, summary: result }]]),
    summarise: (_, text) => read(text),
  });
  return replay.edit(
    editRequest({ language: summary.language, file, block, fragment, source: now }),
    new AbortController().signal,
  );
}

const textOf = (answer: EditAnswer): string => (answer.kind === 'edit' ? answer.text : answer.kind);

test('a block is answered with its text in the target, or with no change', async () => {
  const now = 'def save(store, k):\n    store.put(k)\n';
  assert.equal(
    textOf(await replayed('job.py', now, 'def save(store, k):\n    store.put(k, 0)\n', 'save')),
    'def save(store, k):\n    store.put(k, 0)',
  );
  assert.equal(textOf(await replayed('job.py', now, now.replaceAll('\n', '\r\n'), 'save')), 'noChange');
  const gone = await replayed('job.py', now, now, 'load');
  assert.ok(gone.kind === 'cannot');
  assert.match(gone.reason, /no load in job\.py/);
});

test('a block that the target has not is deleted, one of another name comes back under it', async () => {
  const now = 'def save(k):\n    return put(k, 1, 2, 3)\n\ndef old(k):\n    for x in k:\n        x.run(1)\n';
  assert.equal(textOf(await replayed('job.py', now, 'def save(k):\n    return put(k, 1, 2, 3)\n', 'old')), 'delete');
  const renamed = await replayed('job.py', now, now.replace('save', 'store'), 'save');
  assert.ok(renamed.kind === 'edit');
  assert.equal(renamed.name, 'store');
});

test('new imports and the fields that a member names ride along with it', async () => {
  const now = 'class Job {\n    void Run() {\n        Console.WriteLine(1);\n    }\n}\n';
  const target =
    'using Xunit;\nclass Job {\n    private readonly Output _output;\n    private int _other;\n    Job(Output output) { _output = output; }\n    void Run() {\n        _output.WriteLine(1);\n    }\n}\n';
  assert.equal(
    textOf(await replayed('Job.cs', now, target, 'Job.Run')),
    'using Xunit;\n    private readonly Output _output;\n\n    void Run() {\n        _output.WriteLine(1);\n    }',
  );
});

test('overloads are paired with their like', async () => {
  const now = 'class Env {\n    Env(long a) {}\n    Env(bool b) {}\n    Env() {}\n}\n';
  const target = 'class Env {\n    Env(long a, Output o) {}\n    Env(bool b, Output o) {}\n    Env(Output o) {}\n}\n';
  assert.equal(textOf(await replayed('Env.cs', now, target, 'Env.<init>#2')), '    Env(bool b, Output o) {}');
});

test('a class takes the header and the members that it lacks, and keeps the others', async () => {
  const now = 'class Job : Base {\n    int a;\n    void Run() { One(); }\n}\n';
  const target =
    'class Job : Other {\n    int a;\n\n    // Makes one.\n    Job(int a) { this.a = a; }\n\n    void Run() { Two(); }\n}\n';
  assert.equal(
    textOf(await replayed('Job.cs', now, target, 'Job')),
    'class Job : Other {\n    int a;\n\n    // Makes one.\n    Job(int a) { this.a = a; }\n    void Run() { One(); }\n}',
  );
});

test('at module level only lines outside of blocks follow the target', async () => {
  const now = 'import a\n\ndef f():\n    return 1\n\na.run(1)\n';
  const target = 'import a\nimport b\n\ndef f():\n    return 2\n\na.run(b)\n';
  assert.equal(
    textOf(await replayed('m.py', now, target, '<module>')),
    'import a\nimport b\n\ndef f():\n    return 1\n\na.run(b)\n',
  );
});
