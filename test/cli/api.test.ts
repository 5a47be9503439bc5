/** A library at two versions and those who use it: `api`, `api diff`, `impact --change`, `propagate --change`. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { apiDescriptor, changeFile, type ChangeFile } from '#protocol/api.js';
import { impactReport } from '#protocol/impact.js';
import { propagateReport } from '#protocol/propagate.js';
import { home, type Home } from '../support/program.js';
import { repository } from '../support/git-repository.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

type Files = Readonly<Record<string, string>>;

interface Pair {
  readonly from: Files;
  readonly to: Files;
  readonly user: Files;
  /** What `api diff` says. */
  readonly changes: readonly string[];
  /** What `impact --change` says in the user. */
  readonly affected: readonly string[];
  /** What it says of uses in files that nothing of the library comes to, where there are any. */
  readonly unsearched?: { readonly names: readonly string[]; readonly uses: number; readonly files: number };
  /** The user's files after `propagate --change --apply`, where rules carry all of it. */
  readonly after: Files;
}

const PAIRS: Readonly<Record<string, Pair>> = {
  python: {
    from: {
      'pyproject.toml': '[project]\nname = "shop"\nversion = "1.0"\n',
      'src/shop/__init__.py': 'from ._store import Store\n',
      'src/shop/_store.py':
        'class Store:\n    def put(self, key, value):\n        self._log(key)\n\n    def _log(self, key):\n        print(key)\n',
      'tests/test_store.py': 'from shop import Store\n\ndef test_put():\n    Store().put(1, 2)\n',
    },
    to: {
      'pyproject.toml': '[project]\nname = "shop"\nversion = "2.0"\n',
      'src/shop/__init__.py': 'from ._store import Store\n',
      'src/shop/_store.py':
        'class Store:\n    def insert(self, key, value):\n        self._log(key, value)\n\n    def _log(self, key, value):\n        print(key)\n',
    },
    user: {
      'pyproject.toml': '[project]\nname = "user"\ndependencies = [\n  "Shop >=1.0,<2",  # the shop\n]\n',
      'job.py':
        'from shop import Store\n\n\ndef save(store: Store):\n    store.put("a", 1)\n\n\ndef other():\n    return 1\n',
      // A fixture may hand an object of the library to it.
      'test_job.py': 'def test_job(store):\n    store.put("a", 1)\n    store.put("b", 2)\n',
      'late.py': 'from importlib import import_module\n\n\ndef late():\n    import_module("shop").Store().put(1, 2)\n',
    },
    changes: ['breaks shop.Store.put shop.Store.insert'],
    affected: ['job.py save breaks certain', 'late.py late breaks certain'],
    unsearched: { names: ['put'], uses: 2, files: 1 },
    after: {
      'pyproject.toml': '[project]\nname = "user"\ndependencies = [\n  "Shop >=2.0,<3",  # the shop\n]\n',
      'job.py':
        'from shop import Store\n\n\ndef save(store: Store):\n    store.insert("a", 1)\n\n\ndef other():\n    return 1\n',
    },
  },
  typescript: {
    from: {
      'package.json': '{"name": "shop", "version": "1.0.0", "main": "dist/index.js", "scripts": {"x": "y"}}',
      'src/index.ts': "export { Store } from './store.js';\n",
      'src/store.ts':
        'export class Store {\n  put(key: string): void {}\n  private look(): void {}\n}\nexport const inner = 1;\n',
    },
    to: {
      'package.json': '{"name": "shop", "version": "2.0.0", "main": "dist/index.js"}',
      'src/index.ts': "export { Store } from './store.js';\n",
      'src/store.ts': 'export class Store {\n  insert(key: string): void {}\n}\nexport const inner = 2;\n',
    },
    user: {
      'package.json': '{"name": "user", "dependencies": {"shop": "^1.0.0"}}',
      'job.ts': "import { Store } from 'shop';\nexport function save(store: Store): void {\n  store.put('a');\n}\n",
      // Nothing of the library comes here.
      'other.ts': 'export const other = (map: any): void => map.put(1);\n',
    },
    changes: ['breaks Store.put Store.insert'],
    affected: ['job.ts save breaks certain'],
    unsearched: { names: ['put'], uses: 1, files: 1 },
    after: {
      'package.json': '{"name": "user", "dependencies": {"shop": "^2.0.0"}}',
      'job.ts': "import { Store } from 'shop';\nexport function save(store: Store): void {\n  store.insert('a');\n}\n",
    },
  },
  java: {
    from: {
      'pom.xml': '<project><groupId>org.shop</groupId><artifactId>shop</artifactId><version>1.0</version></project>',
      'src/main/java/shop/Store.java':
        'package shop;\n\npublic class Store {\n    public void put(String key) { look(); }\n    void look() {}\n}\n',
    },
    to: {
      'pom.xml': '<project><groupId>org.shop</groupId><artifactId>shop</artifactId><version>2.0</version></project>',
      'src/main/java/shop/Store.java':
        'package shop;\n\npublic class Store {\n    public void insert(String key) { look(1); }\n    void look(int at) {}\n}\n',
    },
    user: {
      'pom.xml':
        '<project>\n  <properties><shop.version>1.0</shop.version></properties>\n  <dependencies>\n    <dependency>\n      <groupId>org.shop</groupId>\n      <artifactId>shop</artifactId>\n      <version>${shop.version}</version>\n    </dependency>\n  </dependencies>\n</project>\n',
      'src/Job.java':
        'package user;\n\nimport shop.Store;\n\nclass Job {\n    void save(Store store) {\n        store.put("a");\n    }\n}\n',
    },
    changes: ['breaks shop.Store.put shop.Store.insert'],
    affected: ['src/Job.java Job.save breaks certain'],
    after: {
      'pom.xml':
        '<project>\n  <properties><shop.version>2.0</shop.version></properties>\n  <dependencies>\n    <dependency>\n      <groupId>org.shop</groupId>\n      <artifactId>shop</artifactId>\n      <version>${shop.version}</version>\n    </dependency>\n  </dependencies>\n</project>\n',
      'src/Job.java':
        'package user;\n\nimport shop.Store;\n\nclass Job {\n    void save(Store store) {\n        store.insert("a");\n    }\n}\n',
    },
  },
  csharp: {
    from: {
      'Shop.csproj':
        '<Project><PropertyGroup><PackageId>Shop</PackageId><Version>1.0</Version></PropertyGroup></Project>',
      'Store.cs':
        'namespace Shop;\n\npublic class Store\n{\n    public void Put(string key) { }\n    internal void Look() { }\n}\n\nclass Hidden { public void Do() { } }\n',
    },
    to: {
      'Shop.csproj':
        '<Project><PropertyGroup><PackageId>Shop</PackageId><Version>2.0</Version></PropertyGroup></Project>',
      'Store.cs':
        'namespace Shop;\n\npublic class Store\n{\n    public void Insert(string key) { }\n    internal void Look(int at) { }\n}\n\nclass Hidden { }\n',
    },
    user: {
      'User.csproj':
        '<Project Sdk="Microsoft.NET.Sdk">\n  <ItemGroup>\n    <PackageReference Include="shop" Version="1.0" />\n  </ItemGroup>\n</Project>\n',
      'Job.cs':
        'using Shop;\n\nnamespace User;\n\nclass Job\n{\n    void Save(Store store)\n    {\n        store.Put("a");\n    }\n}\n',
    },
    changes: ['breaks Shop.Store.Put Shop.Store.Insert'],
    affected: ['Job.cs Job.Save breaks certain'],
    after: {
      'User.csproj':
        '<Project Sdk="Microsoft.NET.Sdk">\n  <ItemGroup>\n    <PackageReference Include="shop" Version="2.0" />\n  </ItemGroup>\n</Project>\n',
      'Job.cs':
        'using Shop;\n\nnamespace User;\n\nclass Job\n{\n    void Save(Store store)\n    {\n        store.Insert("a");\n    }\n}\n',
    },
  },
};

function folderOf(t: TestContext, files: Files): string {
  const folder = temporaryFolder(t);
  writeFiles(folder, files);
  return folder;
}

async function changeBetween(
  t: TestContext,
  { run }: Home,
  from: Files,
  to: Files,
): Promise<{ path: string; code: number | null }> {
  const path = join(temporaryFolder(t), 'change.json');
  const { code, stderr } = await run(folderOf(t, {}), 'api', 'diff', folderOf(t, from), folderOf(t, to), '--out', path);
  assert.ok(code === 0 || code === 1, stderr);
  return { path, code };
}

for (const [language, { from, to, user, changes, affected, unsearched, after }] of Object.entries(PAIRS))
  test(`${language}: what a library changed is found and carried out in what uses it`, async (t) => {
    const there = home(t);
    const { path, code } = await changeBetween(t, there, from, to);
    const change = changeFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    assert.deepEqual(
      change.changes.map(({ tier, name, newName }) => [tier, name, newName ?? ''].join(' ').trim()),
      changes,
    );
    assert.equal(code, 1, 'a release that breaks');
    assert.deepEqual(
      change.packages.map((each) => [each.from?.slice(0, 3), each.to?.slice(0, 3)]),
      [['1.0', '2.0']],
    );
    assert.ok(!JSON.stringify(change).includes('tests/'), "tests are nobody else's");
    const root = repository(t, user);
    const found = await there.run(root, 'impact', '--change', path, '--json');
    assert.equal(found.code, 1, found.stderr);
    const report = impactReport.parse(JSON.parse(found.stdout));
    assert.deepEqual(
      report.affected.map((entry) => `${entry.file} ${entry.block} ${entry.tier} ${entry.confidence}`),
      affected,
    );
    assert.deepEqual(report.unsearched, unsearched);
    assert.ok(!found.stdout.includes('<outside>'));
    const made = await there.run(
      root,
      'propagate',
      '--change',
      path,
      '--model',
      'none',
      '--no-oracle',
      '--apply',
      '--json',
    );
    assert.equal(made.code, 0, made.stdout + made.stderr);
    assert.deepEqual(propagateReport.parse(JSON.parse(made.stdout)).unsearched, unsearched);
    for (const [file, text] of Object.entries(after)) assert.equal(readFileSync(join(root, file), 'utf8'), text);
    assert.equal((await there.run(root, 'undo')).code, 0);
    for (const [file, text] of Object.entries(user)) assert.equal(readFileSync(join(root, file), 'utf8'), text);
  });

test('an import of what the change file does not describe is undecided', async (t) => {
  const there = home(t);
  const { from, to, user } = PAIRS['typescript'] as Pair;
  const withDeep = { ...from, 'src/util/deep.ts': 'export const deep = 1;\n' };
  const root = repository(t, {
    ...user,
    'deep.ts':
      "import { deep } from 'shop/dist/util/deep';\nimport other from 'shopping/dist/x';\nexport default deep;\n",
  });
  // Also where nothing that the library offers has changed.
  for (const next of [to, from]) {
    const { path } = await changeBetween(t, there, withDeep, next);
    const { stdout, code } = await there.run(root, 'impact', '--change', path, '--json');
    const { undecided } = impactReport.parse(JSON.parse(stdout));
    assert.equal(code, 1);
    assert.deepEqual(
      undecided.map(({ file, line, reason }) => `${file}:${line} ${reason}`),
      ["deep.ts:1 shop/dist/util/deep is no path that the library's change file describes"],
    );
  }
});

test('two versions that are the same to their users break nobody', async (t) => {
  const there = home(t);
  const { from } = PAIRS['python'] as Pair;
  const to = { ...from, 'src/shop/_store.py': `${from['src/shop/_store.py'] as string}\n\ndef _more():\n    pass\n` };
  const { path, code } = await changeBetween(t, there, from, to);
  assert.equal(code, 0);
  assert.equal((JSON.parse(readFileSync(path, 'utf8')) as ChangeFile).changes.length, 0);
});

test('a change file of an earlier version, which does not say its places, is read as well', async (t) => {
  const there = home(t);
  const { from, to } = PAIRS['csharp'] as Pair;
  const { path } = await changeBetween(t, there, from, to);
  const { places, ...earlier } = changeFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  assert.ok(places !== undefined && places.length > 0);
  const user = folderOf(t, {
    'User.csproj': '<Project><ItemGroup><PackageReference Include="Other" Version="1" /></ItemGroup></Project>',
    'A.cs': 'namespace User { class A { } }\n',
  });
  const old = join(temporaryFolder(t), 'old.json');
  writeFileSync(old, JSON.stringify(earlier));
  const said = async (change: string): Promise<unknown> => {
    const { stdout, code } = await there.run(user, 'impact', '--change', change, '--json');
    assert.equal(code, 0);
    return { ...impactReport.parse(JSON.parse(stdout)), base: '' };
  };
  assert.deepEqual(await said(path), await said(old));
});

test('a descriptor is as good as the folder, and bad input says what to do', async (t) => {
  const there = home(t);
  const { from, to } = PAIRS['python'] as Pair;
  const [old, now] = [folderOf(t, from), folderOf(t, to)];
  const descriptor = join(temporaryFolder(t), 'shop.json');
  const described = await there.run(old, 'api', '--out', descriptor);
  assert.equal(described.code, 0, described.stderr);
  assert.match(described.stdout, /^class shop\.Store {2}class Store:$/mu);
  const { names } = apiDescriptor.parse(JSON.parse(readFileSync(descriptor, 'utf8')));
  assert.deepEqual(
    names.map(({ name }) => name),
    ['shop.Store', 'shop.Store.put'],
  );
  const direct = await there.run(old, 'api', 'diff', old, now, '--json');
  const through = await there.run(old, 'api', 'diff', descriptor, now, '--json');
  assert.equal(through.stdout, direct.stdout);
  assert.equal((await there.run(old, 'api', 'diff', old, now, '--fail-on', 'never')).code, 0);
  const nowhere = await there.run(old, 'api', 'diff', 'nowhere', now);
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /nowhere does not exist; give a folder/u);
  const wrong = await there.run(old, 'impact', '--change', descriptor);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /cannot be read as a change file: .*make one with codeplan api diff/u);
  const both = await there.run(old, 'impact', '--change', descriptor, '--base', 'HEAD');
  assert.equal(both.code, 2);
});
