/**
 * What a repository says that it uses: packages with ranges of versions, from manifests and lock files.
 *
 * Manifests are a repository's own texts: what cannot be read says nothing, and nothing of them is run.
 * Each ecosystem reads all of its files at once, since a version may be said in another file than its use.
 */
import { folderOf } from '../../base/paths.js';
import type { Ecosystem } from '../manifests.js';

export interface Dependency {
  readonly ecosystem: Ecosystem;
  /** In the one spelling that its registry compares by (`canonicalName`). */
  readonly name: string;
  readonly file: string;
  /** `locked`: what a package manager wrote down that it took. */
  readonly kind: 'declared' | 'locked';
  /** The version or range as written; undefined where the repository does not say it. */
  readonly range: string | undefined;
  /** Where the range stands, in this file or in the one that says it; undefined where it must not be edited. */
  readonly place: Place | undefined;
  /** Why there is no range, or no place. */
  readonly why?: string;
}

/** UTF-16 offsets, end exclusive. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Texts of a repository's manifests by path. */
export type ManifestTexts = ReadonlyMap<string, string>;

/** Python ignores case and kinds of separators, NuGet ignores case. */
export function canonicalName(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'pypi') return name.toLowerCase().replace(/[-_.]+/gu, '-');
  return ecosystem === 'nuget' ? name.toLowerCase() : name;
}

/** The group of the pattern's first match behind `from`, as a place; the group must be named `at`. */
export function placeIn(file: string, text: string, pattern: RegExp, from = 0): Place | undefined {
  const sticky = new RegExp(pattern.source, `${pattern.flags.replace(/[gdy]/gu, '')}dg`);
  sticky.lastIndex = from;
  const span = sticky.exec(text)?.indices?.groups?.['at'];
  return span === undefined ? undefined : { file, start: span[0], end: span[1] };
}

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&');

/** The text with what matches blanked out, so that positions stay. */
export const blanked = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (match) => match.replace(/[^\n]/gu, ' '));

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Whether a file has such a name, alone or with its folder's. */
export function isCalled(path: string, pattern: RegExp): boolean {
  const base = baseOf(path);
  if (pattern.test(base)) return true;
  const above = path.lastIndexOf('/', path.length - base.length - 2);
  return base !== path && pattern.test(path.slice(above + 1));
}

export const called = (texts: ManifestTexts, pattern: RegExp): [string, string][] =>
  [...texts].filter(([file]) => isCalled(file, pattern));

/** Folders from the file's own up to the root, which is ''. */
export function foldersUp(file: string): string[] {
  const folders = [folderOf(file)];
  while (folders.at(-1) !== '') folders.push(folderOf(folders.at(-1) ?? ''));
  return folders;
}
