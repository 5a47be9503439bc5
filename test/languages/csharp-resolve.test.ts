/**
 * What C# names mean across files: namespaces, usings, global usings of a project, base order.
 * The hooks are asked directly, with a view of a few texts in place of a snapshot.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csharp } from '#src/languages/csharp/index.js';
import type { DeclRef, Entity, NameLookup, RepoView } from '#src/languages/language.js';
import { D, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../support/grammars.js';

const grammars = await testGrammars();
const summarise = (text: string): Summary => csharp.extract(grammars.parse('csharp', text), 'csharp');

/** A repository of texts with as much of a resolver as the hooks ask for. */
function lookupOf(files: Record<string, string>, configs: Record<string, string> = {}): NameLookup {
  const summaries = new Map(Object.entries(files).map(([path, source]) => [path, summarise(source)]));
  const paths = [...summaries.keys()].sort();
  const memos = new Map<string, unknown>();
  const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const repo: RepoView = {
    summary: (file) => summaries.get(file),
    hasFile: (file) => summaries.has(file),
    filesNamed: (base) => paths.filter((path) => baseOf(path) === base),
    filesDeclaring: (_language, wanted) =>
      paths.filter((path) => {
        const s = summaries.get(path) as Summary;
        return s.decls.declares(s.idOf(wanted));
      }),
    filesInPackage: (_language, wanted) =>
      paths.filter((path) =>
        namespacesIn(summaries.get(path) as Summary).some(
          (namespace) => namespace === wanted || namespace.startsWith(`${wanted}.`),
        ),
      ),
    filesOf: () => paths,
    hasDirectory: (dir) => paths.some((path) => path.startsWith(`${dir}/`)),
    config: (file) => configs[file],
    configsNamed: (base) =>
      Object.keys(configs)
        .filter((path) => (base.startsWith('*') ? path.endsWith(base.slice(1)) : baseOf(path) === base))
        .sort(),
    memoOfPlaces: <T>(_key: string, make: () => T): T => make(),
    memo: <T>(key: string, make: () => T): T => {
      if (!memos.has(key)) memos.set(key, make());
      return memos.get(key) as T;
    },
  };
  const member = (type: DeclRef, wanted: string): readonly Entity[] => {
    const s = summaries.get(type.file) as Summary;
    const row = s.idOf(wanted);
    return row < 0
      ? []
      : [...s.decls.inScope(s.decls.innerOf(type.decl), row)].map((decl) => ({ kind: 'decl', file: type.file, decl }));
  };
  return { repo, exported: () => [], topLevel: () => [], member };
}

function namespacesIn(s: Summary): string[] {
  const out: string[] = [];
  for (let d = 0; d < s.decls.count; d++) {
    if (s.decls.kindOf(d) !== D.namespace) continue;
    let full = s.decls.nameOf(d);
    for (let scope = s.decls.scopeOf(d); scope > 0; scope = s.scopes.parentOf(scope))
      full = `${s.decls.nameOf(s.scopes.ownerOf(scope))}.${full}`;
    out.push(full);
  }
  return out;
}

const FILES = {
  'src/a.cs':
    'namespace Shop.Core { public class Store { public class Part { } public static int Most; public int own; } partial class Split { } }',
  'src/b.cs':
    'namespace Shop { public class Item { } namespace Core { partial class Split { } } file class Hidden { } }',
  'src/user.cs': 'using Shop.Core;\nusing static Shop.Core.Store;\nnamespace App { class U { int M() => 1; } }',
  'src/nested.cs': 'namespace Shop.Core.Deep;\nusing System;\nclass N { int M() => 1; }',
  'src/globals.cs': 'global using Shop;\nglobal using Short = Shop.Core.Store;',
  'other/far.cs': 'class Far { int M() => 1; }',
};

/** Meanings in words, for a name used in the body of the method M of a file, or in any other method. */
function means(lookup: NameLookup, file: string, wanted: string): string[] {
  const s = lookup.repo.summary(file) as Summary;
  const scope = s.decls.innerOf(s.decls.named(s.idOf('M')).at(0) as number);
  return csharp
    .ambient(wanted, file, scope, lookup)
    .map((entity) => spell(lookup, entity))
    .sort();
}

function spell(lookup: NameLookup, entity: Entity): string {
  if (entity.kind === 'decl')
    return `${entity.file}:${(lookup.repo.summary(entity.file) as Summary).decls.pathOf(entity.decl)}`;
  return entity.kind === 'module' ? entity.file : `${entity.kind} ${entity.name}`;
}

test('a name is looked for in usings, enclosing namespaces and global usings of the project', () => {
  const lookup = lookupOf(FILES, {
    'src/app.csproj': '<Project><Using Include="Shop.Core" Alias="Core2" /></Project>',
    'other/far.csproj': '',
  });
  assert.deepEqual(means(lookup, 'src/user.cs', 'Store'), ['src/a.cs:Store'], 'using');
  assert.deepEqual(means(lookup, 'src/user.cs', 'Part'), ['src/a.cs:Store.Part'], 'nested type of using static');
  assert.deepEqual(means(lookup, 'src/user.cs', 'Most'), ['src/a.cs:Store.Most'], 'static member');
  assert.deepEqual(means(lookup, 'src/user.cs', 'own'), [], 'an instance member is not brought');
  assert.deepEqual(means(lookup, 'src/user.cs', 'Item'), ['src/b.cs:Item'], 'global using');
  assert.deepEqual(means(lookup, 'src/user.cs', 'Short'), ['src/a.cs:Store'], 'global alias');
  assert.deepEqual(means(lookup, 'src/user.cs', 'Core2'), ['namespace Shop.Core'], 'alias of the project file');
  assert.deepEqual(means(lookup, 'src/user.cs', 'Shop'), ['namespace Shop']);
  assert.deepEqual(means(lookup, 'src/user.cs', 'Split'), ['src/a.cs:Split', 'src/b.cs:Split'], 'all parts');
  assert.deepEqual(means(lookup, 'src/nested.cs', 'Store'), ['src/a.cs:Store'], 'a namespace around');
  assert.deepEqual(means(lookup, 'src/nested.cs', 'Core'), ['namespace Shop.Core']);
  assert.deepEqual(means(lookup, 'src/nested.cs', 'Hidden'), ['external Hidden'], 'a file type is not seen elsewhere');
  assert.deepEqual(means(lookup, 'other/far.cs', 'Item'), [], 'another project');
  assert.deepEqual(means(lookup, 'other/far.cs', 'string'), ['external string']);
});

test('modules are namespaces, types, or from outside', () => {
  const lookup = lookupOf(FILES);
  const module = (specifier: string, from = 'src/user.cs'): string[] =>
    csharp.resolveModule(specifier, from, lookup).map((entity) => spell(lookup, entity));
  assert.deepEqual(module('Shop.Core'), ['namespace Shop.Core']);
  assert.deepEqual(module('Shop.Core.Store'), ['src/a.cs:Store']);
  assert.deepEqual(module('Shop.Core.Store.Part'), ['src/a.cs:Store.Part']);
  assert.deepEqual(module('Core.Store', 'src/nested.cs'), ['src/a.cs:Store']);
  assert.deepEqual(module('Shop.Missing'), []);
  assert.deepEqual(module('System.Text'), ['external System.Text']);
  assert.deepEqual(module('.Far'), ['other/far.cs:Far']);
});

test('bases are searched class chain first, each once', () => {
  const refs = new Map(['D', 'C', 'B', 'I', 'J', 'K'].map((id, decl) => [id, { file: 'f', decl }] as const));
  const ref = (id: string): DeclRef => refs.get(id) as DeclRef;
  const bases: Record<number, string[]> = { 0: ['C', 'I'], 1: ['B', 'J'], 2: ['K'], 3: ['K'], 4: [], 5: [] };
  const order = csharp.baseOrder(ref('D'), (type) => (bases[type.decl] ?? []).map(ref));
  assert.deepEqual(
    order.map((type) => [...refs].find(([, r]) => r === type)?.[0]),
    ['C', 'B', 'K', 'I', 'J'],
  );
});

test('a base that derives from its own type does not hang', () => {
  const a = { file: 'f', decl: 0 };
  const b = { file: 'f', decl: 1 };
  assert.deepEqual(
    csharp.baseOrder(a, (type) => [type.decl === 0 ? b : a]),
    [b],
  );
});
