/** Programs that the person has installed: where one lies on the path, and one run of it, waited for. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isBelow } from '../disk/repository-file.js';
import { gitRepositoryAround } from './git-repository.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The full path of the first one that is there. Folders that depend on where one stands are not looked in, nor those
 * of the repository that one stands in, or of `workTree`: what they hold is its content.
 */
export function installedProgram(
  names: readonly string[],
  environment: Environment,
  workTree?: string,
): string | undefined {
  const trees = [workTree, workTreeHere()].filter((tree) => tree !== undefined);
  const folders = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !trees.some((tree) => isBelow(tree, realFolder(folder))));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return names
    .flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`))))
    .find(isProgram);
}

/** What it said, on both outputs, and whether it ended well. */
export function runInstalled(
  path: string,
  args: readonly string[],
  environment: Environment,
): { readonly ok: boolean; readonly said: string } {
  const { status, error, stdout, stderr } = spawnSync(path, args, {
    env: environment,
    encoding: 'utf8',
    shell: path.endsWith('.cmd'),
  });
  return { ok: status === 0, said: error === undefined ? `${stdout}${stderr}`.trim() : error.message };
}

/** Undefined as well where one stands in no folder, since that was removed. */
function workTreeHere(): string | undefined {
  try {
    return gitRepositoryAround(process.cwd())?.workTree;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** Itself where there is no such folder. */
export function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return path;
    throw error;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
