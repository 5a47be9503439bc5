/** `codeplan refactor` as scripts see it: the document, the files, what is written and given back, refusals. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { propagateReport } from '#protocol/propagate.js';
import { git, repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';
import { writeFiles } from '../support/temporary-folder.js';

test('refactor rename shows the seed and what follows, writes nothing, then writes both, and undo gives all back', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  const shown = await run(root, 'refactor', 'rename', 'store.py:Store.put', 'insert', '--json');
  assert.equal(shown.code, 1, shown.stderr);
  const plan = propagateReport.parse(JSON.parse(shown.stdout));
  assert.deepEqual(
    plan.steps.map(({ id, file, how, status }) => [id, file, how, status]),
    [
      [0, 'store.py', 'seed', 'proposed'],
      [1, 'job.py', 'mechanical', 'proposed'],
      [2, 'report.py', 'mechanical', 'proposed'],
    ],
  );
  assert.equal(git(root, 'status', '--porcelain').trim(), '');
  const applied = await run(root, 'refactor', 'rename', 'store.py:Store.put', 'insert', '--apply');
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stdout, /3 edits applied, nothing is open/u);
  assert.match(readFileSync(join(root, 'store.py'), 'utf8'), /def insert/u);
  assert.match(readFileSync(join(root, 'job.py'), 'utf8'), /store\.insert\(k, 1\)/u);
  assert.match((await run(root, 'log')).stdout, /rename Store\.put to insert/u);
  assert.equal((await run(root, 'undo')).code, 0);
  assert.equal(git(root, 'status', '--porcelain').trim(), '');
});

test('refactor measures against what is there, whatever was edited before', async (t) => {
  const { run } = home(t);
  const edited = { ...SHOP, 'report.py': `${SHOP['report.py']}\n\nMOST = 3\n` };
  const root = repository(t, SHOP);
  writeFiles(root, edited);
  const { code, stderr } = await run(root, 'refactor', 'rename', 'report.py:MOST', 'LIMIT', '--apply', '--json');
  assert.equal(code, 0, stderr);
  assert.match(readFileSync(join(root, 'report.py'), 'utf8'), /LIMIT = 3/u);
});

test('what earlier edits left is said behind the sum, since the plan is of the refactoring alone', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  writeFiles(root, { ...SHOP, 'store.py': SHOP['store.py'].replace('ttl)', 'ttl, when)') });
  const { code, stdout } = await run(root, 'refactor', 'rename', 'log.py:write', 'note', '--apply');
  assert.equal(code, 0);
  assert.match(stdout, /applied, nothing is open\. .*\nIn all, earlier edits included: 2 blocks left \(2 break\)/u);
});

test('files come, move and go with a refactoring, and undo brings them back', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  const moved = await run(root, 'refactor', 'rename-file', 'store.py', 'depot/store.py', '--apply');
  assert.equal(moved.code, 0, moved.stderr);
  assert.ok(existsSync(join(root, 'depot/store.py')) && !existsSync(join(root, 'store.py')));
  assert.match(readFileSync(join(root, 'job.py'), 'utf8'), /from depot\.store import Store/u);
  await run(root, 'undo');
  const made = await run(root, 'refactor', 'move', 'log.py:Log', '--to', 'logs.py', '--apply');
  assert.equal(made.code, 0, made.stderr + made.stdout);
  assert.match(readFileSync(join(root, 'log.py'), 'utf8'), /from logs import Log/u);
  await run(root, 'undo');
  const emptied = await run(root, 'refactor', 'move', '--all', 'log.py', '--to', 'report.py', '--apply');
  assert.equal(emptied.code, 0, emptied.stderr + emptied.stdout);
  assert.ok(!existsSync(join(root, 'log.py')));
  await run(root, 'undo');
  assert.equal(git(root, 'status', '--porcelain').trim(), '');
});

test('strings of code that say the path of a moved file are listed, however they spell it, and stay', async (t) => {
  const { run } = home(t);
  const strings = [
    'A = r"^shop\\.store\\.(\\w+)$"',
    'B = "shop\\\\.store"',
    'C = "shop/store.py"',
    'D = "shop/store/other.py"',
    'E = "the/store.py"',
  ];
  const root = repository(t, { 'shop/store.py': 'LIMIT = 1\n', 'use.py': `${strings.join('\n')}\n` });
  const all = ['refactor', 'rename-file', 'shop/store.py', 'shop/depot.py', '--mentions', 'docs,comments,config'];
  const { code, stdout } = await run(root, ...all, '--apply');
  assert.equal(code, 0);
  const listed = [...stdout.matchAll(/^mention {2}use\.py:(\d+): store, in a comment or string: /gmu)];
  assert.deepEqual(
    listed.map(([, line]) => line),
    ['1', '2', '3'],
  );
  assert.equal(readFileSync(join(root, 'use.py'), 'utf8'), `${strings.join('\n')}\n`);
});

test('a seed can go nowhere else than its plan: a value that is missing is asked for', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  const asked = ['refactor', 'signature', 'store.py:Store.put', '--add', 'deep: bool'];
  const open = await run(root, ...asked, '--apply');
  assert.equal(open.code, 1);
  assert.match(open.stdout, /give --value deep=<expression>/u);
  await run(root, 'undo');
  const given = await run(root, ...asked, '--value', 'deep=True', '--apply');
  assert.equal(given.code, 0, given.stdout);
  assert.match(readFileSync(join(root, 'report.py'), 'utf8'), /store\.put\(1, 2, True\), store\.put\(3, 4, True\)/u);
});

test('a refusal says what is in the way, and what could be meant', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  for (const [args, said] of [
    [
      ['rename', 'put', 'insert'],
      /2 blocks are called put; say which one[^]*log\.py:Log\.put\n\s+store\.py:Store\.put/u,
    ],
    [['rename', 'store.py:Store', 'class'], /class is a word of the language/u],
    [['rename', 'job.py:save', 'Store'], /Store is taken: it is imported at job\.py:1/u],
    [['rename-file', 'store.py', 'git~1/store.py'], /git~1\/store\.py is no place for a source/u],
    [['rename-file', 'store.py', '../store.py'], /\.\.\/store\.py is no place for a source/u],
    [['rename-file', 'store.py', 'log.py'], /log\.py exists/u],
    [['move', '--to', 'x.py'], /name the blocks to move, or --all and a file/u],
    [['signature', 'store.py:Store.put'], /say what to change/u],
    [['signature', 'store.py:Store.put', '--remove', 'key'], /uses key on line 3/u],
  ] as const) {
    const { code, stdout, stderr } = await run(root, 'refactor', ...args);
    assert.equal(code, 2, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, said);
  }
  assert.equal(git(root, 'status', '--porcelain').trim(), '');
});

test('a daemon answers the same', async (t) => {
  const { run } = home(t);
  const root = repository(t, SHOP);
  assert.equal((await run(root, 'daemon', 'start')).code, 0);
  const { code, stdout, stderr } = await run(root, 'refactor', 'rename', 'Store', 'Depot', '--related', '--json');
  assert.equal(code, 1, stderr);
  const plan = propagateReport.parse(JSON.parse(stdout));
  assert.equal(plan.steps.length, 5);
  assert.deepEqual(plan.related, [{ file: 'store.py', name: 'store', to: 'depot' }]);
  const refused = await run(root, 'refactor', 'rename', 'Store', 'None');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /None is a word of the language/u);
});
