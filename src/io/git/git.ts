/**
 * What git knows of a repository: revisions, what the working tree changed since one, texts then.
 *
 * Texts are the stored blobs, without the filters that a checkout would run. Untracked files
 * count as added, because the person has written them. All paths are relative to the root, which
 * may lie inside of the work tree.
 */
import { shownName } from '../../base/shown.js';
import type { Base } from '../../engine/effects.js';
import { ServiceError } from '../../engine/service.js';
import { BaseFiles } from './base.js';
import { isPathInside } from '../../base/paths.js';
import { SOURCE_BYTES_MOST, sourceBytes, tooLarge } from '../disk/repository-file.js';
import { fieldsOf, runGit, type GitOutcome } from '../process/run-git.js';

/** Asks for the staged state instead of a commit. */
export const STAGED = ':index';

const NOT_IN_CLONE = 'its earlier text is not in this clone; fetch it (git fetch --unshallow) to compare';

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
  '--ignore-submodules=all',
];

interface RawChange {
  readonly status: string;
  readonly blob: string;
  readonly path: string;
  /** Where a renamed file was. */
  readonly from: string;
}

export interface BaseOptions {
  /** Whether the index is made from this path. */
  readonly includes: (path: string) => boolean;
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
  const raw = await changesSince(root, commit, options.signal);
  const changes = raw.filter((change) => options.includes(change.path) || options.includes(change.from));
  const earlier = changes.filter((change) => change.status !== 'A').map((change) => change.blob);
  const [blobs, newPaths] = await Promise.all([
    blobTexts(root, earlier, options.signal),
    untracked(root, options.signal),
  ]);
  const found = new BaseFiles();
  for (const change of changes) {
    if (change.status === 'A' || !options.includes(change.from)) {
      found.added(change.path, sourceBytes(root, change.path));
      continue;
    }
    const before = blobs.get(change.blob);
    if (before === undefined) found.missing(change.from, NOT_IN_CLONE);
    else if (typeof before === 'string') found.missing(change.from, `its earlier text: ${before}`);
    else if (change.status === 'D' || !options.includes(change.path)) found.deleted(change.from, before);
    else if (change.status === 'R') found.renamed(change.path, change.from, before);
    else found.changed(change.path, before);
  }
  for (const path of newPaths) if (options.includes(path)) found.added(path, sourceBytes(root, path));
  return found.finish(revision, options.signal);
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
      `cannot compare with ${revision}: ${shownName(root)} has no commit yet; commit first, or give the ` +
        'earlier tree with --base-dir',
    );
  throw new ServiceError(
    'revision',
    `${revision} is no commit of the repository at ${shownName(root)}; name one with --base (a branch, a ` +
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

async function requireRepository(root: string, signal: AbortSignal | undefined): Promise<void> {
  const outcome = await runGit(root, ['rev-parse', '--is-inside-work-tree'], { signal });
  if (outcome.ok && outcome.stdout.toString('utf8').trim() === 'true') return;
  if (!outcome.ok && outcome.kind === 'missing')
    throw new ServiceError('noGit', 'git was not found in PATH; install it, or give the earlier tree with --base-dir');
  if (!outcome.ok && outcome.kind === 'foreign')
    throw new ServiceError('noGit', `git is not asked: ${outcome.stderr}; ${HOW_TO_ALLOW}`);
  if (!outcome.ok && outcome.kind === 'late') throw unasked(root, outcome.stderr);
  throw new ServiceError(
    'noGit',
    `${shownName(root)} is not in a git work tree, so there is no revision to compare with; give the earlier ` +
      'tree with --base-dir',
  );
}

const unasked = (root: string, why: string): ServiceError =>
  new ServiceError('noGit', `git cannot be asked in ${shownName(root)}: ${why}`);

/** Against a commit, or against the index. */
async function changesSince(root: string, commit: string | undefined, signal: AbortSignal): Promise<RawChange[]> {
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
  const changes: RawChange[] = [];
  for (let i = 0; i < fields.length;) {
    const [, , blob, , status] = (fields[i++] as string).split(' ');
    const from = fields[i++] as string;
    const letter = (status as string).charAt(0);
    const path = letter === 'R' || letter === 'C' ? (fields[i++] as string) : from;
    // A copy's source stays, so the copy is a new file. U: unmerged, listed a second time as M.
    const isInside = isPathInside(path) && isPathInside(from);
    if (letter !== 'U' && isInside)
      changes.push({ status: letter === 'C' ? 'A' : letter, blob: blob as string, path, from });
  }
  return changes;
}

async function untracked(root: string, signal: AbortSignal): Promise<string[]> {
  return fieldsOf(
    must(await runGit(root, ['ls-files', '-o', '--exclude-standard', '-z'], { signal }), root, 'git ls-files').stdout,
  ).filter((path) => isPathInside(path));
}

/** Content by blob id, or why it is not read: git is asked for sizes first, and gives out nothing that is too large. */
async function blobTexts(
  root: string,
  blobs: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Buffer | string>> {
  const contents = new Map<string, Buffer | string>();
  const wanted: string[] = [];
  let bytes = 0;
  for (const line of (await catFile(root, '--batch-check', [...new Set(blobs)], signal))
    .toString('latin1')
    .split('\n')) {
    const [id = '', type, size] = line.split(' ');
    // "<id> missing": a shallow or partial clone.
    if (type !== 'blob') continue;
    if (Number(size) > SOURCE_BYTES_MOST) contents.set(id, tooLarge(Number(size)));
    else if ((bytes += Number(size)) > EARLIER_BYTES_MOST)
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
