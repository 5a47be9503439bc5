/**
 * What the beginning of a block's name may become, for a shell that completes it: names by which `findBlock` would be
 * asked, and paths as far as their next folder.
 *
 *     Sto          Store, and folders and files that begin so
 *     Store.p      Store.put
 *     src/st       src/store.py:
 *     store.py:S   store.py:Store, store.py:Store.put
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { Summary } from '../syntax/summary.js';
import { isNamedBlock } from './block-names.js';

/** Sorted, at most `most`. All begin with `begun`. */
export function namesBegun(
  { files }: Pick<Snapshot, 'files'>,
  { repo }: Pick<Resolver, 'repo'>,
  begun: string,
  most: number,
): string[] {
  const colon = begun.lastIndexOf(':');
  const file = begun.slice(0, colon);
  if (colon >= 0) {
    if (!repo.hasFile(file)) return [];
    const paths = pathsOf(files.get(file)).filter((path) => path.startsWith(begun.slice(colon + 1)));
    return first(
      paths.map((path) => `${file}:${path}`),
      most,
    );
  }
  return first(
    [...placesBegun(files.keys(), begun), ...(begun === '' ? [] : blocksBegun(files.values(), begun))],
    most,
  );
}

/** A folder ends in `/` and a file in `:`, behind which its blocks follow. */
function* placesBegun(files: Iterable<string>, begun: string): Generator<string> {
  for (const file of files) {
    if (!file.startsWith(begun)) continue;
    const slash = file.indexOf('/', begun.length);
    yield slash < 0 ? `${file}:` : file.slice(0, slash + 1);
  }
}

function* blocksBegun(summaries: Iterable<Summary>, begun: string): Generator<string> {
  const last = begun.slice(begun.lastIndexOf('.') + 1);
  for (const summary of summaries) {
    if (last !== '' && !summary.names.some((name) => name.startsWith(last))) continue;
    for (const path of pathsOf(summary)) {
      if (path.startsWith(begun)) yield path;
      const name = path.slice(path.lastIndexOf('.') + 1);
      if (name.startsWith(begun)) yield name;
    }
  }
}

/** Constructors and the like have no name that one would type. */
function pathsOf(summary: Summary | undefined): string[] {
  if (summary === undefined) return [];
  const { decls } = summary;
  return [...Array(decls.count).keys()]
    .filter((decl) => isNamedBlock(summary, decl))
    .map((decl) => decls.pathOf(decl))
    .filter((path) => !path.includes('<'));
}

const first = (names: readonly string[], most: number): string[] => [...new Set(names)].sort().slice(0, most);
