/**
 * The system's own file events, through @parcel/watcher.
 *
 * The package loads a binary for this system; where there is none, or where the kernel refuses
 * another watch (inotify's limit), the answer says so in words that tell what to do.
 */
import { relative, sep } from 'node:path';

export interface NativeWatch {
  close(): Promise<void>;
}

export type NativeStart =
  { readonly ok: true; readonly watch: NativeWatch } | { readonly ok: false; readonly reason: string };

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

/** `onPaths` gets paths relative to the root, with `/`; `onLost` why nothing more can be relied on. */
export async function watchNatively(
  root: string,
  ignore: readonly string[],
  onPaths: (paths: readonly string[]) => void,
  onLost: (reason: string) => void,
): Promise<NativeStart> {
  try {
    const { subscribe } = (await import('@parcel/watcher')).default;
    const subscription = await subscribe(
      root,
      (error, events) => {
        if (error !== null) {
          onLost(explain(error));
          return;
        }
        onPaths(events.map((event) => relative(root, event.path).split(sep).join('/')));
      },
      { ignore: [...NEVER_WATCHED, ...ignore] },
    );
    return { ok: true, watch: { close: () => subscription.unsubscribe().catch(unlessGone) } };
  } catch (error) {
    return { ok: false, reason: explain(error) };
  }
}

/** The kernel has let go of a watch by itself when its folder is deleted: then there is nothing left to remove. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Error && /unable to remove watcher: invalid argument/iu.test(error.message))) throw error;
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/no space left on device|ENOSPC|too many open files|EMFILE/iu.test(message)) {
    return `the system allows no further file watches (${message}); raise fs.inotify.max_user_watches and max_user_instances, then restart the daemon`;
  }
  return `file events are not to be had: ${message}`;
}
