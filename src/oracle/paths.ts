/**
 * Paths as tools print them to paths relative to the root.
 *
 * An oracle runs in a copy of the tree, so a tool may name a file by the copy's path, by that
 * path with links resolved, by the root itself, or relative to where it ran. Text only, no disk.
 */

/** The path relative to the first of `roots` that it lies under; itself with `/` if under none. */
export function relativePath(path: string, roots: readonly string[]): string {
  const slashed = normalised(path.replace(/^file:\/\/(?=\/)/, ''));
  for (const root of roots) {
    const prefix = `${normalised(root).replace(/\/$/, '')}/`;
    if (slashed.startsWith(prefix)) return slashed.slice(prefix.length);
  }
  return slashed;
}

/** With `/`, and without `.` and `..` inside. */
function normalised(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  const out: string[] = [];
  for (const part of slashed.split('/')) {
    if (part === '.' || (part === '' && out.length > 0)) continue;
    const last = out[out.length - 1];
    if (part === '..' && last !== undefined && last !== '' && last !== '..') out.pop();
    else out.push(part);
  }
  return out.join('/');
}
