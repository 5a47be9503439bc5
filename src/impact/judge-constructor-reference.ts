/**
 * Judges references to constructors (`Point::new`), which say nothing of what they are given: that is what the function
 * type of their place says. Where nobody can tell how many values that are, any constructor that went may be the one.
 */
import { isConstructorReference } from '../graph/refer/function-values.js';
import { expectedWhere } from '../graph/resolve/expected.js';
import { functionalMethod } from '../graph/resolve/containers.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf, takenBySignature } from '../graph/resolve/signature.js';
import type { Value } from '../graph/resolve/value.js';
import type { DeclRef } from '../languages/language.js';
import { E, isClassLike } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { takeTheSame } from './other-constructor.js';
import { breaks, may, type Verdict } from './verdict.js';

/** Undefined for a row that is no such reference, or of a class that is not known in both trees. */
export function constructorReference(
  { file, call }: { readonly file: string; readonly call: number },
  { before, after }: Graphs,
): Verdict | undefined {
  const summary = after.summary(file);
  if (!isConstructorReference(summary, call)) return undefined;
  const [made, ...others] = after
    .typeOf(file, call)
    .values.flatMap((value) => (value.kind === 'instance' ? [{ file: value.file, decl: value.decl }] : []));
  const old = made === undefined || others.length > 0 ? undefined : classBefore({ before, after }, made);
  if (made === undefined || old === undefined) return undefined;
  const lost = makersOf(before, old).filter(
    (was) => !makersOf(after, made).some((is) => takeTheSame({ before, after }, was, is)),
  );
  const count = countGiven(after, file, call);
  const taking = (resolver: Resolver, makers: readonly DeclRef[]): boolean =>
    count === undefined || makers.some((maker) => takes(resolver, maker, count));
  if (!taking(before, lost) || lost.length === 0) return 'fine';
  return taking(after, makersOf(after, made))
    ? may('a constructor that may be meant is another one now')
    : breaks(`no constructor takes ${count === 0 ? 'nothing' : count} now`);
}

/** The class of the same name in the file, before the edit. */
function classBefore({ before, after }: Graphs, { file, decl }: DeclRef): DeclRef | undefined {
  const path = after.summary(file).decls.pathOf(decl);
  const summary = before.repo.summary(file);
  if (summary === undefined) return undefined;
  for (let row = 0; row < summary.decls.count; row++)
    if (isClassLike(summary.decls.kindOf(row)) && summary.decls.pathOf(row) === path) return { file, decl: row };
  return undefined;
}

/** What objects are made with: constructors, or the class where it writes none: its components, or nothing. */
function makersOf(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  const own = constructorsOf(resolver, type);
  const hasComponents = resolver.summary(type.file).decls.hasParams(type.decl);
  return hasComponents ? [type, ...own] : own.length > 0 ? own : [type];
}

function takes(resolver: Resolver, { file, decl }: DeclRef, count: number): boolean {
  const { least, most } = takenBySignature(signatureOf(resolver.summary(file), decl));
  return least <= count && count <= most;
}

/** How many values the place gives the function; undefined where that is not known. */
function countGiven(resolver: Resolver, file: string, row: number): number | undefined {
  const expected = expectedWhere(resolver, file, row)?.values ?? [];
  const counts = new Set(expected.map((value) => countTaken(resolver, file, value)));
  const [count] = counts;
  return counts.size === 1 ? count : expected.length > 0 ? undefined : countOfLibrary(resolver, file, row);
}

function countTaken(resolver: Resolver, file: string, value: Value): number | undefined {
  if (value.kind === 'external') return resolver.language(file).library.functions?.get(value.name);
  const method = value.kind === 'instance' ? functionalMethod(resolver, value) : undefined;
  return method === undefined ? undefined : signatureOf(resolver.summary(method.file), method.decl).params.length;
}

/** `names.map(Point::new)`: an element at a time. */
function countOfLibrary(resolver: Resolver, file: string, row: number): number | undefined {
  const { exprs } = resolver.summary(file);
  const use = exprs.usesOf(row).find(({ kind }) => kind === 'argument');
  const callee = use?.kind === 'argument' ? exprs.calleeOf(use.row) : -1;
  if (use?.kind !== 'argument' || use.index !== 0 || callee < 0 || exprs.opOf(callee) !== E.member) return undefined;
  const isOutside = resolver.resolve(file, callee).targets.length === 0;
  return isOutside && resolver.language(file).library.mappingMembers.has(exprs.nameOf(callee)) ? 1 : undefined;
}
