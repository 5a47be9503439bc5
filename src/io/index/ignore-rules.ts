/**
 * Which paths of a repository are none of our business: nested ignore files in git's syntax,
 * `.git/info/exclude`, the person's own globs, and folders that hold other people's code.
 *
 * Rules of a file hold for its folder and below; the nearest file that says anything about a path
 * decides, as in git. A path below an ignored folder cannot be taken back in.
 */
import ignore, { type Ignore } from 'ignore';
import { readRepositoryFile, SETTINGS_BYTES_MOST } from '../disk/repository-file.js';

/**
 * Folders of installed or derived code, also where git tracks them. Build output is left to the ignore files: `target`
 * and `dist` are good names for packages.
 */
const FOREIGN_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.venv',
  '__pycache__',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  'bower_components',
  '.yarn',
  '.gradle',
]);

export const OWN_IGNORE_FILE = '.codeplanignore';

interface Rules {
  /** Folder of the ignore file with a trailing `/`, '' for the root. */
  readonly prefix: string;
  readonly matcher: Ignore;
  /** Of our own ignore file, not of git's. */
  readonly isOwn: boolean;
}

/** Whether a path lies in a folder that is never read. */
export function isForeign(path: string): boolean {
  return path.split('/').some((segment) => FOREIGN_FOLDERS.has(segment));
}

export class IgnoreRules {
  /** By ignore file name, then by folder. */
  private readonly byFolder = new Map<string, Rules>();
  private readonly everywhere: Ignore | undefined;

  /** `exclude`: further patterns relative to the root. */
  constructor(
    private readonly root: string,
    exclude: readonly string[],
  ) {
    this.everywhere = exclude.length === 0 ? undefined : ignore().add([...exclude]);
  }

  /**
   * Takes the rules of an ignore file in; `folder` is relative to the root, '' for itself. Says why
   * they do not count, if so: like git we follow no link to an ignore file.
   */
  addFile(folder: string, name: string): string | undefined {
    const path = folder === '' ? name : `${folder}/${name}`;
    const file = readRepositoryFile(this.root, path, { bytesMost: SETTINGS_BYTES_MOST, links: 'none' });
    if (file.kind !== 'file') return file.kind === 'refused' ? file.reason : undefined;
    const text = file.bytes.toString('utf8');
    // `.git/info/exclude` speaks of the root.
    const scope = name.includes('/') ? '' : folder;
    const key = `${scope}\0${name}`;
    this.byFolder.set(key, {
      prefix: scope === '' ? '' : `${scope}/`,
      matcher: ignore().add(text),
      isOwn: name === OWN_IGNORE_FILE,
    });
    return undefined;
  }

  /**
   * Whether a file is ignored. Every folder above it is asked first. `kept`: only the person's own rules may leave out
   * the file itself, whatever is said of its folders. Git keeps a file that is tracked although a rule names it (a
   * manifest among built ones of the same name); without git nothing else says that it is.
   */
  ignoresFile(path: string, kept = false): boolean {
    if (isForeign(path)) return true;
    if (this.byFolder.size === 0 && this.everywhere === undefined) return false;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      if (this.matches(path.slice(0, slash + 1))) return true;
    }
    return this.matches(path, kept);
  }

  /** Whether a folder itself is ignored; those above it are not asked. */
  ignoresFolder(path: string): boolean {
    return isForeign(path) || this.matches(`${path}/`);
  }

  /** A folder's path ends in `/`. */
  private matches(path: string, ownOnly = false): boolean {
    if (this.everywhere?.ignores(path) === true) return true;
    let ignored = false;
    let decidedBy = -1;
    for (const { prefix, matcher, isOwn } of this.byFolder.values()) {
      if (ownOnly && !isOwn) continue;
      if (prefix.length < decidedBy || !path.startsWith(prefix) || path.length === prefix.length) continue;
      const verdict = matcher.test(path.slice(prefix.length));
      if (verdict.ignored || verdict.unignored) {
        ignored = verdict.ignored;
        decidedBy = prefix.length;
      }
    }
    return ignored;
  }
}
