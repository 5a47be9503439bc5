/**
 * Which deleted and added files are one renamed file: those with much the same text.
 *
 * Equal texts are found at once. All others would have to be compared with each other, which is bounded, since
 * whoever wrote the repository chose how many there are; files of a language that are beyond that are not compared,
 * and are counted.
 */
import type { Turns } from '../../base/turns.js';
import { languageOf } from '../../languages/registry.js';

/** Share of lines that two texts must have in common to be one renamed file: git's default. */
const SIMILAR_LEAST = 0.5;
/** Lines that are looked up, a pair that is not compared counting as one: some seconds. */
const LINES_MOST = 50_000_000;
/** Characters of all texts that are compared: their lines are kept meanwhile. */
const CHARACTERS_MOST = 16 * 1024 * 1024;

/** Texts by path. */
type Texts = ReadonlyMap<string, string>;

interface Pairing {
  /** New path and old path; each at most once. */
  readonly renames: ReadonlyMap<string, string>;
  /** How many deleted and added files were left uncompared. */
  readonly left: { readonly deleted: number; readonly added: number };
}

interface Lines {
  readonly path: string;
  readonly counts: ReadonlyMap<string, number>;
  /** Characters in all of its lines. */
  readonly weight: number;
}

/** Only files of one language are compared, the most similar first. */
export function* pairRenames(deleted: Texts, added: Texts): Turns<Pairing> {
  const renames = new Map<string, string>();
  const left = { deleted: 0, added: 0 };
  const groups = [byLanguage(deleted), byLanguage(added)] as const;
  for (const [language, before] of groups[0]) {
    const after = groups[1].get(language) ?? new Map<string, string>();
    pairEqual(before, after, renames);
    if (before.size === 0 || after.size === 0) continue;
    if (yield* pairSimilar(before, after, renames)) continue;
    left.deleted += before.size;
    left.added += after.size;
  }
  return { renames, left };
}

/** Empty texts are like each other for no reason. */
function byLanguage(texts: Texts): Map<string | undefined, Map<string, string>> {
  const groups = new Map<string | undefined, Map<string, string>>();
  for (const path of [...texts.keys()].sort()) {
    const text = texts.get(path) ?? '';
    if (text.trim() === '') continue;
    const language = languageOf(path)?.id;
    const group = groups.get(language) ?? new Map<string, string>();
    groups.set(language, group.set(path, text));
  }
  return groups;
}

/** Takes what it pairs out of both. */
function pairEqual(before: Map<string, string>, after: Map<string, string>, renames: Map<string, string>): void {
  const places = new Map<string, string[]>();
  for (const [path, text] of after) {
    const same = places.get(text);
    if (same === undefined) places.set(text, [path]);
    else same.push(path);
  }
  for (const same of places.values()) same.reverse();
  for (const [from, text] of [...before]) {
    const path = places.get(text)?.pop();
    if (path === undefined) continue;
    renames.set(path, from);
    before.delete(from);
    after.delete(path);
  }
}

/** False where they are too many to be compared; nothing is paired then. */
function* pairSimilar(before: Texts, after: Texts, renames: Map<string, string>): Turns<boolean> {
  if (before.size * after.size > LINES_MOST || sizeOf(before) + sizeOf(after) > CHARACTERS_MOST) return false;
  const [old, now] = [yield* linesOfAll(before), yield* linesOfAll(after)];
  let work = 0;
  for (const a of old) {
    for (const b of now) work += 1 + (mayBeSimilar(a, b) ? a.counts.size : 0);
    if (work > LINES_MOST) return false;
    yield;
  }
  const pairs: { readonly path: string; readonly from: string; readonly share: number }[] = [];
  for (const a of old)
    for (const b of now) {
      if (!mayBeSimilar(a, b)) continue;
      const share = sharedLines(a, b);
      if (share >= SIMILAR_LEAST) pairs.push({ path: b.path, from: a.path, share });
      yield;
    }
  // Sorting keeps the order of pairs that are alike, which is that of their paths.
  pairs.sort((a, b) => b.share - a.share);
  const taken = new Set<string>();
  for (const { path, from } of pairs) {
    if (renames.has(path) || taken.has(from)) continue;
    renames.set(path, from);
    taken.add(from);
  }
  return true;
}

const sizeOf = (texts: Texts): number => [...texts.values()].reduce((sum, text) => sum + text.length, 0);

function* linesOfAll(texts: Texts): Turns<Lines[]> {
  const all: Lines[] = [];
  for (const [path, text] of texts) {
    const counts = new Map<string, number>();
    let weight = 0;
    for (const raw of text.split('\n')) {
      const line = raw.trim();
      if (line === '') continue;
      counts.set(line, (counts.get(line) ?? 0) + 1);
      weight += line.length;
    }
    all.push({ path, counts, weight });
    yield;
  }
  return all;
}

/** They have no more in common than the smaller one has. */
const mayBeSimilar = (a: Lines, b: Lines): boolean =>
  Math.min(a.weight, b.weight) >= SIMILAR_LEAST * Math.max(a.weight, b.weight);

/** Characters in common lines, as a share of the larger text's: so short common lines say little. */
function sharedLines(a: Lines, b: Lines): number {
  let shared = 0;
  for (const [line, count] of a.counts) shared += Math.min(count, b.counts.get(line) ?? 0) * line.length;
  return shared / Math.max(a.weight, b.weight);
}
