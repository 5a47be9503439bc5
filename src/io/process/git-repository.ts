/**
 * The git repository around a folder, found as git finds it but for one thing: only a `.git` counts.
 *
 * A bare repository that lies about in a checkout is none, and what a repository's configuration says
 * of its work tree does not move it. Whose a repository is decides whether git is asked at all: its
 * configuration is its owner's, and git would act on it. Git's own check is not enough, because old
 * versions have none and because we name the repository instead of having git look for it.
 */
import { lstatSync, statSync, type Stats } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { readPersonalFile } from '../disk/repository-file.js';

const IF_THERE = { throwIfNoEntry: false } as const;

export interface GitRepository {
  /** The folder that holds `.git`. */
  readonly workTree: string;
  /** `.git` itself: a folder, or the file of a linked work tree or a submodule. */
  readonly dotGit: string;
}

/** Undefined where there is none. `folder` should be a real path. */
export function gitRepositoryAround(folder: string): GitRepository | undefined {
  const ceilings = (process.env['GIT_CEILING_DIRECTORIES'] ?? '').split(delimiter).filter(isAbsolute);
  const device = statOf(folder)?.dev;
  for (let workTree = folder; ; workTree = dirname(workTree)) {
    const dotGit = join(workTree, '.git');
    if (isGit(dotGit)) return { workTree, dotGit };
    const above = dirname(workTree);
    // As git: nothing is looked for beyond the file system, nor from a ceiling upwards.
    if (above === workTree || ceilings.includes(above) || statOf(above)?.dev !== device) return undefined;
  }
}

/** The user whose the repository is, if it is somebody else's; undefined when it is this user's own. */
export function foreignOwner({ workTree, dotGit }: GitRepository): number | undefined {
  const self = process.geteuid?.();
  if (self === undefined) return undefined;
  // Who became root by sudo is still at home in what is theirs, as for git.
  const before = self === 0 ? Number(process.env['SUDO_UID'] ?? self) : self;
  const places = [workTree, dotGit, ...gitFolders(dotGit)];
  const owners = places.flatMap((path) => [lstatSync(path, IF_THERE)?.uid, statOf(path)?.uid]);
  return owners.find((owner) => owner !== undefined && owner !== self && owner !== before);
}

function isGit(dotGit: string): boolean {
  const stats = statOf(dotGit);
  return stats?.isFile() === true || (stats?.isDirectory() === true && statOf(join(dotGit, 'HEAD')) !== undefined);
}

/** Where the file `.git` of a linked work tree leads; undefined for a folder. */
function gitFileTarget(dotGit: string): string | undefined {
  if (statOf(dotGit)?.isFile() !== true) return undefined;
  const target = /^gitdir: (.+?)\r?\n*$/su.exec(readPersonalFile(dotGit) ?? '')?.[1];
  return target === undefined ? undefined : resolve(dirname(dotGit), target);
}

/** Where what belongs to `.git` lies: the folder of a linked work tree, and the one that it shares with others. */
export function gitFolders(dotGit: string): string[] {
  const own = gitFileTarget(dotGit) ?? dotGit;
  const shared =
    statOf(join(own, 'commondir'))?.isFile() === true ? readPersonalFile(join(own, 'commondir')) : undefined;
  return shared === undefined ? [own] : [own, resolve(own, shared.replace(/\r?\n*$/u, ''))];
}

/** Undefined where there is nothing, or nothing that may be looked at. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, IF_THERE);
  } catch (error) {
    // What may not be looked at, or is a loop of links, is not there for git either.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
