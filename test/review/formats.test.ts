/** An impact as a comment, annotations, SARIF: the sum first, what breaks before all, and no text that is obeyed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Affected, ImpactReport } from '#protocol/impact.js';
import { REVIEW_FORMATS } from '#src/review/formats.js';
import { ranked, sumsOf } from '#src/review/ranked.js';
import { programOnPath } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { sarifLog } from '../support/sarif-schema.js';
import { SHOP, RENAMED_STORE } from '../support/shop.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

function affected(n: number, more: Partial<Affected> = {}): Affected {
  const site = { startLine: n + 1, startColumn: 4, endLine: n + 1, endColumn: 9, fact: 'missing argument: unit' };
  const of = { tier: more.tier ?? 'breaks', confidence: more.confidence ?? 'certain' } as const;
  return {
    file: `src/file ${n % 40}.py`,
    block: `Job${n}.run`,
    kind: 'method',
    startLine: n + 1,
    endLine: n + 3,
    relation: 'CalledBy',
    depth: 1,
    cause: { file: 'store.py', block: 'Store.put', label: 'MMS' },
    rule: 'method-signature/callers',
    reason: `Job${n}.run calls method Store.put: the call lacks a value for unit.`,
    fact: 'missing argument: unit',
    sites: [{ ...site, ...of }],
    ...of,
    ...more,
  };
}

const report = (blocks: readonly Affected[], more: Partial<ImpactReport> = {}): ImpactReport => ({
  schema: 1,
  root: '/w',
  base: 'main',
  languages: ['python'],
  changes: [{ file: 'store.py', block: 'Store.put', kind: 'method', label: 'MMS', detail: {}, startLine: 2 }],
  affected: [...blocks],
  undecided: [],
  complete: true,
  problems: [],
  ...more,
});

const HOSTILE = 'a.py`|<script>\n::error::owned %0A,:';

test('what breaks for sure comes first, and the sums are of all', () => {
  const blocks = [
    affected(1, { tier: 'may' }),
    affected(2, { confidence: 'possible' }),
    affected(3),
    affected(4, { tier: 'may', confidence: 'possible' }),
  ];
  assert.deepEqual(
    ranked(blocks).map(({ block }) => block),
    ['Job3.run', 'Job2.run', 'Job1.run', 'Job4.run'],
  );
  const { all, possible } = sumsOf(report(blocks));
  assert.deepEqual([all.breaks, all.may, possible], [2, 2, 2]);
});

test('a comment of five hundred blocks is a screen, counts all, and holds no text that is markup', () => {
  const many = report(Array.from({ length: 500 }, (_, n) => affected(n)));
  const text = REVIEW_FORMATS.markdown(many);
  const open = text.replace(/<details>[^]*?<\/details>/gu, '<details/>').split('\n');
  assert.ok(open.length <= 60, `${open.length} lines stand open`);
  assert.ok(text.length < 65_536);
  assert.match(text, /^### codeplan: outside of these changes 500 break, in 40 files\n/);
  assert.match(text, /… and 25 more files: \d+ break\n/);
  const hostile = report([affected(1, { file: HOSTILE, block: HOSTILE, fact: HOSTILE })], {
    undecided: [{ file: HOSTILE, line: 1, reason: HOSTILE }],
  });
  const outside = REVIEW_FORMATS.markdown(hostile).replace(/(`+)[^`](?:[^]*?[^`])?\1(?!`)/gu, '');
  assert.doesNotMatch(outside, /script|owned/u);
});

test('annotations escape what the runner would obey, and the worst are first', () => {
  const text = REVIEW_FORMATS.github(
    report([affected(1, { tier: 'may' }), affected(2, { file: HOSTILE, reason: HOSTILE, fact: HOSTILE })]),
  );
  const lines = text.trimEnd().split('\n');
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? '', /^::error file=a\.py`\|<script> %3A%3Aerror%3A%3Aowned %250A%2C%3A,line=3,/);
  assert.match(lines[1] ?? '', /^::notice file=src\/file 1\.py,line=2,endLine=2,col=5,endColumn=10,title=/);
  assert.equal(lines[2], 'codeplan: 1 breaks, 1 may have to follow, in 2 files');
});

test('SARIF is as its specification says, also of what is undecided or could not be read', () => {
  const document = sarifLog.parse(
    JSON.parse(
      REVIEW_FORMATS.sarif(
        report([affected(1), affected(2, { tier: 'may', sites: [], file: 'ä b#?.py' })], {
          undecided: [{ file: 'x.py', line: 3, reason: 'getattr' }],
          complete: false,
          problems: [{ file: 'y.py', message: 'cannot be read' }, { message: 'whole' }],
        }),
        '1.2.3',
      ),
    ),
  );
  const [run] = document.runs;
  assert.deepEqual(
    run?.results.map(({ level, kind }) => [level, kind]),
    [
      ['error', undefined],
      ['note', undefined],
      ['none', 'open'],
    ],
  );
  assert.equal(run?.results[0]?.locations[0]?.physicalLocation.region?.startColumn, 5);
  assert.equal(run?.results[1]?.locations[0]?.physicalLocation.artifactLocation.uri, '%C3%A4%20b%23%3F.py');
  assert.equal(run?.invocations[0]?.executionSuccessful, false);
});

test('on the command line: the forms, sums, a limit, and what fails', async (t) => {
  const root = repository(t, { ...SHOP, 'loose.py': 'def loose(x):\n    return x.put(1, 2)\n' });
  const { run } = home(t);
  assert.deepEqual(
    (await run(root, 'impact', '--format', 'github')).stdout,
    'codeplan: nothing else is known to be affected\n',
  );
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const comment = await run(root, 'impact', '--format', 'markdown', '--fail-on', 'never');
  assert.equal(comment.code, 0);
  assert.match(comment.stdout, /^### codeplan: outside of these changes /);
  const sarif = await run(root, 'impact', '--format', 'sarif', '--fail-on', 'breaks');
  assert.equal(sarif.code, 1);
  assert.ok(sarifLog.parse(JSON.parse(sarif.stdout)).runs[0]?.results.length === 3);
  assert.match(
    (await run(root, 'impact', '--stat')).stdout,
    /^by change\n {2}3 {2}store\.py: Store\.insert: [^]*by file\n/,
  );
  const cut = await run(root, 'impact', '--limit', '1');
  assert.match(cut.stdout, /job\.py:5: save[^]*… 2 more blocks \(--limit shows more\)[^]*by what is wrong\n/);
  writeFiles(root, { 'store.py': SHOP['store.py'], 'job.py': SHOP['job.py'].replace('k, 1', '1, k') });
  assert.equal((await run(root, 'impact', '--fail-on', 'breaks')).code, 0, 'nothing breaks');
  assert.match((await run(root, 'impact', '--format', 'junit')).stderr, /Allowed choices are markdown, sarif, github/);
  assert.equal((await run(root, 'impact', '--format', 'sarif', '--json')).code, 2);
});

test('the hook of git that comes with it lets no commit pass that breaks something', (t) => {
  const root = repository(t, SHOP);
  const { environment } = home(t);
  copyFileSync(
    fileURLToPath(new URL('../../../docs/ci/pre-commit', import.meta.url)),
    join(root, '.git/hooks/pre-commit'),
  );
  const commit = (how = '-qam'): { status: number | null; stderr: string } =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', how, 'x'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...environment, ...programOnPath(temporaryFolder(t)) },
    });
  writeFiles(root, { 'store.py': RENAMED_STORE });
  const refused = commit();
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /job\.py:5: save/);
  const mended = SHOP['job.py'].replace('.put(', '.insert(');
  writeFiles(root, { 'job.py': mended, 'report.py': SHOP['report.py'].replaceAll('.put(', '.insert(') });
  spawnSync('git', ['add', 'store.py', 'report.py'], { cwd: root });
  const inPart = commit('-qm');
  assert.equal(inPart.status, 1, 'what mends it is not committed with it');
  assert.match(inPart.stderr, /job\.py:5: save/);
  spawnSync('git', ['reset', '-q'], { cwd: root });
  writeFiles(root, { 'job.py': SHOP['job.py'], 'report.py': SHOP['report.py'] });
  writeFiles(root, { 'store.py': SHOP['store.py'], 'log.py': `${SHOP['log.py']}\n# more\n` });
  const passed = commit();
  assert.equal(passed.status, 0, passed.stderr);
  assert.equal(passed.stderr, '', 'and says nothing then');
});

test('the hook of git before a push looks at what is pushed, whatever lies there', (t) => {
  const root = repository(t, SHOP);
  const remote = temporaryFolder(t);
  const { environment } = home(t);
  const env = { ...environment, ...programOnPath(temporaryFolder(t)) };
  const git = (...args: string[]): { status: number | null; stderr: string } =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: root, encoding: 'utf8', env });
  git('init', '-q', '--bare', remote);
  git('push', '-q', remote, 'HEAD:main');
  copyFileSync(fileURLToPath(new URL('../../../docs/ci/pre-push', import.meta.url)), join(root, '.git/hooks/pre-push'));
  writeFiles(root, { 'store.py': RENAMED_STORE });
  git('commit', '-qam', 'breaks');
  for (const branch of ['main', 'another']) {
    const refused = git('push', '-q', remote, `HEAD:${branch}`);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /job\.py:5: save/);
  }
  const mend = Object.entries(SHOP).filter(([name]) => name === 'job.py' || name === 'report.py');
  writeFiles(root, Object.fromEntries(mend.map(([name, text]) => [name, text.replaceAll('.put(', '.insert(')])));
  assert.equal(git('push', '-q', remote, 'HEAD:main').status, 1, 'what mends it is not committed');
  git('commit', '-qam', 'mends');
  const pushed = git('push', '-q', remote, 'HEAD:main');
  assert.equal(pushed.status, 0, pushed.stderr);
  for (const branch of ['HEAD:other', ':other'])
    assert.equal(git('push', '-q', remote, branch).status, 0, 'a branch that comes and goes');
});
