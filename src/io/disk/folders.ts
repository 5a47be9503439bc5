/**
 * Where the program keeps things outside of the repository: the XDG folders of the person.
 *
 * Everything of one repository lies under its root key, in each folder. Folders are made private
 * (0700), and one that belongs to somebody else is refused: what lies in it would be believed.
 */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { shownName } from '../../base/shown.js';
import { realFileSystem, type FileSystem } from './file-system.js';

/** Summaries; may be thrown away at any time. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const own = environment['CODEPLAN_CACHE_DIR'];
  return own !== undefined && own !== '' ? own : join(xdg(environment, 'XDG_CACHE_HOME', '.cache'), 'codeplan');
}

/** Journals, trust, logs: lost with a loss. */
export function stateFolder(environment: NodeJS.ProcessEnv): string {
  return join(xdg(environment, 'XDG_STATE_HOME', join('.local', 'state')), 'codeplan');
}

/** The person's settings. */
export function configFolder(environment: NodeJS.ProcessEnv): string {
  return join(xdg(environment, 'XDG_CONFIG_HOME', '.config'), 'codeplan');
}

/** Name of a repository's folder: readable, and different for every real path. */
export function rootKey(realRoot: string): string {
  const readable = basename(realRoot)
    .replace(/[^\w.-]+/gu, '-')
    .slice(0, 40);
  return `${readable === '' ? 'root' : readable}-${createHash('sha256').update(realRoot).digest('hex').slice(0, 16)}`;
}

/**
 * Makes a folder that only this user can look into, and gives the outermost one that was not there. Throws if it cannot
 * be made or is somebody else's.
 */
export function makePrivateFolder(path: string, fs: FileSystem = realFileSystem): string | undefined {
  const made = fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = fs.lstatSync(path);
  if (!stats.isDirectory()) throw new Error(`${shownName(path)} is no folder`);
  const user = process.geteuid?.();
  if (user !== undefined && stats.uid !== user) throw new Error(`${shownName(path)} belongs to another user`);
  return made;
}

function xdg(environment: NodeJS.ProcessEnv, variable: string, otherwise: string): string {
  const value = environment[variable];
  // The XDG specification says to ignore relative paths.
  return value !== undefined && isAbsolute(value) ? value : join(environment['HOME'] ?? homedir(), otherwise);
}
