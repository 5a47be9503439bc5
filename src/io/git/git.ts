/**
 * What git knows of a repository: revisions, what the working tree changed since one, texts then.
 *
 * Texts are the stored blobs, without the filters that a checkout would run. Untracked files
 * count as added, because the person has written them. All paths are relative to the root, which
 * may lie inside of the work tree.
 *
 * A repository inside of this one (a submodule) is compared with the commit of it that this one held then. Where it
 * held none, all files in it are new, as they are for git. One that is gone is said to be; its texts lie elsewhere.
 */
import { join } from 'node:path';
import { shownName } from '../../base/shown.js';
import type { Base } from '../../engine/effects.js';
import { ServiceError } from '../../engine/service.js';
import { BaseFiles } from './base.js';
import { isPathInside, joinedPath } from '../../base/paths.js';
import { SOURCE_BYTES_MOST, sourceBytes, tooLarge } from '../disk/repository-file.js';
import { fieldsOf, runGit, type GitOutcome } from '../process/run-git.js';

/** Asks for the staged state instead of a commit. */
export const STAGED = ':index';

const NOT_IN_CLONE = 'its earlier text is not in this clone; fetch it (git fetch --unshallow) to compare';

const NOT_IN_SUBMODULE =
  'the commit of it that the repository around it held is not in this clone; fetch it (git fetch, in there) to compare';

const GONE = 'was a repository of its own that is not there any more: what used it is not known';

/** How git says that something is the commit of another repository. */
const REPOSITORY_MODE = '160000';

/** How a person allows what belongs to somebody else. */
const HOW_TO_ALLOW =
  'if you trust it, run "codeplan trust" there, or "git config --global --add safe.directory <folder>"';

/** Of all earlier texts of one question together: objects of a few megabytes can unpack to any number of them. */
const EARLIER_BYTES_MOST = 512 * 1024 * 1024;

/** Beyond that many deleted and new files git compares no texts. What it leaves is looked at here, within bounds. */
const RENAMES_MOST = 1000;

/** No order of files: a configuration can have it read from a pipe. */
const RAW = [
  '-O/dev/null',
  '--raw',
  '--no-abbrev',
  '-z',
  '--relative',
  '--no-ext-diff',
  '--no-textconv',
  // Which commit they are at is read, and none of their files.
  '--ignore-submodules=dirty',
];

interface RawChange {
  readonly status: string;
  readonly blob: string;
  readonly path: string;
  /** Where a renamed file was. */
  readonly from: string;
}

/** What git says of files, and the folders of repositories inside of this one that are not where they were. */
interface RawChanges {
  readonly files: readonly RawChange[];
  readonly gone: readonly string[];
}

export interface BaseOptions {
  /** Whether the index is made from this path. */
  readonly includes: (path: string) => boolean;
  /** Folders of repositories inside of this one, at whichever depth, as a scan lists them. */
  readonly repositories: readonly string[];
  readonly signal: AbortSignal;
}

/** What names a state of the repository that a checkout, commit or rebase changes. */
export interface Head {
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** Undefined when detached. */
  readonly branch: string | undefined;
}

/** The working tree's difference to a revision. Throws ServiceError: noGit, revision. */
export async function baseOfRevision(root: string, revision: string, options: BaseOptions): Promise<Base> {
  const commit = revision === STAGED ? undefined : await resolveRevision(root, revision, options.signal);
  const comparison = new Comparison(root, options);
  await comparison.repository('', commit);
  return comparison.found.finish(revision, options.signal);
}

/** One question's look at a repository and at those inside of it. */
class Comparison {
  readonly found = new BaseFiles();
  private readonly unpacked = { bytes: 0 };

  constructor(
    private readonly root: string,
    private readonly options: BaseOptions,
  ) {}

  /** `folder`: where in the root; against a commit, or against the index. */
  async repository(folder: string, commit: string | undefined): Promise<void> {
    const { signal } = this.options;
    const place = join(this.root, folder);
    const raw = await changesSince(place, commit, signal);
    for (const inner of raw.gone) this.found.missing(joinedPath(folder, inner), GONE);
    const changes = raw.files
      .map((change) => ({ ...change, path: joinedPath(folder, change.path), from: joinedPath(folder, change.from) }))
      .filter((change) => this.options.includes(change.path) || this.options.includes(change.from));
    const earlier = changes.filter((change) => change.status !== 'A').map((change) => change.blob);
    const [blobs, newPaths] = await Promise.all([
      blobTexts(place, earlier, this.unpacked, signal),
      listed(place, ['-o'], signal),
    ]);
    for (const change of changes) this.take(change, blobs.get(change.blob));
    this.added(folder, newPaths);
    for (const inner of this.directlyIn(folder)) await this.inside(folder, inner, commit);
  }

  private async inside(folder: string, inner: string, commit: string | undefined): Promise<void> {
    const { signal } = this.options;
    const path = inner.slice(folder === '' ? 0 : folder.length + 1);
    const held = await heldCommit(join(this.root, folder), path, commit, signal);
    if (held === undefined) await this.allNew(inner);
    else if (await hasCommit(join(this.root, inner), held, signal)) await this.repository(inner, held);
    else this.found.missing(inner, NOT_IN_SUBMODULE);
  }

  private async allNew(inner: string): Promise<void> {
    for (const each of this.options.repositories)
      if (each === inner || each.startsWith(`${inner}/`))
        this.added(each, await listed(join(this.root, each), ['-c', '-o'], this.options.signal));
  }

  /** Those that no other one lies around, within this one. */
  private directlyIn(folder: string): string[] {
    const within = this.options.repositories.filter((inner) => folder === '' || inner.startsWith(`${folder}/`));
    return within.filter((inner) => !within.some((other) => inner.startsWith(`${other}/`)));
  }

  private added(folder: string, paths: readonly string[]): void {
    for (const name of paths) {
      const path = joinedPath(folder, name);
      if (this.options.includes(path)) this.found.added(path, sourceBytes(this.root, path));
    }
  }

  private take(change: RawChange, before: Buffer | string | undefined): void {
    const { found, root } = this;
    const { includes } = this.options;
    if (change.status === 'A' || !includes(change.from)) found.added(change.path, sourceBytes(root, change.path));
    else if (before === undefined) found.missing(change.from, NOT_IN_CLONE);
    else if (typeof before === 'string') found.missing(change.from, `its earlier text: ${before}`);
    else if (change.status === 'D' || !includes(change.path)) found.deleted(change.from, before);
    else if (change.status === 'R') found.renamed(change.path, change.from, before);
    else found.changed(change.path, before);
  }
}

/** Full id of a commit. Throws ServiceError: noGit without a repository, revision for an unknown name. */
export async function resolveRevision(root: string, revision: string, signal?: AbortSignal): Promise<string> {
  await requireRepository(root, signal);
  // A name that begins with a dash would be taken for an option by a git that does not know --end-of-options.
  const outcome = revision.startsWith('-')
    ? undefined
    : await runGit(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], { signal });
  if (outcome?.ok === true) return outcome.stdout.toString('utf8').trim();
  if (outcome?.kind === 'late') throw unasked(root, outcome.stderr);
  const head = await readHead(root);
  if (head.commit === undefined)
    throw new ServiceError(
      'revision',
      `cannot compare with ${revision}: ${shownName(root)} has no commit yet; commit first, or give a ` +
        'folder with the earlier tree (--base-dir)',
    );
  throw new ServiceError(
    'revision',
    `${revision} is no commit of the repository at ${shownName(root)}; name one as the base (a branch, a ` +
      'tag, a commit id, HEAD~1)',
  );
}

/** Undefined commit and branch where there is no repository. */
export async function readHead(root: string): Promise<Head> {
  const commit = await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const branch = await runGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const text = (outcome: GitOutcome): string | undefined =>
    outcome.ok ? outcome.stdout.toString('utf8').trim() : undefined;
  return { commit: text(commit), branch: text(branch) };
}

/** The repository's own folder, where HEAD and the index lie; undefined without one. */
export async function gitFolder(root: string): Promise<string | undefined> {
  const outcome = await runGit(root, ['rev-parse', '--absolute-git-dir']);
  return outcome.ok ? outcome.stdout.toString('utf8').replace(/\n$/u, '') : undefined;
}

/** Throws ServiceError noGit where nothing can be compared with a revision. */
export async function requireRepository(root: string, signal: AbortSignal | undefined): Promise<void> {
  const outcome = await runGit(root, ['rev-parse', '--is-inside-work-tree'], { signal });
  if (outcome.ok && outcome.stdout.toString('utf8').trim() === 'true') return;
  if (!outcome.ok && outcome.kind === 'missing')
    throw new ServiceError(
      'noGit',
      'git was not found in PATH; install it, or give a folder with the earlier tree (--base-dir)',
    );
  if (!outcome.ok && outcome.kind === 'foreign')
    throw new ServiceError('noGit', `git is not asked: ${outcome.stderr}; ${HOW_TO_ALLOW}`);
  if (!outcome.ok && outcome.kind === 'late') throw unasked(root, outcome.stderr);
  throw new ServiceError(
    'noGit',
    `${shownName(root)} is not in a git work tree, so there is no revision to compare with; give a folder ` +
      'with the earlier tree (--base-dir)',
  );
}

const unasked = (root: string, why: string): ServiceError =>
  new ServiceError('noGit', `git cannot be asked in ${shownName(root)}: ${why}`);

/** Against a commit, or against the index. */
async function changesSince(root: string, commit: string | undefined, signal: AbortSignal): Promise<RawChanges> {
  if (commit === undefined) await requireRepository(root, signal);
  const options = { signal, readsFiles: true };
  const diff = (command: string, renames: readonly string[]): Promise<GitOutcome> =>
    runGit(root, [command, ...RAW, ...renames, ...(commit === undefined ? [] : [commit]), '--'], options);
  let outcome = await diff('diff', ['-M', `-l${RENAMES_MOST}`]);
  // It fails over texts that are not in the clone. These compare no texts, and name what was merely touched as well;
  // renames are then looked for among the texts that there are.
  if (!outcome.ok && outcome.kind === 'failed')
    outcome = await diff(commit === undefined ? 'diff-files' : 'diff-index', ['--no-renames']);
  const fields = fieldsOf(must(outcome, root, 'git diff').stdout);
  const files: RawChange[] = [];
  const gone: string[] = [];
  for (let i = 0; i < fields.length;) {
    const [mode, newMode, blob, , status] = (fields[i++] as string).split(' ');
    const from = fields[i++] as string;
    const letter = (status as string).charAt(0);
    const path = letter === 'R' || letter === 'C' ? (fields[i++] as string) : from;
    // U: unmerged, listed a second time as M.
    if (letter === 'U' || !isPathInside(path) || !isPathInside(from)) continue;
    const [was, is] = [mode === `:${REPOSITORY_MODE}`, newMode === REPOSITORY_MODE];
    if (was && letter !== 'M' && letter !== 'A' && letter !== 'C') gone.push(from);
    // A copy's source stays, so the copy is a new file.
    const isNew = was || letter === 'C';
    if (!is && !(was && letter === 'D')) files.push({ status: isNew ? 'A' : letter, blob: blob as string, path, from });
    else if (!was && letter !== 'A') files.push({ status: 'D', blob: blob as string, path: from, from });
  }
  return { files, gone };
}

/** What git lists, less what is ignored: `-c` what it tracks, `-o` what it does not. */
async function listed(place: string, which: readonly string[], signal: AbortSignal): Promise<string[]> {
  const outcome = await runGit(place, ['ls-files', ...which, '--exclude-standard', '-z'], { signal });
  return fieldsOf(must(outcome, place, 'git ls-files').stdout).filter((path) => isPathInside(path));
}

/** The commit of a repository inside of this one that this one holds, in a commit or in the index. */
async function heldCommit(
  place: string,
  path: string,
  commit: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const command =
    commit === undefined ? ['ls-files', '-s', '-z', '--', `:(literal)${path}`] : ['ls-tree', '-z', commit, '--', path];
  const outcome = must(await runGit(place, command, { signal }), place, `git ${command[0] as string}`);
  // "160000 commit <id>\t<path>", and without the word in the index.
  return /^160000 (?:commit )?([0-9a-f]+)/u.exec(outcome.stdout.toString('latin1'))?.[1];
}

async function hasCommit(place: string, commit: string, signal: AbortSignal): Promise<boolean> {
  return (await runGit(place, ['cat-file', '-e', `${commit}^{commit}`], { signal })).ok;
}

/**
 * Content by blob id, or why it is not read (`unpacked`: so far, for this question): git is asked for sizes first, and
 * gives out nothing that is too large.
 */
async function blobTexts(
  root: string,
  blobs: readonly string[],
  unpacked: { bytes: number },
  signal: AbortSignal,
): Promise<Map<string, Buffer | string>> {
  const contents = new Map<string, Buffer | string>();
  const wanted: string[] = [];
  for (const line of (await catFile(root, '--batch-check', [...new Set(blobs)], signal))
    .toString('latin1')
    .split('\n')) {
    const [id = '', type, size] = line.split(' ');
    // "<id> missing": a shallow or partial clone.
    if (type !== 'blob') continue;
    if (Number(size) > SOURCE_BYTES_MOST) contents.set(id, tooLarge(Number(size)));
    else if ((unpacked.bytes += Number(size)) > EARLIER_BYTES_MOST)
      contents.set(id, `the earlier texts have more than ${EARLIER_BYTES_MOST / 2 ** 20} MB together`);
    else wanted.push(id);
  }
  const stdout = await catFile(root, '--batch', wanted, signal);
  for (let at = 0; at < stdout.length;) {
    const lineEnd = stdout.indexOf(10, at);
    const [id, , size] = stdout.toString('latin1', at, lineEnd).split(' ') as [string, string, string | undefined];
    at = lineEnd + 1;
    if (size === undefined) continue;
    const end = at + Number(size);
    contents.set(id, stdout.subarray(at, end));
    at = end + 1;
  }
  return contents;
}

async function catFile(root: string, how: string, ids: readonly string[], signal: AbortSignal): Promise<Buffer> {
  if (ids.length === 0) return Buffer.alloc(0);
  const input = Buffer.from(`${ids.join('\n')}\n`);
  return must(await runGit(root, ['cat-file', how], { input, signal }), root, 'git cat-file').stdout;
}

function must(outcome: GitOutcome, root: string, command: string): Extract<GitOutcome, { ok: true }> {
  if (outcome.ok) return outcome;
  throw new ServiceError(
    'noGit',
    `${command} failed in ${shownName(root)}: ` +
      (outcome.stderr === '' ? `exit code ${outcome.exitCode ?? 'none'}` : outcome.stderr),
  );
}
