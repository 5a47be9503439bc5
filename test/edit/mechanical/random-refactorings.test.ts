/**
 * Random programs and random refactorings: the rewrites leave nothing open, a compiler or checker
 * finds as many errors after as before, and the inverse edit gives every byte back.
 *
 * A checker is started once a language and side, on all programs at once. Where one is not
 * installed the test says so, and holds the rest.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LanguageId } from '#src/syntax/summary.js';
import { testGrammars } from '../../support/grammars.js';
import { needs, type ToolName } from '../../support/tool.js';
import { propagated, type Files, type Propagated } from '../../support/propagated.js';
import {
  models,
  newNames,
  PARAMS,
  paramsIn,
  programOf,
  STORE,
  UNUSED_VALUE,
  type Model,
} from '../../support/random-program.js';

const grammars = await testGrammars();
const RUNS = Number(process.env.RUNS ?? 12);

type Named = 'contract' | 'base' | 'derived' | 'method' | 'field' | 'helper';
type Refactoring =
  | { readonly kind: 'rename'; readonly what: Named; readonly to: string }
  | { readonly kind: 'reorder'; readonly of: 'method' | 'helper'; readonly order: readonly string[] }
  | { readonly kind: 'remove'; readonly of: 'method' | 'helper' }
  | { readonly kind: 'renameParameter'; readonly to: string }
  | { readonly kind: 'add'; readonly of: 'method' | 'helper'; readonly at: number }
  | { readonly kind: 'moveFile'; readonly to: string }
  | { readonly kind: 'async' };

/** A parameter that all calls get, and what they pass. */
const ADDED = { name: 'third2', value: '8' };

const refactorings: fc.Arbitrary<Refactoring> = fc.oneof(
  fc.record({
    kind: fc.constant('rename' as const),
    what: fc.constantFrom<Named>('contract', 'base', 'derived', 'method', 'field', 'helper'),
    to: newNames,
  }),
  fc.record({
    kind: fc.constant('reorder' as const),
    of: fc.constantFrom('method' as const, 'helper' as const),
    order: fc.shuffledSubarray([...PARAMS], { minLength: 4 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), of: fc.constantFrom('method' as const, 'helper' as const) }),
  fc.record({ kind: fc.constant('renameParameter' as const), to: newNames }),
  fc.record({
    kind: fc.constant('add' as const),
    of: fc.constantFrom('method' as const, 'helper' as const),
    at: fc.nat({ max: PARAMS.length }),
  }),
  fc.record({ kind: fc.constant('moveFile' as const), to: fc.constantFrom('shop', 'inner/shop') }),
  fc.constant({ kind: 'async' as const }),
);

/** The person's edit: one declaration, in the text of the file that has it. */
function edited(language: LanguageId, text: string, model: Model, refactoring: Refactoring, back: boolean): string {
  const swap = (from: string, to: string): string => {
    const [old, now] = back ? [to, from] : [from, to];
    assert.ok(text.includes(old), `${old} is in\n${text}`);
    return text.replace(old, () => now);
  };
  const header = (name: string, params: readonly string[]): string =>
    language === 'python' && name === model.method
      ? `${name}(self, ${paramsIn(language, params)})`
      : `${name}(${paramsIn(language, params)})`;
  const nameOf = (of: 'method' | 'helper'): string => model[of];
  switch (refactoring.kind) {
    case 'rename':
      return swap(...declared(language, model, refactoring.what, refactoring.to));
    case 'reorder':
      return swap(header(nameOf(refactoring.of), PARAMS), header(nameOf(refactoring.of), refactoring.order));
    case 'remove':
      return swap(header(nameOf(refactoring.of), PARAMS), header(nameOf(refactoring.of), PARAMS.slice(0, 3)));
    case 'renameParameter':
      return swap(header(model.method, PARAMS), header(model.method, [refactoring.to, ...PARAMS.slice(1)]));
    case 'add':
      return swap(
        header(nameOf(refactoring.of), PARAMS),
        header(nameOf(refactoring.of), [
          ...PARAMS.slice(0, refactoring.at),
          ADDED.name,
          ...PARAMS.slice(refactoring.at),
        ]),
      );
    case 'moveFile':
      return text;
    case 'async':
      return ASYNC[language](model.helper).reduce(
        (so, [from, to]) => (back ? so.replace(to, () => from) : so.replace(from, () => to)),
        text,
      );
  }
}

/** What a person writes to make the helper asynchronous; nothing where the language has no word for it. */
const ASYNC: Readonly<Record<LanguageId, (helper: string) => readonly [string, string][]>> = {
  python: (helper) => [[`def ${helper}(`, `async def ${helper}(`]],
  typescript: (helper) => [
    [
      `function ${helper}(${paramsIn('typescript', PARAMS)}): number`,
      `async function ${helper}(${paramsIn('typescript', PARAMS)}): Promise<number>`,
    ],
  ],
  java: () => [],
  csharp: (helper) => [[`static int ${helper}(`, `static async System.Threading.Tasks.Task<int> ${helper}(`]],
};

/** The declaration of a name with as much around it as tells it from its uses. */
function declared(language: LanguageId, model: Model, what: Named, to: string): [string, string] {
  const forms: Record<Named, (name: string) => string> = {
    contract: (name) => `${language === 'python' ? 'class' : 'interface'} ${name}`,
    base: (name) => `class ${name}`,
    derived: (name) => `class ${name}`,
    method: (name) => `${name}(`,
    field: (name) =>
      ({
        python: `self.${name} = 1`,
        typescript: `protected ${name} = 1`,
        java: `protected int ${name} = 1`,
        csharp: `protected int ${name} = 1`,
      })[language],
    helper: (name) =>
      ({
        python: `def ${name}(`,
        typescript: `function ${name}(`,
        java: `static int ${name}(`,
        csharp: `static int ${name}(`,
      })[language],
  };
  return [forms[what](model[what]), forms[what](to)];
}

/**
 * Whether nothing is lost on the way: an override that need not take a parameter, an argument that had to get a
 * name, a caller that stays asynchronous.
 */
function isInvertible(language: LanguageId, model: Model, refactoring: Refactoring): boolean {
  if (refactoring.kind === 'remove') return language !== 'typescript';
  if (refactoring.kind === 'async') return false;
  return refactoring.kind !== 'reorder' || !model.calls.some((call) => call.layout === 'partly');
}

async function refactored(
  language: LanguageId,
  number: number,
  model: Model,
  refactoring: Refactoring,
): Promise<{ before: Files; after: Files }> {
  const folder = `case${number}`;
  const before = programOf(language, model, folder);
  const store = `${folder}/${STORE[language]}`;
  const moved = refactoring.kind === 'moveFile' ? `${folder}/${refactoring.to}${extname(store)}` : store;
  const step = (files: Files, from: string, to: string, back: boolean): Promise<Propagated> => {
    const edit = {
      ...(from === to ? {} : { [from]: '' }),
      [to]: edited(language, files[from] ?? '', model, refactoring, back),
    };
    return propagated(grammars, files, edit, {
      values: { unused: UNUSED_VALUE, [ADDED.name]: ADDED.value },
      renames: from === to ? {} : { [from]: to },
    });
  };
  const there = await step(before, store, moved, false);
  assert.deepEqual(there.open, []);
  if (!isInvertible(language, model, refactoring)) return { before, after: there.all };
  const back = await step(there.all, moved, store, true);
  assert.deepEqual(back.all, before);
  return { before, after: there.all };
}

// ---- checkers

interface Checker {
  readonly command: string;
  readonly tools: readonly ToolName[];
  args(folder: string, files: readonly string[]): readonly string[];
  readonly error: RegExp;
}

const local = (name: string): string => join(process.cwd(), 'node_modules', '.bin', name);
const CHECKERS: Readonly<Record<LanguageId, Checker>> = {
  python: { command: local('pyright'), tools: [], args: (folder) => [folder], error: / error: /g },
  typescript: {
    command: local('tsc'),
    tools: [],
    args: (_, files) => [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--types',
      '',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      ...files,
    ],
    error: /error TS\d+/g,
  },
  java: {
    command: 'javac',
    tools: ['javac'],
    args: (folder, files) => ['-proc:none', '-encoding', 'UTF-8', '-d', join(folder, 'out'), ...files],
    error: /: error: /g,
  },
  csharp: {
    command: 'mcs',
    tools: ['mcs'],
    args: (folder, files) => ['-target:library', '-codepage:utf8', `-out:${join(folder, 'out.dll')}`, ...files],
    error: /: error CS\d+/g,
  },
};

/** Number of errors. */
function errorsIn(
  language: LanguageId,
  programs: readonly Files[],
): Promise<{ readonly count: number; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'refactored-'));
  const paths = programs.flatMap((files) =>
    Object.entries(files).map(([file, text]) => {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    }),
  );
  const { command, args, error } = CHECKERS[language];
  return new Promise((resolve, reject) => {
    execFile(command, args(folder, paths), { cwd: folder, maxBuffer: 1 << 26 }, (failure, out, err) => {
      rmSync(folder, { recursive: true, force: true });
      const output = out + err;
      if (failure !== null && failure.code === 'ENOENT') reject(new Error(`${command} is missing`));
      else resolve({ count: output.match(error)?.length ?? 0, output });
    });
  });
}

for (const language of ['python', 'typescript', 'java', 'csharp'] as const) {
  test(
    `random refactorings of random programs keep a checker content: ${language}`,
    needs(...CHECKERS[language].tools),
    async () => {
      const done: { before: Files; after: Files }[] = [];
      await fc.assert(
        fc.asyncProperty(models, refactorings, async (model, refactoring) => {
          done.push(await refactored(language, done.length, model, refactoring));
        }),
        { numRuns: RUNS, includeErrorInReport: true, seed: Number(process.env.SEED ?? 20240611) },
      );
      const before = await errorsIn(
        language,
        done.map((each) => each.before),
      );
      const after = await errorsIn(
        language,
        done.map((each) => each.after),
      );
      assert.equal(after.count, before.count, after.output);
    },
  );
}
