/**
 * A library at two versions and repositories that use it, in each language, with the right answer for each: used
 * directly, through another package that derives from it or hands it on, not at all, at an older version, by a call that
 * needs a value; and repositories that are dirty, broken or hostile.
 *
 * The new version calls `put` `insert` and lets `load` take one more argument.
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, initRepository } from './git-repository.js';
import { writeFiles } from './temporary-folder.js';

export type Files = Readonly<Record<string, string>>;

export interface Consumer {
  readonly name: string;
  readonly files: Files;
  /** The state that it ends in, and files of its branch. */
  readonly state: 'checked' | 'proposed' | 'not-affected' | 'needs-value' | 'needs-person';
  readonly reason?: RegExp;
  readonly after?: Files;
}

export interface SyntheticFleet {
  readonly from: Files;
  readonly to: Files;
  readonly consumers: readonly Consumer[];
  /** What `load` is to be given. */
  readonly value: string;
}

/** How a language writes what the consumers have in common. */
interface Writing {
  readonly library: (put: string, more: string, version: string) => Files;
  readonly manifest: (name: string, uses: string, version: string | undefined) => Files;
  /** A caller of `put` of a class of that package. */
  readonly caller: (from: string, type: string, put: string) => Files;
  /** A package that hands the library's class on, and a caller that knows it from there alone. */
  readonly front: Files;
  readonly behind: (front: string, put: string) => Files;
  readonly loader: (more: string) => Files;
  /** A package with a class `Own` of its own, derived from the library's, that overrides `put`. */
  readonly derived: (put: string) => Files;
  readonly jobFile: string;
  readonly versions: {
    readonly follows: string;
    readonly followed: string;
    readonly pinned: string;
    readonly any: string;
  };
  readonly value: string;
}

/** Of a package of which there are several copies, where their module has one name. */
const moduleOf = (name: string): string => name.replace(/-.*/u, '');

const PYTHON: Writing = {
  library: (put, more, version) => ({
    'pyproject.toml': `[project]\nname = "shop"\nversion = "${version}"\n`,
    'shop/__init__.py': `class Store:\n    def ${put}(self, key):\n        self._key = key\n\n    def load(self, name${more}):\n        return name\n`,
  }),
  manifest: (name, uses, version) => ({
    'pyproject.toml': `[project]\nname = "${name}"\nversion = "1.0"\ndependencies = [\n  "${uses}${version ?? ''}",  # kept\n]\n`,
  }),
  caller: (from, type, put) => ({
    'job.py': `from ${moduleOf(from)} import ${type}\n\n\ndef save(store: ${type}):\n    store.${put}("a")\n`,
  }),
  front: { 'front/__init__.py': "from shop import Store\n\n__all__ = ['Store']\n" },
  behind: (front, put) => PYTHON.caller(front, 'Store', put),
  jobFile: 'job.py',
  loader: (more) => ({
    'job.py': `from shop import Store\n\n\ndef read(store: Store):\n    return store.load("a"${more})\n`,
  }),
  derived: (put) => ({
    'own/__init__.py': `from shop import Store\n\n\nclass Own(Store):\n    def ${put}(self, key):\n        super().${put}(key)\n`,
  }),
  versions: { follows: '>=1.0.0,<2', followed: '>=2.0.0,<3', pinned: '==0.9.0', any: '>=0.1' },
  value: '"r"',
};

const TYPESCRIPT: Writing = {
  library: (put, more, version) => ({
    'package.json': `{"name": "shop", "version": "${version}", "main": "dist/index.js"}`,
    'src/index.ts': "export { Store } from './store.js';\n",
    'src/store.ts': `export class Store {\n  ${put}(key: string): void {}\n  load(name: string${more === '' ? '' : ', mode: string'}): string {\n    return name;\n  }\n}\n`,
  }),
  manifest: (name, uses, version) => ({
    'package.json': `{\n  "name": "${name}",\n  "version": "1.0.0",\n  "main": "dist/index.js",\n  "dependencies": { "${uses}": "${version ?? '*'}" }\n}\n`,
  }),
  caller: (from, type, put) => ({
    'job.ts': `import { ${type} } from '${from}';\n\nexport function save(store: ${type}): void {\n  store.${put}('a');\n}\n`,
  }),
  front: { 'src/index.ts': "export { Store } from 'shop';\n" },
  behind: (front, put) => TYPESCRIPT.caller(front, 'Store', put),
  jobFile: 'job.ts',
  loader: (more) => ({
    'job.ts': `import { Store } from 'shop';\n\nexport function read(store: Store): string {\n  return store.load('a'${more});\n}\n`,
  }),
  derived: (put) => ({
    'src/index.ts': `import { Store } from 'shop';\n\nexport class Own extends Store {\n  ${put}(key: string): void {\n    super.${put}(key);\n  }\n}\n`,
  }),
  versions: { follows: '^1.0.0', followed: '^2.0.0', pinned: '0.9.0', any: '*' },
  value: "'r'",
};

const pom = (group: string, name: string, version: string, inside = ''): string =>
  `<project>\n  <groupId>${group}</groupId>\n  <artifactId>${name}</artifactId>\n  <version>${version}</version>\n${inside}</project>\n`;

const JAVA: Writing = {
  library: (put, more, version) => ({
    'pom.xml': pom('org.shop', 'shop', version),
    'src/main/java/shop/Store.java': `package shop;\n\npublic class Store {\n    public void ${put}(String key) {}\n\n    public String load(String name${more === '' ? '' : ', String mode'}) {\n        return name;\n    }\n}\n`,
  }),
  manifest: (name, uses, version) => ({
    'pom.xml': pom(
      'org.user',
      name,
      '1.0',
      `  <dependencies>\n    <dependency>\n      <groupId>${/^(?:own|front)/u.test(uses) ? 'org.user' : `org.${uses}`}</groupId>\n      <artifactId>${uses}</artifactId>\n      <version>${version ?? '1.0'}</version>\n    </dependency>\n  </dependencies>\n`,
    ),
  }),
  caller: (from, type, put) => ({
    'src/main/java/user/Job.java': `package user;\n\nimport ${moduleOf(from)}.${type};\n\nclass Job {\n    void save(${type} store) {\n        store.${put}("a");\n    }\n}\n`,
  }),
  front: {
    'src/main/java/front/Front.java': `package front;\n\nimport shop.Store;\n\npublic class Front {\n    public static Store store() {\n        return new Store();\n    }\n}\n`,
  },
  behind: (_front, put) => ({
    'src/main/java/user/Job.java': `package user;\n\nimport front.Front;\n\nclass Job {\n    void save() {\n        Front.store().${put}("a");\n    }\n}\n`,
  }),
  jobFile: 'src/main/java/user/Job.java',
  loader: (more) => ({
    'src/main/java/user/Job.java': `package user;\n\nimport shop.Store;\n\nclass Job {\n    String read(Store store) {\n        return store.load("a"${more});\n    }\n}\n`,
  }),
  derived: (put) => ({
    'src/main/java/own/Own.java': `package own;\n\nimport shop.Store;\n\npublic class Own extends Store {\n    @Override\n    public void ${put}(String key) {\n        super.${put}(key);\n    }\n}\n`,
  }),
  versions: { follows: '1.0.0', followed: '2.0.0', pinned: '0.9.0', any: '1.0' },
  value: '"r"',
};

const project = (inside: string): string =>
  `<Project Sdk="Microsoft.NET.Sdk">\n  <PropertyGroup>\n${inside}  </PropertyGroup>\n`;

const CSHARP: Writing = {
  library: (put, more, version) => ({
    'Shop.csproj': `${project(`    <PackageId>Shop</PackageId>\n    <Version>${version}</Version>\n`)}</Project>\n`,
    'Store.cs': `namespace Shop;\n\npublic class Store\n{\n    public virtual void ${put}(string key) { }\n\n    public string load(string name${more === '' ? '' : ', string mode'}) { return name; }\n}\n`,
  }),
  manifest: (name, uses, version) => ({
    [`${name}.csproj`]: `${project(`    <PackageId>${name}</PackageId>\n`)}  <ItemGroup>\n    <PackageReference Include="${uses}" Version="${version ?? '1.0'}" />\n  </ItemGroup>\n</Project>\n`,
  }),
  caller: (from, type, put) => ({
    'Job.cs': `using ${from.startsWith('own') ? 'OwnSpace' : 'Shop'};\n\nnamespace User;\n\nclass Job\n{\n    void Save(${type} store)\n    {\n        store.${put}("a");\n    }\n}\n`,
  }),
  front: {
    'Front.cs': `using Shop;\n\nnamespace FrontSpace;\n\npublic static class Front\n{\n    public static Store Open() { return new Store(); }\n}\n`,
  },
  behind: (_front, put) => ({
    'Job.cs': `using FrontSpace;\n\nnamespace User;\n\nclass Job\n{\n    void Save()\n    {\n        Front.Open().${put}("a");\n    }\n}\n`,
  }),
  jobFile: 'Job.cs',
  loader: (more) => ({
    'Job.cs': `using Shop;\n\nnamespace User;\n\nclass Job\n{\n    string Read(Store store)\n    {\n        return store.load("a"${more});\n    }\n}\n`,
  }),
  derived: (put) => ({
    'Own.cs': `using Shop;\n\nnamespace OwnSpace;\n\npublic class Own : Store\n{\n    public override void ${put}(string key)\n    {\n        base.${put}(key);\n    }\n}\n`,
  }),
  versions: { follows: '1.0.0', followed: '2.0.0', pinned: '0.9.0', any: '1.0' },
  value: '"r"',
};

const WRITINGS = { python: PYTHON, typescript: TYPESCRIPT, java: JAVA, csharp: CSHARP } as const;
export type FleetLanguage = keyof typeof WRITINGS;
export const FLEET_LANGUAGES = Object.keys(WRITINGS) as FleetLanguage[];

const MORE: Readonly<Record<FleetLanguage, string>> = { python: ', mode', typescript: 'x', java: 'x', csharp: 'x' };

/** `copy`: behind the name of each repository and package but the library's. */
export function syntheticFleet(language: FleetLanguage, copy = ''): SyntheticFleet {
  const writing = WRITINGS[language];
  const { manifest, caller, loader, derived, front, behind, versions } = writing;
  const own = `own${copy}`;
  const between = `front${copy}`;
  const direct = (version: string, put: string): Files => ({
    ...manifest(`direct${copy}`, 'shop', version),
    ...caller('shop', 'Store', put),
  });
  return {
    from: writing.library('put', '', '1.0.0'),
    to: writing.library('insert', MORE[language], '2.0.0'),
    value: `mode=${writing.value}`,
    consumers: [
      {
        name: `direct${copy}`,
        files: direct(versions.follows, 'put'),
        state: 'checked',
        after: direct(versions.followed, 'insert'),
      },
      {
        name: own,
        files: { ...manifest(own, 'shop', versions.follows), ...derived('put') },
        state: 'checked',
        after: { ...manifest(own, 'shop', versions.followed), ...derived('insert') },
      },
      {
        name: `through${copy}`,
        files: { ...manifest(`through${copy}`, own, undefined), ...caller(own, 'Own', 'put') },
        state: 'checked',
        after: { ...manifest(`through${copy}`, own, undefined), ...caller(own, 'Own', 'insert') },
      },
      {
        name: between,
        files: { ...manifest(between, 'shop', versions.follows), ...front },
        state: 'checked',
        after: { ...manifest(between, 'shop', versions.followed), ...front },
      },
      {
        name: `behind${copy}`,
        files: { ...manifest(`behind${copy}`, between, undefined), ...behind(between, 'put') },
        state: 'checked',
        after: { ...manifest(`behind${copy}`, between, undefined), ...behind(between, 'insert') },
      },
      {
        name: `unused${copy}`,
        files: { ...manifest(`unused${copy}`, 'other', versions.any), ...caller('other', 'Store', 'put') },
        state: 'not-affected',
        reason: /no manifest names/u,
      },
      {
        name: `pinned${copy}`,
        files: { ...direct(versions.pinned, 'put') },
        state: 'not-affected',
        reason: /older than 1\.0\.0/u,
      },
      {
        name: `value${copy}`,
        files: { ...manifest(`value${copy}`, 'shop', versions.follows), ...loader('') },
        state: 'needs-value',
        reason: /need a value: mode/u,
        after: { ...manifest(`value${copy}`, 'shop', versions.followed), ...loader(`, ${writing.value}`) },
      },
    ],
  };
}

export type OddConsumer = Consumer & { readonly prepare: (root: string) => void };

/** Repositories that are not as they should be. `marker`: a file that appears if anything of a hostile one is run. */
export function oddConsumers(language: FleetLanguage, marker: string, copy = ''): readonly OddConsumer[] {
  const { manifest, caller, versions, jobFile } = WRITINGS[language];
  const files = { ...manifest(`odd${copy}`, 'shop', versions.follows), ...caller('shop', 'Store', 'put') };
  const after = { ...manifest(`odd${copy}`, 'shop', versions.followed), ...caller('shop', 'Store', 'insert') };
  const torn = (whole: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
    ...whole,
    [jobFile]: `${(whole[jobFile] ?? '').replace('("a")', '("a"').replace("('a')", "('a'")}\nclass (:\n`,
  });
  return [
    {
      name: `dirty${copy}`,
      files,
      state: 'needs-person',
      reason: /not committed/u,
      prepare: (root) => writeFileSync(join(root, jobFile), '\n', { flag: 'a' }),
    },
    { name: `broken${copy}`, files: torn(files), state: 'needs-person', prepare: () => undefined },
    { name: `hostile${copy}`, files, state: 'checked', after, prepare: (root) => makeHostile(root, marker) },
  ];
}

/** Everything that a checkout can name for git or for us to run. */
function makeHostile(root: string, marker: string): void {
  const program = join(root, '.git', 'evil');
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\ncat\n`);
  chmodSync(program, 0o755);
  const hooks = 'post-checkout pre-commit pre-receive update post-receive post-update reference-transaction pre-push';
  for (const hook of hooks.split(' ')) {
    mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(root, '.git', 'hooks', hook), `#!/bin/sh\ntouch '${marker}'\n`);
    chmodSync(join(root, '.git', 'hooks', hook), 0o755);
  }
  writeFiles(root, {
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
    'codeplan.json': JSON.stringify({ oracle: { command: [program], pattern: 'pyright' } }),
    '\u001b[2Jname.txt': 'x',
  });
  symlinkSync('/etc/passwd', join(root, 'passwd.txt'));
  git(root, 'add', '-A');
  git(root, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'evil');
  const settings = {
    'filter.evil.smudge': program,
    'filter.evil.clean': program,
    'core.fsmonitor': program,
    'core.sshCommand': program,
    'uploadpack.packObjectsHook': program,
    'diff.evil.textconv': program,
    'core.alternateRefsCommand': program,
  };
  for (const [name, value] of Object.entries(settings)) git(root, '-c', 'core.fsmonitor=', 'config', name, value);
}

/** Makes a repository for each, in a folder of its name. */
export function makeRepositories(folder: string, consumers: readonly Consumer[]): void {
  for (const { name, files } of consumers) {
    mkdirSync(join(folder, name), { recursive: true });
    initRepository(join(folder, name), files);
  }
}
