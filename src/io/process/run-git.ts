/**
 * Runs git so that nothing which a repository says is run by it: argument vectors, never a shell.
 *
 * A repository's configuration can name programs that git starts by itself. What can be switched off
 * by name stands in `SAFE_OPTIONS` (file system monitors, hooks, foreign differences, helpers); a
 * filter has a name of the repository's choosing, so all that are configured, wherever from, are
 * unset one by one for the commands that read the work tree. Nothing is fetched: no protocol is
 * allowed. The repository is named rather than looked for, so that neither the environment nor
 * `core.worktree` leads elsewhere, and one that is somebody else's is not asked before the person
 * allowed it. Output is bytes, because paths and texts need not be UTF-8.
 */
import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { foreignOwner, gitRepositoryAround, type GitRepository } from './git-repository.js';
import { installedProgram } from './installed-program.js';
import { pipeThatHolds, pipeWhereGitReads, type SettingsOf } from './git-waits.js';

export type GitOutcome =
  | { readonly ok: true; readonly stdout: Buffer; readonly stderr: string }
  | {
      readonly ok: false;
      /**
       * `missing`: no git. `none`: no repository. `foreign`: it belongs to another user. `late`: it did not end, or
       * would not, since a pipe lies where it reads.
       */
      readonly kind: 'missing' | 'none' | 'foreign' | 'late' | 'failed';
      readonly exitCode: number | null;
      readonly stderr: string;
    };

export interface GitOptions {
  readonly input?: Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether git may read files of the work tree, which it would give to filters. */
  readonly readsFiles?: boolean;
  /** Whether the directory may be a bare repository itself: one that the person names, never one that was found. */
  readonly bare?: boolean;
}

/**
 * Of git's own variables these say how git is set up; all others would lead to another repository, or run something.
 */
const KEPT = /^(?!GIT_)|^GIT_(?:EXEC_PATH|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|TEST_ASSUME_DIFFERENT_OWNER)$/u;
const OWN_VARIABLES = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Versions that do not know the variable above fetch, but by no protocol.
  GIT_ALLOW_PROTOCOL: '',
};
/** Else git reads the settings of the one that the process happens to stand in, whatever it is asked for. */
const NO_REPOSITORY = { GIT_DIR: devNull };
const WITH_SPEECH = /^(?:core\.sshCommand|credential\.helper)=/u;
const SAFE_OPTIONS = [
  '--no-pager',
  ...[
    // Empty, not `false`, which versions before 2.36 would take for a program's name.
    'core.fsmonitor=',
    'core.quotePath=false',
    'core.hooksPath=/dev/null',
    'core.sshCommand=false',
    'core.askPass=',
    'core.gitProxy=',
    'core.alternateRefsCommand=',
    'credential.helper=',
    'diff.external=',
    'gpg.program=false',
    'protocol.allow=never',
    'submodule.recurse=false',
  ].flatMap((setting) => ['-c', setting]),
];
/** What would speak is the person's own; what the repository spoken with names is not run. */
const SPEAKING_OPTIONS = SAFE_OPTIONS.filter(
  (option, i, all) => !WITH_SPEECH.test(option) && !(option === '-c' && WITH_SPEECH.test(all[i + 1] ?? '')),
);
/** Texts go in and out as they are stored. */
const AS_IT_IS = ['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false'];
/** Longer than the slowest disk needs. */
const LIMIT_MS = 2 * 60_000;
/** A git that has not ended by then is asked about: it may wait for a pipe. */
const LATE_MS = 1000;

/** Work trees of other users that the person has allowed, when that was last looked at. */
const allowed = new Set<string>();

export function allowForeignRepository({ workTree }: GitRepository): void {
  allowed.add(workTree);
}

export function forbidForeignRepository({ workTree }: GitRepository): void {
  allowed.delete(workTree);
}

/**
 * Runs `git <args>` for the repository around a directory, and collects what it prints. Rejects only when `signal`
 * aborts.
 */
export async function runGit(
  directory: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitOutcome> {
  options.signal?.throwIfAborted();
  const found = gitRepositoryAround(directory);
  if (found === undefined) {
    if (options.bare === true)
      return startGit(['-C', directory, `--git-dir=${directory}`, ...SAFE_OPTIONS, ...args], options);
    return { ok: false, kind: 'none', exitCode: null, stderr: `${directory} is in no git work tree` };
  }
  const owner = allowed.has(found.workTree) ? undefined : foreignOwner(found);
  if (owner !== undefined)
    return {
      ok: false,
      kind: 'foreign',
      exitCode: null,
      stderr: `${found.workTree} belongs to another user (${owner})`,
    };
  const pipe = pipeWhereGitReads(found);
  if (pipe !== undefined) return { ok: false, kind: 'late', exitCode: null, stderr: waitsFor(pipe) };
  const place = ['-C', directory, ...placeOf(found), ...SAFE_OPTIONS];
  const inRepository = { ...options, repository: found };
  if (options.readsFiles !== true) return startGit([...place, ...args], inRepository);
  const unset = await withoutFilters(place, inRepository);
  return unset.ok ? startGit([...place, ...unset.options, ...args], inRepository) : unset;
}

export interface OwnGitOptions extends Pick<GitOptions, 'input' | 'signal'> {
  /** Where its files lie, for commands that read or write them. */
  readonly workTree?: string;
  /** The index, in place of the repository's own. */
  readonly index?: string;
  /** Whether it may speak with other repositories, by files, https and ssh, as the person's own settings say how. */
  readonly speaks?: boolean;
}

/**
 * Runs git for a bare repository of our own making. Its content is somebody else's, its configuration is ours: so it
 * may speak with others, and only what the person has configured helps it to. No hook runs here or, in a repository on
 * this machine, there.
 */
export async function runOwnGit(
  gitDirectory: string,
  args: readonly string[],
  { workTree, index, speaks, ...options }: OwnGitOptions = {},
): Promise<GitOutcome> {
  options.signal?.throwIfAborted();
  const place = ['-C', workTree ?? gitDirectory, `--git-dir=${gitDirectory}`];
  const safe = speaks === true ? SPEAKING_OPTIONS : SAFE_OPTIONS;
  const tree = workTree === undefined ? [] : [`--work-tree=${workTree}`, '-c', 'core.bare=false', ...AS_IT_IS];
  const unset =
    workTree === undefined
      ? ({ ok: true, options: [] } as const)
      : await withoutFilters([...place, ...SAFE_OPTIONS], options);
  if (!unset.ok) return unset;
  return startGit([...place, ...tree, ...safe, ...unset.options, ...args], options, {
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(speaks === true ? { GIT_ALLOW_PROTOCOL: 'file:https:ssh' } : {}),
  });
}

/**
 * Options for the other side of a conversation that is a repository on this machine: git starts it without ours, and
 * its configuration and hooks are somebody else's. Nothing is checked out there.
 */
export function safeOtherSide(program: 'upload-pack' | 'receive-pack'): string {
  const settings = ['receive.denyCurrentBranch=refuse', 'receive.autogc=false', 'gc.auto=0'];
  const options = [...SAFE_OPTIONS, ...settings.flatMap((setting) => ['-c', setting])];
  // Read by a shell; all of it is ours.
  return `--${program}=git ${options.map((option) => `'${option}'`).join(' ')} ${program}`;
}

/** What `git --version` says. */
export function gitVersion(): Promise<GitOutcome> {
  return startGit(['--version'], {});
}

/** What the person's or the system's settings of git say, whatever the repository's do. */
export function personalGitSettings(
  scope: '--global' | '--system',
  name: string,
  { kind = 'path', beside }: { readonly kind?: 'path' | 'plain'; readonly beside?: string } = {},
): Promise<GitOutcome> {
  const type = kind === 'path' ? ['--type=path'] : [];
  return startGit(['config', scope, '-z', ...type, '--get-all', name], { beside }, NO_REPOSITORY);
}

/** The NUL-separated fields of an output of `-z`. */
export function fieldsOf(output: Buffer): string[] {
  const fields = output.toString('utf8').split('\0');
  if (fields[fields.length - 1] === '') fields.pop();
  return fields;
}

/** On a system without owners git looks for itself, and judges by its own means. */
function placeOf({ workTree, dotGit }: GitRepository): string[] {
  return process.geteuid === undefined
    ? [`--work-tree=${workTree}`]
    : [`--git-dir=${dotGit}`, `--work-tree=${workTree}`];
}

/** Options that unset every filter which any configuration names: the repository's, included files', the person's. */
async function withoutFilters(
  place: readonly string[],
  { signal, repository }: StartOptions,
): Promise<{ readonly ok: true; readonly options: readonly string[] } | Extract<GitOutcome, { ok: false }>> {
  const listed = await startGit([...place, 'config', '--list', '--name-only', '-z'], { signal, repository });
  if (!listed.ok) return listed;
  const filters = fieldsOf(listed.stdout).map((key) => /^filter\.([^]*)\.[^.]*$/u.exec(key)?.[1]);
  const names = new Set(filters.filter((name) => name !== undefined));
  const unnamable = [...names].find((name) => name.includes('='));
  // `-c` ends the name at the first equals sign.
  if (unnamable !== undefined)
    return {
      ok: false,
      kind: 'failed',
      exitCode: null,
      stderr: `its configuration names a filter ${JSON.stringify(unnamable)}, which cannot be switched off; rename it`,
    };
  const options = [...names].flatMap((name) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${name}.${setting}`]),
  );
  return { ok: true, options };
}

/** What version control knows and does not ignore; without git, what `otherwise` gives. */
export async function versionedFiles(root: string, otherwise: () => readonly string[]): Promise<readonly string[]> {
  const listed = await runGit(root, ['ls-files', '-co', '--exclude-standard', '-z']);
  return listed.ok ? [...new Set(fieldsOf(listed.stdout))] : otherwise();
}

interface StartOptions extends Pick<GitOptions, 'input' | 'signal'> {
  /** Where a git that is late may wait for a pipe. */
  readonly repository?: GitRepository | undefined;
  /** A work tree that it is not asked about, whose programs are not run either. */
  readonly beside?: string | undefined;
}

const waitsFor = (pipe: string): string => `git would wait for ever for ${pipe}, which is no file`;

/** Why a git that is late will not end; undefined where it has ended meanwhile, or is only slow. */
async function whatHolds(repository: GitRepository | undefined, ended: AbortSignal): Promise<string | undefined> {
  const settingsOf: SettingsOf = async (file) => {
    const command = ['config', '--file', file, '--no-includes', '--list', '-z'];
    const listed = await startGit(command, { signal: ended }, NO_REPOSITORY);
    return (listed.ok ? fieldsOf(listed.stdout) : []).map((field) => {
      const end = field.indexOf('\n');
      return end === -1 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)];
    });
  };
  const pipe = repository === undefined ? undefined : await pipeThatHolds(repository, settingsOf, ended);
  return pipe === undefined || ended.aborted ? undefined : waitsFor(pipe);
}

function startGit(
  args: readonly string[],
  { input, signal, repository, beside }: StartOptions,
  variables: Readonly<Record<string, string>> = {},
): Promise<GitOutcome> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const program = installedProgram(['git'], process.env, repository?.workTree ?? beside);
    if (program === undefined) {
      resolve({ ok: false, kind: 'missing', exitCode: null, stderr: 'git was not found in PATH' });
      return;
    }
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)));
    const child = spawn(program, args, {
      env: { ...own, ...OWN_VARIABLES, ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let late: string | undefined;
    const stop = (reason: string | undefined): void => {
      if (reason !== undefined && child.kill('SIGKILL')) late = reason;
    };
    const minutes = LIMIT_MS / 60_000;
    const timer = setTimeout(() => stop(`git did not end within ${minutes} minutes and was stopped`), LIMIT_MS);
    const ended = new AbortController();
    const doubt = setTimeout(() => void whatHolds(repository, ended.signal).then(stop, reject), LATE_MS);
    const abort = (): void => {
      child.kill('SIGKILL');
      reject(signal?.reason as Error);
    };
    const settle = (outcome: GitOutcome): void => {
      clearTimeout(timer);
      clearTimeout(doubt);
      ended.abort();
      signal?.removeEventListener('abort', abort);
      resolve(outcome);
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // git may end before it has read all of its input; its exit code says why.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => settle({ ok: false, kind: 'failed', exitCode: null, stderr: error.message }));
    child.on('close', (exitCode) => {
      const said = Buffer.concat(stderr).toString('utf8').trim();
      const errors = late ?? said;
      if (exitCode === 0) settle({ ok: true, stdout: Buffer.concat(stdout), stderr: errors });
      else settle({ ok: false, kind: late === undefined ? 'failed' : 'late', exitCode, stderr: errors });
    });
    child.stdin.end(input ?? '');
  });
}
