/**
 * The family of a member: all that must keep one name and signature with it, since they override
 * one another, or implement or satisfy the same member of an interface.
 */
import { piece, type Turns } from '../base/turns.js';
import { overriddenBy } from '../graph/resolve/hierarchy.js';
import { overridersOf } from '../graph/refer/overriders.js';
import { findingSatisfied, satisfiedMembers, satisfyingMembers } from '../graph/refer/satisfied.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';

/** A larger family is that of a member that every object has. */
const FAMILY_MOST = 500;

/** The other members of the family, nearest first; empty for what overrides nothing and is not overridden. */
export function familyOf(resolver: Resolver, member: DeclRef): readonly DeclRef[] {
  const family = new Family(member);
  for (const next of family.members) family.add(relativesOf(resolver, next));
  return family.members.slice(1);
}

/** The same, a member's relatives at a time. */
export function* familyInTurns(resolver: Resolver, member: DeclRef): Turns<readonly DeclRef[]> {
  const family = new Family(member);
  for (const next of family.members) {
    yield* findingSatisfied(resolver, next);
    family.add(yield* piece(() => relativesOf(resolver, next)));
    yield;
  }
  return family.members.slice(1);
}

/** A member, and all that were found around it, nearest first. */
class Family {
  readonly members: DeclRef[];
  private readonly seen: Set<string>;

  constructor(member: DeclRef) {
    this.members = [member];
    this.seen = new Set([declKey(member)]);
  }

  add(relatives: readonly DeclRef[]): void {
    for (const relative of relatives) {
      if (this.seen.has(declKey(relative)) || this.members.length > FAMILY_MOST) continue;
      this.seen.add(declKey(relative));
      this.members.push(relative);
    }
  }
}

const relativesOf = (resolver: Resolver, member: DeclRef): readonly DeclRef[] => [
  ...overriddenBy(resolver, member),
  ...overridersOf(resolver, member).map(({ file, block }) => ({ file, decl: block })),
  ...satisfyingMembers(resolver, member),
  ...satisfiedMembers(resolver, member),
];

/** What overrides the member, and what overrides that, nearest first. */
export function overridersBelow(resolver: Resolver, member: DeclRef): readonly DeclRef[] {
  const below = new Family(member);
  for (const next of below.members)
    below.add(overridersOf(resolver, next).map(({ file, block }) => ({ file, decl: block })));
  return below.members.slice(1);
}

/** Whether `below` overrides what overrides `above`, in however many steps; not if it overrides that itself. */
export function isFarAbove(resolver: Resolver, above: DeclRef, below: DeclRef): boolean {
  const direct = overriddenBy(resolver, below);
  if (direct.some((base) => sameDecl(base, above))) return false;
  const seen = new Set([below, ...direct].map(declKey));
  const queue = [...direct];
  for (const next of queue)
    for (const base of overriddenBy(resolver, next)) {
      if (sameDecl(base, above)) return true;
      if (seen.has(declKey(base))) continue;
      seen.add(declKey(base));
      queue.push(base);
    }
  return false;
}
