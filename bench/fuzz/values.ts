/** A JSON value with one place of it made odd. */
import { randomNumbers } from '../../test/support/random-numbers.js';

/** No path of the machine is among them, and nothing that could be run. */
const ODD: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63), '', ' ', 'x', '\0', '\ud800', '𝒳\u202e'],
  ...['..', '../beside/a.py', 'a.py', 'a.py/b', './b.py', 'HEAD', 'HEAD~1', '--help', '-', '%', '**', '[', '(', '\\'],
  ...['__proto__', 'constructor', 'x'.repeat(5000), [], {}, [[]], [null], { a: 1 }, [1, 'x', {}]],
  ...[{ __proto__: null, toString: 1 }, Array.from({ length: 300 }, (_, i) => i), '2026-01-01T00:00:00Z'],
];
const KEYS = ['__proto__', 'constructor', 'toString', 'length', '', 'file', 'steps', 'x', 'version', 'token'];

/** `number`: which place, and what becomes of it: other value, gone, doubled, one key more. */
export function oddValue(value: unknown, number: number): unknown {
  const random = randomNumbers(number);
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const changed = (inner: unknown, depth: number): unknown => {
    if (typeof inner !== 'object' || inner === null || random() < 0.2 * depth) return one(ODD);
    if (Array.isArray(inner)) return changedList(inner, depth);
    const entries = Object.entries(inner);
    const at = Math.floor(random() * entries.length);
    const entry = entries[at];
    const choice = random();
    if (entry === undefined || choice < 0.1) entries.push([one(KEYS) ?? 'x', one(ODD)]);
    else if (choice < 0.2) entries.splice(at, 1);
    else entries[at] = [entry[0], changed(entry[1], depth + 1)];
    return Object.fromEntries(entries);
  };
  const changedList = (list: readonly unknown[], depth: number): unknown => {
    const at = Math.floor(random() * list.length);
    const choice = random();
    if (list.length === 0 || choice < 0.15) return [...list, one(ODD)];
    if (choice < 0.3) return list.toSpliced(at, 1);
    if (choice < 0.4) return [...list, ...list];
    return list.with(at, changed(list[at], depth + 1));
  };
  return changed(value, 0);
}
