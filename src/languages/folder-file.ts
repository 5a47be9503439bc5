/**
 * Paths of files as imports may name them: without the ending, and without the name of a file that stands for its
 * folder (`shop/__init__.py` and `shop/index.ts` are both `shop`).
 */
import { folderOf, pathFrom } from '../base/paths.js';
import { languageOf } from './registry.js';

/** The folders, and the module's own name unless it stands for its folder. */
export function moduleParts(file: string): string[] {
  const parts = file.replace(/(?:\.d)?\.[^./]+$/u, '').split('/');
  return parts.at(-1) === languageOf(file)?.folderFile ? parts.slice(0, -1) : parts;
}

/** Whether a file stands for its folder. */
export const isFolderFile = (file: string): boolean => moduleParts(file).length < file.split('/').length;

/** Whether the path by which one file names another, `../lib/x.js`, is where that one stands, by its letters. */
export function isPathTo(from: string, path: string, file: string): boolean {
  const bare = (one: string): string => one.replace(/(?:\.d)?\.[^./]+$/u, '');
  const said = pathFrom(folderOf(from), path);
  const meant = new Set([file, bare(file), moduleParts(file).join('/')]);
  return meant.has(said) || meant.has(bare(said));
}
