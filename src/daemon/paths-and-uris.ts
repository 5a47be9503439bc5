/**
 * Paths of the repository to the client's URIs and back.
 *
 * The root is a real path; an editor may know the same folder by another name, through a link. A
 * document that is open keeps the URI that the client gave it; others are spelled below the
 * client's own name of the root.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export class PathsAndUris {
  /** The root as the client spells it. */
  private spelledRoot: string;
  private readonly spelled = new Map<string, string>();

  constructor(private readonly root: string) {
    this.spelledRoot = root;
  }

  /** The client works in this folder. */
  adopt(folderUri: string): void {
    const folder = filePath(folderUri);
    if (folder !== undefined && realPath(folder) === this.root) this.spelledRoot = folder;
  }

  /** Relative to the root with `/`; undefined for what is no file below it. */
  pathOf(uri: string): string | undefined {
    const file = filePath(uri);
    if (file === undefined) return undefined;
    return (
      below(this.spelledRoot, file) ??
      below(this.root, file) ??
      below(this.root, join(realPath(dirname(file)), basename(file)))
    );
  }

  uriOf(path: string): string {
    return this.spelled.get(path) ?? pathToFileURL(join(this.spelledRoot, path)).href;
  }

  opened(path: string, uri: string): void {
    this.spelled.set(path, uri);
  }

  closed(path: string): void {
    this.spelled.delete(path);
  }
}

/** The path that a `file:` URI names, or undefined. */
export function filePath(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    // A host name or an encoded slash: no file of this machine.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** A path with its links resolved, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path)
      return join(realPath(dirname(path)), basename(path));
    if (error instanceof Error && 'code' in error) return path;
    throw error;
  }
}

/** A file's path relative to a folder, with `/`; undefined if it does not lie in there. */
export function below(folder: string, file: string): string | undefined {
  const path = relative(folder, file);
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
    ? undefined
    : path.split(sep).join('/');
}
