/**
 * The tree that a repository's edits are measured against: its last commit, with what was settled
 * since in place of it.
 */
import { languageOf } from '../languages/registry.js';
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import type { BaseFile } from './effects.js';
import type { EarlierFile, EarlierTree } from './event.js';

/** `settled`: by path the text that counts instead of the commit's; null: no file. */
export function earlierTree(
  files: readonly BaseFile[],
  settled: ReadonlyMap<string, string | null>,
  grammars: Grammars,
): EarlierTree {
  const texts = new Map<string, string | undefined>();
  const renames = new Map<string, string>();
  for (const file of files) {
    if (file.kind === 'added' || file.kind === 'renamed') texts.set(file.path, undefined);
    if (file.kind === 'renamed') renames.set(file.from, file.path);
    if (file.kind !== 'added') texts.set(file.kind === 'renamed' ? file.from : file.path, file.before);
  }
  for (const [path, text] of settled) {
    texts.set(path, text ?? undefined);
    for (const [from, to] of renames) if (from === path || to === path) renames.delete(from);
  }
  const earlier = new Map<string, EarlierFile | undefined>();
  for (const [path, text] of texts) {
    if (languageOf(path) === undefined) continue;
    const summary = text === undefined ? undefined : summarise(grammars, path, text);
    earlier.set(path, text === undefined || summary === undefined ? undefined : { text, summary });
  }
  return { files: earlier, renames };
}
