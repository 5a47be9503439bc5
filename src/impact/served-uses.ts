/**
 * Whether a place has of a value all that it asks for, though the value's type is another one now: each member that it
 * takes is the very one that it was, by the class that both types share or derive from. Who takes the value whole,
 * gives it on or calls it, may want the old type.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { Graphs } from './graphs.js';
import { usesOfValue, type ValuePlace } from './value-uses.js';

/** `from`, `to`: the two types as written. */
export function isServed(
  { from, to }: { readonly from: string; readonly to: string },
  place: ValuePlace,
  { before, after }: Graphs,
): boolean {
  // A value that may be missing has the same members, where it is there; one to wait for may be dropped unseen.
  const { wrappers } = after.language(place.file).library;
  if (wordsOf(from, wrappers) !== wordsOf(to, wrappers)) return false;
  // Only where the file was left alone are its rows the same.
  if (before.repo.summary(place.file)?.hash !== after.repo.summary(place.file)?.hash) return false;
  const uses = usesOfValue(after, place) ?? [];
  // What nothing is noted of, a condition say, is not known to ask for nothing.
  return (
    uses.length > 0 && uses.every((use) => use.kind === 'receiver' && isSameMember(before, after, place.file, use.row))
  );
}

/** The words that say that there may be no value, or that it has to be taken out of something. */
const wordsOf = (type: string, wrappers: ReadonlySet<string>): string =>
  [...new Set(type.match(/\w+|\?/gu))]
    .filter((word) => MISSING.has(word) || wrappers.has(word))
    .sort()
    .join();

const MISSING: ReadonlySet<string> = new Set(['undefined', 'null', 'None', 'void', 'never', '?']);

function isSameMember(before: Resolver, after: Resolver, file: string, row: number): boolean {
  const [was, is] = [before.resolve(file, row), after.resolve(file, row)];
  return (
    was.confidence === 'certain' &&
    is.confidence === 'certain' &&
    is.targets.length > 0 &&
    is.targets.length === was.targets.length &&
    is.targets.every((target, i) => pathOf(after, target) === pathOf(before, was.targets[i] as DeclRef))
  );
}

function pathOf(resolver: Resolver, { file, decl }: DeclRef): string {
  return decl < 0 ? file : `${file}\0${resolver.summary(file).decls.pathOf(decl)}`;
}
