/** The command line as scripts see it: documents, exit codes, and nothing left behind. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { graphExport } from '#protocol/graph.js';
import { impactReport } from '#protocol/impact.js';
import { propagateReport } from '#protocol/propagate.js';
import { status } from '#protocol/status.js';
import { logReport, undoReport } from '#protocol/undo.js';
import { eventually } from '../support/eventually.js';
import { home } from '../support/program.js';
import { git, repository } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';

test('impact: 0 without a change, 1 with one that affects something, and one document', async (t) => {
  const { run, runtime } = home(t);
  const root = repository(t, SHOP);
  const before = await run(root, 'impact');
  assert.deepEqual([before.code, before.stdout], [0, 'Nothing changed since HEAD.\n'], before.stderr);
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const text = await run(root, 'impact');
  assert.equal(text.code, 1);
  assert.match(text.stdout, /^ {2}job\.py:5: save {2}breaks – .+$/mu);
  assert.doesNotMatch(text.stdout, /log\.py|\u001b/u);
  const json = await run(root, 'impact', '--json');
  const report = impactReport.parse(JSON.parse(json.stdout));
  assert.deepEqual(
    report.affected.map(({ file, block }) => `${file} ${block}`),
    ['job.py save', 'report.py report'],
  );
  assert.equal(report.changes[0]?.startLine, 2);
  assert.equal(report.affected[1]?.sites.length, 2);
  assert.equal(json.stderr, '');
  assert.deepEqual(readdirSync(runtime), ['codeplan'], 'a one-shot command starts no daemon');
  assert.deepEqual(readdirSync(join(runtime, 'codeplan')), []);
});

test('impact against a directory and against a revision, from a folder below the root', async (t) => {
  const { run } = home(t);
  const root = repository(t, { ...SHOP, 'sub/x.py': 'x = 1\n' });
  const old = temporaryFolder(t);
  writeFiles(old, { ...SHOP, 'sub/x.py': 'x = 1\n' });
  writeFiles(root, { 'store.py': RENAMED_STORE });
  git(root, 'commit', '-q', '-a', '-m', 'rename');
  for (const args of [
    ['--base', 'HEAD~1'],
    ['--base-dir', old],
  ]) {
    const { code, stdout, stderr } = await run(join(root, 'sub'), 'impact', '--json', ...args);
    assert.equal(code, 1, stderr);
    assert.equal(impactReport.parse(JSON.parse(stdout)).affected.length, 2);
  }
});

test('propagate shows, applies, logs, and undo gives the bytes back', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const shown = await run(root, 'propagate', '--json');
  assert.equal(shown.code, 1, shown.stderr);
  const plan = propagateReport.parse(JSON.parse(shown.stdout));
  assert.equal(plan.applied, false);
  assert.deepEqual(
    plan.steps.map((step) => step.file),
    ['job.py', 'report.py'],
  );
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), SHOP['job.py']);
  const applied = await run(root, 'propagate', '--apply', '--json');
  assert.equal(applied.code, 0, applied.stderr);
  const run1 = propagateReport.parse(JSON.parse(applied.stdout)).run;
  assert.equal(readFileSync(join(root, 'job.py'), 'utf8'), SHOP['job.py'].replace('store.put', 'store.insert'));
  const log = logReport.parse(JSON.parse((await run(root, 'log', '--json')).stdout));
  assert.deepEqual(
    log.entries.map((entry) => [entry.run, entry.state]),
    [[run1, 'applied']],
  );
  const undone = await run(root, 'undo', '--json');
  assert.equal(undone.code, 0, undone.stderr);
  assert.deepEqual(undoReport.parse(JSON.parse(undone.stdout)).files, ['job.py', 'report.py']);
  assert.equal(readFileSync(join(root, 'report.py'), 'utf8'), SHOP['report.py']);
  assert.equal((await run(root, 'undo')).code, 2, 'nothing is left to undo');
});

test('status and graph export', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  const seen = status.parse(JSON.parse((await run(root, 'status', '--json')).stdout));
  assert.deepEqual([seen.mode, seen.state, seen.files], ['in-process', 'ready', 4]);
  const target = join(temporaryFolder(t), 'graph.json');
  const exported = await run(root, 'graph', 'export', target);
  assert.equal(exported.code, 0, exported.stderr);
  const { edges } = graphExport.parse(JSON.parse(readFileSync(target, 'utf8')));
  assert.ok(edges.some(({ from, to, kind }) => from.block === 'save' && to.block === 'Store.put' && kind === 'call'));
  const piped = await run(root, 'graph', 'export', '-', '--confidence', 'certain');
  assert.ok(graphExport.parse(JSON.parse(piped.stdout)).edges.every((edge) => edge.confidence === 'certain'));
});

test('graph export has the calls that builtins make of what they are passed, which impact takes for uses', async (t) => {
  const { run } = home(t);
  const root = repository(t, {
    'jobs.py': 'def rank(job): ...\ndef run(jobs):\n    sorted(jobs, key=rank)\n    jobs.sort(key=rank)\n',
  });
  const { stdout } = await run(root, 'graph', 'export', '-');
  const kinds = graphExport
    .parse(JSON.parse(stdout))
    .edges.filter(({ from, to }) => from.block === 'run' && to.block === 'rank')
    .map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), ['call', 'use']);
});

test('a value is asked for by the name and by the key of each place, and one that nothing takes is told', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  writeFiles(root, { 'store.py': SHOP['store.py'].replace('ttl)', 'ttl, when)') });
  const asked = await run(root, 'propagate', '--no-daemon');
  assert.match(
    asked.stdout,
    /job\.py:\d+: save .+\(give --value when=<expression>, such as when; for this place alone --value 'when@job\.py:save=<expression>'\)/u,
  );
  assert.match(asked.stdout, /report\.py:\d+: report .+--value 'when@report\.py:report#put\.1=<expression>'/u);
  const given = await run(
    root,
    'propagate',
    '--no-daemon',
    '--json',
    '--value',
    'when=0',
    '--value',
    'when@report.py:report#put.2=9',
    '--value',
    'when@job.py:safe=1',
    '--value',
    'wen=2',
  );
  const report = propagateReport.parse(JSON.parse(given.stdout));
  assert.deepEqual(report.open, []);
  assert.match(
    report.steps.map(({ diff }) => diff).join(''),
    /^\+ {4}store\.put\(k, 1, 0\)[^]*^\+ {4}return \[store\.put\(1, 2, 0\), store\.put\(3, 4, 9\)\]/mu,
  );
  assert.deepEqual(report.problems.map(({ message }) => message).sort(), [
    'the value for wen was not used: no call needed wen',
    'the value for when@job.py:safe was not used: job.py has no block safe',
  ]);
});

test('wrong usage and failures end with 2 and say what to do', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  const cases: [string[], RegExp][] = [
    [['impakt'], /unknown command 'impakt'/u],
    [['impact', '--depth', '0'], /at least 1/u],
    [['impact', '--depth', '1', '--all'], /cannot be used with/u],
    [['impact', '--base', 'HEAD', '--base-dir', '.'], /cannot be used with/u],
    [['propagate', '--model', 'gpt'], /none, openai, or replay:<directory>/u],
    [['propagate', '--value', 'ttl'], /<name>=<expression>/u],
    [['propagate', '--value', '@job.py=60'], /timeout@src\/jobs\.py:Job\.run=30/u],
    [['propagate', '--value', 'ttl@=60'], /<name>=<expression>/u],
    [['impact', '--base', 'nowhere'], /nowhere is no commit .+name one as the base/u],
    [['impact', '--root', join(root, 'none')], /cannot read the root .+--root/u],
    [['impact', '--config', 'none.json'], /none\.json/u],
    [['undo', 'deadbeef'], /deadbeef/u],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await run(root, ...args);
    assert.equal(code, 2, `${args.join(' ')}: ${stdout}`);
    assert.match(stderr, message);
    assert.equal(stdout, '');
    assert.doesNotMatch(stderr, /\n {4}at /u, 'a refusal shows no stack');
  }
  // Before anything is read: a home folder, by mistake, would take minutes.
  const plain = temporaryFolder(t);
  for (const command of ['impact', 'propagate']) {
    const { code, stderr } = await run(plain, command);
    assert.equal(code, 2, command);
    assert.match(stderr, /is not in a git work tree, .+--base-dir/u);
  }
  assert.equal((await run(root, '--help')).code, 0);
  assert.equal((await run(root, '--version')).code, 0);
});

test('an interrupted command ends with 130', async (t) => {
  const root = repository(t, SHOP);
  const folder = temporaryFolder(t);
  const began = join(folder, 'began');
  // A git that never lists the files holds the command in the middle of its work until the signal comes.
  const path = process.env['PATH'] ?? '';
  writeFiles(folder, {
    'bin/git': `#!/bin/sh
case " $* " in *" ls-files "*) : > '${began}'; exec ${process.execPath} -e 'setInterval(() => 0, 1000)';; esac
PATH='${path}' exec git "$@"
`,
  });
  chmodSync(join(folder, 'bin/git'), 0o755);
  const child = home(t, { PATH: `${join(folder, 'bin')}:${path}` }).start(root, 'impact', '--no-daemon');
  await eventually('the question to git', () => existsSync(began) || undefined);
  child.kill('SIGINT');
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 130);
});

test("trust: a repository's commands count only after they were allowed, and only as they are", async (t) => {
  const { run } = home(t);
  const root = repository(t, { ...SHOP, 'codeplan.json': '{ "oracle": { "preset": "pyright" } }\n' });
  const trusted = async (): Promise<unknown> =>
    status.parse(JSON.parse((await run(root, 'status', '--json')).stdout)).trusted;
  assert.equal(await trusted(), false);
  const shown = await run(root, 'trust', '--show');
  assert.match(shown.stdout, /pyright[^]+not trusted/u);
  assert.equal(await trusted(), false);
  assert.equal((await run(root, 'trust')).code, 2, 'without a terminal silence is no consent');
  assert.equal(await trusted(), false);
  assert.equal((await run(root, 'trust', '--yes')).code, 0);
  assert.equal(await trusted(), true);
  writeFiles(root, { 'codeplan.json': '{ "oracle": { "preset": "mypy" } }\n' });
  assert.equal(await trusted(), false);
  assert.equal((await run(root, 'trust', '--json', '--yes')).code, 0);
  assert.equal(await trusted(), true);
  await run(root, 'trust', '--withdraw');
  assert.equal(await trusted(), false);
});

test('what could not be read is named, and is no "nothing": exit code 1', async (t) => {
  const { run } = home(t);
  const root = repository(t, {
    ...SHOP,
    'deep.py': `x = ${'('.repeat(600)}1${')'.repeat(600)}\n`,
    'large.py': `# ${'x'.repeat(2_100_000)}\n`,
  });
  const unread =
    /^problem {2}deep\.py:1: .*nested.*\n[^]*^problem {2}large\.py: .*larger|^problem {2}large\.py: .*\n[^]*^problem {2}deep\.py:1: /mu;
  const still = await run(root, 'impact');
  assert.equal(still.code, 1, still.stderr);
  assert.match(still.stdout, unread);
  assert.match(still.stdout, /No change since HEAD is known; not everything could be read\./u);
  // A change that nothing follows from, as far as is known.
  writeFiles(root, { 'log.py': `${SHOP['log.py']}\n\ndef alone():\n    return 1\n` });
  const impact = await run(root, 'impact');
  assert.equal(impact.code, 1, impact.stderr);
  assert.match(impact.stdout, unread);
  assert.doesNotMatch(impact.stdout, /nothing else is affected/u);
  assert.match(impact.stdout, /no block is known to be affected/u);
  const plan = await run(root, 'propagate', '--json');
  assert.equal(plan.code, 1, plan.stderr);
  assert.equal(propagateReport.parse(JSON.parse(plan.stdout)).complete, false);
  const refs = await run(root, 'graph', 'refs', 'Store.put');
  assert.equal(refs.code, 1, refs.stderr);
  assert.match(refs.stdout, unread);
  assert.match(refs.stdout, /What could not be read \(above\) may hold more\./u);
  const { stdout } = await run(root, 'graph', 'export', '-');
  assert.equal(graphExport.parse(JSON.parse(stdout)).complete, false);
  // Once it is left out on purpose, nothing is unread.
  writeFiles(root, { '.codeplanignore': 'deep.py\nlarge.py\n' });
  const left = await run(root, 'impact');
  assert.deepEqual([left.code, /nothing else is affected/u.test(left.stdout)], [0, true], left.stdout);
});

test('--send-anyway with a fingerprint that stands for nothing is refused', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const { code, stderr } = await run(root, 'propagate', '--send-anyway', 'jwt:0123456789abcdef');
  assert.equal(code, 2);
  assert.match(stderr, /nothing of this repository was held back as jwt:0123456789abcdef/u);
});
