/**
 * Two rankings of the same things as one: by reciprocal rank, which needs no common scale.
 *
 * Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning.
 */

/** Keeps the first places from deciding alone; the published value. */
const RANK_OFFSET = 60;

/** Every thing of either ranking once, best first; ties as the first ranking has them. */
export function fused<T>(first: readonly T[], second: readonly T[], keyOf: (thing: T) => string): T[] {
  const scores = new Map<string, { thing: T; score: number }>();
  for (const ranking of [first, second])
    ranking.forEach((thing, rank) => {
      const known = scores.get(keyOf(thing)) ?? { thing, score: 0 };
      scores.set(keyOf(thing), { ...known, score: known.score + 1 / (RANK_OFFSET + rank + 1) });
    });
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ thing }) => thing);
}
