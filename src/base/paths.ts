/** Paths relative to a root, with `/`. */

/** An absolute path, one with an empty part, `.`, `..`, or git's own folder in any case of letters. */
const NO_PATH_OF_A_FILE = /^[A-Za-z]:[\\/]|(?:^|\/)(?:|\.\.?|\.git|git~1)(?:\/|$)/iu;

/**
 * Whether a path that git or a client names is one that a file of the repository can have:
 * relative, with nothing that leads out of the root or into git's own folder.
 */
export function isPathInside(path: string): boolean {
  return !NO_PATH_OF_A_FILE.test(path) && !path.includes('\0');
}

/** A path in a folder; `''`: the root. */
export const joinedPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The folder of a path; `''`: the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** `path` seen from `dir`, `.` and `..` removed. What leads above the root begins with `..`. */
export function pathFrom(dir: string, path: string): string {
  const parts = dir === '' ? [] : dir.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** Number of leading folders that two paths have in common. */
export function sharedFolders(a: string, b: string): number {
  let count = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === '/') count++;
  return count;
}

/** Name of a file without folder and ending. */
export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
