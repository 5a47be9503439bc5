/**
 * Lists the files of a repository that the index is made from: sources of known languages, and
 * the configuration files that their resolution reads.
 *
 * In a git work tree git itself lists them, which is quick and exact; elsewhere we walk. Links to
 * folders are not followed, so there are no loops, and what git lists in a folder that became one is
 * not there. A link to a file is read only if it leads to a file inside the root that is not listed
 * itself. What is left out for a reason that the person
 * may not expect (size, permission, a link out of the root) is a problem, and the scan goes on.
 */
import { lstatSync, readdirSync, realpathSync, type Dirent, type Stats } from 'node:fs';
import { join } from 'node:path';
import { rootOf } from '../disk/root.js';
import { LANGUAGES, languageOf } from '../../languages/registry.js';
import { stampOf, type FileStamp } from '../disk/file-stamp.js';
import { isSystemError } from '../disk/file-system.js';
import { IgnoreRules, OWN_IGNORE_FILE } from './ignore-rules.js';
import { isPathInside, joinedPath } from '../../base/paths.js';
import { isBelow, pathBelow, RealFolders, SOURCE_BYTES_MOST, tooLarge } from '../disk/repository-file.js';
import { fieldsOf, runGit } from '../process/run-git.js';

export interface ScannedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly stamp: FileStamp;
}

export interface ScanProblem {
  readonly file: string;
  readonly message: string;
}

export interface Scan {
  /** Sorted by path. */
  readonly sources: readonly ScannedFile[];
  /** Sorted by path. */
  readonly configs: readonly ScannedFile[];
  readonly problems: readonly ScanProblem[];
  readonly by: 'git' | 'walk';
  /** Folders of repositories inside of this one whose files git lists. */
  readonly repositories: readonly string[];
  /** Whether a path would be left out by ignore files and patterns, as far as git does not decide it. */
  readonly leavesOut: (path: string) => boolean;
}

export interface ScanOptions {
  /** Further patterns to leave out, in the syntax of ignore files. */
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
  /** Which files to list instead of those of interest; what is no source among them counts as a configuration file. */
  readonly isWanted?: (path: string) => boolean;
}

/** Changes to these say that other files may now be ours, or not. */
const IGNORE_FILES: ReadonlySet<string> = new Set(['.gitignore', OWN_IGNORE_FILE, '.gitmodules']);
/** How many files are looked at before other work gets a turn: about a millisecond. */
const TURN_FILES = 200;

/** Throws a ServiceError when the root itself cannot be read. */
export async function scan(root: string, options: ScanOptions): Promise<Scan> {
  const realRoot = rootOf(root);
  const listing = new Listing(realRoot, options);
  const by = (await listing.byGit('')) ? 'git' : 'walk';
  if (by === 'walk') await listing.byWalk('');
  return { ...listing.finish(), by };
}

/** Whether the index is made from files of this name, as a source or as a configuration file. */
export function isOfInterest(path: string): boolean {
  return languageOf(path) !== undefined || isConfig(path);
}

/** Whether a change of a file of this name may change what the index is made from. */
export function mayMatter(path: string): boolean {
  return isOfInterest(path) || IGNORE_FILES.has(path.slice(path.lastIndexOf('/') + 1));
}

/** Whether some language asked for configuration files of this name. */
export function isConfig(path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  return LANGUAGES.some((language) =>
    language.configFiles.some((name) => (name.startsWith('*') ? base.endsWith(name.slice(1)) : base === name)),
  );
}

/**
 * Emacs puts a link `.#store.py` that leads nowhere beside a file with unsaved edits (its manual, "Interlocking"): no
 * source is missing there.
 */
const isEditorLock = (path: string): boolean => path.slice(path.lastIndexOf('/') + 1).startsWith('.#');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const byPath = (a: ScannedFile, b: ScannedFile): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** One scan under way. */
class Listing {
  private readonly sources = new Map<string, FileStamp>();
  private readonly configs = new Map<string, FileStamp>();
  private readonly problems: ScanProblem[] = [];
  private readonly repositories: string[] = [];
  /** Path of a link to where it leads, as a real path. */
  private readonly links = new Map<string, string>();
  private readonly ignored: IgnoreRules;
  private readonly folders: RealFolders;
  private seen = 0;
  private readonly isWanted: (path: string) => boolean;

  constructor(
    private readonly root: string,
    private readonly options: ScanOptions,
  ) {
    this.isWanted = options.isWanted ?? isOfInterest;
    this.ignored = new IgnoreRules(root, options.exclude);
    this.folders = new RealFolders(root);
  }

  /**
   * Lists a folder that is a git work tree or inside of one. False if it is none, or if git has
   * nothing to say about it (the folder itself is ignored by a repository further out).
   */
  async byGit(folder: string): Promise<boolean> {
    const outcome = await runGit(join(this.root, folder), ['ls-files', '-co', '--exclude-standard', '-z'], {
      signal: this.options.signal,
    });
    if (!outcome.ok) {
      if (outcome.kind === 'foreign' || outcome.kind === 'late')
        this.problems.push({ file: folder, message: `git does not say what is ignored here: ${outcome.stderr}` });
      return false;
    }
    const listed = [...new Set(fieldsOf(outcome.stdout))].map((path) => joinedPath(folder, path));
    if (listed.length === 0) return false;
    const paths = listed.filter((path) => this.canBeInside(path));
    for (const match of outcome.stderr.matchAll(/could not open directory '(.*?)\/?': (.*)/gu)) {
      this.problems.push({
        file: joinedPath(folder, match[1] as string),
        message: `the folder cannot be read: ${match[2] as string}`,
      });
    }
    this.obey(folder, OWN_IGNORE_FILE);
    for (const path of paths)
      if (path.endsWith(`/${OWN_IGNORE_FILE}`)) this.obey(path.slice(0, -OWN_IGNORE_FILE.length - 1), OWN_IGNORE_FILE);
    for (const path of paths) {
      if (path.endsWith('/')) await this.nested(path.slice(0, -1));
      else if (this.isWanted(path)) await this.consider(path);
      else if (!path.slice(path.lastIndexOf('/') + 1).includes('.')) await this.nestedIfFolder(path);
    }
    return true;
  }

  async byWalk(folder: string): Promise<void> {
    let entries: Dirent[];
    try {
      entries = readdirSync(join(this.root, folder), { withFileTypes: true });
    } catch (error) {
      this.problems.push({ file: folder, message: `the folder cannot be read: ${messageOf(error)}` });
      return;
    }
    if (folder === '') this.obey('', '.git/info/exclude');
    for (const name of ['.gitignore', OWN_IGNORE_FILE])
      if (entries.some((entry) => entry.name === name)) this.obey(folder, name);
    for (const entry of entries) {
      const path = joinedPath(folder, entry.name);
      if (entry.isDirectory()) {
        if (!this.ignored.ignoresFolder(path)) await this.byWalk(path);
      } else if (this.isWanted(path)) await this.consider(path);
    }
  }

  finish(): Omit<Scan, 'by'> {
    const listed = new Set([...this.sources.keys(), ...this.configs.keys()]);
    for (const [path, target] of [...this.links].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const inside = isBelow(this.root, target) ? pathBelow(this.root, target) : undefined;
      if (inside === undefined || !isPathInside(inside)) {
        const where = inside === undefined ? 'out of the root' : "into git's own folder";
        this.problems.push({ file: path, message: `the link leads ${where} and is not followed` });
        continue;
      }
      if (listed.has(inside)) continue;
      listed.add(inside);
      const stats = lstatSync(target, { throwIfNoEntry: false });
      if (stats?.isFile() === true) this.accept(path, stats);
    }
    const list = (files: Map<string, FileStamp>): ScannedFile[] =>
      [...files].map(([path, stamp]) => ({ path, stamp })).sort(byPath);
    this.problems.sort((a, b) => (a.file < b.file ? -1 : 1));
    return {
      sources: list(this.sources),
      configs: list(this.configs),
      problems: this.problems,
      repositories: this.repositories,
      leavesOut: (path) => this.ignores(path),
    };
  }

  private ignores(path: string): boolean {
    return this.ignored.ignoresFile(path, isConfig(path));
  }

  /** Takes an ignore file's rules in, if there is one. */
  private obey(folder: string, name: string): void {
    const reason = this.ignored.addFile(folder, name);
    if (reason !== undefined)
      this.problems.push({ file: joinedPath(folder, name), message: `its rules do not count: ${reason}` });
  }

  /** An index that somebody made by hand may name anything. */
  private canBeInside(path: string): boolean {
    if (isPathInside(path.endsWith('/') ? path.slice(0, -1) : path)) return true;
    this.problems.push({
      file: path,
      message: "git's index names it, but no file of the repository can have this path",
    });
    return false;
  }

  /** A repository inside of this one, which git names without looking into it. */
  private async nested(folder: string): Promise<void> {
    if (!this.folders.areAbove(`${folder}/`)) return;
    if (this.ignored.ignoresFile(folder) || this.ignored.ignoresFolder(folder)) return;
    const isRepository = lstatSync(join(this.root, folder, '.git'), { throwIfNoEntry: false }) !== undefined;
    if (isRepository && (await this.byGit(folder))) {
      this.repositories.push(folder);
      return;
    }
    if (isRepository || lstatSync(join(this.root, folder), { throwIfNoEntry: false })?.isDirectory() === true)
      await this.byWalk(folder);
  }

  /** A submodule is listed like a file. */
  private async nestedIfFolder(path: string): Promise<void> {
    if (lstatSync(join(this.root, path), { throwIfNoEntry: false })?.isDirectory() === true) await this.nested(path);
  }

  private async consider(path: string): Promise<void> {
    if (this.ignores(path)) return;
    if (++this.seen % TURN_FILES === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      this.options.signal.throwIfAborted();
    }
    const full = join(this.root, path);
    try {
      if (!this.folders.areAbove(path)) {
        this.problems.push({ file: path, message: 'a folder on the way to it is a link, which is not followed' });
        return;
      }
      const stats = lstatSync(full, { throwIfNoEntry: false });
      if (stats === undefined) {
        if (path.includes('\uFFFD'))
          this.problems.push({ file: path, message: 'the file name is not UTF-8; rename the file' });
      } else if (stats.isSymbolicLink()) this.link(path, full);
      else if (stats.isDirectory()) await this.nested(path);
      else if (stats.isFile()) this.accept(path, stats);
    } catch (error) {
      this.problems.push({ file: path, message: `cannot be looked at: ${messageOf(error)}` });
    }
  }

  /** What a link leads to counts once, at the end. One that leads nowhere holds no source that could be missed. */
  private link(path: string, full: string): void {
    try {
      this.links.set(path, realpathSync.native(full));
    } catch (error) {
      if (!isSystemError(error, 'ENOENT', 'ELOOP')) throw error;
      if (isEditorLock(path)) return;
      this.problems.push({ file: path, message: 'the link leads nowhere' });
    }
  }

  private accept(path: string, stats: Stats): void {
    if (stats.size > SOURCE_BYTES_MOST) {
      this.problems.push({
        file: path,
        message: `${tooLarge(stats.size)}; add it to ${OWN_IGNORE_FILE} to silence this`,
      });
      return;
    }
    (languageOf(path) === undefined ? this.configs : this.sources).set(path, stampOf(stats));
  }
}
