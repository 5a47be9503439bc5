/**
 * What follows from the paths of a snapshot's files alone: files by base name and by language,
 * folders. An edit leaves it as it is, so snapshots with the same paths share one value.
 */
import { languageOf } from '../../languages/registry.js';
import type { LanguageId } from '../../syntax/summary.js';

export class PathFacts {
  private sortedMemo: readonly string[] | undefined;
  private byBaseMemo: ReadonlyMap<string, readonly string[]> | undefined;
  private directoriesMemo: ReadonlySet<string> | undefined;
  private readonly byLanguage = new Map<LanguageId, readonly string[]>();

  constructor(private readonly paths: readonly string[]) {}

  filesNamed(base: string): readonly string[] {
    this.byBaseMemo ??= groupBy(this.sorted(), (path) => [baseName(path)]);
    return this.byBaseMemo.get(base) ?? [];
  }

  filesOf(language: LanguageId): readonly string[] {
    let files = this.byLanguage.get(language);
    if (files === undefined)
      this.byLanguage.set(language, (files = this.sorted().filter((path) => languageOf(path)?.id === language)));
    return files;
  }

  hasDirectory(dir: string): boolean {
    this.directoriesMemo ??= directoriesOf(this.paths);
    return this.directoriesMemo.has(dir);
  }

  private sorted(): readonly string[] {
    this.sortedMemo ??= [...this.paths].sort();
    return this.sortedMemo;
  }
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The paths under each of their keys, in the order given. */
export function groupBy(
  paths: readonly string[],
  keysOf: (path: string) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    for (const key of keysOf(path)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [path]);
      else group.push(path);
    }
  }
  return groups;
}

function directoriesOf(paths: readonly string[]): ReadonlySet<string> {
  const out = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const dir = path.slice(0, slash);
      if (out.has(dir)) break;
      out.add(dir);
    }
  }
  return out;
}
