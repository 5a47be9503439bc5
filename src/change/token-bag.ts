/**
 * How alike two blocks are: the tokens that both say, their own names left out.
 *
 * The tokens of a block are taken once, as sorted numbers: where hundreds of blocks came and went each is compared
 * with each.
 */
import { wordOf } from '../base/hash.js';
import type { Version } from './version.js';

/** Bodies with fewer tokens than this must be equal. */
export const TINY_TOKENS = 8;

const TOKEN = /[A-Za-z_$][\w$]*|\d+|[^\s\w]/g;

interface Bag {
  /** Hashes of the tokens, ascending. */
  readonly sorted: Int32Array;
  /** Of few tokens the tokens themselves, as they stand. */
  readonly words: string;
}

const memo = new WeakMap<Version, Map<number, Bag>>();

export const tokenCount = (version: Version, decl: number): number => bagOf(version, decl).sorted.length;

/** 0 to 1. */
export function likeness(before: Version, b: number, after: Version, a: number): number {
  const old = bagOf(before, b);
  const now = bagOf(after, a);
  const fewer = Math.min(old.sorted.length, now.sorted.length);
  if (fewer < TINY_TOKENS) return old.words === now.words && old.sorted.length > 0 ? 1 : 0;
  return (2 * shared(old.sorted, now.sorted)) / (old.sorted.length + now.sorted.length);
}

/** No likeness of the two is higher: what their lengths allow. */
export function likenessMost(before: Version, b: number, after: Version, a: number): number {
  const [old, now] = [tokenCount(before, b), tokenCount(after, a)];
  return old + now === 0 ? 0 : (2 * Math.min(old, now)) / (old + now);
}

function shared(one: Int32Array, other: Int32Array): number {
  let [i, j, both] = [0, 0, 0];
  while (i < one.length && j < other.length) {
    const [a, b] = [one[i] as number, other[j] as number];
    if (a === b) both++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return both;
}

function bagOf(version: Version, decl: number): Bag {
  const known = memo.get(version) ?? new Map<number, Bag>();
  memo.set(version, known);
  const bag = known.get(decl) ?? read(version, decl);
  known.set(decl, bag);
  return bag;
}

function read({ summary: { decls }, text }: Version, decl: number): Bag {
  const name = decls.nameOf(decl);
  const tokens = (text.slice(decls.startOf(decl), decls.endOf(decl)).match(TOKEN) ?? []).filter(
    (token) => token !== name,
  );
  const sorted = Int32Array.from(tokens, (token) => wordOf(token, 0, token.length)).sort();
  // Which of two are few is known of both alone.
  return { sorted, words: tokens.length < TINY_TOKENS ? tokens.join(' ') : '' };
}
