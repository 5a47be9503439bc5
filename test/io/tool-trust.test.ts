/** What lies in a repository runs after consent alone, and the consent ends with what it was given for. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { stateFolder } from '#src/io/disk/folders.js';
import { oracleOfSettings } from '#src/io/tools/oracle-choice.js';
import { layOut } from '#src/io/tools/oracle-tree.js';
import { toolEnvironment } from '#src/io/process/tool-process.js';
import { grantOfTool } from '#src/io/settings/tool-trust.js';
import { standingOf } from '#src/io/settings/trust.js';
import type { OracleRun } from '#src/engine/effects.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';
import { trustRepository } from '../support/trusted.js';

const signal = new AbortController().signal;

interface Place {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly mark: string;
  /** Runs a preset on the repository, with proposed texts. */
  run(preset: string, texts?: Readonly<Record<string, string>>): Promise<OracleRun>;
  /** Whether something of the repository ran since this was asked last. */
  ran(): boolean;
}

/** A repository whose own tools, and the person's, are scripts; those of the repository leave a mark. */
function place(t: TestContext, files: Readonly<Record<string, string>>, tools: readonly string[] = []): Place {
  const root = repository(t, files);
  const mark = join(temporaryFolder(t), 'mark');
  const bin = temporaryFolder(t);
  for (const tool of tools) script(join(bin, tool), 'exit 0');
  const environment = { ...home(t).environment, PATH: `${bin}:/usr/bin:/bin` };
  return {
    root,
    environment,
    mark,
    run: async (preset, texts = {}) => {
      const oracle = oracleOfSettings({
        root,
        section: undefined,
        preset,
        standing: (grant) => standingOf(stateFolder(environment), root, grant),
        environment,
        servers: {},
        files: () => [],
      });
      assert.ok(oracle);
      return oracle.run(new Map(Object.entries(texts)), new Set(), signal);
    },
    ran: () => {
      const has = existsSync(mark);
      rmSync(mark, { force: true });
      return has;
    },
  };
}

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

test("a preset's name is no trust for the repository's own programs, and a package's change ends it", async (t) => {
  const here = place(t, { 'a.ts': '', '.gitignore': 'node_modules\n', 'tsconfig.json': '{}' });
  const tool = join(here.root, 'node_modules/typescript/bin/tsc');
  writeFiles(here.root, {
    'node_modules/typescript/package.json': '{}',
    'node_modules/typescript/lib/tsc.js': '1',
    'node_modules/typescript/bin/x': '',
  });
  script(tool, `touch ${here.mark}`);
  mkdirSync(join(here.root, 'node_modules/.bin'));
  symlinkSync('../typescript/bin/tsc', join(here.root, 'node_modules/.bin/tsc'));

  const before = await here.run('tsc');
  assert.equal(here.ran(), false);
  assert.match(before.message ?? '', /tsc is not installed.*node_modules\/\.bin\/tsc.*codeplan trust/u);
  await trustRepository(here.root, here.environment);
  assert.deepEqual((await here.run('tsc')).errors, []);
  assert.equal(here.ran(), true);
  for (const [file, text] of [
    ['node_modules/typescript/lib/tsc.js', '2'],
    ['node_modules/typescript/lib/new.js', ''],
  ] as const) {
    writeFiles(here.root, { [file]: text });
    await here.run('tsc');
    assert.equal(here.ran(), false, file);
    await trustRepository(here.root, here.environment);
    await here.run('tsc');
    assert.equal(here.ran(), true, file);
  }
});

test('what runs code of the repository is refused, with what it runs, until it is trusted; what only reads is not', async (t) => {
  const files = {
    'a.py': '',
    'mypy.ini': '[mypy]\nplugins = tools.plugin\n',
    'tools/plugin.py': '1',
    'conftest.py': '',
    'pom.xml': '',
    'build.gradle': '',
    'a.csproj': '',
    'A.java': 'class A {}',
  };
  const here = place(t, files, ['mypy', 'pytest', 'mvn', 'gradle', 'dotnet', 'pyright', 'tsc']);
  for (const name of ['mypy', 'pytest', 'maven', 'gradle', 'dotnet']) {
    const { errors, message } = await here.run(name);
    assert.equal(errors, undefined, name);
    assert.match(message ?? '', new RegExp(`runs .*"codeplan trust --oracle ${name}" shows what it would run`, 'u'));
  }
  assert.deepEqual((await here.run('tsc')).errors, []);
  await trustRepository(here.root, here.environment);
  assert.deepEqual((await here.run('mypy')).errors, []);
  assert.deepEqual((await here.run('pytest')).errors, []);

  writeFileSync(join(here.root, 'tools/plugin.py'), '2');
  assert.match((await here.run('mypy')).message ?? '', /since you allowed it, tools\/plugin\.py changed/u);
  assert.deepEqual((await here.run('pytest')).errors, [], 'which runs no plugin of mypy');
  const proposed = await here.run('pytest', { 'conftest.py': 'import os\n' });
  assert.match(proposed.message ?? '', /conftest\.py changed/u, 'a proposed edit is no consent either');
  writeFiles(here.root, { 'sub/conftest.py': '' });
  assert.match((await here.run('pytest')).message ?? '', /sub\/conftest\.py changed/u);
});

test('consent ends with whatever a build reads code from, wherever a file of its settings says so', (t) => {
  const root = repository(t, { 'a.txt': '' });
  const cases: readonly (readonly [program: string, settings: string, text: string, code: string])[] = [
    ['mvn', '.mvn/jvm.config', '-javaagent:tools/agent.jar', 'tools/agent.jar'],
    ['mvn', 'app/pom.xml', '<systemPath>${project.basedir}/lib/p.jar</systemPath>', 'app/lib/p.jar'],
    ['mvn', 'pom.xml', '<systemPath>${project.basedir}/lib/p.jar</systemPath>', 'lib/p.jar'],
    ['gradle', 'settings.gradle.kts', 'includeBuild("build-logic")', 'build-logic/src/main/java/Plugin.java'],
    ['gradle', 'app/build.gradle', 'apply from: "$rootDir/script/x.groovy"', 'script/x.groovy'],
    ['dotnet', 'src/A/A.csproj', '<Import Project="..\\..\\eng\\x.xml" />', 'eng/x.xml'],
    ['dotnet', 'src/A/A.csproj', '<Analyzer Include="tools\\a.dll" />', 'src/A/tools/a.dll'],
    ['dotnet', 'global.json', '{"sdk": {"paths": [".dotnet"]}}', '.dotnet/sdk/9.0.100/MSBuild.dll'],
    ['dotnet', 'all.proj', '<Project/>', 'all.proj'],
    ['jdtls', '.factorypath', '<factorypath/>', '.factorypath'],
  ];
  for (const [program, settings, text, code] of cases) {
    const itemsWith = (content: string): ReadonlyMap<string, string> => {
      const overlay = new Map([[settings, text], ...(code === settings ? [] : [[code, content] as const])]);
      return grantOfTool('one', [program], { root, files: [], overlay }, true).items;
    };
    assert.ok(itemsWith('1').has(code), `${program}: ${settings} leads to ${code}`);
    if (code !== settings) assert.notDeepEqual(itemsWith('1'), itemsWith('2'));
  }
});

test('consent ends with what is only reached by way of other files, links to folders and installed packages', (t) => {
  const itemsOf = (program: string, files: Readonly<Record<string, string>>): ReadonlyMap<string, string> => {
    const root = temporaryFolder(t);
    writeFiles(root, files);
    return grantOfTool('one', [program], { root, files: Object.keys(files), overlay: new Map() }, true).items;
  };
  const cases: readonly (readonly [program: string, files: Readonly<Record<string, string>>, code: string])[] = [
    ['mvn', { 'pom.xml': '<ant antfile="build/a.xml"/>', 'build/a.xml': '<exec file="b.sh"/>' }, 'build/b.sh'],
    ['make', { Makefile: 'include rules/first', 'rules/first': 'include rules/second' }, 'rules/second'],
    ['npm', { 'package.json': '{"scripts": {"lint": "sh lint.sh"}}', 'lint.sh': '. ./tools/env.sh' }, 'tools/env.sh'],
    ['yarn', { 'package.json': '{}' }, '.pnp.cjs'],
    ['npm', { 'package.json': '{}' }, 'node_modules/.package-lock.json'],
    ['npm', { 'package.json': '{"scripts": {"lint": "node node_modules/l/l.js"}}' }, 'node_modules/l/l.js'],
    ['mypy', { 'mypy.ini': '[mypy]\nplugins = pkg.plug\n', 'pkg/plug.py': '' }, 'pkg/__init__.py'],
    ['mypy', { 'mypy.ini': '[mypy]\nmypy_path = src\nplugins = a,\n  pkg.plug:hook\n' }, 'src/pkg/plug.py'],
    ['mypy', { 'pyproject.toml': '[tool.mypy]\nplugins = ["p.q"]', 'p/q.py': 'from .r import f' }, 'p/r.py'],
    ['mypy', { 'mypy.ini': '[mypy]\nplugins = p/q.py', 'p/q.py': 'import os, util.x as y' }, 'util/x.py'],
    ['mypy', { 'mypy.ini': '[mypy]\nplugins = p/q.py', 'p/q.py': 'from p.s import (\n  a,\n  b,\n)' }, 'p/s/b.py'],
  ];
  for (const [program, files, code] of cases) {
    // What is installed is listed by nobody.
    const [first, second] = ['1', '2'].map((content) => {
      const root = temporaryFolder(t);
      writeFiles(root, { ...files, [code]: content });
      const listed = [...Object.keys(files), ...(code.startsWith('node_modules/') ? [] : [code])];
      return grantOfTool('one', [program], { root, files: listed, overlay: new Map() }, true).items;
    });
    assert.ok(first?.has(code), `${program}: ${JSON.stringify(files)} leads to ${code}`);
    assert.notEqual(first?.get(code), second?.get(code));
  }

  const language = itemsOf('typescript-language-server', {
    'tsconfig.json': '{}',
    'node_modules/typescript/lib/tsserver.js': '1',
  });
  assert.ok(language.has('node_modules/typescript/'));

  const root = temporaryFolder(t);
  writeFiles(root, { 'build/extensions.xml': '1', 'tools/x.py': '1' });
  symlinkSync('build', join(root, '.mvn'));
  symlinkSync('tools/x.py', join(root, 'conftest.py'));
  symlinkSync('.', join(root, 'self'));
  const files = ['build/extensions.xml', 'tools/x.py', '.mvn', 'conftest.py', 'self'];
  const mvn = grantOfTool('one', ['mvn'], { root, files, overlay: new Map() }, true).items;
  assert.ok(mvn.has('.mvn/extensions.xml'), 'a folder that is a link holds what lies where it leads');
  const pytest = (overlay: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    grantOfTool('one', ['pytest'], { root, files, overlay }, true).items;
  assert.notEqual(
    pytest(new Map()).get('conftest.py'),
    pytest(new Map([['tools/x.py', '2']])).get('conftest.py'),
    'what is proposed for a file is proposed for the links to it',
  );
});

test('consent ends with any file of a package, behind however many others and whatever link leads there', (t) => {
  const root = temporaryFolder(t);
  const many = Array.from({ length: 5001 }, (_, i) => `node_modules/l/a/${i}.js`);
  writeFiles(root, {
    'package.json': '{"scripts": {"lint": "node node_modules/l/l.js"}}',
    'node_modules/l/package.json': '{}',
    'node_modules/l/l.js': '1',
    ...Object.fromEntries(many.map((path) => [path, '1'])),
    'tools/x.js': '1',
    'tools/deep/y.js': '1',
    'node_modules/l/z.js': '1',
  });
  symlinkSync('../../tools/x.js', join(root, 'node_modules/l/linked.js'));
  symlinkSync('../../tools/deep', join(root, 'node_modules/l/linked'));
  symlinkSync('.', join(root, 'node_modules/l/itself'));
  const digest = (): string | undefined =>
    grantOfTool('one', ['eslint'], { root, files: ['package.json'], overlay: new Map() }, true).items.get(
      'node_modules/l/',
    );
  const program = join(root, 'node_modules/.bin/eslint');
  writeFiles(root, { 'node_modules/.bin/placeholder': '' });
  symlinkSync('../l/l.js', program);
  const digests = ['node_modules/l/z.js', 'tools/x.js', 'tools/deep/y.js'].map((path) => {
    const before = digest();
    writeFiles(root, { [path]: '2' });
    return { path, before, after: digest() };
  });
  for (const { path, before, after } of digests) {
    assert.ok(before !== undefined, 'the package is an item of the consent');
    assert.notEqual(before, after, path);
  }
});

test('what only reads by the arguments of a preset needs consent by others', (t) => {
  const root = temporaryFolder(t);
  const place = { root, files: [], overlay: new Map<string, string>() };
  const needed = (command: readonly string[], isPreset: boolean): boolean =>
    grantOfTool('one', command, place, isPreset).needed;
  for (const program of ['tsc', 'javac', 'mcs'])
    assert.deepEqual([needed([program, '@{files}'], true), needed([program, '@{files}'], false)], [false, true]);
  assert.equal(needed(['basedpyright', '--outputjson'], false), true, 'it writes a file that its settings name');
  assert.equal(needed(['pyright', '--outputjson'], false), false);
});

test('no folder of the repository is on the path, by whatever name', (t) => {
  const root = temporaryFolder(t);
  const bin = temporaryFolder(t);
  mkdirSync(join(root, 'bin'));
  symlinkSync(join(root, 'bin'), join(bin, 'link'));
  const path = (ownTools: boolean): string | undefined =>
    toolEnvironment({
      directory: '/copy',
      repository: root,
      environment: { PATH: ['', '.', 'node_modules/.bin', join(root, 'bin'), join(bin, 'link'), '/usr/bin'].join(':') },
      ownTools,
    })['PATH'];
  assert.equal(path(false), '/usr/bin');
  assert.match(path(true) ?? '', /^\/copy\/node_modules\/\.bin:.*:\/usr\/bin$/u);
});

const FILES_OF_JAVA: Readonly<Record<string, string>> = {
  'A.java': 'class A {}\n',
  '-Xlint.java': 'class B {}\n',
  '@list.java': 'class C {}\n',
  'sub dir/$D #.java': 'class D { int x = ""; }\n',
};

test('file names are no options, lists or lines of a response file', needs('javac', 'mcs'), async (t) => {
  const here = place(t, FILES_OF_JAVA);
  const { errors, message } = await here.run('javac');
  assert.deepEqual(
    errors?.map(({ file }) => file),
    ['sub dir/$D #.java'],
    message,
  );
  const mono = place(t, {
    'A.cs': 'class A {}\n',
    '-out:evil.cs': 'class B {}\n',
    '@more.cs': 'class C { int x = ""; }\n',
  });
  const checked = await mono.run('mcs');
  assert.deepEqual(
    checked.errors?.map(({ file }) => file),
    ['@more.cs'],
    checked.message,
  );
  for (const name of ['a\n-processor\nEvil.java', 'a"b.java', "a'b.java", 'a\\b.java', 'a\rb.java']) {
    const evil = place(t, { 'A.java': 'class A {}\n', [name]: 'class E {}\n' });
    const refused = await evil.run('javac');
    assert.equal(refused.errors, undefined, JSON.stringify(name));
    assert.ok(refused.message?.includes(JSON.stringify(name)), refused.message);
    assert.match(refused.message ?? '', /rename the file/u);
  }
});

test('a compiler plugin that lies in the repository does not start with javac', needs('javac'), async (t) => {
  const here = place(t, { 'A.java': 'class A {}\n' });
  const build = temporaryFolder(t);
  writeFiles(build, {
    'Evil.java': `public class Evil implements com.sun.source.util.Plugin {
  static { try { new java.io.File("${here.mark}").createNewFile(); } catch (Exception e) { throw new RuntimeException(e); } }
  public String getName() { return "Evil"; }
  public void init(com.sun.source.util.JavacTask task, String... args) {}
}
`,
  });

  execFileSync('javac', ['-d', build, join(build, 'Evil.java')]);
  writeFiles(here.root, {
    'Evil.class': readFileSync(join(build, 'Evil.class')),
    'META-INF/services/com.sun.source.util.Plugin': 'Evil\n',
  });
  assert.deepEqual((await here.run('javac')).errors, []);
  assert.equal(here.ran(), false);
});

test('a copy holds nothing from outside of the root', async (t) => {
  const here = place(t, { 'a.py': '', 'pkg/b.py': '' }, ['pytest']);
  const elsewhere = temporaryFolder(t);
  writeFiles(elsewhere, { 'b.py': 'SECRET', 'node_modules/x.js': 'SECRET' });
  rmSync(join(here.root, 'pkg'), { recursive: true });
  symlinkSync(elsewhere, join(here.root, 'pkg'));
  symlinkSync(join(elsewhere, 'b.py'), join(here.root, 'absolute.py'));
  symlinkSync(`${'../'.repeat(20)}etc/hostname`, join(here.root, 'relative.py'));
  symlinkSync(join(elsewhere, 'node_modules'), join(here.root, 'node_modules'));

  const files = ['a.py', 'pkg/b.py', 'absolute.py', 'relative.py'];
  const laidOut = await layOut(
    {
      root: here.root,
      files,
      overlay: new Map(),
      linkedFolders: ['node_modules'],
      environment: here.environment,
      ownTools: false,
    },
    signal,
  );
  assert.ok(laidOut.ok);
  t.after(() => laidOut.tree.remove());
  assert.deepEqual(laidOut.tree.files, ['a.py']);
  assert.equal(existsSync(join(laidOut.tree.directory, 'node_modules')), false);
});

test('codeplan trust shows each command and file, and takes no silence for consent', async (t) => {
  const { run } = home(t);
  const root = repository(t, { 'a.py': '', 'conftest.py': '', 'pom.xml': '' });
  const shown = await run(root, 'trust', '--show');
  assert.match(shown.stdout, /oracle pytest: pytest .*\n {2}it runs the tests[^]*conftest\.py/u);
  assert.match(shown.stdout, /oracle maven: mvn [^]*pom\.xml[^]*not trusted/u);
  assert.equal((await run(root, 'trust')).code, 2);
  assert.match((await run(root, 'trust', '--show')).stdout, /not trusted/u);
  assert.equal((await run(root, 'trust', '--yes')).code, 0);
  assert.match((await run(root, 'trust', '--show')).stdout, /This is trusted/u);
  writeFileSync(join(root, 'pom.xml'), '<project/>');
  assert.match((await run(root, 'trust', '--show')).stdout, /not trusted/u);
});
