/**
 * Blocks that a plan edited and nobody else: a rewrite keeps what their bodies do, so that no caller need be told.
 * Each is known by its text, so that it counts no more once somebody edits it.
 */
import { hashText } from '../base/hash.js';
import type { Turns } from '../base/turns.js';
import { blockName } from '../change/block-name.js';
import type { Edit } from '../change/edit.js';
import { blockRows } from '../change/match-blocks.js';
import type { FileVersion } from '../change/version.js';
import type { MadeBlock } from './left.js';
import type { WorkingTree } from './working-tree.js';

/** Of the files that the plan edited: those that were as at the baseline when it began, and are not any more. */
export function* madeBlocks(baseline: WorkingTree, begun: WorkingTree, done: WorkingTree): Turns<MadeBlock[]> {
  const out: MadeBlock[] = [];
  for (const file of done.editedFiles) {
    yield;
    const after = textsOf(done.version(file));
    const before = textsOf(begun.version(file));
    const first = textsOf(baseline.version(file));
    for (const [block, text] of after) {
      const earlier = before.get(block);
      if (earlier !== text && earlier === first.get(block)) out.push({ file, block, hash: hashText(text) });
    }
  }
  return out;
}

/** Of the blocks of a file, by their names. */
const textsOf = (version: FileVersion | undefined): ReadonlyMap<string, string> =>
  new Map(
    version === undefined
      ? []
      : blockRows(version.summary).map((row) => [blockName(version.summary, row), textOf(version, row)]),
  );

/** The edit without what plans did to bodies. */
export function withoutMade(edit: Edit, tree: WorkingTree, made: readonly MadeBlock[]): Edit {
  if (made.length === 0) return edit;
  const hashes = new Map(made.map(({ file, block, hash }) => [`${file}\0${block}`, hash]));
  const isMade = ({ label, after }: Edit['changes'][number]): boolean => {
    if (label !== 'MMB' || after === undefined || after.decl < 0) return false;
    const version = tree.version(after.file);
    if (version === undefined) return false;
    const hash = hashes.get(`${after.file}\0${blockName(version.summary, after.decl)}`);
    return hash !== undefined && hash === hashText(textOf(version, after.decl));
  };
  const changes = edit.changes.filter((change) => !isMade(change));
  return changes.length === edit.changes.length ? edit : { ...edit, changes };
}

const textOf = ({ summary, text }: FileVersion, row: number): string =>
  text.slice(summary.decls.startOf(row), summary.decls.endOf(row));
