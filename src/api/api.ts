/**
 * The API of a library as a tree of its own: skeletons of the files that make its public face.
 */
import { folderOf } from '../base/paths.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { LANGUAGES } from '../languages/registry.js';
import { skeletonOf } from '../languages/skeleton.js';
import type { Grammars } from '../syntax/grammar.js';
import { piece, type Turns } from '../base/turns.js';
import { foldersUp } from './dependencies/dependency.js';
import { publicFiles } from './public-files.js';

export interface Api {
  /** Skeletons by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Configuration files that say where modules are, reduced to that. */
  readonly settings: ReadonlyMap<string, string>;
}

export function* apiOf(
  snapshot: Snapshot,
  resolver: Resolver,
  textOf: (file: string) => string | undefined,
  grammars: Grammars,
): Turns<Api> {
  const files = new Map<string, string>();
  for (const file of publicFiles(snapshot, resolver)) {
    const text = textOf(file);
    const skeleton = text === undefined ? undefined : yield* piece(() => skeletonOf(grammars, file, text));
    if (skeleton !== undefined) files.set(file, skeleton);
  }
  return { files, settings: settingsFor(snapshot, [...files.keys()]) };
}

/** Configuration files in the folders of the files and above, without what is nobody's business. */
function settingsFor(snapshot: Snapshot, files: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Set(files.flatMap(foldersUp));
  const out = new Map<string, string>();
  for (const { configFiles, placingSettings } of LANGUAGES) {
    if (placingSettings === undefined) continue;
    for (const name of configFiles)
      for (const file of snapshot.configsNamed(name)) {
        const text = snapshot.config(file);
        if (text === undefined || !folders.has(folderOf(file))) continue;
        const reduced = placingSettings(text);
        if (reduced !== undefined) out.set(file, reduced);
      }
  }
  return out;
}
