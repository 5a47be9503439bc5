/**
 * Notices that HEAD moved: a commit, a checkout, a rebase, a reset.
 *
 * Git replaces files right in its folder when it does any of these (HEAD, the index, the message
 * of the commit), so one watch on that folder without those below is a cheap signal; git is then
 * asked, and only a different answer counts. The folder may lie outside of the root (a linked
 * work tree) or above it (the root is a folder of the repository).
 */
import { unwatchFile, watch, watchFile } from 'node:fs';
import { join } from 'node:path';
import { gitFolder, readHead } from '../git/git.js';

export interface HeadWatch {
  /** Exists while git changes the work tree or the index. */
  readonly lockFile: string;
  close(): void;
}

/** Several of git's files change within one command. */
const QUIET_MS = 100;
/** How often the folder's time is looked at where there are no events. */
const LOOK_MS = 2000;

/** Undefined where there is no repository. */
export async function watchHead(root: string, onMoved: () => void): Promise<HeadWatch | undefined> {
  const folder = await gitFolder(root);
  if (folder === undefined) return undefined;
  let known = await headOf(root);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const check = async (): Promise<void> => {
    const now = await headOf(root);
    if (closed || now === known) return;
    known = now;
    onMoved();
  };
  const changed = (): void => {
    clearTimeout(timer);
    // Git that cannot be started now is asked again with the next change.
    timer = setTimeout(() => void check().catch(() => undefined), QUIET_MS).unref();
  };
  const unfollow = follow(folder, changed);
  return {
    lockFile: join(folder, 'index.lock'),
    close: () => {
      closed = true;
      clearTimeout(timer);
      unfollow();
    },
  };
}

/** Gives what ends it. */
function follow(folder: string, changed: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    // The limit on watches, of which the watcher of the files tells.
    watchFile(folder, { persistent: false, interval: LOOK_MS }, changed);
    return () => unwatchFile(folder, changed);
  }
}

async function headOf(root: string): Promise<string> {
  const { commit, branch } = await readHead(root);
  return `${commit ?? ''} ${branch ?? ''}`;
}
