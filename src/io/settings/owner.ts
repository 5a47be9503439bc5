/**
 * Whether a repository that belongs to another user may be opened: only after the person said so, by
 * git's own list of safe directories or by `codeplan trust`.
 */
import { shownName, shownWord } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { stateFolder } from '../disk/folders.js';
import { foreignOwner, gitRepositoryAround, type GitRepository } from '../process/git-repository.js';
import { allowForeignRepository, fieldsOf, forbidForeignRepository, personalGitSettings } from '../process/run-git.js';
import { grantOfOwner, standingOf } from './trust.js';

/** From then on git is asked about it, or not any more. Throws ServiceError: root, while it is not allowed. */
export async function requireOwner(realRoot: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const found = gitRepositoryAround(realRoot);
  const owner = found === undefined ? undefined : foreignOwner(found);
  if (found === undefined || owner === undefined) return;
  const consent = standingOf(stateFolder(environment), realRoot, grantOfOwner(owner));
  if (consent.kind !== 'granted' && !(await isSafeDirectory(found))) {
    forbidForeignRepository(found);
    throw new ServiceError(
      'root',
      `${shownName(found.workTree)} is not opened, because the repository belongs to another user ` +
        `(${owner}); if you trust it, run "codeplan trust --root ${shownWord(realRoot)}", or "git config ` +
        `--global --add safe.directory ${shownName(found.workTree)}"`,
    );
  }
  allowForeignRepository(found);
}

/** The other user, if the repository is somebody else's. */
export function ownerToTrust(
  realRoot: string,
): { readonly repository: GitRepository; readonly user: number } | undefined {
  const repository = gitRepositoryAround(realRoot);
  const user = repository === undefined ? undefined : foreignOwner(repository);
  return repository === undefined || user === undefined ? undefined : { repository, user };
}

/** As git reads `safe.directory`: in the person's and the system's settings alone, the last word counts. */
async function isSafeDirectory({ workTree }: GitRepository): Promise<boolean> {
  let isSafe = false;
  for (const scope of ['--system', '--global'] as const) {
    const said = await personalGitSettings(scope, 'safe.directory', { beside: workTree });
    for (const value of said.ok ? fieldsOf(said.stdout) : []) {
      if (value === '') isSafe = false;
      else if (value === '*' || value === workTree) isSafe = true;
      else if (value.endsWith('/*') && workTree.startsWith(value.slice(0, -1))) isSafe = true;
    }
  }
  return isSafe;
}
