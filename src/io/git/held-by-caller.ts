/**
 * Whether the lock of git's index is that of the one who called this program.
 */

/**
 * Whether this program runs in a hook of a commit that holds the lock itself (`commit -a`, `commit <path>`) and waits
 * for the hook: git then names the lock as the index, and changes nothing meanwhile.
 */
export const isHeldByCaller = (environment: NodeJS.ProcessEnv): boolean =>
  environment['GIT_INDEX_FILE']?.endsWith('.lock') === true;
