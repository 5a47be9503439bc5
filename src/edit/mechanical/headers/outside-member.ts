/**
 * Members that stand for one of a library: those who call them through the library know them by
 * their name, which cannot be changed from here.
 */
import { basesOf, classOfMember, overriddenBy, searchOrder } from '../../../graph/resolve/hierarchy.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import { hasMember } from '../../../languages/hooks.js';
import type { DeclRef } from '../../../languages/language.js';
import type { AtomicChange } from '../../../change/atomic-change.js';
import type { Graphs } from '../../../impact/graphs.js';
import { D, F, isFunctionLike } from '../../../syntax/summary.js';

/**
 * Name of the class or interface from outside whose member the changed one implemented or overrode. What got its new
 * name a round before counts as overridden.
 */
export function outsideBaseOf(
  { before, after }: Graphs,
  { before: member, after: now }: AtomicChange,
): string | undefined {
  return member === undefined
    ? undefined
    : outsideBaseAt(
        before,
        member,
        overriddenBy(before, member).length > 0 || (now !== undefined && overriddenBy(after, now).length > 0),
      );
}

/**
 * Name of the class or interface from outside whose member this one implements or overrides: known
 * of a few that many classes implement, and by exclusion where the member says that it overrides and
 * overrides nothing of the repository, or only what stands for such a member itself. Errs towards none.
 */
export function outsideBaseAt(
  resolver: Resolver,
  member: DeclRef,
  overrides = overriddenBy(resolver, member).length > 0,
): string | undefined {
  const summary = resolver.summary(member.file);
  const { decls } = summary;
  const kind = decls.kindOf(member.decl);
  const owner = member.decl < 0 ? undefined : classOfMember(summary, member.decl);
  if (owner === undefined || kind === D.constructor || !(isFunctionLike(kind) || kind === D.property)) return undefined;
  const flags = decls.flagsOf(member.decl);
  if ((flags & (F.static | F.private)) !== 0) return undefined;
  const { library } = resolver.language(member.file);
  const name = summary.decls.nameOf(member.decl);
  const type = { file: member.file, decl: owner };
  const outside = [type, ...searchOrder(resolver, type)]
    .flatMap((base) => basesOf(resolver, base).external.map((value) => value.name))
    .filter((base) => base !== '');
  const known = outside.find((base) => hasMember(library, base, name) === true);
  if (known !== undefined || (flags & F.override) === 0) return known;
  // What it overrides here may stand for a member from outside itself.
  if (overrides)
    return overriddenBy(resolver, member)
      .map((above) => outsideBaseAt(resolver, above))
      .find((base) => base !== undefined);
  return library.objectMembers.has(name)
    ? 'every object'
    : outside.length > 0
      ? [...new Set(outside)].join(' or ')
      : undefined;
}

/**
 * Whether a class or interface from outside may call the member, by the signature that it has. Errs towards yes, except
 * that what overrides a member of the repository counts as that.
 */
export function mayServeOutside(resolver: Resolver, member: DeclRef): boolean {
  const summary = resolver.summary(member.file);
  const owner = classOfMember(summary, member.decl);
  const name = summary.decls.nameOf(member.decl);
  const flags = summary.decls.flagsOf(member.decl);
  const { library, isPrivate, interfaceName } = resolver.language(member.file);
  if (
    owner === undefined ||
    summary.decls.kindOf(member.decl) === D.constructor ||
    (flags & F.static) !== 0 ||
    isPrivate(name, flags)
  )
    return false;
  const isCalledBy = (base: string): boolean =>
    hasMember(library, base, name) ??
    (interfaceName === undefined || base === '' || interfaceName.test(base) || (flags & F.override) !== 0);
  const isServed = searchOrder(resolver, { file: member.file, decl: owner }).some((type) => {
    const { external, unknown } = basesOf(resolver, type);
    return unknown || external.some((base) => isCalledBy(base.name));
  });
  return isServed && overriddenBy(resolver, member).length === 0;
}
