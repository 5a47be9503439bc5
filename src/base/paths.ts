/** Paths relative to a root, with `/`. */

/** Number of leading folders that two paths have in common. */
export function sharedFolders(a: string, b: string): number {
  let count = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === '/') count++;
  return count;
}
