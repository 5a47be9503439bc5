/**
 * Whether an object may be given for a type of which the members count (TypeScript, Python's protocols): by those that
 * it must have, and for a literal by those that it must not: `compute?: undefined`.
 */
import { sameDecl } from '../../syntax/rows.js';
import { D, E, type Summary } from '../../syntax/summary.js';
import { findMember, hasOutsideBase } from './hierarchy.js';
import { membersOfLiteral, wantedBeside } from './literal-keys.js';
import type { Resolver } from './resolver.js';
import type { Value } from './value.js';

type Instance = Value & { kind: 'instance' };

/**
 * `'lacks'` where it can be no object of the type, `'has all'` where a literal has what it must and nothing more;
 * undefined where that cannot be told.
 */
export function membersFit(resolver: Resolver, want: Instance, have: Instance): 'lacks' | 'has all' | undefined {
  if (sameDecl(want, have) || hasOutsideBase(resolver, have)) return undefined;
  const of = resolver.summary(have.file);
  if (of.decls.kindOf(have.decl) !== D.anonymousClass) {
    const has = (name: string): boolean => findMember(resolver, have, name).found.length > 0;
    return wantedBeside(resolver, want, { has }).length > 0 ? 'lacks' : undefined;
  }
  if (of.decls.basesOf(have.decl).length > 0) return undefined;
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

/** Whether a member of a type may hold nothing at all: its type is `undefined`, `null` or `never`. */
function isNothing({ decls, exprs }: Summary, member: number): boolean {
  const type = decls.typeOf(member);
  return type >= 0 && exprs.opOf(type) === E.literal && exprs.nameOf(type) === 'null';
}

function holdsNothing({ decls, exprs }: Summary, member: number): boolean {
  const value = decls.valueOf(member);
  return value >= 0 && ['null', 'undefined'].includes(exprs.nameOf(value));
}
