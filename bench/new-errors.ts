/** Which errors of a tree are there by an edit. */
import type { Diagnostic } from '#src/oracle/diagnostic.js';
import type { Typed } from './refactoring-kinds.js';

/** The old path of each file that the edit gave another one. */
export function backOf({ renames }: Typed): ReadonlyMap<string, string> {
  return new Map([...(renames ?? [])].map(([from, now]) => [now, from]));
}

/** By what errors of both sides are one: their file and message, with the names of the edit taken for one another. */
export function keyIn(typed: Typed): (error: Diagnostic) => string {
  const back = backOf(typed);
  return ({ file, message }) =>
    `${back.get(file) ?? file} ` +
    typed.names.reduce((text, name) => text.replaceAll(name, '§'), message).replace(/\d+|"[^"]*"/g, '0');
}

/** The errors that there are more of than before, by their keys. */
export function beyond(
  errors: readonly Diagnostic[],
  before: readonly Diagnostic[],
  key: (error: Diagnostic) => string,
): Diagnostic[] {
  const known = new Map<string, number>();
  for (const error of before) known.set(key(error), (known.get(key(error)) ?? 0) + 1);
  return errors.filter((error) => {
    const left = known.get(key(error)) ?? 0;
    known.set(key(error), left - 1);
    return left <= 0;
  });
}
