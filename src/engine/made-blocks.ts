/**
 * Blocks that a plan edited and nobody else: a rewrite keeps what their bodies do, so that no caller need be told.
 * Each is known by its text, so that it counts no more once somebody edits it.
 */
import { hashText } from '../base/hash.js';
import { blockName, blockNamed } from '../change/block-name.js';
import type { Edit } from '../change/edit.js';
import { blockRows } from '../change/match-blocks.js';
import type { FileVersion } from '../change/version.js';
import type { MadeBlock } from './left.js';
import type { WorkingTree } from './working-tree.js';

/** Of the files that the plan edited: those that were as at the baseline when it began, and are not any more. */
export function madeBlocks(baseline: WorkingTree, begun: WorkingTree, done: WorkingTree): MadeBlock[] {
  return done.editedFiles.flatMap((file) => {
    const after = done.version(file);
    if (after === undefined) return [];
    const before = begun.version(file);
    const first = baseline.version(file);
    return blockRows(after.summary).flatMap((row): MadeBlock[] => {
      const block = blockName(after.summary, row);
      const text = textOf(after, row);
      const earlier = textNamed(before, block);
      return earlier === text || earlier !== textNamed(first, block) ? [] : [{ file, block, hash: hashText(text) }];
    });
  });
}

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

function textNamed(version: FileVersion | undefined, block: string): string | undefined {
  const row = version === undefined ? undefined : blockNamed(version.summary, block);
  return version === undefined || row === undefined ? undefined : textOf(version, row);
}

const textOf = ({ summary, text }: FileVersion, row: number): string =>
  text.slice(summary.decls.start[row], summary.decls.end[row]);
