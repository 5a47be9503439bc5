/**
 * What lies on the disk beside the sources, damaged at random: settings, ignore files, the journal's records, contents
 * and folders.
 *
 * Each is read, or refused with an error that was made for a person; nothing else is thrown. Undo gives back contents
 * that were there and no others, in their own file unless somebody made the checksum anew; nothing outside of the root
 * is touched. Whatever is read takes less than ten seconds of processor.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { FileEdit } from '#src/engine/file-edit.js';
import { ServiceError } from '#src/engine/service.js';
import { rootKey } from '#src/io/disk/folders.js';
import { IgnoreRules } from '#src/io/index/ignore-rules.js';
import { Journal } from '#src/io/journal/journal.js';
import { readSettings, SETTINGS_FILE } from '#src/io/settings/settings.js';
import { roundOf, type Campaign, type Target } from './target.js';
import { edited, pick, textEdit, type TextEdit } from './texts.js';
import { oddValue } from './values.js';

const CPU_MICROSECONDS_MOST = 10_000_000;

const SETTINGS: readonly object[] = [
  {
    exclude: ['build/**', '!x'],
    strict: true,
    noSend: ['*.pem'],
    hints: { perFileMost: 3 },
    daemon: { idleMinutes: 1 },
  },
  { model: { baseUrl: 'http://127.0.0.1:1/v1', model: 'm', timeoutSeconds: 5, retries: 1 }, limits: { steps: 3 } },
  { oracle: { command: ['tool', '-x'], pattern: '(?<file>.*):(?<line>\\d+)', timeoutSeconds: 9 } },
  { languageServer: { python: { command: ['pyright-langserver', '--stdio'], initializationOptions: { a: [1] } } } },
];
const IGNORES =
  '# comment\n*.log\n!keep.log\n/build/\n**/gen/**\na[0-9]?.py\ndocs/*.md\n\\#x\nspace\\ \n[!a-c]*.ts\n{a,b}\n';
const PATHS = ['a.py', 'build/x.ts', 'src/gen/deep/A.java', 'docs/a.md', 'a1b.py', 'é/ü.cs', `${'d/'.repeat(60)}x.py`];

/** What a run makes of each file, in order: null is no file. */
const CONTENTS = {
  'a.py': ['a1\n', 'a2\n', 'a3\n'],
  'b.py': ['b1\n', 'b2\n', null],
  'new/c.py': [null, 'c1\n', 'c2\n'],
};
type Content = string | null;

interface Input {
  readonly what: 'settings' | 'ignore' | 'record' | 'resigned' | 'content' | 'folder';
  readonly which: number;
  readonly edits: readonly TextEdit[];
  readonly other: number;
}

const inputs: fc.Arbitrary<Input> = fc.record({
  what: fc.constantFrom('settings', 'ignore', 'record', 'resigned', 'content', 'folder'),
  which: fc.nat(1000),
  edits: fc.array(textEdit, { minLength: 1, maxLength: 5 }),
  other: fc.nat(100_000),
});

export const records: Target = { name: 'records', unit: 'files', start };

async function start(): Promise<Campaign> {
  const base = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'codeplan-fuzz-')));
  const place = new Place(base);
  const tried = new Map<string, number>();
  const check = (input: Input): void => {
    tried.set(input.what, (tried.get(input.what) ?? 0) + 1);
    const began = process.cpuUsage();
    if (input.what === 'settings') place.settings(input);
    else if (input.what === 'ignore') place.ignores(input);
    else place.journal(input);
    const { user, system } = process.cpuUsage(began);
    assert.ok(user + system < CPU_MICROSECONDS_MOST, `it took ${(user + system) / 1e6} s of processor`);
  };
  return {
    round: roundOf(inputs, check, (input) => `${JSON.stringify(input)}\nwritten: ${JSON.stringify(place.written)}`),
    tried: () => [...tried.values()].reduce((sum, count) => sum + count, 0),
    figures: () => ({
      ...Object.fromEntries(tried),
      'refused or set aside': place.refused,
      'files given back': place.givenBack,
    }),
    verdict: () => undefined,
    close: async () => rmSync(base, { recursive: true, force: true }),
  };
}

/** The folders in which the files lie. */
class Place {
  /** What the last input wrote. */
  written = '';
  refused = 0;
  givenBack = 0;
  private readonly template: string;
  private readonly work: string;
  private readonly environment: NodeJS.ProcessEnv;

  constructor(base: string) {
    this.template = join(base, 'template');
    this.work = join(base, 'work');
    this.environment = { HOME: base, XDG_CONFIG_HOME: join(base, 'config'), XDG_STATE_HOME: join(base, 'state') };
    mkdirSync(join(base, 'config', 'codeplan'), { recursive: true });
    mkdirSync(join(base, 'root'));
    this.makeRuns();
  }

  settings({ which, edits, other }: Input): void {
    const value = which % 3 === 0 ? oddValue(pick(SETTINGS, which), other) : pick(SETTINGS, which);
    this.written = editedBy(JSON.stringify(value), which % 3 === 0 ? edits.slice(1) : edits);
    const root = join(this.environment['HOME'] ?? '', 'root');
    const person = join(this.environment['XDG_CONFIG_HOME'] ?? '', 'codeplan', 'config.json');
    const [file, empty] = which % 2 === 0 ? [join(root, SETTINGS_FILE), person] : [person, join(root, SETTINGS_FILE)];
    writeFileSync(file, this.written);
    rmSync(empty, { force: true });
    this.refusable(() => readSettings({ realRoot: root, environment: this.environment }));
  }

  ignores({ edits }: Input): void {
    this.written = editedBy(IGNORES, edits);
    const root = join(this.environment['HOME'] ?? '', 'root');
    writeFileSync(join(root, '.gitignore'), this.written);
    const lines = this.written.split('\n').filter((line) => line !== '');
    for (const rules of [new IgnoreRules(root, []), new IgnoreRules(root, lines)]) {
      rules.addFile('', '.gitignore');
      for (const path of PATHS) rules.ignoresFile(path);
    }
  }

  journal(input: Input): void {
    rmSync(this.work, { recursive: true, force: true });
    cpSync(this.template, this.work, { recursive: true });
    const [root, state] = [join(this.work, 'root'), join(this.work, 'state')];
    const journal = join(state, rootKey(root), 'journal');
    cpSync(join(state, 'journal'), journal, { recursive: true });
    this.damage(journal, input);
    const outside = this.outside();
    const runs = new Journal(state, root);
    this.refusable(() => runs.log());
    for (const run of [undefined, undefined, 'two', undefined, 'one', 'three'])
      this.refusable(() => (this.givenBack += runs.undo(run).files.length));
    this.refusable(() => runs.log());
    assert.deepEqual(this.outside(), outside, 'nothing outside of the root is touched');
    this.assertContents(root, input.what === 'resigned' || input.what === 'folder');
  }

  private makeRuns(): void {
    const [root, state] = [join(this.work, 'root'), join(this.work, 'state')];
    for (const folder of [root, join(this.work, 'beside')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.work, 'beside', 'a.py'), 'beside\n');
    for (const [file, [first]] of Object.entries(CONTENTS))
      if (typeof first === 'string') writeFileSync(join(root, file), first);
    const journal = new Journal(state, root);
    for (const [at, run] of ['one', 'two'].entries())
      journal.apply(
        run,
        `the run ${run}`,
        Object.entries(CONTENTS).flatMap(([file, contents]) =>
          fileEdit(file, contents[at] ?? null, contents[at + 1] ?? null),
        ),
      );
    // The journal lies by the root's name, which is that of the working copy.
    cpSync(this.work, this.template, { recursive: true });
    cpSync(join(state, rootKey(root), 'journal'), join(this.template, 'state', 'journal'), { recursive: true });
    rmSync(join(this.template, 'state', rootKey(root)), { recursive: true });
  }

  private damage(journal: string, { what, which, edits, other }: Input): void {
    const run = join(
      journal,
      pick(
        readdirSync(journal)
          .filter((name) => /^\d/u.test(name))
          .sort(),
        which,
      ),
    );
    const record = join(run, 'record.json');
    if (what === 'content') {
      const contents = readdirSync(run).filter((name) => name !== 'record.json');
      if (contents.length === 0) return;
      const file = join(run, pick(contents.sort(), other));
      writeFileSync(file, (this.written = editedBy(readFileSync(file, 'utf8'), edits)));
    } else if (what === 'folder') {
      this.written = `the folder as ${editedBy('00000009.two', edits)}`;
      const name = editedBy('00000009.two', edits).replace(/[/\0]|^\.*$/gu, 'x');
      cpSync(run, join(journal, name), { recursive: true });
    } else {
      const text = readFileSync(record, 'utf8');
      this.written = what === 'record' ? editedBy(text, edits) : signed(text, edits, other);
      writeFileSync(record, this.written);
    }
  }

  private assertContents(root: string, anywhere: boolean): void {
    const known = new Set<Content>(Object.values(CONTENTS).flat());
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const own: readonly Content[] | undefined = new Map(Object.entries(CONTENTS)).get(path.slice(root.length + 1));
      const text = readFileSync(path, 'utf8');
      assert.ok(known.has(text), `${path} holds ${JSON.stringify(text)}, which was never there`);
      assert.ok(anywhere || own?.includes(text) === true, `${path} holds what was in another file`);
    }
  }

  private outside(): string {
    return readdirSync(this.work).join() + readFileSync(join(this.work, 'beside', 'a.py'), 'utf8');
  }

  /** An error for a person is an answer; any other is what is looked for. */
  private refusable(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      assert.ok(error.message.length > 10, 'an error says something');
      this.refused++;
    }
  }
}

function fileEdit(file: string, before: Content, after: Content): readonly FileEdit[] {
  if (before !== null && after !== null) return [{ kind: 'change', file, before, after }];
  if (after !== null) return [{ kind: 'create', file, after }];
  return before === null ? [] : [{ kind: 'delete', file, before }];
}

function editedBy(text: string, edits: readonly TextEdit[]): string {
  let now = text;
  for (const edit of edits) now = edited(now, edit, text);
  return now;
}

/** A record that was changed by somebody who knows how its checksum is made. */
function signed(text: string, edits: readonly TextEdit[], other: number): string {
  const { record } = JSON.parse(text) as { record: object };
  const changed = edits.reduce<unknown>((value, [, place]) => oddValue(value, place + other), record);
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- an odd value may be undefined
  const json = JSON.stringify(changed) ?? '';
  const checksum = createHash('sha256').update(json).digest('hex');
  return JSON.stringify({ version: 2, checksum, record: changed });
}
