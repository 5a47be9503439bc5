/** Programs that the person has installed: where one lies on the path, and one run of it, waited for. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The full path of the first one that is there. Folders that depend on where one stands are not looked in. */
export function installedProgram(names: readonly string[], environment: Environment): string | undefined {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
