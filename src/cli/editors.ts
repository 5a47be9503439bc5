/**
 * `codeplan editors install|uninstall <editor>`: sets an editor up in one step, shows what that would write, and takes
 * it back.
 */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Argument, type Command } from 'commander';
import { shownName, shownText } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { installedProgram, runInstalled } from '../io/process/installed-program.js';
import { EDITORS, VSCODE, type EditorSetup, type Machine } from './editor-setups.js';
import { writeLines } from './print.js';
import { putInto, shownFile, takeOutOf, type SettingsFile } from './settings-files.js';
import { EXIT, type ExitCode, type World } from './world.js';

export function addEditors(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const editors = program.command('editors').description('set up an editor, or take that back');
  const known = [...EDITORS, VSCODE].map(({ name }) => name);
  // Known to the help and to a shell's completion; what is none of them, or none, is refused in words of
  // our own, which name them.
  const editor = (): Argument => Object.assign(new Argument('[editor]', 'which editor'), { argChoices: known });
  const say = (lines: readonly string[]): void => {
    writeLines(world.stdout, `${lines.join('\n').trimEnd()}\n`);
    finish(EXIT.done);
  };
  editors
    .command('install')
    .description('write what the editor needs into your own settings of it')
    .addArgument(editor())
    .option('--print', 'only show what would be written')
    .action((name: string | undefined, { print }: { print?: boolean }) => {
      if (name === VSCODE.name) return say(extensionInstalled(world, print === true));
      const setup = setupNamed(name);
      const file = fileOf(setup, world);
      say(print === true ? shownFile(file, setup.comment) : [putInto(file), `next: ${setup.next}`]);
    });
  editors
    .command('uninstall')
    .description('take it out of the settings again')
    .addArgument(editor())
    .action((name: string | undefined) =>
      say(
        name === VSCODE.name
          ? [runEditor(world, ['--uninstall-extension', VSCODE.extension])]
          : [takeOutOf(fileOf(setupNamed(name), world))],
      ),
    );
}

/** VS Code keeps extensions itself: it is asked to. */
function extensionInstalled(world: World, onlyShown: boolean): string[] {
  const { folder, command } = machineOf(world);
  const packed = join(folder, VSCODE.packed);
  if (!existsSync(packed))
    throw new ServiceError('settings', `${shownName(packed)} is not there; in a checkout, "npm run vscode" makes it`);
  const setting =
    command[0] === 'codeplan'
      ? []
      : [`the path has no codeplan; set this: "codeplan.command": ${JSON.stringify([...command, 'lsp'])}`];
  if (onlyShown) return [`code --install-extension ${packed}`, ...setting];
  return [runEditor(world, ['--install-extension', packed, '--force']), ...setting, `next: ${VSCODE.next}`];
}

function runEditor({ environment }: World, args: readonly string[]): string {
  const program = installedProgram(VSCODE.programs, environment);
  if (program === undefined)
    throw new ServiceError(
      'settings',
      `none of ${VSCODE.programs.join(', ')} is on the path; put it there, or run: code ${args.join(' ')}`,
    );
  const { ok, said } = runInstalled(program, args, environment);
  if (!ok) throw new ServiceError('settings', `${shownName(program)} ${args.join(' ')} failed: ${shownText(said)}`);
  return shownText(said);
}

function setupNamed(name: string | undefined): EditorSetup {
  const setup = EDITORS.find((one) => one.name === name);
  if (setup !== undefined) return setup;
  const known = [...EDITORS, VSCODE].map((one) => `${one.name} (${one.title})`).join(', ');
  throw new ServiceError(
    'settings',
    `${name === undefined ? 'say which editor' : `${shownName(name)} is no editor that can be set up from here`}; ` +
      `give one of ${known}. docs/editors.md has others.`,
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
    command: installedProgram(['codeplan'], environment) === undefined ? [process.execPath, own] : ['codeplan'],
    exists: existsSync,
  };
}
