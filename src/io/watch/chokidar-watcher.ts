/**
 * File events through chokidar: Node's own watches, one a folder, or where even those cannot be had, looks at the
 * stamps of all files from time to time.
 *
 * It serves where the native watcher has no build for the system or no right to its events. Only
 * folders and files that the index may be made from are followed.
 */
import { relative, sep } from 'node:path';
import { watch as startWatching } from 'chokidar';
import type { FileWatch, WatchCallbacks } from './file-watch.js';
import { isForeign } from '../index/ignore-rules.js';
import { mayMatter } from '../index/scan.js';

/** Resolves when it follows all folders that there are. `pollMs` undefined: by events. */
export function watchWithChokidar(
  root: string,
  callbacks: WatchCallbacks,
  pollMs: number | undefined,
): Promise<FileWatch> {
  const pathOf = (path: string): string => relative(root, path).split(sep).join('/');
  const watcher = startWatching(root, {
    ignored: (path, stats) => {
      const within = pathOf(path);
      return within !== '' && (isForeign(within) || (stats?.isFile() === true && !mayMatter(within)));
    },
    ignoreInitial: true,
    followSymlinks: false,
    persistent: false,
    ...(pollMs === undefined ? {} : { usePolling: true, interval: pollMs, binaryInterval: pollMs }),
  });
  watcher.on('all', (_event, path) => callbacks.onPaths([pathOf(path)]));
  return new Promise((resolve, reject) => {
    const watch = { close: () => watcher.close() };
    let isReady = false;
    watcher.on('ready', () => {
      isReady = true;
      resolve(watch);
    });
    watcher.on('error', (error) => {
      if (isReady) callbacks.onLost(error);
      else watcher.close().then(() => reject(error as Error), reject);
    });
  });
}
