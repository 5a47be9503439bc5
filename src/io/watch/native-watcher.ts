/**
 * The system's own file events, through @parcel/watcher.
 *
 * The package is optional: it loads a binary for this system, and an installation without it works.
 * Throws where there is none, or where the kernel refuses another watch (inotify's limit).
 */
import { once } from 'node:events';
import { relative, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BackendType } from '@parcel/watcher';
import type { FileWatch, WatchCallbacks } from './file-watch.js';

/** Folders that nobody's sources lie in; each would cost a watch for every folder below. */
const NEVER_WATCHED = [
  '**/.git/**',
  '**/node_modules/**',
  '**/.venv/**',
  '**/__pycache__/**',
  '**/.hg/**',
  '**/.svn/**',
  '**/.gradle/**',
  '**/.mypy_cache/**',
  '**/.tox/**',
];

/** Named, since it would otherwise ask a shell for a program called watchman first. */
const BACKENDS: Readonly<Partial<Record<NodeJS.Platform, BackendType>>> = {
  darwin: 'fs-events',
  linux: 'inotify',
  win32: 'windows',
};

export async function watchNatively(root: string, callbacks: WatchCallbacks): Promise<FileWatch> {
  if (process.platform === 'linux') await requireInotify();
  const { subscribe } = (await import('@parcel/watcher')).default;
  const backend = BACKENDS[process.platform];
  const subscription = await subscribe(
    root,
    (error, events) => {
      if (error === null) callbacks.onPaths(events.map((event) => relative(root, event.path).split(sep).join('/')));
      else callbacks.onLost(error);
    },
    { ignore: NEVER_WATCHED, ...(backend === undefined ? {} : { backend }) },
  );
  return { close: () => subscription.unsubscribe().catch(unlessGone) };
}

/**
 * Throws where the kernel has no further instance of inotify, for one of which the package would wait for ever and keep
 * this thread. A thread's own loop asks for one of its own, which goes with it.
 */
async function requireInotify(): Promise<void> {
  await once(new Worker("require('node:fs').watch('/').close()", { eval: true }), 'exit');
}

/** The kernel has let go of a watch by itself when its folder is deleted: then there is nothing left to remove. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Error && /unable to remove watcher: invalid argument/iu.test(error.message))) throw error;
}
