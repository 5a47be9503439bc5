/**
 * The settings that docs/editors.md shows for editors without a plugin, as they stand there: run in
 * the editor where it can be had, else read as that editor's settings and compared with what the
 * other tests run.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { editorPrograms, type EditorProgram, programOnPath, runNeovim } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';
import { ROOT } from '../support/source-files.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

const COMMAND = ['codeplan', 'lsp'];

/** The settings under a heading. */
function snippet(heading: string): string {
  const section =
    readFileSync(join(ROOT, 'docs/editors.md'), 'utf8')
      .split(/^## /mu)
      .find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/```(?:json|kak|lua)\n([^]*?)```/gu)].at(-1)?.[1] ?? '';
}

/** `vim.lsp.enable` came with 0.11. */
function hasConfigurations(program: string): boolean {
  const asked = ['-c', 'lua io.stdout:write(tostring(vim.lsp.config ~= nil))', '-c', 'qall!'];
  return (
    spawnSync(program, ['--headless', '-u', 'NONE', '-i', 'NONE', ...asked], { encoding: 'utf8' }).stdout === 'true'
  );
}

const withConfigurations = editorPrograms('nvim').filter(({ program }) => hasConfigurations(program));
const NEW_ENOUGH: readonly EditorProgram[] =
  withConfigurations.length > 0
    ? withConfigurations
    : [{ title: 'Neovim 0.11', program: 'nvim', options: needs('nvim-0.11') }];

for (const { title, program, options } of NEW_ENOUGH)
  test(`${title} without the plugin: an unsaved rename is hinted at, propagated and taken back`, options, async (t) => {
    const folder = temporaryFolder(t);
    writeFiles(folder, { 'init.lua': snippet('Neovim') });
    const seen = (await runNeovim(
      t,
      program,
      join(folder, 'init.lua'),
      'nvim-without-plugin.lua',
      repository(t, SHOP),
      programOnPath(folder),
    )) as { hint: string; lens: string; action: string; job: string };
    assert.match(seen.hint, /insert/u);
    assert.equal(seen.lens, 'codeplan: 2 blocks affected (2 break)');
    assert.match(seen.action, /^Propagate the latest edit/u);
    assert.equal(seen.job, SHOP['job.py']);
  });

test('Kakoune reads its settings, and gives kakoune-lsp a server for each file of the language', needs('kak'), (t) => {
  const folder = temporaryFolder(t);
  const given = join(folder, 'given');
  writeFiles(folder, { 'rc.kak': `declare-option str lsp_servers\n${snippet('Kakoune')}`, 'a.py': '' });
  execFileSync(
    'kak',
    [
      '-n',
      '-ui',
      'dummy',
      '-e',
      `source ${join(folder, 'rc.kak')}; edit ${join(folder, 'a.py')}; set-option buffer filetype python; echo -to-file ${given} %opt{lsp_servers}; quit!`,
    ],
    { env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder } },
  );
  assert.deepEqual(
    readFileSync(given, 'utf8')
      .trim()
      .split(/\s*\n\s*/u),
    ['[codeplan]', 'root_globs = ["codeplan.json", ".git"]', 'command = "codeplan"', 'args = ["lsp"]'],
  );
});

test('the settings for VS Code and Sublime Text are JSON, start what the other tests start, and name every language', () => {
  const code = z
    .object({
      'glspc.server.command': z.string(),
      'glspc.server.commandArguments': z.array(z.string()),
      'glspc.server.languageId': z.array(z.string()),
    })
    .parse(JSON.parse(snippet('VS Code')));
  assert.deepEqual([code['glspc.server.command'], ...code['glspc.server.commandArguments']], COMMAND);
  assert.deepEqual(code['glspc.server.languageId'], [
    'python',
    'typescript',
    'typescriptreact',
    'javascript',
    'javascriptreact',
    'java',
    'csharp',
  ]);
  const {
    clients: { codeplan },
  } = z
    .object({ clients: z.object({ codeplan: z.object({ command: z.array(z.string()), selector: z.string() }) }) })
    .parse(JSON.parse(snippet('Sublime Text')));
  assert.deepEqual(codeplan.command, COMMAND);
  assert.deepEqual(codeplan.selector.split(' | '), [
    'source.python',
    'source.ts',
    'source.tsx',
    'source.js',
    'source.jsx',
    'source.java',
    'source.cs',
  ]);
});
