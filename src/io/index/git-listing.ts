/**
 * Notices that git lists other files although nothing in the work tree changed: an ignored file that somebody added
 * by force is listed from then on, and the repository has a list of patterns in git's own folder.
 *
 *     stamps   of git's index and of `info/exclude`: one look each
 *     kept     the files that are tracked and ignored: asked of git when its index changed, which it does often
 */
import { resolve } from 'node:path';
import { statSync } from 'node:fs';
import { sameStamp, stampOf, type FileStamp } from '../disk/file-stamp.js';
import { runGit } from '../process/run-git.js';

interface GitFiles {
  readonly index: string;
  readonly exclude: string;
}

export class GitListing {
  private files: GitFiles | undefined;
  private index: FileStamp | undefined;
  private exclude: FileStamp | undefined;
  /** Undefined while nobody had to know. */
  private kept: string | undefined;

  /** `root`: a real path. */
  constructor(private readonly root: string) {}

  /** Before all files are listed: what changes from then on is noticed. */
  async note(signal: AbortSignal): Promise<void> {
    this.files ??= await this.find(signal);
    if (this.files === undefined) return;
    const index = stampAt(this.files.index);
    if (!isSame(index, this.index)) this.kept = undefined;
    this.index = index;
    this.exclude = stampAt(this.files.exclude);
  }

  /** Whether git may list other files than when `note` was called. */
  async hasChanged(signal: AbortSignal): Promise<boolean> {
    if (this.files === undefined) return false;
    if (!isSame(stampAt(this.files.exclude), this.exclude)) return true;
    const index = stampAt(this.files.index);
    if (isSame(index, this.index)) return false;
    const kept = await this.listKept(signal);
    const isKnown = kept !== undefined && kept === this.kept;
    this.index = index;
    this.kept = kept;
    return !isKnown;
  }

  private async find(signal: AbortSignal): Promise<GitFiles | undefined> {
    const outcome = await runGit(this.root, ['rev-parse', '--git-path', 'index', '--git-path', 'info/exclude'], {
      signal,
    });
    const [index, exclude] = outcome.ok ? outcome.stdout.toString('utf8').split('\n') : [];
    if (index === undefined || exclude === undefined) return undefined;
    return { index: resolve(this.root, index), exclude: resolve(this.root, exclude) };
  }

  private async listKept(signal: AbortSignal): Promise<string | undefined> {
    const outcome = await runGit(this.root, ['ls-files', '-ci', '--exclude-standard', '-z'], { signal });
    return outcome.ok ? outcome.stdout.toString('latin1') : undefined;
  }
}

function stampAt(path: string): FileStamp | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stampOf(stats);
}

const isSame = (a: FileStamp | undefined, b: FileStamp | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameStamp(a, b);
