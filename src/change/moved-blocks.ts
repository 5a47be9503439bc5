/**
 * Blocks that came or went, and those among them that are one block in another place.
 */
import { isOutside } from '../base/outside.js';
import { wordsOf } from '../base/words-of-name.js';
import { qualifiedName, typeName } from '../graph/resolve/hierarchy.js';
import { signatureOf } from '../graph/resolve/signature.js';
import { languageById } from '../languages/registry.js';
import { F } from '../syntax/summary.js';
import { kindName, type AtomicChange, type Label } from './atomic-change.js';
import { changeOf, compareBlock } from './compare-block.js';
import { family, isTiny, SIMILAR_ENOUGH } from './match-blocks.js';
import { isUnseen, mustBeGiven } from './member-text.js';
import { onlyPairs, renamedTypes, type Move } from './renamed-types.js';
import { likeness, likenessMost } from './token-bag.js';
import type { BlockVersion } from './version.js';

/**
 * Deleted and added blocks of different files that are one block: same family and name, alike; top-level ones and
 * members alike, constructors with their class alone.
 */
export function matchMoves(deleted: readonly BlockVersion[], added: readonly BlockVersion[]): Move[] {
  const moves: (Move & { readonly score: number })[] = movesTold(deleted, added);
  for (const from of deleted) {
    const name = from.version.summary.decls.nameOf(from.decl);
    for (const to of added) {
      if (
        to.version.summary.decls.nameOf(to.decl) !== name ||
        family(from.version.summary, from.decl) !== family(to.version.summary, to.decl)
      )
        continue;
      if ((staysWithClass(from) || staysWithClass(to)) && ownerOf(from) !== ownerOf(to)) continue;
      if (isAnotherOverload(from, to)) continue;
      if (
        from.version.file === to.version.file &&
        from.version.summary.decls.pathOf(from.decl) === to.version.summary.decls.pathOf(to.decl)
      )
        continue;
      const score = likeness(from.version, from.decl, to.version, to.decl);
      if (score >= SIMILAR_ENOUGH) moves.push({ from, to, score });
    }
  }
  moves.sort((x, y) => y.score - x.score);
  const used = new Set<BlockVersion>();
  const found = moves.filter(({ from, to }) => {
    if (used.has(from) || used.has(to)) return false;
    used.add(from).add(to);
    return true;
  });
  const left = (list: readonly BlockVersion[]): BlockVersion[] => list.filter((block) => !used.has(block));
  const types = renamedTypes(left(deleted), left(added), found);
  for (const { from, to } of types) used.add(from).add(to);
  const elsewhere = renamedElsewhere(left(deleted), left(added));
  for (const { from, to } of elsewhere) used.add(from).add(to);
  return [...found, ...types, ...elsewhere, ...renamedInWords(left(deleted), left(added))];
}

/**
 * Whether a function stands where there are others of its name and takes other types than the one that is gone: alike
 * as overloads are, it is one more of them.
 */
function isAnotherOverload(from: BlockVersion, to: BlockVersion): boolean {
  const { summary } = to.version;
  const { decls } = summary;
  if (family(summary, to.decl) !== 'function' || !languageById(summary.language).overloads) return false;
  const beside = [...decls.inScope(decls.scopeOf(to.decl), decls.nameIdOf(to.decl))];
  return beside.length > 1 && typesOf(from) !== typesOf(to);
}

/** The written types of a function's parameters, without what an extension method is called on. */
const typesOf = ({ version: { summary }, decl }: BlockVersion): string =>
  signatureOf(summary, decl)
    .params.map((param) => typeName(summary, param.decl) ?? '')
    .join();

/** Above what any likeness gives. */
const KNOWN = 2;

/**
 * Moves that are known: of blocks, and of those inside them; of several of one path the likest, else in their order.
 */
function movesTold(deleted: readonly BlockVersion[], added: readonly BlockVersion[]): (Move & { score: number })[] {
  const placed = new Map<string, BlockVersion[]>();
  for (const to of added) {
    const key = keyOf(to.version.file, to);
    placed.set(key, [...(placed.get(key) ?? []), to]);
  }
  return deleted.flatMap((from) => {
    const file = fileTold(from);
    const candidates = file === undefined ? [] : (placed.get(keyOf(file, from)) ?? []);
    return candidates.map((to) => ({
      from,
      to,
      score: KNOWN + (candidates.length === 1 ? 0 : likeness(from.version, from.decl, to.version, to.decl)),
    }));
  });
}

const keyOf = (file: string, { version: { summary }, decl }: BlockVersion): string =>
  `${file}\0${summary.decls.kindOf(decl)}\0${summary.decls.pathOf(decl)}`;

function fileTold({ version: { summary, told }, decl }: BlockVersion): string | undefined {
  if (told === undefined) return undefined;
  for (let at = decl; at >= 0; at = summary.decls.parentOf(at)) {
    const file = told.moves.get(summary.decls.nameStartOf(at));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Shared tokens, of 1, that make a block of another file and another name the same one. */
const THE_SAME = 0.9;

/**
 * Functions and types at the top of a file that stand in another one under another name, all but unchanged; where
 * several could be one, none is.
 */
function renamedElsewhere(deleted: readonly BlockVersion[], added: readonly BlockVersion[]): Move[] {
  const isKnown = ({ version, decl }: BlockVersion): boolean =>
    version.summary.decls.parentOf(decl) < 0 &&
    ['function', 'type'].includes(family(version.summary, decl)) &&
    !isTiny(version, decl);
  const isSame = (from: BlockVersion, to: BlockVersion): boolean =>
    from.version.file !== to.version.file &&
    family(from.version.summary, from.decl) === family(to.version.summary, to.decl) &&
    likenessMost(from.version, from.decl, to.version, to.decl) >= THE_SAME &&
    likeness(from.version, from.decl, to.version, to.decl) >= THE_SAME;
  return onlyPairs(deleted.filter(isKnown), added.filter(isKnown), isSame);
}

/** Words, of 1, that two names share if one is the other with a word more. */
const MOST_WORDS = 2 / 3;

/**
 * Functions in another file or type whose name says a word more or less, and whose header is the same but for that:
 * `GetText` and `GetTextAsync`. Where several could be one, none is.
 */
function renamedInWords(deleted: readonly BlockVersion[], added: readonly BlockVersion[]): Move[] {
  const isKnown = (block: BlockVersion): boolean =>
    family(block.version.summary, block.decl) === 'function' && !staysWithClass(block) && isSaid(headerOf(block));
  const isSame = (from: BlockVersion, to: BlockVersion): boolean =>
    placeOf(from) !== placeOf(to) &&
    headerOf(from).join(' ') === headerOf(to).join(' ') &&
    sharedWords(nameOf(from), nameOf(to)) >= MOST_WORDS;
  return onlyPairs(deleted.filter(isKnown), added.filter(isKnown), isSame);
}

/** Tokens of a header that tell it from any other. */
const SAID_TOKENS = 8;
const isSaid = (header: readonly string[]): boolean => header.length >= SAID_TOKENS;

const nameOf = ({ version: { summary }, decl }: BlockVersion): string => summary.decls.nameOf(decl);

const placeOf = (block: BlockVersion): string =>
  `${block.version.file}\0${block.version.summary.decls.pathOf(block.decl).slice(0, -nameOf(block).length)}`;

/** Tokens of the header without the name. */
function headerOf({ version: { summary, text }, decl }: BlockVersion): readonly string[] {
  const { decls } = summary;
  const name = decls.nameOf(decl);
  const header = text.slice(decls.startOf(decl), decls.bodyStartOf(decl));
  return (header.match(/[\p{L}_$][\p{L}\p{N}_$]*|\d+|[^\s\p{L}\p{N}]/gu) ?? []).filter((token) => token !== name);
}

/** How much of the longer name's words the shorter one has, in their order; 0 where it has another one. */
function sharedWords(one: string, other: string): number {
  const [few, many] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length) as [string[], string[]];
  let at = 0;
  for (const word of many) if (word === few[at]) at++;
  return at < few.length || many.length === few.length ? 0 : few.length / many.length;
}

/** What has a meaning only in its class: a constructor, an override. */
function staysWithClass({ version: { summary }, decl }: BlockVersion): boolean {
  return family(summary, decl) === 'constructor' || summary.decls.has(decl, F.override);
}

/** Name of the block around; '' at the top. */
function ownerOf({ version: { summary }, decl }: BlockVersion): string {
  const parent = summary.decls.parentOf(decl);
  return parent < 0 ? '' : summary.decls.nameOf(parent);
}

/** A block found again elsewhere: its changes, always with the move in the first. */
export function movedBlock({ from, to }: Move): AtomicChange[] {
  const move = { from: placeNamed(from), to: placeNamed(to) };
  const [first, ...rest] = compareBlock(from, to);
  return first === undefined
    ? [changeOf(MODIFIED[suffix(to)], from, to, { move })]
    : [{ ...first, detail: { ...first.detail, move } }, ...rest];
}

/** Of a library, by package or namespace where its language has them: who uses it knows its files by nothing else. */
function placeNamed({ version: { file, summary }, decl }: BlockVersion): string {
  const [path, full] = [summary.decls.pathOf(decl), qualifiedName(summary, decl)];
  return isOutside(file) && full !== path ? full : `${file}::${path}`;
}

/** What came or went as a whole. */
export function wholeBlock(how: 'A' | 'D', block: BlockVersion): AtomicChange {
  const { version, decl } = block;
  const ref = { file: version.file, decl };
  return {
    label: `${how}${suffix(block)}`,
    ...(how === 'A' ? { after: ref } : { before: ref }),
    file: version.file,
    block: version.summary.decls.pathOf(decl),
    kind: kindName(version.summary.decls.kindOf(decl)),
    detail:
      how === 'D' && isUnseen(block)
        ? { own: 'header' }
        : how === 'A' && mustBeGiven(block)
          ? { mustBeGiven: true }
          : {},
  };
}

type Suffix = 'M' | 'F' | 'C' | 'CC';

/** The label of a block whose place alone changed. */
const MODIFIED: Readonly<Record<Suffix, Label>> = { M: 'MMS', C: 'MC', CC: 'MCC', F: 'MF' };

function suffix({ version: { summary }, decl }: BlockVersion): Suffix {
  switch (family(summary, decl)) {
    case 'constructor':
      return 'CC';
    case 'type':
    case 'namespace':
      return 'C';
    case 'function':
      return 'M';
    default:
      return 'F';
  }
}
