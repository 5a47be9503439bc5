/** Whatever happens to the journal's own files is seen before a byte is given back, and stays one run's matter. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { FileEdit } from '#src/engine/file-edit.js';
import { ServiceError } from '#src/engine/service.js';
import { rootKey } from '#src/io/disk/folders.js';
import { Journal } from '#src/io/journal/journal.js';
import { pictureOf } from '../support/picture.js';
import { refused } from '../support/refused.js';
import { quickFolder, writeFiles } from '../support/temporary-folder.js';

const change = (file: string, before: string, after: string): FileEdit => ({ kind: 'change', file, before, after });
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Runs {
  readonly root: string;
  readonly journal: Journal;
  readonly folder: string;
  /** Where a run's files lie. */
  readonly place: (run: string) => string;
}

/** Three runs, each of a file of its own. */
function threeRuns(t: TestContext): Runs {
  const [root, state] = [quickFolder(t), quickFolder(t)];
  writeFiles(root, { 'a.py': 'a', 'b.py': 'b', 'c.py': 'c' });
  const journal = new Journal(state, root);
  for (const name of ['a', 'b', 'c']) journal.apply(name, '', [change(`${name}.py`, name, name.toUpperCase())]);
  const folder = join(state, rootKey(root), 'journal');
  const place = (run: string): string =>
    join(folder, readdirSync(folder).find((name) => name.endsWith(`.${run}`)) ?? assert.fail(`no run ${run}`));
  return { root, journal, folder, place };
}

const DAMAGES: Readonly<Record<string, (record: string) => void>> = {
  'is no JSON': (record) => writeFileSync(record, '{'),
  'is empty': (record) => writeFileSync(record, ''),
  'is null': (record) => writeFileSync(record, 'null'),
  'is cut': (record) => writeFileSync(record, readFileSync(record).subarray(0, 100)),
  'is gone': (record) => rmSync(record),
  'names another file': (record) => writeFileSync(record, readFileSync(record, 'utf8').replace('b.py', 'c.py')),
  'leads outside': (record) => {
    const { record: inner } = JSON.parse(readFileSync(record, 'utf8')) as { record: object };
    const changed = { ...inner, madeFolders: ['../x'] };
    const checksum = digestOf(JSON.stringify(changed));
    writeFileSync(record, JSON.stringify({ version: 2, checksum, record: changed }));
  },
};

for (const [what, damage] of Object.entries(DAMAGES))
  test(`hole 7: a run whose record ${what} is named and set aside, and hinders no other`, (t) => {
    const { root, journal, folder, place } = threeRuns(t);
    damage(join(place('b'), 'record.json'));
    const log = journal.log();
    assert.deepEqual([log.entries.map(({ run }) => run), log.damaged.map(({ run }) => run)], [['c', 'a'], ['b']]);
    journal.apply('d', '', [change('a.py', 'A', 'AA')]);
    assert.deepEqual([journal.undo(undefined).run, journal.undo(undefined).run], ['d', 'c']);
    assert.throws(
      () => journal.undo(undefined),
      (error) => refused('unknownRun')(error) && /the run b .*codeplan undo a/.test((error as Error).message),
    );
    assert.throws(
      () => journal.undo('b'),
      (error) => refused('unknownRun')(error) && (error as Error).message.includes(join(folder, '.damaged')),
    );
    assert.equal(journal.undo('a').run, 'a');
    assert.equal(readFileSync(join(root, 'b.py'), 'utf8'), 'B');
    const [damaged] = journal.log().damaged;
    assert.equal(readFileSync(join(damaged?.folder ?? '', digestOf('b')), 'utf8'), 'b', 'what it holds is kept');
  });

test('hole 7: any flipped bit of a record is seen, or makes no difference', (t) => {
  const { root, journal, place } = threeRuns(t);
  const record = join(place('c'), 'record.json');
  const good = readFileSync(record);
  const log = journal.log();
  let seen = 0;
  for (let bit = 0; bit < good.length * 8; bit += 5) {
    const flipped = Buffer.from(good);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    writeFileSync(record, flipped);
    const now = journal.log();
    if (now.damaged.length === 1) seen++;
    else assert.deepEqual(now, log, `bit ${bit}`);
  }
  t.diagnostic(`${Math.ceil((good.length * 8) / 5)} bits flipped, ${seen} seen`);
  assert.ok(seen > 100);
  writeFileSync(record, good);
  assert.equal(journal.undo(undefined).run, 'c');
  assert.equal(readFileSync(join(root, 'c.py'), 'utf8'), 'c');
});

test('hole 7: a damaged or missing content is seen before a byte is given back', (t) => {
  const [root, state] = [quickFolder(t), quickFolder(t)];
  for (const damage of [
    (path: string) => writeFileSync(path, 'x'),
    (path: string) => rmSync(path),
    (path: string) => writeFileSync(path, ''),
  ]) {
    rmSync(state, { recursive: true });
    writeFiles(root, { 'a.py': 'a', 'b.py': 'b' });
    const journal = new Journal(state, root);
    journal.apply('first', '', [change('b.py', 'b', 'bb')]);
    journal.apply('r', '', [change('a.py', 'a', 'A'), change('b.py', 'bb', 'B')]);
    const after = pictureOf(root);
    const folder = join(state, rootKey(root), 'journal', '00000002.r');
    damage(join(folder, digestOf('bb')));
    assert.throws(
      () => journal.undo(undefined),
      (error) => refused('write', 'b.py')(error) && /damaged/.test((error as Error).message),
    );
    assert.deepEqual(pictureOf(root), after);
    assert.deepEqual(
      journal.log().damaged.map(({ run }) => run),
      ['r'],
    );
    assert.throws(() => journal.undo(undefined), refused('unknownRun'));
    writeFiles(root, { 'b.py': 'bb' });
    assert.equal(journal.undo('first').run, 'first');
  }
});

test('a run of a later version is named and left where it is', (t) => {
  const { journal, place } = threeRuns(t);
  const record = join(place('c'), 'record.json');
  writeFileSync(record, JSON.stringify({ version: 3, runs: [] }));
  assert.throws(
    () => journal.undo(undefined),
    (error) => refused('unknownRun')(error) && /later version/.test((error as Error).message),
  );
  assert.equal(journal.undo('b').run, 'b');
  assert.ok(existsSync(record));
});

test('hole 7: what cannot be journalled is not applied', (t) => {
  const [root, state] = [quickFolder(t), quickFolder(t)];
  writeFiles(root, { 'a.py': 'a' });
  const before = pictureOf(root);
  const journal = new Journal(state, root);
  writeFiles(state, { [rootKey(root)]: 'a file where the folder should be' });
  assert.throws(() => journal.apply('r', '', [change('a.py', 'a', 'A')]), refused('write'));
  rmSync(join(state, rootKey(root)));
  mkdirSync(join(state, rootKey(root), 'journal', '00000001.r'), { recursive: true });
  writeFileSync(join(state, rootKey(root), 'journal', '.damaged'), '');
  journal.apply('other', '', []);
  assert.deepEqual(pictureOf(root), before);
  assert.deepEqual(
    journal.log().damaged.map(({ run, problem }) => [run, problem]),
    [['r', 'it has no record']],
    'where it cannot be set aside it is named all the same',
  );
});

test('hole 15: the newest run is the one that was made last, whatever the clock said', (t) => {
  const [root, state] = [quickFolder(t), quickFolder(t)];
  writeFiles(root, { 'a.py': 'a', 'b.py': 'b' });
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2030-01-01T00:00:00Z') });
  const journal = new Journal(state, root);
  journal.apply('made-first', '', [change('a.py', 'a', 'A')]);
  t.mock.timers.setTime(Date.parse('2020-01-01T00:00:00Z'));
  journal.apply('made-last', '', [change('b.py', 'b', 'B')]);
  assert.deepEqual(
    journal.log().entries.map(({ run }) => run),
    ['made-last', 'made-first'],
  );
  assert.equal(journal.undo(undefined).run, 'made-last');
});

test('runs of the first version are listed and taken back, behind all others', (t) => {
  const [root, state] = [quickFolder(t), quickFolder(t)];
  writeFiles(root, { 'a.py': 'A', 'made/n.py': 'n', 'b.py': 'b' });
  const folder = join(state, rootKey(root), 'journal', '5f0c2a1b');
  writeFiles(folder, { [digestOf('a')]: 'a', [digestOf('A')]: 'A', [digestOf('n')]: 'n' });
  const first = {
    run: '5f0c2a1b',
    title: 'of before',
    time: '2040-01-02T03:04:05.678Z',
    state: 'applied',
    cells: [
      { path: 'made/n.py', before: null, after: digestOf('n'), mode: null },
      { path: 'a.py', before: digestOf('a'), after: digestOf('A'), mode: 0o640 },
    ],
    madeFolders: ['made'],
  };
  writeFileSync(join(folder, 'record.json'), JSON.stringify(first));
  const journal = new Journal(state, root);
  journal.apply('r', '', [change('b.py', 'b', 'B')]);
  assert.deepEqual(
    journal.log().entries.map(({ run, state }) => [run, state]),
    [
      ['r', 'applied'],
      ['5f0c2a1b', 'applied'],
    ],
  );
  assert.deepEqual([journal.undo(undefined).run, journal.undo(undefined).run], ['r', '5f0c2a1b']);
  assert.ok(!existsSync(join(root, 'made')));
  assert.equal(readFileSync(join(root, 'a.py'), 'utf8'), 'a');
  assert.deepEqual(
    journal.log().entries.map(({ state }) => state),
    ['undone', 'undone'],
  );
});

test('a run that was taken back can be made again, one that stands cannot', (t) => {
  const [root, state] = [quickFolder(t), quickFolder(t)];
  writeFiles(root, { 'a.py': 'a' });
  const journal = new Journal(state, root);
  const edits = [change('a.py', 'a', 'A')];
  journal.apply('r', '', edits);
  assert.throws(() => journal.apply('r', '', []), refused('unknownRun'));
  journal.undo('r');
  journal.apply('r', '', edits);
  assert.equal(readFileSync(join(root, 'a.py'), 'utf8'), 'A');
  journal.undo('r');
  assert.equal(readFileSync(join(root, 'a.py'), 'utf8'), 'a');
});

test('random bytes in place of any file of the journal end in a refusal or in the bytes from before', (t) => {
  const { root, journal, folder, place } = threeRuns(t);
  const names = readdirSync(place('c'));
  for (const name of names)
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from([0xff, 0xfe, 0]),
      Buffer.from('{"version":2}'),
      Buffer.alloc(70_000, 'x'),
    ]) {
      const path = join(place('c'), name);
      const good = readFileSync(path);
      writeFileSync(path, bytes);
      assert.throws(
        () => journal.undo('c'),
        (error) => error instanceof ServiceError,
      );
      assert.equal(readFileSync(join(root, 'c.py'), 'utf8'), 'C');
      const [damaged] = journal.log().damaged;
      assert.ok(damaged !== undefined);
      writeFileSync(join(damaged.folder, name), good);
      rmSync(join(damaged.folder, 'problem.txt'));
      renameSync(damaged.folder, join(folder, '00000003.c'));
    }
  assert.equal(journal.undo('c').run, 'c');
});
