/**
 * A library's API as a tree that questions can be asked of: alone, or beside the files of a root that uses it.
 */
import type { ChangeFile } from '#protocol/api.js';
import type { KnownMove } from '../api/known-moves.js';
import { NOTHING_TOLD, type Told } from '../change/version.js';
import { isBlockKind, type Summary } from '../syntax/summary.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Turns } from '../base/turns.js';
import { outsidePath } from '../base/outside.js';
import { Snapshot } from '../graph/files/snapshot.js';
import { summarise } from '../languages/summarise.js';
import { WorkingTree } from './working-tree.js';

/** Texts by path, undefined for a file that is not there. */
type Texts = ReadonlyMap<string, string | undefined>;

export interface Side {
  readonly files: Texts;
  readonly settings: Texts;
}

type TwoTexts = ChangeFile['files'][number];

const textAt = (entry: TwoTexts, side: 'before' | 'after'): string | undefined =>
  'both' in entry ? entry.both : entry[side];

/** One side of a change file; with paths beside those of a root. */
export function sideOf(change: ChangeFile, side: 'before' | 'after'): Side {
  const texts = (entries: readonly TwoTexts[]): Texts =>
    new Map(entries.map((entry) => [outsidePath(entry.file), textAt(entry, side)]));
  return { files: texts(change.files), settings: texts(change.settings) };
}

/** The tree with the side's files in it; those that are as in `like` share its summaries, and are the same files. */
export function* withSide(
  tree: WorkingTree,
  { files, settings }: Side,
  grammars: Grammars,
  like?: WorkingTree,
): Turns<WorkingTree> {
  const changes = new Map<string, Summary | undefined>();
  for (const [file, text] of files) {
    const known = text !== undefined && like?.text(file) === text ? like.snapshot.summary(file) : undefined;
    changes.set(file, known ?? (text === undefined ? undefined : summarise(grammars, file, text)));
    yield;
  }
  return new WorkingTree(tree.snapshot.with(changes, settings), (file) =>
    files.has(file) ? files.get(file) : tree.text(file),
  );
}

/** What is known of the edit between two sides, by file of the one before, in which the moved blocks are looked for. */
export function toldOf(moves: readonly KnownMove[], before: WorkingTree): ReadonlyMap<string, Told> {
  const out = new Map<string, Map<number, string>>();
  for (const { file, block, to } of moves) {
    const decls = before.snapshot.summary(file)?.decls;
    const known = out.get(file) ?? new Map<number, string>();
    out.set(file, known);
    for (let decl = 0; decls !== undefined && decl < decls.count; decl++)
      if (decls.parentOf(decl) < 0 && isBlockKind(decls.kindOf(decl)) && decls.nameOf(decl) === block)
        known.set(decls.nameStartOf(decl), to);
  }
  return new Map([...out].map(([file, known]) => [file, { ...NOTHING_TOLD, moves: known }]));
}

/** The moves of a change file, with paths beside those of a root. */
export const movesOf = ({ moves }: ChangeFile): KnownMove[] =>
  (moves ?? []).map(({ file, block, to }) => ({ file: outsidePath(file), block, to: outsidePath(to) }));

/** The side alone. */
export const treeOf = (side: Side, grammars: Grammars, like?: WorkingTree): Turns<WorkingTree> =>
  withSide(new WorkingTree(Snapshot.empty(), () => undefined), side, grammars, like);
