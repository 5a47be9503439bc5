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
/**
 * Pairs of letters of a name are compared first; only the best are looked at closely, which costs the product of two
 * lengths for each.
 */
const SHARED_LEAST = 0.3;
const LOOKED_AT_MOST = 40;

/** The names most like `asked`, best first; ties by length, then name. Each name once. */
export function spelledLike(asked: string, names: Iterable<string>, most: number): LikeName[] {
  const spellings = new Spellings();
  for (const name of new Set(names)) spellings.add(name);
  return spellings.like(asked, most);
}

/** Names by the pairs of letters that they have: those that are like another are found without looking at all. */
export class Spellings {
  private readonly names: string[] = [];
  /** By pair: places of names, and beside each how often the name has it. */
  private readonly having = new Map<string, number[]>();

  /** How many names it has. */
  get size(): number {
    return this.names.length;
  }

  /** A name that it does not have. */
  add(name: string): void {
    const place = this.names.push(name) - 1;
    for (const [pair, count] of pairsOf(name)) {
      const known = this.having.get(pair);
      if (known === undefined) this.having.set(pair, [place, count]);
      else known.push(place, count);
    }
  }

  /** The names most like `asked`, of those that `isMeant` tells; best first, ties by length, then name. */
  like(asked: string, most: number, isMeant: (name: string) => boolean = () => true): LikeName[] {
    const own = pairsOf(asked);
    const shared = new Map<number, number>();
    for (const [pair, count] of own) {
      const known = this.having.get(pair) ?? [];
      for (let at = 0; at < known.length; at += 2) {
        const place = known[at] as number;
        shared.set(place, (shared.get(place) ?? 0) + Math.min(count, known[at + 1] as number));
      }
    }
    const rough: { name: string; shared: number }[] = [];
    for (const [place, count] of shared) {
      const name = this.names[place] as string;
      // A name of so many letters has one pair more, with the ends.
      const share = (2 * count) / (asked.length + 1 + name.length + 1);
      if (share >= SHARED_LEAST && isMeant(name)) rough.push({ name, shared: share });
    }
    rough.sort((a, b) => b.shared - a.shared || (a.name < b.name ? -1 : 1));
    return rough
      .slice(0, LOOKED_AT_MOST)
      .map(({ name }) => ({ name, likeness: likeness(asked, name) }))
      .filter((like) => like.likeness >= LIKENESS_LEAST)
      .sort((a, b) => b.likeness - a.likeness || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
      .slice(0, most);
  }
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
