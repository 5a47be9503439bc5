/**
 * Globs over paths relative to the root: a double star with a slash is any folders, a double star anything,
 * a star anything but a slash, `?` one character but a slash.
 */
export function globPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (found) => {
    if (found === '**/') return '(?:.*/)?';
    if (found === '**') return '.*';
    if (found === '*') return '[^/]*';
    return found === '?' ? '[^/]' : `\\${found}`;
  });
  return new RegExp(`^${source}$`, 's');
}
