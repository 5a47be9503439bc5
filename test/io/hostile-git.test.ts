/** Whatever a repository's configuration of git names as a command, an impact runs none of it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call, Service } from '#src/engine/service.js';
import { baseOfRevision } from '#src/io/git/git.js';
import { scan } from '#src/io/index/scan.js';
import { commitAll, git, initRepository, repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { trustRepository } from '../support/trusted.js';

const signal = new AbortController().signal;
const call: Call = { signal, progress: () => undefined };
const base = (root: string): ReturnType<typeof baseOfRevision> =>
  scan(root, { exclude: [], signal }).then(({ repositories }) =>
    baseOfRevision(root, 'HEAD', { includes: (path) => path.endsWith('.py'), repositories, signal }),
  );
const paths = async (root: string): Promise<string[]> => (await base(root)).files.map(({ path }) => path);

/** A command that leaves a mark in a folder of the test's own, and what marks there are. */
function marks(t: TestContext): { command: (name: string) => string; found: () => string[] } {
  const folder = temporaryFolder(t);
  return { command: (name) => `sh -c "touch ${join(folder, name)}; cat"`, found: () => readdirSync(folder) };
}

/** A file that was touched has to be looked into, and one that was edited too. */
function disturb(root: string): void {
  utimesSync(join(root, 'touched.py'), new Date(1e12), new Date(1e12));
  writeFileSync(join(root, 'a.py'), 'x = 2\n');
}

test('filters: by any name, from any file, on touched and edited files', async (t) => {
  const { command, found } = marks(t);
  const root = repository(t, {
    'a.py': 'x = 1\n',
    'touched.py': 'y = 1\n',
    '.gitattributes': '*.py filter=one\na.py filter=in.cluded\n',
  });
  writeFiles(root, { '.git/more': `[filter "in.cluded"]\n\tclean = ${command('included').replaceAll('"', '\\"')}\n` });
  git(root, 'config', 'filter.one.clean', command('clean'));
  git(root, 'config', 'filter.one.smudge', command('smudge'));
  git(root, 'config', 'filter.one.process', command('process'));
  git(root, 'config', 'filter.one.required', 'true');
  git(root, 'config', `includeIf.gitdir:${root}/.path`, 'more');
  git(root, 'config', 'extensions.worktreeConfig', 'true');
  git(root, 'config', '--worktree', 'filter.tree.clean', command('worktree'));
  writeFiles(root, { '.git/info/attributes': 'touched.py filter=tree\n' });
  disturb(root);
  assert.deepEqual(await paths(root), ['a.py']);
  assert.deepEqual(found(), []);
});

test('a filter that cannot be named on a command line is refused, not run', async (t) => {
  const { command, found } = marks(t);
  const root = repository(t, { 'a.py': 'x = 1\n', '.gitattributes': '*.py filter=a=b\n' });
  writeFileSync(
    join(root, '.git/config'),
    `[core]\n\trepositoryformatversion = 0\n[filter "a=b"]\n\tclean = ${command('equals').replaceAll('"', '\\"')}\n`,
  );
  writeFileSync(join(root, 'a.py'), 'x = 2\n');
  await assert.rejects(base(root), /filter "a=b"/u);
  assert.deepEqual(found(), []);
});

test('monitors, hooks, foreign differences, text conversions, helpers', async (t) => {
  const { command, found } = marks(t);
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '', '.gitattributes': '*.py diff=own\n' });
  for (const name of [
    'core.fsmonitor',
    'diff.external',
    'diff.own.command',
    'diff.own.textconv',
    'core.pager',
    'pager.diff',
    'core.sshCommand',
    'credential.helper',
    'gpg.program',
    'core.alternateRefsCommand',
    'alias.diff',
  ])
    git(root, 'config', name, command(name));
  const hook = `#!/bin/sh\n${command('hook')}\n`;
  for (const name of ['post-index-change', 'fsmonitor-watchman']) {
    writeFiles(root, { [`.git/hooks/${name}`]: hook });
    git(root, 'config', 'core.hooksPath', '.git/hooks');
  }
  disturb(root);
  assert.deepEqual(await paths(root), ['a.py']);
  assert.equal((await scan(root, { exclude: [], signal })).by, 'git');
  assert.deepEqual(found(), []);
});

test('what a partial clone lacks is not fetched', async (t) => {
  const { command, found } = marks(t);
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '' });
  const blob = git(root, 'rev-parse', 'HEAD:a.py');
  git(root, 'config', 'extensions.partialClone', 'far');
  git(root, 'config', 'core.repositoryFormatVersion', '1');
  git(root, 'config', 'remote.far.url', 'ssh://127.0.0.1/x');
  git(root, 'config', 'remote.far.promisor', 'true');
  git(root, 'config', 'remote.far.uploadpack', command('uploadpack'));
  git(root, 'config', 'core.sshCommand', command('ssh'));
  rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  disturb(root);
  const { files, problems } = await base(root);
  assert.deepEqual([files.filter(({ path }) => path === 'a.py'), problems.map(({ file }) => file)], [[], ['a.py']]);
  git(root, 'config', 'remote.far.url', `${root}/nowhere`);
  await base(root);
  git(root, 'config', 'remote.far.url', `ext::${command('ext')}`);
  await base(root);
  assert.deepEqual(found(), []);
});

test('core.worktree and a bare repository in the tree lead nowhere else', async (t) => {
  const { command, found } = marks(t);
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '', 'sub/b.py': 'y = 1\n' });
  const elsewhere = temporaryFolder(t);
  writeFiles(elsewhere, { 'a.py': 'SECRET = 1\n', 'secret.py': '' });
  git(root, 'config', 'core.worktree', elsewhere);
  disturb(root);
  writeFiles(root, { 'new.py': '' });
  assert.deepEqual(await paths(root), ['a.py', 'new.py']);
  assert.deepEqual(
    (await scan(root, { exclude: [], signal })).sources.map(({ path }) => path),
    ['a.py', 'new.py', 'sub/b.py', 'touched.py'],
  );

  const outer = repository(t, { 'a.py': 'x = 1\n', 'bare/b.py': 'y = 1\n' });
  git(join(outer, 'bare'), 'init', '-q', '--bare', '.');
  git(join(outer, 'bare'), 'config', 'core.bare', 'false');
  git(join(outer, 'bare'), 'config', 'core.worktree', '..');
  git(join(outer, 'bare'), 'config', 'core.fsmonitor', command('bare'));
  writeFileSync(join(outer, 'bare/b.py'), 'y = 2\n');
  assert.deepEqual(await paths(join(outer, 'bare')), ['b.py']);
  assert.deepEqual(found(), []);
});

test('submodules are listed with their own files, and their configuration runs nothing', async (t) => {
  const { command, found } = marks(t);
  const inner = repository(t, { 'b.py': 'y = 1\n', '.gitattributes': '*.py filter=own\n' });
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '' });
  git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub');
  commitAll(root, 'second');
  for (const name of ['filter.own.clean', 'core.fsmonitor']) git(join(root, 'sub'), 'config', name, command(name));
  writeFileSync(join(root, 'sub/b.py'), 'y = 2\n');
  disturb(root);
  assert.deepEqual(
    (await scan(root, { exclude: [], signal })).sources.map(({ path }) => path),
    ['a.py', 'sub/b.py', 'touched.py'],
  );
  assert.deepEqual(await paths(root), ['a.py', 'sub/b.py']);
  assert.deepEqual(found(), []);
});

test('an earlier text that is too large for a source is a problem of its file, and is not unpacked', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '', 'bomb.py': '#'.repeat(3 * 1024 * 1024) });
  disturb(root);
  writeFileSync(join(root, 'bomb.py'), 'y = 1\n');
  const { files, problems } = await base(root);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['a.py'],
  );
  assert.deepEqual(problems, [
    { file: 'bomb.py', message: 'its earlier text: 3.0 MB is more than a source file can have here (2 MB)' },
  ]);
});

test('a pipe where git would read is named at once, and not waited for', async (t) => {
  const places = ['.gitignore', '.gitattributes', '.git/info/exclude', '.git/packed-refs'];
  for (const place of places) {
    const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '' });
    writeFileSync(join(root, 'a.py'), 'x = 2\n');
    mkdirSync(join(root, '.git/info'), { recursive: true });
    rmSync(join(root, place), { force: true });
    execFileSync('mkfifo', [join(root, place)]);
    const found = await scan(root, { exclude: [], signal });
    assert.deepEqual(
      found.sources.map(({ path }) => path),
      ['a.py', 'touched.py'],
    );
    assert.ok(
      found.problems.some(({ message }) => message.includes(`wait for ever for ${place}`)),
      place,
    );
    await assert.rejects(paths(root), new RegExp(place.replaceAll('.', '\\.'), 'u'));
  }
});

test('a pipe that only git finds is named as soon as it is late, and at once from then on', async (t) => {
  const places: readonly (readonly [pipe: string, settings: string])[] = [
    ['sub/deep/.gitignore', ''],
    ['.git/refs/heads/main', ''],
    ['waits', '[core]\n\texcludesFile = ../waits\n'],
    ['waits', '[core] excludesFile = "../waits" # and so on\n'],
    ['waits', '[core]\n\tattributesFile = \\\n../waits\n'],
    ['waits', '[include]\n\tpath = ../waits\n'],
    ['waits', '[include]\n\tpath = further\n'],
  ];
  // Git looks around the folder that it is started in, too.
  const before = process.cwd();
  t.after(() => process.chdir(before));
  for (const [pipe, settings] of places) {
    const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '', 'sub/deep/b.py': '' });
    disturb(root);
    rmSync(join(root, pipe), { force: true });
    execFileSync('mkfifo', [join(root, pipe)]);
    writeFileSync(join(root, '.git/further'), `[core]\n\tattributesFile = ${join(root, 'waits')}\n`);
    appendFileSync(join(root, '.git/config'), settings.replace('../waits', join(root, 'waits')));
    process.chdir(root);
    const named = new RegExp(`wait for ever for ${pipe.replaceAll('.', '\\.')}`, 'u');
    await assert.rejects(paths(root), named);
    await assert.rejects(paths(root), named);
    const { sources } = await scan(root, { exclude: [], signal });
    assert.deepEqual(
      sources.map(({ path }) => path),
      ['a.py', 'sub/deep/b.py', 'touched.py'],
    );
  }
});

test('a file of no rules may be the null device', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '' });
  disturb(root);
  rmSync(join(root, '.git/info/exclude'), { force: true });
  mkdirSync(join(root, '.git/info'), { recursive: true });
  symlinkSync('/dev/null', join(root, '.git/info/exclude'));
  assert.deepEqual(await paths(root), ['a.py']);
});

test('an order of files is read from nowhere', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '' });
  disturb(root);
  execFileSync('mkfifo', [join(root, 'waits')]);
  git(root, 'config', 'diff.orderFile', join(root, 'waits'));
  assert.deepEqual(await paths(root), ['a.py']);
});

test('a git that lies in the repository is not run, whatever the path says', async (t) => {
  const { command, found } = marks(t);
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '' });
  disturb(root);
  writeFiles(root, { 'node_modules/.bin/git': `#!/bin/sh\n${command('ran')} </dev/null\nexit 1\n` });
  chmodSync(join(root, 'node_modules/.bin/git'), 0o755);
  const elsewhere = temporaryFolder(t);
  symlinkSync(join(root, 'node_modules/.bin'), join(elsewhere, 'bin'));
  const before = process.env['PATH'] ?? '';
  t.after(() => (process.env['PATH'] = before));
  for (const folder of [join(root, 'node_modules/.bin'), join(elsewhere, 'bin')]) {
    process.env['PATH'] = `${folder}:${before}`;
    assert.deepEqual(await paths(root), ['a.py']);
    assert.deepEqual(found(), []);
  }
});

test('variables of git in the environment lead to no other repository', async (t) => {
  const root = repository(t, { 'a.py': 'x = 1\n', 'touched.py': '' });
  const other = repository(t, { 'other.py': '' });
  disturb(root);
  const given = {
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_TRACE: '1',
  };
  Object.assign(process.env, given);
  try {
    assert.deepEqual(await paths(root), ['a.py']);
  } finally {
    for (const name of Object.keys(given)) delete process.env[name];
  }
});

const AS_ROOT = process.getuid?.() === 0 && process.env['SUDO_UID'] === undefined;

test(
  "another user's repository is refused until it is trusted, or git is told that it is safe",
  { skip: AS_ROOT ? false : 'only root can give a file to somebody else' },
  async (t) => {
    const root = repository(t, { 'a.py': 'x = 1\n' });
    chownSync(join(root, '.git'), 65534, 65534);
    const { environment } = home(t);
    const opened = (): Service => {
      const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
      t.after(() => engine.close());
      return engine.connect({ id: '1', name: 'a test', workingDirectory: '/', environment });
    };
    const service = opened();
    await assert.rejects(
      service.ask('codeplan/impact', {}, call),
      /belongs to another user \(65534\).*codeplan trust/u,
    );
    await assert.rejects(base(root), /belongs to another user/u);
    const settings = join(temporaryFolder(t), 'gitconfig');
    writeFileSync(settings, `[safe]\n\tdirectory = ${root}\n`);
    const before = process.env['GIT_CONFIG_GLOBAL'];
    process.env['GIT_CONFIG_GLOBAL'] = settings;
    t.after(() =>
      before === undefined ? delete process.env['GIT_CONFIG_GLOBAL'] : (process.env['GIT_CONFIG_GLOBAL'] = before),
    );
    assert.deepEqual(
      (await service.ask('codeplan/impact', {}, call)).affected,
      [],
      'the same client, once it is allowed',
    );
    writeFileSync(settings, '');
    await assert.rejects(service.ask('codeplan/impact', {}, call), /belongs to another user/u, 'allowed no longer');
    const { state, problems } = await service.ask('codeplan/status', {}, call);
    assert.equal(state, 'failed');
    assert.match(problems[0]?.message ?? '', /belongs to another user/u);
    await assert.rejects(base(root), /belongs to another user/u);

    const mine = temporaryFolder(t);
    mkdirSync(join(mine, 'repo'));
    initRepository(join(mine, 'repo'), { 'a.py': '' });
    chownSync(join(mine, 'repo'), 65534, 65534);
    await assert.rejects(base(join(mine, 'repo')), /belongs to another user/u);
    await trustRepository(join(mine, 'repo'), environment);
    const trusting = createLocalEngine({
      root: join(mine, 'repo'),
      mode: 'in-process',
      watch: false,
      environment,
      log: () => undefined,
    });
    t.after(() => trusting.close());
    await trusting.connect({ id: '1', name: 'a test', workingDirectory: '/', environment }).impact({}, call);
  },
);

test(
  'a repository that lies elsewhere, and is shared with it, is looked at for its owner as well',
  { skip: AS_ROOT ? false : 'only root can give a file to somebody else' },
  async (t) => {
    const root = repository(t, { 'a.py': 'x = 1\n' });
    const linked = join(temporaryFolder(t), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    assert.deepEqual(await paths(linked), []);
    chownSync(join(root, '.git'), 65534, 65534);
    await assert.rejects(base(linked), /belongs to another user/u);
  },
);
