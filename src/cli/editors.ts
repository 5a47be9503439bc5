/**
 * `codeplan editors install|uninstall <editor>`: sets an editor up in one step, shows what that would write, and takes
 * it back.
 */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { EDITORS, type EditorSetup, type Machine } from './editor-setups.js';
import { writeLines } from './print.js';
import { putInto, shownFile, takeOutOf, type SettingsFile } from './settings-files.js';
import { EXIT, type ExitCode, type World } from './world.js';

export function addEditors(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const editors = program.command('editors').description('set up an editor, or take that back');
  const known = EDITORS.map(({ name }) => name).join(', ');
  editors
    .command('install')
    .description('write what the editor needs into your own settings of it')
    .argument('<editor>', `one of ${known}`)
    .option('--print', 'only show what would be written')
    .action((name: string, { print }: { print?: boolean }) => {
      const setup = setupNamed(name);
      const file = fileOf(setup, world);
      const lines = print === true ? shownFile(file, setup.comment) : [putInto(file), `next: ${setup.next}`];
      writeLines(world.stdout, `${lines.join('\n').trimEnd()}\n`);
      finish(EXIT.done);
    });
  editors
    .command('uninstall')
    .description('take it out of the settings again')
    .argument('<editor>', `one of ${known}`)
    .action((name: string) => {
      writeLines(world.stdout, `${takeOutOf(fileOf(setupNamed(name), world))}\n`);
      finish(EXIT.done);
    });
}

function setupNamed(name: string): EditorSetup {
  const setup = EDITORS.find((one) => one.name === name);
  if (setup !== undefined) return setup;
  const known = EDITORS.map((one) => `${one.name} (${one.title})`).join(', ');
  throw new ServiceError(
    'settings',
    `${shownName(name)} is no editor that can be set up from here; give one of ${known}. docs/editors.md has others.`,
  );
}

function fileOf(setup: EditorSetup, world: World): SettingsFile {
  const file = setup.file(machineOf(world));
  // A person's settings are often links into a repository of such files: what they lead to is changed.
  return { ...file, path: existsSync(file.path) ? realpathSync(file.path) : file.path };
}

function machineOf({ environment, program }: World): Machine {
  const own = realpathSync(program);
  return {
    home: environment['HOME'] || homedir(),
    environment,
    folder: join(dirname(own), '../..'),
    command: isOnPath(environment) ? ['codeplan'] : [process.execPath, own],
    exists: existsSync,
  };
}

function isOnPath(environment: Readonly<Record<string, string | undefined>>): boolean {
  const names = process.platform === 'win32' ? ['codeplan.cmd', 'codeplan.exe'] : ['codeplan'];
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => names.some((name) => isProgram(join(folder, name))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
