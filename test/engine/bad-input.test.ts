/** What comes from outside and is wrong, seen from a whole run: each gets a reason, and nothing of the rest is lost. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { json, modelServer, piece, streams, type Turn } from '../support/model-server.js';
import { home } from '../support/program.js';
import { trustRepository } from '../support/trusted.js';

const FILES = {
  'base.py': 'class Base:\n    def stop(self, now):\n        return now\n',
  'sub.py': 'from base import Base\n\n\nclass Sub(Base):\n    def stop(self, now):\n        return 1\n',
  'job.py': 'from base import Base\n\n\ndef run(base: Base):\n    base.stop(2)\n',
  'name.py': 'from base import Base\n\n\ndef name():\n    return Base.__name__\n',
};
/** Renamed, so that rules have work, and one parameter more, which only a model can give. */
const EDITED = { 'base.py': FILES['base.py'].replace('stop(self, now)', 'halt(self, now, why)') };
const call: Call = { signal: new AbortController().signal, progress: () => undefined };

interface Ran {
  readonly report: PropagateReport;
  readonly root: string;
  readonly prompts: readonly string[];
}

async function ran(
  t: TestContext,
  params: PropagateParams,
  settings: object,
  turns: readonly Turn[],
  edited: Readonly<Record<string, string>> = EDITED,
): Promise<Ran> {
  const root = repository(t, FILES);
  for (const [file, text] of Object.entries(edited)) writeFileSync(join(root, file), text);
  const server = await modelServer(...turns);
  t.after(() => server.close());
  const { environment } = home(t, turns.length === 0 ? {} : { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
  const folder = join(environment['XDG_CONFIG_HOME'] as string, 'codeplan');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  await trustRepository(root, environment);
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const report = await engine
    .connect({ id: '1', name: 'a test', workingDirectory: root, environment })
    .propagate({ apply: true, parallel: 1, ...params }, call);
  return { report, root, prompts: server.asked.map(({ body }) => JSON.stringify(body)) };
}

const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const reasons = (report: PropagateReport): string =>
  [...report.open.map((place) => place.reason), ...report.problems.map(({ message }) => message)].join('\n');

test('an endpoint that talks nonsense leaves the steps open, and what rules did is written', async (t) => {
  const cases: [Turn, RegExp][] = [
    [streams(['data: {"choices": 7}\n\n'], 'end'), /not part of a chat completion/],
    [streams(['data: \u0000\u0001 not json\n\n'], 'end'), /./],
    [json(200, '<html>Welcome</html>', { 'content-type': 'text/html' }), /./],
    [says('```\ndef run(base: Base:\n    base.halt(2\n```'), /would not parse/],
    [says('```\nclass Base:\n    pass\n```'), /does not declare run/],
  ];
  for (const [turn, reason] of cases) {
    const { report, root } = await ran(t, { oracle: false }, { model: { retries: 0 } }, [turn]);
    assert.match(reasons(report), reason);
    assert.ok(
      report.open.some((place) => place.block === 'run'),
      'the step is open',
    );
    assert.match(readFileSync(join(root, 'job.py'), 'utf8'), /base\.halt\(2\)/, 'the rewrite stands');
  }
});

test('an endpoint that is down ends the run, which can go on', async (t) => {
  const { report } = await ran(
    t,
    { oracle: false },
    { model: { retries: 0, baseUrl: 'http://127.0.0.1:9/v1', model: 'm' } },
    [],
  );
  assert.match(reasons(report), /asked model m at 127\.0\.0\.1:9/);
  assert.match(report.resume ?? '', /^codeplan propagate --resume /);
});

const node = (script: string): object => ({
  command: [process.execPath, '-e', script],
  pattern: '^(?<file>[^:]+):(?<line>\\d+): (?<message>.*)$',
  timeoutSeconds: 2,
});

test('an oracle that is missing, hangs, prints without end or fails is unknown, never clean', async (t) => {
  const cases: [object, RegExp][] = [
    [{ command: ['no-such-checker'], pattern: 'tsc' }, /not installed/],
    [node('setInterval(() => 0, 1000)'), /did not finish within 2 s/],
    [node("const line = 'x'.repeat(1e6); for (;;) require('fs').writeSync(1, line)"), /wrote more than|did not finish/],
    [node("console.error('out of memory'); process.exit(9)"), /ended with code 9[^]*out of memory/],
  ];
  for (const [oracle, message] of cases) {
    const { report, root } = await ran(t, { model: 'none' }, { oracle }, []);
    assert.deepEqual([report.oracle?.after, report.oracle?.new], [null, []]);
    assert.match(report.oracle?.message ?? '', message);
    assert.match(readFileSync(join(root, 'job.py'), 'utf8'), /base\.halt\(2\)/);
  }
});

test('an oracle that fails before the plan and not after it gives no verdict on what is new', async (t) => {
  const { report } = await ran(
    t,
    { model: 'none' },
    {
      oracle: node(
        "const text = require('fs').readFileSync('base.py', 'utf8'); if (text.includes('stop')) process.exit(3); console.log('job.py:5: missing why')",
      ),
    },
    [],
  );
  assert.deepEqual([report.oracle?.baseline, report.oracle?.after, report.oracle?.new], [null, 1, []]);
  assert.match(report.oracle?.message ?? '', /ended with code 3/);
});

test('what the oracle finds is asked with all that changed and both sides of an override, until nothing is new', async (t) => {
  const checker = node(
    "const text = require('fs').readFileSync('sub.py', 'utf8'); if (text.includes('return 1')) { console.log('sub.py:6: wrong type'); process.exit(1); }",
  );
  const edited = { 'base.py': FILES['base.py'].replace('return now', 'return now + 1') };
  const fixed = says('```\n    def stop(self, now):\n        return 2\n```');
  const { report, root, prompts } = await ran(t, { repairOnly: true }, { oracle: checker }, [fixed], edited);
  assert.equal(report.oracle?.baseline, 1, "it was there before, so it is nobody's business");
  assert.equal(prompts.length, 0);
  const other = node(
    "const { readFileSync } = require('fs'); if (readFileSync('base.py', 'utf8').includes('+ 1') && readFileSync('sub.py', 'utf8').includes('return 1')) { console.log('sub.py:6: wrong type'); process.exit(1); }",
  );
  const second = await ran(t, { repairOnly: true }, { oracle: other }, [fixed], edited);
  assert.deepEqual([second.report.oracle?.new, second.report.iterations, second.prompts.length], [[], 2, 1]);
  assert.match(second.prompts[0] ?? '', /A check reports: wrong type/);
  assert.match(second.prompts[0] ?? '', /# Edits so far[^]*now/);
  assert.match(second.prompts[0] ?? '', /Base\.stop in base\.py:[^]*return now \+ 1/);
  assert.match(readFileSync(join(second.root, 'sub.py'), 'utf8'), /return 2/);
  assert.equal(report.applied, false);
  assert.match(readFileSync(join(root, 'sub.py'), 'utf8'), /return 1/);
});
