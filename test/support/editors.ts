/**
 * Real editors for tests: the one on the path, and newer ones where `.ci/newer-editors` has unpacked
 * some and `CODEPLAN_NEWER_EDITORS` names the folder of their starters. Each runs a script of
 * test/editors/ with our plugin, without a screen, and prints what was seen as its last line.
 */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext, TestOptions } from 'node:test';
import { fileURLToPath } from 'node:url';
import { home, PROGRAM, type Outcome } from './program.js';
import { temporaryFolder, writeFiles } from './temporary-folder.js';
import { EMACS_LIBRARIES, needs, NEWER_EDITORS } from './tool.js';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
/** The script ends the editor itself, unless it fails. */
const AFTER_AN_ERROR = ['-c', 'cquit'];

export interface EditorProgram {
  /** For a test's title. */
  readonly title: string;
  /** For the test itself: it does not run where the editor is missing. */
  readonly options: TestOptions;
  readonly program: string;
}

/** The one on the path, whether it is there or not, and the newer ones that were unpacked. */
export function editorPrograms(name: 'nvim' | 'emacs'): readonly EditorProgram[] {
  const newer = existsSync(NEWER_EDITORS)
    ? readdirSync(NEWER_EDITORS).filter((file) => file.split('-')[0] === name)
    : [];
  return [
    { title: name, program: name, options: needs(name) },
    ...newer.map((file) => ({ title: file, program: join(NEWER_EDITORS, file), options: {} })),
  ];
}

/** Arguments with which the Emacs on the path finds the packages that Debian has for it; without one, where it has none. */
export const emacsLoadPath = (): readonly string[] =>
  existsSync(EMACS_LIBRARIES)
    ? readdirSync(EMACS_LIBRARIES).flatMap((name) => ['-L', join(EMACS_LIBRARIES, name)])
    : [];

/** What the script saw; whoever asks says what that is. Fails if the script does. */
export async function neovimSession(
  t: TestContext,
  program: string,
  script: string,
  root: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const folder = temporaryFolder(t);
  // Help tags are written into the plugin's folder.
  cpSync(join(CHECKOUT, 'editors/nvim'), join(folder, 'nvim'), { recursive: true });
  writeFiles(folder, {
    'init.vim': `set runtimepath^=${join(folder, 'nvim')}\nfiletype on\nlet g:codeplan_command = ${JSON.stringify([process.execPath, PROGRAM, 'lsp'])}\n`,
  });
  return runNeovim(t, program, join(folder, 'init.vim'), script, root, {
    ...environment,
    CODEPLAN_TEST_HELP: join(folder, 'nvim/doc'),
  });
}

/** The same with settings of one's own in place of the plugin. */
export async function runNeovim(
  t: TestContext,
  program: string,
  settings: string,
  script: string,
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<unknown> {
  return seenBy(
    await home(t).runEditor(
      program,
      ['--headless', '-i', 'NONE', '-u', settings, '-S', scriptPath(script), ...AFTER_AN_ERROR],
      root,
      { ...environment, CODEPLAN_TEST_ROOT: root },
    ),
  );
}

/** The variables with which an editor finds `codeplan` on the path, as a person's does; it is put into the folder. */
export function programOnPath(folder: string): { readonly PATH: string } {
  writeFiles(folder, { 'bin/codeplan': `#!/bin/sh\nexec ${process.execPath} ${PROGRAM} "$@"\n` });
  chmodSync(join(folder, 'bin/codeplan'), 0o755);
  return { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
}

/**
 * What the script saw. `more` are arguments that come before the script, such as load paths. Fails if the script
 * does.
 */
export async function emacsSession(
  t: TestContext,
  program: string,
  script: string,
  root: string,
  more: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const run = await home(t).runEditor(
    program,
    ['-Q', '--batch', ...more, '-L', join(CHECKOUT, 'editors/emacs'), '-l', scriptPath(script)],
    root,
    { ...environment, CODEPLAN_TEST_ROOT: root, CODEPLAN_TEST_NODE: process.execPath, CODEPLAN_TEST_PROGRAM: PROGRAM },
  );
  const warnings = run.stderr.split('\n').filter((line) => /^Warning \(/u.test(line));
  assert.deepEqual(warnings, [], 'each opens a window in front of the person');
  return seenBy(run);
}

const scriptPath = (name: string): string => join(CHECKOUT, 'test/editors', name);

function seenBy(run: Outcome): unknown {
  assert.equal(run.code, 0, `${run.stdout}\n${run.stderr}`);
  return JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as unknown;
}
