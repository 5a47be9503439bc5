/**
 * What a worker keeps of one repository: a bare repository of our own, and a folder with the files of one commit.
 *
 *     <workshop>/
 *       lease            lock of the process that works here
 *       git/             our own bare repository; refs/codeplan/made/<commit> keeps all that was made here
 *       tree/, index     files of the commit that is planned on
 *       done/<step>.json the newest outcome of each step, by its input: a step that was done is not done again
 *       proposing        the commit that a command of the person's was begun to propose
 *       proposal.md      what such a command is given to say
 *
 * The source's own repository is only ever read, but for a push of our branch.
 */
import { existsSync, lstatSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { shownName } from '../../base/shown.js';
import type { Repository, Settings } from '../../fleet/campaign.js';
import type { Step } from '../../fleet/event.js';
import { realFileSystem, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder } from '../disk/folders.js';
import { writeAtomically } from '../disk/write-atomically.js';
import { fieldsOf, runGit, runOwnGit, safeOtherSide, type OwnGitOptions } from '../process/run-git.js';
import { report as reportSchema, StepFailed, type JobReport } from './job.js';

const HEADS = 'refs/heads/';
const MADE = 'refs/codeplan/made/';
const PRIVATE = { mode: 0o600, durable: true } as const;
/** Of what git says when it is the network's fault, or a moment's. */
const PASSING =
  /could not resolve|timed out|timeout|connection|temporarily|early eof|hung up|\b5\d\d\b|\b429\b|unable to access/iu;

export class Workshop {
  readonly git: string;
  readonly tree: string;
  private readonly index: string;
  private readonly begun: string;

  constructor(
    readonly folder: string,
    private readonly signal: AbortSignal,
    private readonly fs: FileSystem = realFileSystem,
  ) {
    makePrivateFolder(folder, fs);
    this.begun = join(folder, 'proposing');
    this.git = join(folder, 'git');
    this.tree = join(folder, 'tree');
    this.index = join(folder, 'index');
  }

  /** The report of a step that was done with this input. */
  done(step: Step, input: string): JobReport | undefined {
    const path = join(this.folder, 'done', `${step}.json`);
    if (!this.isThere(path)) return undefined;
    const parsed = reportSchema.safeParse(JSON.parse(this.fs.readFileSync(path, 'utf8')));
    const isSame = parsed.success && parsed.data.kind === 'outcome' && parsed.data.outcome.input === input;
    return isSame ? parsed.data : undefined;
  }

  keepDone(step: Step, report: JobReport): void {
    makePrivateFolder(join(this.folder, 'done'), this.fs);
    writeAtomically(this.fs, join(this.folder, 'done', `${step}.json`), JSON.stringify(report), PRIVATE);
    // What became of it is known now, whichever commit is proposed next.
    const isProposed =
      report.kind === 'outcome' && report.outcome.step === 'propose' && report.outcome.verdict === 'proposed';
    if (isProposed) this.forgetProposing();
  }

  /** Whether a proposal was begun, and nobody noted that nothing came of it. Throws where the disk does not say. */
  isProposing(): boolean {
    return this.isThere(this.begun);
  }

  /** Before the command runs: once this returns, no end of the process makes it unknown. */
  noteProposing(commit: string): void {
    writeAtomically(this.fs, this.begun, commit, PRIVATE);
  }

  forgetProposing(): void {
    this.fs.rmSync(this.begun, { force: true });
  }

  /** Gives the path of a file with the text of the proposal. */
  proposalFile(text: string): string {
    const path = join(this.folder, 'proposal.md');
    writeAtomically(this.fs, path, text, { mode: 0o600, durable: false });
    return path;
  }

  private isThere(path: string): boolean {
    return this.fs.statSync(path, { throwIfNoEntry: false }) !== undefined;
  }

  /** Brings the source's commits here, and says which one its own branch is at. */
  async fetch({ source }: Repository): Promise<{ readonly commit: string; readonly branch: string }> {
    await this.ready();
    const heads = await this.run(['ls-remote', '--symref', ...otherSide(source, 'upload-pack'), '--', source, 'HEAD'], {
      speaks: true,
    });
    // Commands of the person get it as an argument: none that begins with a dash, or that a terminal would obey.
    const branch = /^ref: refs\/heads\/([^-\s\p{C}][^\s\p{C}]*)\tHEAD$/mu.exec(heads)?.[1] ?? 'HEAD';
    const commit = /^([0-9a-f]{40,64})\tHEAD$/mu.exec(heads)?.[1];
    if (commit === undefined) throw new StepFailed(`${shownName(source)} has no commit to begin with`, true);
    if (!(await this.has(commit)))
      await this.run(
        [
          'fetch',
          '--quiet',
          '--no-tags',
          '--no-write-fetch-head',
          ...otherSide(source, 'upload-pack'),
          '--',
          source,
          `+HEAD:refs/codeplan/base`,
        ],
        { speaks: true },
      );
    return { commit, branch };
  }

  async has(commit: string): Promise<boolean> {
    await this.ready();
    return (await runOwnGit(this.git, ['cat-file', '-e', `${commit}^{commit}`], { signal: this.signal })).ok;
  }

  /** Has a commit of the source here, which another worker may have looked at. */
  async bring(repository: Repository, commit: string): Promise<void> {
    if (await this.has(commit)) return;
    await this.fetch(repository);
    if (await this.has(commit)) return;
    throw new StepFailed(`${shownName(repository.source)} does not lead to ${commit} any more; retry looks anew`, true);
  }

  /** Whether the folder that the source is has edits that are not committed. */
  async isDirty({ source }: Repository): Promise<boolean> {
    if (!isAbsolute(source) || !existsSync(join(source, '.git'))) return false;
    const status = await runGit(
      source,
      ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules'],
      { readsFiles: true, signal: this.signal },
    );
    if (!status.ok) throw new StepFailed(`cannot look at ${shownName(source)}: ${status.stderr}`, true);
    return status.stdout.length > 0;
  }

  /** The files of a commit, and nothing else, in the tree's folder. */
  async checkOut(commit: string): Promise<void> {
    await this.ready();
    // Whoever worked here before may have been ended in the middle.
    for (const path of [this.tree, this.index, `${this.index}.lock`]) rmSync(path, { recursive: true, force: true });
    makePrivateFolder(this.tree);
    await this.runTree(['read-tree', commit]);
    await this.runTree(['checkout-index', '--all', '--force']);
  }

  /** A commit of the tree as it is; undefined where it is that of `base`. The same tree gives the same commit. */
  async commit(base: string, message: string, author: Settings['author']): Promise<string | undefined> {
    await this.runTree(['update-index', '-q', '--refresh'], undefined, true);
    const changed = await this.runTree(['diff-files', '-z', '--name-only', '--ignore-submodules=all']);
    const added = await this.runTree(['ls-files', '-z', '--others', '--exclude-standard']);
    const paths = `${changed}${added}`;
    await this.runTree(['update-index', '-z', '--add', '--remove', '--stdin'], Buffer.from(paths, 'utf8'));
    const tree = (await this.runTree(['write-tree'])).trim();
    const [baseTree, time] = (await this.run(['log', '-1', '--format=%T %ct', base])).trim().split(' ');
    if (tree === baseTree) return undefined;
    const person = `${oneLine(author.name)} <${oneLine(author.email)}> ${time ?? '0'} +0000`;
    const text = `tree ${tree}\nparent ${base}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`;
    const commit = (
      await this.run(['hash-object', '-t', 'commit', '-w', '--stdin'], { input: Buffer.from(text, 'utf8') })
    ).trim();
    await this.run(['update-ref', `${MADE}${commit}`, commit]);
    return commit;
  }

  /** Paths that differ between two commits. */
  async filesBetween(from: string, to: string): Promise<string[]> {
    return fieldsOf(Buffer.from(await this.run(['diff-tree', '-r', '-z', '--name-only', from, to]), 'utf8'));
  }

  /** The tip of a branch here; undefined where there is none. */
  async tip(branch: string): Promise<string | undefined> {
    await this.ready();
    const said = await runOwnGit(this.git, ['rev-parse', '--verify', '--quiet', `${HEADS}${branch}`], {
      signal: this.signal,
    });
    return said.ok ? said.stdout.toString('utf8').trim() : undefined;
  }

  /** Sets a branch here from the tip that it was seen at. */
  async setBranch(branch: string, commit: string, from: string | undefined): Promise<void> {
    await this.run(['update-ref', `${HEADS}${branch}`, commit, from ?? '']);
  }

  /** The tip of a branch in the source; undefined where there is none. */
  async tipAt({ source }: Repository, branch: string): Promise<string | undefined> {
    await this.ready();
    const said = await this.run(['ls-remote', ...otherSide(source, 'upload-pack'), '--', source, `${HEADS}${branch}`], {
      speaks: true,
    });
    return /^([0-9a-f]{40,64})\t/mu.exec(said)?.[1];
  }

  /** Sets a branch in the source, if it is still at the tip that it was seen at. */
  async push({ source }: Repository, branch: string, commit: string, from: string | undefined): Promise<void> {
    const lease = `--force-with-lease=${HEADS}${branch}:${from ?? ''}`;
    await this.run(
      ['push', '--quiet', lease, ...otherSide(source, 'receive-pack'), '--', source, `${commit}:${HEADS}${branch}`],
      { speaks: true },
    );
  }

  /** Whether a commit is part of the source's branch. */
  async isMerged(repository: Repository, commit: string): Promise<boolean> {
    const { commit: head } = await this.fetch(repository);
    return (await runOwnGit(this.git, ['merge-base', '--is-ancestor', commit, head], { signal: this.signal })).ok;
  }

  private async ready(): Promise<void> {
    if (existsSync(join(this.git, 'HEAD')) && (await runOwnGit(this.git, ['rev-parse', '--git-dir'])).ok) return;
    rmSync(this.git, { recursive: true, force: true });
    makePrivateFolder(this.git);
    await this.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=main']);
  }

  private async run(args: readonly string[], options: OwnGitOptions = {}): Promise<string> {
    const said = await runOwnGit(this.git, args, { ...options, signal: this.signal });
    if (said.ok) return said.stdout.toString('utf8');
    const isPassing = options.speaks === true && PASSING.test(said.stderr);
    throw new StepFailed(`git ${args[0] ?? ''}: ${said.stderr === '' ? 'no reason given' : said.stderr}`, !isPassing);
  }

  /** `isLoose`: its exit code says something else than failure. */
  private async runTree(args: readonly string[], input?: Buffer, isLoose = false): Promise<string> {
    const options = { workTree: this.tree, index: this.index, input, signal: this.signal };
    const said = await runOwnGit(this.git, args, options);
    if (said.ok) return said.stdout.toString('utf8');
    if (isLoose) return '';
    throw new StepFailed(`git ${args[0] ?? ''}: ${said.stderr}`, true);
  }
}

const oneLine = (text: string): string => text.replace(/[<>\n\r]/gu, ' ').trim();

const ELSEWHERE = /^(?:https|ssh):\/\/|^[\w.-]+@[\w.-]+:/u;

/** Elsewhere the other side is run by its own machine, as that one sees fit; all else git looks for on this one. */
const otherSide = (source: string, program: 'upload-pack' | 'receive-pack'): string[] =>
  ELSEWHERE.test(source) ? [] : [safeOtherSide(program)];

/** A folder of this machine, as opposed to an address. */
export const isFolder = (source: string): boolean =>
  isAbsolute(source) && lstatSync(source, { throwIfNoEntry: false })?.isDirectory() === true;
