/** Edits reach the disk as a whole or not at all, and can be taken back byte for byte. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FileEdit } from '#src/engine/file-edit.js';
import { Journal } from '#src/io/journal/journal.js';
import { pictureOf } from '../support/picture.js';
import { refused } from '../support/refused.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

test('a run of all kinds of edits is applied, logged, and taken back', (t) => {
  const [root, state] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, {
    'crlf.py': 'a\r\nb\r\n',
    'mark.py': '\uFEFFé\n',
    'run.py': '#!/bin/sh\n',
    'gone.py': 'x\n',
    'pkg/old.py': 'old\n',
    'same.py': 'same',
  });
  chmodSync(join(root, 'run.py'), 0o755);
  chmodSync(join(root, 'gone.py'), 0o640);
  const before = pictureOf(root);
  const edits: FileEdit[] = [
    { kind: 'change', file: 'crlf.py', before: 'a\r\nb\r\n', after: 'a\r\nB\r\n' },
    { kind: 'change', file: 'mark.py', before: 'é\n', after: 'è\n' },
    { kind: 'change', file: 'run.py', before: '#!/bin/sh\n', after: '#!/bin/bash\n' },
    { kind: 'delete', file: 'gone.py', before: 'x\n' },
    { kind: 'create', file: 'new/deep/n.py', after: 'n\n' },
    { kind: 'rename', file: 'pkg/old.py', to: 'moved/new.py', before: 'old\n', after: 'new\n' },
  ];
  const journal = new Journal(state, root);
  const written = journal.apply('run-1', 'rename old', edits);
  assert.deepEqual([...written].sort(), [
    'crlf.py',
    'gone.py',
    'mark.py',
    'moved/new.py',
    'new/deep/n.py',
    'pkg/old.py',
    'run.py',
  ]);
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  assert.equal(read('crlf.py'), 'a\r\nB\r\n');
  assert.equal(read('mark.py'), '\uFEFFè\n', 'the byte order mark stays');
  assert.equal(statSync(join(root, 'run.py')).mode & 0o777, 0o755, 'permissions stay');
  assert.equal(read('moved/new.py'), 'new\n');
  assert.ok(!existsSync(join(root, 'gone.py')) && !existsSync(join(root, 'pkg/old.py')));
  const [entry] = journal.log().entries;
  assert.deepEqual(
    { ...entry, time: '', files: [] },
    { run: 'run-1', title: 'rename old', state: 'applied', time: '', files: [] },
  );

  const other = new Journal(state, root);
  assert.throws(
    () => other.undo('run-2'),
    (error) =>
      refused('unknownRun')(error) && (error as Error).message === 'there is no run run-2; the latest is run-1',
  );
  assert.equal(other.undo(undefined).run, 'run-1');
  assert.deepEqual(pictureOf(root), before);
  assert.equal(other.log().entries[0]?.state, 'undone');
  assert.throws(() => other.undo(undefined), refused('unknownRun'));
  assert.throws(() => other.undo('run-1'), refused('unknownRun'));
  assert.throws(() => other.undo('run-2'), refused('unknownRun'));
});

test('an edit of a text that moved on is refused, with every such file, and writes nothing', (t) => {
  const [root, state] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, { 'a.py': 'a', 'b.py': 'b', 'bad.py': Buffer.from([0xff, 0xfe]), 'there.py': '' });
  const before = pictureOf(root);
  const journal = new Journal(state, root);
  assert.throws(
    () =>
      journal.apply('r', '', [
        { kind: 'change', file: 'a.py', before: 'a', after: 'A' },
        { kind: 'change', file: 'b.py', before: 'other', after: 'B' },
        { kind: 'change', file: 'bad.py', before: '', after: 'B' },
        { kind: 'create', file: 'there.py', after: 'B' },
        { kind: 'delete', file: 'nowhere.py', before: '' },
        { kind: 'rename', file: 'a2.py', to: 'there.py', before: '', after: '' },
      ]),
    refused('textMovedOn', 'b.py', 'bad.py', 'there.py', 'nowhere.py', 'a2.py'),
  );
  assert.deepEqual(pictureOf(root), before);
  assert.deepEqual(journal.log().entries, []);
});

test('undo refuses where a text moved on, says which, and writes nothing', (t) => {
  const [root, state] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(root, { 'a.py': 'a', 'b.py': 'b' });
  const journal = new Journal(state, root);
  journal.apply('first', '', [
    { kind: 'change', file: 'a.py', before: 'a', after: 'A' },
    { kind: 'change', file: 'b.py', before: 'b', after: 'B' },
  ]);
  journal.apply('second', '', [{ kind: 'change', file: 'b.py', before: 'B', after: 'BB' }]);
  assert.throws(
    () => journal.undo('first'),
    (error) => refused('textMovedOn', 'b.py')(error) && (error as Error).message.includes('second'),
  );
  assert.equal(readFileSync(join(root, 'a.py'), 'utf8'), 'A');
  journal.undo(undefined);
  journal.undo(undefined);
  assert.deepEqual([readFileSync(join(root, 'a.py'), 'utf8'), readFileSync(join(root, 'b.py'), 'utf8')], ['a', 'b']);
});

test('any sequence of runs and undos ends where a plain model of it ends', (t) => {
  const names = ['a.py', 'b.py', 'd/c.py'] as const;
  const step = fc.oneof(
    fc.record({
      do: fc.constant('change' as const),
      file: fc.constantFrom(...names),
      text: fc.string({ unit: 'grapheme', maxLength: 4 }),
    }),
    fc.record({ do: fc.constant('delete' as const), file: fc.constantFrom(...names) }),
    fc.record({
      do: fc.constant('rename' as const),
      file: fc.constantFrom(...names),
      to: fc.constantFrom(...names),
      text: fc.constantFrom('q', 'r'),
    }),
    fc.record({ do: fc.constant('undo' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const [root, state] = [temporaryFolder(t), temporaryFolder(t)];
      const journal = new Journal(state, root);
      let now = new Map<string, string>();
      const earlier: Map<string, string>[] = [];
      steps.forEach((action, i) => {
        if (action.do === 'undo') {
          const last = earlier.pop();
          if (last === undefined) return;
          journal.undo(undefined);
          now = last;
          return;
        }
        const text = now.get(action.file);
        const next = new Map(now);
        let edit: FileEdit;
        if (action.do === 'change')
          edit =
            text === undefined
              ? { kind: 'create', file: action.file, after: action.text }
              : { kind: 'change', file: action.file, before: text, after: action.text };
        else if (text === undefined || (action.do === 'rename' && now.has(action.to))) return;
        else if (action.do === 'delete') edit = { kind: 'delete', file: action.file, before: text };
        else edit = { kind: 'rename', file: action.file, to: action.to, before: text, after: action.text };
        if (action.do !== 'change') next.delete(action.file);
        if (action.do === 'change') next.set(action.file, action.text);
        if (action.do === 'rename') next.set(action.to, action.text);
        journal.apply(`run-${i}`, '', [edit]);
        earlier.push(now);
        now = next;
      });
      for (const name of names)
        assert.equal(existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : undefined, now.get(name));
    }),
    { numRuns: 25 },
  );
});
