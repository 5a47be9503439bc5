/**
 * Names that are spelt nearly like one: what a person, a compiler's message or a model may have meant.
 */
import { stem } from './words.js';

export interface LikeName {
  readonly name: string;
  /** From 0 to 1. */
  readonly likeness: number;
}

/** Names less like than this are no suggestion. */
const LIKENESS_LEAST = 0.5;
/** Pairs of letters of a name are compared first; only the best are looked at closely. */
const LOOKED_AT_MOST = 40;

/** The names most like `asked`, best first; ties by length, then name. Each name once. */
export function spelledLike(asked: string, names: Iterable<string>, most: number): LikeName[] {
  const own = pairsOf(asked);
  const rough: { name: string; shared: number }[] = [];
  for (const name of new Set(names)) {
    const shared = sharedPairs(own, name);
    if (shared >= 0.3) rough.push({ name, shared });
  }
  rough.sort((a, b) => b.shared - a.shared || (a.name < b.name ? -1 : 1));
  return rough
    .slice(0, LOOKED_AT_MOST)
    .map(({ name }) => ({ name, likeness: likeness(asked, name) }))
    .filter((like) => like.likeness >= LIKENESS_LEAST)
    .sort((a, b) => b.likeness - a.likeness || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, most);
}

/** From 0 to 1: how few letters have to change, or how many words the two have in common; 1 for equal but for case. */
export function likeness(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  if (left === right) return 1;
  const letters = 1 - distance(left, right) / Math.max(left.length, right.length, 1);
  const words = sharedWords(partsOf(a), partsOf(b));
  return Math.max(letters, words) * 0.9 + Math.min(letters, words) * 0.1;
}

const partsOf = (name: string): string[] =>
  (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? []).map((part) => stem(part.toLowerCase()));

function sharedWords(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const others = [...b];
  let shared = 0;
  for (const word of a) {
    const at = others.indexOf(word);
    if (at >= 0) {
      others.splice(at, 1);
      shared++;
    }
  }
  return (2 * shared) / (a.length + b.length);
}

function pairsOf(name: string): Map<string, number> {
  const lower = ` ${name.toLowerCase()} `;
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < lower.length; i++) {
    const pair = lower.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Share of pairs of letters that a name has in common with others. */
function sharedPairs(pairs: ReadonlyMap<string, number>, name: string): number {
  const lower = ` ${name.toLowerCase()} `;
  const taken = new Map<string, number>();
  let shared = 0;
  let all = lower.length - 1;
  for (const count of pairs.values()) all += count;
  for (let i = 0; i + 1 < lower.length; i++) {
    const pair = lower.slice(i, i + 2);
    const used = taken.get(pair) ?? 0;
    if (used < (pairs.get(pair) ?? 0)) {
      shared++;
      taken.set(pair, used + 1);
    }
  }
  return (2 * shared) / Math.max(1, all);
}

/** Letters to insert, remove, replace, or swap with the next. Damerau and Levenshtein, restricted to neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}
