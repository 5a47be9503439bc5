/**
 * Answers of models in every shape that was seen to go wrong, through a real server: what is written, and what is asked
 * again.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { modelServer, piece, streams } from '../support/model-server.js';
import { home } from '../support/program.js';

const call: Call = { signal: new AbortController().signal, progress: () => undefined };

const JOB = `from store import put


class Job:
    def run(self, key):
        first = key
        second = first
        put(key)
        return second

    def stop(self):
        return None
`;
const FILES = { 'store.py': 'def put(key):\n    return key\n', 'job.py': JOB };
const RUN = JOB.slice(JOB.indexOf('    def run'), JOB.indexOf('\n    def stop'));
const MENDED = RUN.replace('put(key)', 'put(key, 60)');

interface Ran {
  readonly report: PropagateReport;
  readonly text: string;
  readonly prompts: readonly string[];
}

/** `put` gains a parameter that only a model can give; the answers come in order, the last one is repeated. */
const answered = (t: TestContext, ...answers: readonly string[]): Promise<Ran> => answeredIn(t, JOB, answers);

/** The same with another text in the file that follows. */
const answeredIn = (t: TestContext, job: string, answers: readonly string[]): Promise<Ran> =>
  answeredAfter(t, { ...FILES, 'job.py': job }, { file: 'store.py', text: PUT_WITH_TTL }, answers);

const PUT_WITH_TTL = 'def put(key, ttl):\n    return key + ttl\n';

/** After an edit of one file; `text` is that of the file that follows. */
async function answeredAfter(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  edit: { readonly file: string; readonly text: string } | undefined,
  answers: readonly string[],
  params: PropagateParams = {},
): Promise<Ran> {
  const root = repository(t, files);
  if (edit !== undefined) writeFileSync(join(root, edit.file), edit.text);
  const server = await modelServer(...answers.map((answer) => streams([piece(answer), piece('', 'stop')], 'end')));
  t.after(() => server.close());
  const { environment } = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const report = await engine
    .connect({ id: '1', name: 'a test', workingDirectory: root, environment })
    .propagate({ apply: true, parallel: 1, oracle: false, ...params }, call);
  return {
    report,
    text: readFileSync(join(root, Object.keys(files).at(-1) ?? ''), 'utf8'),
    prompts: server.asked.map(({ body }) => JSON.stringify(body)),
  };
}

const fenced = (text: string): string => `\`\`\`python\n${text}\n\`\`\``;
const place = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;
const WANTED = JOB.replace(RUN, MENDED);

/** What is used as it is: one question. */
const USED: Readonly<Record<string, { readonly answer: string; readonly text: string }>> = {
  'the whole block': { answer: fenced(MENDED), text: WANTED },
  'a class around the one method': { answer: fenced(`class Job:\n${MENDED}`), text: WANTED },
  'changed places': { answer: fenced(place('        put(key)', '        put(key, 60)')), text: WANTED },
  'changed places without a fence, at another indentation': { answer: place('put(key)', 'put(key, 60)'), text: WANTED },
  'changed places with an import': {
    answer: fenced(`import os\n${place('put(key)', 'put(key, os.getpid())')}`),
    text: WANTED.replace('60', 'os.getpid()').replace('put\n', 'put\nimport os\n'),
  },
};

test('shapes that can be used are used at once', async (t) => {
  for (const [shape, { answer, text }] of Object.entries(USED)) {
    const ran = await answered(t, answer);
    assert.equal(ran.text, text, shape);
    assert.equal(ran.prompts.length, 1, shape);
    assert.deepEqual(ran.report.open, [], shape);
  }
});

/** What is refused: why, in the next question. */
const REFUSED: Readonly<Record<string, { readonly answer: string; readonly reason: RegExp }>> = {
  'code that is left out in a comment': {
    answer: fenced('    def run(self, key):\n        put(key, 60)\n        # ... rest of the method unchanged'),
    reason: /leaves code out where it says/,
  },
  'an indentation that fits nothing': {
    answer: fenced('def run(self, key):\n    put(key, 60)\n  return key'),
    reason: /holds code outside of Job\.run/,
  },
  'an import and a helper at the margin, then the method at its indentation': {
    answer: fenced(`import os\n\ndef helper():\n    return os.getpid()\n\n${MENDED}`),
    reason: /the indentation fits no block/,
  },
  'a second method with the same signature': {
    answer: fenced(`${MENDED}\n    def stop(self):\n        return 1`),
    reason: /defines Job\.stop again/,
  },
  'code beside the block': { answer: fenced(`print(1)\n${MENDED}`), reason: /holds code outside of|does not declare/ },
  'a diff': {
    answer: fenced('@@ -1,2 +1,2 @@\n-        put(key)\n+        put(key, 60)'),
    reason: /is a diff; write the whole block/,
  },
  'two different blocks': { answer: `${fenced(MENDED)}\n${fenced('x = 1')}`, reason: /2 different code blocks/ },
  'words alone': { answer: 'You should pass a number.', reason: /holds no code block/ },
  'an unclosed block': { answer: `\`\`\`python\n${MENDED}`, reason: /not closed/ },
  'an empty block': { answer: '```\n\n```', reason: /empty; to remove the fragment/ },
  'another method': { answer: fenced('    def halt(self):\n        return 1'), reason: /does not declare Job\.run/ },
  'a place that is not there': {
    answer: place('        get(key)', '        put(key, 1)'),
    reason: /are not in the fragment/,
  },
  'a place that is not closed': {
    answer: fenced('<<<<<<< SEARCH\n        put(key)\n=======\n'),
    reason: /not closed by a line/,
  },
};

test('shapes that cannot be used are asked for again with the reason, and change nothing before', async (t) => {
  for (const [shape, { answer, reason }] of Object.entries(REFUSED)) {
    const ran = await answered(t, answer, fenced(MENDED));
    assert.equal(ran.text, WANTED, shape);
    assert.equal(ran.prompts.length, 2, shape);
    assert.match(ran.prompts[1] ?? '', reason, shape);
    assert.match(ran.prompts[1] ?? '', /Your previous answer could not be used/, shape);
    const never = await answered(t, answer);
    assert.equal(never.text, JOB, shape);
    assert.match(never.report.open[0]?.reason ?? '', reason, shape);
  }
});

test('a second constructor that takes what another takes is asked for again', async (t) => {
  const box =
    'public class Box\n{\n    private readonly int size;\n\n    public Box(int size)\n    {\n        this.size = size;\n    }\n}\n';
  const block = box.trimEnd();
  const twice = block.replace(/\n\}$/, '\n\n    public Box(int length)\n    {\n        size = length;\n    }\n}');
  const other = twice.replace('int length', 'long length').replace('= length', '= (int)length');
  const task: PropagateParams = { instruction: 'Let a Box be made of a long.', blocks: ['Box.cs:Box'] };
  const { text, prompts } = await answeredAfter(t, { 'Box.cs': box }, undefined, [fenced(twice), fenced(other)], task);
  assert.equal(prompts.length, 2);
  assert.match(prompts[1] ?? '', /Your previous answer could not be used: .*again/);
  assert.equal(text, `${other}\n`);
  const fit =
    '    static Box() { }\n\n    public override string ToString() => "box";\n\n' +
    '    int System.IComparable.CompareTo(object other) => 0;\n\n    public int CompareTo(object other) => 1;\n\n' +
    '    public static implicit operator int(Box box) => 1;\n\n    public static explicit operator long(Box box) => 1;\n\n' +
    '    public static explicit operator short(Box box) => 1;\n\n    public Box() { }\n}';
  const wide = block.replace(/\}$/, `\n${fit}`);
  const fine = await answeredAfter(t, { 'Box.cs': box }, undefined, [fenced(wide)], task);
  assert.deepEqual([fine.prompts.length, fine.text], [1, `${wide}\n`]);
});

test('no changes where a call certainly breaks leaves it open, in any form that it is said', async (t) => {
  for (const answer of ['No changes.', 'No changes', 'No changes. The call is fine.', fenced('No changes.')]) {
    const { report, text, prompts } = await answered(t, answer);
    assert.deepEqual([text, prompts.length], [JOB, 1], answer);
    assert.ok(report.open.length > 0, answer);
  }
});

test('a block can be removed, and what used it follows', async (t) => {
  const { text } = await answered(t, 'Delete.', 'No changes.');
  assert.equal(text, 'from store import put\n\n\nclass Job:\n    def stop(self):\n        return None\n');
});

test('lines that an answer leaves as they are keep their endings where a file has both', async (t) => {
  const mixed = JOB.replace('first = key\n', 'first = key\r\n').replace('return None\n', 'return None\r\n');
  const { text } = await answeredIn(t, mixed, [fenced(MENDED)]);
  assert.equal(text, mixed.replace('put(key)', 'put(key, 60)'));
});

test('a placeholder for a password is no secret: the question is asked', async (t) => {
  const address = '        second = "https://user:pass@example.com/"\n';
  const job = JOB.replace('        second = first\n', address);
  const { text, prompts } = await answeredIn(t, job, [fenced(MENDED.replace('        second = first\n', address))]);
  assert.equal(prompts.length, 1);
  assert.match(prompts[0] ?? '', /user:pass@example\.com/);
  assert.equal(text, job.replace('put(key)', 'put(key, 60)'));
});

test('a class that comes back without its members is asked for again; said twice, it is meant', async (t) => {
  const task: PropagateParams = { instruction: 'Let Job count its runs.', blocks: ['job.py:Job'] };
  const lossy = fenced('class Job:\n    count = 0\n\n    def run(self, key):\n        put(key)');
  const whole = JOB.slice(JOB.indexOf('class Job'));
  const counting = whole.replace('class Job:\n', 'class Job:\n    count = 0\n\n').trimEnd();
  const mended = await answeredAfter(t, FILES, undefined, [lossy, fenced(counting)], task);
  assert.equal(mended.prompts.length, 2);
  assert.match(mended.prompts[1] ?? '', /Your previous answer could not be used: .*stop/);
  assert.match(mended.text, /def stop/);
  const meant = await answeredAfter(t, FILES, undefined, [lossy, lossy, 'No changes.'], task);
  assert.match(meant.prompts[2] ?? '', /one member less: stop is deleted/);
  assert.doesNotMatch(meant.text, /def stop/);
});

test('a call that fitted no overload before is not given an argument by rule: a model is asked', async (t) => {
  const env = 'public interface IOut {}\n\npublic class Env\n{\n    public Env(long timeout) { }\n}\n';
  const use =
    'public class Use\n{\n    private readonly IOut output;\n\n' +
    '    public Env Make(IOut output)\n    {\n        return new Env(output);\n    }\n}\n';
  const { text, prompts } = await answeredAfter(
    t,
    { 'Env.cs': env, 'Use.cs': use },
    { file: 'Env.cs', text: env.replace('long timeout', 'long timeout, IOut output') },
    [fenced('    public Env Make(IOut output)\n    {\n        return new Env(60, output);\n    }')],
  );
  assert.equal(prompts.length, 1);
  assert.match(prompts[0] ?? '', /return new Env\(output\);/);
  assert.equal(text, use.replace('new Env(output)', 'new Env(60, output)'));
});

test('after an answer that fails its check the model may look things up, once, if the run lets it', async (t) => {
  const files = { 'clock.py': 'def clock_now():\n    return 1\n', ...FILES };
  const edit = { file: 'store.py', text: PUT_WITH_TTL };
  const naked = fenced(RUN.replace('put(key)', 'put(key, clock_now())'));
  const right = fenced(`from clock import clock_now\n\n${RUN.replace('put(key)', 'put(key, clock_now())')}`);
  const answers = [naked, 'get_signature(method="clock_now")', right];
  const { text, prompts, report } = await answeredAfter(t, files, edit, answers, { toolsOnFailure: true });
  assert.equal(prompts.length, 3);
  assert.equal(report.usage.calls, 3);
  assert.match(prompts[1] ?? '', /it uses clock_now, which the file does not import/);
  assert.match(prompts[2] ?? '', /# What was looked up.*def clock_now\(\)/);
  assert.match(text, /from clock import clock_now/);
  assert.match(text, /put\(key, clock_now\(\)\)/);
  const without = await answeredAfter(t, files, edit, [naked]);
  assert.equal(without.prompts.length, 1);
  const broken = fenced('def run(self, key):\n    put(key, 60)\n  return key');
  const twice = await answeredAfter(t, files, edit, [broken, 'None.', broken, broken], { toolsOnFailure: true });
  assert.equal(twice.prompts.length, 4);
  assert.equal(twice.prompts.filter((prompt) => prompt.includes('Write no code yet')).length, 1);
  assert.equal(twice.text, JOB);
});
