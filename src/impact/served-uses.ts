/**
 * Whether a place has of a value all that it asks for, though the value's type is another one now: each member that it
 * takes is the very one that it was, by the class that both types share or derive from. Who takes the value whole,
 * gives it on or calls it, may want the old type.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import { sameWrittenMember } from '../graph/resolve/written-form.js';
import type { WrittenType } from '../graph/resolve/written-types.js';
import type { DeclRef, Language } from '../languages/language.js';
import { E, isBlockKind, R } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { usesOfValue, type ValuePlace } from './value-uses.js';

/** `from`, `to`: the two types as written. */
export function isServed(
  { from, to }: { readonly from: string; readonly to: string },
  place: ValuePlace,
  { before, after }: Graphs,
): boolean {
  // A value that may be missing has the same members, where it is there; one to wait for may be dropped unseen.
  const isHeard = heardIn(after.language(place.file));
  if (wordsOf(from, isHeard) !== wordsOf(to, isHeard)) return false;
  // Only where the file was left alone are its rows the same.
  if (before.repo.summary(place.file)?.hash !== after.repo.summary(place.file)?.hash) return false;
  const uses = usesOfValue(after, place) ?? [];
  // What nothing is noted of, a condition say, is not known to ask for nothing.
  return (
    uses.length > 0 && uses.every((use) => use.kind === 'receiver' && isSameMember(before, after, place.file, use.row))
  );
}

/** Words of results that mean something to the statements behind the call as well. */
const HEARD_BEHIND: ReadonlySet<string> = new Set(['asserts', 'never', 'Never', 'NoReturn']);

/**
 * Whether a call is a statement, so that nobody takes what it gives. What has to be waited for now, or taken out, asks
 * for more than that.
 */
export function isDropped(
  { from, to }: { readonly from: string; readonly to: string },
  { file, expr }: ValuePlace,
  { after }: Graphs,
): boolean {
  const { exprs } = after.summary(file);
  const { wrappers } = after.language(file).library;
  const awaited = exprs.wholeBy(expr, E.await);
  const [was = [], is = []] = [from, to].map((type) => [...new Set(type.match(/\w+/gu))]);
  return (
    exprs.roleOf(awaited < 0 ? expr : awaited) === R.dropped &&
    ![...was, ...is].some((word) => HEARD_BEHIND.has(word)) &&
    is.every((word) => !wrappers.has(word) || was.includes(word))
  );
}

/**
 * Whether a function that is given has of a parameter, whose type it leaves to the place that it is given at, all that
 * it asks for: it takes of it members alone, each the very one that it was, or does not say it at all.
 */
export function isParameterServed(given: DeclRef, param: number, { before, after }: Graphs): boolean {
  const { file } = given;
  if (before.repo.summary(file)?.hash !== after.repo.summary(file)?.hash) return false;
  const { decls, exprs } = after.summary(file);
  if (decls.typeOf(param) >= 0) return false;
  return [...exprs.named(decls.nameIdOf(param))]
    .filter(
      (row) =>
        exprs.opOf(row) === E.name &&
        exprs.roleOf(row) !== R.declares &&
        after.resolve(file, row).targets.some((target) => target.file === file && target.decl === param),
    )
    .every((expr) => {
      const uses = usesOfValue(after, { file, expr }) ?? [];
      return (
        uses.length > 0 && uses.every((use) => use.kind === 'receiver' && isSameMember(before, after, file, use.row))
      );
    });
}

/** Whether two types say the same of whether there is a value, and of what it has to be taken out of. */
export function areWrappedAlike(was: WrittenType, is: WrittenType, { before, after }: Graphs): boolean {
  const isHeard = heardIn(after.language(is.file));
  return wordsOf(namesIn(before, was), isHeard) === wordsOf(namesIn(after, is), isHeard);
}

/** Words for what a value is taken out of, and for how much of a type is there. */
function heardIn({ library: { wrappers, unions, parts } }: Language): (word: string) => boolean {
  return (word) => wrappers.has(word) || unions.has(word) || parts.has(word);
}

function namesIn(resolver: Resolver, { file, row }: WrittenType): string {
  const { exprs } = resolver.summary(file);
  const names: string[] = [];
  const [from, to] = [exprs.startOf(row), exprs.endOf(row)];
  for (let at = 0; at < exprs.count; at++)
    if (exprs.startOf(at) >= from && exprs.endOf(at) <= to) names.push(exprs.nameOf(at));
  return names.join(' ');
}

/** The words that say that there may be no value, or that it has to be taken out of something. */
const wordsOf = (type: string, isHeard: (word: string) => boolean): string =>
  [...new Set(type.match(/\w+|\?/gu))]
    .filter((word) => MISSING.has(word) || isHeard(word))
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
    is.targets.every((target, i) => isSameDecl(before, was.targets[i] as DeclRef, after, target))
  );
}

/** Of what is no block, as members of a type that is written out in place, no other change tells. */
function isSameDecl(before: Resolver, was: DeclRef, after: Resolver, is: DeclRef): boolean {
  if (pathOf(after, is) !== pathOf(before, was)) return false;
  const [old, now] = [before.summary(was.file), after.summary(is.file)];
  return is.decl < 0 || isBlockKind(now.decls.kindOf(is.decl)) || sameWrittenMember(old, was.decl, now, is.decl);
}

function pathOf(resolver: Resolver, { file, decl }: DeclRef): string {
  return decl < 0 ? file : `${file}\0${resolver.summary(file).decls.pathOf(decl)}`;
}
