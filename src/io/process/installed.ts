/**
 * Where the program's own files lie. They are searched for upwards from here, since the bundle (`scripts/bundle.mjs`)
 * puts this code into another folder than the compiler does.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's folder, which holds its `package.json`. */
export const PACKAGE_FOLDER = nearestWith('package.json', dirname(fileURLToPath(import.meta.url)));
/** All that was built. */
export const BUILT_FOLDER = join(PACKAGE_FOLDER, 'dist');
/** The module that a person runs, and a daemon is started from. */
export const MAIN_MODULE = join(BUILT_FOLDER, 'cli', 'main.js');
/** What a thread that parses runs. */
export const PARSE_WORKER = join(BUILT_FOLDER, 'program', 'parse-worker.js');

function nearestWith(name: string, folder: string): string {
  if (existsSync(join(folder, name))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error(`${fileURLToPath(import.meta.url)} lies in no package: no ${name} above it`);
  return nearestWith(name, above);
}
