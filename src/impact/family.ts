/**
 * The family of a member: all that must keep one name and signature with it, since they override
 * one another, or implement or satisfy the same member of an interface.
 */
import { overriddenBy } from '../graph/resolve/hierarchy.js';
import { overridersOf } from '../graph/refer/overriders.js';
import { satisfiedMembers, satisfyingMembers } from '../graph/refer/satisfied.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';

/** A larger family is that of a member that every object has. */
const FAMILY_MOST = 500;

/** The other members of the family, nearest first; empty for what overrides nothing and is not overridden. */
export function familyOf(resolver: Resolver, member: DeclRef): readonly DeclRef[] {
  const seen = new Set([declKey(member)]);
  const queue: DeclRef[] = [member];
  for (const next of queue) {
    const around = [
      ...overriddenBy(resolver, next),
      ...overridersOf(resolver, next).map(({ file, block }) => ({ file, decl: block })),
      ...satisfyingMembers(resolver, next),
      ...satisfiedMembers(resolver, next),
    ];
    for (const relative of around) {
      if (seen.has(declKey(relative)) || queue.length > FAMILY_MOST) continue;
      seen.add(declKey(relative));
      queue.push(relative);
    }
  }
  return queue.slice(1);
}

/** What overrides the member, and what overrides that, nearest first. */
export function overridersBelow(resolver: Resolver, member: DeclRef): readonly DeclRef[] {
  const seen = new Set([declKey(member)]);
  const queue: DeclRef[] = [member];
  for (const next of queue) {
    for (const { file, block } of overridersOf(resolver, next)) {
      const relative = { file, decl: block };
      if (seen.has(declKey(relative)) || queue.length > FAMILY_MOST) continue;
      seen.add(declKey(relative));
      queue.push(relative);
    }
  }
  return queue.slice(1);
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
