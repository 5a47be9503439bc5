/**
 * The flags that every command has, and the root they lead to.
 *
 * A command without `--root` works on the repository around the working directory: the git work
 * tree, else the nearest folder with a settings file, else the working directory itself.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ImpactParams } from '#protocol/impact.js';
import { gitRepositoryAround } from '../io/process/git-repository.js';
import { rootOf } from '../io/disk/root.js';
import { SETTINGS_FILE } from '../io/settings/settings.js';

export interface CommonFlags {
  readonly root?: string;
  readonly json?: boolean;
  /** False with `--no-daemon`. */
  readonly daemon: boolean;
  readonly config?: string;
  readonly quiet?: boolean;
}

export function withCommonFlags(command: Command): Command {
  return command
    .option('--root <dir>', 'work on this directory (default: the repository around the working directory)')
    .option('--json', 'print one JSON document on standard output')
    .option('--no-daemon', 'work in this process, even if a daemon is running')
    .option('--config <file>', `read settings from this file in place of ${SETTINGS_FILE}`)
    .option('--quiet', 'print no progress and no advice')
    .option('--no-pager', 'print a long answer as it is, on a terminal too');
}

/** What a command measures the person's edits against. */
export interface BaselineFlags extends CommonFlags {
  readonly base?: string;
  readonly baseDir?: string;
  readonly change?: string;
}

export function withBaseline(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--base <revision>',
        'compare with this revision, or :index for what is staged (default: the last commit)',
      ).conflicts('baseDir'),
    )
    .option('--base-dir <dir>', 'compare with the tree in this directory')
    .addOption(
      new Option(
        '--change <file>',
        'follow what changed in a library, by the change file of "codeplan api diff", instead of edits here',
      ).conflicts(['base', 'baseDir']),
    );
}

/** The same as parameters of a request; paths are absolute there. */
/** Refuses at once what would be refused when the repository is read, which can take minutes. */
export async function requireBaseline(
  { baseDir, change }: BaselineFlags,
  root: string,
  signal: AbortSignal,
): Promise<void> {
  if (baseDir !== undefined || change !== undefined) return;
  // Most commands have no baseline, and do not pay for loading this.
  const { requireRepository } = await import('../io/git/git.js');
  await requireRepository(root, signal);
}

export function baselineOf(
  { base, baseDir, change }: BaselineFlags,
  workingDirectory: string,
): Pick<ImpactParams, 'base' | 'baseDir' | 'change'> {
  return {
    ...(base === undefined ? {} : { base }),
    ...(baseDir === undefined ? {} : { baseDir: resolve(workingDirectory, baseDir) }),
    ...(change === undefined ? {} : { change: resolve(workingDirectory, change) }),
  };
}

/** The real path of the root. Throws ServiceError: root. */
export async function resolveRoot(flags: Pick<CommonFlags, 'root'>, workingDirectory: string): Promise<string> {
  if (flags.root !== undefined) return rootOf(resolve(workingDirectory, flags.root));
  const start = rootOf(workingDirectory);
  return (await repositoryAround(start)) ?? start;
}

/**
 * The git work tree around a folder, else the nearest folder with a settings file; undefined if there is
 * neither. Throws ServiceError: root.
 */
export async function repositoryAround(start: string): Promise<string | undefined> {
  const workTree = gitRepositoryAround(rootOf(start))?.workTree;
  if (workTree !== undefined) return rootOf(workTree);
  for (let folder = rootOf(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, SETTINGS_FILE))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || text.trim() === '')
      throw new InvalidArgumentError(`give a whole number of at least ${least}.`);
    return value;
  };
}

export function amount(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('give a number above 0.');
  return value;
}
