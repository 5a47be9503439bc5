/**
 * What the commands print about a repository, a model and settings that want to command the terminal: no control
 * character but line feeds and tabs, no mark that reorders a line, and no line that a name made up.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { planLines } from '#src/cli/plan-text.js';
import { printerFor } from '#src/cli/print.js';
import { git, repository } from '../support/git-repository.js';
import { modelServer, piece, streams } from '../support/model-server.js';
import { home, type Outcome } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { writeFiles } from '../support/temporary-folder.js';

const UNSAFE = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Commands the terminal, begins a line of its own, and turns the rest around. */
const EVIL = 'x\u001b]0;taken\u0007\u001b[31m\nTook run 1 back.\n\u202e\u009b2J';
const QUOTED = 'x\\033]0;taken\\a\\033[31m\\nTook run 1 back.\\n\\342\\200\\256\\302\\2332J';
const WINDOWS = process.platform === 'win32' ? 'such names cannot be there' : false;

function safe(outcome: Outcome): Outcome {
  for (const text of [outcome.stdout, outcome.stderr]) {
    assert.doesNotMatch(text, UNSAFE);
    assert.doesNotMatch(text, /^Took run 1 back\.$/mu);
  }
  return outcome;
}

test('file names: impact, propagate, log, undo, status, doctor, graph and refusals', { skip: WINDOWS }, async (t) => {
  const { run } = home(t);
  const root = repository(t, {
    ...SHOP,
    [`${EVIL}.py`]: SHOP['job.py'],
    [`broken${EVIL}.py`]: 'def (:\n',
    'codeplan.json': '{"oracle": {"command": ["true", "\\u001b[2J\u202e"], "pattern": "tsc"}}',
  });
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const impact = safe(await run(root, 'impact', '--no-daemon'));
  assert.equal(impact.code, 1, impact.stderr);
  assert.ok(impact.stdout.includes(`  "${QUOTED}.py":5: save  breaks`), impact.stdout);
  safe(await run(root, 'status', '--no-daemon'));
  safe(await run(root, 'doctor'));
  safe(await run(root, 'trust', '--show'));
  safe(await run(root, 'graph', 'refs', 'Store.put', '--no-daemon'));
  safe(await run(root, 'graph', 'export', 'graph.json', '--no-daemon'));
  assert.doesNotMatch(readFileSync(join(root, 'graph.json'), 'utf8'), UNSAFE);
  rmSync(join(root, 'graph.json'));
  const unknown = safe(await run(root, 'graph', 'refs', `no${EVIL}.py:nothing`, '--no-daemon'));
  assert.equal(unknown.code, 2);
  safe(await run(root, 'propagate', `--${EVIL}`));
  safe(await run(root, 'impact', '--config', `${EVIL}.json`));
  safe(await run(root, 'impact', '--root', join(root, EVIL)));
  const applied = safe(await run(root, 'propagate', '--apply', '--no-oracle', '--no-daemon'));
  assert.ok(applied.stdout.includes(`--- "a/${QUOTED}.py"`), applied.stdout);
  assert.ok(readFileSync(join(root, `${EVIL}.py`), 'utf8').includes('store.insert(k, 1)'));
  safe(await run(root, 'log', '--no-daemon'));
  const undone = safe(await run(root, 'undo', '--no-daemon'));
  assert.ok(undone.stdout.includes(`\n  "${QUOTED}.py"\n`) || undone.stdout.startsWith(`  "${QUOTED}.py"\n`));
  writeFiles(root, { [`${EVIL}.py`]: `${SHOP['job.py']}\n` });
  const json = safe(await run(root, 'impact', '--json', '--no-daemon'));
  assert.ok(
    (JSON.parse(json.stdout) as { affected: { file: string }[] }).affected.some(({ file }) => file === `${EVIL}.py`),
  );
});

test('a folder with such a name as the root, and a daemon that serves it', { skip: WINDOWS }, async (t) => {
  const { run } = home(t);
  const root = join(repository(t, SHOP), EVIL);
  mkdirSync(root);
  git(root, 'init', '-q');
  writeFiles(root, SHOP);
  assert.equal(safe(await run(root, 'daemon', 'start')).code, 0);
  safe(await run(root, 'daemon', 'status'));
  safe(await run(root, 'graph', 'refs', 'nothing'));
  safe(await run(root, 'daemon', 'logs'));
  safe(await run(root, 'doctor'));
  assert.match(safe(await run(root, 'daemon', 'stop')).stdout, /^The daemon of ".+" \(process \d+\) has ended\.\n$/u);
});

test("a model's answer with escapes in its code and in its failure", async (t) => {
  const answers = [
    `\`\`\`python\ndef save(store: Store, k):\n    store.put(k, 1, '\u001b[2J\u202e')  # \u001b]0;taken\u0007\n\`\`\`\n`,
    '```python\n\u001b[2J\nTook run 1 back.\n\u202e is no code at all (\n```\n',
  ];
  for (const answer of answers) {
    const server = await modelServer(streams([piece(answer), piece('', 'stop')], 'end'));
    t.after(() => server.close());
    const { run } = home(t, { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' });
    const root = repository(t, SHOP);
    writeFileSync(join(root, 'store.py'), SHOP['store.py'].replace('ttl)', 'ttl, when)'));
    const outcome = safe(await run(root, 'propagate', '--model', 'openai', '--no-daemon'));
    assert.ok(server.asked.length > 0, outcome.stderr);
    if (answer === answers[0])
      assert.match(outcome.stdout, /^\+ {4}store\.put\(k, 1, '\[U\+001B\]\[2J\[U\+202E\]'\)/mu);
  }
});

test('settings that are wrong are quoted safely', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  for (const settings of ['{"\u001b[2J\u202e": 1}', '\u001b[2J {', '{"oracle": {"preset": "\u009b2J"}}']) {
    writeFiles(root, { 'codeplan.json': settings });
    safe(await run(root, 'impact', '--no-daemon'));
  }
});

const word = fc
  .array(
    fc.constantFrom('a', '\u001b[31m', '\u001b[0m', '\n', '\r', '\t', '\u202e', '\u009b', '"', "'", '\\', 'é', ';'),
  )
  .map((parts) => parts.join(''));

/** What a printer wrote, on a terminal or not. */
function printed(isTerminal: boolean, print: (printer: ReturnType<typeof printerFor>) => void): string {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: isTerminal });
  print(printerFor({ stdout: stream, stderr: stream, environment: {} }, false));
  return String(stream.read() ?? '');
}

const OWN = /\r?\u001b\[K|\u001b\[(?:0|1|2|31|32|33|36)m/gu;
const NO_USAGE = { calls: 0, promptTokens: 0, completionTokens: 0 };

test('whatever the documents hold, only our own colours get out, and no text can borrow one', () => {
  fc.assert(
    fc.property(fc.boolean(), word, word, word, (isTerminal, file, block, reason) => {
      const open = { file, block, reason, needs: 'value' as const, value: 'v', key: `v@${file}:${block}`, line: 1 };
      const problem = { file, line: 2, message: reason };
      const step = {
        ...{ id: 1, file, block, reason, diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${reason}\n+${block}\n` },
        ...{ how: 'model' as const, rule: block, status: 'proposed' as const, tier: 'breaks' as const, causes: [] },
      };
      const out = printed(isTerminal, (print) => {
        const plan = {
          ...{ schema: 1 as const, run: reason, applied: false, iterations: 1, steps: [step], open: [open] },
          ...{
            oracle: null,
            usage: NO_USAGE,
            complete: false,
            problems: [problem],
            undecided: [{ file, line: 3, reason }],
          },
        };
        for (const line of planLines(plan, print.paint)) print.line(line);
        print.note(reason);
        print.progress(reason);
        print.json({ [file]: reason });
      });
      assert.doesNotMatch(isTerminal ? out.replace(OWN, '') : out, UNSAFE);
      // A colour of a text would stand unbalanced beside ours.
      const colours = out.match(/\u001b\[\d+m/gu) ?? [];
      assert.deepEqual(
        colours.map((code) => code === '\u001b[0m'),
        colours.map((_, i) => i % 2 === 1),
      );
    }),
    { numRuns: 500 },
  );
});
