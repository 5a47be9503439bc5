/**
 * Whether git is changing the work tree at this moment: a checkout, a rebase, a reset or a merge holds
 * the lock of the index from its first file to its last.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gitFolder } from './git.js';
import { isHeldByCaller } from './held-by-caller.js';

/** How long an answer waits for git to be done. */
const WAIT_MS_MOST = 1000;
/** A lock that is older was left behind, or its work takes longer than an answer can wait. */
const WORTH_WAITING_MS = 10_000;
/** Git holds its lock for a few milliseconds. */
const LOOK_MS = 10;

export class GitLock {
  private constructor(private readonly file: string | undefined) {}

  static async of(root: string, environment: NodeJS.ProcessEnv): Promise<GitLock> {
    const folder = isHeldByCaller(environment) ? undefined : await gitFolder(root);
    return new GitLock(folder === undefined ? undefined : join(folder, 'index.lock'));
  }

  /** What to say of an answer that is given now; undefined while nothing is under way. */
  get problem(): string | undefined {
    return this.since === undefined
      ? undefined
      : `git is changing the working tree (${this.file ?? ''} is there), so this is of a tree half of which ` +
          'may be read; ask again when it is done, or remove the file if no git runs';
  }

  /** Waits a moment for git to be done. Rejects when `signal` aborts. */
  async released(signal: AbortSignal): Promise<void> {
    const end = Date.now() + WAIT_MS_MOST;
    for (let since = this.since; since !== undefined; since = this.since) {
      if (Date.now() > end || Date.now() - since > WORTH_WAITING_MS) return;
      await setTimeout(LOOK_MS, undefined, { signal });
    }
  }

  private get since(): number | undefined {
    return this.file === undefined ? undefined : statSync(this.file, { throwIfNoEntry: false })?.mtimeMs;
  }
}
