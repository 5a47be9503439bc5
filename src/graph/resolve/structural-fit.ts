/**
 * Whether an object literal may be given for a type of which only the members count (TypeScript): by the keys that it
 * must have, and by those that it must not: `compute?: undefined`.
 */
import { sameDecl } from '../../syntax/rows.js';
import { D, E, type Summary } from '../../syntax/summary.js';
import { findMember } from './hierarchy.js';
import { membersOfLiteral, wantedBeside } from './literal-keys.js';
import type { Resolver } from './resolver.js';
import type { Value } from './value.js';

type Instance = Value & { kind: 'instance' };

/**
 * `'lacks'` where a literal can be no object of the type, `'has all'` where it has what it must and nothing more;
 * undefined where the two are no literal and such a type, or that cannot be told.
 */
export function literalFit(resolver: Resolver, want: Instance, have: Instance): 'lacks' | 'has all' | undefined {
  if (sameDecl(want, have) || !isOfMembersAlone(resolver, want)) return undefined;
  const of = resolver.summary(have.file);
  if (of.decls.kindOf(have.decl) !== D.anonymousClass || of.decls.basesOf(have.decl).length > 0) return undefined;
  const members = new Map(membersOfLiteral(of, have.decl).map((decl) => [of.decls.nameOf(decl), decl]));
  const names = [...members.keys()];
  if (names.some((name) => name.startsWith('['))) return undefined;
  if (wantedBeside(resolver, want, new Set(names)).length > 0) return 'lacks';
  const found = [...members].map(([name, decl]) => ({ decl, ...findMember(resolver, want, name) }));
  const isForbidden = found.some(
    ({ decl, found: asked }) =>
      asked.length > 0 &&
      asked.every((member) => isNothing(resolver.summary(member.file), member.decl)) &&
      !holdsNothing(of, decl),
  );
  if (isForbidden) return 'lacks';
  return found.every(({ found: asked }) => asked.length > 0) ? 'has all' : undefined;
}

/** A type, an alias or an interface, as against a class, whose objects are mostly made by it. */
const isOfMembersAlone = (resolver: Resolver, { file, decl }: Instance): boolean => {
  const kind = resolver.summary(file).decls.kindOf(decl);
  return (
    resolver.language(file).structural && (kind === D.interface || kind === D.typeAlias || kind === D.anonymousClass)
  );
};

/** Whether a member of a type may hold nothing at all: its type is `undefined`, `null` or `never`. */
function isNothing({ decls, exprs }: Summary, member: number): boolean {
  const type = decls.typeOf(member);
  return type >= 0 && exprs.opOf(type) === E.literal && exprs.nameOf(type) === 'null';
}

function holdsNothing({ decls, exprs }: Summary, member: number): boolean {
  const value = decls.valueOf(member);
  return value >= 0 && ['null', 'undefined'].includes(exprs.nameOf(value));
}
