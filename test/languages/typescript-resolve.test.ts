/**
 * Where TypeScript and JavaScript find modules and global names, on small repositories given as
 * texts by path.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { DeclRef, Entity, NameLookup, RepoView } from '#src/languages/language.js';
import { parseLoose } from '#src/languages/typescript/configuration.js';
import { typescript } from '#src/languages/typescript/index.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { D, F, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../support/grammars.js';

let grammars: Grammars;
before(async () => {
  grammars = await testGrammars();
});

/** A repository view over texts; what ends in `.json` is configuration. */
function lookupOver(texts: Readonly<Record<string, string>>): NameLookup {
  const summaries = new Map<string, Summary>();
  const configs = new Map<string, string>();
  for (const [path, text] of Object.entries(texts)) {
    if (path.endsWith('.json')) configs.set(path, text);
    else {
      const grammar = typescript.grammarFor(path);
      summaries.set(path, typescript.extract(grammars.parse(grammar, text), grammar));
    }
  }
  const files = [...summaries.keys()].sort();
  const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const memos = new Map<string, unknown>();
  const repo: RepoView = {
    summary: (file) => summaries.get(file),
    hasFile: (file) => summaries.has(file),
    filesNamed: (name) => files.filter((file) => base(file) === name),
    filesDeclaring: (_, name) =>
      files.filter((file) =>
        [...Array((summaries.get(file) as Summary).decls.count).keys()].some(
          (d) => (summaries.get(file) as Summary).decls.nameOf(d) === name,
        ),
      ),
    filesInPackage: () => [],
    filesOf: () => files,
    hasDirectory: (dir) => files.some((file) => file.startsWith(`${dir}/`)),
    config: (file) => configs.get(file),
    configsNamed: (name) => [...configs.keys()].filter((file) => base(file) === name).sort(),
    memoOfPlaces: <T>(_key: string, make: () => T): T => make(),
    memo: <T>(key: string, make: () => T): T => {
      if (!memos.has(key)) memos.set(key, make());
      return memos.get(key) as T;
    },
  };
  const topLevel = (file: string, name: string): Entity[] => {
    const summary = summaries.get(file);
    const row = summary === undefined ? -1 : summary.idOf(name);
    return summary === undefined || row < 0
      ? []
      : [...summary.decls.inScope(0, row)].map((decl) => ({ kind: 'decl', file, decl }));
  };
  return { repo, topLevel, exported: topLevel, member: () => [] };
}

const shown = (entities: readonly Entity[], lookup: NameLookup): string[] =>
  entities.map((entity) => {
    switch (entity.kind) {
      case 'module':
        return entity.file;
      case 'decl':
        return `${entity.file}#${(lookup.repo.summary(entity.file) as Summary).decls.nameOf(entity.decl)}`;
      default:
        return `${entity.kind} ${entity.name}`;
    }
  });

function modules(texts: Readonly<Record<string, string>>, from: string, ...specifiers: readonly string[]): string[][] {
  const lookup = lookupOver(texts);
  return specifiers.map((specifier) => shown(typescript.resolveModule(specifier, from, lookup), lookup));
}

describe('relative specifiers', () => {
  it('find files with any ending, with the ending of the output, and directories', () => {
    const texts = {
      'src/a.ts': '',
      'src/b.tsx': '',
      'src/c/index.ts': '',
      'src/d.js': '',
      'src/e.mts': '',
      'src/f.d.ts': '',
      'src/a.service.ts': '',
      'src/g.js': '',
      'src/g.ts': '',
      'index.ts': '',
      'src/deep/main.ts': '',
    };
    assert.deepEqual(
      modules(
        texts,
        'src/main.ts',
        './a',
        './a.js',
        './b',
        './b.jsx',
        './c',
        './c/index.js',
        './d',
        './e.mjs',
        './f',
        './a.service',
        './g.js',
        '..',
        './nothing',
        './style.css',
      ),
      [
        ['src/a.ts'],
        ['src/a.ts'],
        ['src/b.tsx'],
        ['src/b.tsx'],
        ['src/c/index.ts'],
        ['src/c/index.ts'],
        ['src/d.js'],
        ['src/e.mts'],
        ['src/f.d.ts'],
        ['src/a.service.ts'],
        ['src/g.ts'],
        ['index.ts'],
        [],
        ['external ./style.css'],
      ],
    );
    assert.deepEqual(modules(texts, 'src/deep/x.ts', '../a', '../../index', './main.js'), [
      ['src/a.ts'],
      ['index.ts'],
      ['src/deep/main.ts'],
    ]);
  });
});

describe('configuration', () => {
  it('maps paths of the nearest configuration, extended and with comments', () => {
    const texts = {
      'tsconfig.base.json':
        '\ufeff{ // shared\n "compilerOptions": { "baseUrl": ".", /* all */ "paths": { "@app/*": ["src/app/*"], "@app/special": ["src/odd.ts",], "~": ["src/index.ts"] }, }, }',
      'packages/web/tsconfig.json': '{ "extends": "../../tsconfig.base" }',
      'other/tsconfig.json': '{ "compilerOptions": { "baseUrl": "lib" } }',
      'parts/tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'parts/tsconfig.app.json': '{ "compilerOptions": { "paths": { "#lib/*": ["./lib/*"] } } }',
      'src/app/x.ts': '',
      'src/odd.ts': '',
      'src/index.ts': '',
      'other/lib/y.ts': '',
      'parts/lib/z.ts': '',
    };
    assert.deepEqual(modules(texts, 'packages/web/src/a.ts', '@app/x', '@app/special', '~', '@app/none', 'react'), [
      ['src/app/x.ts'],
      ['src/odd.ts'],
      ['src/index.ts'],
      ['external @app/none'],
      ['external react'],
    ]);
    assert.deepEqual(modules(texts, 'other/a.ts', 'y', '@app/x'), [['other/lib/y.ts'], ['external @app/x']]);
    assert.deepEqual(modules(texts, 'parts/a.ts', '#lib/z'), [['parts/lib/z.ts']]);
  });

  it('finds packages of the repository, built output mapped back to source', () => {
    const texts = {
      'packages/core/package.json': '{ "name": "@org/core", "main": "./dist/index.js", "types": "./dist/index.d.ts" }',
      'packages/core/src/index.ts': '',
      'packages/core/src/util/text.ts': '',
      'packages/sub/package.json':
        '{ "name": "sub", "exports": { ".": { "types": "./lib/types/main.d.ts", "import": "./lib/esm/main.js" }, "./features/*": "./dist/features/*.js", "./exact": { "@org/source": "./src/exact.ts", "default": "./exact.js" } }, "imports": { "#inner/*": "./dist/inner/*.js" } }',
      'packages/sub/src/main.ts': '',
      'packages/sub/src/features/one.ts': '',
      'packages/sub/src/exact.ts': '',
      'packages/sub/src/inner/deep.ts': '',
      'packages/flat/package.json': '{ "name": "flat" }',
      'packages/flat/index.js': '',
      'packages/flat/extra.js': '',
      'packages/gone/package.json': '{ "name": "gone", "main": "x.js" }',
    };
    assert.deepEqual(
      modules(
        texts,
        'app/a.ts',
        '@org/core',
        '@org/core/util/text',
        'sub',
        'sub/features/one',
        'sub/exact',
        'flat',
        'flat/extra',
        'gone',
        '@org/none',
      ),
      [
        ['packages/core/src/index.ts'],
        ['packages/core/src/util/text.ts'],
        ['packages/sub/src/main.ts'],
        ['packages/sub/src/features/one.ts'],
        ['packages/sub/src/exact.ts'],
        ['packages/flat/index.js'],
        ['packages/flat/extra.js'],
        [],
        ['external @org/none'],
      ],
    );
    assert.deepEqual(modules(texts, 'packages/sub/src/main.ts', '#inner/deep'), [['packages/sub/src/inner/deep.ts']]);
  });

  it('reads JSON with comments and trailing commas, and nothing from what is no JSON', () => {
    assert.deepEqual(parseLoose('{ "a": "// no /* comment", "b": [1, 2,], // c\n "c": ",}", }'), {
      a: '// no /* comment',
      b: [1, 2],
      c: ',}',
    });
    assert.deepEqual(parseLoose('{ broken'), {});
    assert.deepEqual(parseLoose('[1]'), {});
  });
});

describe('modules that are something else', () => {
  it('are what `export =` names besides themselves', () => {
    const texts = { 'a.ts': 'class A {} export = A;', 'b.js': 'function b() {} module.exports = b;' };
    assert.deepEqual(modules(texts, 'm.ts', './a', './b'), [
      ['a.ts#A', 'a.ts'],
      ['b.js#b', 'b.js'],
    ]);
  });

  it('are declared by `declare module`', () => {
    const texts = {
      'types.d.ts': "declare module 'plain-lib' { export const x: number; }",
      'other.ts': 'declare const plain: string; namespace lib { } export {};',
    };
    assert.deepEqual(modules(texts, 'm.ts', 'plain-lib', 'lib'), [['types.d.ts#plain-lib'], ['external lib']]);
  });
});

describe('names that no scope declares', () => {
  const texts = {
    'globals.d.ts': 'declare const VERSION: string; interface Array<T> { own(): T }',
    'augment.ts': 'export {}; declare global { interface Window { app: App } var app: App; } export interface App {}',
    'page.js': 'var shared = 1;',
    'page2.js': 'shared;',
    'module.ts': 'export const hidden = 1;',
    'merged.ts': 'export namespace N { export const a = 1; } export namespace N { export const b = a; }',
  };
  const means = (name: string, from: string, scope = 0): string[] => {
    const lookup = lookupOver(texts);
    return shown(typescript.ambient(name, from, scope, lookup), lookup);
  };

  it('are globals of the repository or come from outside', () => {
    assert.deepEqual(means('VERSION', 'module.ts'), ['globals.d.ts#VERSION']);
    assert.deepEqual(means('app', 'module.ts'), ['augment.ts#app']);
    assert.deepEqual(means('hidden', 'augment.ts'), ['external hidden']);
    assert.deepEqual(means('Array', 'module.ts'), ['external Array']);
    assert.deepEqual(means('shared', 'page2.js'), ['page.js#shared']);
    assert.deepEqual(means('shared', 'module.ts'), ['external shared']);
    assert.deepEqual(means('App', 'module.ts'), ['external App']);
  });

  it('may be members of another block of the namespace around', () => {
    const summary = lookupOver(texts).repo.summary('merged.ts') as Summary;
    const second = [...Array(summary.decls.count).keys()].filter(
      (d) => summary.decls.kindOf(d) === D.namespace,
    )[1] as number;
    assert.deepEqual(means('a', 'merged.ts', summary.decls.innerOf(second)), ['merged.ts#a']);
  });
});

describe('classes', () => {
  it('search bases depth first, each once', () => {
    const bases: Readonly<Record<number, readonly number[]>> = { 0: [1, 2], 1: [3], 2: [3, 4], 3: [0], 4: [] };
    const ref = (decl: number): DeclRef => ({ file: 'a.ts', decl });
    assert.deepEqual(
      typescript.baseOrder(ref(0), (type) => (bases[type.decl] ?? []).map(ref)).map((type) => type.decl),
      [1, 3, 2, 4],
    );
  });

  it('have private members by modifier or by name', () => {
    assert.deepEqual(
      [typescript.isPrivate('#x', 0), typescript.isPrivate('x', F.private), typescript.isPrivate('_x', 0)],
      [true, true, false],
    );
  });
});
