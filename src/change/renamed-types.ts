/**
 * Types that stand elsewhere now, under another name, inside of another type, or as another kind of type: known by
 * their members, since their own texts changed too much.
 *
 *     interface PointIndex extends Index<T>   ->  interface PointMap extends Index      most members are in it
 *     interface PointEntry                    ->  class Index.PointEntry                its name, and all its members
 *     interface Nearest extends PointEntry    ->  class Index.Near extends PointEntry   its base, and all its members
 */
import { rowName } from './row-name.js';
import { childrenOf, family, matchInside, SIMILAR_ENOUGH } from './match-blocks.js';
import type { BlockVersion } from './version.js';

export interface Move {
  readonly from: BlockVersion;
  readonly to: BlockVersion;
}

/** Those that went and those that came which are the same as one another and as nobody else. */
export function onlyPairs(
  gone: readonly BlockVersion[],
  come: readonly BlockVersion[],
  isSame: (from: BlockVersion, to: BlockVersion) => boolean,
): Move[] {
  return gone.flatMap((from) => {
    const [to, ...others] = come.filter((candidate) => isSame(from, candidate));
    return to === undefined || others.length > 0 || gone.some((other) => other !== from && isSame(other, to))
      ? []
      : [{ from, to }];
  });
}

/**
 * `moves`: what is known of blocks that are neither in `deleted` nor in `added`. Members come along, of types that are
 * known already too.
 */
export function renamedTypes(
  deleted: readonly BlockVersion[],
  added: readonly BlockVersion[],
  moves: readonly Move[],
): Move[] {
  const found: Move[] = [];
  const find = (isSame: (from: BlockVersion, to: BlockVersion) => boolean): void => {
    const isLeft = (block: BlockVersion): boolean =>
      family(block.version.summary, block.decl) === 'type' &&
      !found.some(({ from, to }) => from === block || to === block);
    found.push(...onlyPairs(deleted.filter(isLeft), added.filter(isLeft), isSame));
  };
  find((from, to) => kindOf(from) === kindOf(to) && sharesMost(from, to, moves));
  find((from, to) => nameOf(from) === nameOf(to) && hasAll(from, to));
  const now = new Map([...moves, ...found].map(({ from, to }) => [nameOf(from), nameOf(to)]));
  find((from, to) => hasBases(from, to, now) && hasAll(from, to));
  const types = moves.filter(({ from }) => family(from.version.summary, from.decl) === 'type');
  return [...found, ...[...types, ...found].flatMap((type) => membersOf(type, deleted, added))];
}

const nameOf = ({ version: { summary }, decl }: BlockVersion): string => summary.decls.nameOf(decl);
const kindOf = ({ version: { summary }, decl }: BlockVersion): number => summary.decls.kindOf(decl);

/** What a member is called, and what sort of member it is. */
const calledAs = ({ version: { summary }, decl }: BlockVersion): string =>
  `${family(summary, decl)} ${summary.decls.nameOf(decl)}`;

const namesIn = ({ version, decl }: BlockVersion): Set<string> =>
  new Set(
    childrenOf(version.summary, decl)
      .filter((member) => family(version.summary, member) !== 'constructor')
      .map((member) => calledAs({ version, decl: member })),
  );

/** Whether most members of either were moved from the one to the other, or are there by their names. */
function sharesMost(from: BlockVersion, to: BlockVersion, moves: readonly Move[]): boolean {
  const isMemberOf = ({ version, decl }: BlockVersion, type: BlockVersion): boolean =>
    version.summary === type.version.summary && version.summary.decls.parentOf(decl) === type.decl;
  const moved = moves.filter((move) => isMemberOf(move.from, from) && isMemberOf(move.to, to)).length;
  if (moved === 0) return false;
  const [old, now] = [from, to].map(({ version, decl }) => childrenOf(version.summary, decl).length) as [
    number,
    number,
  ];
  const known = moves.flatMap((move) =>
    isMemberOf(move.from, from) || isMemberOf(move.to, to) ? [calledAs(move.from), calledAs(move.to)] : [],
  );
  const names = namesIn(to);
  const byName = [...namesIn(from)].filter((name) => names.has(name) && !known.includes(name)).length;
  return byName <= moved && moved + byName >= SIMILAR_ENOUGH * Math.max(old, now);
}

/** Whether a type with members has all those of another one, by their names. */
function hasAll(from: BlockVersion, to: BlockVersion): boolean {
  const [old, now] = [namesIn(from), namesIn(to)];
  return old.size > 0 && [...old].every((name) => now.has(name));
}

/** Whether the bases of a type are those of another one, as they are called now. */
function hasBases(from: BlockVersion, to: BlockVersion, now: ReadonlyMap<string, string>): boolean {
  const basesOf = ({ version: { summary }, decl }: BlockVersion): string[] =>
    [...summary.decls.basesOf(decl)].map((row) => rowName(summary, row));
  const [old, bases] = [basesOf(from), basesOf(to)];
  return (
    old.length > 0 && old.some((name) => now.has(name)) && old.every((name) => bases.includes(now.get(name) ?? name))
  );
}

/** Members of a type that are known again where it is now, of those about which nothing is known yet. */
function membersOf({ from, to }: Move, deleted: readonly BlockVersion[], added: readonly BlockVersion[]): Move[] {
  const leftIn = (blocks: readonly BlockVersion[], { version }: BlockVersion): ReadonlyMap<number, BlockVersion> =>
    new Map(blocks.filter((block) => block.version.summary === version.summary).map((block) => [block.decl, block]));
  const [old, now] = [leftIn(deleted, from), leftIn(added, to)];
  return matchInside(from.version, from.decl, to.version, to.decl).pairs.flatMap((pair) => {
    const [gone, come] = [old.get(pair.before), now.get(pair.after)];
    return gone === undefined || come === undefined ? [] : [{ from: gone, to: come }];
  });
}
