/** What a watcher of files is, whoever does it, and what it means that one cannot be had. */

export interface FileWatch {
  close(): Promise<void>;
}

export interface WatchCallbacks {
  /** Relative to the root, with `/`. */
  readonly onPaths: (paths: readonly string[]) => void;
  /** Nothing more can be relied on. */
  readonly onLost: (error: unknown) => void;
}

/** Whether the kernel allows no further watches, by whatever means. */
export function isOutOfWatches(error: unknown): boolean {
  return /no space left on device|ENOSPC|too many open files|EMFILE/iu.test(messageOf(error));
}

/** In words that tell what to do. */
export function explained(error: unknown): string {
  return isOutOfWatches(error)
    ? `the system allows no further file watches (${messageOf(error)}); raise fs.inotify.max_user_watches and ` +
        'max_user_instances, then restart the daemon'
    : `file events are not to be had: ${messageOf(error)}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
