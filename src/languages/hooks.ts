/**
 * What bases from outside ask of the classes below them, as the languages' tables say it.
 */
import type { Hooks, LibraryTypes } from './language.js';

/** By the name of the base: words for what has to be written, and for what the base has its own of. */
export const hooksOf = (table: Readonly<Record<string, readonly [string, string]>>): ReadonlyMap<string, Hooks> =>
  new Map(
    Object.entries(table).map(([base, [required, own]]) => [base, { required: words(required), own: words(own) }]),
  );

/** Whether a base from outside asks for a member of the name, or brings one; undefined: its members are unknown. */
export function hasMember({ hooks, interfaceMembers }: LibraryTypes, base: string, name: string): boolean | undefined {
  const asked = hooks.get(base);
  const all = interfaceMembers.get(base);
  if (asked === undefined && all === undefined) return undefined;
  return asked?.required.has(name) === true || asked?.own.has(name) === true || all?.has(name) === true;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((word) => word !== ''));
