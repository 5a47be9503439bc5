/**
 * All files of the repository for an answer that looks at each of them: other work gets a turn between some, progress
 * is told, and whoever asked can take the question back.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Call } from './service.js';

/** How many files are looked at before other work gets a turn. */
const TURN_FILES = 20;

/** Sorted. Throws the signal's reason once the question was taken back. */
export async function* filesInTurns(resolver: Resolver, call: Call, what: string): AsyncGenerator<string> {
  const files = [...resolver.repo.files.keys()].sort();
  for (const [i, file] of files.entries()) {
    if (i % TURN_FILES === 0) {
      call.progress(what, i / files.length);
      await new Promise((resolve) => setImmediate(resolve));
      call.signal.throwIfAborted();
    }
    yield file;
  }
}
