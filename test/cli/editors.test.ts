/** Setting up an editor: what is written works in that editor, once, beside what was there, and is taken back whole. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { EDITORS, type Machine } from '#src/cli/editor-setups.js';
import { home } from '../support/program.js';
import { ROOT } from '../support/source-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

const MACHINE: Machine = {
  home: '/home/ada',
  environment: {},
  folder: ROOT,
  command: ['/usr/bin/node', '/a folder/main.js'],
  exists: () => false,
};
const EMACS = EDITORS.find(({ name }) => name === 'emacs') ?? assert.fail('no Emacs');
const OF_A_PERSON: Readonly<Record<string, string>> = {
  emacs: '(tool-bar-mode -1)\n\n',
  helix: '[[language]]\nname = "rust"\nauto-format = true\n',
};

for (const { title, name, file } of EDITORS)
  test(`${title}: what is written is written once and taken out again`, () => {
    const { put, taken } = file(MACHINE);
    const fresh = put(undefined);
    assert.match(fresh, /codeplan/);
    assert.equal(put(fresh), fresh);
    assert.equal(taken(fresh), undefined);
    const before = OF_A_PERSON[name];
    if (before === undefined) return;
    assert.notEqual(put(before), before);
    assert.equal(put(put(before)), put(before));
    assert.equal(taken(put(before)), before);
    assert.equal(taken(put(put(before.trimEnd()))), before.trimEnd(), 'a last line that has no end gets none');
    assert.equal(taken(`${put(before)}; more\n`), `${before}; more\n`);
  });

test('Emacs reads one of several files; the one that it would read is the one that is changed', () => {
  const init = (...there: string[]): string => EMACS.file({ ...MACHINE, exists: (path) => there.includes(path) }).path;
  assert.equal(init(), '/home/ada/.emacs.d/init.el');
  assert.equal(init('/home/ada/.emacs', '/home/ada/.emacs.d'), '/home/ada/.emacs');
  assert.equal(init('/home/ada/.config/emacs'), '/home/ada/.config/emacs/init.el');
  assert.equal(init('/home/ada/.config/emacs', '/home/ada/.emacs.d'), '/home/ada/.emacs.d/init.el');
});

test('Emacs loads the package at every command that the package offers before it is loaded', () => {
  const [, offered] = /dolist \(command '\(([^)]*)\)/u.exec(EMACS.file(MACHINE).put(undefined)) ?? [];
  const source = readFileSync(join(ROOT, 'editors/emacs/codeplan.el'), 'utf8');
  const cookies = [...source.matchAll(/^;;;###autoload\n\((?:defun|define-minor-mode) (\S+)/gmu)].map(
    ([, name]) => name,
  );
  assert.deepEqual(offered?.split(/\s+/u).sort(), cookies.sort());
});

test('Helix: a language that a person has set up is left to them, and what is no TOML is refused', () => {
  const helix = EDITORS.find(({ name }) => name === 'helix')?.file(MACHINE);
  assert.ok(helix !== undefined);
  const mine = '[[language]]\nname = "python"\nlanguage-servers = ["pyright"]\n';
  const both = helix.put(mine);
  assert.equal(both.split('name = "python"').length, 2);
  assert.match(both, /# python is set up above: put "codeplan" into its language-servers by hand/);
  assert.throws(() => helix.put('[[language'), /is no TOML/);
  assert.throws(() => helix.put('[language-server.codeplan]\ncommand = "x"\n'), /has a server codeplan already/);
});

test('folders that were made for the settings go with them, and those with anything else in them stay', async (t) => {
  const { run, environment } = home(t);
  const at = environment['HOME'] ?? '';
  const config = environment['XDG_CONFIG_HOME'] ?? '';
  mkdirSync(config, { recursive: true });
  const lying = (): string[] => [...readdirSync(at), ...readdirSync(config)].sort();
  const before = lying();
  for (const editor of ['nvim', 'helix', 'emacs']) {
    await run(at, 'editors', 'install', editor);
    assert.notDeepEqual(lying(), before, editor);
    await run(at, 'editors', 'uninstall', editor);
    assert.deepEqual(lying(), before, editor);
  }
  await run(at, 'editors', 'install', 'nvim');
  writeFileSync(join(config, 'nvim/init.lua'), '-- mine\n');
  await run(at, 'editors', 'uninstall', 'nvim');
  assert.deepEqual(readdirSync(join(config, 'nvim')), ['init.lua']);
});

test('Neovim runs what was written, and is as before when it was taken back', needs('nvim'), async (t) => {
  const { run, environment } = home(t);
  const at = temporaryFolder(t);
  const has = (): string =>
    execFileSync(
      'nvim',
      [
        '--headless',
        '-c',
        "call writefile([exists(':Codeplan'), maparg('<Plug>(codeplan-next)', 'n') != '', getcompletion('codeplan', 'help') != []], 'has')",
        '-c',
        'qall!',
      ],
      { cwd: at, env: environment, encoding: 'utf8' },
    ) + readFileSync(join(at, 'has'), 'utf8');
  assert.match((await run(at, 'editors', 'install', 'nvim')).stdout, /^written .*codeplan-setup\.lua\nnext: /);
  assert.equal(has(), '2\n1\n1\n');
  assert.match((await run(at, 'editors', 'install', 'nvim')).stdout, /has it already/);
  assert.match((await run(at, 'editors', 'uninstall', 'nvim')).stdout, /^removed /);
  assert.equal(has(), '0\n0\n0\n');
  const own = join(environment['XDG_CONFIG_HOME'] ?? '', 'nvim/plugin/codeplan-setup.lua');
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, '-- mine\n');
  assert.match((await run(at, 'editors', 'install', 'nvim')).stderr, /was not written from here/);
  assert.match((await run(at, 'editors', 'uninstall', 'nvim')).stdout, /does not have it/);
  assert.equal(readFileSync(own, 'utf8'), '-- mine\n');
});

test('Emacs runs what was written, also where its file is a link, and that stays one', needs('emacs'), async (t) => {
  const { run, environment } = home(t);
  const at = environment['HOME'] ?? '';
  mkdirSync(join(at, 'dotfiles'));
  writeFileSync(join(at, 'dotfiles/init.el'), '(setq of-mine 1)\n');
  symlinkSync('dotfiles/init.el', join(at, '.emacs'));
  const shown = await run(at, 'editors', 'install', 'emacs', '--print');
  assert.match(shown.stdout, /codeplan-mode/);
  assert.equal(readFileSync(join(at, '.emacs'), 'utf8'), '(setq of-mine 1)\n');
  await run(at, 'editors', 'install', 'emacs');
  assert.ok(lstatSync(join(at, '.emacs')).isSymbolicLink());
  const asked =
    "(princ (list of-mine (memq 'codeplan-mode python-mode-hook) (progn (require 'codeplan) (commandp 'codeplan-next))))";
  const said = execFileSync('emacs', ['--batch', '-l', join(at, '.emacs'), '--eval', asked], {
    env: environment,
    encoding: 'utf8',
  });
  assert.equal(said, '(1 (codeplan-mode) t)');
  await run(at, 'editors', 'uninstall', 'emacs');
  assert.equal(readFileSync(join(at, 'dotfiles/init.el'), 'utf8'), '(setq of-mine 1)\n');
});

test('an editor that is not known is refused with those that are', async (t) => {
  const { run } = home(t);
  const refused = await run(temporaryFolder(t), 'editors', 'install', 'ed');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /ed is no editor that can be set up from here; give one of nvim \(Neovim\), emacs/);
  for (const what of ['install', 'uninstall']) {
    const unnamed = await run(temporaryFolder(t), 'editors', what);
    assert.equal(unnamed.code, 2);
    assert.match(unnamed.stderr, /say which editor; give one of nvim \(Neovim\), emacs/);
  }
});

test('VS Code is asked by its own program, and without it the command to run is said', async (t) => {
  const at = temporaryFolder(t);
  writeFileSync(join(at, 'code'), '#!/bin/sh\necho "asked: $*"\n', { mode: 0o755 });
  const asked = await home(t, { PATH: at }).run(at, 'editors', 'uninstall', 'vscode');
  assert.equal(asked.stdout, 'asked: --uninstall-extension codeplan.codeplan\n');
  const refused = await home(t, { PATH: '/nonexistent' }).run(at, 'editors', 'uninstall', 'vscode');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /none of code, codium, code-server is on the path/);
  writeFileSync(join(at, 'code'), '#!/bin/sh\necho "no such extension"; exit 1\n', { mode: 0o755 });
  const failed = await home(t, { PATH: at }).run(at, 'editors', 'uninstall', 'vscode');
  assert.match(failed.stderr, /failed: no such extension/);
});
