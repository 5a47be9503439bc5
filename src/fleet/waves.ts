/**
 * Which repositories go before which: one that others of the campaign use is a library to them, and what it offers may
 * change because it follows. Repositories form a graph and not a tree; those that use each other go at once.
 */
import type { Progress } from './state.js';

/** For each repository the ones that it uses, directly. Repositories that nobody has looked at use none. */
export function usedBy(repositories: ReadonlyMap<string, Progress>): ReadonlyMap<string, readonly string[]> {
  const publishers = new Map<string, string[]>();
  for (const [key, { look }] of repositories)
    for (const name of look?.publishes ?? []) publishers.set(name, [...(publishers.get(name) ?? []), key]);
  return new Map(
    [...repositories].map(([key, { look }]) => [
      key,
      [...new Set((look?.uses ?? []).flatMap((name) => publishers.get(name) ?? []))].filter((other) => other !== key),
    ]),
  );
}

/** The wave of each repository, from 0. In a circle all have the wave of the one that is reached first. */
export function wavesOf(uses: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const waves = new Map<string, number>();
  const left = new Set([...uses.keys()].sort());
  for (let wave = 0; left.size > 0; wave++) {
    const ready = [...left].filter((key) => (uses.get(key) ?? []).every((other) => !left.has(other)));
    for (const key of ready.length > 0 ? ready : inCircles(left, uses)) {
      waves.set(key, wave);
      left.delete(key);
    }
  }
  return waves;
}

/** Those of which all that they lead to leads back to them: nothing outside of their circle is waited for. */
function inCircles(left: ReadonlySet<string>, uses: ReadonlyMap<string, readonly string[]>): string[] {
  const reach = new Map([...left].map((key) => [key, reachedFrom(key, left, uses)]));
  return [...left].filter((key) => [...(reach.get(key) ?? [])].every((other) => reach.get(other)?.has(key) === true));
}

function reachedFrom(
  start: string,
  among: ReadonlySet<string>,
  uses: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [start];
  for (const key of queue)
    for (const other of uses.get(key) ?? [])
      if (among.has(other) && !reached.has(other)) {
        reached.add(other);
        queue.push(other);
      }
  return reached;
}
