/** What manifests of each ecosystem say of a changed library, and how they follow it with their layout kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependenceOf, manifestEdits, usesOf, type ChangedPackage } from '#src/api/dependence.js';
import { isManifest } from '#src/api/dependencies/read.js';
import type { Ecosystem } from '#src/api/manifests.js';
import { versionsOf } from '#src/api/version-range.js';
import { applyEdits } from '#src/base/text-edit.js';

const NAMES: Readonly<Record<Ecosystem, string>> = {
  npm: '@org/shop',
  pypi: 'My_Shop',
  maven: 'org.shop:shop',
  nuget: 'Org.Shop',
};

interface Case {
  readonly title: string;
  readonly ecosystem: Ecosystem;
  /** What follows is written `[old→new]`. */
  readonly files: Readonly<Record<string, string>>;
  readonly says: string;
  /** Kind and standing of each use; with a star where something is left to do. */
  readonly uses: string;
}

const dep = (version: string): string =>
  `<dependency><groupId>org.shop</groupId><artifactId>shop</artifactId>${version}</dependency>`;
const pom = (inside: string): string => `<project>\n  ${inside}\n</project>\n`;
const net = (inside: string): string => `<Project>\n  <ItemGroup>\n    ${inside}\n  </ItemGroup>\n</Project>\n`;

/** The change goes from 1.2.0 to 2.0.0. */
const CASES: readonly Case[] = [
  {
    title: 'npm, a caret, in two sections',
    ecosystem: 'npm',
    files: {
      'package.json':
        '{\n\t"name": "x",\n\t"dependencies": { "other": "^1.0.0", "@org/shop": "[^1.0.0→^2.0.0]" },\n' +
        '\t"devDependencies": {"@org/shop":   "[~1.2.0→~2.0.0]"}\n}',
    },
    says: 'behind',
    uses: 'declared behind, declared behind',
  },
  {
    title: 'npm, short forms and stars',
    ecosystem: 'npm',
    files: {
      'a/package.json': '{"dependencies": {"@org/shop": "[^1→^2]"}}',
      'b/package.json': '{"dependencies": {"@org/shop": "[1.x→2.x]"}}',
      'c/package.json': '{"dependencies": {"mine": "npm:@org/shop@[^1.2→^2.0]"}}',
    },
    says: 'behind',
    uses: 'declared behind, declared behind, declared behind',
  },
  {
    title: 'npm, what the lock holds of its own is named, what others brought is not',
    ecosystem: 'npm',
    files: {
      'package.json': '{"dependencies": {"@org/shop": ">=1.0.0"}}',
      'package-lock.json': JSON.stringify({
        packages: {
          '': {},
          'node_modules/@org/shop': { version: '1.2.0' },
          'node_modules/a/node_modules/@org/shop': { version: '1.1.0' },
        },
      }),
    },
    says: 'behind',
    uses: 'declared behind, locked behind*',
  },
  {
    title: 'npm, taken already',
    ecosystem: 'npm',
    files: {
      'package.json': '{"dependencies": {"@org/shop": ">=1.0.0"}}',
      'yarn.lock': '"@org/shop@>=1.0.0":\n  version "2.0.1"\n',
    },
    says: 'ahead',
    uses: 'declared behind, locked ahead',
  },
  {
    title: 'npm, no version: a workspace, an address, a tag',
    ecosystem: 'npm',
    files: {
      'a/package.json': '{"dependencies": {"@org/shop": "workspace:*"}}',
      'b/package.json': '{"dependencies": {"@org/shop": "github:org/shop#main"}}',
      'c/package.json': '{"dependencies": {"@org/shop": "next"}}',
    },
    says: 'unknown',
    uses: 'declared unknown*, declared unknown*, declared unknown*',
  },
  {
    title: 'npm, held at what is older than the change',
    ecosystem: 'npm',
    files: { 'package.json': '{"dependencies": {"@org/shop": "1.1.4"}}' },
    says: 'pinned',
    uses: 'declared pinned',
  },
  {
    title: 'npm, not used',
    ecosystem: 'npm',
    files: { 'package.json': '{"dependencies": {"@org/shop-extra": "1.1.4"}, "name": "@org/shop"}' },
    says: 'none',
    uses: '',
  },
  {
    title: 'Python, Flit before PEP 621',
    ecosystem: 'pypi',
    files: {
      'pyproject.toml':
        '[tool.flit.metadata]\nrequires = [\n    "my-shop [>= 1.1, <1.9→>= 2.0.0, <2.1]",\n    "other"\n]\n' +
        '[tool.flit.metadata.requires-extra]\ntest = ["my-shop [==1.2.0→==2.0.0]"]\n',
    },
    says: 'behind',
    uses: 'declared behind, declared behind',
  },
  {
    title: 'Python, all that pyproject.toml may say, whatever the spelling of the name',
    ecosystem: 'pypi',
    files: {
      'pyproject.toml':
        '[project]\nname = "x"\ndependencies = ["my.shop[fast] [>=1.2,<2→>=2.0.0,<3] ; python_version > \'3\'"]\n\n' +
        "[dependency-groups]\ndev = ['my-shop[~=1.2→~=2.0.0]']\n\n" +
        '[tool.poetry.dependencies]\npython = "^3.9"\nmy-shop = { extras = ["a"], version = "[^1.2→^2.0.0]" } # shop\n',
    },
    says: 'behind',
    uses: 'declared behind, declared behind, declared behind',
  },
  {
    title: 'Python, lines of requirements, with hashes and without a version',
    ecosystem: 'pypi',
    files: {
      'requirements.txt': '-r other.txt\n# my-shop==1.0\nother==1.2.0\nmy_shop [== 1.2.0→== 2.0.0]  # the shop\n',
      'requirements/dev.txt': 'my-shop\n',
      'requirements-locked.txt': 'my-shop==1.2.0 --hash=sha256:aa\n',
    },
    says: 'behind',
    uses: 'declared behind, declared behind, declared behind*',
  },
  {
    title: 'Python, setup.cfg and setup.py, which is not run',
    ecosystem: 'pypi',
    files: {
      'setup.cfg':
        '[metadata]\nname = x\n\n[options]\ninstall_requires =\n    other>=1\n    my-shop[==1.2.0→==2.0.0]\n',
      'sub/setup.py': "raise SystemExit\nsetup(install_requires=['other', 'My-Shop[<2,>=1.0→<3,>=2.0.0]'])\n",
    },
    says: 'behind',
    uses: 'declared behind, declared behind',
  },
  {
    title: 'Maven: itself, by a property of the parent, and managed',
    ecosystem: 'maven',
    files: {
      'pom.xml': pom(
        `<!-- <shop.version>1.0</shop.version> --><properties><shop.version>[1.2.0→2.0.0]</shop.version></properties>` +
          `<dependencyManagement><dependencies>${dep('<version>${shop.version}</version>')}` +
          `</dependencies></dependencyManagement>`,
      ),
      'a/pom.xml': pom(`<dependencies>${dep('')}</dependencies>`),
      'b/pom.xml': pom(`<dependencies>${dep('<scope>test</scope>\n<version>[1.2.0→2.0.0]</version>')}</dependencies>`),
      'c/pom.xml': pom(`<dependencies>${dep('<version>${shop.version}</version>')}</dependencies>`),
    },
    says: 'behind',
    uses: 'declared behind, declared behind, declared behind',
  },
  {
    title: 'Maven, said outside',
    ecosystem: 'maven',
    files: { 'pom.xml': pom(`<dependencies>${dep('')}</dependencies>`) },
    says: 'unknown',
    uses: 'declared unknown*',
  },
  {
    title: 'Gradle: both languages, variables, catalogs',
    ecosystem: 'maven',
    files: {
      'build.gradle':
        "ext.shopVersion = '[1.2.0→2.0.0]' // org.shop:shop:1.0\ndependencies {\n" +
        '  implementation "org.shop:shop:$shopVersion"\n' +
        "  api group: 'org.shop', name: 'shop', version: '[1.2.0→2.0.0]'\n}\n",
      'a/build.gradle.kts': 'dependencies { implementation("org.shop:shop:[1.2.0→2.0.0]") }\n',
      'gradle/libs.versions.toml':
        '[versions]\nshop = "[1.2.0→2.0.0]"\n' +
        '[libraries]\nshop = { module = "org.shop:shop", version.ref = "shop" }\n',
    },
    says: 'behind',
    uses: 'declared behind, declared behind, declared behind, declared behind',
  },
  {
    title: 'NuGet: attribute, element, property, central versions, any case of the name',
    ecosystem: 'nuget',
    files: {
      'a/A.csproj': net('<PackageReference Include="org.shop" Version="[1.2.0→2.0.0]" />'),
      'b/B.csproj': net('<PackageReference Include="Org.Shop">\n<Version>[1.2.0→2.0.0]</Version></PackageReference>'),
      'c/C.csproj': net('<PackageReference Include="Org.Shop" Version="$(ShopVersion)" />'),
      'd/D.csproj': net('<PackageReference Include="Org.Shop" />'),
      'Directory.Build.props':
        '<Project><PropertyGroup><ShopVersion>[1.2.0→2.0.0]</ShopVersion></PropertyGroup></Project>',
      'Directory.Packages.props': net('<PackageVersion Include="Org.Shop" Version="[1.2.*→2.0.*]" />'),
    },
    says: 'behind',
    uses: 'declared behind, declared behind, declared behind, declared behind',
  },
  {
    title: 'NuGet, a range that is somebody’s thought',
    ecosystem: 'nuget',
    files: { 'A.csproj': net('<PackageReference Include="Org.Shop" Version="[1.0,1.9)" />') },
    says: 'behind',
    uses: 'declared behind*',
  },
];

for (const { title, ecosystem, files, says, uses } of CASES)
  test(title, () => {
    // A range in brackets has no arrow in it.
    const marked = /\[([^[\]→]*)→([^[\]→]*)\]/gu;
    const before = new Map(Object.entries(files).map(([file, text]) => [file, text.replace(marked, '$1')]));
    const after = new Map(Object.entries(files).map(([file, text]) => [file, text.replace(marked, '$2')]));
    for (const file of before.keys()) assert.ok(isManifest(file), file);
    const changed: ChangedPackage = { ecosystem, name: NAMES[ecosystem], from: '1.2.0', to: '2.0.0' };
    const found = usesOf(before, [changed]);
    assert.equal(
      found
        .map(({ dependency, standing, left }) => `${dependency.kind} ${standing}${left === undefined ? '' : '*'}`)
        .join(', '),
      uses,
    );
    assert.equal(dependenceOf(found).dependence, says);
    const made = new Map(before);
    for (const [file, edits] of manifestEdits(found)) made.set(file, applyEdits(made.get(file) ?? '', edits));
    assert.deepEqual(Object.fromEntries(made), Object.fromEntries(after));
    for (const { dependency, standing } of usesOf(made, [changed]))
      if (dependency.kind === 'declared' && made !== before && found.every(({ left }) => left === undefined))
        assert.ok(standing !== 'behind' || says !== 'behind', `${dependency.file} ${dependency.range ?? ''}`);
  });

test('a placeholder is no version, so nothing is compared with it', () => {
  const texts = new Map([['package.json', '{"dependencies": {"@org/shop": "^1.0.0"}}']]);
  const [use] = usesOf(texts, [{ ecosystem: 'npm', name: '@org/shop', from: '0.0.0-development', to: '0.0.0' }]);
  assert.equal(use?.standing, 'behind');
  assert.equal(use.now, undefined);
});

test('texts that are no manifests say nothing, and none of them ends the program', () => {
  const broken = ['{', '<project><dependencies>', '[project\n', '\u0000', '<Project><ItemGroup/></Project>', ''];
  for (const text of broken)
    for (const file of ['package.json', 'pom.xml', 'pyproject.toml', 'A.csproj', 'build.gradle', 'poetry.lock'])
      for (const ecosystem of ['npm', 'pypi', 'maven', 'nuget'] as const)
        assert.deepEqual(usesOf(new Map([[file, text]]), [{ ecosystem, name: 'a:a' }]), []);
});

test('versions in the order of their ecosystems', () => {
  const ordered: Readonly<Record<Ecosystem, readonly string[]>> = {
    npm: ['1.0.0-beta.1', '1.0.0', '1.0.1', '1.10.0', '2'],
    pypi: ['1.0a1', '1.0', '1.0.post1', '1.10', '1!0.1'],
    maven: ['1.0-alpha-1', '1.0-SNAPSHOT', '1.0.Final', '1.0.1', '1.10', '2.0-jre'],
    nuget: ['1.0.0-preview1', '1.0.0', '1.0.0.1', '1.10.0'],
  };
  for (const [ecosystem, list] of Object.entries(ordered))
    list.forEach((older, i) => {
      for (const newer of list.slice(i + 1))
        assert.ok(
          (versionsOf(ecosystem as Ecosystem).compare(older, newer) ?? 0) < 0,
          `${ecosystem} ${older} ${newer}`,
        );
    });
});
