/**
 * Paths from the root of the repository, with `/` and without a leading one; the root itself is ''.
 *
 * Pure text: whether something is there is for the repository view to say.
 */

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** `path` seen from `dir`, `.` and `..` removed. What leads above the root begins with `..`. */
export function joinPath(dir: string, path: string): string {
  const parts = dir === '' ? [] : dir.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
