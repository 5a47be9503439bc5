/**
 * Pairs the blocks of two versions of a file: by path and overload, then renamed ones by likeness.
 *
 * Matching goes level by level, so that the members of a renamed class are still compared with
 * their own former selves. A block that was renamed is recognised by an equal body, or by a
 * similar one where no better partner exists; tiny bodies must be equal, since any two of them
 * look alike.
 */
import { wordsOf } from '../base/words-of-name.js';
import { D, F, isBlockKind, isClassLike, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import { typeName } from '../graph/resolve/hierarchy.js';
import { renamedInPlace, standAlike } from './renamed-in-place.js';
import { likeness, likenessMost, TINY_TOKENS, tokenCount } from './token-bag.js';
import type { Version } from './version.js';

export interface Matched {
  readonly pairs: readonly { readonly before: number; readonly after: number }[];
  readonly deleted: readonly number[];
  readonly added: readonly number[];
}

/** Shared tokens, of 1, that make two bodies one renamed block. */
export const SIMILAR_ENOUGH = 0.6;

/** The rows of a file that count as blocks of their own. */
export function blockRows(summary: Summary): number[] {
  const out: number[] = [];
  for (let decl = 0; decl < summary.decls.count; decl++) if (isOwnBlock(summary, decl)) out.push(decl);
  return out;
}

export function isOwnBlock(summary: Summary, decl: number): boolean {
  const { decls, scopes } = summary;
  const kind = decls.kindOf(decl);
  // A namespace is a block where what stands in it belongs to it, and a name's first words elsewhere.
  if (kind === D.namespace) return decls.innerOf(decl) >= 0 && scopes.blockOf(decls.innerOf(decl)) === decl;
  if (!isBlockKind(kind) || decls.has(decl, F.parameterField)) return false;
  return !decls.has(decl, F.reassigned) || replacesImport(summary, decl);
}

/**
 * Whether an assignment at the top ends what an import bound: both are there while the import's definition moves in.
 */
function replacesImport({ decls }: Summary, decl: number): boolean {
  return (
    decls.kindOf(decl) === D.variable &&
    decls.has(decl, F.replaces) &&
    decls
      .inScope(decls.scopeOf(decl), decls.nameIdOf(decl))
      .every((other) => other === decl || decls.kindOf(other) === D.importBinding)
  );
}

export const matchBlocks = (before: Version, after: Version): Matched => matchInside(before, -1, after, -1);

/** The same for what stands inside of two blocks; -1: the module. */
export function matchInside(before: Version, oldBlock: number, after: Version, newBlock: number): Matched {
  const pairs: { before: number; after: number }[] = [];
  const deleted: number[] = [];
  const added: number[] = [];
  const level = (oldRows: readonly number[], newRows: readonly number[]): void => {
    const result = new Level(before, oldRows, after, newRows).matched();
    pairs.push(...result.pairs);
    for (const pair of result.pairs)
      level(childrenOf(before.summary, pair.before), childrenOf(after.summary, pair.after));
    for (const row of result.deleted) deleted.push(row, ...descendants(before.summary, row));
    for (const row of result.added) added.push(row, ...descendants(after.summary, row));
  };
  level(childrenOf(before.summary, oldBlock), childrenOf(after.summary, newBlock));
  return { pairs, deleted, added };
}

const childrenMemo = new WeakMap<Summary, ReadonlyMap<number, readonly number[]>>();

/** Blocks right inside a block (-1: the module), in order. */
export function childrenOf(summary: Summary, parent: number): readonly number[] {
  let byParent = childrenMemo.get(summary);
  if (byParent === undefined) {
    const map = new Map<number, number[]>();
    for (const row of blockRows(summary)) {
      const at = summary.decls.parentOf(row);
      const list = map.get(at);
      if (list === undefined) map.set(at, [row]);
      else list.push(row);
    }
    byParent = map;
    childrenMemo.set(summary, byParent);
  }
  return byParent.get(parent) ?? [];
}

/** A file's blocks, each before those inside it. */
export const allBlocks = (summary: Summary): number[] => descendants(summary, -1);

function descendants(summary: Summary, row: number): number[] {
  return childrenOf(summary, row).flatMap((child) => [child, ...descendants(summary, child)]);
}

/** Pairs blocks that stand right inside two blocks which are the same one. */
class Level {
  private readonly pairs: { before: number; after: number }[] = [];
  private readonly freeOld: Set<number>;
  private readonly freeNew: Set<number>;

  constructor(
    private readonly before: Version,
    private readonly oldRows: readonly number[],
    private readonly after: Version,
    private readonly newRows: readonly number[],
  ) {
    this.freeOld = new Set(oldRows);
    this.freeNew = new Set(newRows);
  }

  matched(): Matched {
    this.namesTold();
    this.fieldsRenamedInPlace();
    this.sameNames();
    const [old, now] = [this.before.summary, this.after.summary];
    // A method that became a property, or the other way.
    this.pairSameName((b, a) => isMethodAndProperty(old.decls.kindOf(b), now.decls.kindOf(a)));
    this.renames((summary, row) => family(summary, row) !== 'field');
    // A field became a property, perhaps over a field of another name, or the other way round.
    this.pairSameName((b, a) => isRead(old, b) && isRead(now, a));
    this.renames((summary, row) => family(summary, row) === 'field');
    this.bareNamesByPlace();
    return { pairs: this.pairs, deleted: [...this.freeOld], added: [...this.freeNew] };
  }

  private take(b: number, a: number): void {
    this.pairs.push({ before: b, after: a });
    this.freeOld.delete(b);
    this.freeNew.delete(a);
  }

  /** Blocks of which it is known how they are called now. */
  private namesTold(): void {
    const [old, now] = [this.before.summary, this.after.summary];
    const names = this.before.told?.blocks;
    if (names === undefined) return;
    const isTold = (b: number, a: number): boolean =>
      names.get(old.decls.nameStartOf(b)) === now.decls.nameOf(a) && family(old, b) === family(now, a);
    this.pairFirst((b, a) => isTold(b, a) && overloadKey(old, b) === overloadKey(now, a));
    this.pairFirst(isTold);
  }

  private fieldsRenamedInPlace(): void {
    const fieldsOf = ({ summary }: Version, rows: readonly number[]): number[] =>
      rows.filter((row) => family(summary, row) === 'field');
    const { before, after } = this;
    const [old, now] = [fieldsOf(before, this.oldRows), fieldsOf(after, this.newRows)];
    for (const found of renamedInPlace(before, old, after, now)) {
      this.take(found.before, found.after);
      this.freeNew.delete(found.left);
    }
  }

  /**
   * Those that read the same first, then overloads of the same parameters, those of which most parameters are alike,
   * signatures without a body, then any.
   */
  private sameNames(): void {
    const { before, after } = this;
    const [old, now] = [before.summary, after.summary];
    const sameName = (b: number, a: number): boolean =>
      old.decls.nameOf(b) === now.decls.nameOf(a) && family(old, b) === family(now, a);
    const isOfOneSort = (b: number, a: number): boolean =>
      sameName(b, a) && old.decls.has(b, F.bodiless) === now.decls.has(a, F.bodiless);
    this.pairFirst((b, a) => sameName(b, a) && sameBody(before, b, after, a));
    this.pairFirst((b, a) => sameName(b, a) && overloadKey(old, b) === overloadKey(now, a));
    this.pairClosest((b, a) => (isOfOneSort(b, a) ? parametersAlike(old, b, now, a) : 0));
    this.pairFirst(isOfOneSort);
    this.pairFirst(sameName);
  }

  /** The highest first, each block once; none with 0. */
  private pairClosest(measure: (b: number, a: number) => number): void {
    const candidates = [...this.freeOld].flatMap((b) =>
      [...this.freeNew].map((a) => ({ b, a, closeness: measure(b, a) })).filter(({ closeness }) => closeness > 0),
    );
    for (const { b, a } of candidates.sort((one, other) => other.closeness - one.closeness))
      if (this.freeOld.has(b) && this.freeNew.has(a)) this.take(b, a);
  }

  private pairSameName(accept: (b: number, a: number) => boolean): void {
    const [old, now] = [this.before.summary, this.after.summary];
    this.pairFirst((b, a) => old.decls.nameOf(b) === now.decls.nameOf(a) && accept(b, a));
  }

  private pairFirst(accept: (b: number, a: number) => boolean): void {
    for (const b of [...this.freeOld]) {
      for (const a of this.freeNew) {
        if (!accept(b, a)) continue;
        this.take(b, a);
        break;
      }
    }
  }

  private renames(isAbout: (summary: Summary, row: number) => boolean): void {
    const left = ({ summary }: Version, rows: ReadonlySet<number>): number[] =>
      [...rows].filter((row) => isAbout(summary, row));
    const { before, after } = this;
    for (const { b, a } of renamesAmong(before, left(before, this.freeOld), after, left(after, this.freeNew)))
      if (this.isSaid(b, a)) this.take(b, a);
  }

  /** Whether what is assigned, or else the place, says that one field became the other. */
  private isSaid(b: number, a: number): boolean {
    const { before, after } = this;
    if (family(before.summary, b) !== 'field' || tokenCount(before, b) >= TINY_TOKENS) return true;
    const fieldsOf = ({ summary }: Version, rows: readonly number[]): number[] =>
      rows.filter((row) => family(summary, row) === 'field');
    return standAlike(before, b, fieldsOf(before, this.oldRows), after, a, fieldsOf(after, this.newRows));
  }

  /** A bare name (a member of an enumeration) has nothing but its place to be known by. */
  private bareNamesByPlace(): void {
    if (this.oldRows.length !== this.newRows.length) return;
    const isBareName = (version: Version, row: number): boolean =>
      family(version.summary, row) === 'field' && tokenCount(version, row) === 0;
    for (const b of [...this.freeOld]) {
      const a = this.newRows[this.oldRows.indexOf(b)] as number;
      if (this.freeNew.has(a) && isBareName(this.before, b) && isBareName(this.after, a)) this.take(b, a);
    }
  }
}

export const isMethodAndProperty = (one: number, other: number): boolean =>
  (one === D.method && other === D.property) || (one === D.property && other === D.method);

/** Rough sort of a block: a renamed block stays in its family. */
export function family(summary: Summary, decl: number): string {
  const kind = summary.decls.kindOf(decl);
  if (kind === D.constructor) return 'constructor';
  if (isClassLike(kind) || kind === D.typeAlias) return 'type';
  if (kind === D.namespace) return 'namespace';
  if (isFunctionLike(kind)) return 'function';
  return isFieldLike(kind) ? 'field' : 'other';
}

/** A field, or a function that is read as one. */
const isRead = (summary: Summary, decl: number): boolean =>
  family(summary, decl) === 'field' || summary.decls.has(decl, F.getter);

/** Parameter types (or the count, where none are written) and the number of type parameters tell overloads apart. */
function overloadKey(summary: Summary, decl: number): string {
  const params = summary.decls.paramsOf(decl);
  const accessors = summary.decls.flagsOf(decl) & (F.getter | F.setter);
  const generic = summary.decls.typeParamsOf(decl).length;
  return `${accessors}:${generic}:${[...params].map((param) => typeName(summary, param) ?? '').join()}`;
}

/**
 * How many parameters have the type that the one at their place had; of the same number more where their names are the
 * same too, which counts less than one type.
 */
function parametersAlike(old: Summary, b: number, now: Summary, a: number): number {
  const [were, are] = [[...old.decls.paramsOf(b)], [...now.decls.paramsOf(a)]];
  const alike = were.flatMap((param, i) => {
    const [other, type] = [are[i], typeName(old, param)];
    return other === undefined || type === undefined || type !== typeName(now, other) ? [] : [{ param, other }];
  });
  const named = alike.filter(({ param, other }) => old.decls.nameOf(param) === now.decls.nameOf(other));
  return alike.length + named.length / (were.length + 1);
}

function sameBody(before: Version, b: number, after: Version, a: number): boolean {
  return (
    before.summary.decls.bodyHashOf(b) === after.summary.decls.bodyHashOf(a) &&
    before.summary.decls.headerHashOf(b) === after.summary.decls.headerHashOf(a)
  );
}

/** Best pairs of blocks that may be one under a new name; also used across files. */
export function renamesAmong(
  before: Version,
  oldRows: readonly number[],
  after: Version,
  newRows: readonly number[],
): { b: number; a: number; score: number }[] {
  const scored: { b: number; a: number; score: number }[] = [];
  for (const b of oldRows) {
    for (const a of newRows) {
      if (family(before.summary, b) !== family(after.summary, a) || family(before.summary, b) === 'constructor')
        continue;
      if (likenessMost(before, b, after, a) < SIMILAR_ENOUGH) continue;
      const score = likeness(before, b, after, a);
      if (score >= SIMILAR_ENOUGH && (score === 1 || canBeKnown(before, b, after, a))) scored.push({ b, a, score });
    }
  }
  scored.sort((x, y) => y.score - x.score || x.b - y.b || x.a - y.a);
  const usedOld = new Set<number>();
  const usedNew = new Set<number>();
  return scored.filter(({ b, a }) => {
    if (usedOld.has(b) || usedNew.has(a)) return false;
    usedOld.add(b);
    usedNew.add(a);
    return true;
  });
}

/** Words of a body that says nothing, as in what is kept of a library: `return ...`. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['return', 'pass', 'yield']);

/** Letters of a word that is told in a name which runs its words together: not `get` or `to`. */
const TELLING_LETTERS = 4;

/** Whether a name has a word of another one: `contextfunction` has one of `pass_context`. */
function hasWordOf(name: string, other: string): boolean {
  const words = wordsOf(name);
  return wordsOf(other).some(
    (word) => words.includes(word) || (word.length >= TELLING_LETTERS && name.toLowerCase().includes(word)),
  );
}

/**
 * Whether there is something to know a block by under its new name: what its body says, or a word of the name. That
 * headers are alike is no reason where functions stand without their bodies.
 */
function canBeKnown(before: Version, b: number, after: Version, a: number): boolean {
  if (family(before.summary, b) !== 'function') return true;
  const says = ({ summary: { decls }, text }: Version, row: number): boolean =>
    text
      .slice(decls.bodyStartOf(row), decls.endOf(row))
      .match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)
      ?.some((word) => !EMPTY_WORDS.has(word)) === true;
  const [old, now] = [before.summary.decls.nameOf(b), after.summary.decls.nameOf(a)];
  return (says(before, b) && says(after, a)) || hasWordOf(old, now) || hasWordOf(now, old);
}

/** Too short to be told from others by what it says. */
export const isTiny = (version: Version, decl: number): boolean => tokenCount(version, decl) < 2 * TINY_TOKENS;
