/**
 * An edit: which blocks of two versions of a tree are the same ones, and what was done to each.
 *
 * A deletion and an addition that are one block under a new name, or in another file, are one
 * change with a rename or a move.
 */
import type { Turns } from '../base/turns.js';
import type { DeclRef } from '../languages/language.js';
import { otherArguments, withArguments, type OtherArguments } from './base-arguments.js';
import type { AtomicChange } from './atomic-change.js';
import { compareBlock } from './compare-block.js';
import { compareExports } from './compare-exports.js';
import { compareImports } from './compare-imports.js';
import { isOnlyLeftAssigned } from './left-assigned.js';
import { literalFunctionChanges } from './literal-functions.js';
import { allBlocks, matchBlocks, type Matched } from './match-blocks.js';
import { matchMoves, movedBlock, wholeBlock } from './moved-blocks.js';
import { replacedBy } from './replaced-by.js';
import { unnamedChanges } from './unnamed-classes.js';
import type { BlockVersion, FileVersion } from './version.js';

export interface Edit {
  /** In order of file and position. */
  readonly changes: readonly AtomicChange[];
  readonly matches: Matches;
}

/** A file's path on either side; a missing one: the file did not, or does not, exist. */
export interface FilePair {
  readonly before?: string;
  readonly after?: string;
}

/** A file of one of the trees, if it is there. A missing text makes renames inside the file go unrecognised. */
export type VersionOf = (file: string) => FileVersion | undefined;

/**
 * Which blocks of a file before the edit are which after it: each two files are matched once, when they are first asked
 * about.
 */
export class Matches {
  private readonly known = new Map<string, Matched>();

  constructor(
    private readonly before: VersionOf,
    private readonly after: VersionOf,
  ) {}

  /**
   * `now`: the file's path in the tree after the edit. Nothing is matched where one of the trees does not have the
   * file.
   */
  of(file: string, now = file): Matched {
    const key = `${file}\0${now}`;
    let matched = this.known.get(key);
    if (matched === undefined) this.known.set(key, (matched = this.match(this.before(file), this.after(now))));
    return matched;
  }

  /** What whoever used a block of the tree before meets where a block of the tree after is given in its place. */
  replacing(from: DeclRef, to: DeclRef): readonly AtomicChange[] {
    const [before, after] = [this.before(from.file), this.after(to.file)];
    return before === undefined || after === undefined
      ? []
      : replacedBy({ version: before, decl: from.decl }, { version: after, decl: to.decl });
  }

  /** The deletion of a block of the tree before, and of what stands in it. */
  deleting(from: DeclRef): readonly AtomicChange[] {
    const version = this.before(from.file);
    return version === undefined ? [] : [wholeBlock('D', { version, decl: from.decl })];
  }

  /** The addition of a block of the tree after. */
  adding(to: DeclRef): readonly AtomicChange[] {
    const version = this.after(to.file);
    return version === undefined ? [] : [wholeBlock('A', { version, decl: to.decl })];
  }

  /** Bases of a class of both trees that have other type arguments now; their rows are those of the tree after. */
  otherArguments(was: DeclRef, is: DeclRef): readonly OtherArguments[] {
    const [before, after] = [this.before(was.file), this.after(is.file)];
    return before === undefined || after === undefined
      ? []
      : otherArguments({ version: before, decl: was.decl }, { version: after, decl: is.decl });
  }

  /** What the members of a class of the tree after are with other types for its type parameters. */
  withArguments(
    type: DeclRef,
    from: ReadonlyMap<string, string>,
    to: ReadonlyMap<string, string>,
  ): readonly AtomicChange[] {
    const version = this.after(type.file);
    return version === undefined ? [] : withArguments({ version, decl: type.decl }, from, to);
  }

  private match(before: FileVersion | undefined, after: FileVersion | undefined): Matched {
    return before === undefined || after === undefined
      ? { pairs: [], deleted: [], added: [] }
      : matchBlocks(before, after);
  }
}

/** The edit that leads from one tree to another; `files` are those that may differ. */
export function* editOf(before: VersionOf, after: VersionOf, files: readonly FilePair[]): Turns<Edit> {
  const matches = new Matches(before, after);
  return { changes: yield* changesOf(before, after, files, matches), matches };
}

/** A file of both trees whose text or path differs. */
interface ChangedFile {
  readonly before: FileVersion;
  readonly after: FileVersion;
  readonly matched: Matched;
}

function* changesOf(
  before: VersionOf,
  after: VersionOf,
  files: readonly FilePair[],
  matches: Matches,
): Turns<readonly AtomicChange[]> {
  const sides = files.map((pair) => ({
    before: pair.before === undefined ? undefined : before(pair.before),
    after: pair.after === undefined ? undefined : after(pair.after),
  }));
  const compared = yield* changedFiles(sides, matches);
  const changes = [...compared.changes];
  const deleted = [...compared.deleted];
  const added = [...compared.added];
  for (const side of sides) {
    yield;
    if (side.after === undefined && side.before !== undefined) {
      const [exported, blocks] = [compareExports(side.before, undefined), allBlocks(side.before.summary)];
      changes.push(...exported);
      if (exported.length === 0 && blocks.length === 0) changes.push(deletedModule(side.before.file));
      deleted.push(...blocksOf(side.before, blocks));
    } else if (side.before === undefined && side.after !== undefined)
      added.push(...blocksOf(side.after, allBlocks(side.after.summary)));
  }
  const { kept, supposed } = withoutSupposed(changes);
  const blockAt = (versionOf: VersionOf, ref: DeclRef | undefined): BlockVersion[] => {
    const version = ref === undefined ? undefined : versionOf(ref.file);
    return version === undefined || ref === undefined ? [] : [{ version, decl: ref.decl }];
  };
  deleted.push(...supposed.flatMap((change) => blockAt(before, change.before)));
  added.push(...supposed.flatMap((change) => blockAt(after, change.after)));
  const moved = matchMoves(deleted, added);
  return [
    ...kept,
    ...moved.flatMap(movedBlock),
    ...deleted.filter((block) => !moved.some((move) => move.from === block)).map((block) => wholeBlock('D', block)),
    ...added.filter((block) => !moved.some((move) => move.to === block)).map((block) => wholeBlock('A', block)),
  ].sort((x, y) => (x.file < y.file ? -1 : x.file > y.file ? 1 : positionOf(x) - positionOf(y)));
}

/** A file that holds statements alone. */
const deletedModule = (file: string): AtomicChange => ({
  label: 'DI',
  before: { file, decl: -1 },
  file,
  block: '<module>',
  kind: 'import',
  detail: {},
});

const positionOf = ({ after, before }: AtomicChange): number => after?.decl ?? before?.decl ?? 0;

const blocksOf = (version: FileVersion, rows: readonly number[]): BlockVersion[] =>
  rows.map((decl) => ({ version, decl }));

/** What changed within the files that both trees have, and which of their blocks came and went. */
function* changedFiles(
  sides: readonly { readonly before: FileVersion | undefined; readonly after: FileVersion | undefined }[],
  matches: Matches,
): Turns<{ readonly changes: AtomicChange[]; readonly deleted: BlockVersion[]; readonly added: BlockVersion[] }> {
  const files: ChangedFile[] = [];
  for (const { before, after } of sides) {
    if (before === undefined || after === undefined) continue;
    if (before.summary.hash === after.summary.hash && before.file === after.file) continue;
    files.push({ before, after, matched: matches.of(before.file, after.file) });
    yield;
  }
  const renames = renamesOf(files);
  const changes: AtomicChange[] = [];
  const deleted: BlockVersion[] = [];
  const added: BlockVersion[] = [];
  for (const { before: old, after, matched } of files) {
    yield;
    const before = { ...old, renames };
    for (const pair of matched.pairs) {
      yield;
      if (isOnlyLeftAssigned(before.summary, pair.before, after.summary, pair.after))
        deleted.push({ version: before, decl: pair.before });
      else changes.push(...blockChanges({ version: before, decl: pair.before }, { version: after, decl: pair.after }));
    }
    deleted.push(...blocksOf(before, matched.deleted));
    added.push(...blocksOf(after, matched.added));
    const listed = [...compareImports(before, after), ...compareExports(before, after)];
    // A namespace's own words are of no block either.
    const isSaid = listed.length > 0 || changes.some(({ kind, file }) => kind === 'namespace' && file === after.file);
    changes.push(...listed, ...(isSaid ? [] : moduleChange(before, after)));
  }
  return { changes, deleted, added };
}

function blockChanges(from: BlockVersion, to: BlockVersion): AtomicChange[] {
  const own = compareBlock(from, to);
  return own.length === 0 ? own : [...own, ...unnamedChanges(from, to), ...literalFunctionChanges(from, to)];
}

/** That statements which belong to no block changed. */
function moduleChange(before: FileVersion, after: FileVersion): AtomicChange[] {
  if (before.summary.moduleHash === after.summary.moduleHash) return [];
  return [
    {
      label: 'MMB',
      before: { file: before.file, decl: -1 },
      after: { file: after.file, decl: -1 },
      file: after.file,
      block: '<module>',
      kind: 'statement',
      detail: { own: 'body' },
    },
  ];
}

/** Old names with the new ones; a name that became several says nothing. */
function renamesOf(files: readonly ChangedFile[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { before, after, matched } of files) {
    for (const pair of matched.pairs) {
      const [from, to] = [before.summary.decls.nameOf(pair.before), after.summary.decls.nameOf(pair.after)];
      if (from !== to) found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  }
  return new Map([...found].flatMap(([from, to]) => (to.size === 1 ? [[from, ...to] as [string, string]] : [])));
}

/**
 * Changes without renames of fields that a constructor speaks against: `self.size = size` and `self.mode = mode`
 * are alike, but where the parameter `size` went and `mode` came they are two fields.
 */
function withoutSupposed(changes: readonly AtomicChange[]): {
  readonly kept: AtomicChange[];
  readonly supposed: AtomicChange[];
} {
  const supposed = changes.filter(
    ({ label, detail: { rename }, block, file }) =>
      label === 'MF' &&
      rename !== undefined &&
      changes.some((other) => {
        const delta =
          other.label === 'MCC' && other.file === file && ownerPath(other.block) === ownerPath(block)
            ? other.detail.signature
            : undefined;
        return (
          delta?.removed.some(({ name }) => name === rename.from) === true &&
          delta.added.some(({ name }) => name === rename.to)
        );
      }),
  );
  return { kept: changes.filter((change) => !supposed.includes(change)), supposed };
}

const ownerPath = (block: string): string => block.slice(0, Math.max(0, block.lastIndexOf('.')));
